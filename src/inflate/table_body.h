/* SPDX-License-Identifier: Zlib */
/* table_body.h - decode tables out of rows of symbols.
 * Takes: the rows of length_body.h.  Gives: a litlen and a distance table, or which of the two codes is not one.
 * Never: looks at bits. */
#ifndef ZW_INFLATE_TABLE_BODY_H
#define ZW_INFLATE_TABLE_BODY_H

#include "cpu/lanes16.h"

#include "inflate/ahead_entry.h"
#include "inflate/symbol_run.h"
#include "inflate/table_double.h"

#define KRAFT_FULL (1u << LANES16_TOP_LOG2)    /* a complete code uses exactly this many 2^-15ths */

/* What a table is built from: the symbols of length l are symbol[first[l] ..], count[l] of them. */
struct table_source {
	const uint16_t *symbol;
	const uint16_t *first;
	const uint16_t *count;
	unsigned        bias;                    /* symbol number of constant[0] */
	const uint32_t *constant;
	uint32_t        step;
	uint32_t        present;                 /* bit l: length l occurs */
};

/* Where a table goes: its root to all[root], its second tables to all[second] and on. */
struct table_place {
	uint32_t *all;
	unsigned  root;
	unsigned  second;
	unsigned  root_bits;
	uint32_t  link;                          /* flags of what leads to a second table */
};

/* The second tables: one for each root prefix, wide enough for the codes that share it.  code: of the first symbol, as a 15-bit
 * fraction.  Returns where they end in all[]. */
ZW_INLINE unsigned fill_second_tables(const struct table_place *to, unsigned code, const struct table_source *src, unsigned max_bits)
{
	const unsigned root_bits = to->root_bits, behind_root = LITLEN_CODE_MAX_BITS - root_bits;
	unsigned prefix = ~0u, begin = to->second, width = 0;

	for (unsigned bits = root_bits + 1; bits <= max_bits; bits++) {
		const uint16_t *symbol = src->symbol + src->first[bits];
		uint32_t add = (bits - root_bits) * src->step;

		for (unsigned left = src->count[bits]; left; left--) {
			unsigned rest = code & ((1u << behind_root) - 1);
			unsigned index = zw_reversed_index[rest << (REVERSED_INDEX_BITS - behind_root)];
			uint32_t entry = src->constant[(unsigned)*symbol++ - src->bias] + add;

			if (code >> behind_root != prefix) {
				unsigned have = left;

				if (prefix != ~0u)
					begin += 1u << width;
				prefix = code >> behind_root;
				for (width = bits - root_bits; have < 1u << width;) {
					width++;
					have = 2 * have + src->count[root_bits + width];
				}
				to->all[to->root + zw_reversed_index[prefix << (REVERSED_INDEX_BITS - root_bits)]] =
					to->link | root_bits | width << 8 | begin << 16;
			}
			ZW_ASSERT(index < 1u << width);
			for (; index < 1u << width; index += 1u << (bits - root_bits))
				to->all[begin + index] = entry;
			code += 1u << (LITLEN_CODE_MAX_BITS - bits);
		}
	}
	return begin + (1u << width);
}

/* A root and its second tables, for a complete code.  Returns where the latter end in all[].
 * Codes of one length, in canonical order (RFC 1951 3.2.2), are scattered into a table of that many index bits, or of
 * TABLE_BASE_BITS, which is doubled for the next.  The first code of a length is even, so codes go in pairs that differ in their last
 * bit; behind an odd number of them the place of the next code, which is longer, gets an entry that it then overwrites. */
