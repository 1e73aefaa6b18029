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

/* 0x80 chooses zero in a byte shuffle. */
static const uint8_t zw_fold_shifts[48] = {
	0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80,
	0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
	0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80
};

/* Folds the last 1..15 bytes into a.  At least 16 bytes came before them: the last 16 of all are loaded (and stored) as
 * one, a is cut where they begin, and its first part moves one vector back. */
ZW_TARGET_FOLD
ZW_INLINE __m128i zw_fold_tail(__m128i a, const struct zw_crc32_cursor *c, bool copy)
{
	size_t  n     = c->left_bytes;
	__m128i last  = zw_fold_load(c->src + n - 16);
	__m128i first = _mm_shuffle_epi8(a, zw_fold_load(zw_fold_shifts + n));      /* n bytes of a, at the upper end */
	__m128i pick  = zw_fold_load(zw_fold_shifts + 16 + n);
	__m128i rest  = _mm_blendv_epi8(_mm_shuffle_epi8(a, pick), last, pick);     /* the others, then the n new bytes */

	if (copy)
		_mm_storeu_si128((__m128i *)(void *)(c->dst + n - 16), last);
	return zw_fold(first, zw_fold_constant(zw_crc32_fold.by_16_bytes), rest);
}

/* The 32-bit remainder of the 16 bytes in a: two foldings to 64 bits, then Barrett's division. */
ZW_TARGET_FOLD
ZW_INLINE uint32_t zw_fold_finish(__m128i a)
{
	const __m128i low32 = _mm_set_epi32(0, 0, 0, -1);
	const __m128i barrett = zw_fold_constant(zw_crc32_fold.barrett);
	__m128i x, q;

	x = _mm_xor_si128(_mm_srli_si128(a, 8), _mm_clmulepi64_si128(a, zw_fold_constant(zw_crc32_fold.by_16_bytes), 0x10));
	q = _mm_clmulepi64_si128(_mm_and_si128(x, low32), zw_fold_constant(zw_crc32_fold.by_8_bytes), 0x00);
	x = _mm_xor_si128(_mm_srli_si128(x, 4), q);
	q = _mm_clmulepi64_si128(_mm_and_si128(x, low32), barrett, 0x00);
	q = _mm_clmulepi64_si128(_mm_and_si128(q, low32), barrett, 0x10);
	return (uint32_t)_mm_extract_epi32(_mm_xor_si128(x, q), 1);
}

/* Folds what is left in the cursor into a, 16 bytes a step, and divides: the CRC register after the last byte. */
ZW_TARGET_FOLD
ZW_INLINE uint32_t zw_fold_rest(__m128i a, struct zw_crc32_cursor *c, bool copy)
{
	const __m128i k = zw_fold_constant(zw_crc32_fold.by_16_bytes);

	while (c->left_bytes >= 16)
		a = zw_fold(a, k, zw_fold_next16(c, copy));
	if (c->left_bytes)
		a = zw_fold_tail(a, c, copy);
	return zw_fold_finish(a);
}
#endif

#endif
