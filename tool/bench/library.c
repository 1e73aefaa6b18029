/* SPDX-License-Identifier: Zlib */
/* library.c - loads the libz under test by its path, and proves that it and no other libz is in the process.
 * The worker is linked with no libz at all, so the library it names is the only one that can answer. */
#include "bench/library.h"
#include "common/maps.h"

#include <assert.h>
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

/* On success text_ret is the library's version, a newline, and the mapped file; on failure the reason. */
bool zw_libz_load(const char *path, struct zw_libz *libz_ret, char *text_ret, size_t text_bytes)
{
	static const char *const names[] = { "zlibVersion", "deflateInit2_", "deflate", "deflateEnd",
					     "inflateInit2_", "inflate", "inflateEnd" };
	void *addresses[sizeof names / sizeof names[0]];
	void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);

	if (!handle) {
		snprintf(text_ret, text_bytes, "%s", dlerror());
		return false;
	}
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		addresses[i] = dlsym(handle, names[i]);
		if (!addresses[i]) {
			snprintf(text_ret, text_bytes, "%.400s has no %s, so it is no libz", path, names[i]);
			return false;
		}
	}
	static_assert(sizeof addresses == sizeof *libz_ret, "one name for each function");
	memcpy(libz_ret, addresses, sizeof addresses);
	if (!zw_maps_prove(0, path, text_ret, text_bytes))
		return false;
	snprintf(text_ret, text_bytes, "%.80s\n%.400s", libz_ret->version(), path);
	return true;
}
