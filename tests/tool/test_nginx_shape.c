/* SPDX-License-Identifier: Zlib */
/* test_nginx_shape.c - NGINX's arithmetic at the edges of its steps, and its memory's behaviour. */
#include "bench/nginx_shape.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

/* windowBits, memLevel and budgets as NGINX computes them: before 1.19.10, since, and when it expects a larger library. */
static const struct {
	int64_t length;
	int     window_log2, mem_level;
	size_t  old_budget, budget, large_1_22, large_1_24, large_1_28;
} steps[] = {
	{    -1, 15, 8, 270336, 270352, 335888, 336176, 352560 },
	{     0, 15, 8, 270336, 270352, 335888, 336176, 352560 },
	{ 16122, 15, 8, 270336, 270352, 335888, 336176, 352560 },
	{ 16121, 14, 7, 139264, 139280, 237584, 237872, 246064 },
	{  7930, 14, 7, 139264, 139280, 237584, 237872, 246064 },
	{  7929, 13, 6,  73728,  73744, 188432, 188720, 192816 },
	{  3834, 13, 6,  73728,  73744, 188432, 188720, 192816 },
	{  3833, 12, 5,  40960,  40976, 163856, 164144, 166192 },
	{  1786, 12, 5,  40960,  40976, 163856, 164144, 166192 },
	{  1785, 11, 4,  24576,  24592, 151568, 151856, 152880 },
	{   762, 11, 4,  24576,  24592, 151568, 151856, 152880 },
	{   761, 10, 3,  16384,  16400, 145424, 145712, 146224 },
	{   250, 10, 3,  16384,  16400, 145424, 145712, 146224 },
	{   249,  9, 2,  12288,  12304, 142352, 142640, 142896 },
	{     1,  9, 2,  12288,  12304, 142352, 142640, 142896 },
};

static void a_step_or_budget_is_wrong(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
		struct zw_nginx_plan old = zw_nginx_plan(steps[i].length, 6, ZW_NGINX_1_13);
		struct zw_nginx_plan plan = zw_nginx_plan(steps[i].length, 6, ZW_NGINX_1_22);

		assert_int_equal(plan.window_log2, steps[i].window_log2);
		assert_int_equal(plan.mem_level, steps[i].mem_level);
		assert_int_equal(old.plain_budget_bytes, steps[i].old_budget);
		assert_int_equal(plan.plain_budget_bytes, steps[i].budget);
		assert_int_equal(plan.large_budget_bytes, steps[i].large_1_22);
		assert_int_equal(zw_nginx_plan(steps[i].length, 6, ZW_NGINX_1_24).large_budget_bytes, steps[i].large_1_24);
		assert_int_equal(zw_nginx_plan(steps[i].length, 6, ZW_NGINX_1_28).large_budget_bytes, steps[i].large_1_28);
	}
}

static void level_1_widens_only_the_large_budget(void **state)
{
	struct zw_nginx_plan level_1 = zw_nginx_plan(300, 1, ZW_NGINX_1_22);
	struct zw_nginx_plan level_2 = zw_nginx_plan(300, 2, ZW_NGINX_1_22);

	(void)state;
	assert_int_equal(level_1.plain_budget_bytes, level_2.plain_budget_bytes);
	assert_int_equal(level_1.large_budget_bytes, level_2.large_budget_bytes - 4 * 1024 + 4 * 8192);
}

/* What fits is cut from the block, in order; freeing gives nothing back. */
static void a_request_that_fits_leaves_the_block(void **state)
{
	struct zw_nginx_plan plan = zw_nginx_plan(300, 6, ZW_NGINX_1_22);
	struct zw_nginx_memory memory;
	bool assumes_large = false;

	(void)state;
	assert_true(zw_nginx_memory_begin(&memory, &plan, &assumes_large));
	assert_ptr_equal(zw_nginx_memory_ask(&memory, 1, 5000), memory.block);          /* charged 8192 */
	zw_nginx_memory_return(&memory, memory.block);
	assert_ptr_equal(zw_nginx_memory_ask(&memory, 1024, 2), memory.block + 8192);   /* not a single object */
	assert_ptr_equal(zw_nginx_memory_ask(&memory, 1, 512), memory.block + 8192 + 2048);
	assert_int_equal(memory.asked_bytes, 5000 + 2048 + 512);
	assert_int_equal(memory.left_bytes, 16400 - 8192 - 2048 - 512);
	assert_false(assumes_large);
	assert_int_equal(memory.alert_count, 0);
	zw_nginx_memory_end(&memory);
}

