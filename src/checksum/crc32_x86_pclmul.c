/* SPDX-License-Identifier: Zlib */
/* crc32_x86_pclmul.c - CRC-32 with 128-bit carry-less multiplication, 64 bytes a step.
 * Takes: the value so far and bytes.  Gives: the new value.  Never: reads or writes beyond len_bytes. */
#include "cpu/kernel_functions.h"

#include "checksum/crc32_x86_fold.h"

#include "base/arch.h"

#if ZW_ARCH_X86

#define FOLD_MIN_BYTES  16u                  /* fewer cannot fill one vector */
#define WIDE_MIN_BYTES 128u                  /* four vectors at once, and at least one turn of the loop */

ZW_TARGET_FOLD
ZW_INLINE uint32_t crc_pclmul_body(uint32_t crc, uint8_t *dst, const uint8_t *src, size_t len_bytes, bool copy)
{
	struct zw_crc32_cursor c = { dst, src, len_bytes };
	__m128i a;

	if (len_bytes < FOLD_MIN_BYTES)
		return ~zw_fold_short(~crc, dst, src, len_bytes, copy);
	a = _mm_xor_si128(zw_fold_next16(&c, copy), _mm_cvtsi32_si128((int)~crc));
	if (len_bytes >= WIDE_MIN_BYTES) {
		const __m128i k16 = zw_fold_constant(zw_crc32_fold.by_16_bytes);
		const __m128i k64 = zw_fold_constant(zw_crc32_fold.by_64_bytes);
		__m128i b = zw_fold_next16(&c, copy), d = zw_fold_next16(&c, copy), e = zw_fold_next16(&c, copy);

		do {
			a = zw_fold(a, k64, zw_fold_next16(&c, copy));
			b = zw_fold(b, k64, zw_fold_next16(&c, copy));
			d = zw_fold(d, k64, zw_fold_next16(&c, copy));
			e = zw_fold(e, k64, zw_fold_next16(&c, copy));
		} while (c.left_bytes >= 64);
		a = zw_fold(zw_fold(zw_fold(a, k16, b), k16, d), k16, e);
	}
	return ~zw_fold_rest(a, &c, copy);
}

ZW_TARGET_FOLD
uint32_t zw_crc32_pclmul(uint32_t crc, const uint8_t *p, size_t len_bytes)
{
	return crc_pclmul_body(crc, NULL, p, len_bytes, false);
}

ZW_TARGET_FOLD
uint32_t zw_crc32_copy_pclmul(uint32_t crc, uint8_t *dst, const uint8_t *src, size_t len_bytes)
{
	return crc_pclmul_body(crc, dst, src, len_bytes, true);
}
#endif
