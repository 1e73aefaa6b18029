/* SPDX-License-Identifier: Zlib */
/* arms.c - the ways of serving a body that this NGINX can do, and what cannot be measured here, with the reason. */
#include "lab/article.h"
#include "lab/lab.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROLES_ALL (LAB_ROLE_MAIN | LAB_ROLE_NOISE | LAB_ROLE_SMALL | LAB_ROLE_INDEX | LAB_ROLE_MIX)
#define ROLES_TEXT (LAB_ROLE_MAIN | LAB_ROLE_SMALL | LAB_ROLE_MIX)

static const struct zw_lab_arm kinds[] = {
	[LAB_ARM_OFF]    = { .kind = LAB_ARM_OFF, .name = "off", .location = "off", .asks_gzip = true, .roles = ROLES_ALL },
	[LAB_ARM_LEVEL]  = { .kind = LAB_ARM_LEVEL, .asks_gzip = true, .gives_gzip = true, .needs_library = true,
			     .roles = ROLES_TEXT },
	[LAB_ARM_GUNZIP] = { .kind = LAB_ARM_GUNZIP, .name = "gunzip", .location = "gunzip", .needs_library = true,
			     .roles = LAB_ROLE_MAIN | LAB_ROLE_MIX },
	[LAB_ARM_STATIC] = { .kind = LAB_ARM_STATIC, .name = "gzip_static", .location = "static", .asks_gzip = true,
			     .gives_gzip = true, .roles = ROLES_TEXT },
	[LAB_ARM_MODULE] = { .kind = LAB_ARM_MODULE, .name = "module", .location = "module", .asks_gzip = true, .gives_gzip = true,
			     .needs_library = true, .roles = ROLES_TEXT },
};

static const char *const client_suffixes[] = {
	[LAB_CLIENT_WRK] = "", [LAB_CLIENT_WRK_CLOSE] = ", close", [LAB_CLIENT_AB] = ", ab, 1.0", [LAB_CLIENT_H2] = ", h2",
};

struct zw_lab_arm *zw_lab_arms_add(struct zw_lab_arms *arms, enum zw_lab_arm_kind kind, int level)
{
	struct zw_lab_arm *arm = &arms->list[arms->count++];

	*arm = kinds[kind];
	if (kind == LAB_ARM_LEVEL) {
		arm->level = level;
		snprintf(arm->name, sizeof arm->name, "level %u", (unsigned)level % 10);
		snprintf(arm->location, sizeof arm->location, "level%u", (unsigned)level % 10);
		if (level == 1 || level == 6)
			arm->roles |= LAB_ROLE_NOISE;
	}
	return arm;
}

/* The same location, asked by another client, for bodies of these roles. */
struct zw_lab_arm *zw_lab_arms_add_client(struct zw_lab_arms *arms, size_t like, enum zw_lab_client client, unsigned roles)
{
	struct zw_lab_arm *arm = &arms->list[arms->count++];
	const struct zw_lab_arm model = arms->list[like];

	*arm = model;
	arm->client = client;
	arm->roles = roles;
	snprintf(arm->name, sizeof arm->name, "%.20s%s", model.name, client_suffixes[client]);
	return arm;
}

/* Who does not ask for gzip must get the body as it is, from the same location, and caches must be told so. */
static void add_identity(struct zw_lab_arms *arms, int level, unsigned roles)
{
	struct zw_lab_arm *arm = zw_lab_arms_add(arms, LAB_ARM_LEVEL, level);

	arm->asks_gzip = arm->gives_gzip = arm->needs_library = false;
	arm->roles = roles;
	snprintf(arm->name, sizeof arm->name, "level %u, identity", (unsigned)level % 10);
}

/* ab speaks HTTP/1.0, which NGINX compresses for only where gzip_http_version is 1.0: once as it should be, once as trap. */
static void add_http10(struct zw_lab_arms *arms, int level, bool is_quick)
{
	struct zw_lab_arm *arm;

	if (!is_quick) {
		arm = zw_lab_arms_add(arms, LAB_ARM_LEVEL, level);
		arm->client = LAB_CLIENT_AB;
		arm->takes_http10 = true;
		arm->roles = LAB_ROLE_SMALL;
		snprintf(arm->name, sizeof arm->name, "level %u, ab, 1.0", (unsigned)level % 10);
		snprintf(arm->location, sizeof arm->location, "http10");
	}
	arm = zw_lab_arms_add(arms, LAB_ARM_LEVEL, level);
	arm->client = LAB_CLIENT_AB;
	arm->is_trap = true;
	arm->roles = is_quick ? LAB_ROLE_MAIN : LAB_ROLE_SMALL;
	snprintf(arm->name, sizeof arm->name, "level %u, ab, 1.1", (unsigned)level % 10);
}

