/* SPDX-License-Identifier: Zlib */
/* parse_fast3.c - level 3: three candidates per position, two by 4 or 5 bytes and one by 8 bytes.
 * Takes: input, the buckets of level 2, and a table of the newest position by 8 bytes.  Gives: tokens.  Then: the block coder. */
#include "deflate/parse_fast.h"

#define TAKE_BYTES         8u                /* a match this long is taken without a look at the next position ... */
#define TAKE_BYTES_HASH5   6u                /* ... and so where 5 bytes select an entry */
#define NICE_BYTES        96u                /* when the newest reaches so far the others are not compared further */
#define STEP_ON_BYTES      8u                /* a shorter one at the second position is compared with the third, where 4 bytes select */
#define FEW_FROM_BYTES    32u                /* inside a match longer than this ... */
#define FEW_STEP           8u                /* ... every eighth position is entered: repeats are found by what comes behind them, too */
#define DENSE_MAX_LOG2    14u                /* with a long table up to this the last three positions are entered, beyond it the last */
#define RUN_BYTES         32u                /* behind a match this long its distance is tried first, for one as long; ... */
#define RUN_COMPARED_BYTES 64u               /* (so many are compared at once) */
#define RUN_STEP          64u                /* inside that every so many positions are entered (M32, M37, M46) */

static_assert(RUN_BYTES + 1 <= FAST_SLACK_BYTES, "no byte at or behind end decides");
static_assert(RUN_COMPARED_BYTES + 1 - FAST_SLACK_BYTES <= PARSE_OVERREAD_BYTES, "and those compared are readable");

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

/* A candidate that shares COMPARE_STEP_BYTES with ip, compared further. */
ZW_INLINE uint32_t lengthen(const uint8_t *ip, uint32_t distance_less_1, unsigned room, zw_prefix64_fn *prefix64)
{
	return zw_match_extend_by(ip, ip - 1 - distance_less_1, COMPARE_STEP_BYTES, room, prefix64) << 16 |
	       (CANDIDATE_NEAREST - distance_less_1);
}

/* The best of three at ip, whose bytes are v, and enters it; 0 when none shares 4 bytes. */
ZW_INLINE uint32_t best_of_three(const struct fast3 *f, const uint8_t *ip, uint64_t v, uint32_t position, const uint8_t *end,
				   const unsigned by_bytes, zw_prefix64_fn *prefix64)
{
	uint16_t *newest = f->longs + zw_hash8(v, f->long_log2);
	uint32_t  far_entry = *newest, entries;
	uint32_t  d, d0, d1, c, c0, c1, best;

	*newest = (uint16_t)position;
	entries = zw_pairs_enter(f->pairs, f->log2, v, position, by_bytes);
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
	if (ZW_UNLIKELY(best >= COMPARE_STEP_BYTES << 16)) {    /* several may share 16 bytes: lengthen each, the newest first */
		unsigned room = zw_match_room(ip, end);

		best = 0;
		if (c0 >= COMPARE_STEP_BYTES << 16) {
			best = lengthen(ip, d0, room, prefix64);
			if (best >= NICE_BYTES << 16)
				return best;
		}
		if (c >= COMPARE_STEP_BYTES << 16 && d != d0)
			best = zw_larger(best, lengthen(ip, d, room, prefix64));
		if (c1 >= COMPARE_STEP_BYTES << 16 && d1 != d)
			best = zw_larger(best, lengthen(ip, d1, room, prefix64));
	}
	return best;
}

/* Enters some inner positions of a match of len bytes into the long table, besides the last. */
ZW_INLINE void enter_inner(const struct fast3 *f, const uint8_t *ip, uint32_t position, unsigned len)
{
	enter_long(f, ip + 2, position + 2);
	enter_long(f, ip + 3, position + 3);
	enter_long(f, ip + len / 2, position + len / 2);
	if (ZW_UNLIKELY(len > FEW_FROM_BYTES))
		for (unsigned o = 4; o < len; o += FEW_STEP)
			enter_long(f, ip + o, position + o);
}

ZW_INLINE void enter_both(const struct fast3 *f, const uint8_t *p, uint32_t position, const unsigned by_bytes)
{
	uint64_t v = zw_load_le64(p);

	f->longs[zw_hash8(v, f->long_log2)] = (uint16_t)position;
	zw_pairs_enter(f->pairs, f->log2, v, position, by_bytes);
}

/* Enters some of the len positions of a match that was taken without a search. */
ZW_INLINE void enter_run(const struct fast3 *f, const uint8_t *ip, uint32_t position, unsigned len, const unsigned by_bytes)
{
	for (unsigned o = 0; o + HASH_MAX_BYTES <= len; o += RUN_STEP)
		enter_both(f, ip + o, position + o, by_bytes);
}

/* Where the match at distance goes on, at ip or behind one more literal, for RUN_BYTES: its length; *literals_ret is 1 then. */
ZW_INLINE unsigned run_length(const uint8_t *ip, uint32_t distance, const uint8_t *end, unsigned *literals_ret, zw_prefix64_fn *prefix64)
{
	unsigned at = 0, len = prefix64(ip, ip - distance), room;

	if (len < RUN_BYTES) {
		at = 1;
		len = prefix64(ip + 1, ip + 1 - distance);
		if (len < RUN_BYTES)
			return 0;
	}
	*literals_ret = at;
	room = zw_match_room(ip + at, end);
	if (len == RUN_COMPARED_BYTES)
		return zw_match_extend_by(ip + at, ip + at - distance, len, room, prefix64);
	return len < room ? len : room;
}

