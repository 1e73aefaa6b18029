/* SPDX-License-Identifier: Zlib */
/* means.c - what the cells come to: geometric means over all bodies, over those of a size and over those of a kind.
 * Takes: the measured cells.  Gives: means, and the tables of them.  Bodies that cannot be compressed are left out. */
#include "bench/bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SMALL_MAX_BYTES  (4u * 1024)
#define MIDDLE_MAX_BYTES (100u * 1024)
#define SIZE_CLASS_COUNT 3

static const char *const size_class_names[SIZE_CLASS_COUNT] = { "to 4 KB", "to 100 KB", "above" };

static size_t size_class_of(const struct zw_payload *payload)
{
	return payload->body.size_bytes <= SMALL_MAX_BYTES ? 0 : payload->body.size_bytes <= MIDDLE_MAX_BYTES ? 1 : 2;
}

/* What follows the last dot of the name. */
static const char *kind_of(const struct zw_payload *payload)
{
	const char *dot = strrchr(payload->name, '.');

	return dot && dot[1] && !strchr(dot, '/') ? dot + 1 : "other";
}

static bool is_known(const struct zw_bench_classes *classes, const char *name)
{
	for (size_t i = 0; i < classes->count; i++)
		if (strncmp(classes->names[i], name, sizeof classes->names[i] - 1) == 0)
			return true;
	return false;
}

static void add_class(struct zw_bench_classes *classes, const char *name)
{
	if (classes->count < BENCH_CLASS_MAX_COUNT)
		snprintf(classes->names[classes->count++], sizeof classes->names[0], "%.11s", name);
}

/* "all", the size classes, and the kinds in the order in which the bodies bring them, as long as there is room. */
void zw_bench_classes_of(const struct zw_bench_plan *plan, struct zw_bench_classes *classes_ret)
{
	classes_ret->count = 0;
	add_class(classes_ret, "all");
	for (size_t i = 0; i < SIZE_CLASS_COUNT; i++)
		add_class(classes_ret, size_class_names[i]);
	for (size_t i = 0; i < plan->payloads.count; i++) {
		const struct zw_payload *payload = &plan->payloads.list[i];

		if (!payload->is_incompressible && !is_known(classes_ret, kind_of(payload)))
			add_class(classes_ret, kind_of(payload));
	}
}

static bool is_in_class(const struct zw_bench_classes *classes, size_t class_index, const struct zw_payload *payload)
{
	if (payload->is_incompressible)
		return false;
	if (class_index == 0)
		return true;
	if (class_index <= SIZE_CLASS_COUNT)
		return size_class_of(payload) == class_index - 1;
	return strncmp(classes->names[class_index], kind_of(payload), sizeof classes->names[0] - 1) == 0;
}

struct zw_bench_mean zw_bench_mean_of(const struct zw_bench_plan *plan, const struct zw_bench_result *result,
				      const struct zw_bench_classes *classes, size_t class_index, enum zw_bench_mode mode,
				      int group_level, size_t library)
{
	double *round_means = zw_tool_alloc(plan->round_count * sizeof *round_means);
	struct zw_bench_mean mean = { .count = 0 };
	const struct zw_bench_cell *reference = result->cells;
	double speed_log = 0, size_log = 0;
	struct zw_spread spread;

	for (size_t i = 0; i < result->count; i++) {
		const struct zw_bench_cell *cell = &result->cells[i];

		if (cell->is_reference)
			reference = cell;
		if (cell->mode != mode || cell->group_level != group_level || cell->library != library || cell->is_reference ||
		    cell->failed || reference->failed || !is_in_class(classes, class_index, &plan->payloads.list[cell->payload]))
			continue;
		speed_log += log(cell->speed_ratio);
		size_log += log(cell->size_ratio);
		for (unsigned round = 0; round < plan->round_count; round++)
			round_means[round] += log(cell->mb_per_s[round] / reference->mb_per_s[round]);
		if (!mean.count || cell->speed_ratio < mean.worst_speed) {
			mean.worst_speed = cell->speed_ratio;
			mean.worst_payload = cell->payload;
		}
		if (!mean.count || cell->size_ratio > mean.worst_size)
			mean.worst_size = cell->size_ratio;
		mean.count++;
	}
	if (mean.count) {
		mean.speed = exp(speed_log / (double)mean.count);
		mean.size = exp(size_log / (double)mean.count);
		spread = zw_spread_of(round_means, plan->round_count);
		mean.speed_low = exp(spread.low / (double)mean.count);
		mean.speed_high = exp(spread.high / (double)mean.count);
	}
	free(round_means);
	return mean;
}

static const char *noise_mark(const struct zw_bench_mean *mean)
{
	return mean->speed_low <= 1 && mean->speed_high >= 1 ? "=" : " ";
}

