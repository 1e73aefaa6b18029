/* SPDX-License-Identifier: Zlib */
/* statistics.c - the middle of some measurements, and how far they lie from it. */
#include "common/tool.h"

#include <stdlib.h>
#include <string.h>

static int compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median_of_sorted(const double *values, size_t count)
{
	return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

/* Median and median absolute deviation; both 0 where there is no value. */
struct zw_spread zw_spread_of(const double *values, size_t count)
{
	struct zw_spread spread = { 0, 0 };
	double *sorted;

	if (!count)
		return spread;
	sorted = zw_tool_alloc(count * sizeof *sorted);
	memcpy(sorted, values, count * sizeof *sorted);
	qsort(sorted, count, sizeof *sorted, compare_doubles);
	spread.median = median_of_sorted(sorted, count);
	for (size_t i = 0; i < count; i++)
		sorted[i] = values[i] < spread.median ? spread.median - values[i] : values[i] - spread.median;
	qsort(sorted, count, sizeof *sorted, compare_doubles);
	spread.mad = median_of_sorted(sorted, count);
	free(sorted);
	return spread;
}
