/* SPDX-License-Identifier: Zlib */
/* ahead_take.h - what eight look-ups say: places, lengths, distances and literals, one vector each, with AVX2 and BMI2.
 * Takes: entries, and the bits that they were found by.  Gives: matches in their order, ready to be copied.  Then: ahead_body.h */
#ifndef ZW_INFLATE_AHEAD_TAKE_H
#define ZW_INFLATE_AHEAD_TAKE_H

#include "inflate/ahead_batch.h"

#if ZW_ARCH_X86
#include <immintrin.h>

#define AHEAD_TARGET ZW_TARGET("avx2,bmi,bmi2,lzcnt,popcnt")

AHEAD_TARGET ZW_INLINE __m256i load_lanes(const void *p)    { return _mm256_loadu_si256(p); }
AHEAD_TARGET ZW_INLINE void store_lanes(void *p, __m256i v) { _mm256_storeu_si256(p, v); }
AHEAD_TARGET ZW_INLINE uint32_t sign_bits(__m256i v)        { return (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(v)); }

/* In each lane: that one and all before it together. */
AHEAD_TARGET
ZW_INLINE __m256i sums_up_to(__m256i v)
{
	v = _mm256_add_epi32(v, _mm256_slli_si256(v, 4));
	v = _mm256_add_epi32(v, _mm256_slli_si256(v, 8));
	return _mm256_add_epi32(v, _mm256_shuffle_epi32(_mm256_permute2x128_si256(v, v, 0x08), 0xff));
}

/* zw_ahead_value() of each. */
AHEAD_TARGET
ZW_INLINE __m256i ahead_values(__m256i entry, __m256i hold)
{
	const struct zw_ahead_lanes *k = &zw_ahead_lanes;
	const __m256i extra = _mm256_and_si256(_mm256_srli_epi32(entry, 6), load_lanes(k->extra));
	const __m256i odd = _mm256_srlv_epi64(hold, _mm256_and_si256(entry, load_lanes(k->drop_of_even)));
	const __m256i bits = _mm256_blend_epi32(hold, _mm256_slli_epi64(odd, 32), 0xaa);
	const __m256i to_top = _mm256_sub_epi32(load_lanes(k->to_top), _mm256_and_si256(entry, load_lanes(k->drop)));
	const __m256i low = _mm256_srlv_epi32(_mm256_sllv_epi32(bits, to_top), _mm256_sub_epi32(load_lanes(k->width), extra));

	return _mm256_or_si256(_mm256_sllv_epi32(_mm256_shuffle_epi8(entry, load_lanes(k->value_byte)), extra), low);
}

/* history: where history begins, counted from where the batch does.  values_before: what this returned for the batch before. */
AHEAD_TARGET
ZW_INLINE __m256i take_batch(struct ahead_batch *a, __m256i values_before, int32_t history)
{
	const struct zw_ahead_lanes *k = &zw_ahead_lanes;
	const __m256i entry = load_lanes(a->entry), values = ahead_values(entry, load_lanes(a->hold));
	const __m256i before = _mm256_alignr_epi8(values, _mm256_permute2x128_si256(values_before, values, 0x21), 12); /* of each */
	const __m256i distance = _mm256_slli_epi32(entry, 18), split = _mm256_slli_epi32(entry, 17); /* the flags, in the sign */
	const __m256i length_before = _mm256_add_epi32(before, load_lanes(k->match_min));
	const __m256i bytes = _mm256_castps_si256(_mm256_blendv_ps(_mm256_castsi256_ps(_mm256_srli_epi32(entry, 24)),
								   _mm256_castsi256_ps(length_before), _mm256_castsi256_ps(split)));
	const __m256i end = sums_up_to(bytes), begin = _mm256_sub_epi32(end, bytes), from = _mm256_sub_epi32(begin, values); /* one more */
	const __m256i too_far = _mm256_and_si256(_mm256_cmpgt_epi32(_mm256_set1_epi32(history + 1), from), distance);
	const __m256i overlaps = _mm256_cmpgt_epi32(_mm256_min_epi32(bytes, load_lanes(k->two_steps)), values);
	const __m256i longer = _mm256_slli_epi32(_mm256_cmpgt_epi32(bytes, load_lanes(k->one_step)), 31);
	const __m256i from_begin = _mm256_blend_epi16(_mm256_add_epi32(from, load_lanes(k->minus_one)), _mm256_slli_epi32(begin, 16), 0xaa);
	const __m256i end_bits = _mm256_or_si256(_mm256_or_si256(end, load_lanes(k->bits_behind)), longer);
	const __m256i literals = _mm256_shuffle_epi8(entry, load_lanes(k->literal_byte));
	const uint32_t matches = sign_bits(distance);
	const uint8_t *const lanes = zw_ahead_order[matches];
	const __m256i order = _mm256_cvtepu8_epi32(_mm_loadl_epi64((const void *)lanes)); /* permuting looks at the lowest bits */
	const __m256i first_half = _mm256_permutevar8x32_epi32(from_begin, order), second_half = _mm256_permutevar8x32_epi32(end_bits, order);

	store_lanes(a->match, _mm256_unpacklo_epi32(first_half, second_half));
	store_lanes(a->match + AHEAD_LOOKUPS / 2, _mm256_unpackhi_epi32(first_half, second_half));
	a->matches = lanes[AHEAD_LOOKUPS - 1];
	a->unusual = sign_bits(_mm256_or_si256(_mm256_and_si256(overlaps, distance), too_far));
	a->too_far = sign_bits(too_far);
	a->total_bytes = (uint32_t)_mm_extract_epi32(_mm256_extracti128_si256(end, 1), 3);
	_mm_storel_epi64((void *)&a->literals, _mm_unpacklo_epi32(_mm256_castsi256_si128(literals), _mm256_extracti128_si256(literals, 1)));
	return values;
}
#endif

#endif
