/* SPDX-License-Identifier: Zlib */
/* parse_fast3.c - level 3: three candidates per position, two by 4 bytes and one by 8 bytes.
 * Takes: input, the buckets of level 2, and a table of the newest position by 8 bytes.  Gives: tokens.  Then: the block coder. */
#include "deflate/parse_fast.h"

#define TAKE_BYTES         8u                /* a match this long is taken without a look at the next position */
#define STEP_ON_BYTES      8u                /* a shorter one at the second position is compared with the third */
#define SOME_INNER_BYTES  10u                /* inner positions of a match that enter the long table: the first ones ... */
#define LONG_STEP          2u                /* ... then every second, as lookups go by two neighbours; ... */
#define FEW_FROM_BYTES    64u                /* ... of a match longer than this ... */
#define FEW_FIRST_BYTES    8u                /* ... only these ... */
#define FEW_STEP           8u                /* ... and every eighth: repeats are found by what comes behind them, too (M13) */

struct fast3 {
	uint32_t *pairs;
	uint16_t *longs;
	unsigned  log2, long_log2;
	uint32_t  mask;
};

ZW_INLINE void enter_long(const struct fast3 *f, const uint8_t *p, uint32_t position)
{
	f->longs[zw_hash8(zw_load_le64(p), f->long_log2)] = (uint16_t)position;
}

/* The best of three at ip, whose bytes are v, and enters it; 0 when none shares 4 bytes. */
ZW_INLINE uint32_t best_of_three(const struct fast3 *f, const uint8_t *ip, uint64_t v, uint32_t position, const uint8_t *end)
{
	uint16_t *newest = f->longs + zw_hash8(v, f->long_log2);
	uint32_t  far_entry = *newest, entries;
	uint32_t  d, d0, d1, c, c0, c1, best;

	*newest = (uint16_t)position;
	entries = zw_pairs_enter(f->pairs, f->log2, v, position, false);
	d = (position - 1 - far_entry) & f->mask;
	d0 = (position - 1 - entries) & f->mask;
	d1 = (position - 1 - (entries >> 16)) & f->mask;
	if (zw_load_le32(ip - 1 - d) != (uint32_t)v && zw_load_le32(ip - 1 - d0) != (uint32_t)v &&
	    zw_load_le32(ip - 1 - d1) != (uint32_t)v)
		return 0;
	c = zw_candidate16(ip, d);
	c0 = zw_candidate16(ip, d0);
	c1 = zw_candidate16(ip, d1);
	best = zw_larger(c, zw_larger(c0, c1));
	if (ZW_UNLIKELY(best >= COMPARE_STEP_BYTES << 16)) {    /* several may share 16 bytes: lengthen each */
		unsigned room = zw_match_room(ip, end);

		best = 0;
		if (c >= COMPARE_STEP_BYTES << 16)
			best = zw_match_extend(ip, ip - 1 - d, COMPARE_STEP_BYTES, room) << 16 | (c & 0xffff);
		if (c0 >= COMPARE_STEP_BYTES << 16 && d0 != d)
			best = zw_larger(best, zw_match_extend(ip, ip - 1 - d0, COMPARE_STEP_BYTES, room) << 16 | (c0 & 0xffff));
		if (c1 >= COMPARE_STEP_BYTES << 16 && d1 != d)
			best = zw_larger(best, zw_match_extend(ip, ip - 1 - d1, COMPARE_STEP_BYTES, room) << 16 | (c1 & 0xffff));
	}
	return best;
}

