/* SPDX-License-Identifier: Zlib */
/* parse_pairs.c - level 4: two neighbours at a time, two candidates for each, and the joint walk over a bucket of two.
 * Takes: input, the two newest positions by 4 bytes.  Gives: tokens.  Then: the block coder.
 * Why:   chains would find 0.3 % more in 1.2 times the time (M21). */
#include "deflate/lazy_match.h"

#define TAKE_BYTES        8u                 /* a match this long is taken without a look at its neighbour */
#define FEW_DIGITS       16u                 /* fewer of 256 bytes sampled are no sign of numbers */
#define NEAR_ONLY_BYTES   6u                 /* except where far places gain much, only a near one is weighed for a shorter match (M38, M42) */
#define NEAR_ONLY_DIGITS_BYTES 12u           /* in path data, most of whose matches are shorter than this (M47) */
#define PAIRS_STEP_BYTES 16                  /* inside a long match every so many positions are entered, */
#define DIGITS_STEP_BYTES 8                  /* where there are numbers so many, which later matches want parts of, */
#define RECORD_STEP_BYTES 24                 /* and in records of numbers, whose matches are long, so many (M42) */

/* What does not change during a call. */
struct pairs {
	uint32_t *table;
	unsigned  log2;
	uint32_t  mask;                          /* of distances */
	const uint8_t *window, *end;
	unsigned  min_bytes, nice_bytes;
	unsigned  run_bytes;                     /* what goes on at the last distance for so long is taken unseen */
	int       run_step;                      /* and so many positions apart entered */
	ptrdiff_t dense_bytes;                   /* a longer match is entered sparsely, */
	int       step;                          /* every so many positions */
	uint32_t  reach4;                        /* largest distance of a match of 4 bytes */
	bool      walk;
	unsigned  near_only_bytes;               /* for a match shorter than this only the near place is weighed */
};

ZW_INLINE struct pairs pairs_of(const struct zw_match_finder *m, const uint8_t *end)
{
	struct pairs z;

	z.table = (uint32_t *)(void *)zw_fast_table(m);
	z.log2 = m->head_log2;
	z.mask = zw_match_distance_mask(m);
	z.window = m->window;
	z.end = end;
	z.min_bytes = m->params.min_bytes;
	z.nice_bytes = m->params.nice_bytes;
	z.run_bytes = m->params.run_bytes;
	z.run_step = m->params.run_step;
	z.dense_bytes = zw_in_records(m) ? m->params.record_dense_bytes : m->params.dense_bytes;
	z.step = zw_in_records(m) ? RECORD_STEP_BYTES : m->content.digits < FEW_DIGITS ? PAIRS_STEP_BYTES : DIGITS_STEP_BYTES;
	z.reach4 = zw_short_match_reach(m->literal_price);
	z.walk = m->params.joint_depth && !is_sated(m);
	z.near_only_bytes = zw_in_early_path_data(m) ? NEAR_ONLY_DIGITS_BYTES : NEAR_ONLY_BYTES;
	if (m->walk_effort == WALKS_DEEP || !m->effort_segment)
		z.near_only_bytes = 0;
	return z;
}

/* A bucket's halves are its newest place and the one before. */
ZW_INLINE uint32_t near_distance(const struct pairs *z, uint32_t position, uint32_t bucket)
{
	return ((position - 1 - bucket) & z->mask) + 1;
}

ZW_INLINE uint32_t far_distance(const struct pairs *z, uint32_t position, uint32_t bucket)
{
	return ((position - 1 - (bucket >> 16)) & z->mask) + 1;
}

/* Enters the positions up to to, of a long match only some. */
ZW_INLINE void enter_until(const struct pairs *z, struct lazy_entered *e, const uint8_t *to, const int step)
{
	const uint8_t *p = e->next;
	uint32_t position = e->position;

	if (to - p > z->dense_bytes)
		for (; to - p > SPARSE_LAST_BYTES; p += step, position += (uint32_t)step)
			zw_pairs_enter(z->table, z->log2, zw_load_le32(p), position, CHAIN_HASH_BYTES);
	for (; p < to; p++, position++)
		zw_pairs_enter(z->table, z->log2, zw_load_le32(p), position, CHAIN_HASH_BYTES);
	e->next = p;
	e->position = position;
}

ZW_INLINE bool shares_4_bytes(const struct pairs *z, const uint8_t *ip, uint32_t v, uint32_t position, uint32_t bucket)
{
	ZW_COUNT_CANDIDATE();
	ZW_COUNT_CANDIDATE();
	return ((unsigned)(zw_load_le32(ip - near_distance(z, position, bucket)) == v) |
		(unsigned)(zw_load_le32(ip - far_distance(z, position, bucket)) == v)) != 0;
}

/* A match in one number, the better the larger: length, then nearness. */
ZW_INLINE uint32_t pack_match(unsigned len, uint32_t distance) { return len << 16 | (DISTANCE_MAX_BYTES - distance); }

