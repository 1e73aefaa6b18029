/* SPDX-License-Identifier: Zlib */
/* count_vectors.h - what the block coder does to whole arrays of counts: portable, and with SSE2.
 * Both versions give the same values (tests/deflate/test_count_vectors.c); the names without a suffix are the ones to call.
 * Counts are at most 32767, array sizes multiples of 16. */
#ifndef ZW_DEFLATE_COUNT_VECTORS_H
#define ZW_DEFLATE_COUNT_VECTORS_H

#include "base/arch.h"
#include "base/bytes.h"
#include "base/rfc.h"
#include "deflate/tokens.h"

#include <stdint.h>
#include <string.h>

#if ZW_ARCH_X86
#include <emmintrin.h>                       /* SSE2 is part of the base set */
#endif

#define SORT_KEY_COUNT 256u                  /* keys are bytes; the largest in use is 240 */

/* Clearing and copying in steps of 32 bytes: what is cleared here is so short that gcc's rep stos and rep movs, which take
 * their time to start, were 8 % of the cost of a block with 60 symbols.  bytes is rounded up to a multiple of 32. */
ZW_INLINE void zw_clear_steps(void *p, unsigned bytes)
{
	for (unsigned i = 0; i < bytes; i += 32)
		memset((uint8_t *)p + i, 0, 32);
}

ZW_INLINE void zw_copy_steps(void *to, const void *from, unsigned bytes)
{
	for (unsigned i = 0; i < bytes; i += 32)
		memcpy((uint8_t *)to + i, (const uint8_t *)from + i, 32);
}

/* 0 for 0, otherwise 1 + 16 * log2(count), linear between powers of two: 16 keys an octave, exact below 32.
 * It is what the upper bits of count as a float are, which the SSE2 version uses. */
ZW_INLINE unsigned zw_sort_key(unsigned count)
{
	unsigned octave = zw_highest_bit32(count | 1);

	return count ? octave * 16 + ((count << 16 >> octave) >> 12 & 15) + 1 : 0;
}

/* keys[i] = sort key of counts[i]; bit i of used (64 a word) tells whether it is not 0.  Returns the largest key. */
ZW_INLINE unsigned zw_sort_keys_portable(const uint16_t *counts, unsigned n, uint8_t *keys, uint64_t *used)
{
	unsigned largest = 0;

	for (unsigned word = 0; word * 64 < n; word++) {
		unsigned end = n - word * 64 < 64 ? n - word * 64 : 64;
		uint64_t bits = 0;

		for (unsigned i = 0; i < end; i++) {
			unsigned key = zw_sort_key(counts[word * 64 + i]);

			keys[word * 64 + i] = (uint8_t)key;
			bits |= (uint64_t)(key != 0) << i;
			largest = key > largest ? key : largest;
		}
		used[word] = bits;
	}
	return largest;
}

/* first[k] becomes the number of counts below bucket k, second[k] the same plus what first[k] was: two interleaved sets of
 * buckets share one numbering.  Both are read and written up to last rounded up to a multiple of 8. */
ZW_INLINE void zw_bucket_starts_portable(uint16_t *first, uint16_t *second, unsigned last)
{
	unsigned sum = 0;

	for (unsigned k = 0; k < (last | 7) + 1; k++) {
		unsigned in_first = first[k], in_second = second[k];

		first[k] = (uint16_t)sum;
		second[k] = (uint16_t)(sum + in_first);
		sum += in_first + in_second;
	}
}

/* Sum of counts[i] * weights[i]. */
ZW_INLINE uint32_t zw_weighted_sum_portable(const uint16_t *counts, const uint8_t *weights, unsigned n)
{
	uint32_t sum = 0;

	for (unsigned i = 0; i < n; i++)
		sum += (uint32_t)counts[i] * weights[i];
	return sum;
}

/* weights[i] = entries[i] >> 16 and fill[i] = value, up to n rounded up to a multiple of 4. */
ZW_INLINE void zw_split_entries_portable(const uint32_t *entries, unsigned n, uint32_t *weights, uint32_t *fill, uint32_t value)
{
	for (unsigned i = 0; i < ((n + 3) & ~3u); i++) {
		weights[i] = entries[i] >> 16;
		fill[i] = value;
	}
}

#define LOG_FRACTION_BITS 16                 /* of every logarithm here */
#define LOG_LINEAR     27720u                /* log2(1 + x) is x + x (1 - x) (LOG_LINEAR - LOG_CUBIC x), off by at most */
#define LOG_CUBIC      10440u                /* 59 units of 2^-16: the best pair of constants for this form */

struct zw_log_sum {
	uint64_t bits;                           /* sum of counts[i] * log2(counts[i]), in units of 2^-LOG_FRACTION_BITS */
	uint32_t total;                          /* sum of counts[i]: at most 65535 */
};

