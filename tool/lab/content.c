/* SPDX-License-Identifier: Zlib */
/* content.c - puts the bodies where NGINX serves them from: plain/, packed/ (only the .gz) and twins/ (both). */
#include "lab/lab.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define PACKED_LEVEL 9                       /* of the files for gzip_static; the first library that works makes them */

/* The directories that a name with slashes needs. */
static bool make_parents(char *path)
{
	for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		bool done;

		*slash = 0;
		done = mkdir(path, 0755) == 0 || errno == EEXIST;
		if (!done)
			zw_tool_error("cannot make %s: %s", path, strerror(errno));
		*slash = '/';
		if (!done)
			return false;
	}
	return true;
}

static bool put_file(const char *directory, const char *place, const char *name, const char *suffix, const struct zw_blob *blob)
{
	char *path = zw_tool_format("%s/%s/%s%s", directory, place, name, suffix);
	bool done = make_parents(path) && zw_file_write(path, blob->data, blob->size_bytes);

	free(path);
	return done;
}

static bool put_payload(const char *directory, const struct zw_payload *payload, struct zw_worker *maker)
{
	static const struct zw_worker_job job = { .mode = ZW_MODE_DEFLATE_ONE, .format = ZW_FORMAT_GZIP, .level = PACKED_LEVEL };
	struct zw_wire_answer answer;
	struct zw_blob packed;
	bool done;

	if (!zw_worker_set_body(maker, 0, &payload->body) ||
	    !zw_worker_run(maker, &job, &answer) ||
	    !zw_worker_output(maker, &packed))
		return false;
	done = put_file(directory, "plain", payload->name, "", &payload->body) &&
	       put_file(directory, "twins", payload->name, "", &payload->body) &&
	       put_file(directory, "twins", payload->name, ".gz", &packed) &&
	       put_file(directory, "packed", payload->name, ".gz", &packed);
	free(packed.data);
	return done;
}

bool zw_lab_content_put(const char *directory, const struct zw_lab_plan *plan, struct zw_worker *maker)
{
	for (size_t i = 0; i < plan->payloads.count; i++)
		if (i != plan->mix && !put_payload(directory, &plan->payloads.list[i], maker))
			return false;
	for (size_t i = 0; i < plan->more.count; i++)
		if (!put_payload(directory, &plan->more.list[i], maker))
			return false;
	return true;
}
