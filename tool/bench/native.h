/* SPDX-License-Identifier: Zlib */
/* native.h - a library that is called by its own functions: a whole body in one call, nothing in pieces.
 * What such an interface lets a caller keep between calls (tables, compressors) is kept, and made at the first call. */
#ifndef ZW_TOOL_BENCH_NATIVE_H
#define ZW_TOOL_BENCH_NATIVE_H

#include "bench/wire.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NATIVE_FUNCTION_MAX_COUNT 12

struct zw_native {
	const char *api;                         /* its name in zw_library_apis */
	const char *const *names;                /* of its functions; ends with NULL, NATIVE_FUNCTION_MAX_COUNT at most */
	void (*take)(void *const addresses[]);   /* of those functions, in that order */
	/* Bytes of output; 0 where the library failed or out_max_bytes are too few. */
	size_t (*pack)(int level, enum zw_wire_format format, const uint8_t *in, size_t in_bytes, uint8_t *out, size_t out_max_bytes);
	size_t (*unpack)(enum zw_wire_format format, const uint8_t *in, size_t in_bytes, uint8_t *out, size_t out_max_bytes);
};

extern const struct zw_native zw_native_libdeflate, zw_native_isal, zw_native_zwire;

/* The one with this api; NULL, and text_ret says why, if this build has none. */
const struct zw_native *zw_native_find(const char *api, char *text_ret, size_t text_bytes);

#endif