/* count * log2(count), 0 for 0, by the formula above; count < 65536. */
ZW_INLINE uint64_t zw_count_log2(uint32_t count)
{
	uint32_t octave = zw_highest_bit32(count | 1);
	uint32_t x = count << 16 >> octave & 0xffff; /* what follows the leading bit */
	uint32_t factor = LOG_LINEAR - (LOG_CUBIC * x >> 16);
	uint32_t y = x + ((x * (0xffff - x) >> 16) * factor >> 16);

	return ((uint64_t)count * octave << LOG_FRACTION_BITS) + (uint64_t)count * y;
}

ZW_INLINE struct zw_log_sum zw_log_sum_portable(const uint16_t *counts, unsigned n)
{
	struct zw_log_sum sum = { 0, 0 };

	for (unsigned i = 0; i < n; i++) {
		sum.bits += zw_count_log2(counts[i]);
		sum.total += counts[i];
	}
	return sum;
}

/* Counts by litlen index become counts by symbol; the end-of-block is counted once. */
ZW_INLINE void zw_group_lengths_portable(const uint16_t *by_index, uint16_t *by_symbol)
{
	zw_copy_steps(by_symbol, by_index, 256 * sizeof by_symbol[0]);
	by_symbol[SYMBOL_END_OF_BLOCK] = 1;
	for (unsigned i = 1; i < 29; i++) {
		const uint16_t *from = by_index + 256 + zw_length_base_less_3[i];
		unsigned sum = 0;

		for (unsigned k = 0; k < 1u << zw_length_extra_bits[i]; k++)
			sum += from[k];
		by_symbol[256 + i] = (uint16_t)sum;
	}
	by_symbol[284] = (uint16_t)(by_symbol[284] - by_index[511]);
	by_symbol[285] = by_index[511];
	by_symbol[286] = by_symbol[287] = 0;
}

/* How many gaps are at least so wide. */
struct zw_gap_counts { unsigned of_1, of_2, of_3, of_11; };

/* The n gaps between p[0], which is -1, and the numbers behind it, which ascend.  8 zeros follow. */
ZW_INLINE struct zw_gap_counts zw_count_gaps_portable(const uint16_t *p, unsigned n)
{
	struct zw_gap_counts gaps = { 0, 0, 0, 0 };

	for (unsigned i = 0; i < n; i++) {
		unsigned gap = (p[i + 1] - p[i] - 1u) & 0xffff;

		gaps.of_1 += gap >= 1;
		gaps.of_2 += gap >= 2;
		gaps.of_3 += gap >= 3;
		gaps.of_11 += gap >= 11;
	}
	return gaps;
}

#if ZW_ARCH_X86

ZW_INLINE __m128i load_vector(const void *p) { return _mm_loadu_si128((const __m128i *)p); }

/* Sort keys of four 32-bit counts: exponent and 4 bits of mantissa; below 1 where the count is 0. */
ZW_INLINE __m128i float_keys(__m128i counts)
{
	__m128i bits = _mm_castps_si128(_mm_cvtepi32_ps(counts));

	return _mm_sub_epi32(_mm_srli_epi32(bits, 23 - 4), _mm_set1_epi32((127 << 4) - 1));
}

ZW_INLINE unsigned zw_sort_keys_sse2(const uint16_t *counts, unsigned n, uint8_t *keys, uint64_t *used)
{
	const __m128i zero = _mm_setzero_si128();
	__m128i largest = zero;

	for (unsigned word = 0; word * 64 < n; word++) {
		unsigned end = n - word * 64 < 64 ? n - word * 64 : 64;
		uint64_t bits = 0;

		for (unsigned i = 0; i < end; i += 16) {
			__m128i a = load_vector(counts + word * 64 + i), b = load_vector(counts + word * 64 + i + 8);
			__m128i low = _mm_packs_epi32(float_keys(_mm_unpacklo_epi16(a, zero)), float_keys(_mm_unpackhi_epi16(a, zero)));
			__m128i high = _mm_packs_epi32(float_keys(_mm_unpacklo_epi16(b, zero)), float_keys(_mm_unpackhi_epi16(b, zero)));
			__m128i key = _mm_packus_epi16(low, high);

			_mm_storeu_si128((__m128i *)(keys + word * 64 + i), key);
			largest = _mm_max_epu8(largest, key);
			bits |= (uint64_t)(0xffff ^ (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(key, zero))) << i;
		}
		used[word] = bits;
	}
	largest = _mm_max_epu8(largest, _mm_srli_si128(largest, 8));
	largest = _mm_max_epu8(largest, _mm_srli_si128(largest, 4));
	largest = _mm_max_epu8(largest, _mm_srli_si128(largest, 2));
	largest = _mm_max_epu8(largest, _mm_srli_si128(largest, 1));
	return (unsigned)_mm_cvtsi128_si32(largest) & 0xff;
}

