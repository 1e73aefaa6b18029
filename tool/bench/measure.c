/* SPDX-License-Identifier: Zlib */
/* measure.c - runs every payload, mode and level on every library, in turns, so that whatever drifts hits all alike.
 * Takes: the plan.  Gives: one cell for each combination.  Every output is decoded by another library first. */
#include "bench/bench.h"

#include <stdlib.h>
#include <string.h>

#define BENCH_ABSENT (-2)
#define WARM_UP_NS   INT64_C(10000000)
#define PACKED_LEVEL 6                       /* of what every library inflates; the first libz makes it */

/* The workers, and the outputs that have been proved, by hash. */
struct run {
	const struct zw_bench_plan *plan;
	struct zw_bench_result *result;
	struct zw_worker workers[LIBRARY_MAX_COUNT];
	size_t worker_count;
	int64_t started_ns;
	size_t  group_count, groups_done;
};

bool zw_bench_is_inflate(enum zw_bench_mode mode)
{
	return mode == ZW_MODE_INFLATE_ONE || mode == ZW_MODE_INFLATE_NGINX;
}

bool zw_bench_is_one_call(enum zw_bench_mode mode)
{
	return mode == ZW_MODE_DEFLATE_ONE || mode == ZW_MODE_INFLATE_ONE;
}

static enum zw_wire_format format_of(const struct run *run, enum zw_bench_mode mode)
{
	return zw_bench_is_one_call(mode) ? run->plan->format : ZW_FORMAT_GZIP;
}

/* Another library to decode what this one wrote: the first that is a libz, else the first; itself if it is alone. */
static size_t judge_of(const struct run *run, size_t library)
{
	size_t judge = library == 0 && run->worker_count > 1;

	for (size_t i = 0; i < run->worker_count; i++)
		if (i != library && run->workers[i].library->api == ZW_API_ZLIB)
			return i;
	return judge;
}

/* Fetches the library's last output and lets another library decode it. */
static bool prove_output(struct run *run, size_t library, enum zw_wire_format format)
{
	struct zw_worker *judge = &run->workers[judge_of(run, library)];
	struct zw_blob output;
	bool proved;

	if (!zw_worker_output(&run->workers[library], &output))
		return false;
	proved = zw_worker_decodes(judge, format, &output, run->workers[library].library->name);
	free(output.data);
	return proved;
}

/* Gives every worker the body that it has, compressed in this format by the first libz, or by the first library. */
static bool give_packed(struct run *run, enum zw_wire_format format)
{
	struct zw_wire_answer answer;
	struct zw_blob packed;
	size_t maker = 0;
	bool done = true;

	while (maker < run->worker_count && run->workers[maker].library->api != ZW_API_ZLIB)
		maker++;
	if (maker == run->worker_count)
		maker = 0;
	int level_max = zw_library_apis[run->workers[maker].library->api].level_max;

	if (!zw_worker_run(&run->workers[maker], ZW_MODE_DEFLATE_ONE, format, level_max < PACKED_LEVEL ? level_max : PACKED_LEVEL,
			   0, &answer) ||
	    !zw_worker_output(&run->workers[maker], &packed))
		return false;
	for (size_t i = 0; i < run->worker_count && done; i++)
		done = zw_worker_set_packed(&run->workers[i], format, &packed);
	free(packed.data);
	return done;
}

static bool give_payload(struct run *run, const struct zw_payload *payload)
{
	bool is_wanted[WIRE_FORMAT_COUNT] = { false };

	for (size_t i = 0; i < run->worker_count; i++)
		if (!zw_worker_set_body(&run->workers[i], &payload->body))
			return false;
	for (int mode = 0; mode < BENCH_MODE_COUNT; mode++)
		if (run->plan->modes[mode] && zw_bench_is_inflate((enum zw_bench_mode)mode))
			is_wanted[format_of(run, (enum zw_bench_mode)mode)] = true;
	for (int format = 0; format < WIRE_FORMAT_COUNT; format++)
		if (is_wanted[format] && !give_packed(run, (enum zw_wire_format)format))
			return false;
	return true;
}

