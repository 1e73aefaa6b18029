/* SPDX-License-Identifier: Zlib */
/* segment.h - the best tokens and blocks for one segment of the input. */
#ifndef ZW_ONESHOT_SEGMENT_H
#define ZW_ONESHOT_SEGMENT_H

#include "oneshot/match_list.h"
#include "oneshot/match_tree.h"
#include "oneshot/parse_optimal.h"
#include "oneshot/token_split.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A level's effort. */
struct zw_effort {
	unsigned depth_max, skip_bytes;          /* of the tree */
	unsigned passes;                         /* that choose all tokens anew, after the first; 1 or more */
	bool     fine_split;                     /* the second time; see zw_split_make() */
	unsigned full_passes;                    /* the last so many look at every length of a match */
};

/* One way through the segment: tokens and the blocks they make. */
struct zw_solution {
	uint32_t *tokens;                        /* room for one a byte */
	uint32_t  token_count;
	struct zw_split split;
	uint64_t  bits;                          /* of all blocks */
};

struct zw_segment {
	const uint8_t *bytes;
	size_t count;                            /* 1 or more */
	struct zw_match_list list;               /* of bytes[0..count) */
	uint32_t *cost;                          /* count + COST_SLACK entries */
	uint16_t *choice;                        /* count entries */
	struct zw_parse_prices *prices;          /* for each block */
	struct zw_solution now, best;            /* best is the result */
};

/* Finds seg->best from the list. */
void zw_segment_solve(struct zw_segment *seg, const struct zw_effort *effort);

#endif
