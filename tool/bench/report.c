/* SPDX-License-Identifier: Zlib */
/* report.c - the measured cells as tables for people and as JSON for machines. */
#include "bench/bench.h"
#include "bench/nginx_shape.h"
#include "common/host.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME_MIN_COLUMNS 14
#define NAME_MAX_COLUMNS 26
#define BUSY_RATIO 1.05                      /* of wall time to CPU time: above, the machine was shared */

static const struct { const char *name, *harness, *title; } modes[BENCH_MODE_COUNT] = {
	[ZW_MODE_DEFLATE_ONE]   = { "deflate-one",   "1", "deflate, the whole body in one call" },
	[ZW_MODE_DEFLATE_32K]   = { "deflate-32k",   "2", "deflate, pieces of 32 KB" },
	[ZW_MODE_DEFLATE_8K]    = { "deflate-8k",    "2", "deflate, pieces of 8 KB" },
	[ZW_MODE_DEFLATE_NGINX] = { "deflate-nginx", "3", "deflate as NGINX calls it: 32 KB in, 4 KB out, window and memory by Content-Length" },
	[ZW_MODE_INFLATE_ONE]   = { "inflate-one",   "1", "inflate, the whole body in one call" },
	[ZW_MODE_INFLATE_NGINX] = { "inflate-nginx", "3", "inflate as NGINX calls it: 32 KB in, 4 KB out" },
};

static const char *const format_names[WIRE_FORMAT_COUNT] = {
	[ZW_FORMAT_GZIP] = "gzip", [ZW_FORMAT_ZLIB] = "zlib", [ZW_FORMAT_RAW] = "raw"
};

/* Pieces of another size than harness 2 has by itself. */
static bool is_other_chunk(const struct zw_bench_plan *plan, enum zw_bench_mode mode)
{
	return mode == ZW_MODE_DEFLATE_32K && plan->shape.in_bytes;
}

const char *zw_bench_mode_name(const struct zw_bench_plan *plan, enum zw_bench_mode mode)
{
	return is_other_chunk(plan, mode) ? "deflate-chunks" : modes[mode].name;
}

static const char *title_of(const struct zw_bench_plan *plan, enum zw_bench_mode mode)
{
	return is_other_chunk(plan, mode) ? "deflate, pieces of the size that was asked for" : modes[mode].title;
}

static bool is_inflate_cell(const struct zw_bench_cell *cell)
{
	return cell->level == BENCH_NO_LEVEL;
}

static void print_memory(const struct zw_bench_cell *cell)
{
	char text[32];

	if (!cell->asked_bytes)
		return;
	printf("  %9s", zw_tool_thousands(cell->asked_bytes, text));
	if (cell->budget_bytes && cell->asked_bytes > cell->budget_bytes)
		printf(" over %s%s", zw_tool_thousands(cell->budget_bytes, text),
		       cell->alerts_per_response > 0.5 ? ", alert each time" : "");
}

static const char *format_name(const struct zw_bench_plan *plan, enum zw_bench_mode mode)
{
	return format_names[zw_bench_is_one_call(mode) ? plan->format : ZW_FORMAT_GZIP];
}

static int name_columns(const struct zw_bench_plan *plan)
{
	size_t columns = NAME_MIN_COLUMNS;

	for (size_t i = 0; i < plan->payloads.count; i++)
		if (strlen(plan->payloads.list[i].name) > columns)
			columns = strlen(plan->payloads.list[i].name);
	return columns < NAME_MAX_COLUMNS ? (int)columns : NAME_MAX_COLUMNS;
}

static void print_cell(const struct zw_bench_plan *plan, const struct zw_bench_result *result, const struct zw_bench_cell *cell,
		       int columns)
{
	const struct zw_payload *payload = &plan->payloads.list[cell->payload];
	char size[32], level[16] = "";

	if (cell->failed && *result->broken[cell->library] && !cell->is_reference)
		return;                          /* said above the tables */
	if (is_inflate_cell(cell) && cell->is_reference)
		strcpy(level, "-");
	else if (cell->is_reference || cell->level != cell[-1].level)
		snprintf(level, sizeof level, "%d", cell->level);
	printf("%-*.*s %5s  %-12.12s ", columns, columns, cell->is_reference ? payload->name : "", level,
	       plan->libraries.list[cell->library].name);
	if (cell->failed) {
		printf("failed: %s\n", cell->failed);
		return;
	}
	printf("%8.1f %5.1f%% %7.2f%s", cell->speed.median,
	       cell->speed.median > 0 ? 100 * cell->speed.mad / cell->speed.median : 0, cell->speed_ratio,
	       !cell->is_reference && cell->ratio_low <= 1 && cell->ratio_high >= 1 ? "=" : " ");
	if (is_inflate_cell(cell))
		printf(" %9s %6s %7s", "", "", "");
	else
		printf(" %9s %6.4f %7.4f", zw_tool_thousands(cell->output_bytes, size),
		       (double)cell->output_bytes / (double)payload->body.size_bytes, cell->size_ratio);
	print_memory(cell);
	putchar('\n');
}

