/* SPDX-License-Identifier: Zlib */
/* maps.h - which libz a process really runs on, from /proc/PID/maps. */
#ifndef ZW_TOOL_COMMON_MAPS_H
#define ZW_TOOL_COMMON_MAPS_H

#include <stdbool.h>
#include <stddef.h>

/* pid 0 is the caller.  path: absolute, links resolved. */
bool zw_maps_prove(int pid, const char *path, char *text_ret, size_t text_bytes);

#endif
