/* SPDX-License-Identifier: Zlib */
/* arms.c - the ways of serving a body that this NGINX can do. */
#include "lab/lab.h"

#include <stdio.h>
#include <string.h>

static const struct zw_lab_arm kinds[] = {
	/*                  kind            level name           location  asks   gives  needs  noise */
	[LAB_ARM_OFF]    = { LAB_ARM_OFF,    0,   "off",         "off",    true,  false, false, true },
	[LAB_ARM_LEVEL]  = { LAB_ARM_LEVEL,  0,   "level",       "level",  true,  true,  true,  true },
	[LAB_ARM_GUNZIP] = { LAB_ARM_GUNZIP, 0,   "gunzip",      "gunzip", false, false, true,  false },
	[LAB_ARM_STATIC] = { LAB_ARM_STATIC, 0,   "gzip_static", "static", true,  true,  false, false },
};

static struct zw_lab_arm *add_arm(struct zw_lab_arms *arms, enum zw_lab_arm_kind kind)
{
	struct zw_lab_arm *arm = &arms->list[arms->count++];

	*arm = kinds[kind];
	return arm;
}

/* Off first, then the levels that are wanted, then what the modules built in allow. */
void zw_lab_arms_make(struct zw_lab_arms *arms, const struct zw_lab_nginx *nginx, const bool levels[LAB_LEVEL_MAX + 1])
{
	arms->count = 0;
	add_arm(arms, LAB_ARM_OFF);
	for (int level = 1; level <= LAB_LEVEL_MAX; level++) {
		struct zw_lab_arm *arm;

		if (!levels[level])
			continue;
		arm = add_arm(arms, LAB_ARM_LEVEL);
		arm->level = level;
		snprintf(arm->name, sizeof arm->name, "level %d", level);
		snprintf(arm->location, sizeof arm->location, "level%d", level);
	}
	if (nginx->has_gunzip && nginx->has_static)
		add_arm(arms, LAB_ARM_GUNZIP);
	if (nginx->has_static)
		add_arm(arms, LAB_ARM_STATIC);
}
