/* SPDX-License-Identifier: Zlib */
/* hash.h - 4, 5, 6 or 8 bytes to a table index: multiply, keep the top bits.
 * v holds the bytes in memory order, the first one lowest; higher bytes than the named ones do not count.
 * 64-bit products stay size_t: cutting them to 32 bits would be one more step before the table's load (M13). */
#ifndef ZW_DEFLATE_HASH_H
#define ZW_DEFLATE_HASH_H

#include "base/arch.h"

#include <stddef.h>
#include <stdint.h>

#define HASH_MAX_BYTES 8u                    /* the most any hash reads */
#define HASH_FACTOR32 UINT32_C(0x9E3779B1)   /* odd, near 2^32 / golden ratio */
#define HASH_FACTOR64 UINT64_C(0x9FB21C651E98DF25)

ZW_INLINE uint32_t zw_hash4(uint32_t v, unsigned log2) { return v * HASH_FACTOR32 >> (32 - log2); }
ZW_INLINE size_t zw_hash5(uint64_t v, unsigned log2) { return (size_t)((v << 24) * HASH_FACTOR64 >> (64 - log2)); }
ZW_INLINE size_t zw_hash6(uint64_t v, unsigned log2) { return (size_t)((v << 16) * HASH_FACTOR64 >> (64 - log2)); }
ZW_INLINE size_t zw_hash8(uint64_t v, unsigned log2) { return (size_t)(v * HASH_FACTOR64 >> (64 - log2)); }

#endif
