/* SPDX-License-Identifier: Zlib */
/* run.c - the experiment: files, servers, the proof of every arm, then load in turns.
 * Takes: the plan.  Gives: one cell for each arm, body and library.  Leaves nothing behind, however it ends. */
#include "lab/lab.h"

#include <curl/curl.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define PACKED_LEVEL       9                 /* of the files for gzip_static; the first library makes them */
#define FULL_SECONDS       2
#define FULL_ROUNDS        3
#define QUICK_SECONDS      1                 /* the least that wrk can do */
#define QUICK_ROUNDS_MAX   5
#define QUICK_LOAD_SECONDS 50                /* what a quick run may spend under load, so that all ends within 60 s */
#define TURN_EXTRA_SECONDS 0.15              /* starting wrk, and its last wait */
#define WIRE_SLACK         0.05              /* wrk's bytes against the proved size, headers apart */
#define HEADER_MAX_BYTES   1024

struct lab {
	const struct zw_lab_plan *plan;
	struct zw_lab_result *result;
	char *directory;
	struct zw_lab_loader loader;
	struct zw_worker workers[LIBRARY_MAX_COUNT];
	struct zw_lab_server servers[LIBRARY_MAX_COUNT];
	size_t worker_count, server_count;
	int64_t started_ns;
};

/* ---- files ---- */
static bool put_file(const struct lab *lab, const char *place, const char *name, const char *suffix, const struct zw_blob *blob)
{
	char *path = zw_tool_format("%s/%s/%s%s", lab->directory, place, name, suffix);
	bool done = zw_file_write(path, blob->data, blob->size_bytes);

	free(path);
	return done;
}

static bool put_payload(struct lab *lab, const struct zw_payload *payload)
{
	struct zw_wire_answer answer;
	struct zw_blob packed;
	bool done;

	if (!zw_worker_set_body(&lab->workers[0], &payload->body) ||
	    !zw_worker_run(&lab->workers[0], ZW_MODE_DEFLATE_ONE, ZW_FORMAT_GZIP, PACKED_LEVEL, 0, &answer) ||
	    !zw_worker_output(&lab->workers[0], &packed))
		return false;
	done = put_file(lab, "plain", payload->name, "", &payload->body) &&
	       put_file(lab, "twins", payload->name, "", &payload->body) &&
	       put_file(lab, "twins", payload->name, ".gz", &packed) && put_file(lab, "packed", payload->name, ".gz", &packed);
	free(packed.data);
	return done;
}

static bool put_files(struct lab *lab)
{
	static const char *const places[] = { "plain", "packed", "twins" };

	for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
		char *path = zw_tool_format("%s/%s", lab->directory, places[i]);
		bool done = mkdir(path, 0755) == 0;

		if (!done)
			zw_tool_error("cannot make %s: %s", path, strerror(errno));
		free(path);
		if (!done)
			return false;
	}
	for (size_t i = 0; i < lab->plan->payloads.count; i++)
		if (!put_payload(lab, &lab->plan->payloads.list[i]))
			return false;
	return true;
}

/* ---- the proof that an arm does what its name says ---- */
static bool refute(const struct lab *lab, const struct zw_lab_cell *cell, const struct zw_lab_answer *answer, const char *what)
{
	zw_tool_error("%s of %s on %s: %s (status %ld, Content-Encoding '%s', Content-Type '%s', %zu bytes)",
		      lab->plan->arms.list[cell->arm].name, lab->plan->payloads.list[cell->payload].name,
		      lab->plan->libraries.list[cell->library].name, what, answer->status, answer->content_encoding,
		      answer->content_type, answer->body.size_bytes);
	return false;
}

/* A gzip body is decoded by another library than the one that made it. */
static bool check_answer(struct lab *lab, const struct zw_lab_cell *cell, const struct zw_lab_answer *answer)
{
	const struct zw_lab_arm *arm = &lab->plan->arms.list[cell->arm];
	const struct zw_payload *payload = &lab->plan->payloads.list[cell->payload];
	struct zw_worker *judge = &lab->workers[cell->library ? 0 : lab->worker_count > 1];

	if (answer->status != 200)
		return refute(lab, cell, answer, "the status is not 200");
	if (strcmp(answer->content_encoding, arm->gives_gzip ? "gzip" : "") != 0)
		return refute(lab, cell, answer, arm->gives_gzip ? "the body was not compressed" : "the body is encoded");
	if (!arm->gives_gzip) {
		if (answer->body.size_bytes != payload->body.size_bytes ||
		    memcmp(answer->body.data, payload->body.data, payload->body.size_bytes) != 0)
			return refute(lab, cell, answer, "the body is not the file: WRONG BYTES");
		return true;
	}
	if (!payload->is_incompressible && answer->body.size_bytes >= payload->body.size_bytes)
		return refute(lab, cell, answer, "the body did not get smaller");
	if (!zw_worker_set_body(judge, &payload->body) ||
	    !zw_worker_decodes(judge, ZW_FORMAT_GZIP, &answer->body, lab->plan->libraries.list[cell->library].name))
		return refute(lab, cell, answer, "the body does not decode to the file: WRONG BYTES");
	return true;
}