/* Takes over the text. */
void zw_lab_plan_absent(struct zw_lab_plan *plan, char *what)
{
	if (plan->absent_count < LAB_ABSENT_MAX_COUNT)
		plan->absent[plan->absent_count++] = what;
	else
		free(what);
}

/* Can HTTP/2 over TLS be measured?  What is missing is written down. */
static bool has_h2(struct zw_lab_plan *plan)
{
	char *h2load = zw_lab_find_program("h2load"), *openssl = zw_lab_find_program("openssl");
	const char *missing = !plan->nginx.has_h2 ? "this NGINX was built without TLS or HTTP/2" :
			      !h2load ? "there is no h2load (Debian: nghttp2-client)" : !openssl ? "there is no openssl" : NULL;

	free(h2load);
	free(openssl);
	if (missing)
		zw_lab_plan_absent(plan, zw_tool_format("HTTP/2 over TLS: %s", missing));
	return !missing;
}

/* Other clients of what was there before, for a small body, where the connection is what costs. */
static void add_clients(struct zw_lab_plan *plan)
{
	struct zw_lab_arms *arms = &plan->arms;
	size_t plain_count = arms->count;

	for (enum zw_lab_client client = LAB_CLIENT_WRK_CLOSE; client <= LAB_CLIENT_H2; client++) {
		if (client == LAB_CLIENT_AB || (client == LAB_CLIENT_H2 && !has_h2(plan)))
			continue;
		for (size_t i = 0; i < plain_count; i++) {
			const struct zw_lab_arm *arm = &arms->list[i];

			if (arm->kind == LAB_ARM_OFF || arm->kind == LAB_ARM_STATIC || (arm->level == 1 && client != LAB_CLIENT_H2) || arm->level == 6)
				zw_lab_arms_add_client(arms, i, client, LAB_ROLE_SMALL);
		}
	}
}

/* Off first, then the levels that are wanted, then what the modules built in allow, then other clients; or an article's. */
void zw_lab_arms_make(struct zw_lab_plan *plan)
{
	struct zw_lab_arms *arms = &plan->arms;
	int last_level = 1;

	arms->count = 0;
	if (plan->article) {
		zw_lab_article_arms(plan);
		return;
	}
	zw_lab_arms_add(arms, LAB_ARM_OFF, 0);
	for (int level = 1; level <= LAB_LEVEL_MAX; level++) {
		if (!plan->levels[level])
			continue;
		zw_lab_arms_add(arms, LAB_ARM_LEVEL, level);
		if (arms->count == 2)            /* one level is enough to show that it leaves the index alone */
			arms->list[1].roles |= LAB_ROLE_INDEX;
		last_level = plan->levels[6] ? 6 : level;
	}
	for (size_t i = 2; i < arms->count; i++) /* the others need not be shown with small files and the rotation, too */
		if (arms->list[i].level != last_level)
			arms->list[i].roles = LAB_ROLE_MAIN;
	if (plan->nginx.has_gunzip && plan->nginx.has_static)
		zw_lab_arms_add(arms, LAB_ARM_GUNZIP, 0);
	if (plan->nginx.has_static)
		zw_lab_arms_add(arms, LAB_ARM_STATIC, 0);
	if (plan->module_path)
		zw_lab_arms_add(arms, LAB_ARM_MODULE, 0);
	else
		zw_lab_plan_absent(plan, zw_tool_format("zwire's NGINX module: there is none beside the tool; --module FILE names one"));
	if (!plan->is_quick)
		add_clients(plan);
	add_identity(arms, last_level, plan->is_quick ? LAB_ROLE_MAIN : LAB_ROLE_SMALL);
	add_http10(arms, last_level, plan->is_quick);
}

/* NGINX leaves bodies below gzip_min_length alone, and those of types that are not listed, which are pictures and the like;
 * twins on disk are served whatever they are. */
bool zw_lab_arm_expects_gzip(const struct zw_lab_plan *plan, const struct zw_lab_arm *arm, const struct zw_payload *payload)
{
	if (!arm->gives_gzip || (arm->kind != LAB_ARM_LEVEL && arm->kind != LAB_ARM_MODULE))
		return arm->gives_gzip;
	if (plan->article && zw_lab_article_leaves_alone(plan->article, payload->name))
		return false;
	return payload->body.size_bytes >= LAB_MIN_LENGTH_BYTES && !zw_lab_is_packed(payload->name);
}
