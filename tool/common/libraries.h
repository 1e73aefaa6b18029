/* SPDX-License-Identifier: Zlib */
/* libraries.h - which libraries are compared, in order; the first is what the others are measured against. */
#ifndef ZW_TOOL_COMMON_LIBRARIES_H
#define ZW_TOOL_COMMON_LIBRARIES_H

#include "common/identity.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LIBRARY_MAX_COUNT 64

/* How a library is called: as a libz, or by its own functions, which take a whole buffer in one call. */
enum zw_library_api { ZW_API_ZLIB, ZW_API_LIBDEFLATE, ZW_API_ISAL, ZW_API_ZWIRE };

#define LIBRARY_API_COUNT 4

struct zw_library_api_facts {
	const char *name, *file;                 /* the file's name, as the dynamic linker knows it */
	int level_min, level_max;
	bool has_inflate;                        /* of its own, that is */
};

extern const struct zw_library_api_facts zw_library_apis[LIBRARY_API_COUNT];      /* by enum zw_library_api */

struct zw_library {
	char *name;                              /* letters, digits, dot, dash, underscore */
	char *path;                              /* absolute, links resolved */
	uint64_t size_bytes;
	struct zw_identity identity;
	enum zw_library_api api;
	bool is_peer;                            /* added by --peers: its alerts are reported, not our failure */
};

struct zw_libraries {
	struct zw_library list[LIBRARY_MAX_COUNT];
	size_t count;
};

int  zw_libraries_add(struct zw_libraries *libs, const char *command, const char *name_and_path);
int  zw_libraries_add_native(struct zw_libraries *libs, const char *command, const char *name_and_path);
bool zw_libraries_add_defaults(struct zw_libraries *libs);
void zw_libraries_add_peers(struct zw_libraries *libs);
void zw_libraries_free(struct zw_libraries *libs);
char *zw_tool_directory(void);

#endif
