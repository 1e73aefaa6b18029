/* SPDX-License-Identifier: Zlib */
/* library.h - the one library that a worker runs on, loaded by path and proved from /proc/self/maps. */
#ifndef ZW_TOOL_BENCH_LIBRARY_H
#define ZW_TOOL_BENCH_LIBRARY_H

#include "bench/native.h"

#include <stdbool.h>
#include <stddef.h>
#include <zlib.h>

struct zw_libz {
	const char *(*version)(void);
	int (*deflate_init)(z_streamp, int level, int method, int window_bits, int mem_level, int strategy, const char *version,
			    int stream_size);
	int (*deflate)(z_streamp, int flush);
	int (*deflate_end)(z_streamp);
	int (*inflate_init)(z_streamp, int window_bits, const char *version, int stream_size);
	int (*inflate)(z_streamp, int flush);
	int (*inflate_end)(z_streamp);
};

/* On success text_ret is the library's version, a newline, and the mapped file; on failure the reason. */
bool zw_libz_load(const char *path, struct zw_libz *libz_ret, char *text_ret, size_t text_bytes);
bool zw_native_load(const char *path, const struct zw_native *native, char *text_ret, size_t text_bytes);

#endif
