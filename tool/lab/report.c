/* SPDX-License-Identifier: Zlib */
/* report.c - what the lab measured, as a table for each body. */
#include "common/host.h"
#include "lab/lab.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LATE_MAX_SHARE 0.01

/* Nothing for the server, a star for no one in particular, c for the client. */
static const char *mark_of(const struct zw_lab_cell *cell)
{
	const char *limit = zw_lab_limit_of(cell);

	return strcmp(limit, "server") == 0 ? "" : strcmp(limit, "client") == 0 ? " c" : " *";
}

static void print_cell(const struct zw_lab_plan *plan, const struct zw_lab_result *result, const struct zw_lab_cell *cell)
{
	struct zw_spread rate = zw_lab_spread(plan, result, cell, LAB_REQUESTS_PER_S);
	const char *arm = plan->arms.list[cell->arm].name, *library = plan->libraries.list[cell->library].name;
	char bytes[32], spread[16] = "-";

	if (!zw_lab_is_measured(cell)) {
		printf("%-18s %-10.10s   refused: %s\n", cell->library ? "" : arm, library, cell->refused);
		return;
	}
	if (cell->round_count > 1 && rate.median > 0)
		snprintf(spread, sizeof spread, "%.0f%%", 50 * (rate.high - rate.low) / rate.median);
	printf("%-18s %-10.10s %9.1f %5s %6.2f %9.1f %6.2f %8.2f %8.2f %10s %5.0f%% %5.0f%%%s\n", cell->library ? "" : arm, library,
	       rate.median, spread, zw_lab_ratio_to_first(result, cell, LAB_REQUESTS_PER_S), zw_lab_median(cell, LAB_CPU_US),
	       zw_lab_ratio_to_first(result, cell, LAB_CPU_US), zw_lab_median(cell, LAB_P50_MS),
	       zw_lab_median(cell, LAB_P99_MS), zw_tool_thousands(cell->body_bytes, bytes),
	       100 * zw_lab_median(cell, LAB_SERVER_BUSY), 100 * zw_lab_median(cell, LAB_CLIENT_BUSY), mark_of(cell));
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

/* Latency where the server has time: what a closed loop at saturation does not show. */
static void print_rates(const struct zw_lab_plan *plan, const struct zw_lab_result *result)
{
	bool is_late = false;

	if (!result->rate_count)
		return;
	printf("\nlatency at a fixed rate, which is half of what the slowest library of the arm served; ms\n%-22s %-10s %-10s %9s %9s %8s "
	       "%8s %8s %9s\n", "body", "arm", "library", "rate/s", "served/s", "p50", "p95", "p99", "CPU us");
	for (size_t i = 0; i < result->rate_count; i++) {
		const struct zw_lab_rate *rate = &result->rates[i];
		const struct zw_lab_cell *cell = &result->cells[rate->cell];
		double median[LAB_RATE_SERIES_COUNT];

		printf("%-22.22s %-10.10s %-10.10s ", plan->payloads.list[cell->payload].name, plan->arms.list[cell->arm].name,
		       plan->libraries.list[cell->library].name);
		if (!rate->round_count) {
			printf("  refused: %s\n", rate->refused);
			continue;
		}
		for (int series = 0; series < LAB_RATE_SERIES_COUNT; series++)
			median[series] = zw_spread_of(rate->series[series], rate->round_count).median;
		printf("%9.0f %9.0f %8.2f %8.2f %8.2f %9.1f%s\n", rate->rate_per_s, median[LAB_RATE_ACHIEVED], median[LAB_RATE_P50_MS],
		       median[LAB_RATE_P95_MS], median[LAB_RATE_P99_MS], median[LAB_RATE_CPU_US],
		       median[LAB_RATE_LATE] > LATE_MAX_SHARE ? " l" : "");
		is_late = is_late || median[LAB_RATE_LATE] > LATE_MAX_SHARE;
	}
	if (is_late)
		puts("l the rate was not held: more than 1 % of the requests found no free connection when they were due.");
}

static void print_setup(const struct zw_lab_plan *plan, const struct zw_lab_result *result)
{
	char *cpu = zw_host_cpu_name();

	printf("%s (%s), %u worker%s for each libz; %u rounds of %u s in turns; %u connections.\n", plan->nginx.version, plan->nginx.path,
	       result->worker_count, result->worker_count > 1 ? "s" : "", result->round_count, result->seconds, result->connections);
	if (result->cpus.server_count > 1)
		printf("CPU: %s; NGINX on %u CPUs from CPU %d on, the client on %u from CPU %d on.\n", cpu, result->cpus.server_count,
		       result->cpus.server, result->cpus.client_count, result->cpus.client);
	else if (result->cpus.server >= 0)
		printf("CPU: %s; NGINX on CPU %d, the client on CPU %d.\n", cpu, result->cpus.server, result->cpus.client);
	else
		printf("CPU: %s; there are no more of them than workers, so NGINX and the client share them.\n", cpu);
	free(cpu);
	for (size_t i = 0; i < plan->libraries.count; i++)
		printf("%-10s %-22s %s\n%-10s SONAME %s, SHA-256 %s, build id %s\n", plan->libraries.list[i].name, result->versions[i],
		       plan->libraries.list[i].path, "", plan->libraries.list[i].identity.soname, plan->libraries.list[i].identity.sha256,
		       plan->libraries.list[i].identity.build_id);
	for (size_t i = 0; i < plan->absent_count; i++)
		printf("not measured: %s\n", plan->absent[i]);
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
			printf("\n%s, %s bytes%s\n%-18s %-10s %9s %5s %6s %9s %6s %8s %8s %10s %6s %6s\n",
			       plan->payloads.list[payload].name,
			       zw_tool_thousands(plan->payloads.list[payload].body.size_bytes, bytes),
			       payload == plan->mix ? " in the mean" : "", "arm", "library",
			       "req/s", "+-", "x A", "CPU us", "x A", "p50 ms", "p99 ms", "bytes", "server", "client");
		}
		print_cell(plan, result, cell);
	}
	print_rates(plan, result);
	print_memory(plan, result);
	printf("\n+-: half of the interval, from this arm's rounds and from how far those of all arms scatter. x A: to the first\n"
	       "library. CPU us: of the workers, for each response. Each arm was proved first: status, encoding, size, and a body\n"
	       "that decodes to the file byte for byte.\n");
	if (has_mark(result, "client"))
		printf("c the client was the bottleneck, not NGINX: compare the CPU, not the requests.\n");
	if (has_mark(result, "neither"))
		printf("* neither side was busy all the time: the kernel, or other programs on this machine, were the limit;\n"
		       "  compare the CPU, not the requests.\n");
	printf("alerts in error.log:");
	for (size_t i = 0; i < plan->libraries.count; i++)
		printf(" %s %s%s", plan->libraries.list[i].name, zw_tool_thousands(result->alerts[i], bytes),
		       i + 1 < plan->libraries.count ? "," : "\n");
	for (size_t i = 0; i < plan->libraries.count; i++)
		if (result->alerts[i])
			printf("  %s: %s\n", plan->libraries.list[i].name, result->first_alerts[i]);
}
