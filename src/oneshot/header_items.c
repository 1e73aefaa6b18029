/* SPDX-License-Identifier: Zlib */
/* header_items.c - which run-length items describe the code lengths in the fewest bits.
 * Takes: the litlen and distance codes.  Gives: the dynamic header.  Then: block_choice.c
 *
 * What an item costs depends on the precode, and that on the items: beginning with the plain choice's precode, the cheapest
 * items are found by going from the last length to the first, and a precode is made for those, until nothing is gained. */
#include "oneshot/header_items.h"

#include "base/check.h"

#include <stdbool.h>
#include <string.h>

/* RFC 1951 3.2.7: items above 15, their extra bits, and the runs they stand for */
#define ITEM_REPEAT      16u
#define ITEM_ZEROS       17u
#define ITEM_MANY_ZEROS  18u
#define REPEAT_MAX        6u
#define ZEROS_MAX        10u
#define MANY_ZEROS_MAX  138u
#define RUN_MIN           3u
#define MANY_ZEROS_MIN   11u

#define ITEM_SYMBOL_MASK 31u                 /* as code_header.h has them */
#define ITEM_EXTRA_SHIFT  5
#define ROUNDS            4u
#define UNUSED_BITS      (PRECODE_MAX_BITS + 1) /* guess for an item that the precode does not have */

static const uint8_t precode_order[PRECODE_SYMBOL_COUNT] = { 16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15 };

struct lengths {
	uint8_t  of[HEADER_MAX_ITEMS];           /* both codes in a row */
	uint16_t run[HEADER_MAX_ITEMS];          /* how many from here on are equal */
	unsigned count;
};

static void join_lengths(struct lengths *l, const struct zw_code_header *h, const struct zw_code *litlen, const struct zw_code *dist)
{
	unsigned run = 0;

	memcpy(l->of, litlen->lengths, h->litlen_count);
	memcpy(l->of + h->litlen_count, dist->lengths, h->dist_count);
	l->count = h->litlen_count + h->dist_count;
	for (unsigned i = l->count; i--; ) {
		run = i + 1 < l->count && l->of[i] == l->of[i + 1] ? run + 1 : 1;
		l->run[i] = (uint16_t)run;
	}
}

struct step { uint32_t bits; uint8_t item, covered; };

/* Takes the item for each number of lengths from least to most that is cheapest. */
static void try_runs(struct step *best, const struct step *steps, unsigned at, unsigned item, uint32_t item_bits, unsigned least,
		     unsigned most)
{
	for (unsigned n = least; n <= most; n++) {
		uint32_t bits = item_bits + steps[at + n].bits;

		if (bits < best->bits)
			*best = (struct step){ bits, (uint8_t)item, (uint8_t)n };
	}
}

static unsigned at_most(unsigned n, unsigned limit) { return n < limit ? n : limit; }

/* The cheapest items for l when each costs bits[symbol], extra bits included, into h->items. */
static void choose_items(struct zw_code_header *h, const struct lengths *l, const uint8_t *bits, uint16_t *counts)
{
	struct step steps[HEADER_MAX_ITEMS + 1];
	unsigned item_count = 0;

	steps[l->count] = (struct step){ 0, 0, 0 };
	for (unsigned i = l->count; i--; ) {
		unsigned run = l->run[i];
		struct step best = { bits[l->of[i]] + steps[i + 1].bits, l->of[i], 1 };

		if (!l->of[i]) {
			try_runs(&best, steps, i, ITEM_ZEROS, bits[ITEM_ZEROS], RUN_MIN, at_most(run, ZEROS_MAX));
			try_runs(&best, steps, i, ITEM_MANY_ZEROS, bits[ITEM_MANY_ZEROS], MANY_ZEROS_MIN, at_most(run, MANY_ZEROS_MAX));
		}
		if (i && l->of[i] == l->of[i - 1])
			try_runs(&best, steps, i, ITEM_REPEAT, bits[ITEM_REPEAT], RUN_MIN, at_most(run, REPEAT_MAX));
		steps[i] = best;
	}
	memset(counts, 0, 32 * sizeof counts[0]);
	for (unsigned i = 0; i < l->count; i += steps[i].covered) {
		unsigned item = steps[i].item, n = steps[i].covered;
		unsigned extra = item < ITEM_REPEAT ? 0 : n - (item == ITEM_MANY_ZEROS ? MANY_ZEROS_MIN : RUN_MIN);

		h->items[item_count++] = (uint16_t)(item | extra << ITEM_EXTRA_SHIFT);
		counts[item]++;
	}
	h->item_count = item_count;
}

static unsigned extra_bits(unsigned item)
{
	return item == ITEM_REPEAT ? 2 : item == ITEM_ZEROS ? 3 : item == ITEM_MANY_ZEROS ? 7 : 0;
}

/* The precode for counts, and what the whole header costs. */
static void finish_header(struct zw_code_header *h, const uint16_t *counts)
{
	unsigned precode_count = PRECODE_SYMBOL_COUNT;

	zw_code_make(&h->precode, counts, 32, PRECODE_MAX_BITS);
	while (precode_count > 4 && !h->precode.lengths[precode_order[precode_count - 1]])
		precode_count--;
	h->precode_count = precode_count;
	h->cost_bits = HEADER_COUNTS_BITS + 3 * precode_count;
	for (unsigned s = 0; s < PRECODE_SYMBOL_COUNT; s++)
		h->cost_bits += counts[s] * (h->precode.lengths[s] + extra_bits(s));
}

void zw_header_shortest(struct zw_code_header *h, const struct zw_code *litlen, const struct zw_code *dist)
{
	struct lengths l;
	struct zw_code_header next;

	zw_code_header_make(h, litlen, dist);
	join_lengths(&l, h, litlen, dist);
	next = *h;
	for (unsigned round = 0; round < ROUNDS; round++) {
		uint8_t bits[PRECODE_SYMBOL_COUNT];
		uint16_t counts[32];

		for (unsigned s = 0; s < PRECODE_SYMBOL_COUNT; s++) {
			unsigned n = next.precode.lengths[s];

			bits[s] = (uint8_t)((n ? n : UNUSED_BITS) + extra_bits(s));
		}
		choose_items(&next, &l, bits, counts);
		finish_header(&next, counts);
		if (next.cost_bits >= h->cost_bits)
			break;
		*h = next;
	}
	ZW_ASSERT(h->item_count <= HEADER_MAX_ITEMS && h->cost_bits <= HEADER_MAX_BITS);
}
