/* SPDX-License-Identifier: Zlib */
/* parse_lazy.c - levels 4..9: hash chains, a shallow first search, and the joint walk of parse_lazy.h.
 * Takes: input, chains by 4 bytes and, at levels 8 and 9, the newest position by 3.  Gives: tokens.  Then: the block coder. */
#include "deflate/parse_lazy.h"

#include "deflate/literal_price.h"

ZW_INLINE struct lazy lazy_of(const struct zw_match_finder *m, const uint8_t *end)
{
	struct lazy z;

	z.chains = zw_chains_of(m);
	z.window = m->window;
	z.end = end;
	z.window_bytes = z.chains.mask + 1;
	z.min_bytes = m->params.min_bytes;
	z.nice_bytes = m->params.nice_bytes;
	z.first_depth = (unsigned)m->params.first_depth << m->depth_shift;
	z.joint_depth = (unsigned)m->params.joint_depth << m->depth_shift;
	z.joint_long_depth = z.joint_depth > LONG_WALK_DEPTH ? z.joint_depth / 4 : z.joint_depth;
	z.joint_again_depth = (unsigned)m->params.joint_again_depth << m->depth_shift;
	z.reach3 = zw_short_match_reach(m->literal_price, 3);
	if (z.reach3 > m->params.short_distance)
		z.reach3 = m->params.short_distance;
	z.reach4 = zw_short_match_reach(m->literal_price, 4);
	return z;
}

/* Enters the rest [from, to) of a match; the 3-byte table gets its last two positions only. */
ZW_INLINE void enter_match(const struct lazy *z, const uint8_t *from, const uint8_t *to, uint32_t position,
			   const bool short_too)
{
	const uint8_t *p = from;

	for (; p < to; p++, position++)
		zw_chains_enter(&z->chains, zw_load_le32(p), position);
	if (short_too && to - from >= 2) {
		zw_newest3_enter(&z->chains, zw_load_le32(to - 2), position - 2);
		zw_newest3_enter(&z->chains, zw_load_le32(to - 1), position - 1);
	}
}

/* Entry: as zw_parse_fn, tables of SHAPE_CHAINS or, when short_too, SHAPE_CHAINS_SHORT.
 * Slack: a position is looked up and entered while its CHAIN_HASH_BYTES are before end; the last ones become literals. */
ZW_INLINE const uint8_t *parse_lazy_body(struct zw_match_finder *m, struct zw_tokens *t, const uint8_t *ip,
					 const uint8_t *stop, const uint8_t *end, const bool short_too)
{
	struct zw_token_cursor out = zw_tokens_open(t);
	const struct lazy z = lazy_of(m, end);
	struct zw_literal_sample sample;
	const uint8_t *start = ip, *limit, *pause, *literals;
	unsigned before_len = 0;                 /* of the match that ends at literals; 0: none in this call */
	const uint32_t start_position = zw_match_position(m, ip);

	zw_literal_sample_begin(&sample, &t->freq);
	ip = literals = zw_parse_begin(m, &out, ip, stop, end);
	limit = (size_t)(end - ip) >= CHAIN_HASH_BYTES ? end - CHAIN_HASH_BYTES + 1 : ip;
	pause = stop < limit ? stop : limit;
	while (ip < pause) {
		uint32_t v = zw_load_le32(ip), position = start_position + (uint32_t)(ip - start), candidate, newest = 0;
		const uint8_t *looked_up = ip;
		struct lazy_match found;

		candidate = zw_chains_enter(&z.chains, v, position);
		if (short_too)
			newest = zw_newest3_enter(&z.chains, v, position);
		found = search_first(&z, ip, position, candidate);
		if (short_too && !found.len)
			found = search_short(&z, ip, position, newest);
		if (!found.len || (ZW_UNLIKELY(found.distance > z.reach4) && found.len == 4)) {
			ip++;
			continue;
		}
		if (z.joint_depth)
			improve_match(&z, &found, literals);
		extend_backwards(&z, &found, literals);
		if (found.at == literals && before_len)
			literals = absorb_previous(&z, &out, &found, before_len);
		zw_put_literals(&out, literals, found.at);
		zw_put_match(&out, found.len, found.distance - 1);
		before_len = found.len;
		ip = literals = found.at + found.len;
		enter_match(&z, looked_up + 1, ip < limit ? ip : limit, position + 1, short_too);
	}
	if (stop == end) {
		ip = end;
		zw_match_suspend(m, start, end);
	}
	zw_put_literals(&out, literals, ip);
	zw_tokens_close(t, &out);
	m->literal_price = zw_literal_sample_price(&sample, &t->freq, m->literal_price);
	return ip;
}

const uint8_t *zw_parse_lazy(struct zw_match_finder *m, struct zw_tokens *t, const uint8_t *ip, const uint8_t *stop,
			     const uint8_t *end)
{
	return parse_lazy_body(m, t, ip, stop, end, false);
}

const uint8_t *zw_parse_lazy_short(struct zw_match_finder *m, struct zw_tokens *t, const uint8_t *ip, const uint8_t *stop,
				   const uint8_t *end)
{
	return parse_lazy_body(m, t, ip, stop, end, true);
}

#if ZW_ARCH_X86
ZW_TARGET("avx2,bmi,bmi2,lzcnt")
const uint8_t *zw_parse_lazy_wide(struct zw_match_finder *m, struct zw_tokens *t, const uint8_t *ip, const uint8_t *stop,
				  const uint8_t *end)
{
	return parse_lazy_body(m, t, ip, stop, end, false);
}

ZW_TARGET("avx2,bmi,bmi2,lzcnt")
const uint8_t *zw_parse_lazy_short_wide(struct zw_match_finder *m, struct zw_tokens *t, const uint8_t *ip,
					const uint8_t *stop, const uint8_t *end)
{
	return parse_lazy_body(m, t, ip, stop, end, true);
}
#endif