static bool prove_cell(struct lab *lab, struct zw_lab_cell *cell)
{
	char *url = zw_lab_server_url(&lab->servers[cell->library], &lab->plan->arms.list[cell->arm],
				      lab->plan->payloads.list[cell->payload].name);
	struct zw_lab_answer answer;
	bool proved = zw_lab_probe(url, lab->plan->arms.list[cell->arm].asks_gzip, &answer);

	if (proved) {
		proved = check_answer(lab, cell, &answer);
		cell->body_bytes = answer.body.size_bytes;
		memcpy(cell->content_encoding, answer.content_encoding, sizeof cell->content_encoding);
		memcpy(cell->vary, answer.vary, sizeof cell->vary);
		free(answer.body.data);
	}
	free(url);
	return proved;
}

/* ---- load ---- */

/* wrk must have received what the proof received, or it was not the proved thing that was measured.  Answers that were
 * under way at the end are in the bytes but not in the requests. */
static bool check_load(const struct lab *lab, const struct zw_lab_cell *cell, const struct zw_lab_load *load)
{
	const char *body = lab->plan->payloads.list[cell->payload].name, *arm = lab->plan->arms.list[cell->arm].name;
	const char *library = lab->plan->libraries.list[cell->library].name;
	double each = load->requests > 0 ? load->bytes / load->requests : 0;
	double size = (double)cell->body_bytes;
	double under_way = load->requests > 0 ? size * lab->loader.connections / load->requests : 0;

	if (load->requests < 1 || load->error_count) {
		zw_tool_error("%s of %s on %s: %.0f requests, %u errors under load", arm, body, library, load->requests,
			      load->error_count);
		return false;
	}
	if (each < size * (1 - WIRE_SLACK) || each > size * (1 + WIRE_SLACK) + HEADER_MAX_BYTES + under_way) {
		zw_tool_error("%s of %s on %s: %.0f bytes each under load, but %.0f when it was proved", arm, body, library,
			      each, size);
		return false;
	}
	return true;
}

static bool load_cell(struct lab *lab, struct zw_lab_cell *cell)
{
	const struct zw_lab_arm *arm = &lab->plan->arms.list[cell->arm];
	struct zw_lab_server *server = &lab->servers[cell->library];
	char *url = zw_lab_server_url(server, arm, lab->plan->payloads.list[cell->payload].name);
	int64_t before_ns = zw_lab_server_cpu_ns(server);
	struct zw_lab_load load;
	bool done = before_ns >= 0 && zw_lab_load_run(&lab->loader, url, arm->asks_gzip, &load);
	int64_t cpu_ns = zw_lab_server_cpu_ns(server) - before_ns;
	size_t at = cell->round_count;

	free(url);
	if (before_ns < 0)
		zw_tool_error("the NGINX worker for %s is gone", server->library->name);
	if (!done || !check_load(lab, cell, &load))
		return false;
	cell->series[LAB_REQUESTS_PER_S][at] = load.requests / load.seconds;
	cell->series[LAB_CPU_US][at] = (double)cpu_ns / 1e3 / load.requests;
	cell->series[LAB_P50_MS][at] = load.p50_ms;
	cell->series[LAB_P95_MS][at] = load.p95_ms;
	cell->series[LAB_P99_MS][at] = load.p99_ms;
	cell->series[LAB_SERVER_BUSY][at] = (double)cpu_ns / 1e9 / load.seconds;
	cell->series[LAB_CLIENT_BUSY][at] = load.client_cpu_seconds / load.seconds;
	cell->round_count++;
	return true;
}

static bool load_all(struct lab *lab)
{
	struct zw_lab_result *result = lab->result;

	for (unsigned round = 0; round < result->round_count; round++) {
		for (size_t i = 0; i < result->count; i++) {
			const struct zw_lab_cell *cell = &result->cells[i];

			zw_tool_progress("round %u of %u: %s, %s, %s", round + 1, result->round_count,
					 lab->plan->payloads.list[cell->payload].name, lab->plan->arms.list[cell->arm].name,
					 lab->plan->libraries.list[cell->library].name);
			if (zw_interrupted() || !load_cell(lab, &result->cells[i]))
				return false;
		}
	}
	return true;
}