static void print_mean_row(const struct zw_bench_plan *plan, const struct zw_bench_result *result,
			   const struct zw_bench_classes *classes, enum zw_bench_mode mode, int level, size_t library, bool is_size)
{
	const char *name = plan->libraries.list[library].name;

	for (size_t c = 0; c < classes->count; c++) {
		struct zw_bench_mean mean = zw_bench_mean_of(plan, result, classes, c, mode, level, library);

		if (!c && is_size)
			printf("%5s  %-12s %-7s %9.4f %9.4f", "", "", "size", mean.size, mean.worst_size);
		else if (!c && level == BENCH_NO_LEVEL)
			printf("%5s  %-12.12s %-6s%s %9.3f %9.3f", "-", name, "speed", noise_mark(&mean), mean.speed, mean.worst_speed);
		else if (!c)
			printf("%5d  %-12.12s %-6s%s %9.3f %9.3f", level, name, "speed", noise_mark(&mean), mean.speed, mean.worst_speed);
		else if (!mean.count)
			printf(" %9s", "-");
		else
			printf(" %9.*f", is_size ? 4 : 3, is_size ? mean.size : mean.speed);
	}
	if (!is_size)
		printf("  %s", plan->payloads.list[zw_bench_mean_of(plan, result, classes, 0, mode, level, library).worst_payload].name);
	putchar('\n');
}

/* The cell of a library in a mode without levels; NULL if it took no part. */
static const struct zw_bench_cell *find_cell(const struct zw_bench_result *result, enum zw_bench_mode mode, size_t payload,
					     size_t library)
{
	for (size_t i = 0; i < result->count; i++)
		if (result->cells[i].mode == mode && result->cells[i].payload == payload && result->cells[i].library == library)
			return &result->cells[i];
	return NULL;
}

/* The speed of one library to that of another: geometric mean of the bodies' medians of the rounds' ratios; 0 if there are none. */
static double pair_ratio(const struct zw_bench_plan *plan, const struct zw_bench_result *result, enum zw_bench_mode mode,
			 size_t upper, size_t lower)
{
	double *ratios = zw_tool_alloc(plan->round_count * sizeof *ratios);
	double sum = 0;
	size_t count = 0;

	for (size_t p = 0; p < plan->payloads.count; p++) {
		const struct zw_bench_cell *a = find_cell(result, mode, p, upper), *b = find_cell(result, mode, p, lower);

		if (!a || !b || a->failed || b->failed || plan->payloads.list[p].is_incompressible)
			continue;
		for (unsigned round = 0; round < plan->round_count; round++)
			ratios[round] = a->mb_per_s[round] / b->mb_per_s[round];
		sum += log(zw_spread_of(ratios, plan->round_count).median);
		count++;
	}
	free(ratios);
	return count ? exp(sum / (double)count) : 0;
}

/* Inflate has no levels, so every library can be set against every other. */
static void print_pairs(const struct zw_bench_plan *plan, const struct zw_bench_result *result, enum zw_bench_mode mode)
{
	printf("\nmeans, the speed of the library on the left to that of the one above:\n%-12s", "");
	for (size_t i = 0; i < plan->libraries.count; i++)
		printf(" %12.12s", plan->libraries.list[i].name);
	putchar('\n');
	for (size_t i = 0; i < plan->libraries.count; i++) {
		printf("%-12.12s", plan->libraries.list[i].name);
		for (size_t k = 0; k < plan->libraries.count; k++) {
			double ratio = pair_ratio(plan, result, mode, i, k);

			if (ratio > 0)
				printf(" %12.3f", ratio);
			else
				printf(" %12s", "-");
		}
		putchar('\n');
	}
}

/* Nothing where there are fewer than two bodies to take a mean of. */
void zw_bench_print_means(const struct zw_bench_plan *plan, const struct zw_bench_result *result, enum zw_bench_mode mode)
{
	bool is_inflate = zw_bench_is_inflate(mode);
	struct zw_bench_classes classes;
	bool has_head = false;

	zw_bench_classes_of(plan, &classes);
	for (size_t l = 0; l < (is_inflate ? 1 : plan->level_count); l++) {
		int level = is_inflate ? BENCH_NO_LEVEL : plan->levels[l];

		for (size_t i = 0; i < plan->libraries.count; i++) {
			if (zw_bench_mean_of(plan, result, &classes, 0, mode, level, i).count < 2)
				continue;
			if (!has_head) {
				printf("\nmeans, to A\n%5s  %-12s %-7s %9s %9s", "level", "library", "", "all", "worst");
				for (size_t c = 1; c < classes.count; c++)
					printf(" %9s", classes.names[c]);
				puts("  worst speed at");
				has_head = true;
			}
			print_mean_row(plan, result, &classes, mode, level, i, false);
			if (!is_inflate)
				print_mean_row(plan, result, &classes, mode, level, i, true);
		}
	}
	if (has_head && is_inflate && plan->libraries.count > 2)
		print_pairs(plan, result, mode);
}
