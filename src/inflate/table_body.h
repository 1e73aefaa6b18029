/* SPDX-License-Identifier: Zlib */
/* table_body.h - decode tables out of rows of symbols.
 * Takes: the rows of length_body.h.  Gives: a litlen and a distance table, or which of the two codes is not one.
 * Never: looks at bits. */
#ifndef ZW_INFLATE_TABLE_BODY_H
#define ZW_INFLATE_TABLE_BODY_H

#include "cpu/lanes16.h"

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

/* The second tables: one for each root prefix, wide enough for the codes that share it.  code: of the first symbol, as a 15-bit
 * fraction.  Returns entries used. */
ZW_INLINE unsigned fill_second_tables(uint32_t *table, unsigned code, const struct table_source *src, unsigned root_bits,
				      unsigned max_bits, uint32_t link)
{
	const unsigned behind_root = LITLEN_CODE_MAX_BITS - root_bits;
	unsigned prefix = ~0u, begin = 1u << root_bits, width = 0;

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
				table[zw_reversed_index[prefix << (REVERSED_INDEX_BITS - root_bits)]] =
					link | root_bits | width << 8 | begin << 16;
			}
			ZW_ASSERT(index < 1u << width);
			for (; index < 1u << width; index += 1u << (bits - root_bits))
				table[begin + index] = entry;
			code += 1u << (LITLEN_CODE_MAX_BITS - bits);
		}
	}
	return begin + (1u << width);
}

/* table[0 .. 2^root_bits) and the second tables behind it, for a complete code.  Returns entries used.
 * Codes of one length, in canonical order (RFC 1951 3.2.2), are scattered into a table of that many index bits, which is then
 * doubled.  The first code of a length is even, so codes go in pairs that differ in their last bit; behind an odd number of them
 * the place of the next code, which is longer, gets an entry that it then overwrites. */
ZW_INLINE unsigned fill_table(uint32_t *table, const struct table_source *src, unsigned root_bits, uint32_t link)
{
	unsigned max_bits = zw_highest_bit32(src->present);
	unsigned top_bits = max_bits < root_bits ? max_bits : root_bits;
	unsigned bits = zw_lowest_bit32(src->present);
	unsigned code = 0;                       /* a fraction of REVERSED_INDEX_BITS bits */

	ZW_ASSERT(src->present > 1 && max_bits <= LITLEN_CODE_MAX_BITS);
	for (; bits <= top_bits; bits++) {
		const uint16_t *symbol = src->symbol + src->first[bits];
		const uint16_t *end = symbol + src->count[bits];
		uint32_t add = bits * src->step;
		size_t last_bit = (size_t)1 << (bits - 1); /* in a reversed code */
		unsigned unit = (1u << REVERSED_INDEX_BITS) >> bits;

		for (; symbol < end; symbol += 2) {
			uint32_t *pair = table + zw_reversed_index[code];

			pair[0] = src->constant[(unsigned)symbol[0] - src->bias] + add;
			pair[last_bit] = src->constant[(unsigned)symbol[1] - src->bias] + add;
			code += 2 * unit;
		}
		code -= (unsigned)(symbol - end) * unit;
		if (bits < root_bits)
			zw_double_table(table, 1u << bits);
	}
	for (; bits < root_bits; bits++)
		zw_double_table(table, 1u << bits);
	if (max_bits <= root_bits)
		return 1u << root_bits;
	return fill_second_tables(table, code << (LITLEN_CODE_MAX_BITS - REVERSED_INDEX_BITS), src, root_bits, max_bits, link);
}

/* A distance code that is not complete: no code at all, or one of one bit.  Everything else in it is invalid. */
ZW_INLINE unsigned fill_scarce_distances(uint32_t *table, const struct table_source *src)
{
	uint32_t invalid = zw_dist_constant[DIST_SYMBOL_COUNT] + DIST_STEP;
	uint32_t only = invalid;

	if (src->present)
		only = zw_dist_constant[src->symbol[src->first[1]] - src->bias] + DIST_STEP;
	for (unsigned i = 0; i < 1u << DIST_ROOT_BITS; i += 2) {
		table[i] = only;
		table[i + 1] = invalid;
	}
	return 1u << DIST_ROOT_BITS;
}

/* build_tables() - Entry: every length was read and symbol 256 has one. */
ZW_INLINE unsigned build_tables_body(const struct zw_code_rows *rows, unsigned litlen_count, struct zw_decode_tables *tables)
{
	uint16_t litlen_count_of[ROW_COUNT], dist_count_of[ROW_COUNT];
	struct table_source litlen = { rows->symbol, zw_row_start, litlen_count_of, 0, zw_litlen_constant, LITLEN_STEP, 0 };
	struct table_source dist = { rows->symbol, rows->litlen_end, dist_count_of, litlen_count, zw_dist_constant, DIST_STEP, 0 };
	unsigned used;
	uint32_t sum;

	for (unsigned bits = 0; bits < ROW_COUNT; bits++) {
		litlen_count_of[bits] = (uint16_t)(rows->litlen_end[bits] - zw_row_start[bits]);
		dist_count_of[bits] = (uint16_t)(rows->end[bits] - rows->litlen_end[bits]);
	}

	litlen.present = zw_lanes16_nonzero(litlen_count_of) & ~1u;
	sum = zw_lanes16_halving_sum(litlen_count_of);
	if (sum > KRAFT_FULL || (sum < KRAFT_FULL && litlen.present != 1u << 1))
		return ZW_TABLES_BAD_LITLEN;
	if (sum < KRAFT_FULL) {                  /* symbol 256 alone, one bit; the other bit value is nothing */
		for (unsigned i = 0; i <= LITLEN_INDEX_MASK; i += 2) {
			tables->litlen[i] = zw_litlen_constant[SYMBOL_END_OF_BLOCK] + LITLEN_STEP;
			tables->litlen[i + 1] = zw_litlen_constant[LITLEN_SYMBOL_COUNT] + LITLEN_STEP;
		}
		used = LITLEN_INDEX_MASK + 1;
	} else {
		used = fill_table(tables->litlen, &litlen, LITLEN_ROOT_BITS, LITLEN_SECOND_TABLE);
	}
	ZW_ASSERT(used <= LITLEN_TABLE_ENTRIES);

	dist.present = zw_lanes16_nonzero(dist_count_of) & ~1u;
	sum = zw_lanes16_halving_sum(dist_count_of);
	if (sum > KRAFT_FULL || (sum < KRAFT_FULL && (dist.present & ~(1u << 1))))
		return ZW_TABLES_BAD_DISTANCE;
	tables->used_entries = used;
	used = sum < KRAFT_FULL ? fill_scarce_distances(tables->dist, &dist)
				: fill_table(tables->dist, &dist, DIST_ROOT_BITS, DIST_SPECIAL);
	ZW_ASSERT(used <= DIST_TABLE_ENTRIES);
	tables->used_entries += used;
	return ZW_TABLES_DONE;
}

#endif
