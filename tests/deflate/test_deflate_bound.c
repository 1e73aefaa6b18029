/* SPDX-License-Identifier: Zlib */
/* The bounds: zlib's published values, and no wrap-around at the end of the number range. */
#include "lib/cmocka_all.h"

#include "deflate/deflate_bound.h"

static void test_differs_from_zlib(void **unused)
{
	(void)unused;
	/* 15/8: n + n/4096 + n/16384 + n/2^25 + 7; otherwise stored blocks of the smallest memory, or 9 bits a byte */
	assert_int_equal(zw_deflate_bound(0, 15, 8, 6, 6), 13);
	assert_int_equal(zw_deflate_bound(1000000, 15, 8, 6, 18), 1000000 + 244 + 61 + 7 + 18);
	assert_int_equal(zw_deflate_bound(1000, 15, 9, 6, 0), 1000 + 125 + 3 + 1 + 4);
	assert_int_equal(zw_deflate_bound(1000, 15, 9, 0, 0), 1000 + 31 + 7 + 7);
	assert_int_equal(zw_deflate_bound(1000, 15, 7, 6, 0), 1000 + 31 + 7 + 7);
	assert_int_equal(zw_deflate_bound_any(1000, 18), 1000 + 125 + 3 + 1 + 4 + 18);
	assert_int_equal(zw_deflate_bound_any(1, 0), 8);
}

static void test_wraps_around(void **unused)
{
	(void)unused;
	for (unsigned w = 9; w <= 15; w++) {
		assert_true(zw_deflate_bound(SIZE_MAX - 5, w, 8, 6, 18) == SIZE_MAX);
		assert_true(zw_deflate_bound(SIZE_MAX / 16 * 15 + w, w, 1, 6, 18) >= SIZE_MAX / 16 * 15);
	}
	assert_true(zw_deflate_bound_any(SIZE_MAX, 6) == SIZE_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_differs_from_zlib),
		cmocka_unit_test(test_wraps_around),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
