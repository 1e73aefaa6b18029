/* SPDX-License-Identifier: Zlib */
/* words.c - what the cells say beside MB/s: differences in plain words, memory against NGINX's budget, single responses. */
#include "bench/bench.h"
#include "bench/nginx_shape.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* "1.62 times as fast (1.58 to 1.66)", or that nothing was shown. */
static void say_speed(const struct zw_bench_mean *mean, const char *name, const char *first)
{
	if (mean->speed_low <= 1 && mean->speed_high >= 1)
		printf("  %s and %s: no difference in speed was shown, it is within noise (%.3f to %.3f times)", name, first, mean->speed_low,
		       mean->speed_high);
	else if (mean->speed >= 1)
		printf("  %s is %.2f times as fast as %s (%.3f to %.3f)", name, mean->speed, first, mean->speed_low, mean->speed_high);
	else
		printf("  %s is slower than %s: %.2f times its speed (%.3f to %.3f)", name, first, mean->speed, mean->speed_low,
		       mean->speed_high);
}

static void say_size(const struct zw_bench_mean *mean)
{
	double percent = 100 * (mean->size - 1);

	if (fabs(percent) < 0.005)
		printf(", bodies as large");
	else
		printf(", bodies %.2f %% %s", fabs(percent), percent < 0 ? "smaller" : "larger");
}

static void say_differences(const struct zw_bench_plan *plan, const struct zw_bench_result *result, enum zw_bench_mode mode)
{
	bool is_inflate = zw_bench_is_inflate(mode);
	struct zw_bench_classes classes;

	zw_bench_classes_of(plan, &classes);
	for (size_t l = 0; l < (is_inflate ? 1 : plan->level_count); l++)
		for (size_t i = 1; i < plan->libraries.count; i++) {
			int level = is_inflate ? BENCH_NO_LEVEL : plan->levels[l];
			struct zw_bench_mean mean = zw_bench_mean_of(plan, result, &classes, 0, mode, level, i);

			if (!mean.count)
				continue;
			say_speed(&mean, plan->libraries.list[i].name, plan->libraries.list[0].name);
			if (is_inflate)
				printf(", %s", zw_bench_mode_name(plan, mode));
			else
				printf(", %s, level %d", zw_bench_mode_name(plan, mode), level);
			if (!is_inflate)
				say_size(&mean);
			puts(".");
		}
}

/* The worst that a library's cells have for a generation of NGINX; false if it has none. */
static bool worst_verdict(const struct zw_bench_result *result, size_t library, uint32_t age, enum zw_nginx_verdict *worst_ret)
{
	bool has_one = false;

	*worst_ret = ZW_NGINX_FITS;
	for (size_t i = 0; i < result->count; i++) {
		const struct zw_bench_cell *cell = &result->cells[i];

		if (cell->library != library || cell->failed || age >= cell->verdict_count)
			continue;
		has_one = true;
		if (cell->verdicts[age] > *worst_ret)
			*worst_ret = (enum zw_nginx_verdict)cell->verdicts[age];
	}
	return has_one;
}

static void print_budgets(const struct zw_bench_plan *plan, const struct zw_bench_result *result)
{
	static const char *const words[] = { [ZW_NGINX_FITS] = "within budget", [ZW_NGINX_LARGER] = "larger block", [ZW_NGINX_ALERTS] = "ALERTS" };
	enum zw_nginx_verdict worst;
	bool has_head = false;

	for (size_t i = 0; i < plan->libraries.count; i++) {
		if (!worst_verdict(result, i, 0, &worst))
			continue;
		if (!has_head) {
			printf("\nmemory asked for, in the NGINX of each generation (the worst of all bodies and levels)\n%-12s", "");
			for (uint32_t age = 0; age < NGINX_AGE_COUNT; age++)
				printf("  %-28s", zw_nginx_ages[age]);
			putchar('\n');
			has_head = true;
		}
		printf("%-12.12s", plan->libraries.list[i].name);
		for (uint32_t age = 0; age < NGINX_AGE_COUNT; age++) {
			worst_verdict(result, i, age, &worst);
			printf("  %-28s", words[worst]);
		}
		putchar('\n');
	}
	if (has_head)
		puts("larger block: the worker prepares more for all responses after the first; ALERTS: not even that is enough, and each\n"
		     "response writes a line into error.log.");
}

