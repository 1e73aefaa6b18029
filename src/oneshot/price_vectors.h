/* SPDX-License-Identifier: Zlib */
/* price_vectors.h - the parse's arithmetic on several lengths at once: with SSE2, and portable.  Both give the same values
 * (tests/oneshot/test_price_vectors.c); the names without a suffix are the ones to call.
 *
 * Short lengths, 3 to 10, are eight lanes of 16 bits; what is added saturates.  Of longer ones four are looked at together,
 * as price << LENGTH_BITS | length: the least of them tells its length. */
#ifndef ZW_ONESHOT_PRICE_VECTORS_H
#define ZW_ONESHOT_PRICE_VECTORS_H

#include "base/arch.h"
#include "base/bytes.h"

#include <stdint.h>
#include <string.h>

#if ZW_ARCH_X86
#include <emmintrin.h>
#endif

#define SHORT_LANES 8u
#define LONG_LANES  4u
#define LENGTH_BITS 9                        /* a length up to 258 below a price */

struct zw_lanes_portable { int16_t lane[SHORT_LANES]; };
struct zw_longs_portable { int32_t lane[LONG_LANES]; };

ZW_INLINE int16_t saturated(int32_t v) { return (int16_t)(v > INT16_MAX ? INT16_MAX : v < INT16_MIN ? INT16_MIN : v); }

ZW_INLINE struct zw_lanes_portable zw_lanes_load_portable(const int16_t *p)
{
	struct zw_lanes_portable v;

	memcpy(v.lane, p, sizeof v.lane);
	return v;
}

/* Lanes move up by one; value becomes the first. */
ZW_INLINE struct zw_lanes_portable zw_lanes_push_portable(struct zw_lanes_portable v, uint32_t value)
{
	memmove(v.lane + 1, v.lane, (SHORT_LANES - 1) * sizeof v.lane[0]);
	v.lane[0] = (int16_t)(uint16_t)value;
	return v;
}

/* The lesser of v and dist | mask, lane by lane. */
ZW_INLINE struct zw_lanes_portable zw_lanes_least_portable(struct zw_lanes_portable v, const int16_t *dist, const int16_t *mask)
{
	for (unsigned i = 0; i < SHORT_LANES; i++) {
		int16_t other = (int16_t)(dist[i] | mask[i]);

		v.lane[i] = other < v.lane[i] ? other : v.lane[i];
	}
	return v;
}

/* Least lane of (cost - base) + length + dist, sums saturated; *at_ret receives the first such lane. */
ZW_INLINE int32_t zw_lanes_best_portable(struct zw_lanes_portable cost, uint32_t base, struct zw_lanes_portable length,
					 struct zw_lanes_portable dist, unsigned *at_ret)
{
	int32_t least = INT32_MAX;

	for (unsigned i = 0; i < SHORT_LANES; i++) {
		int16_t ahead = (int16_t)(uint16_t)((uint32_t)(uint16_t)cost.lane[i] - base);
		int16_t sum = saturated(saturated(ahead + length.lane[i]) + dist.lane[i]);

		if (sum < least) {
			least = sum;
			*at_ret = i;
		}
	}
	return least;
}

ZW_INLINE struct zw_longs_portable zw_longs_most_portable(void)
{
	return (struct zw_longs_portable){ { INT32_MAX, INT32_MAX, INT32_MAX, INT32_MAX } };
}

/* The lesser of v and cost + length + more, modulo 2^32 and taken as signed. */
ZW_INLINE struct zw_longs_portable zw_longs_least_portable(struct zw_longs_portable v, const uint32_t *cost, const uint32_t *length,
							   uint32_t more)
{
	for (unsigned i = 0; i < LONG_LANES; i++) {
		int32_t other = (int32_t)(cost[i] + length[i] + more);

		v.lane[i] = other < v.lane[i] ? other : v.lane[i];
	}
	return v;
}

