/* SPDX-License-Identifier: Zlib */
/* web_data.h - input for compressors, made from a seed: pages, records and the shapes that break match finders. */
#ifndef ZW_TESTS_WEB_DATA_H
#define ZW_TESTS_WEB_DATA_H

#include <stddef.h>
#include <stdint.h>

enum web_data_kind { WEB_HTML, WEB_JSON, WEB_RANDOM, WEB_SAME, WEB_PERIOD_2, WEB_PERIOD_PRIME, WEB_DE_BRUIJN, WEB_NEAR_COPIES,
		     WEB_MIXED, WEB_KINDS };

/* Fills to[0..n) with data of this kind; the same seed gives the same bytes. */
void web_data_fill(enum web_data_kind kind, uint32_t seed, uint8_t *to, size_t n);

const char *web_data_name(enum web_data_kind kind);

/* The next of a sequence of numbers; *state must not be 0. */
uint32_t web_data_random(uint32_t *state);

#endif
