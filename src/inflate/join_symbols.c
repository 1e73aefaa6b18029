/* SPDX-License-Identifier: Zlib */
/* join_symbols.c - makes one entry of two symbols where the bits of both fit the index of the litlen table.
 * Takes: both tables of a block.  Gives: a litlen table with matches that need no second look-up, and with pairs of literals.
 * Why: the symbol loop's time is that of one look-up after the other (M12). */
#include "inflate/inflate_state.h"

#define FIRST_MAX_BITS  7u                   /* codes of more bits leave too few for a second symbol */
static_assert((FIRST_MAX_BITS & (FIRST_MAX_BITS + 1)) == 0, "more bits than that have one of the others set");
#define FIRST_COUNT     (1u << FIRST_MAX_BITS)
#define SECOND_MAX_BITS DIST_ROOT_BITS
#define SECOND_COUNT    (1u << SECOND_MAX_BITS)

#define SHORT_LITERAL_BITS      5u
#define SHORT_LITERAL_MIN_COUNT 6u           /* symbols are joined where literals of up to so many bits have so many 32nds of all codes */

/* Entries are made in steps of as many as stand in a vector. */
#define STEP 4u
typedef uint32_t entry_step __attribute__((vector_size(STEP * sizeof(uint32_t))));
typedef int32_t  flag_step  __attribute__((vector_size(STEP * sizeof(uint32_t))));

static_assert(1u << (LITLEN_ROOT_BITS - FIRST_MAX_BITS) >= STEP, "each first symbol has a step of second ones");

static entry_step load_step(const uint32_t *from)
{
	entry_step step;

	memcpy(&step, from, sizeof step);
	return step;
}

struct first_symbols {
	uint8_t  index[FIRST_COUNT + 1];         /* of each symbol one */
	unsigned count;
};

/* What the second symbol adds to the entry of the first, by the bits behind the first.  It needs need_mask's bits of that. */
struct second_symbols {
	uint32_t add[SECOND_COUNT];
	uint32_t need_mask;
	unsigned need_shift;
};

#define DISTANCE_NEED_SHIFT 16u              /* a distance's code bits are where they have to be added */
#define NEVER_FITS          15u

/* The entries of up to FIRST_MAX_BITS bits whose flags are these. */
static void find_first_symbols(const uint32_t *litlen, uint32_t flags, struct first_symbols *first)
{
	unsigned count = 0;

	for (unsigned i = 0; i < FIRST_COUNT; i++) { /* without branches: nobody could predict them */
		uint32_t bits = zw_entry_bits(litlen[i]), other = (litlen[i] & LITLEN_SECOND_TABLE) ^ flags;

		first->index[count] = (uint8_t)i;
		count += (i >> bits | other | (bits & ~FIRST_MAX_BITS)) == 0;
	}
	first->count = count;
}

/* How many second symbols the first ones of the fewest bits leave room for. */
static unsigned second_count(const uint32_t *litlen, const struct first_symbols *first)
{
	unsigned least_bits = LITLEN_ROOT_BITS;

	for (unsigned k = 0; k < first->count; k++) {
		unsigned bits = zw_entry_bits(litlen[first->index[k]]);

		least_bits = bits < least_bits ? bits : least_bits;
	}
	return least_bits + SECOND_MAX_BITS < LITLEN_ROOT_BITS ? SECOND_COUNT : 1u << (LITLEN_ROOT_BITS - least_bits);
}

static void find_distances(const uint32_t *dist, unsigned count, struct second_symbols *second)
{
	second->need_shift = DISTANCE_NEED_SHIFT;
	second->need_mask = UINT32_C(15) << DISTANCE_NEED_SHIFT;
	for (unsigned i = 0; i < count; i += STEP) {
		entry_step entry = load_step(dist + i), code_bits = entry >> 8 & 15, bits = entry & 63;
		entry_step special = (entry_step)((flag_step)entry >> 31); /* all ones if it is */
		entry_step add = bits | code_bits << 16 | (bits - code_bits) << 24 | (entry & 0xc000) << 14 |
				    (special & NEVER_FITS << DISTANCE_NEED_SHIFT);

		memcpy(second->add + i, &add, sizeof add);
	}
}

