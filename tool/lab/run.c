/* SPDX-License-Identifier: Zlib */
/* run.c - the experiment: files, servers, the proof of every arm, then load in turns.
 * Takes: the plan.  Gives: one cell for each arm, body and library, measured or refused with the reason.
 * One that fails does not stop the others.  Leaves nothing behind, however it ends. */
#include "lab/lab.h"

#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TURN_SECONDS       1                 /* the least that wrk can do: more turns rather than longer ones */
#define FULL_ROUNDS_MAX    5
#define FULL_LOAD_SECONDS  270               /* so that all, with building, ends within 6 minutes */
#define QUICK_ROUNDS_MAX   5
#define QUICK_LOAD_SECONDS 50                /* so that a quick run ends within 60 s */
#define TURN_EXTRA_SECONDS 0.15              /* starting wrk, and its last wait */
#define WIRE_SLACK         0.05              /* bytes under load against the proved size, headers apart */
#define HEADER_MAX_BYTES   1024
#define SLOW_CLIENTS       64

struct lab {
	const struct zw_lab_plan *plan;
	struct zw_lab_result *result;
	char *directory;
	struct zw_lab_janitor janitor;
	struct zw_lab_loader loader;
	struct zw_worker workers[LIBRARY_MAX_COUNT];
	struct zw_lab_server servers[LIBRARY_MAX_COUNT];
};

static const char *name_of_library(const struct lab *lab, size_t library)
{
	return lab->plan->libraries.list[library].name;
}

/* ---- load ---- */

static bool refuse(const struct lab *lab, struct zw_lab_cell *cell, const char *reason)
{
	if (reason != cell->refused)
		snprintf(cell->refused, sizeof cell->refused, "%s", reason);
	cell->round_count = 0;
	if (!zw_interrupted() && !lab->plan->arms.list[cell->arm].is_trap)
		zw_tool_error("%s of %s on %s is not measured: %s", lab->plan->arms.list[cell->arm].name,
			      lab->plan->payloads.list[cell->payload].name, name_of_library(lab, cell->library), cell->refused);
	return false;
}

/* The client must have received what the proof received, or it was not the proved thing that was measured.  Answers that
 * were under way at the end are in the bytes but not in the requests. */
static bool check_load(const struct lab *lab, struct zw_lab_cell *cell, const struct zw_lab_load *load)
{
	double each = load->requests > 0 ? load->bytes / load->requests : 0;
	double size = (double)cell->body_bytes;
	double under_way = load->requests > 0 ? size * lab->loader.connections / load->requests : 0;
	char reason[LAB_REASON_BYTES];

	if (load->requests < 1 || load->error_count)
		snprintf(reason, sizeof reason, "%.0f requests, %u errors under load", load->requests, load->error_count);
	else if (each < size * (1 - WIRE_SLACK) || each > size * (1 + WIRE_SLACK) + HEADER_MAX_BYTES + under_way)
		snprintf(reason, sizeof reason, "%.0f bytes each under load, but %.0f when it was proved", each, size);
	else
		return true;
	return refuse(lab, cell, reason);
}

static void keep_turn(struct zw_lab_cell *cell, const struct zw_lab_load *load, const struct zw_lab_usage *before,
		      const struct zw_lab_usage *after, long peak_kb)
{
	size_t at = cell->round_count++;
	double ticks_us = (double)(after->cpu_ticks - before->cpu_ticks) * 1e6 / (double)sysconf(_SC_CLK_TCK);
	double cpu_us = before->cpu_ns >= 0 ? (double)(after->cpu_ns - before->cpu_ns) / 1e3 : ticks_us;

	cell->series[LAB_REQUESTS_PER_S][at] = load->requests / load->seconds;
	cell->series[LAB_CPU_US][at] = cpu_us / load->requests;
	cell->series[LAB_CPU_TICKS_US][at] = ticks_us / load->requests;
	cell->series[LAB_PEAK_KB][at] = (double)peak_kb;
	cell->series[LAB_P50_MS][at] = load->p50_ms;
	cell->series[LAB_P95_MS][at] = load->p95_ms;
	cell->series[LAB_P99_MS][at] = load->p99_ms;
	cell->series[LAB_SERVER_BUSY][at] = cpu_us / 1e6 / load->seconds;
	cell->series[LAB_CLIENT_BUSY][at] = load->client_cpu_seconds / load->seconds;
}

