/* SPDX-License-Identifier: Zlib */
/* ahead_join.c - makes one entry of a length and its distance where the bits of both codes fit the index of the litlen table.
 * Takes: the tables of a block.  Gives: a litlen table in which many matches need no second look-up (SPEED: M12, M34). */
#include "inflate/inflate_state.h"

#define LENGTH_MAX_BITS 7u                   /* lengths of more bits, extra ones included, leave too few for a distance */
#define LENGTH_COUNT    (1u << LENGTH_MAX_BITS)
static_assert((LENGTH_MAX_BITS & (LENGTH_MAX_BITS + 1)) == 0, "more bits than that have one of the others set");

/* Entries are made in steps of as many as stand in a vector. */
#define STEP 4u
typedef uint32_t entry_step __attribute__((vector_size(STEP * sizeof(uint32_t))));
typedef int32_t  flag_step  __attribute__((vector_size(STEP * sizeof(uint32_t))));

static_assert(1u << (AHEAD_ROOT_BITS - LENGTH_MAX_BITS) >= STEP, "each length has a step of distances");

/* The first index of each length of up to LENGTH_MAX_BITS bits.  Returns how many. */
static unsigned find_lengths(const uint32_t *litlen, uint8_t index_ret[LENGTH_COUNT + 1])
{
	unsigned count = 0;

	for (unsigned i = 0; i < LENGTH_COUNT; i++) { /* without branches: nobody could predict them */
		uint32_t bits = zw_entry_bits(litlen[i]), other = (litlen[i] & (AHEAD_LENGTH | AHEAD_SPECIAL)) ^ AHEAD_LENGTH;

		index_ret[count] = (uint8_t)i;
		count += (i >> bits | other | (bits & ~LENGTH_MAX_BITS)) == 0;
	}
	return count;
}

/* Every entry of the length at index i: what the distance behind it adds, if that fits. */
static void join_length(uint32_t *litlen, unsigned i, const uint32_t *dist)
{
	const uint32_t alone = litlen[i], bits = zw_entry_bits(alone);
	const uint32_t length = zw_ahead_value(alone, i) + MATCH_MIN_BYTES;
	const uint32_t add = (length << 24) + bits - AHEAD_SPLIT;
	const size_t apart = (size_t)1 << bits;
	uint32_t *to = litlen + i;

	if (length > WHOLE_LENGTH_MAX)
		return;
	for (unsigned behind = 0; behind < 1u << (AHEAD_ROOT_BITS - bits); behind += STEP, to += STEP * apart) {
		entry_step entry, fits;
		flag_step extra_bits, code_bits;

		memcpy(&entry, dist + behind, sizeof entry);
		extra_bits = (flag_step)(entry >> 6 & 31);
		code_bits = (flag_step)(entry & 63) - extra_bits;
		fits = (entry_step)(code_bits <= (int32_t)(AHEAD_ROOT_BITS - bits)) & (entry_step)(extra_bits <= (int32_t)WHOLE_EXTRA_MAX_BITS)
		       & (entry_step)((flag_step)(entry & AHEAD_SPECIAL) == 0);
		entry = (fits & (entry + add)) | (~fits & alone);
		to[0] = entry[0];
		to[apart] = entry[1];
		to[2 * apart] = entry[2];
		to[3 * apart] = entry[3];
	}
}

void zw_ahead_join(struct zw_ahead_tables *tables)
{
	uint8_t index[LENGTH_COUNT + 1];
	unsigned count = find_lengths(tables->entry, index);

	ZW_ASSERT(tables->index_mask == AHEAD_ROOT_ENTRIES - 1); /* see JOIN_MIN_END_OF_BLOCK_BITS */
	for (unsigned k = 0; k < count; k++)
		join_length(tables->entry, index[k], tables->entry + AHEAD_DIST);
}
