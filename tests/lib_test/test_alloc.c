/* SPDX-License-Identifier: Zlib */
#include "lib/alloc.h"
#include "lib/cmocka_all.h"

#include <string.h>

static void test_counts_are_wrong(void **state)
{
	struct test_alloc a = { 0 };
	z_stream s = { 0 };
	void *p, *q;

	(void)state;
	test_alloc_use(&a, &s);
	p = s.zalloc(s.opaque, 3, 100);
	q = s.zalloc(s.opaque, 1, 7);
	assert_int_equal(a.calls, 2);
	assert_int_equal(a.total_bytes, 307);
	assert_int_equal(a.live_bytes, 307);
	s.zfree(s.opaque, p);
	assert_int_equal(a.live_bytes, 7);
	s.zfree(s.opaque, p);                    /* twice */
	assert_int_equal(a.bad_frees, 1);
	s.zfree(s.opaque, (char *)q + 1);        /* not a block */
	assert_int_equal(a.bad_frees, 2);
	assert_int_equal(test_alloc_close(&a), 1);
	assert_int_equal(a.live_bytes, 0);
}

static void test_nth_call_does_not_fail(void **state)
{
	struct test_alloc a = { .fail_on_call = 2 };
	z_stream s = { 0 };

	(void)state;
	test_alloc_use(&a, &s);
	assert_non_null(s.zalloc(s.opaque, 1, 10));
	assert_null(s.zalloc(s.opaque, 1, 10));
	assert_null(s.zalloc(s.opaque, 1, 10));
	assert_int_equal(test_alloc_close(&a), 1);
}

static void test_shift_is_not_kept(void **state)
{
	(void)state;
	for (unsigned shift = 0; shift <= TEST_ALLOC_SHIFT_MAX; shift++) {
		struct test_alloc a = { .shift = shift, .garbage = true, .garbage_seed = 7 };
		z_stream s = { 0 };
		uint8_t *p;

		test_alloc_use(&a, &s);
		p = s.zalloc(s.opaque, 1, 1000);
		assert_int_equal((uintptr_t)p % 128, 8 * shift);
		memset(p, 0, 1000);
		s.zfree(s.opaque, p);
		assert_int_equal(test_alloc_close(&a), 0);
	}
}

static void test_garbage_is_not_garbage(void **state)
{
	struct test_alloc a = { .garbage = true, .garbage_seed = 1 };
	struct test_alloc b = { .garbage = true, .garbage_seed = 2 };
	z_stream s = { 0 }, t = { 0 };

	(void)state;
	test_alloc_use(&a, &s);
	test_alloc_use(&b, &t);
	assert_memory_not_equal(s.zalloc(s.opaque, 1, 64), t.zalloc(t.opaque, 1, 64), 64);
	test_alloc_close(&a);
	test_alloc_close(&b);
}

/* The budgets of engine.md 3.3 for NGINX's default parameters: first budget, and the one of zlib-ng mode. */
static const struct { enum nginx_generation generation; int w, m; size_t first, second; } budgets[] = {
	{ NGINX_1_13_6,  15, 8, 270336, 0 },
	{ NGINX_1_13_7,  15, 8, 270336, 8208 + 131072 + 65536 + 65536 },
	{ NGINX_1_19_10, 15, 8, 270352, 335888 },
	{ NGINX_1_23_4,  15, 8, 270352, 336176 },
	{ NGINX_1_26_3,  15, 8, 270352, 352560 },
	{ NGINX_1_19_10, 12, 5,  40976, 163856 },
	{ NGINX_1_23_4,  12, 5,  40976, 164144 },
	{ NGINX_1_26_3,  12, 5,  40976, 166192 },
	{ NGINX_1_13_6,   9, 2,  12288, 0 },
	{ NGINX_1_26_3,   9, 2,  12304, 142896 },
};

static void test_nginx_budget_differs(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof budgets / sizeof budgets[0]; i++) {
		struct nginx_alloc n;
		z_stream s = { 0 };

		nginx_worker_start(&n, budgets[i].generation);
		nginx_response_begin(&n, &s, 6, budgets[i].w, budgets[i].m);
		assert_int_equal(n.budget_bytes, budgets[i].first);
		assert_int_equal(nginx_response_end(&n), NGINX_FITS);
		n.assume_zlib_ng = budgets[i].second != 0;
		nginx_response_begin(&n, &s, 6, budgets[i].w, budgets[i].m);
		assert_int_equal(n.budget_bytes, budgets[i].second ? budgets[i].second : budgets[i].first);
		assert_int_equal(nginx_response_end(&n), NGINX_FITS);
	}
}

