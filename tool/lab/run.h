/* SPDX-License-Identifier: Zlib */
/* run.h - a run of the lab as its parts share it. */
#ifndef ZW_TOOL_LAB_RUN_H
#define ZW_TOOL_LAB_RUN_H

#include "lab/lab.h"

struct zw_lab_run {
	const struct zw_lab_plan *plan;
	struct zw_lab_result *result;
	char *directory, *certificate_path, *key_path;
	bool module_loads;
	struct zw_lab_janitor janitor;
	struct zw_lab_loader loader;
	struct zw_worker workers[LIBRARY_MAX_COUNT];
	struct zw_lab_server servers[LIBRARY_MAX_COUNT];
};

const char *zw_lab_library_name(const struct zw_lab_run *run, size_t library);
bool zw_lab_refuse(const struct zw_lab_run *run, struct zw_lab_cell *cell, const char *reason);
void zw_lab_load_all(struct zw_lab_run *run);
void zw_lab_rates_measure(struct zw_lab_run *run);
void zw_lab_memory_measure(struct zw_lab_run *run);

#endif
