/* SPDX-License-Identifier: Zlib */
/* match_length.h - how many bytes two places have in common, forwards and backwards.  One 16-byte step covers four of
 * five matches on web data; the rest goes on 16 bytes at a time.  Every form gives the same number. */
#ifndef ZW_DEFLATE_MATCH_LENGTH_H
#define ZW_DEFLATE_MATCH_LENGTH_H

#include "base/arch.h"
#include "base/bytes.h"

#include <stdbool.h>
#include <stdint.h>

#if ZW_ARCH_X86
#include <immintrin.h>
#endif
#if ZW_ARCH_ARM64
#include <arm_neon.h>
#endif

#define COMPARE_STEP_BYTES 16u               /* what zw_prefix16() and zw_suffix16() read on each side */

#if ZW_ARCH_X86

/* Bit i: a[i] == b[i]. */
ZW_INLINE uint32_t equal_bytes16(const uint8_t *a, const uint8_t *b)
{
	__m128i x = _mm_loadu_si128((const __m128i *)(const void *)a);
	__m128i y = _mm_loadu_si128((const __m128i *)(const void *)b);

	return (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(x, y));
}

/* Equal leading bytes of a[0..16) and b[0..16). */
ZW_INLINE unsigned zw_prefix16(const uint8_t *a, const uint8_t *b)
{
	return zw_lowest_bit32(~equal_bytes16(a, b) & 0x1ffff);
}

/* Of a[0..32) and b[0..32). */
ZW_INLINE unsigned zw_prefix32(const uint8_t *a, const uint8_t *b)
{
	uint32_t equal = equal_bytes16(a, b) | equal_bytes16(a + 16, b + 16) << 16;

	return equal == 0xffffffff ? 32 : zw_lowest_bit32(~equal);
}

/* Of a[0..64) and b[0..64). */
ZW_INLINE unsigned zw_prefix64(const uint8_t *a, const uint8_t *b)
{
	uint64_t low = equal_bytes16(a, b) | equal_bytes16(a + 16, b + 16) << 16;
	uint64_t high = equal_bytes16(a + 32, b + 32) | equal_bytes16(a + 48, b + 48) << 16;
	uint64_t differing = ~(low | high << 32);

	return differing ? zw_lowest_bit64(differing) : 64;
}

/* zw_prefix64() for a parser's wide body. */
ZW_TARGET("avx2")
ZW_INLINE unsigned zw_prefix64_wide(const uint8_t *a, const uint8_t *b)
{
	__m256i low = _mm256_cmpeq_epi8(_mm256_loadu_si256((const __m256i *)(const void *)a),
					_mm256_loadu_si256((const __m256i *)(const void *)b));
	__m256i high = _mm256_cmpeq_epi8(_mm256_loadu_si256((const __m256i *)(const void *)(a + 32)),
					 _mm256_loadu_si256((const __m256i *)(const void *)(b + 32)));
	uint64_t differing = ~((uint32_t)_mm256_movemask_epi8(low) | (uint64_t)(uint32_t)_mm256_movemask_epi8(high) << 32);

	return differing ? zw_lowest_bit64(differing) : 64;
}

/* Equal bytes directly before a and b, at most 16. */
ZW_INLINE unsigned zw_suffix16(const uint8_t *a, const uint8_t *b)
{
	uint32_t equal = equal_bytes16(a - COMPARE_STEP_BYTES, b - COMPARE_STEP_BYTES);

	return 31 - zw_highest_bit32((equal << 16 ^ 0xffff0000) | 0x8000);
}

#elif ZW_ARCH_ARM64

/* Nibble i: 15 when a[i] != b[i]. */
ZW_INLINE uint64_t differing_nibbles16(const uint8_t *a, const uint8_t *b)
{
	uint8x16_t equal = vceqq_u8(vld1q_u8(a), vld1q_u8(b));

	return ~vget_lane_u64(vreinterpret_u64_u8(vshrn_n_u16(vreinterpretq_u16_u8(equal), 4)), 0);
}

ZW_INLINE unsigned zw_prefix16(const uint8_t *a, const uint8_t *b)
{
	uint64_t differing = differing_nibbles16(a, b);

	return differing ? zw_lowest_bit64(differing) >> 2 : COMPARE_STEP_BYTES;
}

