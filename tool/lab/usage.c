/* SPDX-License-Identifier: Zlib */
/* usage.c - what a server's workers have used together: CPU in the kernel's nanoseconds and in its clock ticks, and their peak
 * of memory. */
#include "common/memory.h"
#include "lab/lab.h"

#include <stdio.h>
#include <string.h>

static FILE *open_of(pid_t pid, const char *name)
{
	char path[48];

	snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, name);
	return fopen(path, "re");
}

/* cpu_ns is -1 where the kernel keeps no schedstat.  False if the process is gone. */
static bool read_one(pid_t pid, struct zw_lab_usage *usage_ret)
{
	unsigned long long run_ns = 0, user_ticks = 0, system_ticks = 0;
	char text[1024], *end = NULL;
	FILE *file = open_of(pid, "schedstat");
	bool done;

	usage_ret->cpu_ns = file && fscanf(file, "%llu", &run_ns) == 1 ? (int64_t)run_ns : -1;
	if (file)
		fclose(file);
	file = open_of(pid, "stat");
	if (file && fgets(text, sizeof text, file))
		end = strrchr(text, ')');        /* the name before it may hold anything */
	done = end && sscanf(end + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu", &user_ticks, &system_ticks) == 2;
	if (file)
		fclose(file);
	usage_ret->cpu_ticks = (int64_t)(user_ticks + system_ticks);
	return done;
}

/* CPU time so far.  False if a worker is gone, or there is none. */
bool zw_lab_usage_read(const struct zw_lab_server *server, struct zw_lab_usage *usage_ret)
{
	*usage_ret = (struct zw_lab_usage){ 0, 0 };
	for (unsigned i = 0; i < server->worker_count; i++) {
		struct zw_lab_usage one;

		if (!read_one(server->workers[i], &one))
			return false;
		usage_ret->cpu_ns = one.cpu_ns < 0 ? -1 : usage_ret->cpu_ns + one.cpu_ns;
		usage_ret->cpu_ticks += one.cpu_ticks;
	}
	return server->worker_count > 0;
}

/* Peak and present are the same again after this, where the kernel lets us. */
void zw_lab_peak_forget(const struct zw_lab_server *server)
{
	for (unsigned i = 0; i < server->worker_count; i++)
		zw_peak_forget(server->workers[i]);
}

/* Peaks of the resident memory in KiB, added; 0 if none is known. */
long zw_lab_peak_kb(const struct zw_lab_server *server)
{
	long sum_kb = 0;

	for (unsigned i = 0; i < server->worker_count; i++)
		sum_kb += zw_peak_kb(server->workers[i]);
	return sum_kb;
}