static void print_peaks(const struct zw_bench_plan *plan, const struct zw_bench_result *result)
{
	char text[32];

	printf("\npeak resident memory of the workers (bodies and output included), KiB:");
	for (size_t library = 0; library < plan->libraries.count; library++) {
		int64_t peak_kb = 0;

		for (size_t i = 0; i < result->count; i++)
			if (result->cells[i].library == library && result->cells[i].peak_kb > peak_kb)
				peak_kb = result->cells[i].peak_kb;
		if (peak_kb)
			printf(" %s %s", plan->libraries.list[library].name, zw_tool_thousands((uint64_t)peak_kb, text));
	}
	putchar('\n');
}

/* Geometric mean of instructions to the first library's, over the cells where both have a count. */
static void print_instructions(const struct zw_bench_plan *plan, const struct zw_bench_result *result)
{
	for (size_t library = 1; library < plan->libraries.count; library++) {
		const struct zw_bench_cell *reference = result->cells;
		double sum = 0;
		size_t count = 0;

		for (size_t i = 0; i < result->count; i++) {
			const struct zw_bench_cell *cell = &result->cells[i];

			if (cell->is_reference)
				reference = cell;
			if (cell->library != library || !cell->instruction_count || !reference->instruction_count)
				continue;
			sum += log((double)cell->instruction_count / (double)reference->instruction_count);
			count++;
		}
		if (count)
			printf("instructions: %s executes %.3f times those of %s (mean of %zu)\n", plan->libraries.list[library].name,
			       exp(sum / (double)count), plan->libraries.list[0].name, count);
	}
}

void zw_bench_print_words(const struct zw_bench_plan *plan, const struct zw_bench_result *result)
{
	if (!plan->is_single) {
		puts("\nin words, all bodies together:");
		for (int mode = 0; mode < BENCH_MODE_COUNT; mode++)
			if (plan->modes[mode])
				say_differences(plan, result, (enum zw_bench_mode)mode);
	}
	print_budgets(plan, result);
	print_peaks(plan, result);
	print_instructions(plan, result);
}

/* Cold and warm, each with the median absolute deviation, and what the first response of a process costs over a later one. */
void zw_bench_print_single(const struct zw_bench_plan *plan, const struct zw_bench_result *result, enum zw_bench_mode mode)
{
	printf("%-20s %5s  %-12s %10s %6s %10s %6s %10s\n", "body", "level", "library", "cold us", "+-", "warm us", "+-", "cold/warm");
	for (size_t i = 0; i < result->count; i++) {
		const struct zw_bench_cell *cell = &result->cells[i];
		struct zw_spread cold, warm;
		char level[16] = "-";

		if (cell->mode != mode)
			continue;
		if (cell->level != BENCH_NO_LEVEL)
			snprintf(level, sizeof level, "%d", cell->level);
		printf("%-20.20s %5s  %-12.12s ", cell->is_reference ? plan->payloads.list[cell->payload].name : "", level,
		       plan->libraries.list[cell->library].name);
		if (cell->failed) {
			printf("failed: %s\n", cell->failed);
			continue;
		}
		cold = zw_spread_of(cell->cold_us, plan->round_count);
		warm = zw_spread_of(cell->warm_us, plan->round_count);
		printf("%10.1f %5.1f%% %10.1f %5.1f%% %10.2f\n", cold.median, 100 * cold.mad / cold.median, warm.median,
		       100 * warm.mad / warm.median, cold.median / warm.median);
	}
}