static void load_cell(struct lab *lab, struct zw_lab_cell *cell)
{
	const struct zw_lab_arm *arm = &lab->plan->arms.list[cell->arm];
	struct zw_lab_server *server = &lab->servers[cell->library];
	struct zw_lab_usage before, after;
	struct zw_lab_load load;
	bool done;
	char *url;

	if (!zw_lab_usage_read(server->worker, &before)) {
		if (!zw_lab_server_revive(server) || !zw_lab_usage_read(server->worker, &before)) {
			refuse(lab, cell, "the NGINX worker is gone, and its master made no new one");
			return;
		}
	}
	url = zw_lab_server_url(server, arm, lab->plan->payloads.list[cell->payload].name);
	zw_lab_peak_forget(server->worker);
	done = zw_lab_load_run(&lab->loader, url, arm, &load);
	free(url);
	if (zw_interrupted())
		return;
	if (!zw_lab_usage_read(server->worker, &after))
		refuse(lab, cell, "the NGINX worker crashed under load");
	else if (!done)
		refuse(lab, cell, "the load generator gave no numbers");
	else if (check_load(lab, cell, &load))
		keep_turn(cell, &load, &before, &after, zw_lab_peak_kb(server->worker));
}

static void load_all(struct lab *lab)
{
	struct zw_lab_result *result = lab->result;

	for (unsigned round = 0; round < result->round_count; round++) {
		for (size_t i = 0; i < result->count && !zw_interrupted(); i++) {
			struct zw_lab_cell *cell = &result->cells[i];

			if (*cell->refused)
				continue;
			zw_tool_progress("round %u of %u: %s, %s, %s", round + 1, result->round_count,
					 lab->plan->payloads.list[cell->payload].name, lab->plan->arms.list[cell->arm].name,
					 name_of_library(lab, cell->library));
			load_cell(lab, cell);
		}
	}
}

/* Only a body that does not shrink keeps its stream alive while nobody reads; without one, the largest has to do. */
static size_t choose_slow_body(const struct zw_payloads *payloads)
{
	size_t best = 0;

	for (size_t i = 1; i < payloads->count; i++) {
		const struct zw_payload *a = &payloads->list[best], *b = &payloads->list[i];

		if (b->is_incompressible != a->is_incompressible ? b->is_incompressible : b->body.size_bytes > a->body.size_bytes)
			best = i;
	}
	return best;
}

static void measure_memory(struct lab *lab)
{
	struct zw_lab_result *result = lab->result;
	const struct zw_lab_plan *plan = lab->plan;

	result->slow_body = choose_slow_body(&plan->payloads);
	for (size_t arm = 0; arm < plan->arms.count; arm++) {
		const struct zw_lab_arm *what = &plan->arms.list[arm];

		if (!(what->roles & LAB_ROLE_NOISE) || what->client != LAB_CLIENT_WRK || plan->is_quick)
			continue;
		for (size_t library = 0; library < plan->libraries.count && !zw_interrupted(); library++) {
			struct zw_lab_memory one = { arm, library, SLOW_CLIENTS, 0, 0 };
			struct zw_lab_server *server = &lab->servers[library];
			char *name = zw_lab_url_escape(plan->payloads.list[result->slow_body].name);
			char *path = zw_tool_format("/%s/%s", what->location, name);

			zw_tool_progress("%u slow clients: %s, %s", SLOW_CLIENTS, what->name, name_of_library(lab, library));
			if (!*server->broken && zw_lab_server_renew(server) &&
			    zw_lab_slow_run(server, path, SLOW_CLIENTS, &one.idle_kb, &one.peak_kb)) {
				result->memory = zw_tool_grow(result->memory, (result->memory_count + 1) * sizeof *result->memory);
				result->memory[result->memory_count++] = one;
			}
			free(path);
			free(name);
		}
	}
}

