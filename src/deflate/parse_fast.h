/* SPDX-License-Identifier: Zlib */
/* parse_fast.h - what levels 1, 2 and 3 share: two positions per iteration, no check for room or validity in the loop. */
#ifndef ZW_DEFLATE_PARSE_FAST_H
#define ZW_DEFLATE_PARSE_FAST_H

#include "deflate/match_length.h"
#include "deflate/match_tables.h"

#define FAST_MIN_BYTES     4u                /* the candidates are verified with one 4-byte compare */
#define FAST_SLACK_BYTES  40u                /* the loops leave this much to zw_fast_tail() */

/* The furthest read of an iteration: two literals, a third look, and a hash or a compare. */
static_assert(3 + COMPARE_STEP_BYTES <= FAST_SLACK_BYTES, "nothing at or behind end decides");
static_assert(2 + MATCH_MAX_BYTES + FAST_SLACK_BYTES + HASH_MAX_BYTES <= PARSE_LOOKAHEAD_BYTES,
	      "with look-ahead a call never comes near end");
static_assert(COMPARE_STEP_BYTES <= PARSE_BACKREAD_BYTES, "zw_absorb() reads this much before window");
static_assert(FAST_SLACK_BYTES <= PARSE_SPARE_TOKENS, "the tail makes at most one token per byte");

/* Finishes [ip, end) one position at a time: levels 1..3, any shape but chains. */
const uint8_t *zw_fast_tail(struct zw_match_finder *m, struct zw_tokens *t, const uint8_t *ip, const uint8_t *end);

/* Where a loop stops: at pause, or because a match went past limit. */
struct zw_fast_range { const uint8_t *start, *stop, *end, *limit, *pause; };

/* Every loop's first step.  Returns where to go on. */
ZW_INLINE const uint8_t *zw_fast_begin(struct zw_match_finder *m, struct zw_token_cursor *out, struct zw_fast_range *r,
				       const uint8_t *ip, const uint8_t *stop, const uint8_t *end)
{
	ZW_ASSERT(ip >= m->window && ip <= stop && stop <= end);
	r->start = ip;
	r->stop = stop;
	r->end = end;
	ip = zw_parse_begin(m, out, ip, stop, end);
	r->limit = (size_t)(end - ip) > FAST_SLACK_BYTES ? end - FAST_SLACK_BYTES : ip;
	r->pause = stop < r->limit ? stop : r->limit;
	return ip;
}

/* And its last: what is left before the end of all input.  Returns where the parser stopped. */
ZW_INLINE const uint8_t *zw_fast_end(struct zw_match_finder *m, struct zw_tokens *t, const struct zw_token_cursor *out,
				     const struct zw_fast_range *r, const uint8_t *ip)
{
	zw_tokens_close(t, out);
	if (r->stop == r->end) {
		ip = zw_fast_tail(m, t, ip, r->end);
		zw_match_suspend(m, r->start, r->end);
	}
	return ip;
}

/* The longest match possible at ip. */
ZW_INLINE unsigned zw_match_room(const uint8_t *ip, const uint8_t *end)
{
	return end - ip < (ptrdiff_t)MATCH_MAX_BYTES ? (unsigned)(end - ip) : MATCH_MAX_BYTES;
}

/* Below which length a match may be absorbed by the next one.  Where matches are long it gains little size for much time. */
#define LONG_TOKEN_BYTES 14u                 /* a segment with so many bytes for each token is followed by one with ... */
#define ABSORB_SHORT COMPARE_STEP_BYTES      /* ... this instead of ... */
#define ABSORB_ALL   (MATCH_MAX_BYTES + 1)   /* ... this: levels 2 and 3 (M41) */

/* Remembers for the next segment whether matches are long in this one, of parsed_bytes. */
ZW_INLINE void zw_fast_note_lengths(struct zw_match_finder *m, const struct zw_tokens *before, const struct zw_token_cursor *out,
				    size_t parsed_bytes)
{
	size_t made = (size_t)(out->next - before->buf) - before->count;

	m->long_tokens = parsed_bytes >= made * LONG_TOKEN_BYTES;
}

/* Returns len.
 * Why:   where matches follow each other at one distance, the next place waits for the length of the last comparison.  Records have the
 *        same length again and again, which a branch can foresee: where len is guess, the place is known before it is compared (M46). */
ZW_INLINE unsigned zw_foreseen(unsigned len, unsigned guess)
{
	unsigned known = guess;

	ZW_FORGET(known);
	if (ZW_LIKELY(len == guess)) {
		len = known;
		ZW_FORGET(len);
	}
	return len;
}

#define LEFTOVER_BYTES 2u                    /* of an absorbed match: these become literals */

/* The last token is a match of before_len bytes that ends at ip.  When the match of ip at distance, of len bytes, reaches back over it, or
 * over all but LEFTOVER_BYTES, the older token is taken back.  Returns by how many bytes the match begins earlier. */
ZW_INLINE unsigned zw_absorb(struct zw_token_cursor *out, const uint8_t *ip, uint32_t distance, unsigned before_len, unsigned len,
			     const uint8_t *window)
{
	const uint8_t *from = ip - distance;
	unsigned back = zw_suffix16(ip, from);

	if (ZW_LIKELY(back + LEFTOVER_BYTES < before_len && back < COMPARE_STEP_BYTES))
		return 0;
	if (len + before_len > MATCH_MAX_BYTES || from - window <= (ptrdiff_t)before_len)
		return 0;
	while (back < before_len && ip[-1 - (int)back] == from[-1 - (int)back])
		back++;
	if (back + LEFTOVER_BYTES < before_len)
		return 0;
	if (back > before_len)
		back = before_len;
	zw_take_back_match(out);
	zw_put_literals(out, ip - before_len, ip - back);
	return back;
}

/* Level 3: a candidate as one number: length << 16 | 32767 - (distance - 1), so the maximum is the longest, then the
 * nearest. */
#define CANDIDATE_NEAREST 32767u

ZW_INLINE uint32_t zw_candidate16(const uint8_t *ip, uint32_t distance_less_1)
{
	return zw_prefix16(ip, ip - 1 - distance_less_1) << 16 | (CANDIDATE_NEAREST - distance_less_1);
}

ZW_INLINE uint32_t zw_candidate_distance(uint32_t candidate) { return CANDIDATE_NEAREST - (candidate & 0xffff); }

ZW_INLINE uint32_t zw_larger(uint32_t a, uint32_t b) { return a > b ? a : b; }

#endif
