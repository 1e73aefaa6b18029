/* SPDX-License-Identifier: Zlib */
/* figures.c - what is derived from a cell's rounds: medians, intervals, ratios to the first library, and what the limit was.
 * A cell has few rounds, so how far they scatter is taken from all cells of a kind together: arms in which NGINX calls the
 * libz, and the others.  An interval is what the cell's own rounds cover and what that noise makes of a median of so many. */
#include "lab/lab.h"

#include <math.h>
#include <string.h>

#define SATURATED 0.9                        /* busy for less than this: something else was the limit */
#define NORMAL_95 1.96                       /* standard deviations to each side */
#define START_KB 64                          /* so far may the memory of two equal processes differ from the start. M30 */
#define MEDIAN_TO_MEAN 1.2533                /* a median's standard deviation to a mean's, of normal values */

const char *const zw_lab_series_names[LAB_SERIES_COUNT] = {
	[LAB_REQUESTS_PER_S] = "requests_per_s", [LAB_CPU_US] = "cpu_us_per_response",
	[LAB_CPU_TICKS_US] = "cpu_us_per_response_by_ticks", [LAB_PEAK_KB] = "peak_rss_kb", [LAB_P50_MS] = "p50_ms",
	[LAB_P95_MS] = "p95_ms", [LAB_P99_MS] = "p99_ms", [LAB_SERVER_BUSY] = "server_busy", [LAB_CLIENT_BUSY] = "client_busy",
};

const char *const zw_lab_rate_names[LAB_RATE_SERIES_COUNT] = {
	[LAB_RATE_ACHIEVED] = "achieved_per_s", [LAB_RATE_P50_MS] = "p50_ms", [LAB_RATE_P95_MS] = "p95_ms",
	[LAB_RATE_P99_MS] = "p99_ms", [LAB_RATE_CPU_US] = "cpu_us_per_response", [LAB_RATE_LATE] = "late_share",
};

bool zw_lab_is_measured(const struct zw_lab_cell *cell)
{
	return !*cell->refused && cell->round_count;
}

double zw_lab_median(const struct zw_lab_cell *cell, enum zw_lab_series series)
{
	return zw_spread_of(cell->series[series], cell->round_count).median;
}

/* The same arm and body on the first library; the cell itself where that one has none. */
const struct zw_lab_cell *zw_lab_first_of(const struct zw_lab_result *result, const struct zw_lab_cell *cell)
{
	const struct zw_lab_cell *first = cell;

	while (first > result->cells && first->library)
		first--;
	return first->arm == cell->arm && first->payload == cell->payload ? first : cell;
}

/* This cell's values to the first library's in the same round; their number. */
static size_t ratios_of(const struct zw_lab_result *result, const struct zw_lab_cell *cell, enum zw_lab_series series,
			double ratios_ret[static LAB_ROUND_MAX_COUNT])
{
	const struct zw_lab_cell *first = zw_lab_first_of(result, cell);
	size_t count = 0;

	for (size_t i = 0; i < cell->round_count && i < first->round_count; i++)
		if (first->series[series][i] > 0)
			ratios_ret[count++] = cell->series[series][i] / first->series[series][i];
	return count;
}

/* Median over the rounds; 0 where there is none. */
double zw_lab_ratio_to_first(const struct zw_lab_result *result, const struct zw_lab_cell *cell, enum zw_lab_series series)
{
	double ratios[LAB_ROUND_MAX_COUNT];

	return zw_spread_of(ratios, ratios_of(result, cell, series, ratios)).median;
}

/* Adds the squares of the logarithms' distances from their mean, and the degrees of freedom that they have. */
static void add_scatter(const double *values, size_t count, double *squares, double *freedom)
{
	double sum = 0, mean;
	size_t used = 0;

	for (size_t i = 0; i < count; i++)
		if (values[i] > 0) {
			sum += log(values[i]);
			used++;
		}
	if (used < 2)
		return;
	mean = sum / (double)used;
	for (size_t i = 0; i < count; i++)
		if (values[i] > 0)
			*squares += (log(values[i]) - mean) * (log(values[i]) - mean);
	*freedom += (double)used - 1;
}

static int kind_of(const struct zw_lab_plan *plan, const struct zw_lab_cell *cell)
{
	return plan->arms.list[cell->arm].needs_library;
}

/* To be called when all rounds are over: the noise of each series, as the standard deviation of a round's logarithm. */
void zw_lab_noise_find(const struct zw_lab_plan *plan, struct zw_lab_result *result)
{
	for (int kind = 0; kind < 2; kind++)
		for (int series = 0; series < LAB_SERIES_COUNT; series++) {
			double squares = 0, freedom = 0, ratio_squares = 0, ratio_freedom = 0;

			for (size_t i = 0; i < result->count; i++) {
				const struct zw_lab_cell *cell = &result->cells[i];
				double ratios[LAB_ROUND_MAX_COUNT];

				if (kind_of(plan, cell) != kind)
					continue;
				add_scatter(cell->series[series], cell->round_count, &squares, &freedom);
				if (zw_lab_first_of(result, cell) != cell)
					add_scatter(ratios, ratios_of(result, cell, (enum zw_lab_series)series, ratios), &ratio_squares,
						    &ratio_freedom);
			}
			result->noise[kind][series] = freedom > 0 ? sqrt(squares / freedom) : 0;
			result->ratio_noise[kind][series] = ratio_freedom > 0 ? sqrt(ratio_squares / ratio_freedom) : 0;
		}
}

static struct zw_spread widen(const double *values, size_t count, double noise)
{
	struct zw_spread spread = zw_spread_of(values, count);
	double factor = count ? exp(NORMAL_95 * (count > 2 ? MEDIAN_TO_MEAN : 1) * noise / sqrt((double)count)) : 1;

	if (spread.median / factor < spread.low)
		spread.low = spread.median / factor;
	if (spread.median * factor > spread.high)
		spread.high = spread.median * factor;
	return spread;
}

struct zw_spread zw_lab_spread(const struct zw_lab_plan *plan, const struct zw_lab_result *result, const struct zw_lab_cell *cell,
			       enum zw_lab_series series)
{
	struct zw_spread spread = widen(cell->series[series], cell->round_count, result->noise[kind_of(plan, cell)][series]);

	if (series == LAB_PEAK_KB && spread.median > START_KB) {       /* one process for all rounds does not show it */
		spread.low = fmin(spread.low, spread.median - START_KB);
		spread.high = fmax(spread.high, spread.median + START_KB);
	}
	return spread;
}

struct zw_spread zw_lab_ratio_spread(const struct zw_lab_plan *plan, const struct zw_lab_result *result,
				     const struct zw_lab_cell *cell, enum zw_lab_series series)
{
	double ratios[LAB_ROUND_MAX_COUNT];
	size_t count = ratios_of(result, cell, series, ratios);

	return widen(ratios, count, zw_lab_first_of(result, cell) == cell ? 0 : result->ratio_noise[kind_of(plan, cell)][series]);
}

/* What kept a cell from more requests: "server" is how it should be. */
const char *zw_lab_limit_of(const struct zw_lab_cell *cell)
{
	if (zw_lab_median(cell, LAB_SERVER_BUSY) >= SATURATED)
		return "server";
	return zw_lab_median(cell, LAB_CLIENT_BUSY) >= SATURATED ? "client" : "neither";
}
