/* SPDX-License-Identifier: Zlib */
/* adler32_arm64.c - Adler-32 with NEON, and with its dot products; the method is explained in adler32_x86_sse.c.
 * Takes: the value so far and bytes.  Gives: the new value.  Never: reads or writes beyond len_bytes. */
#include "cpu/kernel_functions.h"

#include "checksum/adler32_inline.h"

#include "base/arch.h"

#if ZW_ARCH_ARM64
#include <arm_neon.h>

#define GROUP_BYTES 32u
#define GROUP_LOG2   5

static const uint8_t adler_weights[GROUP_BYTES] = {
	32, 31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1
};

static_assert(UINT64_C(255) * (32 + 24 + 16 + 8) <= UINT16_MAX, "four weighted bytes fit a 16-bit lane");

/* Sum of byte[i] * weight[i] over 32 bytes, in four lanes. */
ZW_INLINE uint32x4_t weigh_neon(uint8x16_t lo, uint8x16_t hi, uint8x16_t weights_lo, uint8x16_t weights_hi)
{
	uint16x8_t sums = vmull_u8(vget_low_u8(lo), vget_low_u8(weights_lo));

	sums = vmlal_u8(sums, vget_high_u8(lo), vget_high_u8(weights_lo));
	sums = vmlal_u8(sums, vget_low_u8(hi), vget_low_u8(weights_hi));
	sums = vmlal_u8(sums, vget_high_u8(hi), vget_high_u8(weights_hi));
	return vpaddlq_u16(sums);
}

ZW_INLINE void add_run_neon(struct zw_adler_sums *s, uint8_t *ZW_RESTRICT dst, const uint8_t *ZW_RESTRICT src, size_t run_bytes,
			    bool copy)
{
	const uint8x16_t weights_lo = vld1q_u8(adler_weights), weights_hi = vld1q_u8(adler_weights + 16);
	uint32x4_t plain = vdupq_n_u32(0), weighted = plain, before = plain;

	for (size_t i = 0; i < run_bytes; i += GROUP_BYTES) {
		uint8x16_t lo = vld1q_u8(src + i), hi = vld1q_u8(src + i + 16);

		if (copy) {
			vst1q_u8(dst + i, lo);
			vst1q_u8(dst + i + 16, hi);
		}
		before = vaddq_u32(before, plain);
		plain = vpadalq_u16(plain, vpadalq_u8(vpaddlq_u8(lo), hi));
		weighted = vaddq_u32(weighted, weigh_neon(lo, hi, weights_lo, weights_hi));
	}
	s->b += (uint32_t)run_bytes * s->a + vaddvq_u32(vaddq_u32(weighted, vshlq_n_u32(before, GROUP_LOG2)));
	s->a += vaddvq_u32(plain);
}

uint32_t zw_adler32_neon(uint32_t adler, const uint8_t *p, size_t len_bytes)
{
	return zw_adler_by_runs(adler, NULL, p, len_bytes, GROUP_BYTES, add_run_neon, false);
}

uint32_t zw_adler32_copy_neon(uint32_t adler, uint8_t *dst, const uint8_t *src, size_t len_bytes)
{
	return zw_adler_by_runs(adler, dst, src, len_bytes, GROUP_BYTES, add_run_neon, true);
}

#define DOT_GROUP_BYTES 64u
#define DOT_GROUP_LOG2   6

/* sums plus the products of 16 bytes with 16 weights, in four lanes.  By name: clang 14 has the intrinsic only where the whole file is
 * compiled for it. */
ZW_TARGET_ARM_DOTPROD
ZW_INLINE uint32x4_t add_dot(uint32x4_t sums, uint8x16_t v, uint8x16_t weights)
{
	__asm__("udot %0.4s, %1.16b, %2.16b" : "+w"(sums) : "w"(v), "w"(weights));
	return sums;
}

ZW_TARGET_ARM_DOTPROD
ZW_INLINE void add_run_dotprod(struct zw_adler_sums *s, uint8_t *ZW_RESTRICT dst, const uint8_t *ZW_RESTRICT src, size_t run_bytes,
			       bool copy)
{
	const uint8x16_t ones = vdupq_n_u8(1), thirty_two = vdupq_n_u8(32);
	const uint8x16_t third = vld1q_u8(adler_weights), fourth = vld1q_u8(adler_weights + 16);
	const uint8x16_t first = vaddq_u8(third, thirty_two), second = vaddq_u8(fourth, thirty_two);
	uint32x4_t plain = vdupq_n_u32(0), more_plain = plain, before = plain;
	uint32x4_t sum1 = plain, sum2 = plain, sum3 = plain, sum4 = plain;

	for (size_t i = 0; i < run_bytes; i += DOT_GROUP_BYTES) {
		uint8x16_t v1 = vld1q_u8(src + i), v2 = vld1q_u8(src + i + 16);
		uint8x16_t v3 = vld1q_u8(src + i + 32), v4 = vld1q_u8(src + i + 48);

		if (copy) {
			vst1q_u8(dst + i, v1);
			vst1q_u8(dst + i + 16, v2);
			vst1q_u8(dst + i + 32, v3);
			vst1q_u8(dst + i + 48, v4);
		}
		before = vaddq_u32(before, vaddq_u32(plain, more_plain));
		plain = add_dot(add_dot(plain, v1, ones), v2, ones);
		more_plain = add_dot(add_dot(more_plain, v3, ones), v4, ones);
		sum1 = add_dot(sum1, v1, first);
		sum2 = add_dot(sum2, v2, second);
		sum3 = add_dot(sum3, v3, third);
		sum4 = add_dot(sum4, v4, fourth);
	}
	sum1 = vaddq_u32(vaddq_u32(sum1, sum2), vaddq_u32(sum3, sum4));
	s->b += (uint32_t)run_bytes * s->a + vaddvq_u32(vaddq_u32(sum1, vshlq_n_u32(before, DOT_GROUP_LOG2)));
	s->a += vaddvq_u32(vaddq_u32(plain, more_plain));
}

ZW_TARGET_ARM_DOTPROD
uint32_t zw_adler32_dotprod(uint32_t adler, const uint8_t *p, size_t len_bytes)
{
	return zw_adler_by_runs(adler, NULL, p, len_bytes, DOT_GROUP_BYTES, add_run_dotprod, false);
}

ZW_TARGET_ARM_DOTPROD
uint32_t zw_adler32_copy_dotprod(uint32_t adler, uint8_t *dst, const uint8_t *src, size_t len_bytes)
{
	return zw_adler_by_runs(adler, dst, src, len_bytes, DOT_GROUP_BYTES, add_run_dotprod, true);
}
#endif
