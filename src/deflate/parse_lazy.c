/* SPDX-License-Identifier: Zlib */
/* parse_lazy.c - levels 5..9: hash chains, a shallow first search, and the joint walk of parse_lazy.h.
 * Takes: input, chains by 4 bytes.  Gives: tokens.  Then: the block coder. */
#include "deflate/parse_lazy.h"

ZW_INLINE struct lazy lazy_of(const struct zw_match_finder *m, const uint8_t *end)
{
	struct lazy z;

	z.chains = zw_chains_of(m);
	z.window = m->window;
	z.end = end;
	z.window_bytes = z.chains.mask + 1;
	z.min_bytes = m->params.min_bytes;
	z.nice_bytes = m->params.nice_bytes;
	z.first_depth = zw_first_depth(m) << m->depth_shift;
	z.joint_depth = zw_joint_depth(m) << m->depth_shift;
	z.joint_long_depth = (unsigned)m->params.joint_long_depth << m->depth_shift;
	z.long_bytes = m->match_mean_bytes >= LONG_MEAN_BYTES ? m->params.long_mean_bytes : m->params.long_bytes;
	z.short_depth = smaller(z.joint_depth, zw_short_depth(m) << m->depth_shift);
	z.joint_again_depth = smaller(z.short_depth, zw_again_depth(m) << m->depth_shift);
	z.run_bytes = m->params.run_bytes;
	z.run_step = m->params.run_step;
	z.move_boundaries = !m->few_matches && m->params.length_prices > (m->walk_effort == WALKS_FEW);
	z.dense_bytes = zw_in_records(m) ? m->params.record_dense_bytes : m->params.dense_bytes;
	z.sparse_step = SPARSE_STEP_BYTES;
	if (zw_in_very_long(m)) {
		z.long_bytes = SHORT_WALK_BYTES;
		z.dense_bytes = m->params.long_dense_bytes;
		z.sparse_step = VERY_LONG_STEP_BYTES;
		z.run_step = m->params.long_run_step;
	}
	if (is_sated(m)) {
		z.dense_bytes = SATED_DENSE_BYTES;
		z.joint_depth = 0;
	}
	z.reach4 = zw_short_match_reach(m->literal_price);
	return z;
}

/* Enters the positions up to to, those of a match, one of more than dense bytes at every step only: what the left out ones
 * would find is found through the others, as walks compare backwards, too. */
ZW_INLINE void enter_match(const struct lazy *z, struct lazy_entered e, const uint8_t *to, const ptrdiff_t dense, const int step)
{
	if (to - e.next > dense)
		for (; to - e.next > SPARSE_LAST_BYTES; e.next += step, e.position += (uint32_t)step)
			zw_chains_enter(&z->chains, zw_load_le32(e.next), e.position);
	for (; e.next < to; e.next++, e.position++)
		zw_chains_enter(&z->chains, zw_load_le32(e.next), e.position);
}

/* Entry: as zw_parse_fn, tables of SHAPE_CHAINS.
 * Slack: a position is looked up and entered while its CHAIN_HASH_BYTES are before end; the last ones become literals. */
ZW_INLINE const uint8_t *parse_lazy_body(struct zw_match_finder *m, struct zw_tokens *t, const uint8_t *ip,
					 const uint8_t *stop, const uint8_t *end)
{
	struct zw_token_cursor out = zw_tokens_open(t);
	const struct lazy z = lazy_of(m, end);
	struct zw_literal_sample sample;
	struct zw_length_prices prices;
	const uint8_t *start = ip, *limit, *pause, *literals;
	unsigned before_len = 0;                 /* of the match that ends at literals; 0: none in this call */
	uint32_t run_distance = m->run_distance; /* of the last match, when that was long */
	struct lazy_yield yield = { 0 };
	const uint32_t start_position = zw_match_position(m, ip);

	if (z.move_boundaries)
		zw_length_prices_make(&prices, &t->freq);
	zw_literal_sample_begin(&sample, &t->freq);
	ip = literals = zw_parse_begin(m, &out, ip, stop, end);
	limit = (size_t)(end - ip) >= CHAIN_HASH_BYTES ? end - CHAIN_HASH_BYTES + 1 : ip;
	pause = stop < limit ? stop : limit;
	while (ip < pause) {
		uint32_t v = zw_load_le32(ip), position = start_position + (uint32_t)(ip - start), candidate;
		const uint8_t *looked_up = ip;
		struct lazy_match found;
		unsigned run_len;

		if (run_distance && (run_len = continue_match(ip, run_distance, z.run_bytes, end)) != 0) {
			zw_put_literals(&out, literals, ip);
			zw_put_match(&out, run_len, run_distance - 1);
			before_len = run_len;
			ip = literals = ip + run_len;
			enter_match(&z, (struct lazy_entered){ looked_up, position }, ip < limit ? ip : limit, RUN_DENSE_BYTES, z.run_step);
			continue;
		}
		candidate = zw_chains_enter(&z.chains, v, position);
		if (z.first_depth == 2 && !any_of_two_shares(&z, ip, v, position, candidate)) {
			ip++;
			continue;
		}
		found = search_first(&z, ip, position, candidate);
		if (!found.len || (ZW_UNLIKELY(found.distance > z.reach4) && found.len == 4)) {
			ip++;
			continue;
		}
		if (run_distance && found.len >= z.run_bytes)
			prefer_last_distance(&found, run_distance, end);
		if (z.joint_depth)
			improve_match(&z, &found, literals, &yield);
		extend_backwards(&found, literals, z.window);
		if (found.at == literals && before_len)
			literals = join_previous(&out, &found, before_len, z.window, z.move_boundaries ? &prices : NULL);
		zw_put_literals(&out, literals, found.at);
		zw_put_match(&out, found.len, found.distance - 1);
		yield.matches++;
		before_len = found.len;
		run_distance = found.len >= LONG_RUN_BYTES ? found.distance : 0;
		ip = literals = found.at + found.len;
		enter_match(&z, (struct lazy_entered){ looked_up + 1, position + 1 }, ip < limit ? ip : limit, z.dense_bytes, z.sparse_step);
	}
	if (stop == end) {
		ip = end;
		zw_match_suspend(m, start, end);
	}
	end_segment(m, t, &out, start, literals, ip, run_distance, &yield, &sample);
	return ip;
}

const uint8_t *zw_parse_lazy(struct zw_match_finder *m, struct zw_tokens *t, const uint8_t *ip, const uint8_t *stop,
			     const uint8_t *end)
{
	return parse_lazy_body(m, t, ip, stop, end);
}

#if ZW_ARCH_X86
ZW_TARGET("avx2,bmi,bmi2,lzcnt")
const uint8_t *zw_parse_lazy_wide(struct zw_match_finder *m, struct zw_tokens *t, const uint8_t *ip, const uint8_t *stop,
				  const uint8_t *end)
{
	return parse_lazy_body(m, t, ip, stop, end);
}
#endif
