/* SPDX-License-Identifier: Zlib */
/* host.c - the machine's CPU, kernel and date for a result file, and the writing of that file. */
#include "common/host.h"
#include "common/tool.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

/* The CPU's name as the kernel gives it, or the architecture; to be freed. */
char *zw_host_cpu_name(void)
{
	FILE *info = fopen("/proc/cpuinfo", "re");
	struct utsname kernel;
	char line[512];

	while (info && fgets(line, sizeof line, info)) {
		char *colon = strchr(line, ':');

		if (!colon || strncmp(line, "model name", 10) != 0)
			continue;
		fclose(info);
		colon[strcspn(colon, "\n")] = 0;
		return zw_tool_format("%s", colon + 1 + strspn(colon + 1, " "));
	}
	if (info)
		fclose(info);
	return zw_tool_format("%s", uname(&kernel) == 0 ? kernel.machine : "unknown");
}

json_t *zw_host_describe(void)
{
	char *cpu = zw_host_cpu_name();
	struct utsname kernel;
	time_t now = time(NULL);
	struct tm calendar;
	char date[32] = "";
	json_t *host;

	if (gmtime_r(&now, &calendar))
		strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", &calendar);
	if (uname(&kernel) != 0)
		memset(&kernel, 0, sizeof kernel);
	host = json_pack("{s:s, s:s, s:s, s:s, s:I}", "date", date, "cpu", cpu, "kernel", kernel.release, "machine",
			 kernel.machine, "cpu_count", (json_int_t)sysconf(_SC_NPROCESSORS_ONLN));
	free(cpu);
	return host;
}

/* Takes over the document and writes it; "-" is standard output.  False after a message. */
bool zw_json_save(json_t *document, const char *path)
{
	bool to_stdout = strcmp(path, "-") == 0;
	char *text = document ? json_dumps(document, JSON_INDENT(1) | JSON_REAL_PRECISION(6)) : NULL;
	bool done = false;

	if (!text)
		zw_tool_error("the result cannot be written as JSON");
	else if (to_stdout)
		done = puts(text) >= 0 && fflush(stdout) == 0;
	else
		done = zw_file_write(path, text, strlen(text));
	free(text);
	json_decref(document);
	return done;
}
