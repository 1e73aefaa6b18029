/* SPDX-License-Identifier: Zlib */
/* code_round.c - code lengths from counts by rounding logarithms: neither sorted nor merged.
 * Takes: symbol counts.  Gives: what code_lengths.c gives, a little longer, in less time.  Then: code_header.c, block_tables.c
 *
 * A bit less for a symbol takes as much of the code space again as it has and saves as many bits as it occurs. So at any price of
 * space the lengths that save most are log2(price / count), all rounded at one point. What is left to do is to find the point:
 * 1. A count is an octave, the whole part of its log2, and a phase, the sixteenth of the octave that it is in. The length is one
 *    number less the octave, and a bit less still from some phase on: from the lowest phase that leaves the code space unexceeded.
 * 2. What is left of the space goes to symbols of the next phases below, each a bit shorter, where they fit.
 * Where a symbol has much of the space and cannot have it twice, all others might have to give way for it: there code_lengths.c is
 * asked. Otherwise this is 0.01 to 0.04 % longer than the best code in the mean: counts of one phase are taken as they come (M46). */
#include "deflate/code_lengths.h"

#include "base/bytes.h"
#include "base/check.h"
#include "deflate/count_vectors.h"

#include <string.h>

#define PHASES 16u                           /* of zw_sort_key(): keys - 1 are octave * PHASES + phase */
#define NO_SYMBOL UINT16_MAX
#define HEAVY_PART 4u                        /* of the code space is what a heavy symbol has */

/* Symbols and code space by phase. */
struct phases {
	uint32_t space[PHASES];                  /* what the symbols of each take, where a count of 1 takes 1 */
	uint16_t newest[PHASES];                 /* lists of them */
	uint16_t next[CODE_MAX_SYMBOLS];
};

static void clear_phases(struct phases *p)
{
	memset(p->space, 0, sizeof p->space);
	memset(p->newest, 0xff, sizeof p->newest);
	static_assert(NO_SYMBOL == 0xffff, "all bits are 1");
}

ZW_INLINE void add_to_phase(struct phases *p, unsigned symbol, unsigned level)
{
	unsigned phase = level % PHASES;

	p->space[phase] += 1u << level / PHASES;
	p->next[symbol] = p->newest[phase];
	p->newest[phase] = (uint16_t)symbol;
}

/* The number from which octaves are taken: as many bits as hold the space of all. */
static unsigned longest_bits(const struct phases *p, uint32_t *space_ret)
{
	uint32_t space = 0;

	for (unsigned i = 0; i < PHASES; i++)
		space += p->space[i];
	*space_ret = space;
	return zw_highest_bit32(2 * space - 1);
}

/* Enters the used symbols again with no count below 1 << octave. */
static void raise_counts(struct phases *p, const struct zw_code *code, uint8_t *keys, unsigned octave)
{
	clear_phases(p);
	for (unsigned i = 0; i < code->used_count; i++) {
		unsigned symbol = code->used[i], level = keys[symbol] - 1u;

		if (level < octave * PHASES)
			level = octave * PHASES;
		keys[symbol] = (uint8_t)(level + 1);
		add_to_phase(p, symbol, level);
	}
}

/* Makes symbols of the phases below phase a bit shorter until left is used up, which is in units of the longest length's space.
 * Ends: left is a multiple of what the longest code takes, so each turn through all phases shortens all codes of that length
 *       unless nothing is left before. */
static void use_up(struct zw_code *code, const struct phases *p, unsigned phase, unsigned longest, uint32_t left)
{
	while (left) {
		phase = (phase ? phase : PHASES) - 1;
		for (unsigned symbol = p->newest[phase]; left && symbol != NO_SYMBOL; symbol = p->next[symbol]) {
			unsigned length = code->lengths[symbol];
			uint32_t more = 1u << (longest - length);

			if (more > left)
				continue;
			left -= more;
			code->lengths[symbol] = (uint8_t)(length - 1);
			code->length_counts[length]--;
			code->length_counts[length - 1]++;
		}
	}
}

void zw_code_round(struct zw_code *code, const uint16_t *counts, unsigned symbol_count, unsigned limit_bits)
{
	uint8_t  keys[CODE_MAX_SYMBOLS];
	uint64_t used[(CODE_MAX_SYMBOLS + 63) / 64];
	struct phases p;
	unsigned m = 0, phase = PHASES, longest, heaviest;
	uint32_t space, left;

	ZW_ASSERT(symbol_count % 16 == 0 && symbol_count <= CODE_MAX_SYMBOLS);
	heaviest = zw_sort_keys(counts, symbol_count, keys, used) - 1;
	clear_phases(&p);
	for (unsigned word = 0; word * 64 < symbol_count; word++) {
		for (uint64_t bits = used[word]; bits; bits &= bits - 1) {
			unsigned symbol = word * 64 + zw_lowest_bit64(bits);

			code->used[m++] = (uint16_t)symbol;
			add_to_phase(&p, symbol, keys[symbol] - 1u);
		}
	}
	code->used_count = m;
	zw_clear_steps(code->lengths, symbol_count);
	memset(code->length_counts, 0, sizeof code->length_counts);
	if (m < 2) {
		zw_code_draft(code);
		return;
	}
	ZW_ASSERT(m <= 1u << limit_bits && limit_bits <= CODE_MAX_BITS);
	longest = longest_bits(&p, &space);
	for (unsigned octave = 1; longest + 1 - octave > limit_bits; octave++) {
		raise_counts(&p, code, keys, octave);
		longest = longest_bits(&p, &space);
	}
	left = (1u << longest) - space;
	for (; p.space[phase - 1] <= left; phase--) /* ends: the space of all, taken again, is more than is left */
		left -= p.space[phase - 1];
	if (heaviest % PHASES < phase && HEAVY_PART << heaviest / PHASES >= 1u << longest &&
	    (1u << heaviest / PHASES > left || heaviest % PHASES == phase - 1)) {
		zw_code_make(code, counts, symbol_count, limit_bits);
		return;
	}
	for (unsigned i = 0; i < m; i++) {
		unsigned symbol = code->used[i], length = longest - (keys[symbol] - 1u + PHASES - phase) / PHASES;

		code->lengths[symbol] = (uint8_t)length;
		code->length_counts[length]++;
	}
	use_up(code, &p, phase, longest, left);
}
