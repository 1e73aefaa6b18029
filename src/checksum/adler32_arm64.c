/* SPDX-License-Identifier: Zlib */
/* adler32_arm64.c - Adler-32 with NEON; the method is explained in adler32_x86_sse.c.
 * Takes: the value so far and bytes.  Gives: the new value.  Never: reads or writes beyond len_bytes. */
#include "cpu/kernel_functions.h"

#include "checksum/adler32_inline.h"

#include "base/arch.h"

#if ZW_ARCH_ARM64
#include <arm_neon.h>

#define GROUP_BYTES 32u
#define GROUP_LOG2   5
#define RUN_BYTES   (ADLER_RUN_MAX_BYTES / GROUP_BYTES * GROUP_BYTES)

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

/* run_bytes bytes, a multiple of GROUP_BYTES and at most RUN_BYTES, added to s without a reduction. */
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

ZW_INLINE uint32_t adler_neon_body(uint32_t adler, uint8_t *ZW_RESTRICT dst, const uint8_t *ZW_RESTRICT src,
				   size_t len_bytes, bool copy)
{
	struct zw_adler_sums s = zw_adler_split(adler);

	while (len_bytes >= GROUP_BYTES) {
		size_t run = len_bytes < RUN_BYTES ? len_bytes / GROUP_BYTES * GROUP_BYTES : RUN_BYTES;

		add_run_neon(&s, dst, src, run, copy);
		zw_adler_reduce(&s);
		len_bytes -= run;
		src += run;
		if (copy)
			dst += run;
	}
	zw_adler_bytes(&s, dst, src, len_bytes, copy);
	zw_adler_reduce(&s);
	return zw_adler_join(s);
}

uint32_t zw_adler32_neon(uint32_t adler, const uint8_t *p, size_t len_bytes)
{
	return adler_neon_body(adler, NULL, p, len_bytes, false);
}

uint32_t zw_adler32_copy_neon(uint32_t adler, uint8_t *dst, const uint8_t *src, size_t len_bytes)
{
	return adler_neon_body(adler, dst, src, len_bytes, true);
}
#endif
