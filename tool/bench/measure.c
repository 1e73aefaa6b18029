/* SPDX-License-Identifier: Zlib */
/* measure.c - runs every payload, mode and level on every library, in turns, so that whatever drifts hits all alike.
 * Bodies are mixed, each once and then the next, or each is repeated.
 * Takes: the plan.  Gives: one cell for each combination, measured or failed with the reason; one that fails does not stop
 * the others.  Every output is decoded by another library first. */
#include "bench/crew.h"
#include "bench/single.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BENCH_ABSENT (-2)
#define WARM_UP_NS   INT64_C(10000000)
#define NS_IN_MS     INT64_C(1000000)

struct run {
	const struct zw_bench_plan *plan;
	struct zw_bench_result *result;
	struct zw_crew crew;
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

static struct zw_worker *worker_of(struct run *run, const struct zw_bench_cell *cell)
{
	return &run->crew.workers[cell->library];
}

struct zw_worker_job zw_bench_job_of(const struct zw_bench_plan *plan, const struct zw_bench_cell *cell, int64_t time_ns)
{
	return (struct zw_worker_job){ .mode = cell->mode, .format = zw_bench_format_of(plan, cell->mode), .level = cell->level,
				       .time_ns = time_ns, .shape = plan->shape };
}

/* This cell has no figures, and the library's worker is made ready for the next one.  Returns false. */
static bool fail_cell(struct run *run, struct zw_bench_cell *cell)
{
	const char *trouble = zw_crew_is_out(&run->crew, cell->library) ? run->result->broken[cell->library] : worker_of(run, cell)->trouble;

	if (!cell->failed)
		cell->failed = zw_tool_format("%.*s", BENCH_REASON_BYTES - 1, *trouble ? trouble : "it did not answer");
	zw_crew_mend(&run->crew, cell->library);
	return false;
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

/* One library's turn in one round.  False if the cell has failed. */
static bool take_turn(struct run *run, struct zw_bench_cell *cell, unsigned round, uint64_t *hash)
{
	struct zw_worker_job job = zw_bench_job_of(run->plan, cell, (int64_t)run->plan->time_ms * NS_IN_MS);
	struct zw_wire_answer answer;

	if (zw_interrupted())
		return false;
	if (!zw_worker_run(worker_of(run, cell), &job, &answer))
		return fail_cell(run, cell);
	if (answer.output_hash != *hash && !zw_bench_is_inflate(cell->mode) &&
	    !zw_crew_prove(&run->crew, cell->library, cell->payload, job.format))
		return fail_cell(run, cell);
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
	struct zw_worker_job job = zw_bench_job_of(run->plan, cell, 0);
	struct zw_worker *worker = worker_of(run, cell);
	struct zw_wire_answer answer;

	if (!zw_crew_choose(&run->crew, cell->library, cell->payload) || !zw_worker_run(worker, &job, &answer))
		return false;
	if (answer.output_hash == hash)
		return zw_crew_prove(&run->crew, cell->library, cell->payload, job.format);
	snprintf(worker->trouble, sizeof worker->trouble, "it compresses the same body to different bytes each time: they cannot be proved");
	zw_tool_error("%s (%s): %s", worker->library->name, worker->library->path, worker->trouble);
	return false;
}

/* One library's turn in one round with all bodies; its cells, and the hashes of what was proved, stand apart count. */
static bool take_mixed_turn(struct run *run, struct zw_bench_cell *cells, uint64_t *hashes, size_t count, unsigned round)
{
	size_t payload_count = run->plan->payloads.count;
	struct zw_wire_share *shares = zw_tool_alloc(payload_count * sizeof *shares);
	struct zw_worker_job job = zw_bench_job_of(run->plan, cells, (int64_t)run->plan->time_ms * NS_IN_MS * (int64_t)payload_count);
	struct zw_wire_answer answer;
	bool done = !zw_interrupted() && zw_worker_run_mixed(worker_of(run, cells), &job, &answer, shares, payload_count);

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
	return done || fail_cell(run, cells);
}

static bool warm_up(struct run *run, struct zw_bench_cell *cell, uint64_t *hash)
{
	struct zw_worker_job job = zw_bench_job_of(run->plan, cell, WARM_UP_NS);
	struct zw_wire_answer answer;

	if (zw_crew_is_out(&run->crew, cell->library) || !zw_crew_choose(&run->crew, cell->library, cell->payload) ||
	    !zw_worker_run(worker_of(run, cell), &job, &answer))
		return fail_cell(run, cell);
	cell->output_bytes = answer.output_bytes;
	cell->asked_bytes = answer.asked_bytes;
	cell->budget_bytes = answer.budget_bytes;
	cell->instruction_count = answer.instruction_count;
	cell->peak_kb = answer.peak_kb;
	cell->verdict_count = answer.verdict_count;
	memcpy(cell->verdicts, answer.verdicts, sizeof cell->verdicts);
	*hash = answer.output_hash;
	return zw_bench_is_inflate(cell->mode) || zw_crew_prove(&run->crew, cell->library, cell->payload, job.format) ||
	       fail_cell(run, cell);
}

/* Ratios to the first of the group, where that one was measured. */
static void sum_up(const struct run *run, struct zw_bench_cell *cells, size_t count)
{
	unsigned round_count = run->plan->round_count;
	double *ratios = zw_tool_alloc(round_count * sizeof *ratios);
	struct zw_spread ratio;

	for (size_t i = 0; i < count; i++) {
		if (cells[i].failed)
			continue;
		cells[i].speed = zw_spread_of(cells[i].mb_per_s, round_count);
		if (cells[0].failed)
			continue;
		for (unsigned round = 0; round < round_count; round++)
			ratios[round] = cells[i].mb_per_s[round] / cells[0].mb_per_s[round];
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
				 run->plan->payloads.list[payload].name, zw_bench_mode_name(run->plan, mode));
}

/* The cells of one payload, mode and level, one for each library that takes part, warm and proved, or failed.  Their number. */
static size_t begin_group(struct run *run, size_t payload, enum zw_bench_mode mode, int level, uint64_t *hashes)
{
	struct zw_bench_result *result = run->result;
	struct zw_bench_cell *cells = result->cells + result->count;
	size_t count = 0;

	tell_progress(run, payload, mode);
	for (size_t i = 0; i < run->plan->libraries.count; i++) {
		int own_level = level_in_group(&run->plan->libraries.list[i], mode, level, count == 0);

		if (own_level == BENCH_ABSENT)
			continue;
		cells[count] = (struct zw_bench_cell){ .payload = payload, .library = i, .mode = mode, .level = own_level,
						       .group_level = level, .is_reference = count == 0 };
		cells[count].mb_per_s = zw_tool_alloc(run->plan->round_count * sizeof *cells[count].mb_per_s);
		result->count++;
		warm_up(run, &cells[count], &hashes[count]);
		count++;
	}
	return count;
}

static bool has_group(const struct run *run, enum zw_bench_mode mode, int level)
{
	for (size_t i = 0; i < run->plan->libraries.count; i++)
		if (level_in_group(&run->plan->libraries.list[i], mode, level, true) != BENCH_ABSENT)
			return true;
	return false;
}

/* One payload again and again: all libraries in turns. */
static void measure_repeated(struct run *run, size_t payload, enum zw_bench_mode mode, int level)
{
	struct zw_bench_cell *cells = run->result->cells + run->result->count;
	uint64_t hashes[LIBRARY_MAX_COUNT];
	size_t count = begin_group(run, payload, mode, level, hashes);

	for (size_t i = 0; i < count; i++)       /* another one's proof may have moved the choice */
		if (!cells[i].failed && !zw_crew_choose(&run->crew, cells[i].library, payload))
			fail_cell(run, &cells[i]);
	for (unsigned round = 0; round < run->plan->round_count && !zw_interrupted(); round++)
		for (size_t i = 0; i < count; i++)
			if (!cells[i].failed)
				take_turn(run, &cells[i], round, &hashes[i]);
	sum_up(run, cells, count);
	run->groups_done++;
}

/* A library that failed with one body has no times for the others: all of them are in each of its turns. */
static void spread_failure(const struct run *run, struct zw_bench_cell *cells, size_t count)
{
	const struct zw_bench_cell *first = NULL;

	for (size_t p = 0; p < run->plan->payloads.count && !first; p++)
		if (cells[p * count].failed)
			first = &cells[p * count];
	for (size_t p = 0; first && p < run->plan->payloads.count; p++)
		if (!cells[p * count].failed)
			cells[p * count].failed = zw_tool_format("not measured: bodies are mixed, and with %.40s %.*s",
				run->plan->payloads.list[first->payload].name, BENCH_REASON_BYTES - 90, first->failed);
}

/* All payloads one after the other: all libraries in turns. */
static void measure_mixed(struct run *run, enum zw_bench_mode mode, int level)
{
	size_t payload_count = run->plan->payloads.count;
	uint64_t *hashes = zw_tool_alloc(payload_count * run->plan->libraries.count * sizeof *hashes);
	struct zw_bench_cell *cells = run->result->cells + run->result->count;
	size_t count = 0;

	for (size_t p = 0; p < payload_count && !zw_interrupted(); p++)
		count = begin_group(run, p, mode, level, hashes + p * count);
	for (size_t i = 0; i < count && !zw_interrupted(); i++)
		spread_failure(run, &cells[i], count);
	for (unsigned round = 0; round < run->plan->round_count && !zw_interrupted(); round++)
		for (size_t i = 0; i < count && !zw_interrupted(); i++)
			if (!cells[i].failed && !take_mixed_turn(run, &cells[i], hashes + i, count, round))
				spread_failure(run, &cells[i], count);
	for (size_t p = 0; p < payload_count && !zw_interrupted(); p++)
		sum_up(run, cells + p * count, count);
	run->groups_done += payload_count;
	free(hashes);
}

static size_t count_groups(const struct zw_bench_plan *plan)
{
	size_t count = 0;

	for (int mode = 0; mode < BENCH_MODE_COUNT; mode++)
		if (plan->modes[mode])
			count += zw_bench_is_inflate((enum zw_bench_mode)mode) ? 1 : plan->level_count;
	return count * plan->payloads.count;
}

static void measure_group(struct run *run, enum zw_bench_mode mode, int level, size_t payload)
{
	if (!has_group(run, mode, level))
		return;
	if (run->plan->is_single) {
		struct zw_bench_cell *cells = run->result->cells + run->result->count;
		uint64_t hashes[LIBRARY_MAX_COUNT];
		size_t count = begin_group(run, payload, mode, level, hashes);

		zw_bench_measure_single(&run->crew, cells, count, hashes);
		run->groups_done++;
	} else if (run->plan->repeats_bodies) {
		measure_repeated(run, payload, mode, level);
	} else {
		measure_mixed(run, mode, level);
	}
}

/* All modes and levels, with one payload or with all of them. */
static void measure_all(struct run *run, size_t payload)
{
	const struct zw_bench_plan *plan = run->plan;

	for (int mode = 0; mode < BENCH_MODE_COUNT; mode++) {
		bool is_inflate = zw_bench_is_inflate((enum zw_bench_mode)mode);
		size_t level_count = is_inflate ? 1 : plan->level_count;

		for (size_t i = 0; plan->modes[mode] && i < level_count && !zw_interrupted(); i++)
			measure_group(run, (enum zw_bench_mode)mode, is_inflate ? BENCH_NO_LEVEL : plan->levels[i], payload);
	}
}

/* ZW_EXIT_DONE; ZW_EXIT_FOUND where a library gave wrong bytes or failed, the others are measured; ZW_EXIT_CANNOT.  Free the
 * result in any case. */
int zw_bench_measure(const struct zw_bench_plan *plan, struct zw_bench_result *result_ret)
{
	struct run *run = zw_tool_alloc(sizeof *run);
	int code = ZW_EXIT_CANNOT;

	memset(result_ret, 0, sizeof *result_ret);
	memset(run, 0, sizeof *run);
	run->plan = plan;
	run->result = result_ret;
	run->started_ns = zw_clock_ns();
	run->group_count = count_groups(plan);
	result_ret->cells = zw_tool_alloc(run->group_count * plan->libraries.count * sizeof *result_ret->cells);
	if (zw_crew_start(&run->crew, plan, result_ret) && zw_crew_prepare(&run->crew)) {
		for (size_t p = 0; p < (plan->repeats_bodies || plan->is_single ? plan->payloads.count : 1) && !zw_interrupted(); p++)
			measure_all(run, p);
		code = zw_interrupted() ? ZW_EXIT_CANNOT : run->crew.has_trouble ? ZW_EXIT_FOUND : ZW_EXIT_DONE;
	}
	zw_tool_progress_end();
	zw_crew_stop(&run->crew);
	free(run);
	return code;
}

void zw_bench_result_free(struct zw_bench_result *result)
{
	for (size_t i = 0; i < result->count; i++) {
		free(result->cells[i].mb_per_s);
		free(result->cells[i].failed);
		free(result->cells[i].cold_us);
		free(result->cells[i].warm_us);
	}
	free(result->cells);
	memset(result, 0, sizeof *result);
}