ZW_INLINE uint32_t larger(uint32_t a, uint32_t b) { return a > b ? a : b; }

/* The longer of the two matches of ip in bucket; 0 when it is too short or not worth its distance. */
ZW_INLINE uint32_t longer_of_two(const struct pairs *z, const uint8_t *ip, uint32_t position, uint32_t bucket)
{
	const uint32_t near = near_distance(z, position, bucket), far = far_distance(z, position, bucket);
	unsigned near_len = zw_prefix16(ip, ip - near), far_len = zw_prefix16(ip, ip - far);
	const unsigned room = smaller((size_t)(z->end - ip), MATCH_MAX_BYTES);
	uint32_t best;

	ZW_ASSERT(ip - near >= z->window && ip - far >= z->window);
	if (ZW_UNLIKELY(room < COMPARE_STEP_BYTES)) { /* what is behind the end must not decide */
		near_len = smaller(near_len, room);
		far_len = smaller(far_len, room);
	}
	best = larger(pack_match(near_len, near), pack_match(far_len, far));
	if (best >= COMPARE_STEP_BYTES << 16) {
		if (near_len == COMPARE_STEP_BYTES)
			near_len = zw_match_extend(ip, ip - near, near_len, room);
		if (far_len == COMPARE_STEP_BYTES)
			far_len = zw_match_extend(ip, ip - far, far_len, room);
		best = larger(pack_match(near_len, near), pack_match(far_len, far));
	}
	if (best >> 16 < z->min_bytes)
		return 0;
	return ZW_UNLIKELY(best < pack_match(4, z->reach4)) ? 0 : best;
}

/* Compares what the place distance before key, at m->at + offset, would give with m and with *best, whose gain is *gain.
 * pending: literals before m->at that a match may swallow. */
ZW_INLINE void weigh_place(const struct pairs *z, const struct lazy_match *m, unsigned offset, uint32_t distance, int pending,
			   struct lazy_match *best, int *gain)
{
	const uint8_t *key = m->at + offset, *from = key - distance;
	unsigned back, len;
	int start, extra = 0, better;

	ZW_ASSERT(from >= z->window);
	ZW_COUNT_CANDIDATE();
	if (zw_load_le32(from) != zw_load_le32(key))
		return;
	back = match_backwards(z->window, key, from, offset);
	start = (int)offset - (int)back;
	if (start > LAZY_MAX_START)
		return;
	if (start < 0) {
		extra = -start < pending ? -start : pending;
		start = 0;
	}
	len = zw_match_length(key, from, smaller((size_t)(z->end - key), MATCH_MAX_BYTES - offset)) + offset - (unsigned)start;
	better = GAIN_PER_BYTE * ((int)len - (int)m->len + extra);
	better += (int)zw_highest_bit32(m->distance) - (int)zw_highest_bit32(distance);
	better -= start ? 4 * start - 2 : 0;
	if (better > *gain && len >= z->min_bytes) {
		*gain = better;
		if (start && len + (unsigned)start == MATCH_MAX_BYTES) /* was cut because it starts late */
			len = zw_match_length(m->at + start, m->at + start - distance,
					      smaller((size_t)(z->end - m->at - start), MATCH_MAX_BYTES));
		*best = (struct lazy_match){ m->at + start, m->position + (uint32_t)start, len, distance };
	}
}

/* Makes *m better as long as its bucket gains.  literals: the first pending byte. */
ZW_INLINE void improve_by_bucket(const struct pairs *z, struct lazy_match *m, const uint8_t *literals, struct lazy_entered *e,
				 struct lazy_yield *yield)
{
	const uint8_t *last_start = m->at + LAZY_MAX_SHIFT;

	while (m->len < z->nice_bytes && m->at <= last_start) {
		unsigned offset = m->len - 3;
		struct lazy_match better = *m;
		int gain = 0, pending = (int)(m->at - literals);
		uint32_t bucket, position;

		if (m->at + offset < e->next)    /* a place must not find itself */
			offset = (unsigned)(e->next - m->at);
		if (z->end - m->at < (ptrdiff_t)(offset + CHAIN_HASH_BYTES))
			break;
		enter_until(z, e, m->at + offset, z->step);
		bucket = z->table[zw_hash4(zw_load_le32(m->at + offset), z->log2)];
		position = m->position + offset;
		weigh_place(z, m, offset, near_distance(z, position, bucket), pending, &better, &gain);
		if (m->len >= z->near_only_bytes) {
			int near_len = (int)better.len;

			weigh_place(z, m, offset, far_distance(z, position, bucket), pending, &better, &gain);
			yield->late_bytes += (int)better.len - near_len;
		}
		yield->walks++;
		if (!gain)
			break;
		yield->gains++;
		*m = better;
	}
}

