/* SPDX-License-Identifier: Zlib */
/* run.c - the experiment: files, servers, the proof of every arm, then load in turns (turns.c), then slow clients (memory.c).
 * Takes: the plan.  Gives: one cell for each arm, body and library, measured or refused with the reason.
 * One that fails does not stop the others.  Leaves nothing behind, however it ends. */
#include "lab/article.h"
#include "lab/run.h"

#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TURN_SECONDS       1                 /* the least that wrk can do: more turns rather than longer ones */
#define FULL_ROUNDS_MAX    5
#define FULL_SECONDS       330               /* with building, 6 minutes */
#define QUICK_ROUNDS_MAX   5
#define QUICK_SECONDS      60
#define ARTICLE_SECONDS   120
#define START_SECONDS       7                /* files, servers, proofs, and the end */
#define TURN_EXTRA_SECONDS 0.15              /* starting wrk, and its last wait */
#define EXTRA_SECONDS     24                 /* for each library: the fixed rate, and slow clients */

const char *zw_lab_library_name(const struct zw_lab_run *run, size_t library)
{
	return run->plan->libraries.list[library].name;
}

/* ---- what is to be done ---- */

/* Arms in which NGINX does not call the libz are measured with the first library; with one body in a full run with all of them, which
 * shows how far two equal things differ here. */
static bool is_wanted(const struct zw_lab_run *run, size_t arm_number, size_t payload, size_t library)
{
	const struct zw_lab_arm *arm = &run->plan->arms.list[arm_number];

	if (!(arm->roles & zw_lab_role_of(run->plan, payload)))
		return false;
	return library == 0 || (!arm->is_trap && (arm->needs_library || (!run->plan->is_quick && payload == 0)));
}

static void add_cell(struct zw_lab_run *run, size_t arm, size_t payload, size_t library)
{
	struct zw_lab_result *result = run->result;
	struct zw_lab_cell *cell;

	result->cells = zw_tool_grow(result->cells, (result->count + 1) * sizeof *result->cells);
	cell = memset(&result->cells[result->count++], 0, sizeof *cell);
	cell->arm = arm;
	cell->payload = payload;
	cell->library = library;
	for (size_t i = 0; i < LAB_SERIES_COUNT; i++)
		cell->series[i] = zw_tool_alloc(LAB_ROUND_MAX_COUNT * sizeof *cell->series[i]);
}

static void list_cells(struct zw_lab_run *run)
{
	for (size_t payload = 0; payload < run->plan->payloads.count; payload++)
		for (size_t arm = 0; arm < run->plan->arms.count; arm++)
			for (size_t library = 0; library < run->plan->libraries.count; library++)
				if (is_wanted(run, arm, payload, library))
					add_cell(run, arm, payload, library);
}

static double extra_seconds(const struct zw_lab_plan *plan)
{
	return plan->is_quick || plan->article ? 0 : EXTRA_SECONDS * (double)plan->libraries.count;
}

static void choose_length(struct zw_lab_run *run)
{
	struct zw_lab_result *result = run->result;
	const struct zw_lab_plan *plan = run->plan;
	double have_seconds = plan->within_seconds ? plan->within_seconds : plan->is_quick ? QUICK_SECONDS : plan->article ? ARTICLE_SECONDS : FULL_SECONDS;
	unsigned most = plan->is_quick ? QUICK_ROUNDS_MAX : FULL_ROUNDS_MAX;
	size_t loaded = 0;
	double round_seconds;

	for (size_t i = 0; i < result->count; i++)
		loaded += !plan->arms.list[result->cells[i].arm].is_trap;
	result->seconds = plan->seconds ? plan->seconds : TURN_SECONDS;
	result->connections = plan->connections;
	round_seconds = (double)loaded * (result->seconds + TURN_EXTRA_SECONDS);
	have_seconds -= extra_seconds(plan) + START_SECONDS;
	result->round_count = have_seconds > 0 ? (unsigned)(have_seconds / (round_seconds + 1e-9)) : 0;
	if (result->round_count > most)
		result->round_count = most;
	if (result->round_count < 1)
		result->round_count = 1;
	if (plan->round_count)
		result->round_count = plan->round_count;
	run->loader.seconds = result->seconds;
	run->loader.connections = result->connections;
	run->loader.cpus = result->cpus;
	run->loader.thread_count = result->cpus.client_count ? result->cpus.client_count : 1;
	if (run->loader.thread_count > result->worker_count)
		run->loader.thread_count = result->worker_count;
	if (run->loader.thread_count > result->connections)
		run->loader.thread_count = result->connections;
	fprintf(stderr, "zwire lab: %zu arms, %u rounds of %u s, about %.0f s\n", loaded, result->round_count,
		result->seconds, round_seconds * result->round_count + extra_seconds(plan) + START_SECONDS);
}