ZW_INLINE void zw_bucket_starts_sse2(uint16_t *first, uint16_t *second, unsigned last)
{
	__m128i carry = _mm_setzero_si128();

	for (unsigned k = 0; k <= last; k += 8) {
		__m128i in_first = load_vector(first + k);
		__m128i both = _mm_add_epi16(in_first, load_vector(second + k));
		__m128i sum = _mm_add_epi16(both, _mm_slli_si128(both, 2));

		sum = _mm_add_epi16(sum, _mm_slli_si128(sum, 4));
		sum = _mm_add_epi16(sum, _mm_slli_si128(sum, 8)); /* inclusive, in this vector */
		both = _mm_add_epi16(carry, _mm_sub_epi16(sum, both));
		_mm_storeu_si128((__m128i *)(first + k), both);
		_mm_storeu_si128((__m128i *)(second + k), _mm_add_epi16(both, in_first));
		sum = _mm_shufflehi_epi16(sum, 0xff);
		carry = _mm_add_epi16(carry, _mm_unpackhi_epi64(sum, sum));
	}
}

/* The sum of four 32-bit lanes. */
ZW_INLINE uint32_t sum_lanes(__m128i v)
{
	v = _mm_add_epi32(v, _mm_srli_si128(v, 8));
	v = _mm_add_epi32(v, _mm_srli_si128(v, 4));
	return (uint32_t)_mm_cvtsi128_si32(v);
}

ZW_INLINE uint32_t zw_weighted_sum_sse2(const uint16_t *counts, const uint8_t *weights, unsigned n)
{
	const __m128i zero = _mm_setzero_si128();
	__m128i sum = zero;

	for (unsigned i = 0; i < n; i += 16) {
		__m128i w = load_vector(weights + i);

		sum = _mm_add_epi32(sum, _mm_madd_epi16(load_vector(counts + i), _mm_unpacklo_epi8(w, zero)));
		sum = _mm_add_epi32(sum, _mm_madd_epi16(load_vector(counts + i + 8), _mm_unpackhi_epi8(w, zero)));
	}
	return sum_lanes(sum);
}

ZW_INLINE void zw_split_entries_sse2(const uint32_t *entries, unsigned n, uint32_t *weights, uint32_t *fill, uint32_t value)
{
	for (unsigned i = 0; i < n; i += 4) {
		_mm_storeu_si128((__m128i *)(weights + i), _mm_srli_epi32(load_vector(entries + i), 16));
		_mm_storeu_si128((__m128i *)(fill + i), _mm_set1_epi32((int)value));
	}
}

/* Eight counts' octaves and the 16 bits that follow their leading ones, which are a float's exponent and mantissa. */
ZW_INLINE __m128i float_octaves(__m128i counts, __m128i *fractions_ret)
{
	const __m128i zero = _mm_setzero_si128(), bias = _mm_set1_epi32(127);
	__m128i low = _mm_castps_si128(_mm_cvtepi32_ps(_mm_unpacklo_epi16(counts, zero)));
	__m128i high = _mm_castps_si128(_mm_cvtepi32_ps(_mm_unpackhi_epi16(counts, zero)));

	/* the 16 bits below the exponent, moved to the top and down again with their sign, pass the signed pack unchanged */
	*fractions_ret = _mm_packs_epi32(_mm_srai_epi32(_mm_slli_epi32(low, 9), 16), _mm_srai_epi32(_mm_slli_epi32(high, 9), 16));
	return _mm_packs_epi32(_mm_sub_epi32(_mm_srli_epi32(low, 23), bias), _mm_sub_epi32(_mm_srli_epi32(high, 23), bias));
}

ZW_INLINE struct zw_log_sum zw_log_sum_sse2(const uint16_t *counts, unsigned n)
{
	const __m128i zero = _mm_setzero_si128(), ones = _mm_set1_epi16(1);
	__m128i whole = zero, fractions = zero, totals = zero; /* each lane sum is below 2^32, since the total is below 2^16 */

	for (unsigned i = 0; i < n; i += 8) {
		__m128i c = load_vector(counts + i), x;
		__m128i octaves = float_octaves(c, &x);
		__m128i factor = _mm_sub_epi16(_mm_set1_epi16(LOG_LINEAR), _mm_mulhi_epu16(x, _mm_set1_epi16(LOG_CUBIC)));
		__m128i bow = _mm_mulhi_epu16(x, _mm_xor_si128(x, _mm_set1_epi16(-1)));
		__m128i y = _mm_add_epi16(x, _mm_mulhi_epu16(bow, factor));
		__m128i low = _mm_mullo_epi16(c, y), high = _mm_mulhi_epu16(c, y);

		whole = _mm_add_epi32(whole, _mm_madd_epi16(c, octaves));
		fractions = _mm_add_epi32(fractions, _mm_unpacklo_epi16(low, high));
		fractions = _mm_add_epi32(fractions, _mm_unpackhi_epi16(low, high));
		totals = _mm_add_epi32(totals, _mm_madd_epi16(c, ones));
	}
	return (struct zw_log_sum){ ((uint64_t)sum_lanes(whole) << LOG_FRACTION_BITS) + sum_lanes(fractions), sum_lanes(totals) };
}