static const char *bodies_come(const struct zw_bench_plan *plan)
{
	return plan->repeats_bodies ? "repeated" : "mixed";
}

/* The file that each library is, beyond doubt, and what was measured of its worker. */
static void print_libraries(const struct zw_bench_plan *plan, const struct zw_bench_result *result)
{
	for (size_t i = 0; i < plan->libraries.count; i++) {
		const struct zw_library *library = &plan->libraries.list[i];
		const struct zw_identity *identity = &library->identity;

		if (*result->broken[i])
			printf("%-12s left out: %s (%s)\n", library->name, result->broken[i], library->path);
		else
			printf("%-12s %-16s %s\n", library->name, result->versions[i], result->mapped[i]);
		printf("%-12s SONAME %s, SHA-256 %s, build id %s\n", "", *identity->soname ? identity->soname : "none", identity->sha256,
		       *identity->build_id ? identity->build_id : "none");
	}
	if (*result->uncounted)
		printf("Instructions are not counted: %s.\n", result->uncounted);
}

static void print_shape(const struct zw_wire_shape *shape)
{
	if (shape->in_bytes)
		printf("Pieces of input: %u bytes.\n", shape->in_bytes);
	if (shape->out_bytes)
		printf("Output buffers: %u bytes.\n", shape->out_bytes);
	if (shape->window_log2 || shape->mem_level)
		printf("windowBits and memLevel as given: %d and %d (0: the harness's).\n", shape->window_log2, shape->mem_level);
}

void zw_bench_print(const struct zw_bench_plan *plan, const struct zw_bench_result *result)
{
	char *cpu = zw_host_cpu_name();
	int columns = name_columns(plan);

	if (plan->is_single)
		printf("CPU: %s.  %u processes for each library, in turns; one response by itself in each.\n", cpu, plan->round_count);
	else
		printf("CPU: %s.  %u rounds of %u ms, libraries in turns, bodies %s.  MB/s: uncompressed body for each second\n"
		       "of CPU time, median and spread (MAD).  A is the first library of each group.\n", cpu, plan->round_count,
		       plan->time_ms, bodies_come(plan));
	free(cpu);
	print_shape(&plan->shape);
	print_libraries(plan, result);
	for (int mode = 0; mode < BENCH_MODE_COUNT; mode++) {
		if (!plan->modes[mode])
			continue;
		if (plan->is_single) {
			printf("\n%s\n", title_of(plan, (enum zw_bench_mode)mode));
			zw_bench_print_single(plan, result, (enum zw_bench_mode)mode);
			continue;
		}
		printf("\n%s, %s\n%-*s %5s  %-12s %8s %6s %7s  %9s %6s %7s%s\n", title_of(plan, (enum zw_bench_mode)mode),
		       format_name(plan, (enum zw_bench_mode)mode), columns, "body", "level", "library", "MB/s",
		       "+-", "speed/A", "bytes", "ratio", "size/A",
		       mode == ZW_MODE_DEFLATE_NGINX || mode == ZW_MODE_INFLATE_NGINX ? "     memory" : "");
		for (size_t i = 0; i < result->count; i++)
			if (result->cells[i].mode == (enum zw_bench_mode)mode)
				print_cell(plan, result, &result->cells[i], columns);
		zw_bench_print_means(plan, result, (enum zw_bench_mode)mode);
	}
	zw_bench_print_words(plan, result);
	if ((double)result->used_ns > BUSY_RATIO * (double)result->cpu_ns)
		printf("\nNote: other work had this CPU for %.0f%% of the time; on a quiet machine the spread is smaller.\n",
		       100.0 * (1 - (double)result->cpu_ns / (double)result->used_ns));
	if (!plan->is_single)
		printf("\n=: within noise, no difference to A was shown: 1 is in the interval that %s.\n",
		       plan->round_count < 6 ? "all rounds' ratios lie in" : "holds the true ratio with 95 %");
	printf("Every output was decoded by another library and compared with the body.\n");
}

