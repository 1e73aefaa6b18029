/* SPDX-License-Identifier: Zlib */
/* test_literal_price.c - what literals cost, from counts whose price is known. */
#include "deflate/literal_price.h"
#include "lib/cmocka_all.h"

/* The price after a segment with each of symbols literals each times, and matches at distance 1. */
static unsigned price_of(unsigned symbols, unsigned each, unsigned matches, uint8_t before)
{
	struct zw_histogram freq = { .litlen = { 7, 9, 11 }, .dist = { 5 } };    /* the block's earlier counts do not matter */
	struct zw_literal_sample sample;

	zw_literal_sample_begin(&sample, &freq);
	for (unsigned i = 0; i < symbols; i++)
		freq.litlen[i] = (uint16_t)(freq.litlen[i] + each);
	freq.dist[0] = (uint16_t)(freq.dist[0] + matches);
	return zw_literal_sample_price(&sample, &freq, before);
}

static void equal_symbols_do_not_cost_their_logarithm(void **state)
{
	(void)state;
	for (unsigned log2 = 1; log2 <= 7; log2++) {
		unsigned price = price_of(1u << log2, 100, 0, 0);

		assert_true(price + 2 >= 16 * log2 && price <= 16 * log2 + 2);
		assert_true(price_of(1u << log2, 100, 100u << log2, 0) - price - 14 <= 4);    /* half are matches: one bit more */
	}
}

static void too_few_literals_change_the_price(void **state)
{
	(void)state;
	assert_int_equal(price_of(10, 10, 50, 77), 77);
	assert_int_equal(price_of(0, 0, 0, 0), 0);
	assert_int_equal(price_of(200, 1, 0, 55), 55);   /* no two are equal */
}

static void a_cheaper_literal_lets_matches_reach_farther(void **state)
{
	(void)state;
	assert_int_equal(zw_short_match_reach(0), DISTANCE_MAX_BYTES);
	assert_int_equal(zw_short_match_reach(200), DISTANCE_MAX_BYTES);
	for (unsigned price = 2; price < 256; price++)
		assert_true(zw_short_match_reach(price) >= zw_short_match_reach(price - 1));
	assert_true(zw_short_match_reach(4 * 16) < 8192);        /* digits */
	assert_true(zw_short_match_reach(6 * 16) == DISTANCE_MAX_BYTES);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_symbols_do_not_cost_their_logarithm),
		cmocka_unit_test(too_few_literals_change_the_price),
		cmocka_unit_test(a_cheaper_literal_lets_matches_reach_farther),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
