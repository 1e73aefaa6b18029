/* SPDX-License-Identifier: Zlib */
/* block_tables.c - the encoder's entries for the used symbols of a block.
 * Takes: a plan.  Gives: litlen_entry and second_entry.  Then: block_write.c */
#include "deflate/block_tables.h"

#include "base/check.h"

#define FIXED_DIST_BITS 5u                   /* RFC 1951 3.2.6 */

static_assert(LITLEN_LIMIT_BITS + LENGTH_EXTRA_MAX_BITS + LITLEN_WORD_SHIFT <= 32, "a length fits its entry");
static_assert(LITLEN_LIMIT_BITS + LENGTH_EXTRA_MAX_BITS <= ENTRY_BITS_MASK, "and its bit count");

/* Code word of a symbol in the fixed litlen code (RFC 1951 3.2.6), bit-reversed; *bits_ret receives its length. */
static unsigned fixed_litlen_word(unsigned symbol, unsigned *bits_ret)
{
	unsigned word, bits, reversed = 0;

	if (symbol < 144) {
		word = 0x30 + symbol;
		bits = 8;
	} else if (symbol < 256) {
		word = 0x190 + symbol - 144;
		bits = 9;
	} else if (symbol < 280) {
		word = symbol - 256;
		bits = 7;
	} else {
		word = 0xc0 + symbol - 280;
		bits = 8;
	}
	for (unsigned i = 0; i < bits; i++)
		reversed |= (word >> i & 1) << (bits - 1 - i);
	*bits_ret = bits;
	return reversed;
}

/* Entries of one length symbol: a length each, the extra bits counting up. */
ZW_INLINE void fill_lengths(uint32_t *litlen_entry, unsigned symbol, unsigned word, unsigned bits, unsigned count)
{
	unsigned i = symbol - 256;
	uint32_t *entry = litlen_entry + 256 + zw_length_base_less_3[i];
	uint32_t first = word << LITLEN_WORD_SHIFT | (bits + zw_length_extra_bits[i]);

	for (unsigned k = 0; k < count; k++)
		entry[k] = first + (k << bits << LITLEN_WORD_SHIFT);
}

/* The length symbols of used[i..used_count), which follow the end-of-block.
 * Counts are constants, so that they become vector stores: a symbol of fewer lengths runs over into those of the next
 * symbols, which come later if they are used.  The last of each group has exactly as many, so nothing beyond is touched. */
static void make_length_entries(uint32_t *litlen_entry, const struct zw_code *code, unsigned i, const uint16_t *words,
				const uint8_t *bits)
{
	const uint16_t *used = code->used;

	for (; i < code->used_count && used[i] < 265; i++)
		fill_lengths(litlen_entry, used[i], words[i], bits[i], 1);
	for (; i < code->used_count && used[i] < 273; i++)
		fill_lengths(litlen_entry, used[i], words[i], bits[i], 4);
	for (; i < code->used_count && used[i] < 281; i++)
		fill_lengths(litlen_entry, used[i], words[i], bits[i], 16);
	for (; i < code->used_count && used[i] < 285; i++)
		fill_lengths(litlen_entry, used[i], words[i], bits[i], 32);
	for (; i < code->used_count; i++)
		fill_lengths(litlen_entry, used[i], words[i], bits[i], 1);
}

static struct zw_second_entry distance_entry(unsigned symbol, unsigned word, unsigned bits)
{
	uint32_t base = zw_distance_base_less_1[symbol] & (0xffffffffu >> TOKEN_DISTANCE_SHIFT); /* as the token keeps it */

	return (struct zw_second_entry){ word - (base << bits), (bits + zw_distance_extra_bits[symbol]) | bits << SECOND_SHIFT_SHIFT };
}

void zw_block_tables_make(struct zw_block_writer *w, const struct zw_block_plan *plan)
{
	const struct zw_code *litlen = &plan->litlen, *dist = &plan->dist;
	uint16_t words[CODE_WORDS];
	uint8_t bits[CODE_MAX_SYMBOLS];
	unsigned i;

	ZW_ASSERT(plan->type == BLOCK_DYNAMIC || plan->type == BLOCK_FIXED);
	ZW_ASSERT(litlen->used[litlen->used_count - 1] < LITLEN_SYMBOL_COUNT);
	ZW_ASSERT(dist->used[dist->used_count - 1] < DIST_SYMBOL_COUNT);
	if (plan->type == BLOCK_DYNAMIC) {
		zw_code_assign(litlen, words, bits);
	} else {
		for (i = 0; i < litlen->used_count; i++) {
			unsigned n;

			words[i] = (uint16_t)fixed_litlen_word(litlen->used[i], &n);
			bits[i] = (uint8_t)n;
		}
	}
	for (i = 0; litlen->used[i] < SYMBOL_END_OF_BLOCK; i++) {
		unsigned literal = litlen->used[i];

		w->litlen_entry[literal] = (uint32_t)words[i] << LITLEN_WORD_SHIFT | bits[i];
		w->second_entry[TOKEN_SECOND_LITERAL + literal] = (struct zw_second_entry){ words[i], bits[i] };
	}
	ZW_ASSERT(litlen->used[i] == SYMBOL_END_OF_BLOCK);
	w->end_code = words[i];
	w->end_code_bits = bits[i];
	make_length_entries(w->litlen_entry, litlen, i + 1, words, bits);

	w->second_entry[TOKEN_SECOND_NONE] = (struct zw_second_entry){ 0, 0 };
	if (plan->type == BLOCK_DYNAMIC) {
		zw_code_assign(dist, words, bits);
		for (i = 0; i < dist->used_count; i++)
			w->second_entry[dist->used[i]] = distance_entry(dist->used[i], words[i], bits[i]);
		return;
	}
	for (i = 0; i < dist->used_count; i++) {
		unsigned s = dist->used[i];
		unsigned reversed = (s & 1) << 4 | (s & 2) << 2 | (s & 4) | (s & 8) >> 2 | s >> 4;

		w->second_entry[s] = distance_entry(s, reversed, FIXED_DIST_BITS);
	}
}
