/* SPDX-License-Identifier: Zlib */
/* table_body.h - decode tables out of rows of symbols.
 * Takes: the rows of length_body.h.  Gives: a litlen and a distance table, or which of the two codes is not one.
 * Never: looks at bits. */
#ifndef ZW_INFLATE_TABLE_BODY_H
#define ZW_INFLATE_TABLE_BODY_H

#include "inflate/symbol_run.h"

typedef uint16_t u16x8 __attribute__((vector_size(16)));  /* the compiler makes of it what the target has */

#define KRAFT_FULL (1u << LITLEN_CODE_MAX_BITS)            /* a complete code uses exactly this many 2^-15ths */

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

/* Space that the code takes; *present_ret gets a bit for each length that occurs. */
ZW_INLINE uint32_t kraft_sum(const uint16_t count[ROW_COUNT], uint32_t *present_ret)
{
	uint32_t sum = 0, present = 0;

	for (unsigned bits = 1; bits < ROW_COUNT; bits++) {
		sum += (uint32_t)count[bits] << (LITLEN_CODE_MAX_BITS - bits);
		present |= (uint32_t)(count[bits] != 0) << bits;
	}
	*present_ret = present;
	return sum;
}

ZW_INLINE u16x8 reverse_bits(u16x8 v)
{
	v = (v >> 1 & 0x5555) | (v & 0x5555) << 1;
	v = (v >> 2 & 0x3333) | (v & 0x3333) << 2;
	v = (v >> 4 & 0x0f0f) | (v & 0x0f0f) << 4;
	return v >> 8 | v << 8;
}

/* The bit-reversed codes, shortest first, in canonical order (RFC 1951 3.2.2), eight at a time. */
ZW_INLINE void reversed_codes(uint16_t *codes, const uint16_t *count, uint32_t present)
{
	const u16x8 lane = { 0, 1, 2, 3, 4, 5, 6, 7 };
	uint32_t code = 0;                       /* as a 16-bit fraction */

	for (; present; present &= present - 1) {
		unsigned bits = zw_lowest_bit32(present);
		uint16_t unit = (uint16_t)(0x10000u >> bits);
		u16x8 v = lane * unit + (uint16_t)code;

		for (unsigned i = 0; i < count[bits]; i += 8) {
			u16x8 r = reverse_bits(v);

			memcpy(codes + i, &r, sizeof r);
			v += (uint16_t)(unit << 3);
		}
		codes += count[bits];
		code += (uint32_t)count[bits] * unit;
	}
}

/* table[size .. 2 * size) = table[0 .. size), TABLE_COPY_ENTRIES at least. */
ZW_INLINE void double_table(uint32_t *table, unsigned size)
{
	unsigned i = 0;

	do {
		uint32_t step[TABLE_COPY_ENTRIES];

		memcpy(step, table + i, sizeof step);
		memcpy(table + size + i, step, sizeof step);
		i += TABLE_COPY_ENTRIES;
	} while (i < size);
}

/* The second tables: one for each root prefix, wide enough for the codes that share it.  Returns entries used. */
ZW_INLINE unsigned fill_second_tables(uint32_t *table, const uint16_t *code, const struct table_source *src, unsigned root_bits,
				      unsigned max_bits, uint32_t link)
{
	unsigned prefix = ~0u, begin = 1u << root_bits, width = 0;

	for (unsigned bits = root_bits + 1; bits <= max_bits; bits++) {
		const uint16_t *symbol = src->symbol + src->first[bits];
		uint32_t add = (bits - root_bits) * src->step;

		for (unsigned left = src->count[bits]; left; left--) {
			unsigned at_root = *code & ((1u << root_bits) - 1), index = (unsigned)*code++ >> root_bits;
			uint32_t entry = src->constant[(unsigned)*symbol++ - src->bias] + add;

			if (at_root != prefix) {
				unsigned have = left;

				if (prefix != ~0u)
					begin += 1u << width;
				prefix = at_root;
				for (width = bits - root_bits; have < 1u << width;) {
					width++;
					have = 2 * have + src->count[root_bits + width];
				}
				table[at_root] = link | root_bits | width << 8 | begin << 16;
			}
			ZW_ASSERT(index < 1u << width);
			for (; index < 1u << width; index += 1u << (bits - root_bits))
				table[begin + index] = entry;
		}
	}
	return begin + (1u << width);
}

/* table[0 .. 2^root_bits) and the second tables behind it, for a complete code.  Returns entries used.
 * Codes of one length are scattered into a table of that many index bits, which is then doubled. */
ZW_INLINE unsigned fill_table(uint32_t *table, const struct table_source *src, unsigned root_bits, uint32_t link)
{
	uint16_t codes[LITLEN_CODE_COUNT + 2 * TABLE_COPY_ENTRIES];
	const uint16_t *code = codes;
	unsigned max_bits = zw_highest_bit32(src->present);
	unsigned top_bits = max_bits < root_bits ? max_bits : root_bits;
	unsigned bits = zw_lowest_bit32(src->present);

	ZW_ASSERT(src->present > 1 && max_bits <= LITLEN_CODE_MAX_BITS);
	reversed_codes(codes, src->count, src->present);
	for (; bits <= top_bits; bits++) {
		const uint16_t *symbol = src->symbol + src->first[bits];
		const uint16_t *end = symbol + src->count[bits];
		uint32_t add = bits * src->step;

		while (symbol < end)
			table[*code++] = src->constant[(unsigned)*symbol++ - src->bias] + add;
		if (bits < root_bits)
			double_table(table, 1u << bits);
	}
	for (; bits < root_bits; bits++)
		double_table(table, 1u << bits);
	if (max_bits <= root_bits)
		return 1u << root_bits;
	return fill_second_tables(table, code, src, root_bits, max_bits, link);
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
	unsigned root_bits, used;
	uint32_t sum;

	for (unsigned bits = 0; bits < ROW_COUNT; bits++) {
		litlen_count_of[bits] = (uint16_t)(rows->litlen_end[bits] - zw_row_start[bits]);
		dist_count_of[bits] = (uint16_t)(rows->end[bits] - rows->litlen_end[bits]);
	}

	sum = kraft_sum(litlen_count_of, &litlen.present);
	if (sum > KRAFT_FULL || (sum < KRAFT_FULL && litlen.present != 1u << 1))
		return ZW_TABLES_BAD_LITLEN;
	root_bits = zw_highest_bit32(litlen.present);
	if (root_bits > LITLEN_ROOT_BITS)
		root_bits = LITLEN_ROOT_BITS;
	tables->litlen_mask = (1u << root_bits) - 1;
	if (sum < KRAFT_FULL) {                  /* symbol 256 alone, one bit; the other bit value is nothing */
		tables->litlen[0] = zw_litlen_constant[SYMBOL_END_OF_BLOCK] + LITLEN_STEP;
		tables->litlen[1] = zw_litlen_constant[LITLEN_SYMBOL_COUNT] + LITLEN_STEP;
		used = 2;
	} else {
		used = fill_table(tables->litlen, &litlen, root_bits, LITLEN_SECOND_TABLE);
	}
	ZW_ASSERT(used <= LITLEN_TABLE_ENTRIES);

	sum = kraft_sum(dist_count_of, &dist.present);
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