/* Entry: as zw_parse_fn, tables of SHAPE_PAIRS_LONG. */
ZW_INLINE const uint8_t *parse_fast3_body(struct zw_match_finder *m, struct zw_tokens *t, const uint8_t *ip,
					  const uint8_t *stop, const uint8_t *end, const unsigned by_bytes,
					  zw_prefix64_fn *prefix64)
{
	struct zw_token_cursor out = zw_tokens_open(t);
	const struct fast3 f = { (uint32_t *)(void *)zw_fast_table(m), zw_long_table(m), m->head_log2, m->second_log2,
				 zw_match_distance_mask(m) };
	struct zw_fast_range range;
	const uint8_t *before_end = NULL;        /* where the last match ended, ... */
	unsigned before_len = 0;                 /* ... and its length */
	const unsigned absorb_below = m->long_tokens ? ABSORB_SHORT : ABSORB_ALL;
	uint32_t position, run = m->run_distance; /* of the last match when it was long, or 0 */

	ip = zw_fast_begin(m, &out, &range, ip, stop, end);
	position = zw_match_position(m, ip);
	while (ip < range.pause) {
		uint64_t v = zw_load_le64(ip), w = zw_load_le64(ip + 1);
		uint32_t best, next;
		unsigned len, grown;

		if (ZW_UNLIKELY(run)) {
			unsigned literals = 0;

			len = zw_foreseen(run_length(ip, run, end, &literals, prefix64), before_len);
			if (len) {
				if (literals) {
					enter_both(&f, ip, position, by_bytes);
					zw_put_literal(&out, *ip++);
				}
				position += literals + len;
				zw_put_match(&out, len, run - 1);
				ip += len;
				before_len = len;
				before_end = ip;
				if (ZW_UNLIKELY(ip > range.limit))
					break;
				enter_run(&f, ip - len, position - len, len, by_bytes);
				continue;
			}
		}
		best = best_of_three(&f, ip, v, position, end, by_bytes, prefix64);
		if (best < (by_bytes == 5 ? TAKE_BYTES_HASH5 : TAKE_BYTES) << 16) {
			next = best_of_three(&f, ip + 1, w, position + 1, end, by_bytes, prefix64);
			if (!(best | next)) {
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
				if (by_bytes == 4 && best < STEP_ON_BYTES << 16) {
					next = best_of_three(&f, ip + 1, zw_load_le64(ip + 1), position + 1, end, by_bytes, prefix64);
					if (next >> 16 > best >> 16) {
						zw_put_literal(&out, *ip++);
						position++;
						best = next;
					}
				}
			}
		}
		run = ZW_UNLIKELY(best >= RUN_BYTES << 16) ? zw_candidate_distance(best) + 1 : 0;
		len = best >> 16;
		grown = 0;
		if (ip == before_end && before_len < absorb_below)
			grown = zw_absorb(&out, ip, zw_candidate_distance(best) + 1, before_len, len, m->window);
		zw_put_match(&out, len + grown, zw_candidate_distance(best));
		before_len = len + grown;
		before_end = ip + len;
		if (ZW_UNLIKELY((ptrdiff_t)len > range.limit - ip)) {
			ip += len;
			break;
		}
		enter_inner(&f, ip, position, len);
		zw_pairs_enter(f.pairs, f.log2, zw_load_le64(ip + 2), position + 2, by_bytes);
		ip += len;
		position += len;
		if (f.long_log2 <= DENSE_MAX_LOG2) {
			enter_long(&f, ip - 3, position - 3);
			enter_long(&f, ip - 2, position - 2);
			zw_pairs_enter(f.pairs, f.log2, zw_load_le64(ip - 2), position - 2, by_bytes);
		}
		enter_long(&f, ip - 1, position - 1);
		zw_pairs_enter(f.pairs, f.log2, zw_load_le64(ip - 1), position - 1, by_bytes);
	}
	m->run_distance = (uint16_t)run;
	zw_fast_note_lengths(m, t, &out, (size_t)(ip - range.start));
	return zw_fast_end(m, t, &out, &range, ip);
}

const uint8_t *zw_parse_fast3_hash4(struct zw_match_finder *m, struct zw_tokens *t, const uint8_t *ip,
				     const uint8_t *stop, const uint8_t *end)
{
	return parse_fast3_body(m, t, ip, stop, end, 4, zw_prefix64);
}

const uint8_t *zw_parse_fast3_hash5(struct zw_match_finder *m, struct zw_tokens *t, const uint8_t *ip,
				     const uint8_t *stop, const uint8_t *end)
{
	return parse_fast3_body(m, t, ip, stop, end, 5, zw_prefix64);
}

#if ZW_ARCH_X86
ZW_TARGET("avx2,bmi,bmi2,lzcnt")
const uint8_t *zw_parse_fast3_hash4_wide(struct zw_match_finder *m, struct zw_tokens *t, const uint8_t *ip,
				          const uint8_t *stop, const uint8_t *end)
{
	return parse_fast3_body(m, t, ip, stop, end, 4, zw_prefix64_wide);
}

ZW_TARGET("avx2,bmi,bmi2,lzcnt")
const uint8_t *zw_parse_fast3_hash5_wide(struct zw_match_finder *m, struct zw_tokens *t, const uint8_t *ip,
				          const uint8_t *stop, const uint8_t *end)
{
	return parse_fast3_body(m, t, ip, stop, end, 5, zw_prefix64_wide);
}
#endif
