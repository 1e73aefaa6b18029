/* SPDX-License-Identifier: Zlib */
/* report.c - what the lab measured, as a table for each body and as results.json. */
#include "common/host.h"
#include "lab/lab.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SATURATED 0.9                        /* worker busy for less than this: something else was the limit */

static const char *const series_names[LAB_SERIES_COUNT] = {
	[LAB_REQUESTS_PER_S] = "requests_per_s", [LAB_CPU_US] = "cpu_us_per_response", [LAB_P50_MS] = "p50_ms",
	[LAB_P95_MS] = "p95_ms", [LAB_P99_MS] = "p99_ms", [LAB_SERVER_BUSY] = "server_busy", [LAB_CLIENT_BUSY] = "client_busy",
};

static struct zw_spread spread_of(const struct zw_lab_cell *cell, enum zw_lab_series series)
{
	return zw_spread_of(cell->series[series], cell->round_count);
}

/* The same arm and body on the first library. */
static const struct zw_lab_cell *first_of(const struct zw_lab_result *result, const struct zw_lab_cell *cell)
{
	while (cell > result->cells && cell->library)
		cell--;
	return cell;
}

/* Median over the rounds of this cell's value to the first library's in the same round. */
static double ratio_to_first(const struct zw_lab_result *result, const struct zw_lab_cell *cell, enum zw_lab_series series)
{
	const struct zw_lab_cell *first = first_of(result, cell);
	double ratios[LAB_ROUND_MAX_COUNT];
	size_t count = 0;

	for (; count < cell->round_count; count++)
		ratios[count] = first->series[series][count] > 0 ? cell->series[series][count] / first->series[series][count] : 0;
	return zw_spread_of(ratios, count).median;
}

static void print_cell(const struct zw_lab_plan *plan, const struct zw_lab_result *result, const struct zw_lab_cell *cell)
{
	struct zw_spread rate = spread_of(cell, LAB_REQUESTS_PER_S);
	char bytes[32], spread[16] = "-";

	if (cell->round_count > 1 && rate.median > 0)
		snprintf(spread, sizeof spread, "%.0f%%", 100 * rate.mad / rate.median);
	printf("%-12s %-10.10s %9.1f %5s %6.2f %9.1f %6.2f %8.2f %8.2f %10s %5.0f%%%s\n",
	       cell->library ? "" : plan->arms.list[cell->arm].name, plan->libraries.list[cell->library].name, rate.median,
	       spread, ratio_to_first(result, cell, LAB_REQUESTS_PER_S),
	       spread_of(cell, LAB_CPU_US).median, ratio_to_first(result, cell, LAB_CPU_US), spread_of(cell, LAB_P50_MS).median,
	       spread_of(cell, LAB_P99_MS).median, zw_tool_thousands(cell->body_bytes, bytes),
	       100 * spread_of(cell, LAB_SERVER_BUSY).median, spread_of(cell, LAB_SERVER_BUSY).median < SATURATED ? " *" : "");
}

static bool is_saturated(const struct zw_lab_result *result)
{
	for (size_t i = 0; i < result->count; i++)
		if (spread_of(&result->cells[i], LAB_SERVER_BUSY).median < SATURATED)
			return false;
	return true;
}

/* For each library but the first: what it does to the arms that compress something compressible. */
static void print_means(const struct zw_lab_plan *plan, const struct zw_lab_result *result)
{
	for (size_t library = 1; library < plan->libraries.count; library++) {
		double rate_log = 0, cpu_log = 0, size_log = 0;
		unsigned count = 0;

		for (size_t i = 0; i < result->count; i++) {
			const struct zw_lab_cell *cell = &result->cells[i];
			bool is_deflate = plan->arms.list[cell->arm].kind == LAB_ARM_LEVEL;

			if (cell->library != library || !is_deflate || plan->payloads.list[cell->payload].is_incompressible)
				continue;
			rate_log += log(ratio_to_first(result, cell, LAB_REQUESTS_PER_S));
			cpu_log += log(ratio_to_first(result, cell, LAB_CPU_US));
			size_log += log((double)cell->body_bytes / (double)first_of(result, cell)->body_bytes);
			count++;
		}
		if (count)
			printf("mean of the levels: %s serves %.2f x the requests of %s, with %.2f x the CPU and %.3f x the "
			       "bytes each\n", plan->libraries.list[library].name, exp(rate_log / count),
			       plan->libraries.list[0].name, exp(cpu_log / count), exp(size_log / count));
	}
}

static void print_setup(const struct zw_lab_plan *plan, const struct zw_lab_result *result)
{
	char *cpu = zw_host_cpu_name();

	printf("%s (%s), one worker for each libz; %u rounds of %u s in turns; wrk, 1 thread, %u connections, keep-alive.\n",
	       plan->nginx.version, plan->nginx.path, result->round_count, result->seconds, result->connections);
	if (result->cpus.server >= 0)
		printf("CPU: %s; NGINX on CPU %d, wrk on CPU %d.\n", cpu, result->cpus.server, result->cpus.client);
	else
		printf("CPU: %s; only one, which NGINX and wrk share.\n", cpu);
	free(cpu);
	for (size_t i = 0; i < plan->libraries.count; i++)
		printf("%-10s %-22s %s\n", plan->libraries.list[i].name, result->versions[i], plan->libraries.list[i].path);
}

