/* SPDX-License-Identifier: Zlib */
/* turns.c - load on one cell after the other, round after round; then the same at a fixed rate.
 * Takes: proved cells.  Gives: their series.  What the load shows to be something else than what was proved is refused. */
#include "lab/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WIRE_SLACK         0.05              /* bytes under load against the proved size, headers apart */
#define MIX_SLACK          0.25              /* the last turn through the files is not a whole one */
#define HEADER_MAX_BYTES   1024
#define RATE_SHARE         0.5
#define RATE_SECONDS          2

bool zw_lab_refuse(const struct zw_lab_run *run, struct zw_lab_cell *cell, const char *reason)
{
	if (reason != cell->refused)
		snprintf(cell->refused, sizeof cell->refused, "%s", reason);
	cell->round_count = 0;
	if (!zw_interrupted() && !run->plan->arms.list[cell->arm].is_trap)
		zw_tool_error("%s of %s on %s is not measured: %s", run->plan->arms.list[cell->arm].name,
			      run->plan->payloads.list[cell->payload].name, zw_lab_library_name(run, cell->library), cell->refused);
	return false;
}

/* The client must have received what the proof received, or it was not the proved thing that was measured.  Answers that
 * were under way at the end are in the bytes but not in the requests. */
static bool check_load(const struct zw_lab_run *run, const struct zw_lab_cell *cell, const struct zw_lab_load *load, bool is_rate,
		       char reason_ret[static LAB_REASON_BYTES])
{
	double each = load->requests > 0 ? load->bytes / load->requests : 0;
	double size = (double)cell->body_bytes, connections = is_rate ? LAB_RATE_CONNECTIONS : run->loader.connections;
	double slack = cell->payload == run->plan->mix ? MIX_SLACK : WIRE_SLACK;
	double under_way = load->requests > 0 ? size * connections / load->requests : 0;

	if (load->requests < 1 || load->error_count)
		snprintf(reason_ret, LAB_REASON_BYTES, "%.0f requests, %u errors under load", load->requests, load->error_count);
	else if (each < size * (1 - slack) || each > size * (1 + slack) + HEADER_MAX_BYTES + under_way)
		snprintf(reason_ret, LAB_REASON_BYTES, "%.0f bytes each under load, but %.0f when it was proved", each, size);
	else
		return true;
	return false;
}

static double ticks_us_between(const struct zw_lab_usage *before, const struct zw_lab_usage *after)
{
	return (double)(after->cpu_ticks - before->cpu_ticks) * 1e6 / (double)sysconf(_SC_CLK_TCK);
}

static double cpu_us_between(const struct zw_lab_usage *before, const struct zw_lab_usage *after)
{
	return before->cpu_ns >= 0 ? (double)(after->cpu_ns - before->cpu_ns) / 1e3 : ticks_us_between(before, after);
}

/* ab has one thread, whatever there are CPUs. */
static double client_threads(const struct zw_lab_run *run, const struct zw_lab_cell *cell)
{
	return run->plan->arms.list[cell->arm].client == LAB_CLIENT_AB ? 1 : run->loader.thread_count;
}

static void keep_turn(struct zw_lab_run *run, struct zw_lab_cell *cell, const struct zw_lab_load *load, const struct zw_lab_usage *before,
		      const struct zw_lab_usage *after)
{
	size_t at = cell->round_count++;
	double ticks_us = ticks_us_between(before, after), cpu_us = cpu_us_between(before, after);

	cell->series[LAB_REQUESTS_PER_S][at] = load->requests / load->seconds;
	cell->series[LAB_CPU_US][at] = cpu_us / load->requests;
	cell->series[LAB_CPU_TICKS_US][at] = ticks_us / load->requests;
	cell->series[LAB_PEAK_KB][at] = (double)zw_lab_peak_kb(&run->servers[cell->library]);
	cell->series[LAB_P50_MS][at] = load->p50_ms;
	cell->series[LAB_P95_MS][at] = load->p95_ms;
	cell->series[LAB_P99_MS][at] = load->p99_ms;
	cell->series[LAB_SERVER_BUSY][at] = cpu_us / 1e6 / load->seconds / run->result->worker_count;
	cell->series[LAB_CLIENT_BUSY][at] = load->client_cpu_seconds / load->seconds / client_threads(run, cell);
}

/* Brings the workers back if they are gone, and puts load on them.  False if there are no figures; reason_ret says why. */
static bool put_load(struct zw_lab_run *run, const struct zw_lab_cell *cell, double rate_per_s, unsigned seconds, struct zw_lab_load *load_ret,
		     struct zw_lab_usage *before_ret, struct zw_lab_usage *after_ret, char reason_ret[static LAB_REASON_BYTES])
{
	const struct zw_lab_arm *arm = &run->plan->arms.list[cell->arm];
	struct zw_lab_server *server = &run->servers[cell->library];
	bool is_mix = cell->payload == run->plan->mix;
	struct zw_lab_target target = { .arm = arm, .is_mix = is_mix, .rate_per_s = rate_per_s, .seconds = seconds };
	bool done;
	char *url;

