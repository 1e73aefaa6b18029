/* SPDX-License-Identifier: Zlib */
/* block_split.c - decides where one Huffman block ends and the next begins.
 * Takes: symbol counts now and at the last look.  Gives: yes or no.  Then: block_cost.c
 * Never: reads the window, writes a bit, uses floating point: an answer that depended on rounding would make the bytes
 * depend on the compiler. */
#include "deflate/block_split.h"

#include "base/bytes.h"
#include "base/check.h"
#include "deflate/count_vectors.h"

#define LOG_TABLE_LOG2    6                  /* table entries an octave */
#define LOG_FRACTION_BITS 15                 /* of every logarithm here */

/* log2(1 + i / 64) * 32768, rounded; tests/deflate/test_block_split.c computes it again. */
static const uint16_t log2_table[(1 << LOG_TABLE_LOG2) + 1] = {
	    0,   733,  1455,  2166,  2866,  3556,  4236,  4907,
	 5568,  6220,  6863,  7498,  8124,  8742,  9352,  9954,
	10549, 11136, 11716, 12289, 12855, 13415, 13968, 14514,
	15055, 15589, 16117, 16639, 17156, 17667, 18173, 18673,
	19168, 19658, 20143, 20623, 21098, 21568, 22034, 22495,
	22952, 23404, 23852, 24296, 24736, 25172, 25604, 26031,
	26455, 26876, 27292, 27705, 28114, 28520, 28922, 29321,
	29717, 30109, 30498, 30884, 31267, 31647, 32024, 32397,
	32768,
};

/* log2(n) for n in 1..65535, between the table's entries by a straight line: at most 6e-5 too small or too large. */
static uint32_t fixed_log2(uint32_t n)
{
	unsigned octave = zw_highest_bit32(n);
	uint32_t scaled = n << (15 - octave) & 0x7fff; /* the fraction behind the leading bit, 15 bits */
	unsigned i = scaled >> (15 - LOG_TABLE_LOG2);
	uint32_t rest = scaled & ((1u << (15 - LOG_TABLE_LOG2)) - 1);

	return ((uint32_t)octave << LOG_FRACTION_BITS) + log2_table[i] +
	       (((log2_table[i + 1] - (uint32_t)log2_table[i]) * rest) >> (15 - LOG_TABLE_LOG2));
}

/* n * log2(n), and 0 for 0. */
static uint64_t n_log2_n(uint32_t n)
{
	return (uint64_t)n * fixed_log2(n | (n == 0));
}

/* Bits of an ideal code for symbols with these counts. */
static uint64_t entropy(const uint16_t *counts, unsigned symbol_count)
{
	uint32_t total = 0;
	uint64_t sum = 0;

	for (unsigned i = 0; i < symbol_count; i++) {
		total += counts[i];
		sum += n_log2_n(counts[i]);
	}
	ZW_ASSERT(total < 65536);
	return n_log2_n(total) - sum;
}

bool zw_block_should_split(const struct zw_histogram *all, const struct zw_histogram *older, unsigned threshold_bits)
{
	uint16_t together[LITLEN_CODE_COUNT], before[LITLEN_CODE_COUNT], since[LITLEN_CODE_COUNT];
	uint16_t dist_since[DIST_CODE_COUNT];
	int64_t gain;

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
