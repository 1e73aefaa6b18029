/* SPDX-License-Identifier: Zlib */
/* symbol_counts.c - counts of symbols over tokens.
 * Takes: tokens.  Gives: counts.  Then: prices.c, block_choice.c */
#include "oneshot/symbol_counts.h"

/* tests/oneshot/test_symbol_counts.c compares every length with RFC 1951 3.2.5. */
const uint8_t zw_length_symbols_less_256[256] = {
	1, 2, 3, 4, 5, 6, 7, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13, 13, 13, 14, 14, 14, 14, 15, 15, 15, 15, 16, 16, 16, 16,
	17, 17, 17, 17, 17, 17, 17, 17, 18, 18, 18, 18, 18, 18, 18, 18, 19, 19, 19, 19, 19, 19, 19, 19, 20, 20, 20, 20, 20, 20, 20, 20,
	21, 21, 21, 21, 21, 21, 21, 21, 21, 21, 21, 21, 21, 21, 21, 21, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22, 22,
	23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 23, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24,
	25, 25, 25, 25, 25, 25, 25, 25, 25, 25, 25, 25, 25, 25, 25, 25, 25, 25, 25, 25, 25, 25, 25, 25, 25, 25, 25, 25, 25, 25, 25, 25,
	26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26,
	27, 27, 27, 27, 27, 27, 27, 27, 27, 27, 27, 27, 27, 27, 27, 27, 27, 27, 27, 27, 27, 27, 27, 27, 27, 27, 27, 27, 27, 27, 27, 27,
	28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 29,
};

void zw_symbols_count(struct zw_symbol_counts *c, const uint32_t *tokens, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		uint32_t token = tokens[i];

		if (zw_token_is_match(token)) {
			c->litlen[256 + zw_length_symbols_less_256[zw_token_length(token) - MATCH_MIN_BYTES]]++;
			c->dist[zw_token_distance_symbol(token)]++;
		} else {
			c->litlen[token & TOKEN_INDEX_MASK]++;
		}
	}
}

void zw_symbols_add(struct zw_symbol_counts *c, const struct zw_symbol_counts *a, const struct zw_symbol_counts *b)
{
	for (unsigned i = 0; i < LITLEN_CODE_COUNT; i++)
		c->litlen[i] = a->litlen[i] + b->litlen[i];
	for (unsigned i = 0; i < DIST_CODE_COUNT; i++)
		c->dist[i] = a->dist[i] + b->dist[i];
}

void zw_symbols_subtract(struct zw_symbol_counts *c, const struct zw_symbol_counts *a, const struct zw_symbol_counts *b)
{
	for (unsigned i = 0; i < LITLEN_CODE_COUNT; i++)
		c->litlen[i] = a->litlen[i] - b->litlen[i];
	for (unsigned i = 0; i < DIST_CODE_COUNT; i++)
		c->dist[i] = a->dist[i] - b->dist[i];
}