/* ---- what is to be done ---- */
static bool is_wanted(const struct lab *lab, size_t arm_number, size_t payload, size_t library)
{
	const struct zw_lab_arm *arm = &lab->plan->arms.list[arm_number];

	if (!(arm->roles & zw_lab_role_of(&lab->plan->payloads.list[payload])))
		return false;
	return library == 0 || (arm->needs_library && !arm->is_trap) || (!lab->plan->is_quick && !arm->is_trap);
}

static void add_cell(struct lab *lab, size_t arm, size_t payload, size_t library)
{
	struct zw_lab_result *result = lab->result;
	struct zw_lab_cell *cell;

	result->cells = zw_tool_grow(result->cells, (result->count + 1) * sizeof *result->cells);
	cell = memset(&result->cells[result->count++], 0, sizeof *cell);
	cell->arm = arm;
	cell->payload = payload;
	cell->library = library;
	for (size_t i = 0; i < LAB_SERIES_COUNT; i++)
		cell->series[i] = zw_tool_alloc(LAB_ROUND_MAX_COUNT * sizeof *cell->series[i]);
}

static void list_cells(struct lab *lab)
{
	for (size_t payload = 0; payload < lab->plan->payloads.count; payload++)
		for (size_t arm = 0; arm < lab->plan->arms.count; arm++)
			for (size_t library = 0; library < lab->plan->libraries.count; library++)
				if (is_wanted(lab, arm, payload, library))
					add_cell(lab, arm, payload, library);
}

static void choose_length(struct lab *lab)
{
	struct zw_lab_result *result = lab->result;
	const struct zw_lab_plan *plan = lab->plan;
	unsigned most = plan->is_quick ? QUICK_ROUNDS_MAX : FULL_ROUNDS_MAX;
	size_t loaded = 0;
	double round_seconds;

	for (size_t i = 0; i < result->count; i++)
		loaded += !plan->arms.list[result->cells[i].arm].is_trap;
	result->seconds = plan->seconds ? plan->seconds : TURN_SECONDS;
	result->connections = plan->connections;
	round_seconds = (double)loaded * (result->seconds + TURN_EXTRA_SECONDS);
	result->round_count = (unsigned)((plan->is_quick ? QUICK_LOAD_SECONDS : FULL_LOAD_SECONDS) / (round_seconds + 1e-9));
	if (result->round_count > most)
		result->round_count = most;
	if (result->round_count < 1)
		result->round_count = 1;
	if (plan->round_count)
		result->round_count = plan->round_count;
	lab->loader.seconds = result->seconds;
	lab->loader.connections = result->connections;
	lab->loader.cpu = result->cpus.client;
	fprintf(stderr, "zwire lab: %zu arms, %u rounds of %u s, about %.0f s\n", loaded, result->round_count,
		result->seconds, round_seconds * result->round_count + 3);
}

/* ---- beginning and end ---- */

/* A worker for each library, to make the files and to judge.  What cannot even be loaded is broken. */
static void start_workers(struct lab *lab)
{
	for (size_t i = 0; i < lab->plan->libraries.count && !zw_interrupted(); i++) {
		if (zw_worker_start(&lab->workers[i], &lab->plan->libraries.list[i], -1))
			memcpy(lab->result->versions[i], lab->workers[i].version, sizeof lab->result->versions[i]);
		else
			snprintf(lab->servers[i].broken, sizeof lab->servers[i].broken, "it cannot be loaded, or is not a libz");
	}
}

static bool put_content(struct lab *lab)
{
	for (size_t i = 0; i < lab->plan->libraries.count && !zw_interrupted(); i++) {
		if (lab->workers[i].pid <= 0)
			continue;
		if (zw_lab_content_put(lab->directory, &lab->plan->payloads, &lab->workers[i]))
			return true;
		zw_worker_stop(&lab->workers[i]);
	}
	return false;
}

/* False if nothing at all can be measured. */
static bool start_servers(struct lab *lab)
{
	struct zw_lab_setup setup = { &lab->plan->nginx, &lab->plan->arms, lab->directory, lab->plan->include_path,
				      lab->result->cpus.server };
	size_t count = 0;

	for (size_t i = 0; i < lab->plan->libraries.count && !zw_interrupted(); i++) {
		struct zw_lab_server *server = &lab->servers[i];

		if (!*server->broken && zw_lab_server_start(server, &setup, &lab->plan->libraries.list[i])) {
			count++;
			snprintf(lab->result->mapped[i], LAB_REASON_BYTES, "/proc/%d/maps: %.280s and no other libz",
				 (int)server->worker, lab->plan->libraries.list[i].path);
		}
		memcpy(lab->result->broken[i], server->broken, LAB_REASON_BYTES);
	}
	return count && !zw_interrupted();
}

