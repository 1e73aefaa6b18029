/* SPDX-License-Identifier: Zlib */
/* crc32_x86_pclmul.c - CRC-32 with 128-bit carry-less multiplication, 64 bytes a step.
 * Takes: the value so far and bytes.  Gives: the new value.  Never: reads or writes beyond len_bytes. */
#include "cpu/kernel_functions.h"

#include "checksum/crc32_fold.h"

#include "base/arch.h"

#if ZW_ARCH_X86
ZW_TARGET_FOLD
uint32_t zw_crc32_pclmul(uint32_t crc, const uint8_t *p, size_t len_bytes)
{
	return zw_crc32_by_folding(crc, NULL, p, len_bytes, false);
}

ZW_TARGET_FOLD
uint32_t zw_crc32_copy_pclmul(uint32_t crc, uint8_t *dst, const uint8_t *src, size_t len_bytes)
{
	return zw_crc32_by_folding(crc, dst, src, len_bytes, true);
}
#endif
