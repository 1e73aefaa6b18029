/* SPDX-License-Identifier: Zlib */
/* block_split.c - decides where one Huffman block ends and the next begins.
 * Takes: symbol counts now and at the last look.  Gives: yes or no.  Then: block_cost.c
 * Never: reads the window, writes a bit, uses floating point: an answer that depended on rounding would make the bytes
 * depend on the compiler. */
#include "deflate/block_split.h"

#include "base/check.h"
#include "deflate/count_vectors.h"

/* Bits of an ideal code for symbols with these counts. */
static uint64_t entropy(const uint16_t *counts, unsigned symbol_count)
{
	struct zw_log_sum sum = zw_log_sum_of(counts, symbol_count);

	ZW_ASSERT(sum.total < 65536);
	return zw_count_log2(sum.total) - sum.bits;
}

bool zw_block_should_split(const struct zw_histogram *all, const struct zw_histogram *older, unsigned threshold_bits)
{
	uint16_t together[LITLEN_CODE_COUNT], before[LITLEN_CODE_COUNT], since[LITLEN_CODE_COUNT];
	uint16_t dist_since[DIST_CODE_COUNT];
	int64_t gain;                            /* in units of 2^-LOG_FRACTION_BITS */

	zw_group_lengths(all->litlen, together);
	zw_group_lengths(older->litlen, before);
	for (unsigned i = 0; i < LITLEN_CODE_COUNT; i++) {
		ZW_ASSERT(together[i] >= before[i]);
		since[i] = (uint16_t)(together[i] - before[i]);
	}
	since[SYMBOL_END_OF_BLOCK] = 1;          /* each block has one */
	for (unsigned i = 0; i < DIST_CODE_COUNT; i++) {
		ZW_ASSERT(all->dist[i] >= older->dist[i]);
		dist_since[i] = (uint16_t)(all->dist[i] - older->dist[i]);
	}
	gain = (int64_t)(entropy(together, LITLEN_CODE_COUNT) + entropy(all->dist, DIST_CODE_COUNT));
	gain -= (int64_t)(entropy(before, LITLEN_CODE_COUNT) + entropy(older->dist, DIST_CODE_COUNT));
	gain -= (int64_t)(entropy(since, LITLEN_CODE_COUNT) + entropy(dist_since, DIST_CODE_COUNT));
	return gain > (int64_t)threshold_bits << LOG_FRACTION_BITS;
}
