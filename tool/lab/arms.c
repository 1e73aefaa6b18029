/* SPDX-License-Identifier: Zlib */
/* arms.c - the ways of serving a body that this NGINX can do. */
#include "lab/lab.h"

#include <stdio.h>
#include <string.h>

#define ROLES_ALL (LAB_ROLE_MAIN | LAB_ROLE_NOISE | LAB_ROLE_SMALL | LAB_ROLE_INDEX)

static const struct zw_lab_arm kinds[] = {
	[LAB_ARM_OFF]    = { .kind = LAB_ARM_OFF, .name = "off", .location = "off", .asks_gzip = true, .roles = ROLES_ALL },
	[LAB_ARM_LEVEL]  = { .kind = LAB_ARM_LEVEL, .asks_gzip = true, .gives_gzip = true, .needs_library = true,
			     .roles = LAB_ROLE_MAIN | LAB_ROLE_SMALL },
	[LAB_ARM_GUNZIP] = { .kind = LAB_ARM_GUNZIP, .name = "gunzip", .location = "gunzip", .needs_library = true,
			     .roles = LAB_ROLE_MAIN },
	[LAB_ARM_STATIC] = { .kind = LAB_ARM_STATIC, .name = "gzip_static", .location = "static", .asks_gzip = true,
			     .gives_gzip = true, .roles = LAB_ROLE_MAIN | LAB_ROLE_SMALL },
};

static const char *const client_suffixes[] = {
	[LAB_CLIENT_WRK] = "", [LAB_CLIENT_WRK_CLOSE] = ", close", [LAB_CLIENT_AB] = ", ab",
};

static struct zw_lab_arm *add_arm(struct zw_lab_arms *arms, enum zw_lab_arm_kind kind, int level)
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

/* The same location, asked by another client and only for a small body, where the connection is what costs. */
static void add_client(struct zw_lab_arms *arms, const struct zw_lab_arm *like, enum zw_lab_client client, unsigned roles)
{
	struct zw_lab_arm *arm = &arms->list[arms->count++];

	*arm = *like;
	arm->client = client;
	arm->roles = roles;
	snprintf(arm->name, sizeof arm->name, "%.20s%s", like->name, client_suffixes[client]);
}

/* ab speaks HTTP/1.0, which NGINX compresses for only where gzip_http_version is 1.0: once as it should be, once as trap. */
static void add_http10(struct zw_lab_arms *arms, int level, bool is_quick)
{
	struct zw_lab_arm *arm;

	if (!is_quick) {
		arm = add_arm(arms, LAB_ARM_LEVEL, level);
		arm->client = LAB_CLIENT_AB;
		arm->takes_http10 = true;
		arm->roles = LAB_ROLE_SMALL;
		snprintf(arm->name, sizeof arm->name, "level %u, ab, 1.0", (unsigned)level % 10);
		snprintf(arm->location, sizeof arm->location, "http10");
	}
	arm = add_arm(arms, LAB_ARM_LEVEL, level);
	arm->client = LAB_CLIENT_AB;
	arm->is_trap = true;
	arm->roles = is_quick ? LAB_ROLE_MAIN : LAB_ROLE_SMALL;
	snprintf(arm->name, sizeof arm->name, "level %u, ab, 1.1", (unsigned)level % 10);
}

/* Off first, then the levels that are wanted, then what the modules built in allow, then other clients. */
void zw_lab_arms_make(struct zw_lab_arms *arms, const struct zw_lab_nginx *nginx, const bool levels[LAB_LEVEL_MAX + 1],
		      bool is_quick)
{
	int last_level = 1;
	size_t plain_count;

	arms->count = 0;
	add_arm(arms, LAB_ARM_OFF, 0);
	for (int level = 1; level <= LAB_LEVEL_MAX; level++) {
		if (!levels[level])
			continue;
		add_arm(arms, LAB_ARM_LEVEL, level);
		if (arms->count == 2)            /* one level is enough to show that it leaves the index alone */
			arms->list[1].roles |= LAB_ROLE_INDEX;
		last_level = levels[6] ? 6 : level;
	}
	if (nginx->has_gunzip && nginx->has_static)
		add_arm(arms, LAB_ARM_GUNZIP, 0);
	if (nginx->has_static)
		add_arm(arms, LAB_ARM_STATIC, 0);
	plain_count = arms->count;
	for (size_t i = 0; i < plain_count && !is_quick; i++) {
		const struct zw_lab_arm *arm = &arms->list[i];

		if (arm->kind == LAB_ARM_OFF || arm->kind == LAB_ARM_STATIC || arm->level == 1 || arm->level == 6)
			add_client(arms, arm, LAB_CLIENT_WRK_CLOSE, LAB_ROLE_SMALL);
	}
	add_http10(arms, last_level, is_quick);
}

/* NGINX leaves bodies below gzip_min_length alone, and those of types that are not listed, which are pictures and the like;
 * twins on disk are served whatever they are. */
bool zw_lab_arm_expects_gzip(const struct zw_lab_arm *arm, const struct zw_payload *payload)
{
	if (!arm->gives_gzip || arm->kind != LAB_ARM_LEVEL)
		return arm->gives_gzip;
	return payload->body.size_bytes >= LAB_MIN_LENGTH_BYTES && !zw_lab_is_packed(payload->name);
}
