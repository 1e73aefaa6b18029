/* SPDX-License-Identifier: Zlib */
/* memory.c - what a server's workers keep for many clients that ask and do not read, in each arm that meets such bodies. */
#include "lab/run.h"

#include <stdlib.h>

#define SLOW_CLIENTS 64

/* Only a body that does not shrink keeps its stream alive while nobody reads; without one, the largest has to do. */
static size_t choose_slow_body(const struct zw_lab_plan *plan)
{
	const struct zw_payloads *payloads = &plan->payloads;
	size_t best = 0;

	for (size_t i = 1; i < payloads->count; i++) {
		if (i == plan->mix)
			continue;

		const struct zw_payload *a = &payloads->list[best], *b = &payloads->list[i];

		if (b->is_incompressible != a->is_incompressible ? b->is_incompressible : b->body.size_bytes > a->body.size_bytes)
			best = i;
	}
	return best;
}

void zw_lab_memory_measure(struct zw_lab_run *run)
{
	struct zw_lab_result *result = run->result;
	const struct zw_lab_plan *plan = run->plan;

	result->slow_body = choose_slow_body(plan);
	for (size_t arm = 0; arm < plan->arms.count; arm++) {
		const struct zw_lab_arm *what = &plan->arms.list[arm];

		if (!(what->roles & LAB_ROLE_NOISE) || what->client != LAB_CLIENT_WRK || plan->is_quick)
			continue;
		for (size_t library = 0; library < plan->libraries.count && !zw_interrupted(); library++) {
			struct zw_lab_memory one = { arm, library, SLOW_CLIENTS, 0, 0 };
			struct zw_lab_server *server = &run->servers[library];
			char *name = zw_lab_url_escape(plan->payloads.list[result->slow_body].name);
			char *path = zw_tool_format("/%s/%s", what->location, name);

			zw_tool_progress("%u slow clients: %s, %s", SLOW_CLIENTS, what->name, zw_lab_library_name(run, library));
			if (!*server->broken && zw_lab_server_renew(server) &&
			    zw_lab_slow_run(server, path, SLOW_CLIENTS, &one.idle_kb, &one.peak_kb)) {
				result->memory = zw_tool_grow(result->memory, (result->memory_count + 1) * sizeof *result->memory);
				result->memory[result->memory_count++] = one;
			}
			free(path);
			free(name);
		}
	}
}
