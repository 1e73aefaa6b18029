/* SPDX-License-Identifier: Zlib */
/* test_lab_figures.c - what the lab makes of its rounds, and of what the load generators print. */
#include "lab/lab.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ROUNDS 3

/* Two arms, of which the second needs the library; two libraries. */
struct setting {
	struct zw_lab_plan plan;
	struct zw_lab_result result;
	struct zw_lab_cell cells[4];
	double values[4][LAB_SERIES_COUNT][LAB_ROUND_MAX_COUNT];
};

static struct setting *make_setting(void)
{
	struct setting *setting = calloc(1, sizeof *setting);

	assert_non_null(setting);
	setting->plan.mix = LAB_NO_MIX;
	setting->plan.arms.list[1].needs_library = true;
	setting->result.cells = setting->cells;
	setting->result.count = 4;
	for (size_t i = 0; i < 4; i++) {
		setting->cells[i].arm = i / 2;
		setting->cells[i].library = i % 2;
		setting->cells[i].round_count = ROUNDS;
		for (size_t series = 0; series < LAB_SERIES_COUNT; series++)
			setting->cells[i].series[series] = setting->values[i][series];
	}
	return setting;
}

static void fill(struct setting *setting, size_t cell, enum zw_lab_series series, double a, double b, double c)
{
	double *values = setting->values[cell][series];

	values[0] = a;
	values[1] = b;
	values[2] = c;
}

/* The client is the limit where it is busy and the server is not; the server wins where both are. */
static void a_busy_client_is_taken_for_the_server(void **state)
{
	static const struct { double server, client; const char *limit; } cases[] = {
		{ 0.99, 0.2, "server" }, { 0.95, 0.99, "server" }, { 0.5, 0.95, "client" }, { 0.5, 0.5, "neither" }, { 0.89, 0.89, "neither" },
	};
	struct setting *setting = make_setting();

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		fill(setting, 0, LAB_SERVER_BUSY, cases[i].server, cases[i].server, 0);
		fill(setting, 0, LAB_CLIENT_BUSY, cases[i].client, 0, cases[i].client);
		assert_string_equal(zw_lab_limit_of(&setting->cells[0]), cases[i].limit);
	}
	free(setting);
}

/* Three equal rounds of one cell say nothing about noise that another cell of its kind shows. */
static void three_equal_rounds_pass_for_certainty(void **state)
{
	struct setting *setting = make_setting();
	struct zw_spread calm, wild, other_kind;

	(void)state;
	fill(setting, 0, LAB_CPU_US, 5, 5, 5);
	fill(setting, 1, LAB_CPU_US, 5, 5, 5);
	fill(setting, 2, LAB_CPU_US, 100, 100, 100);
	fill(setting, 3, LAB_CPU_US, 80, 100, 125);
	zw_lab_noise_find(&setting->plan, &setting->result);
	other_kind = zw_lab_spread(&setting->plan, &setting->result, &setting->cells[0], LAB_CPU_US);
	assert_true(other_kind.low == 5 && other_kind.high == 5);
	calm = zw_lab_spread(&setting->plan, &setting->result, &setting->cells[2], LAB_CPU_US);
	assert_true(calm.median == 100 && calm.low < 90 && calm.high > 110 && calm.low > 60);
	wild = zw_lab_spread(&setting->plan, &setting->result, &setting->cells[3], LAB_CPU_US);
	assert_true(wild.low <= 80 && wild.high >= 125);
	free(setting);
}

