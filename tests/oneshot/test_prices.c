/* SPDX-License-Identifier: Zlib */
/* test_prices.c - prices are the logarithms they should be, and within the range that the parse is made for. */
#include "lib/cmocka_all.h"
#include "lib/rng.h"
#include "oneshot/prices.h"

#include <math.h>
#include <string.h>

static void the_logarithm_is_off(void **state)
{
	(void)state;
	for (uint32_t v = 1; v < 100000; v++)
		assert_true(fabs(zw_log2_price(v) - PRICE_BIT * log2(v)) <= 1.0);
	for (unsigned i = 0; i < 32; i++) {
		uint32_t v = UINT32_C(1) << i;

		assert_int_equal(zw_log2_price(v), i * PRICE_BIT);
		assert_true(zw_log2_price(v | (v - 1)) <= (i + 1) * PRICE_BIT);
	}
}

static void check_range(const struct zw_prices *p)
{
	const uint32_t symbol_most = PRICE_MOST;

	for (unsigned i = 0; i < 256; i++)
		assert_between(p->literal[i], 1, symbol_most);
	for (unsigned l = MATCH_MIN_BYTES; l <= MATCH_MAX_BYTES; l++)
		assert_between(p->length[l], 1, symbol_most + LENGTH_EXTRA_MAX_BITS * PRICE_BIT);
	for (unsigned s = 0; s < DIST_CODE_COUNT; s++)
		assert_between(p->dist[s], 1, symbol_most + DIST_EXTRA_MAX_BITS * PRICE_BIT);
}

static void a_price_leaves_its_range(void **state)
{
	struct rng rng = rng_seed(1);
	struct zw_symbol_counts c;
	struct zw_prices p;
	uint8_t bytes[1000];

	(void)state;
	memset(&c, 0, sizeof c);
	zw_prices_from_counts(&p, &c);
	check_range(&p);
	for (unsigned round = 0; round < 2000; round++) {
		for (unsigned i = 0; i < LITLEN_CODE_COUNT; i++)
			c.litlen[i] = rng_one_in(&rng, 3) ? 0 : (uint32_t)rng_size(&rng, (size_t)1 << rng_below(&rng, 21));
		for (unsigned i = 0; i < DIST_CODE_COUNT; i++)
			c.dist[i] = rng_one_in(&rng, 3) ? 0 : (uint32_t)rng_size(&rng, (size_t)1 << rng_below(&rng, 21));
		zw_prices_from_counts(&p, &c);
		check_range(&p);
		rng_fill(&rng, bytes, sizeof bytes);
		zw_prices_first(&p, bytes, rng_size(&rng, sizeof bytes));
		check_range(&p);
	}
	zw_prices_first(&p, memset(bytes, 7, sizeof bytes), sizeof bytes);
	check_range(&p);
	zw_prices_fixed(&p);
	check_range(&p);
}

static void what_is_rarer_is_cheaper(void **state)
{
	struct zw_symbol_counts c;
	struct zw_prices p;

	(void)state;
	memset(&c, 0, sizeof c);
	for (unsigned i = 0; i < 200; i++)
		c.litlen[i] = i;
	zw_prices_from_counts(&p, &c);
	for (unsigned i = 1; i < 200; i++)
		assert_true(p.literal[i] <= p.literal[i - 1]);
}

/* RFC 1951 3.2.6 */
static void the_fixed_code_has_other_prices(void **state)
{
	struct zw_prices p;

	(void)state;
	zw_prices_fixed(&p);
	assert_int_equal(p.literal[143], 8 * PRICE_BIT);
	assert_int_equal(p.literal[144], 9 * PRICE_BIT);
	assert_int_equal(p.length[3], 7 * PRICE_BIT);
	assert_int_equal(p.length[257], (8 + 5) * PRICE_BIT);
	assert_int_equal(p.length[258], 8 * PRICE_BIT);
	assert_int_equal(p.dist[0], 5 * PRICE_BIT);
	assert_int_equal(p.dist[29], (5 + 13) * PRICE_BIT);
}

static void a_code_has_other_prices_than_its_lengths(void **state)
{
	ZW_ALIGNED(16) uint16_t litlen[LITLEN_CODE_COUNT] = { [65] = 4, [66] = 2, [256] = 1, [257] = 1 };
	ZW_ALIGNED(16) uint16_t dist[DIST_CODE_COUNT] = { [0] = 1, [5] = 1 };
	struct zw_code a, b;
	struct zw_prices p;

	(void)state;
	zw_code_make_both(&a, litlen, &b, dist);
	zw_prices_from_code(&p, &a, &b);
	check_range(&p);
	assert_int_equal(p.literal[65], a.lengths[65] * PRICE_BIT);
	assert_int_equal(p.length[3], a.lengths[257] * PRICE_BIT);
	assert_int_equal(p.dist[5], (b.lengths[5] + 1) * PRICE_BIT);
	assert_true(p.literal[67] > p.literal[66]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_logarithm_is_off),
		cmocka_unit_test(a_price_leaves_its_range),
		cmocka_unit_test(what_is_rarer_is_cheaper),
		cmocka_unit_test(the_fixed_code_has_other_prices),
		cmocka_unit_test(a_code_has_other_prices_than_its_lengths),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
