/* SPDX-License-Identifier: Zlib */
/* parse_lazy.h - the search of levels 4..9 and what it decides on one match.  parse_lazy.c is the loop around it.
 *
 * A first, shallow search gives [at, at + len).  Whatever is better and starts at at, at + 1 or at + 2 contains the 4 bytes
 * that end with the first mismatch, at + len - 3 .. at + len.  So one walk along the chain of those 4 bytes, comparing
 * forwards and backwards, meets every such match and gives its length and its start: it replaces deeper searches at three
 * positions, on a chain that is more selective than any of theirs.  It is repeated until nothing is gained. */
#ifndef ZW_DEFLATE_PARSE_LAZY_H
#define ZW_DEFLATE_PARSE_LAZY_H

#include "deflate/match_length.h"
#include "deflate/match_tables.h"

#define LAZY_MAX_START     2                 /* a better match starts at most this far behind the first one */
#define LAZY_MAX_SHIFT    32                 /* and after all repetitions this far */
#define LONG_MATCH_BYTES  64u                /* what is better than this seldom is by much: a shorter walk (M10) */
#define LONG_WALK_DEPTH   16u                /* which is a fourth of a walk longer than this */
#define GAIN_PER_BYTE      4                 /* one byte more is worth four halvings of the distance */
#define LEFTOVER_MAX_BYTES 2u                /* of an absorbed match: these become literals */

/* The furthest read: a match that starts LAZY_MAX_SHIFT late, and a compare of 8 bytes at its end. */
static_assert(LAZY_MAX_SHIFT + LAZY_MAX_START + MATCH_MAX_BYTES + COMPARE_STEP_BYTES <= PARSE_LOOKAHEAD_BYTES,
	      "with look-ahead a call never comes near end");
static_assert(COMPARE_STEP_BYTES <= PARSE_BACKREAD_BYTES, "backward compares read this much before window");

/* For tests that count work; nothing otherwise. */
#ifndef ZW_COUNT_CANDIDATE
#define ZW_COUNT_CANDIDATE() ((void)0)
#endif

struct lazy_match {
	const uint8_t *at;
	uint32_t position;                       /* of at */
	unsigned len;                            /* bytes; 0: none */
	uint32_t distance;
};

/* What does not change during a call. */
struct lazy {
	struct zw_chains chains;
	const uint8_t *window, *end;
	uint32_t window_bytes;                   /* largest distance */
	unsigned min_bytes, nice_bytes, first_depth, joint_depth, joint_again_depth;
	unsigned joint_long_depth;               /* of a walk that starts from a match of LONG_MATCH_BYTES or more */
	uint32_t reach3, reach4;                 /* largest distances of matches of 3 and 4 bytes */
};

ZW_INLINE unsigned smaller(size_t a, unsigned b) { return a < b ? (unsigned)a : b; }

/* The longest of depth candidates from candidate on that has at least min_bytes; the nearest of equals.
 * A chain ends where the distance stops growing or leaves the window: so stale links end it. */
ZW_INLINE struct lazy_match search_first(const struct lazy *z, const uint8_t *ip, uint32_t position, uint32_t candidate)
{
	struct lazy_match best = { ip, position, 0, 0 };
	const unsigned room = smaller((size_t)(z->end - ip), MATCH_MAX_BYTES);
	const unsigned enough = smaller(z->nice_bytes, room);
	unsigned beyond = z->min_bytes - 1, depth = z->first_depth;
	uint32_t first4 = zw_load_le32(ip), last4 = zw_load_le32(ip + beyond - 3), walked = 0;

	do {
		uint32_t distance = (uint16_t)(position - candidate);
		const uint8_t *from = ip - distance;

		if (distance - walked - 1 >= z->window_bytes - walked)
			break;
		ZW_ASSERT(from >= z->window);
		ZW_COUNT_CANDIDATE();
		candidate = z->chains.prev[candidate & z->chains.mask];
		walked = distance;
		if (zw_load_le32(from + beyond - 3) == last4 && zw_load_le32(from) == first4) {
			unsigned len = zw_match_length(ip, from, room);

			if (len > beyond) {
				beyond = len;
				best.len = len;
				best.distance = distance;
				if (len >= enough)
					break;
				last4 = zw_load_le32(ip + len - 3);
			}
		}
	} while (--depth);
	return best;
}

/* A 3-byte match at ip, when its newest place is near. */
ZW_INLINE struct lazy_match search_short(const struct lazy *z, const uint8_t *ip, uint32_t position, uint32_t newest)
{
	struct lazy_match found = { ip, position, 0, (uint16_t)(position - newest) };

	if (found.distance - 1 < z->reach3 && !((zw_load_le32(ip) ^ zw_load_le32(ip - found.distance)) << 8))
		found.len = MATCH_MIN_BYTES;
	return found;
}

