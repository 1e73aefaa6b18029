/* SPDX-License-Identifier: Zlib */
/* match_list.h - the useful matches of every position of a segment, found once and priced many times.
 *
 * counts[i] matches belong to position i; they stand in entries[] in the order of positions and, for one position, of
 * length.  A longer match is farther away, or it would have replaced the shorter one.  An entry is a match token (tokens.h):
 * what is chosen goes to the block coder as it is, and a shorter length of the same match is the entry less a number. */
#ifndef ZW_ONESHOT_MATCH_LIST_H
#define ZW_ONESHOT_MATCH_LIST_H

#include "deflate/tokens.h"

#include <stdint.h>

#define LIST_MAX_MATCHES 64u                 /* of one position */
static_assert(LIST_MAX_MATCHES <= UINT8_MAX, "counts are bytes");

struct zw_match_list {
	uint8_t  *counts;                        /* of each position */
	uint32_t *entries;
	uint32_t  entry_count, entry_capacity;   /* capacity is at least the number of positions */
};

ZW_INLINE unsigned zw_token_length(uint32_t token) { return (token & TOKEN_INDEX_MASK) - TOKEN_LENGTH_BIAS; }
ZW_INLINE unsigned zw_token_distance_symbol(uint32_t token) { return token >> TOKEN_LITLEN_BITS & 31; }
ZW_INLINE int zw_token_is_match(uint32_t token) { return (token & TOKEN_INDEX_MASK) >= TOKEN_LENGTH_BIAS + MATCH_MIN_BYTES; }

#endif
