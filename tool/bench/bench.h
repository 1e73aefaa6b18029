/* SPDX-License-Identifier: Zlib */
/* bench.h - what zwire bench is asked to do, and what it found. */
#ifndef ZW_TOOL_BENCH_BENCH_H
#define ZW_TOOL_BENCH_BENCH_H

#include "bench/payloads.h"
#include "bench/worker.h"

#define BENCH_LEVEL_MAX     12               /* libz files end at 9 */
#define BENCH_MODE_COUNT     6
#define BENCH_ROUND_MAX_COUNT 1000
#define BENCH_NO_LEVEL     (-1)              /* inflate */
#define BENCH_REASON_BYTES  240

struct zw_bench_plan {
	struct zw_libraries libraries;
	struct zw_payloads  payloads;
	int      levels[BENCH_LEVEL_MAX + 1];
	size_t   level_count;
	bool     modes[BENCH_MODE_COUNT];        /* by enum zw_bench_mode */
	enum zw_wire_format format;              /* of the modes of one call */
	unsigned time_ms, round_count;
	bool     repeats_bodies;                 /* each body again and again, not all in turns */
	bool     is_single;                      /* one response by itself, cold and warm, instead of MB/s */
	struct zw_wire_shape shape;              /* what the caller wants otherwise than the harness has it */
};

/* One payload, one mode, one level, one library.  Those of one group, which took turns, lie side by side; the first is the
 * reference that the others are compared with.  A library that has no such level is not in the group, except that the
 * reference then runs at its nearest one. */
struct zw_bench_cell {
	size_t   payload, library;
	enum zw_bench_mode mode;
	int      level, group_level;             /* what it ran at, and what was asked for */
	bool     is_reference;
	uint64_t output_bytes;
	double  *mb_per_s;                       /* one for each round: 10^6 bytes of body for a second of CPU time */
	struct zw_spread speed;
	double   speed_ratio;                    /* to the reference: median of the rounds' ratios */
	double   ratio_low, ratio_high;          /* its interval, as in struct zw_spread */
	double   size_ratio;
	uint64_t asked_bytes, budget_bytes;
	double   alerts_per_response;
	double   faults_per_response;            /* page faults; the most of the rounds */
	uint64_t instruction_count;              /* of one response, in user mode; 0 where they cannot be counted */
	int64_t  peak_kb;                        /* resident memory of the worker, at its highest */
	uint8_t  verdicts[WIRE_NGINX_AGE_COUNT]; /* enum zw_nginx_verdict */
	uint32_t verdict_count;
	char    *failed;                         /* why there are no figures; NULL if there are */
	double  *cold_us, *warm_us;              /* plan->is_single: one for each round */
};

struct zw_bench_result {
	struct zw_bench_cell *cells;
	size_t count;
	int64_t used_ns, cpu_ns;                 /* of all turns together */
	char   versions[LIBRARY_MAX_COUNT][96];
	char   mapped[LIBRARY_MAX_COUNT][416];
	char   broken[LIBRARY_MAX_COUNT][BENCH_REASON_BYTES];   /* why a library is left out; empty if it is not */
	char   uncounted[160];                   /* why instructions are not counted; empty if they are */
};

int  zw_bench_measure(const struct zw_bench_plan *plan, struct zw_bench_result *result_ret);
void zw_bench_print(const struct zw_bench_plan *plan, const struct zw_bench_result *result);
bool zw_bench_save(const struct zw_bench_plan *plan, const struct zw_bench_result *result, const char *path);
void zw_bench_result_free(struct zw_bench_result *result);
const char *zw_bench_mode_name(const struct zw_bench_plan *plan, enum zw_bench_mode mode);
bool zw_bench_is_inflate(enum zw_bench_mode mode);
bool zw_bench_is_one_call(enum zw_bench_mode mode);
struct zw_worker_job zw_bench_job_of(const struct zw_bench_plan *plan, const struct zw_bench_cell *cell, int64_t time_ns);
void zw_bench_print_words(const struct zw_bench_plan *plan, const struct zw_bench_result *result);
void zw_bench_print_single(const struct zw_bench_plan *plan, const struct zw_bench_result *result, enum zw_bench_mode mode);

/* Bodies are also looked at by size and by kind, which is the end of the name.  Class 0 is all of them. */
#define BENCH_CLASS_MAX_COUNT 12

struct zw_bench_classes { char names[BENCH_CLASS_MAX_COUNT][12]; size_t count; };

/* Geometric means of ratios to the reference over the bodies of a class that can be compressed. */
struct zw_bench_mean {
	size_t count;
	double speed, size;
	double speed_low, speed_high;            /* the interval of the rounds' means */
	double worst_speed, worst_size;          /* the least speed and the greatest size among them */
	size_t worst_payload;                    /* of the speed */
};

void zw_bench_classes_of(const struct zw_bench_plan *plan, struct zw_bench_classes *classes_ret);
struct zw_bench_mean zw_bench_mean_of(const struct zw_bench_plan *plan, const struct zw_bench_result *result,
				      const struct zw_bench_classes *classes, size_t class_index, enum zw_bench_mode mode,
				      int group_level, size_t library);
void zw_bench_print_means(const struct zw_bench_plan *plan, const struct zw_bench_result *result, enum zw_bench_mode mode);

#endif
