/* SPDX-License-Identifier: Zlib */
/* ahead_entries.c - the constant part of every symbol's entry: RFC 1951 3.2.5 in the layout of ahead_entry.h. */
#include "inflate/ahead_entry.h"
#include "inflate/symbol_list.h"

#define VALUE(v, extra)      ((uint32_t)(v) >> (extra) << 16 | (uint32_t)(extra) << 6 | (uint32_t)(extra))
#define LITERAL(b)           (AHEAD_ONE_BYTE | VALUE(b, 0))
#define LENGTH(bytes, extra) (AHEAD_LENGTH | VALUE((bytes) - MATCH_MIN_BYTES, extra))
#define DIST(bytes, extra)   (AHEAD_DISTANCE | AHEAD_SPLIT | VALUE((bytes) - 1, extra))
#define NEVER                (AHEAD_SPECIAL | AHEAD_INVALID)

const uint32_t zw_ahead_litlen_constant[LITLEN_CONSTANTS] = {
	ALL_LITERALS, AHEAD_SPECIAL | AHEAD_END_OF_BLOCK, ALL_LENGTHS, NEVER, NEVER
};

const uint32_t zw_ahead_dist_constant[DIST_CONSTANTS] = { ALL_DISTANCES, NEVER, NEVER };