ZW_INLINE unsigned fill_table(const struct table_place *to, const struct table_source *src)
{
	uint32_t *const table = to->all + to->root;
	const unsigned root_bits = to->root_bits;
	unsigned max_bits = zw_highest_bit32(src->present);
	unsigned top_bits = max_bits < root_bits ? max_bits : root_bits;
	unsigned bits = zw_lowest_bit32(src->present);
	unsigned code = 0;                       /* a fraction of REVERSED_INDEX_BITS bits */

	ZW_ASSERT(src->present > 1 && max_bits <= LITLEN_CODE_MAX_BITS && root_bits >= TABLE_BASE_BITS);
	for (; bits <= root_bits; bits++) {
		const uint16_t *symbol = src->symbol + src->first[bits];
		const uint16_t *end = symbol + (bits <= top_bits ? src->count[bits] : 0);
		uint32_t add = bits * src->step;
		unsigned unit = (1u << REVERSED_INDEX_BITS) >> bits;

		if (bits > TABLE_BASE_BITS)
			zw_double_table(table, 1u << (bits - 1));
		for (; symbol < end; symbol += 2) {
			zw_put_pair(table + zw_reversed_index[code], bits, src->constant[(unsigned)symbol[0] - src->bias] + add,
				    src->constant[(unsigned)symbol[1] - src->bias] + add);
			code += 2 * unit;
		}
		code -= (unsigned)(symbol - end) * unit;
	}
	if (max_bits <= root_bits)
		return to->second;
	return fill_second_tables(to, code << (LITLEN_CODE_MAX_BITS - REVERSED_INDEX_BITS), src, max_bits);
}

/* A code of one symbol or none, of one bit; the other bit value, or both, is invalid. */
ZW_INLINE void fill_scarce_table(uint32_t *table, unsigned root_bits, uint32_t only, uint32_t invalid)
{
	for (unsigned i = 0; i < 1u << root_bits; i += 2) {
		table[i] = only;
		table[i + 1] = invalid;
	}
}

/* Both codes of a block, and whether they are complete. */
struct code_pair {
	uint16_t litlen_count[ROW_COUNT], dist_count[ROW_COUNT];
	struct table_source litlen, dist;
	bool     litlen_scarce;                  /* symbol 256 alone */
	bool     dist_scarce;                    /* no distance, or one of one bit */
};

/* Counts the codes.  The caller adds the symbols' constants. */
ZW_INLINE unsigned take_codes(const struct zw_code_rows *rows, unsigned litlen_count, struct code_pair *codes)
{
	uint32_t litlen_sum, dist_sum;

	for (unsigned bits = 0; bits < ROW_COUNT; bits++) {
		codes->litlen_count[bits] = (uint16_t)(rows->litlen_end[bits] - zw_row_start[bits]);
		codes->dist_count[bits] = (uint16_t)(rows->end[bits] - rows->litlen_end[bits]);
	}
	codes->litlen = (struct table_source){ .symbol = rows->symbol, .first = zw_row_start, .count = codes->litlen_count };
	codes->dist = (struct table_source){ .symbol = rows->symbol, .first = rows->litlen_end, .count = codes->dist_count, .bias = litlen_count };

	codes->litlen.present = zw_lanes16_nonzero(codes->litlen_count) & ~1u;
	litlen_sum = zw_lanes16_halving_sum(codes->litlen_count);
	codes->litlen_scarce = litlen_sum < KRAFT_FULL;
	if (litlen_sum > KRAFT_FULL || (codes->litlen_scarce && codes->litlen.present != 1u << 1))
		return ZW_TABLES_BAD_LITLEN;
	codes->dist.present = zw_lanes16_nonzero(codes->dist_count) & ~1u;
	dist_sum = zw_lanes16_halving_sum(codes->dist_count);
	codes->dist_scarce = dist_sum < KRAFT_FULL;
	if (dist_sum > KRAFT_FULL || (codes->dist_scarce && (codes->dist.present & ~(1u << 1))))
		return ZW_TABLES_BAD_DISTANCE;
	return ZW_TABLES_DONE;
}

/* The entry of the distance of a scarce code. */
ZW_INLINE uint32_t only_distance(const struct table_source *dist)
{
	return dist->constant[dist->present ? dist->symbol[dist->first[1]] - dist->bias : DIST_SYMBOL_COUNT] + dist->step;
}

