/* SPDX-License-Identifier: Zlib */
/* bytes.h - unaligned loads and stores in a stated byte order, and small bit arithmetic.
 * Every access to caller memory wider than a byte goes through here, so alignment and byte order are settled once. */
#ifndef ZW_BASE_BYTES_H
#define ZW_BASE_BYTES_H

#include "base/arch.h"

#include <stdint.h>
#include <string.h>

ZW_INLINE uint16_t zw_swap16(uint16_t v) { return __builtin_bswap16(v); }
ZW_INLINE uint32_t zw_swap32(uint32_t v) { return __builtin_bswap32(v); }
ZW_INLINE uint64_t zw_swap64(uint64_t v) { return __builtin_bswap64(v); }

ZW_INLINE uint16_t zw_load_le16(const void *p)
{
	uint16_t v;

	memcpy(&v, p, sizeof v);
	return ZW_LITTLE_ENDIAN ? v : zw_swap16(v);
}

ZW_INLINE uint32_t zw_load_le32(const void *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof v);
	return ZW_LITTLE_ENDIAN ? v : zw_swap32(v);
}

ZW_INLINE uint64_t zw_load_le64(const void *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof v);
	return ZW_LITTLE_ENDIAN ? v : zw_swap64(v);
}

ZW_INLINE uint32_t zw_load_be32(const void *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof v);
	return ZW_LITTLE_ENDIAN ? zw_swap32(v) : v;
}

ZW_INLINE void zw_store_le16(void *p, uint16_t v)
{
	v = ZW_LITTLE_ENDIAN ? v : zw_swap16(v);
	memcpy(p, &v, sizeof v);
}

ZW_INLINE void zw_store_le32(void *p, uint32_t v)
{
	v = ZW_LITTLE_ENDIAN ? v : zw_swap32(v);
	memcpy(p, &v, sizeof v);
}

ZW_INLINE void zw_store_le64(void *p, uint64_t v)
{
	v = ZW_LITTLE_ENDIAN ? v : zw_swap64(v);
	memcpy(p, &v, sizeof v);
}

ZW_INLINE void zw_store_be32(void *p, uint32_t v)
{
	v = ZW_LITTLE_ENDIAN ? zw_swap32(v) : v;
	memcpy(p, &v, sizeof v);
}

/* a if condition is not 0, otherwise b: where a branch could not be predicted, and compilers would make one. */
#if ZW_ARCH_X86
ZW_INLINE unsigned zw_select(uint64_t condition, unsigned a, unsigned b)
{
	__asm__("test %1, %1\n\tcmovne %2, %0" : "+r"(b) : "r"(condition), "r"(a) : "cc");
	return b;
}

/* How many of v's bytes are 0 before the first other one, in memory order: 0..8.  A CPU without TZCNT runs it as BSF, which
 * leaves its destination alone when v is 0. */
ZW_INLINE unsigned zw_zero_bytes64(uint64_t v)
{
	uint64_t bits = 64;

	__asm__("tzcnt %1, %0" : "+r"(bits) : "r"(v) : "cc");
	return (unsigned)bits >> 3;
}
#else
ZW_INLINE unsigned zw_select(uint64_t condition, unsigned a, unsigned b) { return condition ? a : b; }
ZW_INLINE unsigned zw_zero_bytes64(uint64_t v) { return (v ? (unsigned)__builtin_ctzll(v) : 64u) >> 3; }
#endif

/* Index of the lowest set bit; v must not be 0. */
ZW_INLINE unsigned zw_lowest_bit32(uint32_t v) { return (unsigned)__builtin_ctz(v); }
ZW_INLINE unsigned zw_lowest_bit64(uint64_t v) { return (unsigned)__builtin_ctzll(v); }

/* Index of the highest set bit; v must not be 0. */
ZW_INLINE unsigned zw_highest_bit32(uint32_t v) { return 31u - (unsigned)__builtin_clz(v); }

/* Zero bits above the highest set bit; v must not be 0. */
ZW_INLINE unsigned zw_leading_zeros64(uint64_t v) { return (unsigned)__builtin_clzll(v); }

#endif