void zw_lab_print(const struct zw_lab_plan *plan, const struct zw_lab_result *result)
{
	size_t payload = plan->payloads.count;
	char bytes[32];

	print_setup(plan, result);
	for (size_t i = 0; i < result->count; i++) {
		const struct zw_lab_cell *cell = &result->cells[i];

		if (cell->payload != payload) {
			payload = cell->payload;
			printf("\n%s, %s bytes\n%-12s %-10s %9s %5s %6s %9s %6s %8s %8s %10s %6s\n",
			       plan->payloads.list[payload].name,
			       zw_tool_thousands(plan->payloads.list[payload].body.size_bytes, bytes), "arm", "library",
			       "req/s", "+-", "x A", "CPU us", "x A", "p50 ms", "p99 ms", "bytes", "busy");
		}
		print_cell(plan, result, cell);
	}
	printf("\nx A: to the first library. CPU us: of the worker, for each response. Each arm was proved first: status, "
	       "encoding,\nsize, and a body that decodes to the file byte for byte.\n");
	if (!is_saturated(result))
		printf("* the worker ran for less than %.0f%% of the time: wrk, or other programs on this machine, were the limit;\n"
		       "  compare the CPU, not the requests.\n", 100 * SATURATED);
	print_means(plan, result);
	printf("alerts in error.log:");
	for (size_t i = 0; i < plan->libraries.count; i++)
		printf(" %s %s%s", plan->libraries.list[i].name, zw_tool_thousands(result->alerts[i], bytes),
		       i + 1 < plan->libraries.count ? "," : "\n");
	for (size_t i = 0; i < plan->libraries.count; i++)
		if (result->alerts[i])
			printf("  %s: %s\n", plan->libraries.list[i].name, result->first_alerts[i]);
}

static json_t *describe_cell(const struct zw_lab_plan *plan, const struct zw_lab_result *result, const struct zw_lab_cell *cell)
{
	json_t *object = json_pack("{s:s, s:s, s:s, s:I, s:s, s:s, s:f, s:f}", "body",
		plan->payloads.list[cell->payload].name, "arm", plan->arms.list[cell->arm].name, "library",
		plan->libraries.list[cell->library].name, "wire_bytes", (json_int_t)cell->body_bytes, "content_encoding",
		cell->content_encoding, "vary", cell->vary, "requests_to_first",
		ratio_to_first(result, cell, LAB_REQUESTS_PER_S), "cpu_to_first", ratio_to_first(result, cell, LAB_CPU_US));

	for (int series = 0; object && series < LAB_SERIES_COUNT; series++) {
		struct zw_spread spread = spread_of(cell, (enum zw_lab_series)series);
		json_t *rounds = json_array();

		for (size_t i = 0; i < cell->round_count; i++)
			json_array_append_new(rounds, json_real(cell->series[series][i]));
		json_object_set_new(object, series_names[series],
				    json_pack("{s:f, s:f, s:o}", "median", spread.median, "mad", spread.mad, "rounds", rounds));
	}
	return object;
}

bool zw_lab_save(const struct zw_lab_plan *plan, const struct zw_lab_result *result, const char *path)
{
	json_t *libraries = json_array(), *bodies = json_array(), *results = json_array();

	for (size_t i = 0; i < plan->libraries.count; i++)
		json_array_append_new(libraries, json_pack("{s:s, s:s, s:s, s:I, s:i, s:s}", "name", plan->libraries.list[i].name,
			"version", result->versions[i], "file", plan->libraries.list[i].path, "file_bytes",
			(json_int_t)plan->libraries.list[i].size_bytes, "alerts", (int)result->alerts[i],
			"first_alert", result->first_alerts[i]));
	for (size_t i = 0; i < plan->payloads.count; i++)
		json_array_append_new(bodies, json_pack("{s:s, s:I}", "name", plan->payloads.list[i].name, "bytes",
			(json_int_t)plan->payloads.list[i].body.size_bytes));
	for (size_t i = 0; i < result->count; i++)
		json_array_append_new(results, describe_cell(plan, result, &result->cells[i]));
	return zw_json_save(json_pack("{s:s, s:s, s:o, s:s, s:s, s:i, s:i, s:i, s:i, s:i, s:o, s:o, s:o}", "command", "zwire lab",
		"zwire_version", ZWIRE_VERSION, "host", zw_host_describe(), "nginx", plan->nginx.version, "nginx_path",
		plan->nginx.path, "rounds", (int)result->round_count, "round_seconds", (int)result->seconds, "connections",
		(int)result->connections, "server_cpu", result->cpus.server, "client_cpu", result->cpus.client, "libraries",
		libraries, "bodies", bodies, "results", results), path);
}
