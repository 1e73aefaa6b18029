/* SPDX-License-Identifier: Zlib */
/* length_price.h - what match lengths cost in the block so far, and where one match had better end and the next begin. */
#ifndef ZW_DEFLATE_LENGTH_PRICE_H
#define ZW_DEFLATE_LENGTH_PRICE_H

#include "base/check.h"
#include "deflate/match_length.h"
#include "deflate/tokens.h"

#include <stdint.h>

#if ZW_ARCH_X86
#include <emmintrin.h>
#endif

#define BOUNDARY_STEPS 16u                   /* a boundary moves by fewer bytes than this */

/* Prices are in 1/8 bit, up to what all lengths have in common.  Read up to BOUNDARY_STEPS beyond a length. */
struct zw_length_prices {
	uint8_t up[MATCH_MAX_BYTES + 1 + BOUNDARY_STEPS];   /* by length */
	uint8_t down[MATCH_MAX_BYTES + 1 + BOUNDARY_STEPS]; /* by MATCH_MAX_BYTES - length */
};

/* Prices from the lengths counted in freq, among which some of every length are assumed. */
void zw_length_prices_make(struct zw_length_prices *p, const struct zw_histogram *freq);

/* A match of before_len bytes ends where one of len bytes begins, which could begin up to back bytes earlier: returns how
 * many it had better, the fewest of equals.  back < BOUNDARY_STEPS, and both stay possible lengths. */
ZW_INLINE unsigned zw_better_boundary_portable(const struct zw_length_prices *p, unsigned before_len, unsigned len, unsigned back)
{
	unsigned best = 0, least = (unsigned)p->up[before_len] + p->up[len];

	ZW_ASSERT(back < BOUNDARY_STEPS && back + MATCH_MIN_BYTES <= before_len && len + back <= MATCH_MAX_BYTES);
	if (least > UINT8_MAX)                   /* as the other version's bytes do */
		least = UINT8_MAX;
	for (unsigned i = 1; i <= back; i++) {
		unsigned price = (unsigned)p->up[before_len - i] + p->up[len + i];

		if (price < least) {
			least = price;
			best = i;
		}
	}
	return best;
}

#if ZW_ARCH_X86
/* All at once: the loop's end would be foreseen by nobody. */
ZW_INLINE unsigned zw_better_boundary_sse2(const struct zw_length_prices *p, unsigned before_len, unsigned len, unsigned back)
{
	const __m128i lanes = _mm_setr_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
	const __m128i out = _mm_cmpgt_epi8(lanes, _mm_set1_epi8((char)back));
	__m128i price = _mm_adds_epu8(_mm_loadu_si128((const __m128i *)(const void *)(p->down + MATCH_MAX_BYTES - before_len)),
				      _mm_loadu_si128((const __m128i *)(const void *)(p->up + len)));
	__m128i least;

	ZW_ASSERT(back < BOUNDARY_STEPS && back + MATCH_MIN_BYTES <= before_len && len + back <= MATCH_MAX_BYTES);
	price = _mm_or_si128(price, out);
	least = _mm_min_epu8(price, _mm_srli_si128(price, 8));
	least = _mm_min_epu8(least, _mm_srli_si128(least, 4));
	least = _mm_min_epu8(least, _mm_srli_si128(least, 2));
	least = _mm_min_epu8(least, _mm_srli_si128(least, 1));
	least = _mm_unpacklo_epi8(least, least);
	least = _mm_shufflelo_epi16(least, 0);
	least = _mm_unpacklo_epi64(least, least);
	return zw_lowest_bit32((uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(price, least)));
}
#define zw_better_boundary zw_better_boundary_sse2
#else
#define zw_better_boundary zw_better_boundary_portable
#endif

#endif
