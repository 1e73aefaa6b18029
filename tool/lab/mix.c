/* SPDX-License-Identifier: Zlib */
/* mix.c - many files asked for in rotation, as a site's are: no predictor and no cache sees one of them again and again.
 * The mix is a body among the others that has a name and a mean size, and no bytes of its own. */
#include "lab/lab.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Which of the plan's own bodies take part: a user's all, of ours those that stand for pages and data. */
static bool takes_part(const struct zw_lab_plan *plan, size_t payload)
{
	if (payload == plan->mix)
		return false;
	return plan->is_own_content || zw_lab_role_of(plan, payload) == LAB_ROLE_MAIN || zw_lab_role_of(plan, payload) == LAB_ROLE_SMALL;
}

size_t zw_lab_mix_count(const struct zw_lab_plan *plan)
{
	size_t count = plan->more.count;

	for (size_t i = 0; i < plan->payloads.count; i++)
		count += takes_part(plan, i);
	return count;
}

/* number: below zw_lab_mix_count(). */
const struct zw_payload *zw_lab_mix_member(const struct zw_lab_plan *plan, size_t number)
{
	for (size_t i = 0; i < plan->payloads.count; i++)
		if (takes_part(plan, i) && !number--)
			return &plan->payloads.list[i];
	return &plan->more.list[number];
}

/* Puts the mix behind the bodies, where there are at least two files for it. */
void zw_lab_mix_add(struct zw_lab_plan *plan)
{
	static uint8_t nothing[1];
	struct zw_blob none = { nothing, 0 };
	size_t count = zw_lab_mix_count(plan), sum_bytes = 0;
	char *name;

	if (count < 2)
		return;
	for (size_t i = 0; i < count; i++)
		sum_bytes += zw_lab_mix_member(plan, i)->body.size_bytes;
	name = zw_tool_format("%zu files in rotation", count);
	zw_payloads_add_copy(&plan->payloads, name, &none);
	plan->mix = plan->payloads.count - 1;
	plan->payloads.list[plan->mix].body.size_bytes = sum_bytes / count;
	free(name);
}

/* A script for wrk whose requests go through the files; the path of the arm is its first argument.  tail: what follows. */
bool zw_lab_mix_write(const struct zw_lab_plan *plan, const char *path, const char *tail)
{
	FILE *file = fopen(path, "we");
	size_t count = plan->mix == LAB_NO_MIX ? 0 : zw_lab_mix_count(plan);
	bool done;

	if (!file)
		return false;
	fputs("local paths, requests, at = {\n", file);
	for (size_t i = 0; i < count; i++) {
		char *escaped = zw_lab_url_escape(zw_lab_mix_member(plan, i)->name);

		fprintf(file, "  '%s',\n", escaped);
		free(escaped);
	}
	fputs("}, {}, 0\nfunction init(args)\n"
	      "  for i, path in ipairs(paths) do requests[i] = wrk.format(nil, args[1] .. path) end\nend\n"
	      "function request()\n  at = at % #requests + 1\n  return requests[at]\nend\n", file);
	fputs(tail, file);
	done = fclose(file) == 0;
	return done;
}
