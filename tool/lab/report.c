/* SPDX-License-Identifier: Zlib */
/* report.c - what the lab measured, as a table for each body. */
#include "common/host.h"
#include "lab/lab.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Nothing for the server, a star for no one in particular, c for the client. */
static const char *mark_of(const struct zw_lab_cell *cell)
{
	const char *limit = zw_lab_limit_of(cell);

	return strcmp(limit, "server") == 0 ? "" : strcmp(limit, "client") == 0 ? " c" : " *";
}

static void print_cell(const struct zw_lab_plan *plan, const struct zw_lab_result *result, const struct zw_lab_cell *cell)
{
	struct zw_spread rate = zw_lab_spread(cell, LAB_REQUESTS_PER_S), cpu = zw_lab_spread(cell, LAB_CPU_US);
	const char *arm = plan->arms.list[cell->arm].name, *library = plan->libraries.list[cell->library].name;
	char bytes[32], spread[16] = "-";

	if (!zw_lab_is_measured(cell)) {
		printf("%-16s %-10.10s   refused: %s\n", cell->library ? "" : arm, library, cell->refused);
		return;
	}
	if (cell->round_count > 1 && rate.median > 0)
		snprintf(spread, sizeof spread, "%.0f%%", 100 * rate.mad / rate.median);
	printf("%-16s %-10.10s %9.1f %5s %6.2f %9.1f %6.2f %8.2f %8.2f %10s %5.0f%% %5.0f%%%s\n", cell->library ? "" : arm, library,
	       rate.median, spread, zw_lab_ratio_to_first(result, cell, LAB_REQUESTS_PER_S), cpu.median,
	       zw_lab_ratio_to_first(result, cell, LAB_CPU_US), zw_lab_spread(cell, LAB_P50_MS).median,
	       zw_lab_spread(cell, LAB_P99_MS).median, zw_tool_thousands(cell->body_bytes, bytes),
	       100 * zw_lab_spread(cell, LAB_SERVER_BUSY).median, 100 * zw_lab_spread(cell, LAB_CLIENT_BUSY).median, mark_of(cell));
}

static bool has_mark(const struct zw_lab_result *result, const char *limit)
{
	for (size_t i = 0; i < result->count; i++)
		if (zw_lab_is_measured(&result->cells[i]) && strcmp(zw_lab_limit_of(&result->cells[i]), limit) == 0)
			return true;
	return false;
}

static void print_memory(const struct zw_lab_plan *plan, const struct zw_lab_result *result)
{
	char peak[32];

	if (!result->memory_count)
		return;
	printf("\nmemory of a worker while %u clients ask for %s and do not read\n%-16s %-10s %12s %16s\n",
	       result->memory[0].client_count, plan->payloads.list[result->slow_body].name, "arm", "library", "peak KiB",
	       "KiB each client");
	for (size_t i = 0; i < result->memory_count; i++) {
		const struct zw_lab_memory *one = &result->memory[i];

		printf("%-16s %-10.10s %12s %16.1f\n", plan->arms.list[one->arm].name, plan->libraries.list[one->library].name,
		       zw_tool_thousands((uint64_t)one->peak_kb, peak), (double)(one->peak_kb - one->idle_kb) / one->client_count);
	}
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

			if (cell->library != library || !is_deflate || !zw_lab_is_measured(cell) ||
			    zw_lab_first_of(result, cell) == cell || !zw_lab_is_measured(zw_lab_first_of(result, cell)) ||
			    plan->arms.list[cell->arm].client != LAB_CLIENT_WRK ||
			    !strcmp(cell->content_encoding, "") || plan->payloads.list[cell->payload].is_incompressible)
				continue;
			rate_log += log(zw_lab_ratio_to_first(result, cell, LAB_REQUESTS_PER_S));
			cpu_log += log(zw_lab_ratio_to_first(result, cell, LAB_CPU_US));
			size_log += log((double)cell->body_bytes / (double)zw_lab_first_of(result, cell)->body_bytes);
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

	printf("%s (%s), one worker for each libz; %u rounds of %u s in turns; wrk, 1 thread, %u connections.\n",
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
			printf("\n%s, %s bytes\n%-16s %-10s %9s %5s %6s %9s %6s %8s %8s %10s %6s %6s\n",
			       plan->payloads.list[payload].name,
			       zw_tool_thousands(plan->payloads.list[payload].body.size_bytes, bytes), "arm", "library",
			       "req/s", "+-", "x A", "CPU us", "x A", "p50 ms", "p99 ms", "bytes", "server", "client");
		}
		print_cell(plan, result, cell);
	}
	print_memory(plan, result);
	printf("\nx A: to the first library. CPU us: of the worker, for each response. Each arm was proved first: status, "
	       "encoding,\nsize, and a body that decodes to the file byte for byte.\n");
	if (has_mark(result, "client"))
		printf("c the client was the bottleneck, not NGINX: compare the CPU, not the requests.\n");
	if (has_mark(result, "neither"))
		printf("* neither side was busy all the time: the kernel, or other programs on this machine, were the limit;\n"
		       "  compare the CPU, not the requests.\n");
	print_means(plan, result);
	printf("alerts in error.log:");
	for (size_t i = 0; i < plan->libraries.count; i++)
		printf(" %s %s%s", plan->libraries.list[i].name, zw_tool_thousands(result->alerts[i], bytes),
		       i + 1 < plan->libraries.count ? "," : "\n");
	for (size_t i = 0; i < plan->libraries.count; i++)
		if (result->alerts[i])
			printf("  %s: %s\n", plan->libraries.list[i].name, result->first_alerts[i]);
}
