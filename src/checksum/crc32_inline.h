/* SPDX-License-Identifier: Zlib */
/* crc32_inline.h - CRC-32 by table, for the portable kernel and for the short ends of the others.
 * Works on the register, which is the complement of the value that callers see. */
#ifndef ZW_CHECKSUM_CRC32_INLINE_H
#define ZW_CHECKSUM_CRC32_INLINE_H

#include "checksum/crc32_tables.h"

#include "base/bytes.h"

#include <stdbool.h>
#include <stddef.h>

/* The register after one more byte. */
ZW_INLINE uint32_t zw_crc32_step(uint32_t reg, uint8_t byte)
{
	return reg >> 8 ^ zw_crc32_slices[0][(reg ^ byte) & 255];
}

/* What the 8 bytes of v contribute when zero_bytes more bytes follow them; zero_bytes is 0 or 8. */
ZW_INLINE uint32_t zw_crc32_slice8(uint64_t v, unsigned zero_bytes)
{
	const uint32_t (*t)[256] = zw_crc32_slices + zero_bytes;

	return t[7][v & 255] ^ t[6][v >> 8 & 255] ^ t[5][v >> 16 & 255] ^ t[4][v >> 24 & 255] ^
	       t[3][v >> 32 & 255] ^ t[2][v >> 40 & 255] ^ t[1][v >> 48 & 255] ^ t[0][v >> 56];
}

/* The register after len_bytes more bytes; also copies them to dst when copy (a constant in each caller) is true. */
ZW_INLINE uint32_t zw_crc32_by_table(uint32_t reg, uint8_t *ZW_RESTRICT dst, const uint8_t *ZW_RESTRICT src, size_t len_bytes,
				     bool copy)
{
	for (; len_bytes >= 16; len_bytes -= 16, src += 16) {
		uint64_t a = zw_load_le64(src), b = zw_load_le64(src + 8);

		if (copy) {
			zw_store_le64(dst, a);
			zw_store_le64(dst + 8, b);
			dst += 16;
		}
		reg = zw_crc32_slice8(a ^ reg, 8) ^ zw_crc32_slice8(b, 0);
	}
	for (; len_bytes; len_bytes--, src++) {
		if (copy)
			*dst++ = *src;
		reg = zw_crc32_step(reg, *src);
	}
	return reg;
}

#endif