/* How far the match of key with from reaches back: 16 bytes at most, or to key - offset when all 16 are equal. */
ZW_INLINE unsigned match_backwards(const struct lazy *z, const uint8_t *key, const uint8_t *from, unsigned offset)
{
	unsigned back = zw_suffix16(key, from);

	if (back == COMPARE_STEP_BYTES)
		while (back < offset && (ptrdiff_t)back < from - z->window && key[-1 - (int)back] == from[-1 - (int)back])
			back++;
	if (ZW_UNLIKELY((ptrdiff_t)back > from - z->window))
		back = (unsigned)(from - z->window);
	return back;
}

/* One walk over the chain of the 4 bytes at m->at + offset: replaces *m by the best of depth candidates and returns true
 * when one is better.  pending: literals before m->at that a match may swallow. */
ZW_INLINE bool walk_joint(const struct lazy *z, struct lazy_match *m, unsigned offset, unsigned depth, int pending)
{
	const uint8_t *key = m->at + offset;
	const uint32_t key4 = zw_load_le32(key), position = m->position + offset;
	const unsigned room = smaller((size_t)(z->end - key), MATCH_MAX_BYTES - offset);
	const int from_distance = (int)zw_highest_bit32(m->distance);
	uint32_t candidate = z->chains.head[zw_hash4(key4, z->chains.head_log2)], walked = 0;
	uint32_t best_len = 0, best_distance = 0;
	int best_start = 0, best_gain = 0;

	do {
		uint32_t distance = (uint16_t)(position - candidate);
		const uint8_t *from = key - distance;
		unsigned back, len;
		int start, extra = 0, gain;

		if (distance - walked - 1 >= z->window_bytes - walked)
			break;
		ZW_ASSERT(from >= z->window);
		ZW_COUNT_CANDIDATE();
		candidate = z->chains.prev[candidate & z->chains.mask];
		walked = distance;
		if (zw_load_le32(from) != key4)
			continue;
		back = match_backwards(z, key, from, offset);
		start = (int)offset - (int)back;
		if (start > LAZY_MAX_START)
			continue;
		if (start < 0) {
			extra = -start < pending ? -start : pending;
			start = 0;
		}
		len = zw_match_length(key, from, room) + offset - (unsigned)start;
		gain = GAIN_PER_BYTE * ((int)len - (int)m->len + extra) + from_distance - (int)zw_highest_bit32(distance);
		gain -= start ? 4 * start - 2 : 0;
		if (gain > best_gain && len >= z->min_bytes) {
			best_gain = gain;
			best_start = start;
			best_len = len;
			best_distance = distance;
			if (len >= z->nice_bytes)
				break;
		}
	} while (--depth);
	if (!best_gain)
		return false;
	m->at += best_start;
	m->position += (uint32_t)best_start;
	m->len = best_len;
	m->distance = best_distance;
	return true;
}

/* Makes *m better as long as a walk gains.  literals: the first pending byte. */
ZW_INLINE void improve_match(const struct lazy *z, struct lazy_match *m, const uint8_t *literals)
{
	const uint8_t *last_start = m->at + LAZY_MAX_SHIFT;
	unsigned again = 0;                      /* offset of a second walk: the next 4 bytes */

	while (m->len < z->nice_bytes && m->at <= last_start) {
		unsigned offset = again ? again : m->len == MATCH_MIN_BYTES ? 1 : m->len - 3;
		unsigned depth = again ? z->joint_again_depth : m->len >= LONG_MATCH_BYTES ? z->joint_long_depth : z->joint_depth;

		if (z->end - m->at < (ptrdiff_t)(offset + CHAIN_HASH_BYTES))
			break;
		if (walk_joint(z, m, offset, depth, (int)(m->at - literals))) {
			again = 0;
			continue;
		}
		if (!z->joint_again_depth || offset >= LAZY_MAX_START)
			break;
		again = offset + 1;              /* a short match: what it would have to contain is common */
	}
}

/* Moves the start of *m back over pending literals. */
ZW_INLINE void extend_backwards(const struct lazy *z, struct lazy_match *m, const uint8_t *literals)
{
	const uint8_t *from = m->at - m->distance;

	while (m->at > literals && from > z->window && m->len < MATCH_MAX_BYTES && m->at[-1] == from[-1]) {
		m->at--;
		from--;
		m->len++;
	}
}

/* The match before *m, of before_len bytes, ends where *m starts: when *m reaches back over it, or all but
 * LEFTOVER_MAX_BYTES of it, the older token is taken back.  Returns the first pending literal. */
ZW_INLINE const uint8_t *absorb_previous(const struct lazy *z, struct zw_token_cursor *out, struct lazy_match *m,
					 unsigned before_len)
{
	const uint8_t *at = m->at, *from = at - m->distance;
	unsigned back = 0;

	if (zw_load_le32(at - 4) != zw_load_le32(from - 4) || m->len + before_len > MATCH_MAX_BYTES)
		return at;
	if (from - z->window <= (ptrdiff_t)before_len)
		return at;
	while (back < before_len && at[-1 - (int)back] == from[-1 - (int)back])
		back++;
	if (back + LEFTOVER_MAX_BYTES < before_len)
		return at;
	zw_take_back_match(out);
	m->at = at - back;
	m->len += back;
	return at - before_len;
}

#endif
