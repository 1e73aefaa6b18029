/* SPDX-License-Identifier: Zlib */
/* x86_avx512.h - what the AVX-512 checksum kernels share: loads of 64 bytes or fewer, copied on the way.
 *
 * A masked load does not touch, and cannot fault on, the bytes that its mask leaves out, so a message may end anywhere; they
 * are zero in the vector.  OVERREAD-OK: none is made. */
#ifndef ZW_CHECKSUM_X86_AVX512_H
#define ZW_CHECKSUM_X86_AVX512_H

#include "base/arch.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if ZW_ARCH_X86
#include <immintrin.h>

#define ZW_TARGET_AVX512 ZW_TARGET("avx512f,avx512bw,avx512vl,avx512vnni,avx2,bmi2,pclmul,vpclmulqdq")

/* Where a kernel reads and, if it copies, writes; both at the same offset. */
struct zw_bytes { uint8_t *dst; const uint8_t *src; };

/* Without this gcc 12 loads a vector once for each dot product that it is in. */
ZW_TARGET_AVX512
ZW_INLINE __m512i zw_zmm_loaded(__m512i v)
{
	__asm__("" : "+v"(v));
	return v;
}

/* 64 bytes at offset at. */
ZW_TARGET_AVX512
ZW_INLINE __m512i zw_zmm_load(struct zw_bytes b, size_t at, bool copy)
{
	__m512i v = zw_zmm_loaded(_mm512_loadu_si512(b.src + at));

	if (copy)
		_mm512_storeu_si512(b.dst + at, v);
	return v;
}

/* The first 64 of len_bytes <= 255 bytes at offset at; fewer stand in front of zeros. */
ZW_TARGET_AVX512
ZW_INLINE __m512i zw_zmm_load_last(struct zw_bytes b, size_t at, size_t len_bytes, bool copy)
{
	__mmask64 mask = _bzhi_u64(UINT64_MAX, (unsigned)len_bytes);
	__m512i   v = zw_zmm_loaded(_mm512_maskz_loadu_epi8(mask, b.src + at));

	if (copy)
		_mm512_mask_storeu_epi8(b.dst + at, mask, v);
	return v;
}
#endif

#endif
