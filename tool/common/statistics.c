/* SPDX-License-Identifier: Zlib */
/* statistics.c - the middle of some measurements, and how far they lie from it. */
#include "common/tool.h"

#include <stdlib.h>
#include <string.h>

#define TAIL_PROBABILITY 0.025               /* at each end of the interval */

static int compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

void zw_doubles_sort(double *values, size_t count)
{
	qsort(values, count, sizeof *values, compare_doubles);
}

static double median_of_sorted(const double *values, size_t count)
{
	return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

/* How many values at either end may be left out for an interval that holds the true median with 95 %, whatever the values'
 * distribution: each value lies below it with probability 1/2, so the number of those that do is binomial. */
static size_t count_beyond_interval(size_t count)
{
	double probability = 1, sum;             /* of exactly `beyond` values below, and of at most so many */
	size_t beyond = 0;

	for (size_t i = 0; i < count; i++)
		probability /= 2;
	sum = probability;
	while (beyond < count / 2) {
		probability *= (double)(count - beyond) / (double)(beyond + 1);
		sum += probability;
		if (sum > TAIL_PROBABILITY)
			break;
		beyond++;
	}
	return beyond;
}

/* All are 0 where there is no value. */
struct zw_spread zw_spread_of(const double *values, size_t count)
{
	struct zw_spread spread = { .median = 0 };
	size_t beyond;
	double *sorted;

	if (!count)
		return spread;
	sorted = zw_tool_alloc(count * sizeof *sorted);
	memcpy(sorted, values, count * sizeof *sorted);
	zw_doubles_sort(sorted, count);
	spread.median = median_of_sorted(sorted, count);
	beyond = count_beyond_interval(count);
	spread.low = sorted[beyond];
	spread.high = sorted[count - 1 - beyond];
	for (size_t i = 0; i < count; i++)
		sorted[i] = values[i] < spread.median ? spread.median - values[i] : values[i] - spread.median;
	zw_doubles_sort(sorted, count);
	spread.mad = median_of_sorted(sorted, count);
	free(sorted);
	return spread;
}