static bool start_all(struct lab *lab)
{
	lab->directory = zw_temp_dir_make("lab");
	if (!lab->directory)
		return false;
	zw_lab_janitor_start(&lab->janitor, lab->directory);
	if (!zw_lab_loader_make(&lab->loader, lab->directory))
		return false;
	start_workers(lab);
	if (!put_content(lab))
		return false;
	return start_servers(lab);
}

static void stop_workers(struct lab *lab)
{
	for (size_t i = 0; i < lab->plan->libraries.count; i++)
		zw_worker_stop(&lab->workers[i]);
}

static void stop_all(struct lab *lab)
{
	zw_tool_progress_end();
	for (size_t i = 0; i < lab->plan->libraries.count; i++) {
		if (lab->servers[i].directory)
			lab->result->alerts[i] = zw_lab_server_alerts(&lab->servers[i], lab->result->first_alerts[i]);
		zw_lab_server_stop(&lab->servers[i]);
	}
	stop_workers(lab);
	zw_lab_loader_free(&lab->loader);
	if (lab->directory)
		zw_tree_remove(lab->directory);
	zw_lab_janitor_stop(&lab->janitor);
	free(lab->directory);
}

static void prove_all(struct lab *lab)
{
	for (size_t i = 0; i < lab->result->count && !zw_interrupted(); i++) {
		struct zw_lab_cell *cell = &lab->result->cells[i];
		const struct zw_lab_arm *arm = &lab->plan->arms.list[cell->arm];
		struct zw_lab_server *server = &lab->servers[cell->library];

		if (*server->broken)
			snprintf(cell->refused, sizeof cell->refused, "%s", server->broken);
		else if (!zw_lab_prove(lab->plan, lab->workers, server, cell))
			refuse(lab, cell, cell->refused);
		else if (arm->client == LAB_CLIENT_AB && !lab->loader.ab_path)
			refuse(lab, cell, "there is no ab (Debian: apache2-utils)");
	}
}

/* What was wanted and did not come out, traps apart, which must be refused. */
static bool is_as_wanted(const struct lab *lab)
{
	for (size_t i = 0; i < lab->result->count; i++) {
		const struct zw_lab_cell *cell = &lab->result->cells[i];

		if ((*cell->refused != 0) != lab->plan->arms.list[cell->arm].is_trap)
			return false;
	}
	return true;
}

/* ZW_EXIT_DONE; ZW_EXIT_FOUND if some arm did not do what it should, the others are measured; ZW_EXIT_CANNOT if there is
 * nothing to report.  Free the result in any case. */
int zw_lab_run(const struct zw_lab_plan *plan, struct zw_lab_result *result_ret)
{
	struct lab lab = { .plan = plan, .result = result_ret };
	int code = ZW_EXIT_CANNOT;

	memset(result_ret, 0, sizeof *result_ret);
	for (size_t i = 0; i < LIBRARY_MAX_COUNT; i++)
		lab.workers[i].fd = -1;
	result_ret->cpus = zw_cpus_choose(1);
	curl_global_init(CURL_GLOBAL_DEFAULT);
	list_cells(&lab);
	choose_length(&lab);
	if (start_all(&lab)) {
		prove_all(&lab);
		stop_workers(&lab);
		load_all(&lab);
		measure_memory(&lab);
		code = zw_interrupted() ? ZW_EXIT_CANNOT : is_as_wanted(&lab) ? ZW_EXIT_DONE : ZW_EXIT_FOUND;
	}
	stop_all(&lab);
	curl_global_cleanup();
	return code;
}

void zw_lab_result_free(struct zw_lab_result *result)
{
	for (size_t i = 0; i < result->count; i++)
		for (size_t j = 0; j < LAB_SERIES_COUNT; j++)
			free(result->cells[i].series[j]);
	free(result->cells);
	free(result->memory);
	memset(result, 0, sizeof *result);
}