/* ---- beginning and end ---- */

/* A worker for each library, to make the files and to judge.  What cannot even be loaded is broken. */
static void start_workers(struct zw_lab_run *run)
{
	for (size_t i = 0; i < run->plan->libraries.count && !zw_interrupted(); i++) {
		if (zw_worker_start(&run->workers[i], &run->plan->libraries.list[i], -1))
			memcpy(run->result->versions[i], run->workers[i].version, sizeof run->result->versions[i]);
		else
			snprintf(run->servers[i].broken, sizeof run->servers[i].broken, "it is no libz that can be used: %.*s", LAB_REASON_BYTES - 60,
				 run->workers[i].trouble);
	}
}

static bool put_content(struct zw_lab_run *run)
{
	for (size_t i = 0; i < run->plan->libraries.count && !zw_interrupted(); i++) {
		if (run->workers[i].pid <= 0)
			continue;
		if (zw_lab_content_put(run->directory, run->plan, &run->workers[i]))
			return true;
		zw_worker_stop(&run->workers[i]);
	}
	return false;
}

/* False if nothing at all can be measured. */
static bool start_servers(struct zw_lab_run *run)
{
	const struct zw_lab_plan *plan = run->plan;
	struct zw_lab_setup setup = { .nginx = &plan->nginx, .arms = &plan->arms, .lab_directory = run->directory, .include_path = plan->include_path,
				      .article_config = plan->article ? zw_lab_article_config(plan->article) : NULL,
				      .module_path = run->module_loads ? plan->module_path : NULL, .certificate_path = run->certificate_path,
				      .key_path = run->key_path, .worker_count = plan->worker_count, .cpus = run->result->cpus };
	size_t count = 0;

	for (size_t i = 0; i < run->plan->libraries.count && !zw_interrupted(); i++) {
		struct zw_lab_server *server = &run->servers[i];

		if (!*server->broken && zw_lab_server_start(server, &setup, &run->plan->libraries.list[i])) {
			count++;
			snprintf(run->result->mapped[i], LAB_REASON_BYTES, "/proc/%d/maps%s: %.250s and no other libz",
				 (int)server->workers[0], server->worker_count > 1 ? " and the other workers'" : "",
				 run->plan->libraries.list[i].path);
		}
		memcpy(run->result->broken[i], server->broken, LAB_REASON_BYTES);
	}
	return count && !zw_interrupted();
}

/* TLS and the module, each only where an arm needs it; an arm for which it fails is refused when it is proved. */
static void prepare_extras(struct zw_lab_run *run)
{
	const struct zw_lab_plan *plan = run->plan;
	bool wants_tls = false;

	for (size_t i = 0; i < plan->arms.count; i++)
		wants_tls = wants_tls || plan->arms.list[i].client == LAB_CLIENT_H2;
	if (wants_tls)
		zw_lab_certificate_make(run->directory, &run->certificate_path, &run->key_path);
	if (plan->module_path)
		run->module_loads = zw_lab_module_try(&plan->nginx, plan->module_path, run->directory, run->result->module_state);
}

static bool start_all(struct zw_lab_run *run)
{
	run->directory = zw_temp_dir_make("lab");
	if (!run->directory)
		return false;
	zw_lab_janitor_start(&run->janitor, run->directory);
	if (!zw_lab_loader_make(&run->loader, run->plan, run->directory))
		return false;
	start_workers(run);
	if (!put_content(run))
		return false;
	prepare_extras(run);
	return start_servers(run);
}

