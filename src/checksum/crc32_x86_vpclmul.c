/* SPDX-License-Identifier: Zlib */
/* crc32_x86_vpclmul.c - CRC-32 with 256-bit carry-less multiplication, 128 bytes a step.
 * Takes: the value so far and bytes.  Gives: the new value.  Never: reads or writes beyond len_bytes. */
#include "cpu/kernel_functions.h"

#include "checksum/crc32_fold.h"

#include "base/arch.h"

#if ZW_ARCH_X86

#define ZW_TARGET_FOLD_YMM ZW_TARGET("avx2,pclmul,vpclmulqdq")

#define WIDE_MIN_BYTES 256u                  /* four vectors of 32 at once, and at least one turn of the loop */

ZW_TARGET_FOLD_YMM
ZW_INLINE __m256i fold_ymm(__m256i a, __m256i k, __m256i there)
{
	return _mm256_xor_si256(_mm256_xor_si256(_mm256_clmulepi64_epi128(a, k, 0x00),
						 _mm256_clmulepi64_epi128(a, k, 0x11)), there);
}

ZW_TARGET_FOLD_YMM
ZW_INLINE __m256i fold_constant_ymm(const uint64_t *two)
{
	return _mm256_broadcastsi128_si256(zw_vector_load(two));
}

/* The next 32 bytes of the cursor, which has them; copied on the way when copy is true. */
ZW_TARGET_FOLD_YMM
ZW_INLINE __m256i fold_next32(struct zw_crc32_cursor *c, bool copy)
{
	__m256i v = _mm256_loadu_si256((const __m256i *)(const void *)c->src);

	if (copy) {
		_mm256_storeu_si256((__m256i *)(void *)c->dst, v);
		c->dst += 32;
	}
	c->src += 32;
	c->left_bytes -= 32;
	return v;
}

/* Folds at least WIDE_MIN_BYTES bytes, all but a rest of less than 128, down to 16. */
ZW_TARGET_FOLD_YMM
ZW_INLINE __m128i fold_wide_ymm(uint32_t reg, struct zw_crc32_cursor *c, bool copy)
{
	const __m256i k128 = fold_constant_ymm(zw_crc32_fold.by_128_bytes);
	const __m256i k32 = fold_constant_ymm(zw_crc32_fold.by_32_bytes);
	__m256i a = _mm256_xor_si256(fold_next32(c, copy), _mm256_set_epi32(0, 0, 0, 0, 0, 0, 0, (int)reg));
	__m256i b = fold_next32(c, copy), d = fold_next32(c, copy), e = fold_next32(c, copy);

	do {
		if (copy)
			zw_fold_ask_ahead(c->src, 128);
		a = fold_ymm(a, k128, fold_next32(c, copy));
		b = fold_ymm(b, k128, fold_next32(c, copy));
		d = fold_ymm(d, k128, fold_next32(c, copy));
		e = fold_ymm(e, k128, fold_next32(c, copy));
	} while (c->left_bytes >= 128);
	a = fold_ymm(fold_ymm(fold_ymm(a, k32, b), k32, d), k32, e);
	while (c->left_bytes >= 32)
		a = fold_ymm(a, k32, fold_next32(c, copy));
	return zw_fold(_mm256_castsi256_si128(a), zw_vector_load(zw_crc32_fold.by_16_bytes), _mm256_extracti128_si256(a, 1));
}

ZW_TARGET_FOLD_YMM
ZW_INLINE uint32_t crc_vpclmul_body(uint32_t crc, uint8_t *dst, const uint8_t *src, size_t len_bytes, bool copy)
{
	struct zw_crc32_cursor c = { dst, src, len_bytes };

	if (len_bytes < WIDE_MIN_BYTES)
		return zw_crc32_by_folding(crc, dst, src, len_bytes, copy);
	return ~zw_fold_rest(fold_wide_ymm(~crc, &c, copy), &c, copy);
}

ZW_TARGET_FOLD_YMM
uint32_t zw_crc32_vpclmul(uint32_t crc, const uint8_t *p, size_t len_bytes)
{
	return crc_vpclmul_body(crc, NULL, p, len_bytes, false);
}

ZW_TARGET_FOLD_YMM
uint32_t zw_crc32_copy_vpclmul(uint32_t crc, uint8_t *dst, const uint8_t *src, size_t len_bytes)
{
	return crc_vpclmul_body(crc, dst, src, len_bytes, true);
}
#endif