/* One library's turn in one round. */
static bool take_turn(struct run *run, struct zw_bench_cell *cell, unsigned round, uint64_t *hash)
{
	const struct zw_payload *payload = &run->plan->payloads.list[cell->payload];
	struct zw_wire_answer answer;
	double cpu_seconds;

	if (zw_interrupted() || !zw_worker_run(&run->workers[cell->library], cell->mode, format_of(run, cell->mode), cell->level,
					       (int64_t)run->plan->time_ms * 1000000, &answer))
		return false;
	if (answer.output_hash != *hash && !zw_bench_is_inflate(cell->mode) &&
	    !prove_output(run, cell->library, format_of(run, cell->mode)))
		return false;
	*hash = answer.output_hash;
	cpu_seconds = (double)answer.cpu_ns / 1e9;
	run->result->used_ns += answer.used_ns;
	run->result->cpu_ns += answer.cpu_ns;
	cell->mb_per_s[round] = (double)payload->body.size_bytes * (double)answer.iteration_count / cpu_seconds / 1e6;
	double faults = (double)answer.fault_count / (double)answer.iteration_count;

	if (faults > cell->faults_per_response)
		cell->faults_per_response = faults;
	cell->alerts_per_response = (double)answer.alert_count / (double)answer.iteration_count;
	return true;
}

static bool warm_up(struct run *run, struct zw_bench_cell *cell, uint64_t *hash)
{
	struct zw_wire_answer answer;

	if (!zw_worker_run(&run->workers[cell->library], cell->mode, format_of(run, cell->mode), cell->level, WARM_UP_NS, &answer))
		return false;
	cell->output_bytes = answer.output_bytes;
	cell->asked_bytes = answer.asked_bytes;
	cell->budget_bytes = answer.budget_bytes;
	*hash = answer.output_hash;
	return zw_bench_is_inflate(cell->mode) || prove_output(run, cell->library, format_of(run, cell->mode));
}

static void sum_up(const struct run *run, struct zw_bench_cell *cells, size_t count)
{
	unsigned round_count = run->plan->round_count;
	double *ratios = zw_tool_alloc(round_count * sizeof *ratios);
	struct zw_spread ratio;

	for (size_t i = 0; i < count; i++) {
		for (unsigned round = 0; round < round_count; round++)
			ratios[round] = cells[i].mb_per_s[round] / cells[0].mb_per_s[round];
		cells[i].speed = zw_spread_of(cells[i].mb_per_s, round_count);
		ratio = zw_spread_of(ratios, round_count);
		cells[i].speed_ratio = ratio.median;
		cells[i].ratio_low = ratio.low;
		cells[i].ratio_high = ratio.high;
		cells[i].size_ratio = (double)cells[i].output_bytes / (double)cells[0].output_bytes;
	}
	free(ratios);
}

/* The level at which a library takes part in a group; BENCH_ABSENT if it does not. */
static int level_in_group(const struct zw_library *library, enum zw_bench_mode mode, int level, bool is_reference)
{
	const struct zw_library_api_facts *facts = &zw_library_apis[library->api];

	if ((library->api != ZW_API_ZLIB && !zw_bench_is_one_call(mode)) || (zw_bench_is_inflate(mode) && !facts->has_inflate))
		return BENCH_ABSENT;
	if (level == BENCH_NO_LEVEL || (level >= facts->level_min && level <= facts->level_max))
		return level;
	return !is_reference ? BENCH_ABSENT : level < facts->level_min ? facts->level_min : facts->level_max;
}

