/* SPDX-License-Identifier: Zlib */
/* prices.c - what each symbol would cost in a code made for given counts, in fractions of a bit.
 * Takes: counts.  Gives: prices.  Then: parse_optimal.c
 * Never: uses floating point, whose last bit could differ from machine to machine. */
#include "oneshot/prices.h"

#include "base/bytes.h"
#include "base/check.h"

#define ABSENT_BITS 15u                      /* guess for a symbol without a code: a long one, and its place in the header */

/* log2(1 + i / 256) in units of 1 / PRICE_BIT; tests/oneshot/test_prices.c checks each. */
static const uint8_t log2_steps[256] = {
	0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 4, 4, 4, 5, 5, 5, 6, 6, 6, 7, 7, 7, 8, 8, 8, 9, 9, 9, 10, 10, 10, 11,
	11, 11, 12, 12, 12, 12, 13, 13, 13, 14, 14, 14, 15, 15, 15, 16, 16, 16, 16, 17, 17, 17, 18, 18, 18, 19, 19, 19, 19, 20, 20, 20,
	21, 21, 21, 21, 22, 22, 22, 23, 23, 23, 23, 24, 24, 24, 25, 25, 25, 25, 26, 26, 26, 26, 27, 27, 27, 28, 28, 28, 28, 29, 29, 29,
	29, 30, 30, 30, 30, 31, 31, 31, 31, 32, 32, 32, 32, 33, 33, 33, 34, 34, 34, 34, 35, 35, 35, 35, 35, 36, 36, 36, 36, 37, 37, 37,
	37, 38, 38, 38, 38, 39, 39, 39, 39, 40, 40, 40, 40, 41, 41, 41, 41, 41, 42, 42, 42, 42, 43, 43, 43, 43, 43, 44, 44, 44, 44, 45,
	45, 45, 45, 45, 46, 46, 46, 46, 47, 47, 47, 47, 47, 48, 48, 48, 48, 49, 49, 49, 49, 49, 50, 50, 50, 50, 50, 51, 51, 51, 51, 51,
	52, 52, 52, 52, 52, 53, 53, 53, 53, 54, 54, 54, 54, 54, 55, 55, 55, 55, 55, 56, 56, 56, 56, 56, 56, 57, 57, 57, 57, 57, 58, 58,
	58, 58, 58, 59, 59, 59, 59, 59, 60, 60, 60, 60, 60, 61, 61, 61, 61, 61, 61, 62, 62, 62, 62, 62, 63, 63, 63, 63, 63, 63, 64, 64,
};

static_assert(PRICE_BIT == 64, "what log2_steps is made for");

uint32_t zw_log2_price(uint32_t v)
{
	unsigned octave = zw_highest_bit32(v);

	return octave * PRICE_BIT + log2_steps[(octave >= 8 ? v >> (octave - 8) : v << (8 - octave)) & 255];
}

/* Prices of symbol_count symbols, each counted twice so that one that never occurs can have a count of 1. */
static void price_symbols(uint32_t *prices, const uint32_t *counts, unsigned symbol_count, uint32_t extra_count)
{
	uint32_t total = extra_count, all;

	for (unsigned i = 0; i < symbol_count; i++)
		total += counts[i];
	all = zw_log2_price(2 * total + 2);
	for (unsigned i = 0; i < symbol_count; i++) {
		uint32_t price = all - zw_log2_price(counts[i] ? 2 * counts[i] : 1);

		prices[i] = price < PRICE_LEAST ? PRICE_LEAST : price > PRICE_MOST ? PRICE_MOST : price;
	}
}

static void spread(struct zw_prices *p, const uint32_t *litlen)
{
	for (unsigned i = 0; i < 256; i++)
		p->literal[i] = litlen[i];
	for (unsigned l = MATCH_MIN_BYTES; l <= MATCH_MAX_BYTES; l++) {
		unsigned symbol = zw_length_symbols_less_256[l - MATCH_MIN_BYTES];

		p->length[l] = litlen[256 + symbol] + PRICE_BIT * zw_length_extra_bits[symbol];
	}
	for (unsigned i = 0; i < DIST_SYMBOL_COUNT; i++)
		p->dist[i] += PRICE_BIT * zw_distance_extra_bits[i];
	p->dist[30] = p->dist[31] = PRICE_MOST;
}

void zw_prices_from_counts(struct zw_prices *p, const struct zw_symbol_counts *c)
{
	uint32_t litlen[LITLEN_CODE_COUNT];

	price_symbols(litlen, c->litlen, LITLEN_CODE_COUNT, 1);
	price_symbols(p->dist, c->dist, DIST_CODE_COUNT, 0);
	spread(p, litlen);
}

void zw_prices_from_code(struct zw_prices *p, const struct zw_code *litlen, const struct zw_code *dist)
{
	uint32_t litlen_prices[LITLEN_CODE_COUNT];

	for (unsigned i = 0; i < LITLEN_CODE_COUNT; i++)
		litlen_prices[i] = PRICE_BIT * (litlen->lengths[i] ? litlen->lengths[i] : ABSENT_BITS);
	for (unsigned i = 0; i < DIST_CODE_COUNT; i++)
		p->dist[i] = PRICE_BIT * (dist->lengths[i] ? dist->lengths[i] : ABSENT_BITS);
	spread(p, litlen_prices);
}

void zw_prices_first(struct zw_prices *p, const uint8_t *bytes, size_t count)
{
	uint32_t litlen[LITLEN_CODE_COUNT] = { 0 };
	uint32_t total, all;

	for (size_t i = 0; i < count; i++)
		litlen[bytes[i]]++;
	total = (uint32_t)count;
	all = zw_log2_price(2 * total + 2);
	for (unsigned i = 0; i < 256; i++) {
		uint32_t price = all - zw_log2_price(litlen[i] ? 2 * litlen[i] : 1) + PRICE_BIT;

		litlen[i] = price < 2 * PRICE_BIT ? 2 * PRICE_BIT : price > 12 * PRICE_BIT ? 12 * PRICE_BIT : price;
	}
	for (unsigned i = 1; i < 30; i++)
		litlen[256 + i] = (i < 8 ? 4 + i / 2 : 8) * PRICE_BIT;
	for (unsigned i = 0; i < DIST_SYMBOL_COUNT; i++)
		p->dist[i] = 5 * PRICE_BIT - PRICE_BIT / 2;
	spread(p, litlen);
}

void zw_prices_fixed(struct zw_prices *p)
{
	uint32_t litlen[LITLEN_CODE_COUNT];

	for (unsigned i = 0; i < LITLEN_CODE_COUNT; i++)
		litlen[i] = (i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8) * PRICE_BIT;
	for (unsigned i = 0; i < DIST_SYMBOL_COUNT; i++)
		p->dist[i] = 5 * PRICE_BIT;
	spread(p, litlen);
}
