/* SPDX-License-Identifier: Zlib */
/* literal_price.c - digits and the like cost four bits each, so a short match far away costs more than its literals.
 * Takes: a segment's counts.  Gives: the reach of short matches.  Then: the parser's next segment.
 * Never: looks at input or tables.  Prices are in 1/16 bit. */
#include "deflate/literal_price.h"

#include "base/bytes.h"
#include "base/check.h"

#include <string.h>
#if ZW_ARCH_X86
#include <emmintrin.h>
#endif

#define PRICE_UNIT_LOG2      4u
#define PRICE_UNIT          (1u << PRICE_UNIT_LOG2)
#define SHORT_MATCH_BYTES    4u
#define MATCH4_OTHER_BITS    4u              /* length and distance symbol of such a match, fitted */
#define MATCH4_LEAST_REACH 1024u             /* the price is a segment late when contents change */

static_assert(2 * BLOCK_MAX_TOKENS <= 32768, "the square of all literals of a block is below 2^32");

/* log2(v) in PRICE_UNIT, straight between powers of two; v is not 0. */
static uint32_t log2_price(uint32_t v)
{
	unsigned log2 = zw_highest_bit32(v);
	uint32_t mantissa = v << (31 - log2) << 1;

	return log2 << PRICE_UNIT_LOG2 | mantissa >> (32 - PRICE_UNIT_LOG2);
}

/* The inverse, at most DISTANCE_MAX_BYTES. */
static uint32_t power_of_price(uint32_t price)
{
	uint32_t whole = price >> PRICE_UNIT_LOG2;

	if (whole >= WINDOW_MAX_LOG2)
		return DISTANCE_MAX_BYTES;
	return ((PRICE_UNIT + (price & (PRICE_UNIT - 1))) << whole) >> PRICE_UNIT_LOG2;
}

static uint32_t sum_distances(const struct zw_histogram *freq)
{
	uint32_t sum = 0;

	for (unsigned i = 0; i < DIST_CODE_COUNT; i++)
		sum += freq->dist[i];
	return sum;
}

void zw_literal_sample_begin(struct zw_literal_sample *s, const struct zw_histogram *freq)
{
	memcpy(s->counts, freq->litlen, sizeof s->counts);
	s->matches = sum_distances(freq);
}

#if ZW_ARCH_X86

/* Number of literals counted since before; *squares_ret: sum of the squares of their counts. */
static uint32_t sum_literals(const uint16_t *counts, const uint16_t *before, uint32_t *squares_ret)
{
	__m128i squares = _mm_setzero_si128(), sums = squares;
	uint32_t lanes[2][4];

	for (unsigned i = 0; i < 256; i += 8) {
		__m128i c = _mm_sub_epi16(_mm_loadu_si128((const __m128i *)(const void *)(counts + i)),
					  _mm_loadu_si128((const __m128i *)(const void *)(before + i)));

		squares = _mm_add_epi32(squares, _mm_madd_epi16(c, c));
		sums = _mm_add_epi32(sums, _mm_madd_epi16(c, _mm_set1_epi16(1)));
	}
	_mm_storeu_si128((__m128i *)(void *)lanes[0], squares);
	_mm_storeu_si128((__m128i *)(void *)lanes[1], sums);
	*squares_ret = lanes[0][0] + lanes[0][1] + lanes[0][2] + lanes[0][3];
	return lanes[1][0] + lanes[1][1] + lanes[1][2] + lanes[1][3];
}

#else

static uint32_t sum_literals(const uint16_t *counts, const uint16_t *before, uint32_t *squares_ret)
{
	uint32_t squares = 0, literals = 0;

	for (unsigned i = 0; i < 256; i++) {
		uint32_t count = (uint32_t)counts[i] - before[i];

		squares += count * count;
		literals += count;
	}
	*squares_ret = squares;
	return literals;
}

#endif

/* The price is the collision entropy of the literals among all symbols: how often two of them are equal.  It is below
 * Shannon's by up to a bit for words, by little for digits, and needs no logarithm per symbol. */
uint8_t zw_literal_sample_price(const struct zw_literal_sample *s, const struct zw_histogram *freq, uint8_t price_before)
{
	uint32_t squares, literals = sum_literals(freq->litlen, s->counts, &squares);
	uint32_t symbols = literals + sum_distances(freq) - s->matches;

	if (literals < LITERAL_SAMPLE_LEAST || squares == literals)
		return price_before;
	return (uint8_t)(log2_price(symbols) + log2_price(literals - 1) - log2_price(squares - literals));
}

uint32_t zw_short_match_reach(unsigned price)
{
	const uint32_t other = MATCH4_OTHER_BITS << PRICE_UNIT_LOG2;
	uint32_t reach;

	if (!price)
		return DISTANCE_MAX_BYTES;
	reach = price * SHORT_MATCH_BYTES > other ? power_of_price(price * SHORT_MATCH_BYTES - other) : 0;
	return reach > MATCH4_LEAST_REACH ? reach : MATCH4_LEAST_REACH;
}
