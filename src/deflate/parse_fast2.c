/* SPDX-License-Identifier: Zlib */
/* parse_fast2.c - level 2: two candidates at one position and one at the next.
 * Takes: input, and a table of the two newest positions by 4 or 5 bytes.  Gives: tokens.  Then: the block coder. */
#include "deflate/parse_long.h"

/* A candidate as one number: length << 16 | entry, so the maximum is the longest, then the nearest. */
ZW_INLINE uint32_t candidate_of(const uint8_t *window, size_t offset, size_t entry, uint64_t differing)
{
	return zw_prefix16_from(differing, window + offset, window + entry) << 16 | (uint32_t)entry;
}

/* Entry: as zw_parse_fn, tables of SHAPE_PAIRS_HASH4 or, when five, SHAPE_PAIRS_HASH5.
 * Why:   level 1's loop, with the better of two candidates at offset; at offset + 1 the older one would cost 9 % of the time
 *        for 2 % of the size (M13). */
ZW_INLINE void loop2_body(struct zw_fast_loop *l, const bool five)
{
	struct zw_token_cursor out = l->out;
	uint32_t *const pairs = l->table;
	const uint8_t *const window = l->window;
	const unsigned log2 = l->log2;
	const size_t mask = l->distance_mask, pause = l->pause, end = (size_t)(l->end - window);
	size_t i = l->at;

	l->long_bytes = 0;
	while (i < pause) {
		uint64_t v = zw_load_le64(window + i), w = zw_load_le64(window + i + 1), x, x_older, y;
		uint32_t bucket = zw_pairs_enter(pairs, log2, v, (uint32_t)i, five), best;
		size_t newer = bucket & 0xffff, older = bucket >> 16, entry, entry1;
		unsigned len, len1;

		entry1 = zw_pairs_enter(pairs, log2, w, (uint32_t)i + 1, five) & 0xffff;
		ZW_ASSERT(newer < i && older < i && entry1 <= i);
		x = zw_load_le64(window + newer) ^ v;
		x_older = zw_load_le64(window + older) ^ v;
		y = zw_load_le64(window + entry1) ^ w;
		ZW_FORGET(newer);
		ZW_FORGET(older);
		ZW_FORGET(entry1);
		ZW_FORGET(i);
		if (!(uint32_t)x || !(uint32_t)x_older) {
			best = zw_larger(candidate_of(window, i, newer, x), candidate_of(window, i, older, x_older));
			len = best >> 16;
			entry = best & 0xffff;
			len1 = zw_prefix16_from(y, window + i + 1, window + entry1);
			if (len1 > len)
				goto second;
			if (ZW_UNLIKELY(i - 1 - entry > mask))
				goto neither;
		} else if (!(uint32_t)y) {
			len1 = zw_prefix16_from(y, window + i + 1, window + entry1);
second:
			if (ZW_UNLIKELY(i - entry1 > mask))
				goto neither;
			zw_put_literal(&out, (uint8_t)v);
			i++;
			entry = entry1;
			len = len1;
		} else {
neither:
			zw_put_pair(&out, (uint8_t)v, (uint8_t)w);
			i += 2;
			continue;
		}
		if (ZW_UNLIKELY(len == COMPARE_STEP_BYTES)) {
			len = zw_compare_on(window + i, window + entry);
			if (ZW_UNLIKELY(len == LONG_MATCH_BYTES)) {
				l->from = entry;
				l->long_bytes = len;
				break;
			}
			if (ZW_UNLIKELY(len > end - i))
				len = (unsigned)(end - i);
		}
		zw_pairs_enter(pairs, log2, zw_load_le64(window + i + 2), (uint32_t)i + 2, five);
		zw_put_match(&out, len, (unsigned)(i - 1 - entry));
		i += len;
		if (ZW_UNLIKELY(i >= pause))
			break;
		zw_pairs_enter(pairs, log2, zw_load_le64(window + i - 1), (uint32_t)i - 1, five);
	}
	l->at = i;
	l->out = out;
}

static ZW_NOINLINE void loop2_hash4(struct zw_fast_loop *l) { loop2_body(l, false); }
static ZW_NOINLINE void loop2_hash5(struct zw_fast_loop *l) { loop2_body(l, true); }
#if ZW_ARCH_X86
ZW_TARGET("avx2,bmi,bmi2,lzcnt")
static ZW_NOINLINE void loop2_hash4_wide(struct zw_fast_loop *l) { loop2_body(l, false); }
ZW_TARGET("avx2,bmi,bmi2,lzcnt")
static ZW_NOINLINE void loop2_hash5_wide(struct zw_fast_loop *l) { loop2_body(l, true); }
#endif

/* Entry: as zw_parse_fn, tables of SHAPE_PAIRS_HASH4 or, when five, SHAPE_PAIRS_HASH5. */
ZW_INLINE const uint8_t *parse_fast2_body(struct zw_match_finder *m, struct zw_tokens *t, const uint8_t *ip, const uint8_t *stop,
					  const uint8_t *end, void (*loop)(struct zw_fast_loop *l), const bool five)
{
	struct zw_fast_loop l = { .window = m->window, .end = end, .table = zw_fast_table(m), .log2 = m->head_log2,
				  .distance_mask = zw_match_distance_mask(m), .out = zw_tokens_open(t) };
	struct zw_fast_range range;

	l.at = (size_t)(zw_fast_begin(m, &l.out, &range, ip, stop, end) - l.window);
	l.pause = (size_t)(range.pause - l.window);
	for (loop(&l); l.long_bytes; loop(&l))
		zw_take_long(&l, true, five);
	return zw_fast_end(m, t, &l.out, &range, l.window + l.at);
}

const uint8_t *zw_parse_fast2_hash4(struct zw_match_finder *m, struct zw_tokens *t, const uint8_t *ip, const uint8_t *stop,
				    const uint8_t *end)
{
	return parse_fast2_body(m, t, ip, stop, end, loop2_hash4, false);
}

const uint8_t *zw_parse_fast2_hash5(struct zw_match_finder *m, struct zw_tokens *t, const uint8_t *ip, const uint8_t *stop,
				    const uint8_t *end)
{
	return parse_fast2_body(m, t, ip, stop, end, loop2_hash5, true);
}

#if ZW_ARCH_X86
const uint8_t *zw_parse_fast2_hash4_wide(struct zw_match_finder *m, struct zw_tokens *t, const uint8_t *ip,
					 const uint8_t *stop, const uint8_t *end)
{
	return parse_fast2_body(m, t, ip, stop, end, loop2_hash4_wide, false);
}

const uint8_t *zw_parse_fast2_hash5_wide(struct zw_match_finder *m, struct zw_tokens *t, const uint8_t *ip,
					 const uint8_t *stop, const uint8_t *end)
{
	return parse_fast2_body(m, t, ip, stop, end, loop2_hash5_wide, true);
}
#endif