/* build_tables() - Entry: every length was read and symbol 256 has one. */
ZW_INLINE unsigned build_tables_body(const struct zw_code_rows *rows, unsigned litlen_count, struct zw_decode_tables *tables)
{
	const struct table_place litlen_place = { tables->litlen, 0, 1u << LITLEN_ROOT_BITS, LITLEN_ROOT_BITS, LITLEN_SECOND_TABLE };
	const struct table_place dist_place = { tables->dist, 0, 1u << DIST_ROOT_BITS, DIST_ROOT_BITS, DIST_SPECIAL };
	unsigned litlen_used = 1u << LITLEN_ROOT_BITS, dist_used = 1u << DIST_ROOT_BITS, bad;
	struct code_pair codes;

	bad = take_codes(rows, litlen_count, &codes);
	if (bad)
		return bad;
	codes.litlen.constant = zw_litlen_constant;
	codes.litlen.step = LITLEN_STEP;
	codes.dist.constant = zw_dist_constant;
	codes.dist.step = DIST_STEP;
	if (codes.litlen_scarce)
		fill_scarce_table(tables->litlen, LITLEN_ROOT_BITS, zw_litlen_constant[SYMBOL_END_OF_BLOCK] + LITLEN_STEP,
				  zw_litlen_constant[LITLEN_SYMBOL_COUNT] + LITLEN_STEP);
	else
		litlen_used = fill_table(&litlen_place, &codes.litlen);
	if (codes.dist_scarce)
		fill_scarce_table(tables->dist, DIST_ROOT_BITS, only_distance(&codes.dist), zw_dist_constant[DIST_SYMBOL_COUNT] + DIST_STEP);
	else
		dist_used = fill_table(&dist_place, &codes.dist);
	ZW_ASSERT(litlen_used <= LITLEN_TABLE_ENTRIES && dist_used <= DIST_TABLE_ENTRIES);
	tables->used_entries = (uint16_t)(litlen_used + dist_used);
	return ZW_TABLES_DONE;
}

/* build_ahead_tables() - the same for looking ahead.
 * SPEED(M45): small bodies have short codes, and a root of half the size is half the lines to write. */
ZW_INLINE unsigned build_ahead_tables_body(const struct zw_code_rows *rows, unsigned litlen_count, struct zw_ahead_tables *tables)
{
	struct table_place place = { tables->entry, 0, AHEAD_SECOND, AHEAD_ROOT_BITS, AHEAD_SPECIAL };
	struct code_pair codes;
	unsigned bad, max_bits;

	bad = take_codes(rows, litlen_count, &codes);
	if (bad)
		return bad;
	max_bits = zw_highest_bit32(codes.litlen.present | codes.dist.present);
	if (max_bits < AHEAD_ROOT_BITS)
		place.root_bits = max_bits;
	codes.litlen.constant = zw_ahead_litlen_constant;
	codes.dist.constant = zw_ahead_dist_constant;
	codes.litlen.step = codes.dist.step = AHEAD_STEP;
	if (codes.litlen_scarce)
		fill_scarce_table(tables->entry, place.root_bits, zw_ahead_litlen_constant[SYMBOL_END_OF_BLOCK] + AHEAD_STEP,
				  zw_ahead_litlen_constant[LITLEN_SYMBOL_COUNT] + AHEAD_STEP);
	else
		place.second = fill_table(&place, &codes.litlen);
	place.root = AHEAD_DIST;
	if (codes.dist_scarce)
		fill_scarce_table(tables->entry + AHEAD_DIST, place.root_bits, only_distance(&codes.dist),
				  zw_ahead_dist_constant[DIST_SYMBOL_COUNT] + AHEAD_STEP);
	else
		place.second = fill_table(&place, &codes.dist);
	ZW_ASSERT(place.second <= AHEAD_ENTRIES);
	tables->used_entries = (uint16_t)place.second;
	tables->index_mask = (uint16_t)((1u << place.root_bits) - 1);
	return ZW_TABLES_DONE;
}

#endif
