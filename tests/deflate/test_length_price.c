/* SPDX-License-Identifier: Zlib */
/* test_length_price.c - prices of match lengths, and the boundary between two matches that costs least. */
#include "deflate/length_price.h"

#include "base/bytes.h"
#include "lib/cmocka_all.h"
#include "lib/rng.h"

#include <math.h>
#include <string.h>

static unsigned symbol_of(unsigned len)
{
	unsigned s = 1;

	while (s < 29 && (unsigned)zw_length_base_less_3[s + 1] + 3 <= len)
		s++;
	return s;
}

/* Against logarithms in floating point: lengths of one symbol cost the same, and frequent ones less by log2 of how often. */
static void prices_are_not_the_counts(void **state)
{
	struct zw_histogram freq = { .litlen = { 0 } };
	struct zw_length_prices p;
	struct rng rng = rng_seed(1);

	(void)state;
	for (unsigned round = 0; round < 200; round++) {
		unsigned sums[30] = { 0 };

		for (unsigned len = MATCH_MIN_BYTES; len <= MATCH_MAX_BYTES; len++) {
			unsigned count = (unsigned)rng_below(&rng, 1 + (1u << rng_below(&rng, 7)));

			freq.litlen[TOKEN_LENGTH_BIAS + len] = (uint16_t)count;
			sums[symbol_of(len)] += count;
		}
		zw_length_prices_make(&p, &freq);
		for (unsigned a = MATCH_MIN_BYTES; a <= MATCH_MAX_BYTES; a++) {
			unsigned b = MATCH_MIN_BYTES + (unsigned)rng_below(&rng, MATCH_MAX_BYTES - MATCH_MIN_BYTES + 1);
			unsigned sa = symbol_of(a), sb = symbol_of(b);
			double want = 8 * (log2(4.0 * sums[sb] + 10) - log2(4.0 * sums[sa] + 10)) +
				      8 * ((double)zw_length_extra_bits[sa] - zw_length_extra_bits[sb]);

			assert_int_equal(p.down[MATCH_MAX_BYTES - a], p.up[a]);
			if (sa == sb)
				assert_int_equal(p.up[a], p.up[b]);
			if (sums[sa] > 40 && sums[sb] > 40)
				assert_true(fabs((double)p.up[a] - p.up[b] - want) <= 4.0);
		}
	}
}

/* Nothing counted yet and as much as a block holds: no price may wrap around. */
static void extreme_counts_wrap_around(void **state)
{
	struct zw_histogram freq = { .litlen = { 0 } };
	struct zw_length_prices p;

	(void)state;
	zw_length_prices_make(&p, &freq);
	for (unsigned len = MATCH_MIN_BYTES; len <= MATCH_MAX_BYTES; len++)
		assert_true(p.up[len] >= 8 * 8 && p.up[len] <= 8 * (16 + 5));
	for (unsigned len = MATCH_MIN_BYTES; len <= MATCH_MAX_BYTES; len++) {
		freq.litlen[TOKEN_LENGTH_BIAS + len] = (uint16_t)BLOCK_MAX_TOKENS;
		zw_length_prices_make(&p, &freq);
		assert_int_equal(p.up[len], 8 * zw_length_extra_bits[symbol_of(len)]);
		freq.litlen[TOKEN_LENGTH_BIAS + len] = 0;
	}
}

static void the_boundary_is_not_the_cheapest(void **state)
{
	struct zw_length_prices p;
	struct rng rng = rng_seed(2);

	(void)state;
	for (unsigned round = 0; round < 3000; round++) {
		unsigned limit = round % 3 ? 256 : 5, before_len, len, back;

		memset(&p, 0xff, sizeof p);
		for (unsigned i = MATCH_MIN_BYTES; i <= MATCH_MAX_BYTES; i++)
			p.up[i] = p.down[MATCH_MAX_BYTES - i] = (uint8_t)rng_below(&rng, limit);
		before_len = MATCH_MIN_BYTES + (unsigned)rng_below(&rng, MATCH_MAX_BYTES - MATCH_MIN_BYTES + 1);
		len = MATCH_MIN_BYTES + (unsigned)rng_below(&rng, MATCH_MAX_BYTES - MATCH_MIN_BYTES + 1);
		for (back = 0; back < BOUNDARY_STEPS && back + MATCH_MIN_BYTES <= before_len && len + back <= MATCH_MAX_BYTES; back++) {
			unsigned by = zw_better_boundary(&p, before_len, len, back);

			assert_true(by <= back);
			assert_int_equal(by, zw_better_boundary_portable(&p, before_len, len, back));
			for (unsigned i = 0; i <= back; i++) {
				unsigned here = (unsigned)p.up[before_len - by] + p.up[len + by];
				unsigned there = (unsigned)p.up[before_len - i] + p.up[len + i];

				assert_true(here <= there || (here > 255 && there > 255) || (here >= 255 && there >= 255));
			}
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(prices_are_not_the_counts),
		cmocka_unit_test(extreme_counts_wrap_around),
		cmocka_unit_test(the_boundary_is_not_the_cheapest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
