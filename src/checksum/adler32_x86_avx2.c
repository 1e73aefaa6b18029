/* SPDX-License-Identifier: Zlib */
/* adler32_x86_avx2.c - Adler-32 with 256-bit vectors; the method is explained in adler32_x86_sse.c.
 * Takes: the value so far and bytes.  Gives: the new value.  Never: reads or writes beyond len_bytes. */
#include "cpu/kernel_functions.h"

#include "checksum/adler32_inline.h"

#include "base/arch.h"

#if ZW_ARCH_X86
#include <immintrin.h>

#define GROUP_BYTES 64u
#define GROUP_LOG2   6

static_assert(255 * 64 + 255 * 63 <= INT16_MAX, "two weighted bytes fit a signed 16-bit lane");

ZW_TARGET("avx2") ZW_INLINE __m256i load_ymm(const uint8_t *p) { return _mm256_loadu_si256((const __m256i *)(const void *)p); }
ZW_TARGET("avx2") ZW_INLINE void store_ymm(uint8_t *p, __m256i v) { _mm256_storeu_si256((__m256i *)(void *)p, v); }

ZW_TARGET("avx2")
ZW_INLINE uint32_t sum_lanes_ymm(__m256i v)
{
	__m128i x = _mm_add_epi32(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));

	x = _mm_add_epi32(x, _mm_shuffle_epi32(x, _MM_SHUFFLE(1, 0, 3, 2)));
	x = _mm_add_epi32(x, _mm_shuffle_epi32(x, _MM_SHUFFLE(2, 3, 0, 1)));
	return (uint32_t)_mm_cvtsi128_si32(x);
}

ZW_TARGET("avx2")
ZW_INLINE void add_run_avx2(struct zw_adler_sums *s, uint8_t *ZW_RESTRICT dst, const uint8_t *ZW_RESTRICT src, size_t run_bytes,
			    bool copy)
{
	const __m256i zero = _mm256_setzero_si256(), ones = _mm256_set1_epi16(1);
	const __m256i order = _mm256_set_epi8(31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16,
					      15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
	const __m256i weights_lo = _mm256_sub_epi8(_mm256_set1_epi8(64), order);
	const __m256i weights_hi = _mm256_sub_epi8(_mm256_set1_epi8(32), order);
	__m256i plain = zero, weighted = zero, before = zero;

	for (size_t i = 0; i < run_bytes; i += GROUP_BYTES) {
		__m256i lo = load_ymm(src + i), hi = load_ymm(src + i + 32);

		if (copy) {
			store_ymm(dst + i, lo);
			store_ymm(dst + i + 32, hi);
		}
		before = _mm256_add_epi32(before, plain);
		plain = _mm256_add_epi32(plain, _mm256_add_epi32(_mm256_sad_epu8(lo, zero), _mm256_sad_epu8(hi, zero)));
		weighted = _mm256_add_epi32(weighted, _mm256_madd_epi16(_mm256_maddubs_epi16(lo, weights_lo), ones));
		weighted = _mm256_add_epi32(weighted, _mm256_madd_epi16(_mm256_maddubs_epi16(hi, weights_hi), ones));
	}
	s->b += (uint32_t)run_bytes * s->a + sum_lanes_ymm(_mm256_add_epi32(weighted, _mm256_slli_epi32(before, GROUP_LOG2)));
	s->a += sum_lanes_ymm(plain);
}

ZW_TARGET("avx2")
uint32_t zw_adler32_avx2(uint32_t adler, const uint8_t *p, size_t len_bytes)
{
	return zw_adler_by_runs(adler, NULL, p, len_bytes, GROUP_BYTES, add_run_avx2, false);
}

ZW_TARGET("avx2")
uint32_t zw_adler32_copy_avx2(uint32_t adler, uint8_t *dst, const uint8_t *src, size_t len_bytes)
{
	return zw_adler_by_runs(adler, dst, src, len_bytes, GROUP_BYTES, add_run_avx2, true);
}
#endif