/* The sum of 8, 16 or 32 counts from p on. */
ZW_INLINE uint16_t sum_counts(const uint16_t *p, unsigned n)
{
	const __m128i ones = _mm_set1_epi16(1);
	__m128i sum = _mm_madd_epi16(load_vector(p), ones);

	for (unsigned i = 8; i < n; i += 8)
		sum = _mm_add_epi32(sum, _mm_madd_epi16(load_vector(p + i), ones));
	return (uint16_t)sum_lanes(sum);
}

ZW_INLINE void zw_group_lengths_sse2(const uint16_t *by_index, uint16_t *by_symbol)
{
	const __m128i ones = _mm_set1_epi16(1);
	const uint16_t *lengths = by_index + 256;
	uint16_t *to = by_symbol + SYMBOL_LENGTH_FIRST;
	__m128i pairs, quads;

	zw_copy_steps(by_symbol, by_index, 256 * sizeof by_symbol[0]);
	by_symbol[SYMBOL_END_OF_BLOCK] = 1;
	memcpy(to, lengths, 8 * sizeof to[0]);   /* 257..264: one length each */
	pairs = _mm_madd_epi16(load_vector(lengths + 8), ones);
	quads = _mm_packs_epi32(_mm_madd_epi16(load_vector(lengths + 16), ones), _mm_madd_epi16(load_vector(lengths + 24), ones));
	quads = _mm_madd_epi16(quads, ones);
	_mm_storeu_si128((__m128i *)(to + 8), _mm_packs_epi32(pairs, quads)); /* 265..272: two or four */
	for (unsigned k = 0; k < 4; k++) {
		to[16 + k] = sum_counts(lengths + 32 + 8 * k, 8);
		to[20 + k] = sum_counts(lengths + 64 + 16 * k, 16);
		to[24 + k] = sum_counts(lengths + 128 + 32 * k, 32);
	}
	to[27] = (uint16_t)(to[27] - lengths[255]);
	to[28] = lengths[255];
	by_symbol[286] = by_symbol[287] = 0;
}

/* The sum of eight 16-bit lanes. */
ZW_INLINE unsigned sum_words(__m128i v) { return sum_lanes(_mm_madd_epi16(v, _mm_set1_epi16(1))); }

ZW_INLINE struct zw_gap_counts zw_count_gaps_sse2(const uint16_t *p, unsigned n)
{
	__m128i of_1 = _mm_setzero_si128(), of_2 = of_1, of_3 = of_1, of_11 = of_1;

	for (unsigned i = 0; i < n; i += 8) {    /* behind the last a difference is negative or 0 */
		__m128i step = _mm_sub_epi16(load_vector(p + i + 1), load_vector(p + i));

		of_1 = _mm_sub_epi16(of_1, _mm_cmpgt_epi16(step, _mm_set1_epi16(1)));
		of_2 = _mm_sub_epi16(of_2, _mm_cmpgt_epi16(step, _mm_set1_epi16(2)));
		of_3 = _mm_sub_epi16(of_3, _mm_cmpgt_epi16(step, _mm_set1_epi16(3)));
		of_11 = _mm_sub_epi16(of_11, _mm_cmpgt_epi16(step, _mm_set1_epi16(11)));
	}
	return (struct zw_gap_counts){ sum_words(of_1), sum_words(of_2), sum_words(of_3), sum_words(of_11) };
}

#define zw_sort_keys     zw_sort_keys_sse2
#define zw_bucket_starts zw_bucket_starts_sse2
#define zw_weighted_sum  zw_weighted_sum_sse2
#define zw_log_sum_of    zw_log_sum_sse2
#define zw_split_entries zw_split_entries_sse2
#define zw_group_lengths zw_group_lengths_sse2
#define zw_count_gaps    zw_count_gaps_sse2

#else

#define zw_sort_keys     zw_sort_keys_portable
#define zw_bucket_starts zw_bucket_starts_portable
#define zw_weighted_sum  zw_weighted_sum_portable
#define zw_log_sum_of    zw_log_sum_portable
#define zw_split_entries zw_split_entries_portable
#define zw_group_lengths zw_group_lengths_portable
#define zw_count_gaps    zw_count_gaps_portable

#endif

#endif
