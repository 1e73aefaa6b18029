/* SPDX-License-Identifier: Zlib */
/* parse_fast.c - the last FAST_SLACK_BYTES of a flush at levels 1, 2 and 3.
 * Takes: the tables of parse_fast1/2/3.c and what their loops left over.  Gives: tokens up to the end.
 * Never: lets a byte at or behind end decide. */
#include "deflate/parse_fast.h"

/* Looks ip up by the hash that its loop uses and, if its 8 bytes are all there, enters it.  Returns distance - 1 of the newest
 * in the low 16 bits and, with buckets of two, of the older one above; more than the window allows for what is too far away. */
static uint32_t look_up(struct zw_match_finder *m, const uint8_t *ip, uint64_t v, bool enter)
{
	bool      single = zw_entries_are_offsets(m);
	uint32_t *pairs = (uint32_t *)(void *)zw_fast_table(m);
	size_t    index = zw_hash_fast(v, m->head_log2, m->entry_bytes);
	uint32_t  at = zw_match_entry(m, ip), mask = single ? 0xffff : zw_match_distance_mask(m), entries;

	if (single) {
		uint16_t *entry = zw_fast_table(m) + index;

		entries = *entry * 0x10001u;
		if (enter)
			*entry = (uint16_t)at;
	} else {
		entries = enter ? zw_pairs_enter(pairs, m->head_log2, v, at, m->entry_bytes) : pairs[index];
	}
	return ((at - 1 - entries) & mask) | ((at - 1 - (entries >> 16)) & mask) << 16;
}

/* The best match at ip as a candidate number, or 0. */
static uint32_t tail_match(struct zw_match_finder *m, const uint8_t *ip, const uint8_t *end)
{
	size_t   left = (size_t)(end - ip);
	uint64_t v = zw_load_le64(ip);
	uint32_t best = 0, distances;

	if (left < HASH_MAX_BYTES)
		v &= (UINT64_C(1) << 8 * left) - 1;
	distances = look_up(m, ip, v, left >= HASH_MAX_BYTES);
	for (int i = 0; i < 2; i++, distances >>= 16) {
		uint32_t distance_less_1 = distances & 0xffff;
		const uint8_t *from = ip - 1 - distance_less_1;

		if (distance_less_1 > zw_match_distance_mask(m) || zw_load_le32(from) != (uint32_t)v)
			continue;
		best = zw_larger(best, zw_match_length(ip, from, zw_match_room(ip, end)) << 16 |
				       (CANDIDATE_NEAREST - distance_less_1));
	}
	return best;
}

const uint8_t *zw_fast_tail(struct zw_match_finder *m, struct zw_tokens *t, const uint8_t *ip, const uint8_t *end)
{
	struct zw_token_cursor out = zw_tokens_open(t);

	while (ip < end) {
		uint32_t best = 0;

		if ((size_t)(end - ip) >= FAST_MIN_BYTES)
			best = tail_match(m, ip, end);
		if (best >> 16 >= m->params.min_bytes) {
			zw_put_match(&out, best >> 16, zw_candidate_distance(best));
			ip += best >> 16;
		} else {
			zw_put_literal(&out, *ip++);
		}
	}
	zw_tokens_close(t, &out);
	return ip;
}
