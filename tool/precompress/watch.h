/* SPDX-License-Identifier: Zlib */
/* watch.h - keeps twins right while files change. */
#ifndef ZW_TOOL_PRECOMPRESS_WATCH_H
#define ZW_TOOL_PRECOMPRESS_WATCH_H

#include "precompress/precompress.h"

int zw_twin_watch(const struct zw_twin_options *options, struct zw_twin_dir **roots, size_t root_count);

#endif
