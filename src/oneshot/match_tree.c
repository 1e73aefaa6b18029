/* SPDX-License-Identifier: Zlib */
/* match_tree.c - the search for matches: one descent a position.
 * Takes: bytes.  Gives: the match list.  Then: parse_optimal.c
 *
 * A descent compares the position with the root and goes on with those below or those above; whatever it passes is known to
 * sort on one side, and becomes that side's subtree of the position, which is the new root.  What lies between two nodes
 * has as many bytes in common with the position as the one with fewer: the comparison starts there.  So the order must be
 * exact: every comparison goes to TREE_COMPARE_BYTES, and where those are equal the old position leaves the tree. */
#include "oneshot/match_tree.h"

#include "base/bytes.h"
#include "base/check.h"

#include <stdbool.h>
#include <string.h>

#define HASH_MULTIPLIER 0x9e3779b1u

#ifndef ZW_COUNT_NODE                        /* for tests/oneshot/test_work.c */
#define ZW_COUNT_NODE() ((void)0)
#define ZW_COUNT_COMPARE() ((void)0)
#endif

static unsigned log2_for(size_t bytes, unsigned least, unsigned most)
{
	unsigned n = least;

	while (n < most && (size_t)1 << n < bytes)
		n++;
	return n;
}

struct zw_match_tree_sizes zw_match_tree_sizes(size_t input_bytes)
{
	struct zw_match_tree_sizes s = {
		(size_t)1 << log2_for(input_bytes, 8, TREE_HASH_MAX_LOG2),
		(size_t)1 << log2_for(input_bytes, 8, TREE_HASH3_MAX_LOG2),
		(size_t)2 << log2_for(input_bytes, 8, WINDOW_MAX_LOG2),
	};

	return s;
}

void zw_match_tree_reset(struct zw_match_tree *t, size_t input_bytes)
{
	struct zw_match_tree_sizes s = zw_match_tree_sizes(input_bytes);

	t->hash_log2 = log2_for(input_bytes, 8, TREE_HASH_MAX_LOG2);
	t->hash3_log2 = log2_for(input_bytes, 8, TREE_HASH3_MAX_LOG2);
	t->node_mask = (uint32_t)(s.children / 2 - 1);
	memset(t->heads, 0, s.heads * sizeof t->heads[0]);
	memset(t->heads3, 0, s.heads3 * sizeof t->heads3[0]);
}

/* search() - matches of the position at p, longest at most clip bytes, appended at out, at most room (1 or more); more
 * would replace the last.  Puts the position in.  Returns how many.
 * Why: the children are loaded before it is known which side is taken, and sides are selects, not branches. */
ZW_INLINE unsigned search(struct zw_match_tree *t, const uint8_t *p, uint32_t position, unsigned clip, uint32_t *out, unsigned room)
{
	uint32_t bytes = zw_load_le32(p);
	uint32_t *head = t->heads + (bytes * HASH_MULTIPLIER >> (32 - t->hash_log2));
	uint32_t *head3 = t->heads3 + ((bytes << 8) * HASH_MULTIPLIER >> (32 - t->hash3_log2));
	uint32_t candidate = *head, mask = t->node_mask, *children = t->children;
	uint32_t below_slot = 2 * (position & mask), above_slot = below_slot + 1; /* where the next one on that side goes */
	unsigned below_bytes = 0, above_bytes = 0; /* in common with all that is still to come on that side */
	uint32_t distance3 = position - *head3;
	unsigned found = 0, best = MATCH_MIN_BYTES, left = t->depth_max;

	*head = position;
	if (out && distance3 <= TREE_DISTANCE_MAX && clip >= MATCH_MIN_BYTES && (zw_load_le32(p - distance3) ^ bytes) << 8 == 0)
		out[found++] = zw_token_match(MATCH_MIN_BYTES, zw_distance_symbol(distance3 - 1), distance3 - 1);
	*head3 = position;
	for (;;) {
		uint32_t distance = position - candidate, below, above, at, slot;
		unsigned n = below_bytes < above_bytes ? below_bytes : above_bytes;
		uint64_t ours, theirs;
		const uint8_t *q;
		bool is_above;

		if (distance > TREE_DISTANCE_MAX || !left--) {
			children[below_slot] = children[above_slot] = 0;
			return found;
		}
		ZW_COUNT_NODE();
		q = p - distance;
		at = 2 * (candidate & mask);
		below = children[at];
		above = children[at + 1];
		for (;;) {
			ours = zw_load_le64(p + n);
			theirs = zw_load_le64(q + n);
			ZW_COUNT_COMPARE();
			if (ours != theirs) {
				n += zw_lowest_bit64(ours ^ theirs) >> 3;
				break;
			}
			n += 8;
			if (n >= TREE_COMPARE_BYTES)
				break;
		}
		if (n > best && best < clip && out) {
			unsigned len = n < clip ? n : clip;

			best = n;
			found -= found == room || distance == distance3; /* a longer match where that of three bytes is */
			out[found++] = zw_token_match(len < MATCH_MAX_BYTES ? len : MATCH_MAX_BYTES, zw_distance_symbol(distance - 1),
						      distance - 1);
		}
		if (n >= TREE_COMPARE_BYTES) {
			children[below_slot] = below;
			children[above_slot] = above;
			return found;
		}
		is_above = zw_swap64(theirs) > zw_swap64(ours); /* in the order of bytes */
		slot = is_above ? above_slot : below_slot;
		children[slot] = candidate;
		above_slot = is_above ? at : above_slot;
		below_slot = is_above ? below_slot : at + 1;
		above_bytes = is_above ? n : above_bytes;
		below_bytes = is_above ? below_bytes : n;
		candidate = is_above ? below : above;
	}
}

void zw_match_tree_insert(struct zw_match_tree *t, const uint8_t *at, uint32_t position, size_t count)
{
	for (size_t i = 0; i < count; i++)
		search(t, at + i, position + (uint32_t)i, 0, NULL, 0);
}

void zw_match_tree_find(struct zw_match_tree *t, const uint8_t *at, uint32_t position, size_t count, struct zw_match_list *list)
{
	uint32_t used = 0;
	size_t i = 0;

	ZW_ASSERT(list->entry_capacity >= count && position >= POSITION_FIRST);
	while (i < count) {
		size_t left = count - i, skip;
		uint32_t spare = list->entry_capacity - used - (uint32_t)(left - 1); /* one is kept for each later position */
		unsigned room = spare < LIST_MAX_MATCHES ? spare : LIST_MAX_MATCHES;
		unsigned clip = left < MATCH_MAX_BYTES ? (unsigned)left : MATCH_MAX_BYTES, found;

		found = search(t, at + i, position + (uint32_t)i, clip, list->entries + used, room);
		list->counts[i++] = (uint8_t)found;
		used += found;
		skip = found ? zw_token_length(list->entries[used - 1]) : 0;
		if (skip < t->skip_bytes)
			continue;
		zw_match_tree_insert(t, at + i, position + (uint32_t)i, skip - 1);
		memset(list->counts + i, 0, skip - 1);
		i += skip - 1;
	}
	ZW_ASSERT(i == count && used <= list->entry_capacity);
	list->entry_count = used;
}