/* Enters of ip + from .. ip + len - 1 into the long table what the numbers above say; the last three are the caller's. */
ZW_INLINE void enter_inner(const struct fast3 *f, const uint8_t *ip, uint32_t position, unsigned from, unsigned len)
{
	unsigned o = from, all = len < SOME_INNER_BYTES ? len : SOME_INNER_BYTES, step = LONG_STEP;

	if (len > FEW_FROM_BYTES) {
		all = FEW_FIRST_BYTES;
		step = FEW_STEP;
	}
	for (; o + 3 < all; o += 4) {
		enter_long(f, ip + o, position + o);
		enter_long(f, ip + o + 1, position + o + 1);
		enter_long(f, ip + o + 2, position + o + 2);
		enter_long(f, ip + o + 3, position + o + 3);
	}
	for (; o + 2 * step < len; o += 2 * step) {
		enter_long(f, ip + o, position + o);
		enter_long(f, ip + o + step, position + o + step);
	}
}

/* Entry: as zw_parse_fn, tables of SHAPE_PAIRS_LONG. */
ZW_INLINE const uint8_t *parse_fast3_body(struct zw_match_finder *m, struct zw_tokens *t, const uint8_t *ip,
					  const uint8_t *stop, const uint8_t *end)
{
	struct zw_token_cursor out = zw_tokens_open(t);
	const struct fast3 f = { (uint32_t *)(void *)zw_fast_table(m), zw_long_table(m), m->head_log2, m->second_log2,
				 zw_match_distance_mask(m) };
	struct zw_fast_range range;
	uint32_t position;

	ip = zw_fast_begin(m, &out, &range, ip, stop, end);
	position = zw_match_position(m, ip);
	while (ip < range.pause) {
		uint64_t v = zw_load_le64(ip), w = zw_load_le64(ip + 1);
		uint32_t best = best_of_three(&f, ip, v, position, end), next;
		unsigned entered = 1, len;       /* positions from ip on that are in the tables */

		if (best < TAKE_BYTES << 16) {
			next = best_of_three(&f, ip + 1, w, position + 1, end);
			if (!(best | next)) {
				zw_put_pair(&out, (uint8_t)v, (uint8_t)w);
				ip += 2;
				position += 2;
				continue;
			}
			entered = 2;
			if (next >> 16 > best >> 16) {
				zw_put_literal(&out, (uint8_t)v);
				ip++;
				position++;
				best = next;
				entered = 1;
				if (best < STEP_ON_BYTES << 16) {
					entered = 2;
					next = best_of_three(&f, ip + 1, zw_load_le64(ip + 1), position + 1, end);
					if (next >> 16 > best >> 16) {
						zw_put_literal(&out, *ip++);
						position++;
						best = next;
						entered = 1;
					}
				}
			}
		}
		len = best >> 16;
		zw_put_match(&out, len, zw_candidate_distance(best));
		if (ZW_UNLIKELY((ptrdiff_t)len > range.limit - ip)) {
			ip += len;
			break;
		}
		enter_inner(&f, ip, position, entered, len);
		zw_pairs_enter(f.pairs, f.log2, zw_load_le64(ip + 2), position + 2, false);
		ip += len;
		position += len;
		enter_long(&f, ip - 3, position - 3);
		enter_long(&f, ip - 2, position - 2);
		enter_long(&f, ip - 1, position - 1);
		zw_pairs_enter(f.pairs, f.log2, zw_load_le64(ip - 2), position - 2, false);
		zw_pairs_enter(f.pairs, f.log2, zw_load_le64(ip - 1), position - 1, false);
	}
	return zw_fast_end(m, t, &out, &range, ip);
}

const uint8_t *zw_parse_fast3(struct zw_match_finder *m, struct zw_tokens *t, const uint8_t *ip, const uint8_t *stop,
			      const uint8_t *end)
{
	return parse_fast3_body(m, t, ip, stop, end);
}

#if ZW_ARCH_X86
ZW_TARGET("avx2,bmi,bmi2,lzcnt")
const uint8_t *zw_parse_fast3_wide(struct zw_match_finder *m, struct zw_tokens *t, const uint8_t *ip, const uint8_t *stop,
				   const uint8_t *end)
{
	return parse_fast3_body(m, t, ip, stop, end);
}
#endif