ZW_INLINE int32_t zw_longs_best_portable(struct zw_longs_portable v)
{
	int32_t a = v.lane[0] < v.lane[1] ? v.lane[0] : v.lane[1], b = v.lane[2] < v.lane[3] ? v.lane[2] : v.lane[3];

	return a < b ? a : b;
}

#if ZW_ARCH_X86

ZW_INLINE __m128i zw_lanes_load_sse2(const int16_t *p) { return _mm_loadu_si128((const __m128i *)(const void *)p); }

ZW_INLINE __m128i zw_lanes_push_sse2(__m128i v, uint32_t value)
{
	return _mm_insert_epi16(_mm_slli_si128(v, 2), (int)value, 0);
}

ZW_INLINE __m128i zw_lanes_least_sse2(__m128i v, const int16_t *dist, const int16_t *mask)
{
	return _mm_min_epi16(v, _mm_or_si128(zw_lanes_load_sse2(dist), zw_lanes_load_sse2(mask)));
}

ZW_INLINE int32_t zw_lanes_best_sse2(__m128i cost, uint32_t base, __m128i length, __m128i dist, unsigned *at_ret)
{
	__m128i ahead = _mm_sub_epi16(cost, _mm_set1_epi16((int16_t)(uint16_t)base));
	__m128i sum = _mm_adds_epi16(_mm_adds_epi16(ahead, length), dist), least = sum;

	least = _mm_min_epi16(least, _mm_shuffle_epi32(least, 0x4e));
	least = _mm_min_epi16(least, _mm_shuffle_epi32(least, 0xb1));
	least = _mm_min_epi16(least, _mm_shufflehi_epi16(_mm_shufflelo_epi16(least, 0xb1), 0xb1));
	*at_ret = zw_lowest_bit32((uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi16(sum, least))) / 2;
	return (int16_t)_mm_cvtsi128_si32(least);
}

ZW_INLINE __m128i zw_longs_most_sse2(void) { return _mm_set1_epi32(INT32_MAX); }

ZW_INLINE __m128i least_long(__m128i a, __m128i b)
{
	__m128i greater = _mm_cmpgt_epi32(a, b);

	return _mm_or_si128(_mm_and_si128(greater, b), _mm_andnot_si128(greater, a));
}

ZW_INLINE __m128i zw_longs_least_sse2(__m128i v, const uint32_t *cost, const uint32_t *length, uint32_t more)
{
	__m128i sum = _mm_add_epi32(_mm_loadu_si128((const __m128i *)(const void *)cost),
				    _mm_loadu_si128((const __m128i *)(const void *)length));

	return least_long(v, _mm_add_epi32(sum, _mm_set1_epi32((int)more)));
}

ZW_INLINE int32_t zw_longs_best_sse2(__m128i v)
{
	v = least_long(v, _mm_shuffle_epi32(v, 0x4e));
	v = least_long(v, _mm_shuffle_epi32(v, 0xb1));
	return _mm_cvtsi128_si32(v);
}

typedef __m128i zw_lanes, zw_longs;
#define zw_lanes_load  zw_lanes_load_sse2
#define zw_lanes_push  zw_lanes_push_sse2
#define zw_lanes_least zw_lanes_least_sse2
#define zw_lanes_best  zw_lanes_best_sse2
#define zw_longs_most  zw_longs_most_sse2
#define zw_longs_least zw_longs_least_sse2
#define zw_longs_best  zw_longs_best_sse2

#else

typedef struct zw_lanes_portable zw_lanes;
typedef struct zw_longs_portable zw_longs;
#define zw_lanes_load  zw_lanes_load_portable
#define zw_lanes_push  zw_lanes_push_portable
#define zw_lanes_least zw_lanes_least_portable
#define zw_lanes_best  zw_lanes_best_portable
#define zw_longs_most  zw_longs_most_portable
#define zw_longs_least zw_longs_least_portable
#define zw_longs_best  zw_longs_best_portable

#endif
#endif
