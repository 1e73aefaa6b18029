/* SPDX-License-Identifier: Zlib */
/* match_tables.h - the tables of match_finder.h as the parsers see them, and what every parser does at its edges.
 *
 * Levels 1 and 2: an entry is an offset in the window, so that only an addition lies between the load of an entry and that of
 * the candidate's bytes (M13).  zw_match_slide() moves entries with the window; what falls out becomes 0.
 * From level 3 on: an entry is a position modulo 65536; distance - 1 = (position - 1 - entry) modulo the window always points
 * into the window.
 * Either way an entry needs no validity check: its content decides, and at levels 1 and 2 its distance.  An entry never
 * written is 0, which the stream itself has; the byte there is never looked up, so the distance is at least 1. */
#ifndef ZW_DEFLATE_MATCH_TABLES_H
#define ZW_DEFLATE_MATCH_TABLES_H

#include "base/bytes.h"
#include "base/check.h"
#include "deflate/hash.h"
#include "deflate/match_finder.h"
#include "deflate/token_put.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CHAIN_HASH_BYTES 4u                  /* what an entry into chains reads, and into level 4's buckets */

/* One parser for each shape; _wide is the same body compiled for AVX2, BMI and LZCNT: same tokens. */
#define ZW_DECLARE_PARSER(name) \
	const uint8_t *name(struct zw_match_finder *m, struct zw_tokens *t, const uint8_t *ip, const uint8_t *stop, \
			    const uint8_t *end)
ZW_DECLARE_PARSER(zw_parse_fast1_hash4);
ZW_DECLARE_PARSER(zw_parse_fast1_hash5);
ZW_DECLARE_PARSER(zw_parse_fast1_hash6);
ZW_DECLARE_PARSER(zw_parse_fast2_hash4);
ZW_DECLARE_PARSER(zw_parse_fast2_hash5);
ZW_DECLARE_PARSER(zw_parse_fast2_hash6);
ZW_DECLARE_PARSER(zw_parse_fast3_hash4);
ZW_DECLARE_PARSER(zw_parse_fast3_hash5);
ZW_DECLARE_PARSER(zw_parse_pairs);
ZW_DECLARE_PARSER(zw_parse_lazy);
ZW_DECLARE_PARSER(zw_parse_rle);
ZW_DECLARE_PARSER(zw_parse_huffman_only);
#if ZW_ARCH_X86
ZW_DECLARE_PARSER(zw_parse_fast1_hash4_wide);
ZW_DECLARE_PARSER(zw_parse_fast1_hash5_wide);
ZW_DECLARE_PARSER(zw_parse_fast1_hash6_wide);
ZW_DECLARE_PARSER(zw_parse_fast2_hash4_wide);
ZW_DECLARE_PARSER(zw_parse_fast2_hash5_wide);
ZW_DECLARE_PARSER(zw_parse_fast2_hash6_wide);
ZW_DECLARE_PARSER(zw_parse_fast3_hash4_wide);
ZW_DECLARE_PARSER(zw_parse_fast3_hash5_wide);
ZW_DECLARE_PARSER(zw_parse_pairs_wide);
ZW_DECLARE_PARSER(zw_parse_lazy_wide);
#endif

/* Enters the positions before ip that the last call could not, now that their bytes are there. */
void zw_match_resume(struct zw_match_finder *m, const uint8_t *ip, const uint8_t *end);

/* Remembers how many positions of [start, end) this call could not enter; everything before end is parsed. */
void zw_match_suspend(struct zw_match_finder *m, const uint8_t *start, const uint8_t *end);

/* True of the tables of levels 1 and 2. */
ZW_INLINE bool zw_entries_are_offsets(const struct zw_match_finder *m)
{
	return m->shape == SHAPE_SINGLE || m->shape == SHAPE_LARGE;
}

ZW_INLINE uint32_t zw_match_position(const struct zw_match_finder *m, const uint8_t *p)
{
	return m->window_position + (uint32_t)(p - m->window);
}

ZW_INLINE uint32_t zw_match_distance_mask(const struct zw_match_finder *m)
{
	return (1u << m->window_log2) - 1;
}

/* What an entry for p is. */
ZW_INLINE uint32_t zw_match_entry(const struct zw_match_finder *m, const uint8_t *p)
{
	return zw_entries_are_offsets(m) ? (uint32_t)(p - m->window) : zw_match_position(m, p);
}

/* The table by 4 to 6 bytes of all shapes but chains, and the one by 8 bytes. */
ZW_INLINE uint16_t *zw_fast_table(const struct zw_match_finder *m) { return m->in_prev ? m->prev : m->head; }

ZW_INLINE uint16_t *zw_long_table(const struct zw_match_finder *m)
{
	return m->in_prev ? m->prev + ((size_t)1 << (m->window_log2 - 1)) : m->prev;
}

/* By 4, 5 or 6 bytes. */
ZW_INLINE size_t zw_hash_fast(uint64_t v, unsigned log2, const unsigned by_bytes)
{
	return by_bytes == 4 ? zw_hash4((uint32_t)v, log2) : by_bytes == 5 ? zw_hash5(v, log2) : zw_hash6(v, log2);
}

/* The entry of v's bucket of two; position becomes its newest. */
ZW_INLINE uint32_t zw_pairs_enter(uint32_t *pairs, unsigned log2, uint64_t v, uint32_t position, const unsigned by_bytes)
{
	size_t   index = zw_hash_fast(v, log2, by_bytes);
	uint32_t before = pairs[index];

	ZW_FORGET(index);                        /* or its address is computed before the load, one more step */
	pairs[index] = before << 16 | (uint16_t)position;
	return before;
}

/* Chains by 4 bytes. */
struct zw_chains {
	uint16_t *head, *prev;
	uint32_t  mask;                          /* of prev[] and of distances */
	unsigned  head_log2;
};

ZW_INLINE struct zw_chains zw_chains_of(const struct zw_match_finder *m)
{
	struct zw_chains c;

	c.head = m->head;
	c.prev = m->prev;
	c.mask = zw_match_distance_mask(m);
	c.head_log2 = m->head_log2;
	return c;
}

/* Makes position, whose bytes are v, the newest of its chain; returns the one before. */
ZW_INLINE uint32_t zw_chains_enter(const struct zw_chains *c, uint32_t v, uint32_t position)
{
	uint16_t *head = c->head + zw_hash4(v, c->head_log2);
	uint16_t  before = *head;

	*head = (uint16_t)position;
	c->prev[position & c->mask] = before;
	return before;
}

/* Every parser's first step: catches up on the positions of the last call, and a stream's first byte is a literal. */
ZW_INLINE const uint8_t *zw_parse_begin(struct zw_match_finder *m, struct zw_token_cursor *out, const uint8_t *ip,
					const uint8_t *stop, const uint8_t *end)
{
	ZW_ASSERT(ip <= stop && stop <= end);
	ZW_ASSERT(stop == end || (size_t)(end - stop) >= PARSE_LOOKAHEAD_BYTES);
	if (m->unhashed_bytes)
		zw_match_resume(m, ip, end);
	if (ip == m->window && ip < stop) {
		ZW_ASSERT(m->window_position == 0);
		zw_put_literal(out, *ip++);
	}
	return ip;
}

#endif
