/* SPDX-License-Identifier: Zlib */
/* report.c - what people and programs are told: lines, progress, a summary, a manifest.
 * Takes: outcomes, from any thread.  Gives: text, and the exit code.
 * Never: keeps an entry: a manifest of ten million files is written as it comes. */
#include "precompress/precompress.h"

#include "common/tool.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A name can hold anything but '/' and zero.  On a terminal it must not move the cursor or break the line. */
char *zw_twin_printable(const char *text)
{
	char *out = zw_tool_alloc(4 * strlen(text) + 1), *next = out;
	json_t *whole = json_string(text);       /* NULL if it is not UTF-8 */

	for (const char *c = text; *c; c++) {
		uint8_t byte = (uint8_t)*c;

		if (byte < 32 || byte == 127 || byte == '\\' || (byte >= 128 && !whole))
			next += sprintf(next, "\\%03o", byte);
		else
			*next++ = *c;
	}
	json_decref(whole);
	return out;
}

static void put_text(json_t *object, const char *key, const char *bytes_key, const char *text)
{
	json_t *value = json_string(text);
	char *hex;

	if (value) {
		json_object_set_new(object, key, value);
		return;
	}
	hex = zw_tool_alloc(2 * strlen(text) + 1);
	for (size_t i = 0; text[i]; i++)
		snprintf(hex + 2 * i, 3, "%02x", (uint8_t)text[i]);
	json_object_set_new(object, bytes_key, json_string(hex));
	free(hex);
}

static char *path_of(const struct zw_twin_job *job)
{
	const char *folder = job->dir->path;

	return zw_tool_format("%s%s%s", folder, folder[strlen(folder) - 1] == '/' ? "" : "/", job->name);
}

/* *more_ret: what follows after a colon; NULL stays if nothing does. */
static const char *reason_of(const struct zw_twin_report *report, const struct zw_twin_job *job, const struct zw_twin_outcome *outcome,
			     const char **more_ret)
{
	const char *extension, *type = zw_types_uncovered(&report->options->types, job->name, &extension);

	if (outcome->verdict.reason == ZW_WHY_UNLISTED && type) {
		*more_ret = type;
		return "NGINX sends it as a type that is not in gzip_types";
	}
	return zw_twin_reason_text(outcome->verdict.reason);
}

static void write_entry(struct zw_twin_report *report, const char *path, const struct zw_twin_job *job, const struct zw_twin_outcome *outcome)
{
	json_t *entry = json_object();
	const char *type = NULL;
	char crc[16];

	put_text(entry, "path", "path_hex", path);
	json_object_set_new(entry, "action", json_string(zw_twin_action_name(outcome->verdict.action)));
	json_object_set_new(entry, "reason", json_string(reason_of(report, job, outcome, &type)));
	if (type)
		json_object_set_new(entry, "type", json_string(type));
	json_object_set_new(entry, "problem", json_boolean(outcome->verdict.is_problem));
	json_object_set_new(entry, "bytes", json_integer((json_int_t)outcome->source_bytes));
	json_object_set_new(entry, "twin_bytes", json_integer((json_int_t)outcome->twin_bytes));
	if (outcome->has_crc) {
		snprintf(crc, sizeof crc, "%08x", outcome->crc);
		json_object_set_new(entry, "crc32", json_string(crc));
	}
	if (outcome->format)
		json_object_set_new(entry, "format", json_string(outcome->format));
	if (outcome->error)
		json_object_set_new(entry, "error", json_string(strerror(outcome->error)));
	if (job->has_brotli)
		json_object_set_new(entry, "brotli", json_true());
	if (fputs(report->json_has_entry ? ",\n" : "\n", report->json) < 0 || json_dumpf(entry, report->json, JSON_COMPACT | JSON_SORT_KEYS) != 0)
		report->json_failed = true;
	report->json_has_entry = true;
	json_decref(entry);
}

bool zw_twin_report_begin(struct zw_twin_report *report, const struct zw_twin_options *options)
{
	memset(report, 0, sizeof *report);
	report->options = options;
	pthread_mutex_init(&report->lock, NULL);
	report->start_ns = zw_clock_ns();
	if (!options->json_path)
		return true;
	report->json = strcmp(options->json_path, "-") == 0 ? stdout : fopen(options->json_path, "we");
	if (!report->json) {
		zw_tool_error("cannot write %s: %s", options->json_path, strerror(errno));
		return false;
	}
	fputs("{\"files\":[", report->json);
	return true;
}

