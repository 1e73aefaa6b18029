/* SPDX-License-Identifier: Zlib */
/* figures.c - what is derived from a cell's rounds: medians, ratios to the first library, and what the limit was. */
#include "lab/lab.h"

#include <string.h>

#define SATURATED 0.9                        /* busy for less than this: something else was the limit */

const char *const zw_lab_series_names[LAB_SERIES_COUNT] = {
	[LAB_REQUESTS_PER_S] = "requests_per_s", [LAB_CPU_US] = "cpu_us_per_response",
	[LAB_CPU_TICKS_US] = "cpu_us_per_response_by_ticks", [LAB_PEAK_KB] = "peak_rss_kb", [LAB_P50_MS] = "p50_ms",
	[LAB_P95_MS] = "p95_ms", [LAB_P99_MS] = "p99_ms", [LAB_SERVER_BUSY] = "server_busy", [LAB_CLIENT_BUSY] = "client_busy",
};

bool zw_lab_is_measured(const struct zw_lab_cell *cell)
{
	return !*cell->refused && cell->round_count;
}

struct zw_spread zw_lab_spread(const struct zw_lab_cell *cell, enum zw_lab_series series)
{
	return zw_spread_of(cell->series[series], cell->round_count);
}

/* The same arm and body on the first library; the cell itself where that one has none. */
const struct zw_lab_cell *zw_lab_first_of(const struct zw_lab_result *result, const struct zw_lab_cell *cell)
{
	const struct zw_lab_cell *first = cell;

	while (first > result->cells && first->library)
		first--;
	return first->arm == cell->arm && first->payload == cell->payload ? first : cell;
}

/* Median over the rounds of this cell's value to the first library's in the same round; 0 where there is none. */
double zw_lab_ratio_to_first(const struct zw_lab_result *result, const struct zw_lab_cell *cell, enum zw_lab_series series)
{
	const struct zw_lab_cell *first = zw_lab_first_of(result, cell);
	double ratios[LAB_ROUND_MAX_COUNT];
	size_t count = 0;

	for (size_t i = 0; i < cell->round_count && i < first->round_count; i++)
		if (first->series[series][i] > 0)
			ratios[count++] = cell->series[series][i] / first->series[series][i];
	return zw_spread_of(ratios, count).median;
}

/* What kept a cell from more requests: "server" is how it should be. */
const char *zw_lab_limit_of(const struct zw_lab_cell *cell)
{
	if (zw_lab_spread(cell, LAB_SERVER_BUSY).median >= SATURATED)
		return "server";
	return zw_lab_spread(cell, LAB_CLIENT_BUSY).median >= SATURATED ? "client" : "neither";
}