static entry_step literals_up_to(entry_step entry, unsigned bits)
{
	return (entry_step)((flag_step)(entry & (LITLEN_NOT_LITERAL | 63)) <= (int32_t)bits); /* signed: SSE2 has only that */
}

static void find_second_literals(const uint32_t *litlen, unsigned count, struct second_symbols *second)
{
	second->need_shift = 0;
	second->need_mask = 63;
	for (unsigned i = 0; i < count; i += STEP) {
		entry_step entry = load_step(litlen + i), fits = literals_up_to(entry, SECOND_MAX_BITS);
		entry_step add = (fits & ((entry & 63) | (entry & 0xff00) << 8)) | (~fits & NEVER_FITS);

		memcpy(second->add + i, &add, sizeof add);
	}
}

/* Every entry of the symbol that has index i: first, and what the second symbol adds, if that fits. */
static void put_joined(uint32_t *litlen, unsigned i, unsigned bits, uint32_t first, const struct second_symbols *second)
{
	const int32_t room = (int32_t)((LITLEN_ROOT_BITS - bits) << second->need_shift);
	const uint32_t alone = litlen[i];
	const size_t apart = (size_t)1 << bits;
	uint32_t *to = litlen + i;

	for (unsigned rest = 0; rest < 1u << (LITLEN_ROOT_BITS - bits); rest += STEP, to += STEP * apart) {
		entry_step add = load_step(second->add + rest % SECOND_COUNT);
		entry_step fits = (entry_step)((flag_step)(add & second->need_mask) <= room);
		entry_step entry = (fits & (add + first)) | (~fits & alone);

		to[0] = entry[0];
		to[apart] = entry[1];
		to[2 * apart] = entry[2];
		to[3 * apart] = entry[3];
	}
}

static void join_matches(struct zw_decode_tables *tables)
{
	struct second_symbols second;
	struct first_symbols first;

	find_first_symbols(tables->litlen, LITLEN_NOT_LITERAL | LITLEN_SPLIT, &first);
	find_distances(tables->dist, second_count(tables->litlen, &first), &second);
	for (unsigned k = 0; k < first.count; k++) {
		unsigned i = first.index[k], bits = zw_entry_bits(tables->litlen[i]);
		uint32_t length = (uint32_t)zw_match_length(false, tables->litlen[i], (uint64_t)i << INDEX_SHIFT) - MATCH_MIN_BYTES;

		put_joined(tables->litlen, i, bits, LITLEN_NOT_LITERAL | bits | length << 8 | (bits + INDEX_SHIFT) << 16, &second);
	}
}

static bool has_short_literals(const uint32_t *litlen)
{
	entry_step counts = { 0 };
	unsigned count = 0;

	for (unsigned i = 0; i < 1u << SHORT_LITERAL_BITS; i += STEP)
		counts -= literals_up_to(load_step(litlen + i), SHORT_LITERAL_BITS); /* all ones: -1 */
	for (unsigned k = 0; k < STEP; k++)
		count += counts[k];
	return count >= SHORT_LITERAL_MIN_COUNT;
}

static void join_literals(struct zw_decode_tables *tables)
{
	struct second_symbols second;
	struct first_symbols first;

	find_first_symbols(tables->litlen, 0, &first);
	find_second_literals(tables->litlen, second_count(tables->litlen, &first), &second);
	for (unsigned k = 0; k < first.count; k++) {
		unsigned i = first.index[k], bits = zw_entry_bits(tables->litlen[i]);

		put_joined(tables->litlen, i, bits, LITLEN_TWO_BYTES | bits | (tables->litlen[i] & 0xff00) | bits << 24, &second);
	}
}

/* The more bits the end of block has, which occurs once, the more symbols the block has.
 * SPEED(M24): whether a match is whole is one more branch to guess.  In numbers, where literals are short, it costs less than the
 * look-ups that it saves; in pages and scripts more, unless the predictor has learnt the body. */
void zw_join_symbols(struct zw_decode_tables *tables, unsigned end_of_block_bits)
{
	if (end_of_block_bits < JOIN_MIN_END_OF_BLOCK_BITS || !has_short_literals(tables->litlen))
		return;
	join_literals(tables);
	join_matches(tables);
}
