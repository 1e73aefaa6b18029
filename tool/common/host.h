/* SPDX-License-Identifier: Zlib */
/* host.h - what a result must say about the machine it came from. */
#ifndef ZW_TOOL_COMMON_HOST_H
#define ZW_TOOL_COMMON_HOST_H

#include <jansson.h>
#include <stdbool.h>

char   *zw_host_cpu_name(void);
json_t *zw_host_describe(void);
bool    zw_json_save(json_t *document, const char *path);

#endif
