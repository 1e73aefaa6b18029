/* SPDX-License-Identifier: Zlib */
/* deflate_bound.h - how long compressed data can become. */
#ifndef ZW_DEFLATE_DEFLATE_BOUND_H
#define ZW_DEFLATE_DEFLATE_BOUND_H

#include <stddef.h>
#include <stdint.h>

/* Most bytes that one zw_deflate_run(ZW_FLUSH_FINISH) makes of bytes, wrapper_bytes included; SIZE_MAX on overflow.
 * The values are zlib's, so that a caller that computed them itself is right too. */
size_t zw_deflate_bound(size_t bytes, unsigned window_log2, unsigned mem_level, int level, size_t wrapper_bytes);

/* The same when the parameters are not known. */
size_t zw_deflate_bound_any(size_t bytes, size_t wrapper_bytes);

#endif
