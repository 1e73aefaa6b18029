/* SPDX-License-Identifier: Zlib */
/* token_split.c - blocks from tokens, from the bottom up.
 * Takes: tokens.  Gives: blocks with their counts and costs.  Then: parse_optimal.c again, or the block coder */
#include "oneshot/token_split.h"

#include "base/check.h"
#include "oneshot/block_choice.h"

#include <string.h>

#define BORDER_STEP_LEAST 4u

size_t zw_split_capacity(size_t bytes)
{
	size_t chunks = bytes / SPLIT_CHUNK_TOKENS + 1, fine = bytes / SPLIT_FINE_TOKENS + 1;

	fine = fine < SPLIT_FINE_CHUNKS ? fine : SPLIT_FINE_CHUNKS;
	chunks = chunks < SPLIT_MAX_CHUNKS ? chunks : SPLIT_MAX_CHUNKS;
	return chunks > fine ? chunks : fine;
}

ZW_INLINE size_t token_bytes(uint32_t token) { return zw_token_is_match(token) ? zw_token_length(token) : 1; }

static void begin_block(struct zw_split_block *b, const uint32_t *tokens, uint32_t first, uint32_t count)
{
	b->first_token = first;
	b->token_count = count;
	memset(&b->counts, 0, sizeof b->counts);
	zw_symbols_count(&b->counts, tokens + first, count);
	b->bits = zw_block_quick_bits(&b->counts);
}

static uint64_t joined_bits(const struct zw_split_block *a, const struct zw_split_block *b)
{
	struct zw_symbol_counts both;

	zw_symbols_add(&both, &a->counts, &b->counts);
	return zw_block_quick_bits(&both);
}

/* What joining block i with the next one saves. */
static int64_t join_gain(const struct zw_split *s, unsigned i)
{
	const struct zw_split_block *a = s->blocks + i, *b = a + 1;

	return (int64_t)(a->bits + b->bits) - (int64_t)joined_bits(a, b);
}

/* Joins neighbours as long as that saves something, most first. */
static void join_blocks(struct zw_split *s)
{
	int64_t gains[SPLIT_MAX_CHUNKS];

	ZW_ASSERT(s->count && s->count <= SPLIT_MAX_CHUNKS);
	for (unsigned i = 0; i + 1 < s->count; i++)
		gains[i] = join_gain(s, i);
	while (s->count > 1) {
		unsigned best = 0, after;
		struct zw_split_block *a;

		for (unsigned i = 1; i + 1 < s->count; i++)
			best = gains[i] > gains[best] ? i : best;
		if (gains[best] <= 0)
			return;
		a = s->blocks + best;
		a->bits = a[0].bits + a[1].bits - (uint64_t)gains[best];
		a->token_count += a[1].token_count;
		zw_symbols_add(&a->counts, &a[0].counts, &a[1].counts);
		after = s->count - best - 2;
		memmove(a + 1, a + 2, after * sizeof *a);
		if (after)
			memmove(gains + best + 1, gains + best + 2, (after - 1) * sizeof gains[0]);
		s->count--;
		if (best)
			gains[best - 1] = join_gain(s, best - 1);
		if (best + 1 < s->count)
			gains[best] = join_gain(s, best);
	}
}

/* Moves count tokens from the front of b to a, or from the end of a to b (negative), if that is cheaper. */
static void try_border(struct zw_split_block *a, struct zw_split_block *b, const uint32_t *tokens, int64_t count)
{
	struct zw_symbol_counts moved = { { 0 }, { 0 } }, left, right;
	uint64_t left_bits, right_bits;

	if (count >= (int64_t)b->token_count || -count >= (int64_t)a->token_count)
		return;
	if (count > 0) {
		zw_symbols_count(&moved, tokens + b->first_token, (size_t)count);
		zw_symbols_add(&left, &a->counts, &moved);
		zw_symbols_subtract(&right, &b->counts, &moved);
	} else {
		zw_symbols_count(&moved, tokens + b->first_token + count, (size_t)-count);
		zw_symbols_subtract(&left, &a->counts, &moved);
		zw_symbols_add(&right, &b->counts, &moved);
	}
	left_bits = zw_block_quick_bits(&left);
	right_bits = zw_block_quick_bits(&right);
	if (left_bits + right_bits >= a->bits + b->bits)
		return;
	a->counts = left;
	b->counts = right;
	a->bits = left_bits;
	b->bits = right_bits;
	a->token_count = (uint32_t)(a->token_count + count);
	b->token_count = (uint32_t)(b->token_count - count);
	b->first_token = (uint32_t)(b->first_token + count);
}