static json_t *describe_spread(const double *values, size_t count)
{
	struct zw_spread spread = zw_spread_of(values, count);
	json_t *rounds = json_array();

	for (size_t i = 0; i < count; i++)
		json_array_append_new(rounds, json_real(values[i]));
	return json_pack("{s:f, s:f, s:f, s:f, s:o}", "median", spread.median, "mad", spread.mad, "low", spread.low, "high",
			 spread.high, "rounds", rounds);
}

static void describe_memory(const struct zw_bench_cell *cell, json_t *object)
{
	static const char *const words[] = { [ZW_NGINX_FITS] = "fits", [ZW_NGINX_LARGER] = "larger block", [ZW_NGINX_ALERTS] = "alerts" };

	json_object_set_new(object, "peak_rss_kb", json_integer(cell->peak_kb));
	json_object_set_new(object, "page_faults_per_response", json_real(cell->faults_per_response));
	if (cell->asked_bytes)
		json_object_set_new(object, "memory_asked_bytes", json_integer((json_int_t)cell->asked_bytes));
	if (cell->budget_bytes) {
		json_object_set_new(object, "nginx_budget_bytes", json_integer((json_int_t)cell->budget_bytes));
		json_object_set_new(object, "nginx_alerts_per_response", json_real(cell->alerts_per_response));
	}
	if (cell->verdict_count) {
		json_t *verdicts = json_object();

		for (uint32_t age = 0; age < cell->verdict_count; age++)
			json_object_set_new(verdicts, zw_nginx_ages[age], json_string(words[cell->verdicts[age]]));
		json_object_set_new(object, "nginx_verdicts", verdicts);
	}
}

static json_t *describe_failure(const struct zw_bench_plan *plan, const struct zw_bench_cell *cell)
{
	json_t *object = json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:b}", "body", plan->payloads.list[cell->payload].name, "harness",
		modes[cell->mode].harness, "mode", zw_bench_mode_name(plan, cell->mode), "format", format_name(plan, cell->mode), "library",
		plan->libraries.list[cell->library].name, "failed", cell->failed, "is_first", cell->is_reference);

	if (object && !is_inflate_cell(cell))
		json_object_set_new(object, "level", json_integer(cell->level));
	return object;
}

static json_t *describe_cell(const struct zw_bench_plan *plan, const struct zw_bench_cell *cell)
{
	const struct zw_payload *payload = &plan->payloads.list[cell->payload];
	json_t *rounds;
	json_t *object;

	if (cell->failed)
		return describe_failure(plan, cell);
	rounds = json_array();
	for (unsigned i = 0; i < plan->round_count && !plan->is_single; i++)
		json_array_append_new(rounds, json_real(cell->mb_per_s[i]));
	object = json_pack("{s:s, s:s, s:s, s:s, s:s, s:f, s:f, s:f, s:o, s:b}", "body", payload->name, "harness",
			   modes[cell->mode].harness, "mode", zw_bench_mode_name(plan, cell->mode), "format", format_name(plan, cell->mode),
			   "library", plan->libraries.list[cell->library].name, "mb_per_s", cell->speed.median,
			   "mb_per_s_mad", cell->speed.mad, "speed_to_first", cell->speed_ratio, "mb_per_s_rounds", rounds,
			   "is_first", cell->is_reference);
	if (object && !cell->is_reference) {
		json_object_set_new(object, "speed_to_first_low", json_real(cell->ratio_low));
		json_object_set_new(object, "speed_to_first_high", json_real(cell->ratio_high));
	}
	if (object && !is_inflate_cell(cell)) {
		json_object_set_new(object, "level", json_integer(cell->level));
		json_object_set_new(object, "group_level", json_integer(cell->group_level));
		json_object_set_new(object, "output_bytes", json_integer((json_int_t)cell->output_bytes));
		json_object_set_new(object, "ratio", json_real((double)cell->output_bytes / (double)payload->body.size_bytes));
		json_object_set_new(object, "size_to_first", json_real(cell->size_ratio));
	}
	if (object && plan->is_single) {
		json_object_set_new(object, "cold_us", describe_spread(cell->cold_us, plan->round_count));
		json_object_set_new(object, "warm_us", describe_spread(cell->warm_us, plan->round_count));
	}
	if (object && cell->instruction_count)
		json_object_set_new(object, "instructions_per_response", json_integer((json_int_t)cell->instruction_count));
	if (object)
		describe_memory(cell, object);
	return object;
}

