/* SPDX-License-Identifier: Zlib */
/* document.c - everything that the lab measured, as results.json holds it and as report.html is made from. */
#include "common/host.h"
#include "lab/article.h"
#include "lab/document.h"

#include <stdlib.h>
#include <string.h>

/* The ratio, and beside it the ends of its interval. */
static void set_ratio(json_t *object, const char *name, struct zw_spread ratio)
{
	char *low = zw_tool_format("%s_low", name), *high = zw_tool_format("%s_high", name);

	json_object_set_new(object, name, json_real(ratio.median));
	json_object_set_new(object, low, json_real(ratio.low));
	json_object_set_new(object, high, json_real(ratio.high));
	free(low);
	free(high);
}

static json_t *describe_cell(const struct zw_lab_plan *plan, const struct zw_lab_result *result, const struct zw_lab_cell *cell)
{
	const struct zw_lab_arm *arm = &plan->arms.list[cell->arm];
	json_t *object = json_pack("{s:s, s:s, s:s, s:i, s:b, s:b, s:I, s:s, s:s, s:s, s:s}", "body",
		plan->payloads.list[cell->payload].name, "arm", arm->name, "library", plan->libraries.list[cell->library].name,
		"level", arm->level, "is_trap", arm->is_trap, "is_measured", zw_lab_is_measured(cell), "wire_bytes",
		(json_int_t)cell->body_bytes, "content_encoding", cell->content_encoding, "content_type", cell->content_type, "vary", cell->vary, "refused", cell->refused);

	if (!zw_lab_is_measured(cell))
		return object;
	json_object_set_new(object, "limit", json_string(zw_lab_limit_of(cell)));
	set_ratio(object, "requests_to_first", zw_lab_ratio_spread(plan, result, cell, LAB_REQUESTS_PER_S));
	set_ratio(object, "cpu_to_first", zw_lab_ratio_spread(plan, result, cell, LAB_CPU_US));
	for (int series = 0; object && series < LAB_SERIES_COUNT; series++) {
		struct zw_spread spread = zw_lab_spread(plan, result, cell, (enum zw_lab_series)series);
		json_t *rounds = json_array();

		for (size_t i = 0; i < cell->round_count; i++)
			json_array_append_new(rounds, json_real(cell->series[series][i]));
		json_object_set_new(object, zw_lab_series_names[series],
				    json_pack("{s:f, s:f, s:f, s:f, s:o}", "median", spread.median, "mad", spread.mad, "low", spread.low,
					      "high", spread.high, "rounds", rounds));
	}
	return object;
}

static json_t *describe_memory(const struct zw_lab_plan *plan, const struct zw_lab_memory *memory, size_t body)
{
	return json_pack("{s:s, s:s, s:s, s:i, s:I, s:I, s:f}", "arm", plan->arms.list[memory->arm].name, "library",
			 plan->libraries.list[memory->library].name, "body", plan->payloads.list[body].name, "clients",
			 (int)memory->client_count, "idle_kb", (json_int_t)memory->idle_kb, "peak_kb", (json_int_t)memory->peak_kb,
			 "kb_per_client", (double)(memory->peak_kb - memory->idle_kb) / memory->client_count);
}

static json_t *describe_rate(const struct zw_lab_plan *plan, const struct zw_lab_result *result, const struct zw_lab_rate *rate)
{
	const struct zw_lab_cell *cell = &result->cells[rate->cell];
	json_t *object = json_pack("{s:s, s:s, s:s, s:f, s:s}", "body", plan->payloads.list[cell->payload].name, "arm",
				   plan->arms.list[cell->arm].name, "library", plan->libraries.list[cell->library].name, "rate_per_s",
				   rate->rate_per_s, "refused", rate->refused);

	for (int series = 0; object && series < LAB_RATE_SERIES_COUNT && rate->round_count; series++) {
		struct zw_spread spread = zw_spread_of(rate->series[series], rate->round_count);

		json_object_set_new(object, zw_lab_rate_names[series],
				    json_pack("{s:f, s:f, s:f}", "median", spread.median, "low", spread.low, "high", spread.high));
	}
	return object;
}

static json_t *describe_absent(const struct zw_lab_plan *plan)
{
	json_t *absent = json_array();

	for (size_t i = 0; i < plan->absent_count; i++)
		json_array_append_new(absent, json_string(plan->absent[i]));
	return absent;
}

static json_t *describe_libraries(const struct zw_lab_plan *plan, const struct zw_lab_result *result)
{
	json_t *libraries = json_array();

	for (size_t i = 0; i < plan->libraries.count; i++)
		json_array_append_new(libraries, json_pack("{s:s, s:s, s:s, s:I, s:s, s:s, s:i, s:s, s:s, s:s, s:s}", "name",
			plan->libraries.list[i].name, "version", result->versions[i], "file", plan->libraries.list[i].path,
			"file_bytes", (json_int_t)plan->libraries.list[i].size_bytes, "mapped", result->mapped[i], "broken",
			result->broken[i], "alerts", (int)result->alerts[i], "first_alert", result->first_alerts[i], "sha256",
			plan->libraries.list[i].identity.sha256, "soname", plan->libraries.list[i].identity.soname, "build_id",
			plan->libraries.list[i].identity.build_id));
	return libraries;
}

/* The whole document; NULL if there is no memory for it. */
json_t *zw_lab_document_make(const struct zw_lab_plan *plan, const struct zw_lab_result *result)
{
	json_t *bodies = json_array(), *results = json_array(), *memory = json_array();
	json_t *verdicts = json_array(), *network = json_array(), *rates = json_array(), *summary = json_array();
	json_t *document, *article;

	for (size_t i = 0; i < plan->payloads.count; i++)
		json_array_append_new(bodies, json_pack("{s:s, s:I, s:b}", "name", plan->payloads.list[i].name, "bytes",
			(json_int_t)plan->payloads.list[i].body.size_bytes, "is_incompressible",
			plan->payloads.list[i].is_incompressible));
	for (size_t i = 0; i < result->count; i++)
		json_array_append_new(results, describe_cell(plan, result, &result->cells[i]));
	for (size_t i = 0; i < result->memory_count; i++)
		json_array_append_new(memory, describe_memory(plan, &result->memory[i], result->slow_body));
	for (size_t i = 0; i < result->rate_count; i++)
		json_array_append_new(rates, describe_rate(plan, result, &result->rates[i]));
	zw_lab_judge(plan, result, verdicts, network);
	zw_lab_sum_up(plan, result, summary);
	document = json_pack("{s:s, s:s, s:o, s:s, s:s, s:s, s:i, s:i, s:i, s:i, s:i, s:i, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "command", "zwire lab",
		"zwire_version", ZWIRE_VERSION, "host", zw_host_describe(), "nginx", plan->nginx.version, "nginx_path",
		plan->nginx.path, "nginx_configure", plan->nginx.configure, "rounds", (int)result->round_count, "round_seconds",
		(int)result->seconds, "connections", (int)result->connections, "workers", (int)result->worker_count, "server_cpu",
		result->cpus.server, "client_cpu", result->cpus.client, "libraries", describe_libraries(plan, result), "bodies", bodies, "results", results, "memory",
		memory, "verdicts", verdicts, "network", network, "fixed_rate", rates, "absent", describe_absent(plan),
		"summary", summary);
	article = zw_lab_article_describe(plan, result);
	if (document && article)
		json_object_set_new(document, "article", article);
	return document;
}