	if (!zw_lab_usage_read(server, before_ret) && (!zw_lab_server_revive(server) || !zw_lab_usage_read(server, before_ret))) {
		snprintf(reason_ret, LAB_REASON_BYTES, "the NGINX worker is gone, and its master made no new one");
		return false;
	}
	url = zw_lab_server_url(server, arm, is_mix ? "" : run->plan->payloads.list[cell->payload].name);
	target.url = url;
	zw_lab_peak_forget(server);
	done = zw_lab_load_run(&run->loader, &target, load_ret);
	free(url);
	if (!zw_lab_usage_read(server, after_ret))
		snprintf(reason_ret, LAB_REASON_BYTES, "the NGINX worker crashed under load");
	else if (!done)
		snprintf(reason_ret, LAB_REASON_BYTES, "the load generator gave no numbers");
	else
		return !zw_interrupted() && check_load(run, cell, load_ret, rate_per_s > 0, reason_ret);
	return false;
}

static void load_cell(struct zw_lab_run *run, struct zw_lab_cell *cell)
{
	struct zw_lab_usage before, after;
	char reason[LAB_REASON_BYTES] = "";
	struct zw_lab_load load;

	if (put_load(run, cell, 0, run->result->seconds, &load, &before, &after, reason))
		keep_turn(run, cell, &load, &before, &after);
	else if (!zw_interrupted())
		zw_lab_refuse(run, cell, reason);
}

void zw_lab_load_all(struct zw_lab_run *run)
{
	struct zw_lab_result *result = run->result;

	for (unsigned round = 0; round < result->round_count; round++) {
		for (size_t i = 0; i < result->count && !zw_interrupted(); i++) {
			struct zw_lab_cell *cell = &result->cells[i];

			if (*cell->refused)
				continue;
			zw_tool_progress("round %u of %u: %s, %s, %s", round + 1, result->round_count,
					 run->plan->payloads.list[cell->payload].name, run->plan->arms.list[cell->arm].name,
					 zw_lab_library_name(run, cell->library));
			load_cell(run, cell);
		}
	}
}

/* ---- a fixed rate ---- */

/* Where one library's cell goes, all go, so that they are asked at the same rate: half of what the slowest of them served. */
static double rate_of_group(const struct zw_lab_result *result, size_t first)
{
	double least = 0;

	for (size_t i = first; i < result->count && result->cells[i].arm == result->cells[first].arm &&
	     result->cells[i].payload == result->cells[first].payload; i++) {
		double served = zw_lab_median(&result->cells[i], LAB_REQUESTS_PER_S);

		if (zw_lab_is_measured(&result->cells[i]) && served > 0 && (least <= 0 || served < least))
			least = served;
	}
	return least * RATE_SHARE;
}

/* Arms in which the library works, for pages and data, kept alive, at the two levels that people use. */
static bool wants_rate(const struct zw_lab_run *run, const struct zw_lab_cell *cell)
{
	const struct zw_lab_arm *arm = &run->plan->arms.list[cell->arm];

	return zw_lab_is_measured(cell) && arm->client == LAB_CLIENT_WRK && (arm->level == 1 || arm->level == 6) && arm->needs_library &&
	       zw_lab_role_of(run->plan, cell->payload) == LAB_ROLE_MAIN && *cell->content_encoding;
}

static void list_rates(struct zw_lab_run *run)
{
	struct zw_lab_result *result = run->result;
	size_t first = 0;

	for (size_t i = 0; i < result->count; i++) {
		if (result->cells[i].arm != result->cells[first].arm || result->cells[i].payload != result->cells[first].payload)
			first = i;
		if (!wants_rate(run, &result->cells[i]))
			continue;
		result->rates = zw_tool_grow(result->rates, (result->rate_count + 1) * sizeof *result->rates);
		result->rates[result->rate_count] = (struct zw_lab_rate){ .cell = i, .rate_per_s = rate_of_group(result, first) };
		result->rate_count++;
	}
}

static void measure_rate(struct zw_lab_run *run, struct zw_lab_rate *rate)
{
	const struct zw_lab_cell *cell = &run->result->cells[rate->cell];
	struct zw_lab_usage before, after;
	struct zw_lab_load load;
	size_t at = rate->round_count;

	if (!put_load(run, cell, rate->rate_per_s, RATE_SECONDS, &load, &before, &after, rate->refused)) {
		if (!zw_interrupted())
			zw_tool_error("%s of %s on %s at a rate is not measured: %s", run->plan->arms.list[cell->arm].name,
				      run->plan->payloads.list[cell->payload].name, zw_lab_library_name(run, cell->library), rate->refused);
		return;
	}
	rate->series[LAB_RATE_ACHIEVED][at] = load.requests / load.seconds;
	rate->series[LAB_RATE_P50_MS][at] = load.p50_ms;
	rate->series[LAB_RATE_P95_MS][at] = load.p95_ms;
	rate->series[LAB_RATE_P99_MS][at] = load.p99_ms;
	rate->series[LAB_RATE_CPU_US][at] = cpu_us_between(&before, &after) / load.requests;
	rate->series[LAB_RATE_LATE][at] = load.late_share;
	rate->round_count++;
}

/* Latency where the server has time: each library at the same rate, in turns. */
void zw_lab_rates_measure(struct zw_lab_run *run)
{
	list_rates(run);
	for (unsigned round = 0; round < LAB_RATE_ROUND_COUNT; round++)
		for (size_t i = 0; i < run->result->rate_count && !zw_interrupted(); i++) {
			struct zw_lab_rate *rate = &run->result->rates[i];
			const struct zw_lab_cell *cell = &run->result->cells[rate->cell];

			if (*rate->refused)
				continue;
			zw_tool_progress("at %.0f requests/s: %s, %s, %s", rate->rate_per_s, run->plan->payloads.list[cell->payload].name,
					 run->plan->arms.list[cell->arm].name, zw_lab_library_name(run, cell->library));
			measure_rate(run, rate);
		}
}
