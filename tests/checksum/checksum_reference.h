/* SPDX-License-Identifier: Zlib */
/* checksum_reference.h - the checksums as their RFCs define them, bit by bit and byte by byte: slow and obvious. */
#ifndef TESTS_CHECKSUM_CHECKSUM_REFERENCE_H
#define TESTS_CHECKSUM_CHECKSUM_REFERENCE_H

#include "base/arch.h"

#include <stddef.h>
#include <stdint.h>

ZW_INLINE uint32_t reference_crc32(uint32_t crc, const uint8_t *p, size_t len_bytes)
{
	uint32_t reg = ~crc;

	for (size_t i = 0; i < len_bytes; i++) {
		reg ^= p[i];
		for (int bit = 0; bit < 8; bit++)
			reg = reg & 1 ? reg >> 1 ^ UINT32_C(0xedb88320) : reg >> 1;
	}
	return ~reg;
}

ZW_INLINE uint32_t reference_adler32(uint32_t adler, const uint8_t *p, size_t len_bytes)
{
	uint32_t a = (adler & 0xffff) % 65521, b = (adler >> 16) % 65521;

	for (size_t i = 0; i < len_bytes; i++) {
		a = (a + p[i]) % 65521;
		b = (b + a) % 65521;
	}
	return b << 16 | a;
}

#endif