/* The first request over the budget only turns the flag on; from the next response on each is an alert. */
static void an_alert_comes_too_early_or_not_at_all(void **state)
{
	struct zw_nginx_plan plan = zw_nginx_plan(300, 6, ZW_NGINX_1_22);
	unsigned size = (unsigned)plan.large_budget_bytes + 1;
	bool assumes_large = false;

	(void)state;
	for (unsigned response = 0; response < 3; response++) {
		struct zw_nginx_memory memory;

		assert_true(zw_nginx_memory_begin(&memory, &plan, &assumes_large));
		assert_int_equal(memory.left_bytes, response ? plan.large_budget_bytes : plan.plain_budget_bytes);
		assert_non_null(zw_nginx_memory_ask(&memory, 1, size));
		assert_true(assumes_large);
		assert_int_equal(memory.alert_count, response ? 1 : 0);
		zw_nginx_memory_end(&memory);
	}
}

/* Two objects: a state, charged 8192, and a table; then so many that not all are written down. */
static void a_generation_judges_by_another_ones_budget(void **state)
{
	static const size_t tables[] = { 270336 - 8192, 270352 - 8192, 335888 - 8192, 336176 - 8192, 352560 - 8192, 352561 - 8192 };
	static const uint8_t wanted[][NGINX_AGE_COUNT] = {
		{ ZW_NGINX_FITS, ZW_NGINX_FITS, ZW_NGINX_FITS, ZW_NGINX_FITS },
		{ ZW_NGINX_LARGER, ZW_NGINX_FITS, ZW_NGINX_FITS, ZW_NGINX_FITS },
		{ ZW_NGINX_ALERTS, ZW_NGINX_LARGER, ZW_NGINX_LARGER, ZW_NGINX_LARGER },
		{ ZW_NGINX_ALERTS, ZW_NGINX_ALERTS, ZW_NGINX_LARGER, ZW_NGINX_LARGER },
		{ ZW_NGINX_ALERTS, ZW_NGINX_ALERTS, ZW_NGINX_ALERTS, ZW_NGINX_LARGER },
		{ ZW_NGINX_ALERTS, ZW_NGINX_ALERTS, ZW_NGINX_ALERTS, ZW_NGINX_ALERTS },
	};

	(void)state;
	for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
		struct zw_nginx_memory memory = { .asked_count = 2, .asked = { { 1, 7000 }, { (unsigned)tables[i], 1 } } };

		for (int age = 0; age < NGINX_AGE_COUNT; age++) {
			struct zw_nginx_plan plan = zw_nginx_plan(-1, 6, (enum zw_nginx_age)age);

			assert_int_equal(zw_nginx_judge(&memory, &plan), wanted[i][age]);
		}
	}
	struct zw_nginx_memory many = { .asked_count = NGINX_ASKED_MAX_COUNT };
	struct zw_nginx_plan plan = zw_nginx_plan(-1, 6, ZW_NGINX_1_28);

	assert_int_equal(zw_nginx_judge(&many, &plan), ZW_NGINX_ALERTS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_step_or_budget_is_wrong),
		cmocka_unit_test(level_1_widens_only_the_large_budget),
		cmocka_unit_test(a_request_that_fits_leaves_the_block),
		cmocka_unit_test(an_alert_comes_too_early_or_not_at_all),
		cmocka_unit_test(a_generation_judges_by_another_ones_budget),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
