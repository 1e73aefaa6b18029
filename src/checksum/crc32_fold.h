/* SPDX-License-Identifier: Zlib */
/* crc32_fold.h - CRC-32 by folding with carry-less multiplication, on 16-byte values.
 *
 * A message is a polynomial; only its remainder matters, so its first 16 bytes may be replaced by something 16 bytes
 * long with the same remainder that lies D bytes later, where it is added to the bytes there.  Folding on by D costs two
 * multiplications for 16 bytes.  Bits are reflected, so a product is shifted by one, which the constants undo. */
#ifndef ZW_CHECKSUM_CRC32_FOLD_H
#define ZW_CHECKSUM_CRC32_FOLD_H

#include "checksum/crc32_tables.h"

#include "base/arch.h"
#include "base/bytes.h"

#include <stdbool.h>
#include <stddef.h>

/* The few operations that are not the same on both machines.  mul_low, mul_high: the product of the lower halves, of the upper ones;
 * mul_cross: of a's lower and b's upper half. */
#if ZW_ARCH_X86
#include <immintrin.h>

#define ZW_TARGET_FOLD ZW_TARGET("pclmul,sse4.1")

typedef __m128i zw_vector;

ZW_INLINE zw_vector zw_vector_load(const void *p) { return _mm_loadu_si128((const __m128i *)p); }
ZW_INLINE void zw_vector_store(void *p, zw_vector v) { _mm_storeu_si128((__m128i *)p, v); }
ZW_INLINE zw_vector zw_vector_of(uint64_t low, uint64_t high) { return _mm_set_epi64x((long long)high, (long long)low); }
ZW_INLINE zw_vector zw_vector_of_crc(uint32_t reg) { return _mm_cvtsi32_si128((int)reg); }
ZW_INLINE zw_vector zw_xor(zw_vector a, zw_vector b) { return _mm_xor_si128(a, b); }

ZW_TARGET_FOLD ZW_INLINE zw_vector zw_mul_low(zw_vector a, zw_vector b) { return _mm_clmulepi64_si128(a, b, 0x00); }
ZW_TARGET_FOLD ZW_INLINE zw_vector zw_mul_high(zw_vector a, zw_vector b) { return _mm_clmulepi64_si128(a, b, 0x11); }
ZW_TARGET_FOLD ZW_INLINE zw_vector zw_mul_cross(zw_vector a, zw_vector b) { return _mm_clmulepi64_si128(a, b, 0x10); }
ZW_TARGET_FOLD ZW_INLINE zw_vector zw_shuffle(zw_vector v, zw_vector order) { return _mm_shuffle_epi8(v, order); }
ZW_TARGET_FOLD ZW_INLINE uint32_t zw_third_word(zw_vector v) { return (uint32_t)_mm_extract_epi32(v, 2); }
#elif ZW_ARCH_ARM64
#include <arm_neon.h>

#define ZW_TARGET_FOLD ZW_TARGET_ARM_PMULL

typedef uint64x2_t zw_vector;

ZW_INLINE zw_vector zw_vector_load(const void *p) { return vreinterpretq_u64_u8(vld1q_u8(p)); }
ZW_INLINE void zw_vector_store(void *p, zw_vector v) { vst1q_u8(p, vreinterpretq_u8_u64(v)); }
ZW_INLINE zw_vector zw_vector_of(uint64_t low, uint64_t high) { return vcombine_u64(vcreate_u64(low), vcreate_u64(high)); }
ZW_INLINE zw_vector zw_vector_of_crc(uint32_t reg) { return zw_vector_of(reg, 0); }
ZW_INLINE zw_vector zw_xor(zw_vector a, zw_vector b) { return veorq_u64(a, b); }

/* By name: clang 14 has the intrinsics only where the whole file is compiled for them. */
ZW_TARGET_FOLD
ZW_INLINE zw_vector zw_mul_low(zw_vector a, zw_vector b)
{
	zw_vector product;

	__asm__("pmull %0.1q, %1.1d, %2.1d" : "=w"(product) : "w"(a), "w"(b));
	return product;
}

ZW_TARGET_FOLD
ZW_INLINE zw_vector zw_mul_high(zw_vector a, zw_vector b)
{
	zw_vector product;

	__asm__("pmull2 %0.1q, %1.2d, %2.2d" : "=w"(product) : "w"(a), "w"(b));
	return product;
}

ZW_TARGET_FOLD ZW_INLINE zw_vector zw_mul_cross(zw_vector a, zw_vector b) { return zw_mul_low(a, vdupq_laneq_u64(b, 1)); }
ZW_INLINE uint32_t zw_third_word(zw_vector v) { return vgetq_lane_u32(vreinterpretq_u32_u64(v), 2); }

ZW_INLINE zw_vector zw_shuffle(zw_vector v, zw_vector order)
{
	return vreinterpretq_u64_u8(vqtbl1q_u8(vreinterpretq_u8_u64(v), vreinterpretq_u8_u64(order)));
}
#endif

#if ZW_ARCH_X86 || ZW_ARCH_ARM64