/* The match to begin with, at ip or at its neighbour, both of which are entered; len 0: none.  v: the 8 bytes at ip. */
ZW_INLINE struct lazy_match search_two(const struct pairs *z, const uint8_t *ip, uint64_t v, uint32_t position)
{
	struct lazy_match found = { ip, position, 0, 0 };
	const uint32_t here4 = (uint32_t)v, there4 = (uint32_t)(v >> 8);
	const uint32_t bucket = zw_pairs_enter(z->table, z->log2, here4, position, CHAIN_HASH_BYTES);
	const uint32_t next_bucket = zw_pairs_enter(z->table, z->log2, there4, position + 1, CHAIN_HASH_BYTES);
	const bool here = shares_4_bytes(z, ip, here4, position, bucket);
	const bool there = shares_4_bytes(z, ip + 1, there4, position + 1, next_bucket);
	uint32_t best, next;

	if (!(here | there))
		return found;
	best = here ? longer_of_two(z, ip, position, bucket) : 0;
	if (there && best >> 16 < TAKE_BYTES) {
		next = longer_of_two(z, ip + 1, position + 1, next_bucket);
		if (next >> 16 > best >> 16) {
			best = next;
			found.at++;
			found.position++;
		}
	}
	found.len = best >> 16;
	found.distance = DISTANCE_MAX_BYTES - (best & 0xffff);
	return found;
}

/* Entry: as zw_parse_fn, tables of SHAPE_PAIRS_LAZY.
 * Slack: a position is looked up while its CHAIN_HASH_BYTES and one byte more are before end; the last become literals. */
ZW_INLINE const uint8_t *parse_pairs_body(struct zw_match_finder *m, struct zw_tokens *t, const uint8_t *ip,
					  const uint8_t *stop, const uint8_t *end)
{
	struct zw_token_cursor out = zw_tokens_open(t);
	const struct pairs z = pairs_of(m, end);
	struct zw_literal_sample sample;
	const uint8_t *start = ip, *limit, *pause, *literals;
	unsigned before_len = 0;                 /* of the match that ends at literals; 0: none in this call */
	uint32_t run_distance = m->run_distance; /* of the last match, when that was long */
	struct lazy_yield yield = { 0 };
	const uint32_t start_position = zw_match_position(m, ip);

	zw_literal_sample_begin(&sample, &t->freq);
	ip = literals = zw_parse_begin(m, &out, ip, stop, end);
	limit = (size_t)(end - ip) > CHAIN_HASH_BYTES ? end - CHAIN_HASH_BYTES : ip;
	pause = stop < limit ? stop : limit;
	while (ip < pause) {
		uint32_t position = start_position + (uint32_t)(ip - start);
		struct lazy_entered entered = { ip, position };
		struct lazy_match found;
		unsigned run_len;

		if (run_distance && (run_len = continue_match(ip, run_distance, z.run_bytes, end)) != 0) {
			zw_put_literals(&out, literals, ip);
			zw_put_match(&out, run_len, run_distance - 1);
			before_len = run_len;
			ip = literals = ip + run_len;
			enter_until(&z, &entered, ip < limit ? ip : limit, z.run_step);
			continue;
		}
		found = search_two(&z, ip, zw_load_le64(ip), position);
		if (!found.len) {
			ip += 2;
			continue;
		}
		entered.next += 2;
		entered.position += 2;
		if (run_distance && found.len >= z.run_bytes)
			prefer_last_distance(&found, run_distance, end);
		if (z.walk)
			improve_by_bucket(&z, &found, literals, &entered, &yield);
		extend_backwards(&found, literals, z.window);
		if (found.at == literals && before_len)
			literals = absorb_previous(&out, &found, before_len, z.window);
		zw_put_literals(&out, literals, found.at);
		zw_put_match(&out, found.len, found.distance - 1);
		yield.matches++;
		before_len = found.len;
		run_distance = found.len >= LONG_RUN_BYTES ? found.distance : 0;
		ip = literals = found.at + found.len;
		enter_until(&z, &entered, ip < limit ? ip : limit, z.step);
	}
	if (stop == end) {
		struct lazy_entered entered = { ip, start_position + (uint32_t)(ip - start) };

		if (end - ip >= (ptrdiff_t)CHAIN_HASH_BYTES) /* the last one that has a hash */
			enter_until(&z, &entered, end - CHAIN_HASH_BYTES + 1, 1);
		ip = end;
		zw_match_suspend(m, start, end);
	}
	end_segment(m, t, &out, start, literals, ip, run_distance, &yield, &sample);
	return ip;
}

const uint8_t *zw_parse_pairs(struct zw_match_finder *m, struct zw_tokens *t, const uint8_t *ip, const uint8_t *stop,
			      const uint8_t *end)
{
	return parse_pairs_body(m, t, ip, stop, end);
}

#if ZW_ARCH_X86
ZW_TARGET("avx2,bmi,bmi2,lzcnt")
const uint8_t *zw_parse_pairs_wide(struct zw_match_finder *m, struct zw_tokens *t, const uint8_t *ip, const uint8_t *stop,
				   const uint8_t *end)
{
	return parse_pairs_body(m, t, ip, stop, end);
}
#endif
