/* SPDX-License-Identifier: Zlib */
/* crew.c - keeps the libraries' workers alive and honest.
 * A worker that died is started again, with all bodies; one that cannot be is out, and result->broken says why.
 * What a library wrote is decoded by another one; where they disagree, a third is asked before anybody is blamed. */
#include "bench/crew.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PACKED_LEVEL 6                       /* of what every library inflates */

enum zw_wire_format zw_bench_format_of(const struct zw_bench_plan *plan, enum zw_bench_mode mode)
{
	return zw_bench_is_one_call(mode) ? plan->format : ZW_FORMAT_GZIP;
}

bool zw_crew_is_out(const struct zw_crew *crew, size_t library)
{
	return *crew->result->broken[library] != 0;
}

static void put_out(struct zw_crew *crew, size_t library, const char *why)
{
	snprintf(crew->result->broken[library], sizeof crew->result->broken[library], "%.*s", BENCH_REASON_BYTES - 1, why);
	crew->has_trouble = true;
	if (!zw_interrupted())
		zw_tool_error("%s is left out: %s", crew->plan->libraries.list[library].name, why);
}

static bool start_one(struct zw_crew *crew, size_t library)
{
	struct zw_worker *worker = &crew->workers[library];
	char why[WIRE_TEXT_BYTES];

	if (zw_worker_start(worker, &crew->plan->libraries.list[library], crew->cpu)) {
		memcpy(crew->result->versions[library], worker->version, sizeof worker->version);
		memcpy(crew->result->mapped[library], worker->mapped, sizeof worker->mapped);
		memcpy(crew->result->uncounted, worker->uncounted, sizeof worker->uncounted);
		return true;
	}
	snprintf(why, sizeof why, "%s", *worker->trouble ? worker->trouble : "its worker cannot be started");
	put_out(crew, library, why);
	return false;
}

bool zw_crew_choose(struct zw_crew *crew, size_t library, size_t payload)
{
	return zw_worker_choose(&crew->workers[library], payload);
}

static bool give_bodies(struct zw_crew *crew, size_t library)
{
	struct zw_worker *worker = &crew->workers[library];

	for (size_t p = 0; p < crew->plan->payloads.count; p++) {
		if (!zw_worker_set_body(worker, p, &crew->plan->payloads.list[p].body))
			return false;
		for (int format = 0; format < WIRE_FORMAT_COUNT; format++)
			if (crew->packed[format] && crew->packed[format][p].data &&
			    !zw_worker_set_packed(worker, (enum zw_wire_format)format, &crew->packed[format][p]))
				return false;
	}
	return true;
}

/* After a failure: a worker that is gone is started again.  Its trouble stays to be told. */
void zw_crew_mend(struct zw_crew *crew, size_t library)
{
	struct zw_worker *worker = &crew->workers[library];
	char trouble[WIRE_TEXT_BYTES];

	crew->has_trouble = true;
	if (worker->pid > 0 || zw_crew_is_out(crew, library) || zw_interrupted())
		return;
	memcpy(trouble, worker->trouble, sizeof trouble);
	zw_worker_stop(worker);
	if (start_one(crew, library) && !give_bodies(crew, library))
		put_out(crew, library, worker->trouble);
	memcpy(worker->trouble, trouble, sizeof trouble);
}

static bool can_judge(const struct zw_crew *crew, size_t library, bool is_libz)
{
	enum zw_library_api api = crew->plan->libraries.list[library].api;

	return !zw_crew_is_out(crew, library) && zw_library_apis[api].has_inflate && (api == ZW_API_ZLIB) == is_libz;
}

/* One library's word on another's output; the chosen body of the judge is then the payload. */
static bool judge_accepts(struct zw_crew *crew, size_t judge, size_t writer, size_t payload, enum zw_wire_format format,
			  const struct zw_blob *output)
{
	if (zw_crew_choose(crew, judge, payload) &&
	    zw_worker_decodes(&crew->workers[judge], format, output, crew->plan->libraries.list[writer].name))
		return true;
	if (judge != writer)
		zw_crew_mend(crew, judge);
	return false;
}

/* The others in their order, those with zlib's interface first.  If none of them accepts, or there is none, the writer itself:
 * what it can decode, checksum and all, speaks against them, and they are in trouble.  False if nobody accepts. */
static bool somebody_accepts(struct zw_crew *crew, size_t writer, size_t payload, enum zw_wire_format format,
			     const struct zw_blob *output)
{
	size_t asked = 0;

	for (int is_native = 0; is_native < 2; is_native++)
		for (size_t i = 0; i < crew->plan->libraries.count && !zw_interrupted(); i++) {
			if (i == writer || !can_judge(crew, i, !is_native))
				continue;
			if (judge_accepts(crew, i, writer, payload, format, output))
				return true;
			asked++;
		}
	if (!zw_library_apis[crew->plan->libraries.list[writer].api].has_inflate || zw_interrupted() ||
	    !judge_accepts(crew, writer, writer, payload, format, output))
		return false;
	if (asked) {
		crew->has_trouble = true;
		zw_tool_error("but %s itself could, so what it wrote is taken for right: the others are in doubt",
			      crew->plan->libraries.list[writer].name);
	}
	return true;
}

