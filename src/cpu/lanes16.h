/* SPDX-License-Identifier: Zlib */
/* lanes16.h - sixteen counters at once: which are not zero, and their sum weighted by powers of two. */
#ifndef ZW_CPU_LANES16_H
#define ZW_CPU_LANES16_H

#include "base/arch.h"

#include <stdint.h>

#define LANES16_TOP_LOG2 15                  /* weight of lane 0, as a power of two; each lane weighs half of the one before */

#if ZW_ARCH_X86
#include <emmintrin.h>

/* Bit l: lane l is not 0. */
ZW_INLINE uint32_t zw_lanes16_nonzero(const uint16_t lane[16])
{
	const __m128i low  = _mm_cmpeq_epi16(_mm_loadu_si128((const void *)lane), _mm_setzero_si128());
	const __m128i high = _mm_cmpeq_epi16(_mm_loadu_si128((const void *)(lane + 8)), _mm_setzero_si128());

	return (uint32_t)_mm_movemask_epi8(_mm_packs_epi16(low, high)) ^ 0xffff;
}

/* Lanes 1 to 15 times their weights.  Lane 0 and values from 2^15 on do not count right. */
ZW_INLINE uint32_t zw_lanes16_halving_sum(const uint16_t lane[16])
{
	const __m128i low_weights  = _mm_setr_epi16(0, 1 << 14, 1 << 13, 1 << 12, 1 << 11, 1 << 10, 1 << 9, 1 << 8);
	const __m128i high_weights = _mm_setr_epi16(1 << 7, 1 << 6, 1 << 5, 1 << 4, 1 << 3, 1 << 2, 1 << 1, 1);
	__m128i sum = _mm_add_epi32(_mm_madd_epi16(_mm_loadu_si128((const void *)lane), low_weights),
				    _mm_madd_epi16(_mm_loadu_si128((const void *)(lane + 8)), high_weights));

	sum = _mm_add_epi32(sum, _mm_srli_si128(sum, 8));
	sum = _mm_add_epi32(sum, _mm_srli_si128(sum, 4));
	return (uint32_t)_mm_cvtsi128_si32(sum);
}
#elif ZW_ARCH_ARM64
#include <arm_neon.h>

ZW_INLINE uint32_t zw_lanes16_nonzero(const uint16_t lane[16])
{
	static const uint16_t bits[8] = { 1, 2, 4, 8, 16, 32, 64, 128 };
	const uint16x8_t low = vld1q_u16(lane), high = vld1q_u16(lane + 8), bit = vld1q_u16(bits);

	return vaddvq_u16(vorrq_u16(vandq_u16(vtstq_u16(low, low), bit), vshlq_n_u16(vandq_u16(vtstq_u16(high, high), bit), 8)));
}

ZW_INLINE uint32_t zw_lanes16_halving_sum(const uint16_t lane[16])
{
	static const uint16_t weights[16] = { 0, 1 << 14, 1 << 13, 1 << 12, 1 << 11, 1 << 10, 1 << 9, 1 << 8,
					      1 << 7, 1 << 6, 1 << 5, 1 << 4, 1 << 3, 1 << 2, 1 << 1, 1 };
	const uint16x8_t low = vld1q_u16(lane), high = vld1q_u16(lane + 8);
	const uint16x8_t low_weights = vld1q_u16(weights), high_weights = vld1q_u16(weights + 8);
	uint32x4_t sum = vmull_u16(vget_low_u16(low), vget_low_u16(low_weights));

	sum = vmlal_u16(sum, vget_high_u16(low), vget_high_u16(low_weights));
	sum = vmlal_u16(sum, vget_low_u16(high), vget_low_u16(high_weights));
	return vaddvq_u32(vmlal_u16(sum, vget_high_u16(high), vget_high_u16(high_weights)));
}
#else
ZW_INLINE uint32_t zw_lanes16_nonzero(const uint16_t lane[16])
{
	uint32_t bits = 0;

	for (unsigned i = 0; i < 16; i++)
		bits |= (uint32_t)(lane[i] != 0) << i;
	return bits;
}

ZW_INLINE uint32_t zw_lanes16_halving_sum(const uint16_t lane[16])
{
	uint32_t sum = 0;

	for (unsigned i = 1; i < 16; i++)
		sum += (uint32_t)lane[i] << (LANES16_TOP_LOG2 - i);
	return sum;
}
#endif

#endif
