/* SPDX-License-Identifier: Zlib */
/* adler32_x86_sse.c - Adler-32 with 128-bit vectors: SSE2 and SSSE3.
 * Takes: the value so far and bytes.  Gives: the new value.  Never: reads or writes beyond len_bytes.
 *
 * For a group of G bytes  b += G * a + sum of (G - i) * byte[i]  and  a += sum of byte[i].  The weighted sums and the
 * plain sums are kept in lanes; the G * a terms are one vector that collects the plain sums before each group and is
 * multiplied by G once, at the end of a run. */
#include "cpu/kernel_functions.h"

#include "checksum/adler32_inline.h"

#include "base/arch.h"

#if ZW_ARCH_X86
#include <immintrin.h>

#define GROUP_BYTES 32u
#define GROUP_LOG2   5

/* Sum of the four lanes. */
ZW_INLINE uint32_t sum_lanes(__m128i v)
{
	v = _mm_add_epi32(v, _mm_shuffle_epi32(v, _MM_SHUFFLE(1, 0, 3, 2)));
	v = _mm_add_epi32(v, _mm_shuffle_epi32(v, _MM_SHUFFLE(2, 3, 0, 1)));
	return (uint32_t)_mm_cvtsi128_si32(v);
}

/* Sum of byte[i] * (highest_weight - i) over 16 bytes, in four lanes; highest_weight is 16 or 32. */
ZW_INLINE __m128i weigh_sse2(__m128i v, short highest_weight)
{
	const __m128i zero  = _mm_setzero_si128();
	const __m128i first = _mm_sub_epi16(_mm_set1_epi16(highest_weight), _mm_set_epi16(7, 6, 5, 4, 3, 2, 1, 0));
	const __m128i last  = _mm_sub_epi16(first, _mm_set1_epi16(8));

	return _mm_add_epi32(_mm_madd_epi16(_mm_unpacklo_epi8(v, zero), first),
			     _mm_madd_epi16(_mm_unpackhi_epi8(v, zero), last));
}

/* The same by byte multiplication: 255 * 32 + 255 * 31 fits a signed 16-bit lane. */
ZW_TARGET("ssse3")
ZW_INLINE __m128i weigh_ssse3(__m128i v, short highest_weight)
{
	const __m128i weights = _mm_sub_epi8(_mm_set1_epi8((char)highest_weight),
					     _mm_set_epi8(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0));

	return _mm_madd_epi16(_mm_maddubs_epi16(v, weights), _mm_set1_epi16(1));
}

ZW_INLINE __m128i load(const uint8_t *p) { return _mm_loadu_si128((const __m128i *)(const void *)p); }
ZW_INLINE void store(uint8_t *p, __m128i v) { _mm_storeu_si128((__m128i *)(void *)p, v); }

struct sse_lanes { __m128i plain, weighted, before; };

/* The plain sums of a group, and its share of the G * a terms. */
ZW_INLINE void add_plain(struct sse_lanes *l, __m128i lo, __m128i hi)
{
	const __m128i zero = _mm_setzero_si128();

	l->before = _mm_add_epi32(l->before, l->plain);
	l->plain = _mm_add_epi32(l->plain, _mm_add_epi32(_mm_sad_epu8(lo, zero), _mm_sad_epu8(hi, zero)));
}

ZW_INLINE void join_lanes(struct zw_adler_sums *s, struct sse_lanes l, size_t run_bytes)
{
	s->b += (uint32_t)run_bytes * s->a + sum_lanes(_mm_add_epi32(l.weighted, _mm_slli_epi32(l.before, GROUP_LOG2)));
	s->a += sum_lanes(l.plain);
}

typedef __m128i weigh_vector(__m128i v, short highest_weight);

/* weigh is a constant in each caller, whose instruction set it may use: by then both are inlined there. */
ZW_INLINE void add_run_sse(struct zw_adler_sums *s, uint8_t *ZW_RESTRICT dst, const uint8_t *ZW_RESTRICT src, size_t run_bytes,
			   weigh_vector *weigh, bool copy)
{
	struct sse_lanes l = { _mm_setzero_si128(), _mm_setzero_si128(), _mm_setzero_si128() };

	for (size_t i = 0; i < run_bytes; i += GROUP_BYTES) {
		__m128i lo = load(src + i), hi = load(src + i + 16);

		if (copy) {
			store(dst + i, lo);
			store(dst + i + 16, hi);
		}
		add_plain(&l, lo, hi);
		l.weighted = _mm_add_epi32(l.weighted, _mm_add_epi32(weigh(lo, 32), weigh(hi, 16)));
	}
	join_lanes(s, l, run_bytes);
}

ZW_INLINE void add_run_sse2(struct zw_adler_sums *s, uint8_t *ZW_RESTRICT dst, const uint8_t *ZW_RESTRICT src, size_t run_bytes,
			    bool copy)
{
	add_run_sse(s, dst, src, run_bytes, weigh_sse2, copy);
}

ZW_TARGET("ssse3")
ZW_INLINE void add_run_ssse3(struct zw_adler_sums *s, uint8_t *ZW_RESTRICT dst, const uint8_t *ZW_RESTRICT src, size_t run_bytes,
			     bool copy)
{
	add_run_sse(s, dst, src, run_bytes, weigh_ssse3, copy);
}

uint32_t zw_adler32_sse2(uint32_t adler, const uint8_t *p, size_t len_bytes)
{
	return zw_adler_by_runs(adler, NULL, p, len_bytes, GROUP_BYTES, add_run_sse2, false);
}

uint32_t zw_adler32_copy_sse2(uint32_t adler, uint8_t *dst, const uint8_t *src, size_t len_bytes)
{
	return zw_adler_by_runs(adler, dst, src, len_bytes, GROUP_BYTES, add_run_sse2, true);
}

ZW_TARGET("ssse3")
uint32_t zw_adler32_ssse3(uint32_t adler, const uint8_t *p, size_t len_bytes)
{
	return zw_adler_by_runs(adler, NULL, p, len_bytes, GROUP_BYTES, add_run_ssse3, false);
}

ZW_TARGET("ssse3")
uint32_t zw_adler32_copy_ssse3(uint32_t adler, uint8_t *dst, const uint8_t *src, size_t len_bytes)
{
	return zw_adler_by_runs(adler, dst, src, len_bytes, GROUP_BYTES, add_run_ssse3, true);
}
#endif
