/* SPDX-License-Identifier: Zlib */
/* maps.c - proves from the kernel's own list that one libz, and no other, is mapped into a process. */
#include "common/maps.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define MAPS_LINE_BYTES 4352                 /* PATH_MAX and the columns before it */

/* A file that could be a libz: libz.so.1, libz-ng.so.2, libz_rs.so, but not libzstd.so.1. */
static bool is_some_libz(const char *path)
{
	const char *name = strrchr(path, '/');

	name = name ? name + 1 : path;
	return strncmp(name, "libz", 4) == 0 && name[4] && strchr(".-_", name[4]);
}

/* True if path is mapped and no other libz is; else text_ret says what was found. */
bool zw_maps_prove(int pid, const char *path, char *text_ret, size_t text_bytes)
{
	char maps_path[32] = "/proc/self/maps", line[MAPS_LINE_BYTES], other[400] = "";
	struct stat st;
	FILE *maps;
	bool found = false;

	if (pid)
		snprintf(maps_path, sizeof maps_path, "/proc/%d/maps", pid);
	maps = fopen(maps_path, "re");
	if (!maps || stat(path, &st) != 0) {
		snprintf(text_ret, text_bytes, "cannot prove which libz runs: cannot read %s", maps ? path : maps_path);
		if (maps)
			fclose(maps);
		return false;
	}
	while (fgets(line, sizeof line, maps)) {
		unsigned long inode;
		int path_at = 0;

		if (sscanf(line, "%*s %*s %*s %*s %lu %n", &inode, &path_at) != 1 || !path_at)
			continue;
		line[strcspn(line, "\n")] = 0;
		if (inode == st.st_ino && strcmp(line + path_at, path) == 0)
			found = true;
		else if (is_some_libz(line + path_at))
			snprintf(other, sizeof other, "%.399s", line + path_at);
	}
	fclose(maps);
	if (*other)
		snprintf(text_ret, text_bytes, "another libz is mapped: %s", other);
	else if (!found)
		snprintf(text_ret, text_bytes, "%.400s is not mapped, nor any other libz", path);
	return found && !*other;
}