static void say_error(const struct zw_twin_outcome *outcome, const char *name)
{
	if (outcome->error)
		zw_tool_error("%s: %s%s%s", name, outcome->doing ? outcome->doing : "", outcome->doing ? ": " : "", strerror(outcome->error));
	else
		zw_tool_error("%s: %s", name, zw_twin_reason_text(outcome->verdict.reason));
}

static void say_line(const struct zw_twin_report *report, const struct zw_twin_job *job, const struct zw_twin_outcome *outcome, const char *name)
{
	char from[32], to[32];
	const char *extra = outcome->format && outcome->verdict.reason == ZW_WHY_COMPRESSED ? outcome->format : NULL;
	const char *reason = reason_of(report, job, outcome, &extra);
	bool is_orphan = outcome->verdict.reason == ZW_WHY_ORPHAN || outcome->verdict.reason == ZW_WHY_DOWNLOAD;

	zw_tool_progress_end();
	printf("%s%-8s %s%s", report->options->dry_run ? "would be " : "", zw_twin_action_name(outcome->verdict.action), name,
	       is_orphan ? TWIN_SUFFIX : "");
	if (outcome->twin_bytes)
		printf("  %s -> %s", zw_tool_thousands(outcome->source_bytes, from), zw_tool_thousands(outcome->twin_bytes, to));
	printf("  (%s%s%s%s)\n", reason, extra ? ": " : "", extra ? extra : "",
	       job->has_brotli ? "; a .br is there and left alone" : "");
}

static void count_outcome(struct zw_twin_counts *counts, const struct zw_twin_job *job, const struct zw_twin_outcome *outcome)
{
	counts->files++;
	counts->action[outcome->verdict.action]++;
	counts->problems += outcome->verdict.is_problem;
	counts->failures += outcome->verdict.action == ZW_TWIN_FAIL;
	counts->read_bytes += outcome->has_crc ? outcome->source_bytes : 0;
	counts->brotli += job->has_brotli;
	if (outcome->twin_bytes && outcome->verdict.action != ZW_TWIN_FAIL) {
		counts->source_bytes += outcome->source_bytes;
		counts->twin_bytes += outcome->twin_bytes;
	}
}

/* For the progress, and for what NGINX does not compress. */
static void count_types(struct zw_twin_report *report, const struct zw_twin_job *job, const struct zw_twin_outcome *outcome)
{
	const char *type, *extension;
	size_t i = 0;

	if (job->kind == ZW_JOB_SOURCE && zw_types_has(&report->options->types, job->name)) {
		report->counts.done_files++;
		report->counts.done_units += zw_twin_units(outcome->source_bytes);
	}
	if (outcome->verdict.action != ZW_TWIN_SKIP || outcome->verdict.reason != ZW_WHY_UNLISTED)
		return;
	type = zw_types_uncovered(&report->options->types, job->name, &extension);
	if (!type || !extension)
		return;
	while (i < report->uncovered_count && report->uncovered[i].extension != extension)
		i++;
	if (i == TWIN_UNCOVERED_MAX)
		return;
	if (i == report->uncovered_count)
		report->uncovered[report->uncovered_count++] = (struct zw_twin_uncovered){ extension, type, 0, 0 };
	report->uncovered[i].files++;
	report->uncovered[i].bytes += outcome->source_bytes;
}

void zw_twin_report_one(struct zw_twin_report *report, const struct zw_twin_job *job, const struct zw_twin_outcome *outcome)
{
	const struct zw_twin_options *options = report->options;
	bool is_found = options->check && outcome->verdict.is_problem;
	char *path = NULL, *name = NULL;

	if (outcome->verdict.action == ZW_TWIN_FAIL || is_found || options->verbose || report->json || outcome->verdict.action == ZW_TWIN_REPORT) {
		path = path_of(job);
		name = zw_twin_printable(path);
	}
	pthread_mutex_lock(&report->lock);
	count_outcome(&report->counts, job, outcome);
	count_types(report, job, outcome);
	if (report->json)
		write_entry(report, path, job, outcome);
	if (outcome->verdict.action == ZW_TWIN_FAIL)
		say_error(outcome, name);
	else if (report->json != stdout && (options->verbose || (!options->quiet && (is_found || outcome->verdict.action == ZW_TWIN_REPORT))))
		say_line(report, job, outcome, name);
	pthread_mutex_unlock(&report->lock);
	free(path);
	free(name);
}

/* A folder could not be read: what is below it was not looked at. */
void zw_twin_report_trouble(struct zw_twin_report *report, const char *path, int error)
{
	char *name = zw_twin_printable(path);

	pthread_mutex_lock(&report->lock);
	report->counts.failures++;
	report->counts.problems++;
	zw_tool_error("%s: reading the folder: %s", name, strerror(error));
	pthread_mutex_unlock(&report->lock);
	free(name);
}

