/* SPDX-License-Identifier: Zlib */
/* crc32_arm64.c - CRC-32 with the CRC32 instructions of aarch64, three stripes side by side, and with PMULL.
 * Takes: the value so far and bytes.  Gives: the new value.  Never: reads or writes beyond len_bytes.
 *
 * An instruction waits for the one before it for longer than the next could be started, so three stripes share the time.  What the first
 * two give is then moved on by the length of what follows them: the sum of what each of its bits becomes. */
#include "cpu/kernel_functions.h"

#include "checksum/crc32_fold.h"

#include "base/arch.h"
#include "base/bytes.h"

#include <stdbool.h>

#if ZW_ARCH_ARM64

#define STRIPE_BYTES ((size_t)CRC32_STRIPE_BYTES)

/* The register after the distance of shifts; four bits a step. */
ZW_INLINE uint32_t move_register(uint32_t reg, const uint32_t shifts[32])
{
	static const uint32_t first_bits[4] = { 1, 2, 4, 8 };
	const uint32x4_t all = vdupq_n_u32(reg);
	uint32x4_t bits = vld1q_u32(first_bits), sum = vdupq_n_u32(0);
	uint32x2_t half;

	for (unsigned i = 0; i < 32; i += 4) {
		sum = veorq_u32(sum, vandq_u32(vtstq_u32(all, bits), vld1q_u32(shifts + i)));
		bits = vshlq_n_u32(bits, 4);
	}
	half = veor_u32(vget_low_u32(sum), vget_high_u32(sum));
	return vget_lane_u32(half, 0) ^ vget_lane_u32(half, 1);
}

/* The next 8 bytes, copied on the way when copy is true. */
ZW_INLINE uint64_t next8(uint8_t *dst, const uint8_t *src, size_t at, bool copy)
{
	uint64_t v = zw_load_le64(src + at);

	if (copy)
		zw_store_le64(dst + at, v);
	return v;
}

ZW_TARGET_ARM_CRC
ZW_INLINE uint32_t crc_arm_body(uint32_t crc, uint8_t *ZW_RESTRICT dst, const uint8_t *ZW_RESTRICT src, size_t len_bytes, bool copy)
{
	uint32_t reg = ~crc;
	size_t at = 0;

	for (; len_bytes - at >= 3 * STRIPE_BYTES; at += 2 * STRIPE_BYTES) {
		uint32_t second = 0, third = 0;

		for (size_t end = at + STRIPE_BYTES; at < end; at += 8) {
			reg = ZW_ARM_CRC32X(reg, next8(dst, src, at, copy));
			second = ZW_ARM_CRC32X(second, next8(dst, src, at + STRIPE_BYTES, copy));
			third = ZW_ARM_CRC32X(third, next8(dst, src, at + 2 * STRIPE_BYTES, copy));
		}
		reg = move_register(reg, zw_crc32_shifts[1]) ^ move_register(second, zw_crc32_shifts[0]) ^ third;
	}
	for (; len_bytes - at >= 8; at += 8)
		reg = ZW_ARM_CRC32X(reg, next8(dst, src, at, copy));
	for (; at < len_bytes; at++) {
		if (copy)
			dst[at] = src[at];
		reg = ZW_ARM_CRC32B(reg, src[at]);
	}
	return ~reg;
}

ZW_TARGET_ARM_CRC
uint32_t zw_crc32_arm_crc(uint32_t crc, const uint8_t *p, size_t len_bytes)
{
	return crc_arm_body(crc, NULL, p, len_bytes, false);
}

ZW_TARGET_ARM_CRC
uint32_t zw_crc32_copy_arm_crc(uint32_t crc, uint8_t *dst, const uint8_t *src, size_t len_bytes)
{
	return crc_arm_body(crc, dst, src, len_bytes, true);
}

ZW_TARGET_ARM_PMULL
uint32_t zw_crc32_arm_pmull(uint32_t crc, const uint8_t *p, size_t len_bytes)
{
	return len_bytes < FOLD_WIDE_BYTES ? crc_arm_body(crc, NULL, p, len_bytes, false) :
					     zw_crc32_by_folding(crc, NULL, p, len_bytes, false);
}

ZW_TARGET_ARM_PMULL
uint32_t zw_crc32_copy_arm_pmull(uint32_t crc, uint8_t *dst, const uint8_t *src, size_t len_bytes)
{
	return len_bytes < FOLD_WIDE_BYTES ? crc_arm_body(crc, dst, src, len_bytes, true) :
					     zw_crc32_by_folding(crc, dst, src, len_bytes, true);
}
#endif
