/* SPDX-License-Identifier: Zlib */
/* single.c - one response at a time: the first of a new process, whose memory is fresh and whose CPU caches were emptied, and
 * one in the same process after many.  Each round is a process of its own for each library, in turns. */
#include "bench/single.h"

#include <stdlib.h>
#include <string.h>

#define WARM_UP_NS INT64_C(10000000)

static const double us_in_ns = 1e-3;

/* One run in the process; false if it failed, or wrote something else than what was proved. */
static bool run_one(struct zw_worker *worker, const struct zw_worker_job *job, uint64_t hash, double *us_ret)
{
	struct zw_wire_answer answer;

	if (!zw_worker_run(worker, job, &answer))
		return false;
	if (answer.output_hash != hash) {
		strcpy(worker->trouble, "it compresses the same body to different bytes each time: they cannot be proved");
		return false;
	}
	if (us_ret)
		*us_ret = (double)answer.cpu_ns / (double)answer.iteration_count * us_in_ns;
	return true;
}

static bool run_process(struct zw_crew *crew, struct zw_bench_cell *cell, uint64_t hash, unsigned round, struct zw_worker *worker)
{
	const struct zw_library *library = &crew->plan->libraries.list[cell->library];
	struct zw_worker_job job = zw_bench_job_of(crew->plan, cell, 0);

	if (!zw_worker_start(worker, library, crew->cpu) ||
	    !zw_worker_set_body(worker, 0, &crew->plan->payloads.list[cell->payload].body) ||
	    (zw_bench_is_inflate(cell->mode) && !zw_worker_set_packed(worker, job.format, &crew->packed[job.format][cell->payload])))
		return false;
	job.is_cold = true;
	if (!run_one(worker, &job, hash, &cell->cold_us[round]))
		return false;
	job.is_cold = false;
	job.time_ns = WARM_UP_NS;
	if (!run_one(worker, &job, hash, NULL))
		return false;
	job.time_ns = 0;
	return run_one(worker, &job, hash, &cell->warm_us[round]);
}

static void make_cell_ready(struct zw_bench_cell *cell, unsigned round_count)
{
	cell->cold_us = zw_tool_alloc(round_count * sizeof *cell->cold_us);
	cell->warm_us = zw_tool_alloc(round_count * sizeof *cell->warm_us);
}

/* The cells of one group, in which outputs were proved and have these hashes. */
void zw_bench_measure_single(struct zw_crew *crew, struct zw_bench_cell *cells, size_t count, const uint64_t *hashes)
{
	for (size_t i = 0; i < count; i++)
		make_cell_ready(&cells[i], crew->plan->round_count);
	for (unsigned round = 0; round < crew->plan->round_count; round++)
		for (size_t i = 0; i < count && !zw_interrupted(); i++) {
			struct zw_worker worker;

			if (cells[i].failed)
				continue;
			if (!run_process(crew, &cells[i], hashes[i], round, &worker)) {
				cells[i].failed = zw_tool_format("%.*s", BENCH_REASON_BYTES - 1, worker.trouble);
				crew->has_trouble = true;
			}
			zw_worker_stop(&worker);
		}
}
