/* SPDX-License-Identifier: Zlib */
/* token_split.h - where blocks begin and end, by what they cost. */
#ifndef ZW_ONESHOT_TOKEN_SPLIT_H
#define ZW_ONESHOT_TOKEN_SPLIT_H

#include "oneshot/symbol_counts.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SPLIT_CHUNK_TOKENS 256u              /* what blocks are put together from, ... */
#define SPLIT_MAX_CHUNKS   512u
#define SPLIT_FINE_TOKENS   16u              /* ... and where there are few tokens, from smaller pieces as well */
#define SPLIT_FINE_CHUNKS  128u

struct zw_split_block {
	uint32_t first_token, token_count;
	size_t   start;                          /* first byte, from the segment's start */
	uint64_t bits;                           /* zw_block_quick_bits(counts) */
	struct zw_symbol_counts counts, before;  /* now, and when the block had other tokens */
};

struct zw_split {
	struct zw_split_block *blocks;           /* room for zw_split_capacity() */
	unsigned count;
};

/* Blocks that a segment of so many bytes may begin with. */
size_t zw_split_capacity(size_t bytes);

/* Cuts tokens[0..token_count), token_count > 0, into blocks: neighbours that are cheaper as one are joined, those that gain
 * most first; then each border moves to where the two blocks are cheapest.
 * fine: short inputs may have blocks of a few dozen bytes, so it is tried from smaller pieces too, and the better one taken. */
void zw_split_make(struct zw_split *s, const uint32_t *tokens, uint32_t token_count, bool fine);

/* Fills in what belongs to blocks of which only start is right: tokens[0..token_count) are divided at the starts.
 * A token that covers a start belongs to the block before; a block without tokens is dropped. */
void zw_split_recount(struct zw_split *s, const uint32_t *tokens, uint32_t token_count);

/* Sum of all blocks' bits. */
uint64_t zw_split_bits(const struct zw_split *s);

#endif