/* The means of one mode, level and library, one object for each class that has bodies. */
static void describe_means(const struct zw_bench_plan *plan, const struct zw_bench_result *result, enum zw_bench_mode mode,
			   int level, size_t library, json_t *list)
{
	struct zw_bench_classes classes;

	zw_bench_classes_of(plan, &classes);
	for (size_t c = 0; c < classes.count; c++) {
		struct zw_bench_mean mean = zw_bench_mean_of(plan, result, &classes, c, mode, level, library);
		json_t *object;

		if (!mean.count)
			continue;
		object = json_pack("{s:s, s:s, s:s, s:i, s:f, s:f, s:s}", "mode", zw_bench_mode_name(plan, mode), "library",
				   plan->libraries.list[library].name, "class", classes.names[c], "bodies", (int)mean.count,
				   "speed_to_first", mean.speed, "worst_speed_to_first", mean.worst_speed,
				   "worst_speed_body", plan->payloads.list[mean.worst_payload].name);
		if (object) {
			json_object_set_new(object, "speed_to_first_low", json_real(mean.speed_low));
			json_object_set_new(object, "speed_to_first_high", json_real(mean.speed_high));
		}
		if (object && level != BENCH_NO_LEVEL) {
			json_object_set_new(object, "level", json_integer(level));
			json_object_set_new(object, "size_to_first", json_real(mean.size));
			json_object_set_new(object, "worst_size_to_first", json_real(mean.worst_size));
		}
		json_array_append_new(list, object);
	}
}

static json_t *describe_all_means(const struct zw_bench_plan *plan, const struct zw_bench_result *result)
{
	json_t *list = json_array();

	for (int mode = 0; mode < BENCH_MODE_COUNT; mode++) {
		bool is_inflate = zw_bench_is_inflate((enum zw_bench_mode)mode);

		for (size_t l = 0; plan->modes[mode] && l < (is_inflate ? 1 : plan->level_count); l++)
			for (size_t i = 0; i < plan->libraries.count; i++)
				describe_means(plan, result, (enum zw_bench_mode)mode, is_inflate ? BENCH_NO_LEVEL : plan->levels[l],
					       i, list);
	}
	return list;
}

/* What was set by the caller; 0 where the harness had its own. */
static json_t *describe_shape(const struct zw_wire_shape *shape)
{
	return json_pack("{s:i, s:i, s:i, s:i}", "chunk_bytes", (int)shape->in_bytes, "output_buffer_bytes", (int)shape->out_bytes,
			 "window_bits", shape->window_log2, "mem_level", shape->mem_level);
}

bool zw_bench_save(const struct zw_bench_plan *plan, const struct zw_bench_result *result, const char *path)
{
	json_t *libraries = json_array(), *bodies = json_array(), *results = json_array();

	for (size_t i = 0; i < plan->libraries.count; i++) {
		const struct zw_library *library = &plan->libraries.list[i];

		json_array_append_new(libraries, json_pack("{s:s, s:s, s:s, s:s, s:I, s:s, s:s, s:s, s:s}", "name", library->name, "api",
			zw_library_apis[library->api].name, "version", result->versions[i], "file",
			result->mapped[i], "file_bytes", (json_int_t)library->size_bytes, "soname", library->identity.soname, "sha256",
			library->identity.sha256, "build_id", library->identity.build_id, "left_out", result->broken[i]));
	}
	for (size_t i = 0; i < plan->payloads.count; i++) {
		const struct zw_payload *payload = &plan->payloads.list[i];

		json_array_append_new(bodies, json_pack("{s:s, s:I, s:I}", "name", payload->name, "bytes",
			(json_int_t)payload->body.size_bytes, "crc32",
			(json_int_t)zw_blob_crc32(payload->body.data, payload->body.size_bytes)));
	}
	for (size_t i = 0; i < result->count; i++)
		json_array_append_new(results, describe_cell(plan, &result->cells[i]));
	return zw_json_save(json_pack("{s:s, s:s, s:o, s:f, s:s, s:i, s:i, s:o, s:s, s:o, s:o, s:o, s:o}", "command", "zwire bench", "zwire_version",
		ZWIRE_VERSION, "host", zw_host_describe(), "cpu_share", result->used_ns ? (double)result->cpu_ns / (double)result->used_ns : 0,
		"bodies_come", bodies_come(plan),
		"rounds", (int)plan->round_count, "round_ms", (int)plan->time_ms, "shape", describe_shape(&plan->shape),
		"instructions_uncounted", result->uncounted,
		"libraries", libraries, "bodies", bodies, "results", results, "means", describe_all_means(plan, result)), path);
}
