/* SPDX-License-Identifier: Zlib */
/* ahead_batch.h - eight look-ups of ahead_body.h, and what they say (ahead_take.h). */
#ifndef ZW_INFLATE_AHEAD_BATCH_H
#define ZW_INFLATE_AHEAD_BATCH_H

#include "inflate/ahead_entry.h"
#include "inflate/symbol_body.h"

#define AHEAD_LOOKUPS 8u
#define AHEAD_LINKED  UINT32_C(0x800)        /* in a batch: a link of AHEAD_ROOT_BITS led to this entry */

/* A match; places are counted from where the batch begins.  One step is LONG_STEP_BYTES. */
struct ahead_match {
	int16_t  from;                           /* where its source begins */
	uint16_t begin, end;
	uint8_t  bits_behind;                    /* of literals, before those of the look-up behind it; only the low six count */
	uint8_t  longer;                         /* AHEAD_LONGER: than one step */
};
#define AHEAD_LONGER 0x80u
static_assert(sizeof(struct ahead_match) == 8, "in memory as ahead_take.h stores it and ahead_body.h reads it");
static_assert(AHEAD_LOOKUPS * MATCH_MAX_BYTES <= INT16_MAX && DISTANCE_MAX_BYTES <= 1u << 15, "places fit");

/* 0 in entry[] makes nothing. */
struct ahead_batch {
	/* look-ups as they come */
	uint32_t entry[AHEAD_LOOKUPS];
	uint64_t hold[AHEAD_LOOKUPS / 2];        /* what entry[0], [2], [4] and [6] were found by; the next ones by what these leave of it */
	/* what they say */
	struct ahead_match match[AHEAD_LOOKUPS];
	uint32_t total_bytes;                    /* that they make */
	uint64_t literals;                       /* a byte for each look-up */
	uint32_t matches;                        /* how many, above AHEAD_ORDER_LANE_BITS of anything */
	uint64_t unusual;                        /* not 0: a match repeats bytes of its own first two steps, or is too far */
	uint32_t too_far;                        /* not 0: a match reaches before history */
} ZW_ALIGNED(64);

/* ahead_lanes.c: in memory, because compilers make of constants that they see two instructions each, anew for each batch. */
struct zw_ahead_lanes {
	uint32_t drop[AHEAD_LOOKUPS], drop_of_even[AHEAD_LOOKUPS], to_top[AHEAD_LOOKUPS], extra[AHEAD_LOOKUPS], width[AHEAD_LOOKUPS];
	uint32_t match_min[AHEAD_LOOKUPS], one_step[AHEAD_LOOKUPS], two_steps[AHEAD_LOOKUPS], minus_one[AHEAD_LOOKUPS], bits_behind[AHEAD_LOOKUPS];
	uint8_t  value_byte[32], literal_byte[32];
} ZW_ALIGNED(32);
extern ZW_HIDDEN const struct zw_ahead_lanes zw_ahead_lanes;

/* SPEED(M45): a batch with one match or two writes the last of them again, and is the same bytes: whether there is another match is then
 * foreseen more often. */
#define AHEAD_MATCHES_MIN     3u
#define AHEAD_ORDER_LANE_BITS 3u
static_assert(AHEAD_LOOKUPS == 1u << AHEAD_ORDER_LANE_BITS, "a lane's number fits");
extern ZW_HIDDEN const uint8_t zw_ahead_order[1u << AHEAD_LOOKUPS][AHEAD_LOOKUPS];

ZW_INLINE unsigned ahead_match_count(const struct ahead_batch *a) { return a->matches >> AHEAD_ORDER_LANE_BITS; }

#endif
