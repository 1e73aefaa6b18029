/* SPDX-License-Identifier: Zlib */
/* parse_driver.h - runs a parser over a whole input as a stream does, with a window that slides, and checks everything
 * that a parser promises: tokens that expand to the input, distances, room, histogram, no read outside its slack. */
#ifndef ZW_TESTS_PARSE_DRIVER_H
#define ZW_TESTS_PARSE_DRIVER_H

#include "deflate/match_finder.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum arena_fill { FILL_ZEROS, FILL_ONES, FILL_RANDOM, FILL_KINDS };

struct parse_setup {
	struct zw_match_params params;
	unsigned window_log2, mem_level;
	bool     wide, size_known;
	enum arena_fill fill;                    /* what malloc returned, and what stands behind the input */
	size_t   flush_bytes;                    /* everything is parsed after so many bytes, again and again; 0: never */
	size_t   history_bytes;                  /* entered as a preset dictionary: the first bytes of the input */
};

/* Tokens of in[history_bytes..n).  Fails the running test when anything is not as promised. */
struct parse_result { uint32_t *tokens; size_t count; };
struct parse_result parse_run(const struct parse_setup *setup, const uint8_t *in, size_t n);
void parse_free(struct parse_result *r);

/* Fails unless both have the same tokens. */
void parse_same(const struct parse_result *a, const struct parse_result *b, const char *what);

/* Bits that an entropy coder would need for all tokens together, headers not counted. */
double parse_entropy_bits(const struct parse_result *r);

/* True when this machine can run the wide bodies. */
bool parse_wide_runs(void);

/* All checks for one setup over every input of web_data.h and every tiny input: expands, both bodies agree, fills agree. */
void parse_check_kind(int level, enum zw_strategy strategy);

#endif
