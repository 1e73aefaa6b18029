/* SPDX-License-Identifier: Zlib */
/* crc32_x86_fold.h - CRC-32 by folding with carry-less multiplication, on 16-byte values.
 *
 * A message is a polynomial; only its remainder matters, so its first 16 bytes may be replaced by something 16 bytes
 * long with the same remainder that lies D bytes later, where it is added to the bytes there.  Folding on by D costs two
 * multiplications for 16 bytes.  Bits are reflected, so a product is shifted by one, which the constants undo. */
#ifndef ZW_CHECKSUM_CRC32_X86_FOLD_H
#define ZW_CHECKSUM_CRC32_X86_FOLD_H

#include "checksum/crc32_tables.h"

#include "base/arch.h"
#include "base/bytes.h"

#include <stdbool.h>
#include <stddef.h>

#if ZW_ARCH_X86
#include <immintrin.h>

#define ZW_TARGET_FOLD ZW_TARGET("pclmul,sse4.1")

struct zw_crc32_cursor { uint8_t *dst; const uint8_t *src; size_t left_bytes; };

ZW_INLINE __m128i zw_fold_constant(const uint64_t *two) { return _mm_load_si128((const __m128i *)(const void *)two); }
ZW_INLINE __m128i zw_fold_load(const void *p) { return _mm_loadu_si128((const __m128i *)p); }

/* a moved on by the distance that k stands for, and added to what is there. */
ZW_TARGET_FOLD
ZW_INLINE __m128i zw_fold(__m128i a, __m128i k, __m128i there)
{
	return _mm_xor_si128(_mm_xor_si128(_mm_clmulepi64_si128(a, k, 0x00), _mm_clmulepi64_si128(a, k, 0x11)), there);
}

/* The next 16 bytes of the cursor, which has them; copied on the way when copy is true. */
ZW_INLINE __m128i zw_fold_next16(struct zw_crc32_cursor *c, bool copy)
{
	__m128i v = zw_fold_load(c->src);

	if (copy) {
		_mm_storeu_si128((__m128i *)(void *)c->dst, v);
		c->dst += 16;
	}
	c->src += 16;
	c->left_bytes -= 16;
	return v;
}

/* Byte shuffles: from zw_fold_shifts + n on, the byte shuffle that moves n bytes from the end of a vector to its beginning and
 * clears the others (0x80 chooses zero). */
static const uint8_t zw_fold_shifts[32] = {
	0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
	0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80
};

/* The last 1..16 bytes of a message that has at least 16, in front of zeros. */
ZW_TARGET_FOLD
ZW_INLINE __m128i zw_fold_last(const struct zw_crc32_cursor *c, bool copy)
{
	size_t  n    = c->left_bytes;
	__m128i last = zw_fold_load(c->src + n - 16);

	if (copy)
		_mm_storeu_si128((__m128i *)(void *)(c->dst + n - 16), last);
	return _mm_shuffle_epi8(last, zw_fold_load(zw_fold_shifts + 16 - n));
}

/* The CRC register from the sum of the products with zw_crc32_end_row(): Barrett's division of 96 bits.  The quotient's 64 bits
 * are exact, since polynomials do not carry. */
ZW_TARGET_FOLD
ZW_INLINE uint32_t zw_fold_divide(__m128i products)
{
	const __m128i barrett = zw_fold_constant(zw_crc32_fold.barrett);
	__m128i q = _mm_clmulepi64_si128(_mm_clmulepi64_si128(products, barrett, 0x00), barrett, 0x10);

	return (uint32_t)_mm_extract_epi32(_mm_xor_si128(products, q), 2);
}

/* The CRC register from the last 16 bytes of a message, of which pad_bytes at the end are zeros that are not part of it. */
ZW_TARGET_FOLD
ZW_INLINE uint32_t zw_fold_end16(__m128i last, size_t pad_bytes)
{
	__m128i k = zw_fold_load(zw_crc32_end_row(pad_bytes) + CRC32_END_WORDS - 2);

	return zw_fold_divide(_mm_xor_si128(_mm_clmulepi64_si128(last, k, 0x00), _mm_clmulepi64_si128(last, k, 0x11)));
}

/* len_bytes < 16: loaded in parts that overlap, in front of zeros. */
ZW_TARGET_FOLD
ZW_INLINE uint32_t zw_fold_short(uint32_t reg, uint8_t *dst, const uint8_t *src, size_t len_bytes, bool copy)
{
	uint64_t low, high = 0;

	if (len_bytes >= 8) {
		uint64_t last = zw_load_le64(src + len_bytes - 8);

		low = zw_load_le64(src);
		high = len_bytes > 8 ? last >> 8 * (16 - len_bytes) : 0;
		if (copy) {
			zw_store_le64(dst, low);
			zw_store_le64(dst + len_bytes - 8, last);
		}
	} else if (len_bytes >= 4) {
		uint32_t first = zw_load_le32(src), last = zw_load_le32(src + len_bytes - 4);

		low = first | (uint64_t)last << 8 * (len_bytes - 4);
		if (copy) {
			zw_store_le32(dst, first);
			zw_store_le32(dst + len_bytes - 4, last);
		}
	} else {
		low = 0;
		for (size_t i = 0; i < len_bytes; i++) {
			low |= (uint64_t)src[i] << 8 * i;
			if (copy)
				dst[i] = src[i];
		}
	}
	return zw_fold_end16(_mm_set_epi64x((long long)high, (long long)(low ^ reg)), 16 - len_bytes);
}

/* Folds what is left in the cursor into a, 16 bytes a step, and divides: the CRC register after the last byte. */
ZW_TARGET_FOLD
ZW_INLINE uint32_t zw_fold_rest(__m128i a, struct zw_crc32_cursor *c, bool copy)
{
	const __m128i k = zw_fold_constant(zw_crc32_fold.by_16_bytes);

	while (c->left_bytes > 16)
		a = zw_fold(a, k, zw_fold_next16(c, copy));
	if (!c->left_bytes)
		return zw_fold_end16(a, 0);
	return zw_fold_end16(zw_fold(a, k, zw_fold_last(c, copy)), 16 - c->left_bytes);
}
#endif

#endif