static const char *count_text(uint64_t count, char text[static 32])
{
	zw_tool_thousands(count, text);
	strcat(text, count == 1 ? " file" : " files");
	return text;
}

static void say_summary(const struct zw_twin_report *report)
{
	static const enum zw_twin_action order[] = { ZW_TWIN_MAKE, ZW_TWIN_KEEP, ZW_TWIN_ADJUST, ZW_TWIN_LINK_IT, ZW_TWIN_REMOVE, ZW_TWIN_SKIP,
		ZW_TWIN_REPORT, ZW_TWIN_FAIL };
	const struct zw_twin_counts *counts = &report->counts;
	double seconds = (double)(zw_clock_ns() - report->start_ns) / 1e9;
	char text[32], other[32];

	printf("%s", count_text(counts->files, text));
	for (size_t i = 0; i < sizeof order / sizeof order[0]; i++)
		if (counts->action[order[i]])
			printf(", %s %s", zw_tool_thousands(counts->action[order[i]], text), zw_twin_action_name(order[i]));
	printf("%s in %.2f s\n", report->options->check ? " (nothing was written: --check)" : report->options->dry_run ? " (nothing was written: --dry-run)" : "",
	       seconds);
	if (counts->source_bytes)
		printf("twins: %s -> %s bytes, %.1f %% saved\n", zw_tool_thousands(counts->source_bytes, text), zw_tool_thousands(counts->twin_bytes, other),
		       100 - 100 * (double)counts->twin_bytes / (double)counts->source_bytes);
	for (size_t i = 0; i < report->uncovered_count; i++)
		printf("NGINX does not compress .%.*s (%s): %s of %s bytes; add the type to gzip_types\n",
		       (int)strcspn(report->uncovered[i].extension, ","), report->uncovered[i].extension, report->uncovered[i].type,
		       count_text(report->uncovered[i].files, text), zw_tool_thousands(report->uncovered[i].bytes, other));
	if (counts->brotli)
		printf("with a .br too, which was left alone: %s\n", count_text(counts->brotli, text));
	if (report->options->check)
		printf("check: %s problems\n", zw_tool_thousands(counts->problems, text));
}

static json_t *uncovered_list(const struct zw_twin_report *report)
{
	json_t *list = json_array();

	for (size_t i = 0; i < report->uncovered_count; i++) {
		const struct zw_twin_uncovered *one = &report->uncovered[i];

		json_array_append_new(list, json_pack("{s:s%,s:s,s:I,s:I}", "extension", one->extension, strcspn(one->extension, ","), "type", one->type,
						      "files", (json_int_t)one->files, "bytes", (json_int_t)one->bytes));
	}
	return list;
}

static bool end_json(struct zw_twin_report *report)
{
	const struct zw_twin_counts *counts = &report->counts;
	json_t *summary;
	bool is_fine;

	if (!report->json)
		return true;
	summary = json_pack("{s:I,s:I,s:I,s:I,s:I,s:i}", "files", (json_int_t)counts->files, "problems", (json_int_t)counts->problems,
			    "failures", (json_int_t)counts->failures, "bytes", (json_int_t)counts->source_bytes, "twin_bytes",
			    (json_int_t)counts->twin_bytes, "level", report->options->level);
	json_object_set_new(summary, "uncovered", uncovered_list(report));
	fputs("\n],\n\"summary\":", report->json);
	is_fine = json_dumpf(summary, report->json, JSON_COMPACT) == 0 && fputs("}\n", report->json) >= 0 && fflush(report->json) == 0 &&
		!report->json_failed;
	json_decref(summary);
	if (report->json != stdout && fclose(report->json) != 0)
		is_fine = false;
	if (!is_fine)
		zw_tool_error("cannot write %s: %s", report->options->json_path, strerror(errno));
	return is_fine;
}

int zw_twin_report_end(struct zw_twin_report *report)
{
	bool is_saved;

	zw_tool_progress_end();
	if (!report->options->quiet && report->json != stdout)
		say_summary(report);
	is_saved = end_json(report);
	pthread_mutex_destroy(&report->lock);
	if (zw_interrupted()) {
		zw_tool_error("interrupted: every twin that was made is whole; the next run goes on from here");
		return ZW_EXIT_CANNOT;
	}
	if (!is_saved)
		return ZW_EXIT_CANNOT;
	if (report->counts.failures || (report->options->check && report->counts.problems))
		return ZW_EXIT_FOUND;
	return ZW_EXIT_DONE;
}