/* ---- what is to be done ---- */
static bool is_wanted(const struct lab *lab, size_t arm_number, size_t payload, size_t library)
{
	const struct zw_lab_arm *arm = &lab->plan->arms.list[arm_number];

	if (lab->plan->payloads.list[payload].is_incompressible && !arm->is_for_incompressible)
		return false;
	return library == 0 || arm->needs_library || !lab->plan->is_quick;
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
	double round_seconds;

	result->seconds = plan->seconds ? plan->seconds : plan->is_quick ? QUICK_SECONDS : FULL_SECONDS;
	result->round_count = plan->round_count ? plan->round_count : FULL_ROUNDS;
	result->connections = plan->connections;
	round_seconds = (double)result->count * (result->seconds + TURN_EXTRA_SECONDS);
	if (plan->is_quick && !plan->round_count) {
		result->round_count = (unsigned)(QUICK_LOAD_SECONDS / round_seconds);
		if (result->round_count > QUICK_ROUNDS_MAX)
			result->round_count = QUICK_ROUNDS_MAX;
		if (result->round_count < 1)
			result->round_count = 1;
	}
	lab->loader.seconds = result->seconds;
	lab->loader.connections = result->connections;
	lab->loader.cpu = result->cpus.client;
	fprintf(stderr, "zwire lab: %zu arms, %u rounds of %u s, about %.0f s\n", result->count, result->round_count,
		result->seconds, round_seconds * result->round_count + 3);
}

/* ---- beginning and end ---- */
static bool start_all(struct lab *lab)
{
	const struct zw_libraries *libs = &lab->plan->libraries;

	lab->directory = zw_temp_dir_make("lab");
	if (!lab->directory || !zw_lab_loader_make(&lab->loader, lab->directory))
		return false;
	for (size_t i = 0; i < libs->count; i++) {
		if (!zw_worker_start(&lab->workers[i], &libs->list[i], -1))
			return false;
		lab->worker_count++;
		memcpy(lab->result->versions[i], lab->workers[i].version, sizeof lab->result->versions[i]);
	}
	if (!put_files(lab))
		return false;
	for (size_t i = 0; i < libs->count && !zw_interrupted(); i++) {
		lab->server_count++;
		if (!zw_lab_server_start(&lab->servers[i], &lab->plan->nginx, &lab->plan->arms, &libs->list[i],
					 lab->directory, lab->result->cpus.server))
			return false;
	}
	return !zw_interrupted();
}

static void stop_all(struct lab *lab)
{
	zw_tool_progress_end();
	for (size_t i = 0; i < lab->server_count; i++) {
		if (lab->servers[i].directory)
			lab->result->alerts[i] = zw_lab_server_alerts(&lab->servers[i], lab->result->first_alerts[i]);
		zw_lab_server_stop(&lab->servers[i]);
	}
	for (size_t i = 0; i < lab->worker_count; i++)
		zw_worker_stop(&lab->workers[i]);
	zw_lab_loader_free(&lab->loader);
	if (lab->directory)
		zw_tree_remove(lab->directory);
	free(lab->directory);
}

static int prove_all(struct lab *lab)
{
	for (size_t i = 0; i < lab->result->count; i++)
		if (zw_interrupted() || !prove_cell(lab, &lab->result->cells[i]))
			return zw_interrupted() ? ZW_EXIT_CANNOT : ZW_EXIT_FOUND;
	return ZW_EXIT_DONE;
}

/* ZW_EXIT_DONE, ZW_EXIT_FOUND if an arm did not do what it should, ZW_EXIT_CANNOT.  Free the result in any case. */
int zw_lab_run(const struct zw_lab_plan *plan, struct zw_lab_result *result_ret)
{
	struct lab lab = { .plan = plan, .result = result_ret, .started_ns = zw_clock_ns() };
	int code = ZW_EXIT_CANNOT;

	memset(result_ret, 0, sizeof *result_ret);
	result_ret->cpus = zw_cpus_choose();
	curl_global_init(CURL_GLOBAL_DEFAULT);
	list_cells(&lab);
	choose_length(&lab);
	if (start_all(&lab)) {
		code = prove_all(&lab);
		for (size_t i = 0; i < lab.worker_count; i++)
			zw_worker_stop(&lab.workers[i]);
		if (code == ZW_EXIT_DONE && !load_all(&lab))
			code = zw_interrupted() ? ZW_EXIT_CANNOT : ZW_EXIT_FOUND;
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
	memset(result, 0, sizeof *result);
}
