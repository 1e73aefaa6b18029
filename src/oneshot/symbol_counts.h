/* SPDX-License-Identifier: Zlib */
/* symbol_counts.h - how often each symbol of the two codes occurs in a run of tokens. */
#ifndef ZW_ONESHOT_SYMBOL_COUNTS_H
#define ZW_ONESHOT_SYMBOL_COUNTS_H

#include "oneshot/match_list.h"

#include <stddef.h>
#include <stdint.h>

struct zw_symbol_counts {
	uint32_t litlen[LITLEN_CODE_COUNT];      /* the end-of-block, which no token is, stays 0 */
	uint32_t dist[DIST_CODE_COUNT];
};

/* Length symbol - 256 of length - 3: 1..29 (RFC 1951 3.2.5). */
extern const uint8_t zw_length_symbols_less_256[256] ZW_HIDDEN;

/* Adds tokens[0..count) to c. */
void zw_symbols_count(struct zw_symbol_counts *c, const uint32_t *tokens, size_t count);

/* c becomes a + b, or a - b; c may be a or b. */
void zw_symbols_add(struct zw_symbol_counts *c, const struct zw_symbol_counts *a, const struct zw_symbol_counts *b);
void zw_symbols_subtract(struct zw_symbol_counts *c, const struct zw_symbol_counts *a, const struct zw_symbol_counts *b);

#endif