/* One payload in one mode at one level: all libraries that have it, in turns. */
static bool measure_group(struct run *run, size_t payload, enum zw_bench_mode mode, int level)
{
	struct zw_bench_result *result = run->result;
	struct zw_bench_cell *cells = result->cells + result->count;
	uint64_t hashes[LIBRARY_MAX_COUNT];
	size_t count = 0;

	if (zw_clock_ns() - run->started_ns > 1000000000)
		zw_tool_progress("%zu of %zu: %s, %s", run->groups_done + 1, run->group_count,
				 run->plan->payloads.list[payload].name, zw_bench_mode_name(mode));
	for (size_t i = 0; i < run->worker_count; i++) {
		int own_level = level_in_group(run->workers[i].library, mode, level, count == 0);

		if (own_level == BENCH_ABSENT)
			continue;
		cells[count] = (struct zw_bench_cell){ .payload = payload, .library = i, .mode = mode, .level = own_level,
						       .group_level = level, .is_reference = count == 0 };
		cells[count].mb_per_s = zw_tool_alloc(run->plan->round_count * sizeof *cells[count].mb_per_s);
		result->count++;
		if (!warm_up(run, &cells[count], &hashes[count]))
			return false;
		count++;
	}
	for (unsigned round = 0; round < run->plan->round_count; round++)
		for (size_t i = 0; i < count; i++)
			if (!take_turn(run, &cells[i], round, &hashes[i]))
				return false;
	sum_up(run, cells, count);
	run->groups_done++;
	return true;
}

static size_t count_groups(const struct zw_bench_plan *plan)
{
	size_t count = 0;

	for (int mode = 0; mode < BENCH_MODE_COUNT; mode++)
		if (plan->modes[mode])
			count += zw_bench_is_inflate((enum zw_bench_mode)mode) ? 1 : plan->level_count;
	return count * plan->payloads.count;
}

static bool measure_payload(struct run *run, size_t payload)
{
	const struct zw_bench_plan *plan = run->plan;

	if (!give_payload(run, &plan->payloads.list[payload]))
		return false;
	for (int mode = 0; mode < BENCH_MODE_COUNT; mode++) {
		bool is_inflate = zw_bench_is_inflate((enum zw_bench_mode)mode);
		size_t level_count = is_inflate ? 1 : plan->level_count;

		for (size_t i = 0; plan->modes[mode] && i < level_count; i++)
			if (!measure_group(run, payload, (enum zw_bench_mode)mode, is_inflate ? BENCH_NO_LEVEL : plan->levels[i]))
				return false;
	}
	return true;
}

static bool start_workers(struct run *run)
{
	int cpu = zw_cpus_choose().server;

	for (size_t i = 0; i < run->plan->libraries.count; i++) {
		if (!zw_worker_start(&run->workers[i], &run->plan->libraries.list[i], cpu))
			return false;
		run->worker_count++;
		memcpy(run->result->versions[i], run->workers[i].version, sizeof run->workers[i].version);
		memcpy(run->result->mapped[i], run->workers[i].mapped, sizeof run->workers[i].mapped);
	}
	return true;
}

/* ZW_EXIT_DONE, ZW_EXIT_FOUND where a library gave wrong bytes or failed, ZW_EXIT_CANNOT.  Free the result in any case. */
int zw_bench_measure(const struct zw_bench_plan *plan, struct zw_bench_result *result_ret)
{
	struct run run = { .plan = plan, .result = result_ret, .started_ns = zw_clock_ns() };
	int code = ZW_EXIT_CANNOT;

	memset(result_ret, 0, sizeof *result_ret);
	run.group_count = count_groups(plan);
	result_ret->cells = zw_tool_alloc(run.group_count * plan->libraries.count * sizeof *result_ret->cells);
	if (start_workers(&run)) {
		code = ZW_EXIT_DONE;
		for (size_t i = 0; i < plan->payloads.count && code == ZW_EXIT_DONE; i++)
			if (!measure_payload(&run, i))
				code = zw_interrupted() ? ZW_EXIT_CANNOT : ZW_EXIT_FOUND;
	}
	zw_tool_progress_end();
	for (size_t i = 0; i < run.worker_count; i++)
		zw_worker_stop(&run.workers[i]);
	return code;
}

void zw_bench_result_free(struct zw_bench_result *result)
{
	for (size_t i = 0; i < result->count; i++)
		free(result->cells[i].mb_per_s);
	free(result->cells);
	memset(result, 0, sizeof *result);
}
