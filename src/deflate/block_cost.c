/* SPDX-License-Identifier: Zlib */
/* block_cost.c - which kind of block is shortest, by exact bit counts.
 * Takes: a histogram.  Gives: a plan.  Then: block_write.c
 * Never: looks at tokens or bytes, writes a bit. */
#include "deflate/block_cost.h"

#include "base/check.h"
#include "deflate/count_vectors.h"

#define BLOCK_HEADER_BITS 3u                 /* BFINAL and BTYPE */
#define FIXED_DIST_BITS   5u                 /* RFC 1951 3.2.6 */
#define STORED_LEN_BITS  32u                 /* LEN and NLEN */

/* RFC 1951 3.2.6 */
static const uint8_t fixed_litlen_bits[LITLEN_CODE_COUNT] = {
	[0 ... 143] = 8, [144 ... 255] = 9, [256 ... 279] = 7, [280 ... 287] = 8,
};
static const uint8_t fixed_dist_bits[DIST_CODE_COUNT] = { [0 ... DIST_CODE_COUNT - 1] = FIXED_DIST_BITS };

/* All extra bits of lengths and distances: the same in both kinds. */
static uint32_t extra_bits(const uint16_t *litlen_counts, const uint16_t *dist_counts)
{
	return zw_weighted_sum(litlen_counts + SYMBOL_END_OF_BLOCK, zw_length_extra_bits, 32) +
	       zw_weighted_sum(dist_counts, zw_distance_extra_bits, DIST_CODE_COUNT);
}

static uint32_t fixed_code_bits(const uint16_t *litlen_counts, const uint16_t *dist_counts)
{
	return zw_weighted_sum(litlen_counts, fixed_litlen_bits, LITLEN_CODE_COUNT) +
	       zw_weighted_sum(dist_counts, fixed_dist_bits, DIST_CODE_COUNT);
}

uint64_t zw_block_fixed_bits(const struct zw_histogram *freq)
{
	uint16_t litlen_counts[LITLEN_CODE_COUNT];

	zw_group_lengths(freq->litlen, litlen_counts);
	return BLOCK_HEADER_BITS + fixed_code_bits(litlen_counts, freq->dist) + extra_bits(litlen_counts, freq->dist);
}

void zw_block_plan_make(struct zw_block_plan *plan, const struct zw_histogram *freq, uint32_t token_count, enum zw_block_codes codes)
{
	uint16_t litlen_counts[LITLEN_CODE_COUNT];
	uint32_t fixed, dynamic;

	ZW_ASSERT(token_count <= BLOCK_MAX_TOKENS);
	ZW_ASSERT(freq->dist[30] == 0 && freq->dist[31] == 0);
	zw_group_lengths(freq->litlen, litlen_counts);
	if (codes == CODES_QUICK) {
		zw_code_round(&plan->litlen, litlen_counts, CODE_MAX_SYMBOLS, LITLEN_LIMIT_BITS);
		zw_code_round(&plan->dist, freq->dist, DIST_CODE_COUNT, DIST_CODE_MAX_BITS);
	} else {
		zw_code_make_both(&plan->litlen, litlen_counts, &plan->dist, freq->dist);
	}

	plan->cost_bits = BLOCK_HEADER_BITS + extra_bits(litlen_counts, freq->dist);
	fixed = fixed_code_bits(litlen_counts, freq->dist);
	if (codes == CODES_FIXED) {
		plan->type = BLOCK_FIXED;
		plan->cost_bits += fixed;
		return;
	}
	plan->header_written = codes == CODES_QUICK;
	if (plan->header_written) {
		zw_header_write_once(&plan->written, &plan->litlen, &plan->dist);
		dynamic = plan->written.bits;
	} else {
		zw_code_header_make(&plan->header, &plan->litlen, &plan->dist);
		dynamic = plan->header.cost_bits;
	}
	dynamic += zw_weighted_sum(litlen_counts, plan->litlen.lengths, LITLEN_CODE_COUNT) +
		  zw_weighted_sum(freq->dist, plan->dist.lengths, DIST_CODE_COUNT);
	plan->type = fixed <= dynamic ? BLOCK_FIXED : BLOCK_DYNAMIC;
	plan->cost_bits += fixed <= dynamic ? fixed : dynamic;
}

uint64_t zw_block_stored_bits(size_t raw_bytes, unsigned hold_bits)
{
	uint64_t more_pieces = raw_bytes ? (raw_bytes - 1) / STORED_MAX_BYTES : 0;
	unsigned first_header = ((hold_bits + BLOCK_HEADER_BITS + 7) & ~7u) - hold_bits + STORED_LEN_BITS;

	ZW_ASSERT(hold_bits <= 7);
	return first_header + more_pieces * (8 + STORED_LEN_BITS) + (uint64_t)raw_bytes * 8;
}
