/* SPDX-License-Identifier: Zlib */
/* test_lanes16.c - sixteen counters at once against one at a time. */
#include "lib/cmocka_all.h"

#include "cpu/lanes16.h"
#include "lib/rng.h"

static void test_against_one_at_a_time(void **state)
{
	struct rng r = rng_seed(1);

	(void)state;
	for (unsigned round = 0; round < 20000; round++) {
		uint16_t lane[17], *const at = lane + round % 2; /* on any boundary of two bytes */
		uint32_t nonzero = 0, sum = 0;

		for (unsigned i = 0; i < 16; i++) {
			at[i] = rng_one_in(&r, 2) ? 0 : (uint16_t)rng_below(&r, rng_one_in(&r, 4) ? 0x8000 : 300);
			nonzero |= (uint32_t)(at[i] != 0) << i;
			if (i)
				sum += (uint32_t)at[i] << (LANES16_TOP_LOG2 - i);
		}
		assert_int_equal(zw_lanes16_nonzero(at), nonzero);
		assert_int_equal(zw_lanes16_halving_sum(at), sum);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_against_one_at_a_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