/* What both libraries have in common in a round is not noise of their ratio. */
static void common_drift_widens_a_ratio(void **state)
{
	struct setting *setting = make_setting();
	struct zw_spread ratio, value;

	(void)state;
	fill(setting, 2, LAB_CPU_US, 100, 150, 225);
	fill(setting, 3, LAB_CPU_US, 50, 75, 112.5);
	zw_lab_noise_find(&setting->plan, &setting->result);
	ratio = zw_lab_ratio_spread(&setting->plan, &setting->result, &setting->cells[3], LAB_CPU_US);
	value = zw_lab_spread(&setting->plan, &setting->result, &setting->cells[3], LAB_CPU_US);
	assert_true(fabs(ratio.median - 0.5) < 1e-9 && ratio.high - ratio.low < 1e-9);
	assert_true(value.low < 50 && value.high > 112.5);
	ratio = zw_lab_ratio_spread(&setting->plan, &setting->result, &setting->cells[2], LAB_CPU_US);
	assert_true(ratio.low == 1 && ratio.high == 1);
	free(setting);
}

static void the_numbers_of_wrk_are_misread(void **state)
{
	struct zw_lab_load load = { .requests = 0 };

	(void)state;
	assert_true(zw_lab_load_read_wrk("Running 1s test\n  1 threads\n\nzwire 2500 1000500 51250000 3 380 1200 4100 0.012500\n", &load));
	assert_true(load.requests == 2500 && fabs(load.seconds - 1.0005) < 1e-9 && load.bytes == 51250000);
	assert_int_equal(load.error_count, 3);
	assert_true(load.p50_ms == .38 && load.p95_ms == 1.2 && load.p99_ms == 4.1 && load.late_share == .0125);
	assert_false(zw_lab_load_read_wrk("Running 1s test\nunable to connect to 127.0.0.1:1 Connection refused\n", &load));
	assert_false(zw_lab_load_read_wrk("\nzwire 2500 0 51250000 3 380 1200 4100 0\n", &load));
}

static void the_numbers_of_h2load_are_misread(void **state)
{
	static const char text[] =
		"finished in 3.01s, 666.00 req/s, 13.19MB/s\n"
		"requests: 1332 total, 1340 started, 1332 done, 1330 succeeded, 2 failed, 1 errored, 4 timeout\n"
		"status codes: 1330 2xx, 5 3xx, 6 4xx, 7 5xx\n"
		"traffic: 26.39MB (27666972) total, 343.95KB (352200) headers (space savings 12.34%), 34.44MB (36112827) data\n"
		"                     min         max         mean         sd        +/- sd\n";
	struct zw_lab_load load = { .requests = 0 };

	(void)state;
	assert_true(zw_lab_load_read_h2load(text, &load));
	assert_true(load.requests == 1330 && load.bytes == 36112827);
	assert_int_equal(load.error_count, 2 + 1 + 4 + 6 + 7);
	assert_false(zw_lab_load_read_h2load("could not connect to host\n", &load));
	assert_false(zw_lab_load_read_h2load("\nrequests: 1 total, 1 started, 1 done, 1 succeeded, 0 failed, 0 errored, 0 timeout\n", &load));
}

static void a_percentile_is_of_the_unsorted_log(void **state)
{
	char path[] = "/tmp/zwire-test-XXXXXX";
	struct zw_lab_load load = { .requests = 0 };
	int fd = mkstemp(path);
	FILE *file = fdopen(fd, "w");

	(void)state;
	assert_non_null(file);
	for (int i = 100; i > 0; i--)            /* h2load may add columns */
		fprintf(file, "1700000000%06d\t200\t%d%s\n", i, i * 1000, i % 2 ? "\tmore" : "");
	fclose(file);
	assert_true(zw_lab_load_read_log(path, &load));
	assert_true(load.p50_ms == 51 && load.p95_ms == 96 && load.p99_ms == 100);
	assert_int_equal(truncate(path, 0), 0);
	assert_false(zw_lab_load_read_log(path, &load));
	unlink(path);
	assert_false(zw_lab_load_read_log(path, &load));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_busy_client_is_taken_for_the_server),
		cmocka_unit_test(three_equal_rounds_pass_for_certainty),
		cmocka_unit_test(common_drift_widens_a_ratio),
		cmocka_unit_test(the_numbers_of_wrk_are_misread),
		cmocka_unit_test(the_numbers_of_h2load_are_misread),
		cmocka_unit_test(a_percentile_is_of_the_unsorted_log),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
