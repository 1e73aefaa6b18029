/* SPDX-License-Identifier: Zlib */
/* types.h - which names are worth a twin, and what is compressed already. */
#ifndef ZW_TOOL_PRECOMPRESS_TYPES_H
#define ZW_TOOL_PRECOMPRESS_TYPES_H

#include "precompress/decide.h"
#include "precompress/nginx_types.h"

#include <stddef.h>

#define TYPE_MAGIC_BYTES 16                      /* of a file's start, for zw_type_compressed_as() */
#define TYPE_EXTENSION_MAX 512

struct zw_types {
	char *list[TYPE_EXTENSION_MAX];          /* small letters, without the dot */
	size_t count;
	bool all;                                /* whatever the name is */
	struct zw_nginx_types *nginx;            /* --types-from: these too; or NULL */
};

void zw_types_default(struct zw_types *types);
bool zw_types_add(struct zw_types *types, const char *comma_list);
void zw_types_free(struct zw_types *types);
bool zw_types_has(const struct zw_types *types, const char *name);
const char *zw_types_uncovered(const struct zw_types *types, const char *name, const char **extension_ret);
const char *zw_type_compressed_as(const uint8_t *start, size_t bytes);

#endif
