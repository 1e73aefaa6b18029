/* SPDX-License-Identifier: Zlib */
/* memory.c - the peak of a process's resident memory, as /proc tells it. */
#include "common/memory.h"

#include <stdio.h>

/* Peak and present are the same again after this, where the kernel lets us. */
void zw_peak_forget(pid_t pid)
{
	char path[48];
	FILE *file;

	snprintf(path, sizeof path, "/proc/%d/clear_refs", (int)pid);
	file = fopen(path, "we");
	if (file) {
		fputs("5", file);
		fclose(file);
	}
}

/* In KiB; 0 if it is not known. */
long zw_peak_kb(pid_t pid)
{
	char path[48], line[256];
	long kb = 0;
	FILE *file;

	snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
	file = fopen(path, "re");
	while (file && !kb && fgets(line, sizeof line, file))
		if (sscanf(line, "VmHWM: %ld kB", &kb) != 1)
			kb = 0;
	if (file)
		fclose(file);
	return kb;
}
