/* SPDX-License-Identifier: Zlib */
/* block_choice.c - codes and header of a block, by exact cost.
 * Takes: symbol counts of any size.  Gives: a plan.  Then: block_write.c */
#include "oneshot/block_choice.h"

#include "base/check.h"
#include "oneshot/header_items.h"

#include <string.h>

#define BLOCK_HEADER_BITS 3u                 /* BFINAL and BTYPE */
#define FIXED_DIST_BITS   5u                 /* RFC 1951 3.2.6 */

/* Counts as the block coder's code maker takes them: halved until they fit 15 bits, what occurs stays above 0. */
struct narrow_counts { ZW_ALIGNED(16) uint16_t litlen[LITLEN_CODE_COUNT], dist[DIST_CODE_COUNT]; };

static void narrow(uint16_t *to, const uint32_t *from, unsigned n)
{
	uint32_t most = 0;
	unsigned shift = 0;

	for (unsigned i = 0; i < n; i++)
		most = most > from[i] ? most : from[i];
	while (most >> shift > CODE_COUNT_MAX)
		shift++;
	for (unsigned i = 0; i < n; i++) {
		uint32_t v = from[i] >> shift;

		to[i] = (uint16_t)(from[i] && !v ? 1 : v);
	}
}

static void narrow_all(struct narrow_counts *n, const struct zw_symbol_counts *c)
{
	narrow(n->litlen, c->litlen, LITLEN_CODE_COUNT);
	narrow(n->dist, c->dist, DIST_CODE_COUNT);
	n->litlen[SYMBOL_END_OF_BLOCK] = 1;
}

/* What is the same in both kinds of block: header, extra bits. */
static uint64_t common_bits(const struct zw_symbol_counts *c)
{
	uint64_t bits = BLOCK_HEADER_BITS;

	for (unsigned i = 1; i < 30; i++)
		bits += (uint64_t)c->litlen[256 + i] * zw_length_extra_bits[i];
	for (unsigned i = 0; i < DIST_SYMBOL_COUNT; i++)
		bits += (uint64_t)c->dist[i] * zw_distance_extra_bits[i];
	return bits;
}

static uint64_t fixed_bits(const struct zw_symbol_counts *c)
{
	uint64_t bits = 7;                       /* the end-of-block */

	for (unsigned i = 0; i < LITLEN_SYMBOL_COUNT; i++)
		bits += (uint64_t)c->litlen[i] * (i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8);
	for (unsigned i = 0; i < DIST_SYMBOL_COUNT; i++)
		bits += (uint64_t)c->dist[i] * FIXED_DIST_BITS;
	return bits;
}

/* The symbols of c in the codes of plan. */
static uint64_t code_bits(const struct zw_block_plan *plan, const struct zw_symbol_counts *c)
{
	uint64_t bits = plan->litlen.lengths[SYMBOL_END_OF_BLOCK];

	for (unsigned i = 0; i < LITLEN_SYMBOL_COUNT; i++)
		bits += (uint64_t)c->litlen[i] * plan->litlen.lengths[i];
	for (unsigned i = 0; i < DIST_SYMBOL_COUNT; i++)
		bits += (uint64_t)c->dist[i] * plan->dist.lengths[i];
	return bits;
}

void zw_block_quick_plan(struct zw_block_plan *plan, const struct zw_symbol_counts *c)
{
	struct narrow_counts n;
	uint64_t fixed = fixed_bits(c), dynamic;

	narrow_all(&n, c);
	zw_code_make_both(&plan->litlen, n.litlen, &plan->dist, n.dist);
	plan->header_written = false;
	zw_code_header_make(&plan->header, &plan->litlen, &plan->dist);
	dynamic = plan->header.cost_bits + code_bits(plan, c);
	plan->type = fixed <= dynamic ? BLOCK_FIXED : BLOCK_DYNAMIC;
	plan->cost_bits = common_bits(c) + (fixed <= dynamic ? fixed : dynamic);
}

uint64_t zw_block_quick_bits(const struct zw_symbol_counts *c)
{
	struct zw_block_plan plan;

	zw_block_quick_plan(&plan, c);
	return plan.cost_bits;
}

/* Makes neighbouring counts that differ little equal, so that their codes get one length, which the header repeats. */
static void smooth(uint16_t *counts, unsigned n, unsigned slack)
{
	unsigned end = n;

	while (end && !counts[end - 1])
		end--;
	for (unsigned i = 0; i < end; ) {
		uint32_t sum = counts[i], low = counts[i], high = counts[i];
		unsigned k = i + 1;

		if (!counts[i]) {
			i++;
			continue;
		}
		while (k < end && counts[k]) {
			uint32_t v = counts[k], lowest = v < low ? v : low, highest = v > high ? v : high;

			if (highest - lowest > slack + lowest / 4)
				break;
			low = lowest;
			high = highest;
			sum += v;
			k++;
		}
		if (k - i >= 4)
			for (unsigned j = i; j < k; j++)
				counts[j] = (uint16_t)((sum + (k - i) / 2) / (k - i));
		i = k;
	}
}

void zw_block_choose(struct zw_block_plan *plan, const struct zw_symbol_counts *c)
{
	struct narrow_counts exact;
	uint64_t common = common_bits(c), fixed = fixed_bits(c);

	narrow_all(&exact, c);
	plan->type = BLOCK_FIXED;
	plan->cost_bits = UINT64_MAX;
	for (unsigned slack = 0; slack <= 16; slack = slack ? 2 * slack : 1) {
		struct narrow_counts n = exact;
		struct zw_block_plan next;

		if (slack) {
			smooth(n.litlen, LITLEN_CODE_COUNT, slack);
			smooth(n.dist, DIST_CODE_COUNT, slack);
		}
		zw_code_make_both(&next.litlen, n.litlen, &next.dist, n.dist);
		zw_header_shortest(&next.header, &next.litlen, &next.dist);
		next.header_written = false;
		next.type = BLOCK_DYNAMIC;
		next.cost_bits = common + next.header.cost_bits + code_bits(&next, c);
		if (next.cost_bits < plan->cost_bits)
			*plan = next;
	}
	if (common + fixed <= plan->cost_bits) {
		plan->type = BLOCK_FIXED;
		plan->cost_bits = common + fixed;
	}
	ZW_ASSERT(plan->cost_bits > BLOCK_HEADER_BITS);
}
