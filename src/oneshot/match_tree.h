/* SPDX-License-Identifier: Zlib */
/* match_tree.h - finds, for every position, the nearest match of each length.
 *
 * For each hash of four bytes there is a binary search tree of the positions in the window that have it, ordered by the bytes
 * that follow, with the newest at the root: a search descends from new to old, and puts the position in at the root on its
 * way.  Matches of three bytes come from a table of newest positions.
 *
 * Positions count from POSITION_FIRST, so that 0, an empty entry, is farther away than any match may be. */
#ifndef ZW_ONESHOT_MATCH_TREE_H
#define ZW_ONESHOT_MATCH_TREE_H

#include "oneshot/match_list.h"

#include <stddef.h>
#include <stdint.h>

#define TREE_NODES       DISTANCE_MAX_BYTES  /* children are kept for so many positions: a ring */
#define TREE_DISTANCE_MAX (TREE_NODES - 1)   /* the slot of the position before is the one being written */
#define POSITION_FIRST   (DISTANCE_MAX_BYTES + 1)
#define TREE_HASH_MAX_LOG2   16u
#define TREE_HASH3_MAX_LOG2  15u
#define TREE_COMPARE_BYTES MATCH_MAX_BYTES   /* what the order of a tree looks at: always the same, or trees lose their order */
#define TREE_LOOKAHEAD_BYTES (TREE_COMPARE_BYTES + 8u) /* readable behind every position that is put in */

struct zw_match_tree {
	uint32_t *heads;                         /* newest position by the hash of four bytes */
	uint32_t *heads3;                        /* newest position by the hash of three */
	uint32_t *children;                      /* [2 * slot] those that sort below, [2 * slot + 1] above */
	unsigned  hash_log2, hash3_log2;
	uint32_t  node_mask;                     /* ring size - 1 */
	unsigned  depth_max;                     /* nodes that one search looks at */
	unsigned  skip_bytes;                    /* positions inside a match so long have no matches of their own */
};

/* Parts for inputs of up to input_bytes: how many entries each has. */
struct zw_match_tree_sizes { size_t heads, heads3, children; };
struct zw_match_tree_sizes zw_match_tree_sizes(size_t input_bytes);

/* Empties the tree, whose three arrays have the sizes for input_bytes. */
void zw_match_tree_reset(struct zw_match_tree *t, size_t input_bytes);

/* Puts in the positions [position, position + count) whose bytes begin at at; no match is looked for. */
void zw_match_tree_insert(struct zw_match_tree *t, const uint8_t *at, uint32_t position, size_t count);

/* Fills list with the matches of [position, position + count), whose bytes begin at at.  No match reaches beyond count.
 * TREE_LOOKAHEAD_BYTES behind the last are readable, and are what follows in the input, or zeros behind its end. */
void zw_match_tree_find(struct zw_match_tree *t, const uint8_t *at, uint32_t position, size_t count, struct zw_match_list *list);

#endif
