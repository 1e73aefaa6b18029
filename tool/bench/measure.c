/* SPDX-License-Identifier: Zlib */
/* measure.c - runs every payload, mode and level on every library, in turns, so that whatever drifts hits all alike.
 * Bodies are mixed, each once and then the next, or each is repeated.
 * Takes: the plan.  Gives: one cell for each combination.  Every output is decoded by another library first. */
#include "bench/bench.h"

#include <stdlib.h>
#include <string.h>

#define BENCH_ABSENT (-2)
#define WARM_UP_NS   INT64_C(10000000)
#define NS_IN_MS     INT64_C(1000000)
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

/* Fetches the library's last output, which is of this payload, and lets another library decode it. */
static bool prove_output(struct run *run, size_t library, size_t payload, enum zw_wire_format format)
{
	struct zw_worker *judge = &run->workers[judge_of(run, library)];
	struct zw_blob output;
	bool proved;

	if (!zw_worker_output(&run->workers[library], &output))
		return false;
	proved = zw_worker_choose(judge, payload) && zw_worker_decodes(judge, format, &output, run->workers[library].library->name);
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

static bool give_payload(struct run *run, size_t payload)
{
	bool is_wanted[WIRE_FORMAT_COUNT] = { false };

	for (size_t i = 0; i < run->worker_count; i++)
		if (!zw_worker_set_body(&run->workers[i], payload, &run->plan->payloads.list[payload].body))
			return false;
	for (int mode = 0; mode < BENCH_MODE_COUNT; mode++)
		if (run->plan->modes[mode] && zw_bench_is_inflate((enum zw_bench_mode)mode))
			is_wanted[format_of(run, (enum zw_bench_mode)mode)] = true;
	for (int format = 0; format < WIRE_FORMAT_COUNT; format++)
		if (is_wanted[format] && !give_packed(run, (enum zw_wire_format)format))
			return false;
	return true;
}

static bool choose_payload(struct run *run, size_t payload)
{
	for (size_t i = 0; i < run->worker_count; i++)
		if (!zw_worker_choose(&run->workers[i], payload))
			return false;
	return true;
}

/* What one library did in one round with a cell's body. */
static void note_round(struct run *run, struct zw_bench_cell *cell, unsigned round, double cpu_ns, double count, double faults,
		       double alerts)
{
	const struct zw_payload *payload = &run->plan->payloads.list[cell->payload];

	cell->mb_per_s[round] = (double)payload->body.size_bytes * count / cpu_ns * 1e3;
	if (faults / count > cell->faults_per_response)
		cell->faults_per_response = faults / count;
	cell->alerts_per_response = alerts / count;
}

/* One library's turn in one round. */
static bool take_turn(struct run *run, struct zw_bench_cell *cell, unsigned round, uint64_t *hash)
{
	struct zw_wire_answer answer;

	if (zw_interrupted() || !zw_worker_run(&run->workers[cell->library], cell->mode, format_of(run, cell->mode), cell->level,
					       (int64_t)run->plan->time_ms * NS_IN_MS, &answer))
		return false;
	if (answer.output_hash != *hash && !zw_bench_is_inflate(cell->mode) &&
	    !prove_output(run, cell->library, cell->payload, format_of(run, cell->mode)))
		return false;
	*hash = answer.output_hash;
	run->result->used_ns += answer.used_ns;
	run->result->cpu_ns += answer.cpu_ns;
	note_round(run, cell, round, (double)answer.cpu_ns, (double)answer.iteration_count, (double)answer.fault_count,
		   (double)answer.alert_count);
	return true;
}

/* An output that differs from the one that was proved: once more, to have it and to prove it. */
static bool prove_again(struct run *run, const struct zw_bench_cell *cell, uint64_t hash)
{
	struct zw_worker *worker = &run->workers[cell->library];
	struct zw_wire_answer answer;

	if (!zw_worker_choose(worker, cell->payload) ||
	    !zw_worker_run(worker, cell->mode, format_of(run, cell->mode), cell->level, 0, &answer))
		return false;
	if (answer.output_hash == hash)
		return prove_output(run, cell->library, cell->payload, format_of(run, cell->mode));
	zw_tool_error("%s (%s) compresses the same body to different bytes each time: they cannot be proved",
		      worker->library->name, worker->library->path);
	return false;
}

/* One library's turn in one round with all bodies; its cells, and the hashes of what was proved, stand apart count. */
static bool take_mixed_turn(struct run *run, struct zw_bench_cell *cells, uint64_t *hashes, size_t count, unsigned round)
{
	size_t payload_count = run->plan->payloads.count;
	struct zw_wire_share *shares = zw_tool_alloc(payload_count * sizeof *shares);
	struct zw_wire_answer answer;
	bool done = !zw_interrupted() &&
		    zw_worker_run_mixed(&run->workers[cells->library], cells->mode, format_of(run, cells->mode), cells->level,
					(int64_t)run->plan->time_ms * NS_IN_MS * (int64_t)payload_count, &answer, shares, payload_count);

	for (size_t p = 0; p < payload_count && done; p++) {
		struct zw_bench_cell *cell = &cells[p * count];

		if (shares[p].output_hash != hashes[p * count] && !zw_bench_is_inflate(cell->mode))
			done = prove_again(run, cell, shares[p].output_hash);
		hashes[p * count] = shares[p].output_hash;
		note_round(run, cell, round, shares[p].cpu_ns, (double)answer.iteration_count,
			   (double)answer.fault_count / (double)payload_count, (double)shares[p].alert_count);
	}
	if (done) {
		run->result->used_ns += answer.used_ns;
		run->result->cpu_ns += answer.cpu_ns;
	}
	free(shares);
	return done;
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
	return zw_bench_is_inflate(cell->mode) || prove_output(run, cell->library, cell->payload, format_of(run, cell->mode));
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

static void tell_progress(const struct run *run, size_t payload, enum zw_bench_mode mode)
{
	if (zw_clock_ns() - run->started_ns > 1000000000)
		zw_tool_progress("%zu of %zu: %s, %s", run->groups_done + 1, run->group_count,
				 run->plan->payloads.list[payload].name, zw_bench_mode_name(mode));
}

/* The cells of one payload, mode and level, one for each library that takes part, warm and proved.  All workers have chosen the
 * payload.  0: a library failed. */
static size_t begin_group(struct run *run, size_t payload, enum zw_bench_mode mode, int level, uint64_t *hashes)
{
	struct zw_bench_result *result = run->result;
	struct zw_bench_cell *cells = result->cells + result->count;
	size_t count = 0;

	tell_progress(run, payload, mode);
	for (size_t i = 0; i < run->worker_count; i++) {
		int own_level = level_in_group(run->workers[i].library, mode, level, count == 0);

		if (own_level == BENCH_ABSENT)
			continue;
		cells[count] = (struct zw_bench_cell){ .payload = payload, .library = i, .mode = mode, .level = own_level,
						       .group_level = level, .is_reference = count == 0 };
		cells[count].mb_per_s = zw_tool_alloc(run->plan->round_count * sizeof *cells[count].mb_per_s);
		result->count++;
		if (!warm_up(run, &cells[count], &hashes[count]))
			return 0;
		count++;
	}
	return count;
}

static bool has_group(const struct run *run, enum zw_bench_mode mode, int level)
{
	for (size_t i = 0; i < run->worker_count; i++)
		if (level_in_group(run->workers[i].library, mode, level, true) != BENCH_ABSENT)
			return true;
	return false;
}

/* One payload again and again: all libraries in turns. */
static bool measure_repeated(struct run *run, size_t payload, enum zw_bench_mode mode, int level)
{
	struct zw_bench_cell *cells = run->result->cells + run->result->count;
	uint64_t hashes[LIBRARY_MAX_COUNT];
	size_t count = choose_payload(run, payload) ? begin_group(run, payload, mode, level, hashes) : 0;

	for (unsigned round = 0; round < run->plan->round_count; round++)
		for (size_t i = 0; i < count; i++)
			if (!take_turn(run, &cells[i], round, &hashes[i]))
				return false;
	sum_up(run, cells, count);
	run->groups_done++;
	return count != 0;
}

/* All payloads one after the other: all libraries in turns. */
static bool measure_mixed(struct run *run, enum zw_bench_mode mode, int level)
{
	size_t payload_count = run->plan->payloads.count;
	uint64_t *hashes = zw_tool_alloc(payload_count * run->worker_count * sizeof *hashes);
	struct zw_bench_cell *cells = run->result->cells + run->result->count;
	size_t count = 1;
	bool done = true;

	for (size_t p = 0; p < payload_count && done; p++) {
		count = choose_payload(run, p) ? begin_group(run, p, mode, level, hashes + p * count) : 0;
		done = count != 0;
	}
	for (unsigned round = 0; round < run->plan->round_count && done; round++)
		for (size_t i = 0; i < count && done; i++)
			done = take_mixed_turn(run, &cells[i], hashes + i, count, round);
	for (size_t p = 0; p < payload_count && done; p++)
		sum_up(run, cells + p * count, count);
	run->groups_done += payload_count;
	free(hashes);
	return done;
}

static size_t count_groups(const struct zw_bench_plan *plan)
{
	size_t count = 0;

	for (int mode = 0; mode < BENCH_MODE_COUNT; mode++)
		if (plan->modes[mode])
			count += zw_bench_is_inflate((enum zw_bench_mode)mode) ? 1 : plan->level_count;
	return count * plan->payloads.count;
}

static bool measure_group(struct run *run, enum zw_bench_mode mode, int level, size_t payload)
{
	if (!has_group(run, mode, level))
		return true;
	return run->plan->repeats_bodies ? measure_repeated(run, payload, mode, level) : measure_mixed(run, mode, level);
}

/* All modes and levels, with one payload or with all of them. */
static bool measure_all(struct run *run, size_t payload)
{
	const struct zw_bench_plan *plan = run->plan;

	for (int mode = 0; mode < BENCH_MODE_COUNT; mode++) {
		bool is_inflate = zw_bench_is_inflate((enum zw_bench_mode)mode);
		size_t level_count = is_inflate ? 1 : plan->level_count;

		for (size_t i = 0; plan->modes[mode] && i < level_count; i++)
			if (!measure_group(run, (enum zw_bench_mode)mode, is_inflate ? BENCH_NO_LEVEL : plan->levels[i], payload))
				return false;
	}
	return true;
}

static bool measure_payloads(struct run *run)
{
	size_t count = run->plan->payloads.count;

	for (size_t i = 0; i < count; i++)
		if (!give_payload(run, i))
			return false;
	for (size_t i = 0; i < (run->plan->repeats_bodies ? count : 1); i++)
		if (!measure_all(run, i))
			return false;
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
		code = measure_payloads(&run) ? ZW_EXIT_DONE : zw_interrupted() ? ZW_EXIT_CANNOT : ZW_EXIT_FOUND;
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
