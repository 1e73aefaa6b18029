/* SPDX-License-Identifier: Zlib */
/* join_symbols.c - makes one entry of two symbols where the bits of both fit the index of the litlen table.
 * Takes: both tables of a block.  Gives: a litlen table with matches that need no second look-up, and with pairs of literals.
 * Why: the symbol loop's time is that of one look-up after the other (M12); in pages by zlib three matches of four fit. */
#include "inflate/inflate_state.h"

#define FIRST_MAX_BITS  7u                   /* codes of more bits leave too few for a second symbol */
#define FIRST_COUNT     (1u << FIRST_MAX_BITS)
#define SECOND_MAX_BITS DIST_ROOT_BITS
#define SECOND_COUNT    (1u << SECOND_MAX_BITS)

#define SHORT_LITERAL_BITS      5u
#define SHORT_LITERAL_MIN_COUNT 6u           /* pairs are looked for where literals of up to so many bits have so many 32nds of all codes */

/* What the second symbol adds to the entry of the first, by the bits behind the first.  It needs need_mask's bits of that. */
struct second_symbols {
	uint32_t add[SECOND_COUNT];
	uint32_t need_mask;
	unsigned need_shift;
};

#define DISTANCE_NEED_SHIFT 16u              /* a distance's code bits are where they have to be added */
#define NEVER_FITS          15u

static void find_distances(const uint32_t *dist, struct second_symbols *second)
{
	second->need_shift = DISTANCE_NEED_SHIFT;
	second->need_mask = UINT32_C(15) << DISTANCE_NEED_SHIFT;
	for (unsigned i = 0; i < SECOND_COUNT; i++) {
		uint32_t entry = dist[i], code_bits = entry >> 8 & 15, bits = zw_entry_bits(entry);
		uint32_t special = (uint32_t)((int32_t)entry >> 31); /* all ones if it is */

		second->add[i] = bits | code_bits << 16 | (bits - code_bits) << 24 | (entry & 0xc000) << 14 |
				 (special & NEVER_FITS << DISTANCE_NEED_SHIFT);
	}
}

static void find_second_literals(const uint32_t *litlen, struct second_symbols *second)
{
	second->need_shift = 0;
	second->need_mask = 63;
	for (unsigned i = 0; i < SECOND_COUNT; i++) {
		uint32_t entry = litlen[i], bits = zw_entry_bits(entry);
		bool fits = zw_is_literal(entry) && bits <= SECOND_MAX_BITS;

		second->add[i] = fits ? bits | (entry & 0xff00) << 8 : NEVER_FITS;
	}
}

/* The indices of entries of up to FIRST_MAX_BITS bits whose flags are these; of each symbol one. */
static unsigned find_first_symbols(const uint32_t *litlen, uint32_t flags, uint8_t list[FIRST_COUNT])
{
	unsigned count = 0;

	for (unsigned i = 0; i < FIRST_COUNT; i++) {
		unsigned bits = zw_entry_bits(litlen[i]);
		uint32_t other = (litlen[i] & LITLEN_SECOND_TABLE) ^ flags;

		list[count] = (uint8_t)i;        /* without branches: nobody could predict them */
		count += (bits <= FIRST_MAX_BITS) & (i >> bits == 0) & (other == 0);
	}
	return count;
}

/* Every entry of the symbol that has index i: first, and what the second symbol adds, if that fits. */
static void put_joined(uint32_t *litlen, unsigned i, unsigned bits, uint32_t first, const struct second_symbols *second)
{
	const uint32_t alone = litlen[i], room = (LITLEN_ROOT_BITS - bits) << second->need_shift;

	for (unsigned rest = 0; i <= LITLEN_INDEX_MASK; rest++, i += 1u << bits) {
		uint32_t add = second->add[rest % SECOND_COUNT];

		litlen[i] = (add & second->need_mask) <= room ? first + add : alone;
	}
}

static void join_matches(struct zw_decode_tables *tables)
{
	struct second_symbols second;
	uint8_t list[FIRST_COUNT];
	unsigned count = find_first_symbols(tables->litlen, LITLEN_NOT_LITERAL | LITLEN_SPLIT, list);

	find_distances(tables->dist, &second);
	for (unsigned k = 0; k < count; k++) {
		uint32_t entry = tables->litlen[list[k]], bits = zw_entry_bits(entry);
		uint32_t length = zw_match_length(false, entry, (uint64_t)list[k] << INDEX_SHIFT) - MATCH_MIN_BYTES;

		put_joined(tables->litlen, list[k], bits, LITLEN_NOT_LITERAL | bits | length << 8 | (bits + INDEX_SHIFT) << 16, &second);
	}
}

static bool has_short_literals(const uint32_t *litlen)
{
	unsigned count = 0;

	for (unsigned i = 0; i < 1u << SHORT_LITERAL_BITS; i++)
		count += zw_is_literal(litlen[i]) && zw_entry_bits(litlen[i]) <= SHORT_LITERAL_BITS;
	return count >= SHORT_LITERAL_MIN_COUNT;
}

static void join_literals(struct zw_decode_tables *tables)
{
	struct second_symbols second;
	uint8_t list[FIRST_COUNT];
	unsigned count = find_first_symbols(tables->litlen, 0, list);

	find_second_literals(tables->litlen, &second);
	for (unsigned k = 0; k < count; k++) {
		uint32_t entry = tables->litlen[list[k]], bits = zw_entry_bits(entry);

		put_joined(tables->litlen, list[k], bits, LITLEN_TWO_BYTES | bits | (entry & 0xff00) | bits << 24, &second);
	}
}

/* The more bits the end of block has, which occurs once, the more symbols the block has. */
void zw_join_symbols(struct zw_decode_tables *tables, unsigned end_of_block_bits)
{
	if (end_of_block_bits < JOIN_MIN_END_OF_BLOCK_BITS)
		return;
	if (has_short_literals(tables->litlen))
		join_literals(tables);
	join_matches(tables);
}
