/* SPDX-License-Identifier: Zlib */
/* test_price_vectors.c - the vectors in use give what the portable ones give, in range and beyond. */
#include "lib/cmocka_all.h"
#include "lib/rng.h"
#include "oneshot/price_vectors.h"

static int16_t any16(struct rng *rng)
{
	static const int16_t edges[] = { 0, 1, -1, INT16_MAX, INT16_MIN, 20000, -20000 };

	return rng_one_in(rng, 4) ? edges[rng_below(rng, 7)] : (int16_t)(uint16_t)rng_next(rng);
}

static void lanes_differ_from_the_portable_ones(void **state)
{
	struct rng rng = rng_seed(1);

	(void)state;
	for (unsigned round = 0; round < 200000; round++) {
		int16_t cost[SHORT_LANES], length[SHORT_LANES], dist[SHORT_LANES], mask[SHORT_LANES];
		uint32_t value = (uint32_t)rng_next(&rng), base = (uint32_t)rng_next(&rng);
		unsigned at = 99, at_portable = 99;
		zw_lanes v, d;
		struct zw_lanes_portable v_portable, d_portable;

		for (unsigned i = 0; i < SHORT_LANES; i++) {
			cost[i] = any16(&rng);
			length[i] = any16(&rng);
			dist[i] = any16(&rng);
			mask[i] = rng_one_in(&rng, 2) ? 0 : INT16_MAX;
		}
		v = zw_lanes_push(zw_lanes_load(cost), value);
		v_portable = zw_lanes_push_portable(zw_lanes_load_portable(cost), value);
		d = zw_lanes_least(zw_lanes_load(length), dist, mask);
		d_portable = zw_lanes_least_portable(zw_lanes_load_portable(length), dist, mask);
		assert_int_equal(zw_lanes_best(v, base, zw_lanes_load(length), d, &at),
				 zw_lanes_best_portable(v_portable, base, zw_lanes_load_portable(length), d_portable, &at_portable));
		assert_int_equal(at, at_portable);
	}
}

static void longs_differ_from_the_portable_ones(void **state)
{
	struct rng rng = rng_seed(2);

	(void)state;
	for (unsigned round = 0; round < 100000; round++) {
		zw_longs v = zw_longs_most();
		struct zw_longs_portable v_portable = zw_longs_most_portable();

		for (unsigned step = 0; step < 5; step++) {
			uint32_t cost[LONG_LANES], length[LONG_LANES], more = (uint32_t)rng_next(&rng);

			for (unsigned i = 0; i < LONG_LANES; i++) {
				cost[i] = (uint32_t)rng_next(&rng);
				length[i] = (uint32_t)rng_below(&rng, 1u << 20);
			}
			v = zw_longs_least(v, cost, length, more);
			v_portable = zw_longs_least_portable(v_portable, cost, length, more);
			assert_int_equal(zw_longs_best(v), zw_longs_best_portable(v_portable));
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lanes_differ_from_the_portable_ones),
		cmocka_unit_test(longs_differ_from_the_portable_ones),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
