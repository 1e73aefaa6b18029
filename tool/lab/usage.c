/* SPDX-License-Identifier: Zlib */
/* usage.c - what a process has used: CPU in the kernel's nanoseconds and in its clock ticks, and its peak of memory. */
#include "lab/lab.h"

#include <stdio.h>
#include <string.h>

static FILE *open_of(pid_t pid, const char *name, const char *mode)
{
	char path[48];

	snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, name);
	return fopen(path, mode);
}

/* CPU time so far; cpu_ns is -1 where the kernel keeps no schedstat.  False if the process is gone. */
bool zw_lab_usage_read(pid_t pid, struct zw_lab_usage *usage_ret)
{
	unsigned long long run_ns = 0, user_ticks = 0, system_ticks = 0;
	char text[1024], *end = NULL;
	FILE *file = open_of(pid, "schedstat", "re");
	bool done;

	usage_ret->cpu_ns = file && fscanf(file, "%llu", &run_ns) == 1 ? (int64_t)run_ns : -1;
	if (file)
		fclose(file);
	file = open_of(pid, "stat", "re");
	if (file && fgets(text, sizeof text, file))
		end = strrchr(text, ')');        /* the name before it may hold anything */
	done = end && sscanf(end + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu", &user_ticks, &system_ticks) == 2;
	if (file)
		fclose(file);
	usage_ret->cpu_ticks = (int64_t)(user_ticks + system_ticks);
	return done;
}

/* Peak and present are the same again after this, where the kernel lets us. */
void zw_lab_peak_forget(pid_t pid)
{
	FILE *file = open_of(pid, "clear_refs", "we");

	if (file) {
		fputs("5", file);
		fclose(file);
	}
}

/* Peak of the resident memory in KiB, 0 if it is not known. */
long zw_lab_peak_kb(pid_t pid)
{
	FILE *file = open_of(pid, "status", "re");
	char line[256];
	long kb = 0;

	while (file && !kb && fgets(line, sizeof line, file))
		if (sscanf(line, "VmHWM: %ld kB", &kb) != 1)
			kb = 0;
	if (file)
		fclose(file);
	return kb;
}
