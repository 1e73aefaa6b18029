/* SPDX-License-Identifier: Zlib */
/* library.c - loads the library under test by its path, and proves that it and no other libz is in the process.
 * The worker is linked with no such library at all, so the one it names is the only one that can answer. */
#include "bench/library.h"
#include "common/maps.h"

#include <assert.h>
#include <dlfcn.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#define VERSION_BYTES 80

/* Loads path and finds the functions of these names, which end with NULL. */
static bool find_functions(const char *path, const char *what, const char *const *names, void **addresses_ret, char *text_ret,
			   size_t text_bytes)
{
	void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);

	if (!handle) {
		snprintf(text_ret, text_bytes, "%s", dlerror());
		return false;
	}
	for (size_t i = 0; names[i]; i++) {
		addresses_ret[i] = dlsym(handle, names[i]);
		if (!addresses_ret[i]) {
			snprintf(text_ret, text_bytes, "%.400s has no %s, so it is no %s", path, names[i], what);
			return false;
		}
	}
	return zw_maps_prove(0, path, text_ret, text_bytes);
}

bool zw_libz_load(const char *path, struct zw_libz *libz_ret, char *text_ret, size_t text_bytes)
{
	static const char *const names[] = { "zlibVersion", "deflateInit2_", "deflate", "deflateEnd",
					     "inflateInit2_", "inflate", "inflateEnd", NULL };
	void *addresses[sizeof names / sizeof names[0] - 1];

	static_assert(sizeof addresses == sizeof *libz_ret, "one name for each function");
	if (!find_functions(path, "libz", names, addresses, text_ret, text_bytes))
		return false;
	memcpy(libz_ret, addresses, sizeof addresses);
	snprintf(text_ret, text_bytes, "%.80s\n%.400s", libz_ret->version(), path);
	return true;
}

/* The file `version` beside the library, as bench/peers/build leaves it; native libraries do not tell theirs. */
static void read_version(const char *path, char version_ret[static VERSION_BYTES])
{
	char directory[PATH_MAX], file[PATH_MAX + 16];
	FILE *stream;

	snprintf(directory, sizeof directory, "%s", path);
	snprintf(file, sizeof file, "%s/version", dirname(directory));
	stream = fopen(file, "re");
	if (!stream || !fgets(version_ret, VERSION_BYTES, stream))
		snprintf(version_ret, VERSION_BYTES, "native");
	version_ret[strcspn(version_ret, "\n")] = 0;
	if (stream)
		fclose(stream);
}

bool zw_native_load(const char *path, const struct zw_native *native, char *text_ret, size_t text_bytes)
{
	void *addresses[NATIVE_FUNCTION_MAX_COUNT];
	char version[VERSION_BYTES];

	if (!find_functions(path, native->api, native->names, addresses, text_ret, text_bytes))
		return false;
	native->take(addresses);
	read_version(path, version);
	snprintf(text_ret, text_bytes, "%.80s\n%.400s", version, path);
	return true;
}
