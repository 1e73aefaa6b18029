/* SPDX-License-Identifier: Zlib */
/* parse_lazy.h - the search of levels 5..9 and what levels 4..9 decide on one match.  parse_lazy.c and parse_pairs.c are the
 * loops around it.
 *
 * A first, shallow search gives [at, at + len).  Whatever is better and starts at at, at + 1 or at + 2 contains the 4 bytes
 * that end with the first mismatch, at + len - 3 .. at + len.  So one walk along the chain of those 4 bytes, comparing
 * forwards and backwards, meets every such match and gives its length and its start: it replaces deeper searches at three
 * positions, on a chain that is more selective than any of theirs.  It is repeated until nothing is gained. */
#ifndef ZW_DEFLATE_PARSE_LAZY_H
#define ZW_DEFLATE_PARSE_LAZY_H

#include "deflate/lazy_match.h"

/* What does not change during a call. */
struct lazy {
	struct zw_chains chains;
	const uint8_t *window, *end;
	uint32_t window_bytes;                   /* largest distance */
	unsigned min_bytes, nice_bytes, first_depth, joint_depth, joint_again_depth;
	ptrdiff_t dense_bytes;                   /* a longer match is entered sparsely, */
	int sparse_step;                         /* every so many positions */
	unsigned run_bytes;                      /* what goes on at the last distance for so long is taken unseen */
	int run_step;                            /* and so many positions apart entered */
	unsigned short_depth;                    /* of a walk that starts from a match of less than SHORT_WALK_BYTES */
	unsigned joint_long_depth;               /* of one that starts from a match of long_bytes or more */
	unsigned long_bytes;
	bool move_boundaries;
	uint32_t reach4;                         /* largest distance of a match of 4 bytes */
};

/* Whether one of the two newest candidates of ip shares its 4 bytes v, for a search that looks at no more: most share none,
 * and asking both at once spares branches that nobody foresees (3 % of level 5's time, M33).  A stale link leads somewhere
 * into the window; content decides. */
ZW_INLINE bool any_of_two_shares(const struct lazy *z, const uint8_t *ip, uint32_t v, uint32_t position, uint32_t candidate)
{
	const uint32_t mask = z->chains.mask, older = z->chains.prev[candidate & mask];

	ZW_COUNT_CANDIDATE();
	ZW_COUNT_CANDIDATE();
	return ((unsigned)(zw_load_le32(ip - 1 - ((position - 1 - candidate) & mask)) == v) |
		(unsigned)(zw_load_le32(ip - 1 - ((position - 1 - older) & mask)) == v)) != 0;
}

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

			if (len > beyond && (!best.len || GAIN_PER_BYTE * (len - beyond) + zw_highest_bit32(best.distance) >
					     zw_highest_bit32(distance))) {
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

/* One walk over the chain of the 4 bytes at m->at + offset: replaces *m by the best of depth candidates and returns what was
 * left of depth at it; 0 when none is better.  pending: literals before m->at that a match may swallow. */
ZW_INLINE unsigned walk_joint(const struct lazy *z, struct lazy_match *m, unsigned offset, unsigned depth, int pending)
{
	const uint8_t *key = m->at + offset;
	const uint32_t key4 = zw_load_le32(key), position = m->position + offset;
	const unsigned room = smaller((size_t)(z->end - key), MATCH_MAX_BYTES - offset);
	const int from_distance = (int)zw_highest_bit32(m->distance);
	uint32_t candidate = z->chains.head[zw_hash4(key4, z->chains.head_log2)], walked = 0;
	uint32_t best_len = 0, best_distance = 0;
	unsigned best_left = 0;
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
		back = match_backwards(z->window, key, from, offset);
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
			best_left = depth;
			if (len >= z->nice_bytes)
				break;
		}
	} while (--depth);
	if (!best_gain)
		return 0;
	m->at += best_start;
	m->position += (uint32_t)best_start;
	m->len = best_len;
	if (best_start && best_len + (uint32_t)best_start == MATCH_MAX_BYTES) /* was cut because it starts late */
		m->len = zw_match_length(m->at, m->at - best_distance, smaller((size_t)(z->end - m->at), MATCH_MAX_BYTES));
	m->distance = best_distance;
	return best_left;
}

#define RUN_KEY_MAX_OFFSET (MATCH_MAX_BYTES - 64u) /* room for the end of a run behind it */

/* The offset of the key of a walk that would begin at offset.  Four equal bytes, as in white space, are found too often: what
 * is better contains the end of their run, too, or ends within it. */
ZW_INLINE unsigned behind_run(const uint8_t *at, unsigned offset, const uint8_t *end)
{
	const uint8_t *key = at + offset;
	const uint32_t v = zw_load_le32(key);
	unsigned more;

	if (ZW_LIKELY(v != (v << 8 | (v & 0xff))) || end - key <= (ptrdiff_t)CHAIN_HASH_BYTES || offset > RUN_KEY_MAX_OFFSET)
		return offset;
	more = zw_match_length(key + 1, key, smaller((size_t)(end - key - 1), MATCH_MAX_BYTES - CHAIN_HASH_BYTES - offset));
	ZW_ASSERT(more >= 3);                    /* four equal bytes */
	ZW_ASSERT(offset + more - 2 + CHAIN_HASH_BYTES <= MATCH_MAX_BYTES);
	return offset + more - 2;
}

/* Makes *m better as long as a walk gains.  literals: the first pending byte. */
ZW_INLINE void improve_match(const struct lazy *z, struct lazy_match *m, const uint8_t *literals, struct lazy_yield *yield)
{
	const uint8_t *last_start = m->at + LAZY_MAX_SHIFT;
	unsigned again = 0;                      /* offset of a second walk: the next 4 bytes */

	while (m->len < z->nice_bytes && m->at <= last_start) {
		unsigned offset = again ? again : m->len - 3;
		unsigned depth = again ? z->joint_again_depth : z->short_depth, len = m->len, left;

		if (len >= SHORT_WALK_BYTES)
			depth = len >= z->long_bytes ? z->joint_long_depth : z->joint_depth;
		offset = behind_run(m->at, offset, z->end);
		if (z->end - m->at < (ptrdiff_t)(offset + CHAIN_HASH_BYTES))
			break;
		yield->walks++;
		left = walk_joint(z, m, offset, depth, (int)(m->at - literals));
		if (left) {
			yield->gains++;
			if (left + LATE_CANDIDATES <= depth)
				zw_yield_late(yield, (int)m->len - (int)len);
			again = 0;
			continue;
		}
		if (!z->joint_again_depth || offset >= LAZY_MAX_START)
			break;
		again = offset + 1;              /* a short match: what it would have to contain is common */
	}
}

#endif