static bool prove_blob(struct zw_crew *crew, size_t library, size_t payload, enum zw_wire_format format, const struct zw_blob *output)
{
	struct zw_worker *worker = &crew->workers[library];

	if (somebody_accepts(crew, library, payload, format, output) || zw_interrupted())
		return !zw_interrupted();
	snprintf(worker->trouble, sizeof worker->trouble, "WRONG BYTES: no library could decode what it wrote");
	zw_tool_error("%s (%s): WRONG BYTES for %s at this level", worker->library->name, worker->library->path,
		      crew->plan->payloads.list[payload].name);
	return false;
}

/* Fetches the library's last output, which is of this payload, and lets another one decode it.  False: it is in trouble. */
bool zw_crew_prove(struct zw_crew *crew, size_t library, size_t payload, enum zw_wire_format format)
{
	struct zw_blob output;
	bool proved;

	if (!zw_worker_output(&crew->workers[library], &output))
		return false;
	proved = prove_blob(crew, library, payload, format, &output);
	free(output.data);
	return proved;
}

/* One body compressed by one library, proved; output_ret->data is to be freed. */
static bool pack(struct zw_crew *crew, size_t maker, size_t payload, enum zw_wire_format format, struct zw_blob *output_ret)
{
	int level_max = zw_library_apis[crew->plan->libraries.list[maker].api].level_max;
	struct zw_worker_job job = { .mode = ZW_MODE_DEFLATE_ONE, .format = format,
				     .level = level_max < PACKED_LEVEL ? level_max : PACKED_LEVEL };
	struct zw_wire_answer answer;

	if (!zw_crew_choose(crew, maker, payload) || !zw_worker_run(&crew->workers[maker], &job, &answer) ||
	    !zw_worker_output(&crew->workers[maker], output_ret))
		return false;
	if (prove_blob(crew, maker, payload, format, output_ret))
		return true;
	free(output_ret->data);
	output_ret->data = NULL;
	return false;
}

/* All bodies compressed by the first library that can, those with zlib's interface before others. */
static bool pack_all(struct zw_crew *crew, enum zw_wire_format format)
{
	size_t count = crew->plan->payloads.count, done = 0;

	crew->packed[format] = zw_tool_alloc(count * sizeof *crew->packed[format]);
	memset(crew->packed[format], 0, count * sizeof *crew->packed[format]);
	for (int is_native = 0; is_native < 2; is_native++)
		for (size_t maker = 0; maker < crew->plan->libraries.count && done < count && !zw_interrupted(); maker++) {
			if (!can_judge(crew, maker, !is_native))
				continue;
			while (done < count && pack(crew, maker, done, format, &crew->packed[format][done]))
				done++;
			if (done < count)
				zw_crew_mend(crew, maker);
		}
	if (done < count && !zw_interrupted())
		zw_tool_error("no library could compress %s for the others to inflate", crew->plan->payloads.list[done].name);
	return done == count;
}

static bool give_packed(struct zw_crew *crew, enum zw_wire_format format, size_t library)
{
	for (size_t p = 0; p < crew->plan->payloads.count; p++)
		if (!zw_crew_choose(crew, library, p) ||
		    !zw_worker_set_packed(&crew->workers[library], format, &crew->packed[format][p]))
			return false;
	return true;
}

/* Bodies for the modes that inflate, once everybody is there; false if there are none, after a message. */
bool zw_crew_prepare(struct zw_crew *crew)
{
	bool is_wanted[WIRE_FORMAT_COUNT] = { false };

	for (int mode = 0; mode < BENCH_MODE_COUNT; mode++)
		if (crew->plan->modes[mode] && zw_bench_is_inflate((enum zw_bench_mode)mode))
			is_wanted[zw_bench_format_of(crew->plan, (enum zw_bench_mode)mode)] = true;
	for (int format = 0; format < WIRE_FORMAT_COUNT; format++) {
		if (is_wanted[format] && !pack_all(crew, (enum zw_wire_format)format))
			return false;
		for (size_t i = 0; is_wanted[format] && i < crew->plan->libraries.count; i++)
			if (!zw_crew_is_out(crew, i) && !give_packed(crew, (enum zw_wire_format)format, i))
				zw_crew_mend(crew, i);
	}
	return true;
}

/* False if there is nothing to measure with. */
bool zw_crew_start(struct zw_crew *crew, const struct zw_bench_plan *plan, struct zw_bench_result *result)
{
	size_t count = 0;

	memset(crew, 0, sizeof *crew);
	crew->plan = plan;
	crew->result = result;
	crew->cpu = zw_cpus_choose(1).server;
	for (size_t i = 0; i < LIBRARY_MAX_COUNT; i++)
		crew->workers[i].fd = -1;
	for (size_t i = 0; i < plan->libraries.count && !zw_interrupted(); i++)
		if (start_one(crew, i) && !give_bodies(crew, i))
			put_out(crew, i, crew->workers[i].trouble);
	for (size_t i = 0; i < plan->libraries.count; i++)
		count += !zw_crew_is_out(crew, i);
	return count && !zw_interrupted();
}

void zw_crew_stop(struct zw_crew *crew)
{
	for (size_t i = 0; i < crew->plan->libraries.count; i++)
		zw_worker_stop(&crew->workers[i]);
	for (int format = 0; format < WIRE_FORMAT_COUNT; format++) {
		for (size_t p = 0; crew->packed[format] && p < crew->plan->payloads.count; p++)
			free(crew->packed[format][p].data);
		free(crew->packed[format]);
		crew->packed[format] = NULL;
	}
}