static void move_borders(struct zw_split *s, const uint32_t *tokens, uint32_t step)
{
	for (; step >= BORDER_STEP_LEAST; step /= 2)
		for (unsigned i = 0; i + 1 < s->count; i++) {
			uint32_t before = s->blocks[i].token_count;

			try_border(s->blocks + i, s->blocks + i + 1, tokens, step);
			if (s->blocks[i].token_count == before)
				try_border(s->blocks + i, s->blocks + i + 1, tokens, -(int64_t)step);
		}
}

/* start of each block from its first token; before. */
static void place_blocks(struct zw_split *s, const uint32_t *tokens)
{
	size_t at = 0;

	for (unsigned i = 0; i < s->count; i++) {
		const uint32_t *token = tokens + s->blocks[i].first_token;

		s->blocks[i].start = at;
		s->blocks[i].before = s->blocks[i].counts;
		for (uint32_t k = 0; k < s->blocks[i].token_count; k++)
			at += token_bytes(token[k]);
	}
}

/* Blocks from pieces of chunk tokens. */
static uint64_t split_by(struct zw_split *s, const uint32_t *tokens, uint32_t token_count, uint32_t chunk)
{
	uint32_t at = 0;

	for (s->count = 0; at < token_count; s->count++) {
		uint32_t n = token_count - at < chunk ? token_count - at : chunk;

		begin_block(s->blocks + s->count, tokens, at, n);
		at += n;
	}
	join_blocks(s);
	move_borders(s, tokens, chunk);
	join_blocks(s);
	return zw_split_bits(s);
}

void zw_split_make(struct zw_split *s, const uint32_t *tokens, uint32_t token_count, bool fine)
{
	uint32_t chunk = SPLIT_CHUNK_TOKENS, small = (token_count - 1) / SPLIT_FINE_CHUNKS + 1;
	uint64_t bits;

	ZW_ASSERT(token_count);
	small = small > SPLIT_FINE_TOKENS ? small : SPLIT_FINE_TOKENS;
	while (token_count > (uint64_t)chunk * SPLIT_MAX_CHUNKS)
		chunk *= 2;
	bits = split_by(s, tokens, token_count, chunk);
	if (fine && small <= chunk / 2 && split_by(s, tokens, token_count, small) > bits)
		split_by(s, tokens, token_count, chunk);
	place_blocks(s, tokens);
}

void zw_split_recount(struct zw_split *s, const uint32_t *tokens, uint32_t token_count)
{
	uint32_t token = 0;
	unsigned kept = 0;
	size_t at = 0;

	for (unsigned i = 0; i < s->count; i++) {
		size_t end = i + 1 < s->count ? s->blocks[i + 1].start : SIZE_MAX, start = at;
		uint32_t first = token;

		while (token < token_count && at < end)
			at += token_bytes(tokens[token++]);
		if (token == first)
			continue;
		s->blocks[kept].before = s->blocks[i].counts;
		begin_block(s->blocks + kept, tokens, first, token - first);
		s->blocks[kept++].start = start;
	}
	s->count = kept;
}

uint64_t zw_split_bits(const struct zw_split *s)
{
	uint64_t bits = 0;

	for (unsigned i = 0; i < s->count; i++)
		bits += s->blocks[i].bits;
	return bits;
}
