/* SPDX-License-Identifier: Zlib */
/* length_price.c - what match lengths cost in the block so far.
 * Takes: a block's counts.  Gives: prices by length.  Then: the parser's next segment.
 * Never: looks at input or tables, uses floating point. */
#include "deflate/length_price.h"

#include "base/bytes.h"

#include <string.h>

#define PRICE_UNIT_LOG2      3u
#define COUNT_SCALE          4u              /* a match counts so much, */
#define PRICE_MOST         128u              /* and what counts 1 costs this; all of a block's tokens cost 0 */

static_assert(COUNT_SCALE * BLOCK_MAX_TOKENS <= 1u << (PRICE_MOST >> PRICE_UNIT_LOG2), "no price is below 0");

/* How often the length symbols occur in 250 matches of web bodies (the tuning corpus, M33): as many are assumed before the
 * block has its own. */
static const uint8_t assumed[LITLEN_SYMBOL_COUNT - SYMBOL_END_OF_BLOCK - 1] = {
	1, 35, 24, 20, 15, 13, 10, 9, 13, 9, 8, 6, 13, 9, 8, 5, 8, 6, 8, 9, 7, 4, 2, 3, 4, 2, 1, 1, 2
};

/* log2(v), straight between powers of two; v is not 0. */
static uint32_t log2_price(uint32_t v)
{
	uint32_t log2 = zw_highest_bit32(v);
	uint32_t mantissa = v << (31 - log2) << 1;

	return log2 << PRICE_UNIT_LOG2 | mantissa >> (32 - PRICE_UNIT_LOG2);
}

/* The sum of count counts: 1, 2, or 4 and more. */
static uint32_t sum_counts(const uint16_t *counts, unsigned count)
{
	const uint64_t even = UINT64_C(0x0000ffff0000ffff);
	uint64_t sum = 0;

	if (count < 4)
		return (uint32_t)counts[0] + (count == 2 ? counts[1] : 0);
	for (unsigned i = 0; i < count; i += 4) {
		uint64_t v;

		memcpy(&v, counts + i, sizeof v);
		sum += (v & even) + (v >> 16 & even);
	}
	return (uint32_t)sum + (uint32_t)(sum >> 32);
}

void zw_length_prices_make(struct zw_length_prices *p, const struct zw_histogram *freq)
{
	const uint16_t *lengths = freq->litlen + TOKEN_LENGTH_BIAS + MATCH_MIN_BYTES;

	for (unsigned s = 1; s <= sizeof assumed; s++) {
		unsigned first = zw_length_base_less_3[s], count = 1u << zw_length_extra_bits[s];
		uint32_t sum = sum_counts(lengths + first, count), price;

		if (s + 1 == sizeof assumed)     /* the last but one has no code for MATCH_MAX_BYTES */
			sum -= lengths[first + --count];
		ZW_ASSERT(sum <= BLOCK_MAX_TOKENS);
		price = PRICE_MOST - log2_price(COUNT_SCALE * sum + assumed[s - 1]);
		price += (uint32_t)zw_length_extra_bits[s] << PRICE_UNIT_LOG2;
		memset(p->up + first + MATCH_MIN_BYTES, (int)price, count);
		memset(p->down + MATCH_MAX_BYTES + 1 - MATCH_MIN_BYTES - first - count, (int)price, count);
	}
	for (unsigned i = 0; i < MATCH_MIN_BYTES; i++) {
		p->up[i] = UINT8_MAX;
		p->down[MATCH_MAX_BYTES - i] = UINT8_MAX;
	}
	for (unsigned i = 1; i <= BOUNDARY_STEPS; i++)
		p->up[MATCH_MAX_BYTES + i] = p->down[MATCH_MAX_BYTES + i] = UINT8_MAX;
}
