/* SPDX-License-Identifier: Zlib */
/* segment.c - parses a segment again and again, each time with the prices of what came out the time before.
 * Takes: the match list.  Gives: tokens and blocks.  Then: oneshot.c writes them */
#include "oneshot/segment.h"

#include "base/check.h"
#include "oneshot/block_choice.h"

#include <stdbool.h>
#include <string.h>

#define SPAN_FIRST LONG_LANES                /* lengths of a long match that the first passes look at */
#define FIXED_MAX_BYTES 8192u                /* where one block with the fixed code is tried */

static struct zw_parse parse_of(struct zw_segment *seg, bool full)
{
	return (struct zw_parse){ seg->bytes, seg->count, &seg->list, seg->cost, seg->choice, full ? MATCH_MAX_BYTES : SPAN_FIRST };
}

/* All of the segment with one set of prices. */
static void parse_whole(struct zw_segment *seg, const struct zw_prices *prices, bool full)
{
	struct zw_parse parse = parse_of(seg, full);
	struct zw_parse_cursor c, start = { 0, 0 };

	zw_parse_prices_make(seg->prices, prices);
	zw_parse_begin(&parse, &c);
	zw_parse_price(&parse, &c, 0, seg->prices);
	seg->now.token_count = zw_parse_tokens(&parse, &start, seg->count, seg->prices, seg->now.tokens);
}

/* Where the counts are going: three quarters of how far they have moved since the pass before.  It saves a pass: M16. */
static void extrapolate(uint32_t *to, const uint32_t *now, const uint32_t *before, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		int64_t v = now[i] + ((int64_t)now[i] - before[i]) * 3 / 4;

		to[i] = v > 0 ? (uint32_t)v : 0;
	}
}

static void price_counts(struct zw_prices *prices, const struct zw_split_block *b)
{
	struct zw_symbol_counts c;

	extrapolate(c.litlen, b->counts.litlen, b->before.litlen, LITLEN_CODE_COUNT);
	extrapolate(c.dist, b->counts.dist, b->before.dist, DIST_CODE_COUNT);
	zw_prices_from_counts(prices, &c);
}

/* Whole bits: the code that the block would be written with. */
static void price_code(struct zw_prices *prices, const struct zw_split_block *b)
{
	struct zw_block_plan plan;

	zw_block_quick_plan(&plan, &b->counts);
	if (plan.type == BLOCK_FIXED)
		zw_prices_fixed(prices);
	else
		zw_prices_from_code(prices, &plan.litlen, &plan.dist);
}

/* Each block of now with prices of its own; its blocks begin where they did before, and have new tokens. */
static void parse_blocks(struct zw_segment *seg, bool full, void (*price)(struct zw_prices *, const struct zw_split_block *))
{
	struct zw_parse parse = parse_of(seg, full);
	struct zw_split *split = &seg->now.split;
	struct zw_parse_cursor c, start = { 0, 0 };
	uint32_t n = 0;

	zw_parse_begin(&parse, &c);
	for (unsigned i = split->count; i--; ) {
		struct zw_prices prices;

		price(&prices, split->blocks + i);
		zw_parse_prices_make(seg->prices + i, &prices);
		zw_parse_price(&parse, &c, split->blocks[i].start, seg->prices + i);
	}
	ZW_ASSERT(c.position == 0 && c.entry == 0);
	for (unsigned i = 0; i < split->count; i++) {
		size_t end = i + 1 < split->count ? split->blocks[i + 1].start : seg->count;

		n += zw_parse_tokens(&parse, &start, end, seg->prices + i, seg->now.tokens + n);
	}
	seg->now.token_count = n;
}

static void keep_if_better(struct zw_segment *seg)
{
	struct zw_solution *now = &seg->now, *best = &seg->best;

	now->bits = zw_split_bits(&now->split);
	if (now->bits >= best->bits)
		return;
	best->bits = now->bits;
	best->token_count = now->token_count;
	best->split.count = now->split.count;
	memcpy(best->tokens, now->tokens, now->token_count * sizeof now->tokens[0]);
	memcpy(best->split.blocks, now->split.blocks, now->split.count * sizeof now->split.blocks[0]);
}

/* One block with the fixed code: what is very short has no better. */
static void try_fixed(struct zw_segment *seg)
{
	struct zw_prices prices;

	zw_prices_fixed(&prices);
	parse_whole(seg, &prices, true);
	seg->now.split.count = 1;
	seg->now.split.blocks[0].start = 0;
	zw_split_recount(&seg->now.split, seg->now.tokens, seg->now.token_count);
	keep_if_better(seg);
}

void zw_segment_solve(struct zw_segment *seg, const struct zw_effort *effort)
{
	struct zw_prices prices;

	ZW_ASSERT(seg->count && effort->passes >= 1);
	seg->best.bits = UINT64_MAX;
	if (seg->count <= FIXED_MAX_BYTES)
		try_fixed(seg);
	zw_prices_first(&prices, seg->bytes, seg->count);
	parse_whole(seg, &prices, false);
	zw_split_make(&seg->now.split, seg->now.tokens, seg->now.token_count, false);
	keep_if_better(seg);
	for (unsigned pass = 1; pass <= effort->passes; pass++) {
		bool full = pass + effort->full_passes > effort->passes, last = pass == effort->passes;

		parse_blocks(seg, full, last ? price_code : price_counts);
		if (pass + 1 == effort->passes)
			zw_split_make(&seg->now.split, seg->now.tokens, seg->now.token_count, effort->fine_split);
		else
			zw_split_recount(&seg->now.split, seg->now.tokens, seg->now.token_count);
		keep_if_better(seg);
	}
}
