/* SPDX-License-Identifier: Zlib */
/* parse_fast2.c - level 2, and level 1 on small inputs: two candidates per position, up to three positions compared.
 * Takes: input, and a table of the two newest positions by 4 or 5 bytes.  Gives: tokens.  Then: the block coder. */
#include "deflate/parse_fast.h"

#define STEP_ON_BYTES 16u                    /* a shorter match is compared with the one at the next position */

/* distance - 1 of the newer (shift 0) or older (shift 16) entry of a bucket. */
ZW_INLINE uint32_t bucket_distance(uint32_t position, uint32_t entries, unsigned shift, uint32_t mask)
{
	return (position - 1 - (entries >> shift)) & mask;
}

/* Entry: as zw_parse_fn, tables of SHAPE_PAIRS_HASH4 or, when five, SHAPE_PAIRS_HASH5. */
ZW_INLINE const uint8_t *parse_fast2_body(struct zw_match_finder *m, struct zw_tokens *t, const uint8_t *ip,
					  const uint8_t *stop, const uint8_t *end, const bool five)
{
	struct zw_token_cursor out = zw_tokens_open(t);
	uint32_t *const pairs = (uint32_t *)(void *)zw_fast_table(m);
	const unsigned log2 = m->head_log2;
	const uint32_t mask = zw_match_distance_mask(m);
	const uint8_t *start = ip, *limit, *pause;
	uint32_t position;

	ip = zw_parse_begin(m, &out, ip, stop, end);
	limit = zw_fast_limit(ip, end);
	pause = stop < limit ? stop : limit;
	position = zw_match_position(m, ip);
	while (ip < pause) {
		uint64_t v = zw_load_le64(ip), w = zw_load_le64(ip + 1);
		uint32_t bucket0 = zw_pairs_enter(pairs, log2, v, position, five);
		uint32_t bucket1 = zw_pairs_enter(pairs, log2, w, position + 1, five);
		uint32_t d0 = bucket_distance(position, bucket0, 0, mask), e0 = bucket_distance(position, bucket0, 16, mask);
		uint32_t d1 = bucket_distance(position + 1, bucket1, 0, mask);
		uint32_t e1 = bucket_distance(position + 1, bucket1, 16, mask);
		uint32_t best = 0, next;
		unsigned len;

		ZW_ASSERT(ip - 1 - d0 >= m->window && ip - 1 - e0 >= m->window && ip - d1 >= m->window && ip - e1 >= m->window);

		if (zw_load_le32(ip - 1 - d0) == (uint32_t)v || zw_load_le32(ip - 1 - e0) == (uint32_t)v) {
			best = zw_larger(zw_candidate16(ip, d0), zw_candidate16(ip, e0));
			next = zw_larger(zw_candidate16(ip + 1, d1), zw_candidate16(ip + 1, e1));
		} else if (zw_load_le32(ip - d1) == (uint32_t)w || zw_load_le32(ip - e1) == (uint32_t)w) {
			next = zw_larger(zw_candidate16(ip + 1, d1), zw_candidate16(ip + 1, e1));
		} else {
			zw_put_pair(&out, (uint8_t)v, (uint8_t)w);
			ip += 2;
			position += 2;
			continue;
		}
		if (next >> 16 > best >> 16) {
			zw_put_literal(&out, (uint8_t)v);
			ip++;
			position++;
			best = next;
			if (best >> 16 < STEP_ON_BYTES) {
				uint32_t bucket = zw_pairs_enter(pairs, log2, zw_load_le64(ip + 1), position + 1, five);

				next = zw_larger(
					zw_candidate16(ip + 1, bucket_distance(position + 1, bucket, 0, mask)),
					zw_candidate16(ip + 1, bucket_distance(position + 1, bucket, 16, mask)));
				if (next >> 16 > best >> 16) {
					zw_put_literal(&out, *ip++);
					position++;
					best = next;
				}
			}
		}
		len = best >> 16;
		if (ZW_UNLIKELY(len == COMPARE_STEP_BYTES))
			len = zw_match_extend(ip, ip - 1 - zw_candidate_distance(best), COMPARE_STEP_BYTES,
					      zw_match_room(ip, end));
		zw_put_match(&out, len, zw_candidate_distance(best));
		zw_pairs_enter(pairs, log2, zw_load_le64(ip + 2), position + 2, five);
		ip += len;
		position += len;
		if (ZW_UNLIKELY(ip > limit))
			break;
		zw_pairs_enter(pairs, log2, zw_load_le64(ip - 3), position - 3, five);
		zw_pairs_enter(pairs, log2, zw_load_le64(ip - 2), position - 2, five);
		zw_pairs_enter(pairs, log2, zw_load_le64(ip - 1), position - 1, five);
	}
	zw_tokens_close(t, &out);
	if (stop == end) {
		ip = zw_fast_tail(m, t, ip, end);
		zw_match_suspend(m, start, end);
	}
	return ip;
}

const uint8_t *zw_parse_fast2_hash4(struct zw_match_finder *m, struct zw_tokens *t, const uint8_t *ip, const uint8_t *stop,
				    const uint8_t *end)
{
	return parse_fast2_body(m, t, ip, stop, end, false);
}

const uint8_t *zw_parse_fast2_hash5(struct zw_match_finder *m, struct zw_tokens *t, const uint8_t *ip, const uint8_t *stop,
				    const uint8_t *end)
{
	return parse_fast2_body(m, t, ip, stop, end, true);
}

#if ZW_ARCH_X86
ZW_TARGET("avx2,bmi,bmi2,lzcnt")
const uint8_t *zw_parse_fast2_hash4_wide(struct zw_match_finder *m, struct zw_tokens *t, const uint8_t *ip,
					 const uint8_t *stop, const uint8_t *end)
{
	return parse_fast2_body(m, t, ip, stop, end, false);
}

ZW_TARGET("avx2,bmi,bmi2,lzcnt")
const uint8_t *zw_parse_fast2_hash5_wide(struct zw_match_finder *m, struct zw_tokens *t, const uint8_t *ip,
					 const uint8_t *stop, const uint8_t *end)
{
	return parse_fast2_body(m, t, ip, stop, end, true);
}
#endif
