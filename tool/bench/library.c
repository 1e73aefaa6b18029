/* SPDX-License-Identifier: Zlib */
/* library.c - loads the libz under test by its path, and proves that it and no other libz is in the process.
 * The worker is linked with no libz at all, so the library it names is the only one that can answer. */
#include "bench/library.h"

#include <assert.h>
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* A mapped file that could be a libz: libz.so.1, libz-ng.so.2, libz_rs.so, but not libzstd.so.1. */
static bool is_some_libz(const char *path)
{
	const char *name = strrchr(path, '/');

	name = name ? name + 1 : path;
	return strncmp(name, "libz", 4) == 0 && strchr(".-_", name[4]) && name[4];
}

/* True if path is mapped and no other libz is; else text_ret says what was found. */
static bool prove_maps(const char *path, char *text_ret, size_t text_bytes)
{
	FILE *maps = fopen("/proc/self/maps", "re");
	char line[4352];
	struct stat st;
	bool found = false;

	if (!maps || stat(path, &st) != 0) {
		snprintf(text_ret, text_bytes, "cannot prove which library runs: no /proc/self/maps");
		if (maps)
			fclose(maps);
		return false;
	}
	while (fgets(line, sizeof line, maps)) {
		unsigned major_number, minor_number;
		unsigned long inode;
		int path_at = 0;

		if (sscanf(line, "%*s %*s %*s %x:%x %lu %n", &major_number, &minor_number, &inode, &path_at) != 3 || !path_at)
			continue;
		line[strcspn(line, "\n")] = 0;
		if (inode == st.st_ino && strcmp(line + path_at, path) == 0) {
			found = true;
		} else if (is_some_libz(line + path_at)) {
			snprintf(text_ret, text_bytes, "another libz is mapped: %.400s", line + path_at);
			fclose(maps);
			return false;
		}
	}
	fclose(maps);
	if (!found)
		snprintf(text_ret, text_bytes, "%.400s is not mapped after loading it", path);
	return found;
}

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
	if (!prove_maps(path, text_ret, text_bytes))
		return false;
	snprintf(text_ret, text_bytes, "%.80s\n%.400s", libz_ret->version(), path);
	return true;
}
