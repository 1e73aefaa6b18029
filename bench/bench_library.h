/* SPDX-License-Identifier: Zlib */
/* bench_library.h - libz files by NAME=PATH, each loaded beside the others. */
#ifndef BENCH_BENCH_LIBRARY_H
#define BENCH_BENCH_LIBRARY_H

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LIBRARIES_MAX 4

static void stop(const char *what, const char *why)
{
	fprintf(stderr, "%s: %s: %s\n", program_invocation_short_name, what, why);
	exit(1);
}

/* *(any function pointer) to = the function of this name. */
static void find(void *handle, const char *name, void *to)
{
	void *symbol = dlsym(handle, name);

	if (!symbol)
		stop(name, dlerror());
	memcpy(to, &symbol, sizeof symbol);
}

/* argument is cut at its '=', and its beginning is the name.  count: libraries there are already. */
static void *load_library(char *argument, int count)
{
	char *path = strchr(argument, '=');
	void *handle;

	if (!path || count >= LIBRARIES_MAX)
		stop(argument, "NAME=LIBZ, four at most");
	*path++ = '\0';
	handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!handle)
		stop(path, dlerror());
	return handle;
}

#endif
