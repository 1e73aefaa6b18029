/* SPDX-License-Identifier: Zlib */
/* parse_fast1.c - level 1: one candidate per position, two positions per iteration.
 * Takes: input, and a table of the newest position by 4 or 5 bytes.  Gives: tokens.  Then: the block coder. */
#include "deflate/parse_fast.h"

/* Entry: as zw_parse_fn, tables of SHAPE_SINGLE_HASH4 or, when five, SHAPE_SINGLE_HASH5.
 * Why:   a match at ip + 1 is taken when it is strictly longer, compared over 16 bytes.  Two branches, one per position:
 *        selects lengthen the chain from load to next ip, one joint branch predicts worse. */
ZW_INLINE const uint8_t *parse_fast1_body(struct zw_match_finder *m, struct zw_tokens *t, const uint8_t *ip,
					  const uint8_t *stop, const uint8_t *end, const bool five)
{
	struct zw_token_cursor out = zw_tokens_open(t);
	uint16_t *const table = zw_fast_table(m);
	const unsigned log2 = m->head_log2;
	const size_t mask = zw_match_distance_mask(m);
	const uint8_t *start = ip, *limit, *pause;
	uint32_t position;

	ip = zw_parse_begin(m, &out, ip, stop, end);
	limit = zw_fast_limit(ip, end);
	pause = stop < limit ? stop : limit;
	position = zw_match_position(m, ip);
	while (ip < pause) {
		uint64_t v = zw_load_le64(ip), w = zw_load_le64(ip + 1);
		uint32_t h0 = zw_hash_fast(v, log2, five), h1 = zw_hash_fast(w, log2, five);
		size_t d0 = (position - 1 - table[h0]) & mask, d1, d = d0;
		const uint8_t *from0 = ip - 1 - d0, *from1;
		unsigned len = 0;
		bool second;

		table[h0] = (uint16_t)position;
		d1 = (position - table[h1]) & mask;
		table[h1] = (uint16_t)(position + 1);
		from1 = ip - d1;
		ZW_ASSERT(from0 >= m->window && from1 >= m->window);
		if (zw_load_le32(from0) == (uint32_t)v) {
			len = zw_prefix16(ip, from0);
			second = zw_prefix16(ip + 1, from1) > len;
		} else if (zw_load_le32(from1) == (uint32_t)w) {
			second = true;
		} else {
			zw_put_pair(&out, (uint8_t)v, (uint8_t)w);
			ip += 2;
			position += 2;
			continue;
		}
		if (second) {
			zw_put_literal(&out, (uint8_t)v);
			ip++;
			position++;
			d = d1;
			len = zw_prefix16(ip, from1);
		}
		if (ZW_UNLIKELY(len == COMPARE_STEP_BYTES))
			len = zw_match_extend(ip, ip - 1 - d, COMPARE_STEP_BYTES, zw_match_room(ip, end));
		table[zw_hash_fast(zw_load_le64(ip + 2), log2, five)] = (uint16_t)(position + 2);
		zw_put_match(&out, len, (unsigned)d);
		ip += len;
		position += len;
		if (ZW_UNLIKELY(ip > limit))
			break;
		table[zw_hash_fast(zw_load_le64(ip - 1), log2, five)] = (uint16_t)(position - 1);
	}
	zw_tokens_close(t, &out);
	if (stop == end) {
		ip = zw_fast_tail(m, t, ip, end);
		zw_match_suspend(m, start, end);
	}
	return ip;
}

const uint8_t *zw_parse_fast1_hash4(struct zw_match_finder *m, struct zw_tokens *t, const uint8_t *ip, const uint8_t *stop,
				    const uint8_t *end)
{
	return parse_fast1_body(m, t, ip, stop, end, false);
}

const uint8_t *zw_parse_fast1_hash5(struct zw_match_finder *m, struct zw_tokens *t, const uint8_t *ip, const uint8_t *stop,
				    const uint8_t *end)
{
	return parse_fast1_body(m, t, ip, stop, end, true);
}

#if ZW_ARCH_X86
ZW_TARGET("avx2,bmi,bmi2,lzcnt")
const uint8_t *zw_parse_fast1_hash4_wide(struct zw_match_finder *m, struct zw_tokens *t, const uint8_t *ip,
					 const uint8_t *stop, const uint8_t *end)
{
	return parse_fast1_body(m, t, ip, stop, end, false);
}

ZW_TARGET("avx2,bmi,bmi2,lzcnt")
const uint8_t *zw_parse_fast1_hash5_wide(struct zw_match_finder *m, struct zw_tokens *t, const uint8_t *ip,
					 const uint8_t *stop, const uint8_t *end)
{
	return parse_fast1_body(m, t, ip, stop, end, true);
}
#endif