static void test_nginx_verdict_is_wrong(void **state)
{
	struct nginx_alloc n;
	z_stream s = { 0 };

	(void)state;
	nginx_worker_start(&n, NGINX_1_19_10);
	nginx_response_begin(&n, &s, 6, 15, 8);
	assert_non_null(s.zalloc(s.opaque, 1, 270352));
	assert_int_equal(nginx_response_end(&n), NGINX_FITS);

	nginx_response_begin(&n, &s, 6, 15, 8);  /* a byte too many: remembered, no alert yet */
	assert_non_null(s.zalloc(s.opaque, 1, 270353));
	assert_int_equal(nginx_response_end(&n), NGINX_FLIPS_TO_ZLIB_NG_MODE);
	nginx_response_begin(&n, &s, 6, 15, 8);
	assert_non_null(s.zalloc(s.opaque, 1, 335888));
	assert_int_equal(nginx_response_end(&n), NGINX_FITS);
	nginx_response_begin(&n, &s, 6, 15, 8);
	assert_non_null(s.zalloc(s.opaque, 1, 335889));
	assert_int_equal(nginx_response_end(&n), NGINX_ALERT);

	nginx_worker_start(&n, NGINX_1_13_6);    /* knows no second mode */
	nginx_response_begin(&n, &s, 6, 15, 8);
	assert_non_null(s.zalloc(s.opaque, 1, 270337));
	assert_int_equal(nginx_response_end(&n), NGINX_ALERT);
}

static void test_nginx_rounding_differs(void **state)
{
	(void)state;
	for (int g = 0; g < NGINX_GENERATION_COUNT; g++) {
		struct nginx_alloc n;
		z_stream s = { 0 };
		size_t left;

		nginx_worker_start(&n, (enum nginx_generation)g);
		nginx_response_begin(&n, &s, 6, 15, 8);
		left = n.left_bytes;
		s.zalloc(s.opaque, 2, 100);              /* two items: as asked */
		assert_int_equal(left - n.left_bytes, 200);
		s.zalloc(s.opaque, 1, 1024);             /* a multiple of 512: as asked */
		assert_int_equal(left - n.left_bytes, 1224);
		s.zalloc(s.opaque, 1, 5952);             /* the state */
		assert_int_equal(left - n.left_bytes, 1224 + 8192);
		s.zalloc(s.opaque, 1, 100);              /* again */
		assert_int_equal(left - n.left_bytes, 1224 + 8192 + (g < NGINX_1_23_4 ? 8192 : 100));
		assert_int_equal(nginx_response_end(&n), NGINX_FITS);
	}
}

static const struct { int64_t content_length; int w, m; } nginx_cases[] = {
	{ -1, 15, 8 }, { 16122, 15, 8 }, { 16121, 14, 7 }, { 7930, 14, 7 }, { 7929, 13, 6 }, { 3834, 13, 6 }, { 3833, 12, 5 },
	{ 1786, 12, 5 }, { 1785, 11, 4 }, { 762, 11, 4 }, { 761, 10, 3 }, { 250, 10, 3 }, { 249, 9, 2 }, { 1, 9, 2 },
};

static void test_nginx_parameters_differ(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof nginx_cases / sizeof nginx_cases[0]; i++) {
		int w, m;

		nginx_parameters(nginx_cases[i].content_length, &w, &m);
		assert_int_equal(w, nginx_cases[i].w);
		assert_int_equal(m, nginx_cases[i].m);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_counts_are_wrong),
		cmocka_unit_test(test_nth_call_does_not_fail),
		cmocka_unit_test(test_shift_is_not_kept),
		cmocka_unit_test(test_garbage_is_not_garbage),
		cmocka_unit_test(test_nginx_budget_differs),
		cmocka_unit_test(test_nginx_verdict_is_wrong),
		cmocka_unit_test(test_nginx_rounding_differs),
		cmocka_unit_test(test_nginx_parameters_differ),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
