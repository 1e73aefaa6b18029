/* SPDX-License-Identifier: Zlib */
/* token_put.h - how a parser appends tokens: on a local copy of the cursor, counting as it goes.
 * There is no room check: a call's room was promised by the caller (match_finder.h, PARSE_SPARE_TOKENS). */
#ifndef ZW_DEFLATE_TOKEN_PUT_H
#define ZW_DEFLATE_TOKEN_PUT_H

#include "base/check.h"
#include "deflate/tokens.h"

#include <stddef.h>
#include <stdint.h>

#define COUNTS_DIST 512u                     /* first distance counter behind the litlen counters */
static_assert(offsetof(struct zw_histogram, dist) == COUNTS_DIST * sizeof(uint16_t), "one array, one base register");

struct zw_token_cursor {
	uint32_t *next;
	uint16_t *counts;                        /* litlen counters, then distance counters */
};

ZW_INLINE struct zw_token_cursor zw_tokens_open(struct zw_tokens *t)
{
	struct zw_token_cursor c = { t->buf + t->count, (uint16_t *)(void *)&t->freq };

	return c;
}

ZW_INLINE void zw_tokens_close(struct zw_tokens *t, const struct zw_token_cursor *c)
{
	t->count = (uint32_t)(c->next - t->buf);
	ZW_ASSERT(t->count <= t->capacity);
}

ZW_INLINE void zw_put_literal(struct zw_token_cursor *c, unsigned byte)
{
	c->counts[byte]++;
	*c->next++ = zw_token_literal(byte);
}

ZW_INLINE void zw_put_pair(struct zw_token_cursor *c, unsigned first, unsigned second)
{
	c->counts[first]++;
	c->counts[second]++;
	*c->next++ = zw_token_pair(first, second);
}

ZW_INLINE void zw_put_match(struct zw_token_cursor *c, unsigned len_bytes, unsigned distance_less_1)
{
	unsigned symbol = zw_distance_symbol(distance_less_1);

	ZW_ASSERT(len_bytes >= MATCH_MIN_BYTES && len_bytes <= MATCH_MAX_BYTES);
	ZW_ASSERT(distance_less_1 < DISTANCE_MAX_BYTES);
	c->counts[TOKEN_LENGTH_BIAS + len_bytes]++;
	c->counts[COUNTS_DIST + symbol]++;
	*c->next++ = zw_token_match(len_bytes, symbol, distance_less_1);
}

/* Takes the newest token back: it must be a match. */
ZW_INLINE void zw_take_back_match(struct zw_token_cursor *c)
{
	uint32_t token = *--c->next;

	ZW_ASSERT((token & TOKEN_INDEX_MASK) >= TOKEN_LENGTH_BIAS + MATCH_MIN_BYTES);
	c->counts[token & TOKEN_INDEX_MASK]--;
	c->counts[COUNTS_DIST + (token >> TOKEN_LITLEN_BITS & ((1u << TOKEN_SECOND_BITS) - 1))]--;
}

/* The newest token, a match, loses its last by bytes; MATCH_MIN_BYTES are left. */
ZW_INLINE void zw_shorten_match(struct zw_token_cursor *c, unsigned by)
{
	uint32_t token = c->next[-1];

	ZW_ASSERT((token & TOKEN_INDEX_MASK) >= TOKEN_LENGTH_BIAS + MATCH_MIN_BYTES + by);
	c->counts[token & TOKEN_INDEX_MASK]--;
	c->counts[(token & TOKEN_INDEX_MASK) - by]++;
	c->next[-1] = token - by;
}

ZW_INLINE void zw_put_literals(struct zw_token_cursor *c, const uint8_t *from, const uint8_t *to)
{
	for (; to - from >= 2; from += 2)
		zw_put_pair(c, from[0], from[1]);
	if (from < to)
		zw_put_literal(c, *from);
}

#endif