#define FOLD_MIN_BYTES  16u                  /* fewer cannot fill one vector */
#define FOLD_WIDE_BYTES 128u                 /* four vectors at once, and at least one turn of the loop */

struct zw_crc32_cursor { uint8_t *dst; const uint8_t *src; size_t left_bytes; };

/* a moved on by the distance that k stands for, and added to what is there. */
ZW_TARGET_FOLD
ZW_INLINE zw_vector zw_fold(zw_vector a, zw_vector k, zw_vector there)
{
	return zw_xor(zw_xor(zw_mul_low(a, k), zw_mul_high(a, k)), there);
}

/* The next 16 bytes of the cursor, which has them; copied on the way when copy is true. */
ZW_INLINE zw_vector zw_fold_next16(struct zw_crc32_cursor *c, bool copy)
{
	zw_vector v = zw_vector_load(c->src);

	if (copy) {
		zw_vector_store(c->dst, v);
		c->dst += 16;
	}
	c->src += 16;
	c->left_bytes -= 16;
	return v;
}

/* Asks for the second-level cache to have bytes bytes that are FOLD_AHEAD_BYTES further on; reads nothing, wherever that may be.
 * SPEED(M46): what is copied comes from far, and the processor's own prefetching ends with each page. */
#define FOLD_AHEAD_BYTES 4096u
ZW_INLINE void zw_fold_ask_ahead(const uint8_t *src, unsigned bytes)
{
	for (unsigned i = 0; i < bytes; i += 64)
		__builtin_prefetch((const void *)((uintptr_t)src + FOLD_AHEAD_BYTES + i), 0, 2);
}

/* Byte shuffles: from zw_fold_shifts + n on, the byte shuffle that moves n bytes from the end of a vector to its beginning and
 * clears the others (0x80 chooses zero). */
static const uint8_t zw_fold_shifts[32] = {
	0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
	0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80
};

/* The last 1..16 bytes of a message that has at least 16, in front of zeros. */
ZW_TARGET_FOLD
ZW_INLINE zw_vector zw_fold_last(const struct zw_crc32_cursor *c, bool copy)
{
	size_t  n    = c->left_bytes;
	zw_vector last = zw_vector_load(c->src + n - 16);

	if (copy)
		zw_vector_store(c->dst + n - 16, last);
	return zw_shuffle(last, zw_vector_load(zw_fold_shifts + 16 - n));
}

/* The CRC register from the sum of the products with zw_crc32_end_row(): Barrett's division of 96 bits.  The quotient's 64 bits
 * are exact, since polynomials do not carry. */
ZW_TARGET_FOLD
ZW_INLINE uint32_t zw_fold_divide(zw_vector products)
{
	const zw_vector barrett = zw_vector_load(zw_crc32_fold.barrett);

	return zw_third_word(zw_xor(products, zw_mul_cross(zw_mul_low(products, barrett), barrett)));
}

/* The CRC register from the last 16 bytes of a message, of which pad_bytes at the end are zeros that are not part of it. */
ZW_TARGET_FOLD
ZW_INLINE uint32_t zw_fold_end16(zw_vector last, size_t pad_bytes)
{
	zw_vector k = zw_vector_load(zw_crc32_end_row(pad_bytes) + CRC32_END_WORDS - 2);

	return zw_fold_divide(zw_xor(zw_mul_low(last, k), zw_mul_high(last, k)));
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
	return zw_fold_end16(zw_vector_of(low ^ reg, high), 16 - len_bytes);
}

/* Folds what is left in the cursor into a, 16 bytes a step, and divides: the CRC register after the last byte. */
ZW_TARGET_FOLD
ZW_INLINE uint32_t zw_fold_rest(zw_vector a, struct zw_crc32_cursor *c, bool copy)
{
	const zw_vector k = zw_vector_load(zw_crc32_fold.by_16_bytes);

	while (c->left_bytes > 16)
		a = zw_fold(a, k, zw_fold_next16(c, copy));
	if (!c->left_bytes)
		return zw_fold_end16(a, 0);
	return zw_fold_end16(zw_fold(a, k, zw_fold_last(c, copy)), 16 - c->left_bytes);
}

/* The whole of it with 16-byte vectors; copy is a constant in each caller. */
ZW_TARGET_FOLD
ZW_INLINE uint32_t zw_crc32_by_folding(uint32_t crc, uint8_t *dst, const uint8_t *src, size_t len_bytes, bool copy)
{
	struct zw_crc32_cursor c = { dst, src, len_bytes };
	zw_vector a;

	if (len_bytes < FOLD_MIN_BYTES)
		return ~zw_fold_short(~crc, dst, src, len_bytes, copy);
	a = zw_xor(zw_fold_next16(&c, copy), zw_vector_of_crc(~crc));
	if (len_bytes >= FOLD_WIDE_BYTES) {
		const zw_vector k16 = zw_vector_load(zw_crc32_fold.by_16_bytes);
		const zw_vector k64 = zw_vector_load(zw_crc32_fold.by_64_bytes);
		zw_vector b = zw_fold_next16(&c, copy), d = zw_fold_next16(&c, copy), e = zw_fold_next16(&c, copy);

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
#endif

#endif
