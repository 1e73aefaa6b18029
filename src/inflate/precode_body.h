/* SPDX-License-Identifier: Zlib */
/* precode_body.h - the decode table of the precode, the code that code lengths are written in (RFC 1951 3.2.7).
 * Takes: its 19 lengths as they stand in the stream, 3 bits each.  Gives: a table of as many index bits as the longest code. */
#ifndef ZW_INFLATE_PRECODE_BODY_H
#define ZW_INFLATE_PRECODE_BODY_H

#include "inflate/symbol_run.h"
#include "inflate/table_double.h"

#define PRECODE_CODES (1u << PRECODE_MAX_BITS)

/* Where each symbol's field stands: the stream has them in the order 16 17 18 0 8 7 9 6 ... */
static const uint8_t precode_field_at[PRECODE_SYMBOL_COUNT] = { 9, 51, 45, 39, 33, 27, 21, 15, 12, 18, 24, 30, 36, 42, 48, 54, 0, 3, 6 };

/* Space that the code takes of PRECODE_CODES.  counts: how many codes have each of the lengths 0 to 7, a byte each. */
ZW_INLINE unsigned precode_space(uint64_t counts)
{
	unsigned space = 0;

	ZW_UNROLL(7)
	for (unsigned bits = 1; bits <= PRECODE_MAX_BITS; bits++)
		space += (unsigned)(counts >> (8 * bits) & 255) << (PRECODE_MAX_BITS - bits);
	return space;
}

/* False: not a complete code.  *mask_ret: index bits of the table.  The counters of the eight lengths are the bytes of one word,
 * so the prefix sums are one multiplication. */
ZW_INLINE bool build_precode_body(uint32_t *table, uint64_t fields, uint32_t *mask_ret)
{
	const uint64_t eighths = fields << 3;    /* a field masked with 56 is the length times 8: a shift count */
	uint64_t counts = 0, place;
	uint32_t sorted[2 * PRECODE_SYMBOL_COUNT + 1];
	const uint32_t *next = sorted;
	unsigned code = 0, top_bits;

	ZW_UNROLL(19)
	for (unsigned i = 0; i < PRECODE_SYMBOL_COUNT; i++)
		counts += UINT64_C(1) << (eighths >> (PRECODE_FIELD_BITS * i) & 56);
	counts &= ~UINT64_C(255);
	if (!counts) {                           /* KEEP-STOCK: every code length is 0, one bit each; ends as no end-of-block code */
		table[0] = zw_precode_constant[0] + PRECODE_STEP;
		*mask_ret = 0;
		return true;
	}
	if (precode_space(counts) != PRECODE_CODES)
		return false;

	place = counts * UINT64_C(0x0101010101010100) + PRECODE_SYMBOL_COUNT + 1; /* symbols without a code go behind */
	ZW_UNROLL(19)
	for (unsigned symbol = 0; symbol < PRECODE_SYMBOL_COUNT; symbol++) {
		uint64_t eighth = eighths >> precode_field_at[symbol] & 56;

		sorted[place >> eighth & 255] = zw_precode_constant[symbol];
		place += UINT64_C(1) << eighth;
	}
	top_bits = (63 - zw_leading_zeros64(counts)) >> 3;
	for (unsigned bits = 1; bits <= top_bits; bits++) {
		const uint32_t *end = next + (counts >> (8 * bits) & 255);
		unsigned unit = (1u << REVERSED_INDEX_BITS) >> bits;

		if (bits > TABLE_BASE_BITS)
			zw_double_table(table, 1u << (bits - 1));
		for (; next < end; next += 2) {  /* pairs, as in fill_table() */
			zw_put_pair(table + zw_reversed_index[code], bits, next[0] + bits * PRECODE_STEP, next[1] + bits * PRECODE_STEP);
			code += 2 * unit;
		}
		code -= (unsigned)(next - end) * unit;
		next = end;
	}
	*mask_ret = (1u << top_bits) - 1;
	return true;
}

#endif