static void stop_workers(struct zw_lab_run *run)
{
	for (size_t i = 0; i < run->plan->libraries.count; i++)
		zw_worker_stop(&run->workers[i]);
}

static void stop_all(struct zw_lab_run *run)
{
	zw_tool_progress_end();
	for (size_t i = 0; i < run->plan->libraries.count; i++) {
		if (run->servers[i].directory)
			run->result->alerts[i] = zw_lab_server_alerts(&run->servers[i], run->result->first_alerts[i]);
		zw_lab_server_stop(&run->servers[i]);
	}
	stop_workers(run);
	zw_lab_loader_free(&run->loader);
	if (run->directory)
		zw_tree_remove(run->directory);
	zw_lab_janitor_stop(&run->janitor);
	free(run->directory);
	free(run->certificate_path);
	free(run->key_path);
}

static void prove_all(struct zw_lab_run *run)
{
	for (size_t i = 0; i < run->result->count && !zw_interrupted(); i++) {
		struct zw_lab_cell *cell = &run->result->cells[i];
		const struct zw_lab_arm *arm = &run->plan->arms.list[cell->arm];
		struct zw_lab_server *server = &run->servers[cell->library];

		if (*server->broken)
			snprintf(cell->refused, sizeof cell->refused, "%s", server->broken);
		else if (arm->kind == LAB_ARM_MODULE && !run->module_loads)
			zw_lab_refuse(run, cell, run->result->module_state);
		else if (arm->client == LAB_CLIENT_H2 && !run->certificate_path)
			zw_lab_refuse(run, cell, "there is no certificate for TLS");
		else if (!zw_lab_prove(run->plan, run->workers, server, cell))
			zw_lab_refuse(run, cell, cell->refused);
		else if (arm->client == LAB_CLIENT_AB && !run->loader.ab_path)
			zw_lab_refuse(run, cell, "there is no ab (Debian: apache2-utils)");
	}
}

/* What was wanted and did not come out, traps apart, which must be refused. */
static bool is_as_wanted(const struct zw_lab_run *run)
{
	for (size_t i = 0; i < run->result->count; i++) {
		const struct zw_lab_cell *cell = &run->result->cells[i];

		if ((*cell->refused != 0) != run->plan->arms.list[cell->arm].is_trap)
			return false;
	}
	return true;
}

/* ZW_EXIT_DONE; ZW_EXIT_FOUND if some arm did not do what it should, the others are measured; ZW_EXIT_CANNOT if there is
 * nothing to report.  Free the result in any case. */
int zw_lab_run(const struct zw_lab_plan *plan, struct zw_lab_result *result_ret)
{
	struct zw_lab_run *run = zw_tool_alloc(sizeof *run);
	int code = ZW_EXIT_CANNOT;

	memset(result_ret, 0, sizeof *result_ret);
	memset(run, 0, sizeof *run);
	run->plan = plan;
	run->result = result_ret;
	for (size_t i = 0; i < LIBRARY_MAX_COUNT; i++)
		run->workers[i].fd = -1;
	result_ret->worker_count = plan->worker_count;
	result_ret->cpus = zw_cpus_choose(plan->worker_count);
	curl_global_init(CURL_GLOBAL_DEFAULT);
	list_cells(run);
	choose_length(run);
	if (start_all(run)) {
		prove_all(run);
		stop_workers(run);
		zw_lab_load_all(run);
		zw_lab_noise_find(plan, result_ret);
		if (!plan->is_quick && !plan->article) {
			zw_lab_rates_measure(run);
			zw_lab_memory_measure(run);
		}
		code = zw_interrupted() ? ZW_EXIT_CANNOT : is_as_wanted(run) ? ZW_EXIT_DONE : ZW_EXIT_FOUND;
	}
	stop_all(run);
	curl_global_cleanup();
	free(run);
	return code;
}

void zw_lab_result_free(struct zw_lab_result *result)
{
	for (size_t i = 0; i < result->count; i++)
		for (size_t j = 0; j < LAB_SERIES_COUNT; j++)
			free(result->cells[i].series[j]);
	free(result->cells);
	free(result->memory);
	free(result->rates);
	memset(result, 0, sizeof *result);
}