ZW_INLINE unsigned zw_suffix16(const uint8_t *a, const uint8_t *b)
{
	uint64_t differing = differing_nibbles16(a - COMPARE_STEP_BYTES, b - COMPARE_STEP_BYTES);

	return differing ? zw_leading_zeros64(differing) >> 2 : COMPARE_STEP_BYTES;
}

#else

ZW_INLINE unsigned zw_prefix16(const uint8_t *a, const uint8_t *b)
{
	uint64_t low = zw_load_le64(a) ^ zw_load_le64(b);
	uint64_t high = zw_load_le64(a + 8) ^ zw_load_le64(b + 8);

	if (low)
		return zw_lowest_bit64(low) >> 3;
	return high ? 8 + (zw_lowest_bit64(high) >> 3) : COMPARE_STEP_BYTES;
}

ZW_INLINE unsigned zw_suffix16(const uint8_t *a, const uint8_t *b)
{
	uint64_t near = zw_load_le64(a - 8) ^ zw_load_le64(b - 8);
	uint64_t far = zw_load_le64(a - 16) ^ zw_load_le64(b - 16);

	if (near)
		return zw_leading_zeros64(near) >> 3;
	return far ? 8 + (zw_leading_zeros64(far) >> 3) : COMPARE_STEP_BYTES;
}

#endif

#if !ZW_ARCH_X86
ZW_INLINE unsigned zw_prefix32(const uint8_t *a, const uint8_t *b)
{
	unsigned n = zw_prefix16(a, b);

	return n < 16 ? n : 16 + zw_prefix16(a + 16, b + 16);
}

ZW_INLINE unsigned zw_prefix64(const uint8_t *a, const uint8_t *b)
{
	unsigned n = zw_prefix32(a, b);

	return n < 32 ? n : 32 + zw_prefix32(a + 32, b + 32);
}
#endif

/* The same for places of which the first 8 bytes differ in the bytes that are not 0 in low. Whole words: shorter from load to
 * number than by vectors, and without a branch (M13). */
ZW_INLINE unsigned zw_prefix16_from(uint64_t low, const uint8_t *a, const uint8_t *b)
{
	uint64_t high = zw_load_le64(a + 8) ^ zw_load_le64(b + 8);

	return zw_select(low, zw_zero_bytes64(low), 8 + zw_zero_bytes64(high));
}

/* The length of the match of a with b, at most max_bytes, when known_bytes are known to be equal.
 * Reads up to 15 bytes behind a + max_bytes. */
ZW_INLINE unsigned zw_match_extend(const uint8_t *a, const uint8_t *b, unsigned known_bytes, unsigned max_bytes)
{
	for (unsigned n = known_bytes; n < max_bytes; n += COMPARE_STEP_BYTES) {
		unsigned more = zw_prefix16(a + n, b + n);

		if (more < COMPARE_STEP_BYTES)
			return n + more < max_bytes ? n + more : max_bytes;
	}
	return max_bytes;
}

/* zw_prefix64() or, inside functions for that set, zw_prefix64_wide(): a constant where it is called, so that it is inlined there. */
typedef unsigned zw_prefix64_fn(const uint8_t *a, const uint8_t *b);

/* The same, 64 bytes at a time.  Reads up to 63 bytes behind a + max_bytes. */
ZW_INLINE unsigned zw_match_extend_by(const uint8_t *a, const uint8_t *b, unsigned known_bytes, unsigned max_bytes,
				      zw_prefix64_fn *prefix64)
{
	unsigned n = known_bytes, equal = 64;

	for (; equal == 64 && n < max_bytes; n += equal)
		equal = prefix64(a + n, b + n);
	return n < max_bytes ? n : max_bytes;
}

ZW_INLINE unsigned zw_match_extend_far(const uint8_t *a, const uint8_t *b, unsigned known_bytes, unsigned max_bytes)
{
	return zw_match_extend_by(a, b, known_bytes, max_bytes, zw_prefix64);
}

/* The length of the match of a with b, at most max_bytes.  Reads up to 15 bytes behind a + max_bytes. */
ZW_INLINE unsigned zw_match_length(const uint8_t *a, const uint8_t *b, unsigned max_bytes)
{
	unsigned n = zw_prefix16(a, b);

	if (n == COMPARE_STEP_BYTES)
		return zw_match_extend(a, b, n, max_bytes);
	return n < max_bytes ? n : max_bytes;
}

#endif
