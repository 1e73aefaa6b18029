/* SPDX-License-Identifier: Zlib */
/* crc32_arm64.c - CRC-32 with the CRC32 instructions of aarch64, 8 bytes a step.
 * Takes: the value so far and bytes.  Gives: the new value.  Never: reads or writes beyond len_bytes. */
#include "cpu/kernel_functions.h"

#include "base/arch.h"
#include "base/bytes.h"

#include <stdbool.h>

#if ZW_ARCH_ARM64

ZW_TARGET_ARM_CRC
ZW_INLINE uint32_t crc_arm_body(uint32_t crc, uint8_t *ZW_RESTRICT dst, const uint8_t *ZW_RESTRICT src, size_t len_bytes, bool copy)
{
	uint32_t reg = ~crc;

	for (; len_bytes >= 8; len_bytes -= 8, src += 8) {
		uint64_t v = zw_load_le64(src);

		if (copy) {
			zw_store_le64(dst, v);
			dst += 8;
		}
		reg = ZW_ARM_CRC32X(reg, v);
	}
	for (; len_bytes; len_bytes--, src++) {
		if (copy)
			*dst++ = *src;
		reg = ZW_ARM_CRC32B(reg, *src);
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
#endif
