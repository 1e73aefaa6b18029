/* SPDX-License-Identifier: Zlib */
/* bench.h - what zwire bench is asked to do, and what it found. */
#ifndef ZW_TOOL_BENCH_BENCH_H
#define ZW_TOOL_BENCH_BENCH_H

#include "bench/payloads.h"
#include "bench/worker.h"

#define BENCH_LEVEL_MAX      9
#define BENCH_MODE_COUNT     6
#define BENCH_ROUND_MAX_COUNT 1000
#define BENCH_NO_LEVEL     (-1)              /* inflate */

struct zw_bench_plan {
	struct zw_libraries libraries;
	struct zw_payloads  payloads;
	int      levels[BENCH_LEVEL_MAX + 1];
	size_t   level_count;
	bool     modes[BENCH_MODE_COUNT];        /* by enum zw_bench_mode */
	unsigned time_ms, round_count;
};

/* One payload, one mode, one level, one library. */
struct zw_bench_cell {
	size_t   payload, library;
	enum zw_bench_mode mode;
	int      level;
	uint64_t output_bytes;
	double  *mb_per_s;                       /* one for each round: 10^6 bytes of body for a second of CPU time */
	struct zw_spread speed;
	double   speed_ratio;                    /* to the first library: median of the rounds' ratios */
	double   size_ratio;
	uint64_t asked_bytes, budget_bytes;
	double   alerts_per_response;
};

struct zw_bench_result {
	struct zw_bench_cell *cells;             /* libraries of one payload, mode and level lie side by side */
	size_t count;
	int64_t used_ns, cpu_ns;                 /* of all turns together */
	char   versions[LIBRARY_MAX_COUNT][96];
	char   mapped[LIBRARY_MAX_COUNT][416];
};

int  zw_bench_measure(const struct zw_bench_plan *plan, struct zw_bench_result *result_ret);
void zw_bench_print(const struct zw_bench_plan *plan, const struct zw_bench_result *result);
bool zw_bench_save(const struct zw_bench_plan *plan, const struct zw_bench_result *result, const char *path);
void zw_bench_result_free(struct zw_bench_result *result);
const char *zw_bench_mode_name(enum zw_bench_mode mode);

#endif
