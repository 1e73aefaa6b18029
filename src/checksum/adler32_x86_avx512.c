/* SPDX-License-Identifier: Zlib */
/* adler32_x86_avx512.c - Adler-32 with the dot products of AVX512-VNNI and masked loads.
 * Takes: the value so far and bytes.  Gives: the new value.  Never: reads or writes beyond len_bytes.
 *
 * The last group of a message is filled up with zeros; each of them would add the final a to b once more, which is taken back. */
#include "cpu/kernel_functions.h"

#include "checksum/adler32_inline.h"
#include "checksum/x86_avx512.h"

#include "base/arch.h"

#if ZW_ARCH_X86

#define BLOCK_BYTES   64u
#define HALF_BYTES   128u
#define HALF_LOG2      7
#define GROUP_BYTES  256u
#define GROUP_LOG2     8
#define SHORT_MAX_BYTES 512u                 /* one sum, and no reduction before the end */
#define RUN_BYTES    16384u                  /* groups between reductions */
#define LANES           16u                  /* of 32 bits */
#define PLAIN_SHIFT     40                   /* where the plain sum stands above the other one */

static_assert(UINT64_C(255) * RUN_BYTES * (RUN_BYTES + GROUP_BYTES) / 2 / LANES <= UINT32_MAX, "no lane overflows");
static_assert(UINT64_C(255) * RUN_BYTES * (RUN_BYTES + GROUP_BYTES) / 2 < UINT64_C(1) << PLAIN_SHIFT, "the sums do not touch");
static_assert(UINT64_C(255) * RUN_BYTES < UINT64_C(1) << (64 - PLAIN_SHIFT), "the plain sum fits above");
static_assert(SHORT_MAX_BYTES <= ADLER_RUN_MAX_BYTES, "32 bits hold the sums of a short message");
static_assert(UINT16_MAX + 255 * HALF_BYTES < 2 * ADLER_BASE, "one subtraction brings a into range");

/* The places in half a group, which are as many as fit a signed byte. */
static const ZW_ALIGNED(64) uint8_t counting[HALF_BYTES] = {
	0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31,
	32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63,
	64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79, 80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 90, 91, 92, 93, 94, 95,
	96, 97, 98, 99, 100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111, 112, 113, 114, 115, 116, 117, 118, 119, 120, 121,
	122, 123, 124, 125, 126, 127
};

/* Sums of bytes, and of bytes times their places in a half. */
struct zmm_sums { __m512i plain, products; };

ZW_TARGET_AVX512
ZW_INLINE void add_block(struct zmm_sums *l, __m512i v, const uint8_t *places)
{
	l->plain = _mm512_dpbusd_epi32(l->plain, v, _mm512_set1_epi8(1));
	l->products = _mm512_dpbusd_epi32(l->products, v, _mm512_load_si512(places));
}

/* Up to HALF_BYTES bytes at offset at. */
ZW_TARGET_AVX512
ZW_INLINE void add_half(struct zmm_sums *l, struct zw_bytes bytes, size_t at, size_t len_bytes, bool copy)
{
	if (len_bytes > BLOCK_BYTES) {
		add_block(l, zw_zmm_load(bytes, at, copy), counting);
		add_block(l, zw_zmm_load_last(bytes, at + BLOCK_BYTES, len_bytes - BLOCK_BYTES, copy), counting + BLOCK_BYTES);
	} else {
		add_block(l, zw_zmm_load_last(bytes, at, len_bytes, copy), counting);
	}
}

/* The sum of the plain lanes, and above it, from bit 32 on, of the products: they take turns, so that both are added up at once. */
ZW_TARGET_AVX512
ZW_INLINE uint64_t sum_both(const struct zmm_sums *l)
{
	__m512i mixed = _mm512_add_epi32(_mm512_unpacklo_epi32(l->plain, l->products), _mm512_unpackhi_epi32(l->plain, l->products));
	__m256i half = _mm256_add_epi32(_mm512_castsi512_si256(mixed), _mm512_extracti64x4_epi64(mixed, 1));
	__m128i quarter = _mm_add_epi32(_mm256_castsi256_si128(half), _mm256_extracti128_si256(half, 1));

	return (uint64_t)_mm_cvtsi128_si64(_mm_add_epi32(quarter, _mm_unpackhi_epi64(quarter, quarter)));
}

/* At most HALF_BYTES.  The byte at place i of n counts n - i times in b: together n times the sum, less the products. */
ZW_TARGET_AVX512
ZW_INLINE uint32_t adler_of_half(uint32_t adler, struct zw_bytes bytes, size_t len_bytes, bool copy)
{
	struct zmm_sums l = { _mm512_setzero_si512(), _mm512_setzero_si512() };
	uint32_t a = adler & 0xffff, b = adler >> 16;
	uint64_t both;

	add_half(&l, bytes, 0, len_bytes, copy);
	both = sum_both(&l);
	a += (uint32_t)both;
	b = (b + (uint32_t)len_bytes * a - (uint32_t)(both >> 32)) % ADLER_BASE;
	return b << 16 | (a < ADLER_BASE ? a : a - ADLER_BASE);
}

/* More, up to SHORT_MAX_BYTES: the same, with places counted from the start of the last half. */
ZW_TARGET_AVX512
ZW_INLINE uint32_t adler_of_halves(uint32_t adler, struct zw_bytes bytes, size_t len_bytes, bool copy)
{
	struct zmm_sums l = { _mm512_setzero_si512(), _mm512_setzero_si512() };
	uint32_t a = adler & 0xffff, b = adler >> 16;
	size_t at = 0;
	uint64_t both;

	for (; len_bytes - at > HALF_BYTES; at += HALF_BYTES) {
		add_block(&l, zw_zmm_load(bytes, at, copy), counting);
		add_block(&l, zw_zmm_load(bytes, at + BLOCK_BYTES, copy), counting + BLOCK_BYTES);
		l.products = _mm512_sub_epi32(l.products, _mm512_slli_epi32(l.plain, HALF_LOG2));
	}
	add_half(&l, bytes, at, len_bytes - at, copy);
	both = sum_both(&l);
	b += (uint32_t)len_bytes * a + (uint32_t)(len_bytes - at) * (uint32_t)both - (uint32_t)(both >> 32);
	a += (uint32_t)both;
	return b % ADLER_BASE << 16 | a % ADLER_BASE;
}

/* The sums of a run, in lanes.  A group has two halves, of 128 bytes; products are those with 0..127 by the block's place. */
struct zmm_lanes { __m512i first, second, first_before, second_before, products[4]; };

ZW_TARGET_AVX512
ZW_INLINE void add_group(struct zmm_lanes *l, __m512i v0, __m512i v1, __m512i v2, __m512i v3)
{
	const __m512i up = _mm512_load_si512(counting), up_more = _mm512_load_si512(counting + BLOCK_BYTES);
	const __m512i ones = _mm512_set1_epi8(1);

	l->first_before = _mm512_add_epi32(l->first_before, l->first);
	l->second_before = _mm512_add_epi32(l->second_before, l->second);
	l->first = _mm512_dpbusd_epi32(_mm512_dpbusd_epi32(l->first, v0, ones), v1, ones);
	l->second = _mm512_dpbusd_epi32(_mm512_dpbusd_epi32(l->second, v2, ones), v3, ones);
	l->products[0] = _mm512_dpbusd_epi32(l->products[0], v0, up);
	l->products[1] = _mm512_dpbusd_epi32(l->products[1], v1, up_more);
	l->products[2] = _mm512_dpbusd_epi32(l->products[2], v2, up);
	l->products[3] = _mm512_dpbusd_epi32(l->products[3], v3, up_more);
}

/* Adds the lanes to s.  A byte counts in b once for each byte from it to the end: 256 - i in the first half of its group, 128 - i in
 * the second, and 256 for each group behind it; less the zeros at the end. */
ZW_TARGET_AVX512
ZW_INLINE void add_lanes(struct zw_adler_sums *s, const struct zmm_lanes *l, size_t len_bytes)
{
	const __m512i low = _mm512_set1_epi64(0xffffffff);
	__m512i before = _mm512_add_epi32(_mm512_add_epi32(l->first_before, l->second_before), l->first);
	__m512i plain = _mm512_add_epi32(l->first, l->second);
	__m512i more = _mm512_add_epi32(_mm512_slli_epi32(before, GROUP_LOG2), _mm512_slli_epi32(l->second, HALF_LOG2));
	uint64_t pad = (0 - (uint64_t)len_bytes) % GROUP_BYTES, both, plain_sum;

	more = _mm512_sub_epi32(_mm512_sub_epi32(more, l->products[0]), l->products[1]);
	more = _mm512_sub_epi32(_mm512_sub_epi32(more, l->products[2]), l->products[3]);
	more = _mm512_add_epi64(_mm512_and_si512(more, low), _mm512_srli_epi64(more, 32));
	plain = _mm512_add_epi32(plain, _mm512_srli_epi64(plain, 32));
	both = (uint64_t)_mm512_reduce_add_epi64(_mm512_add_epi64(more, _mm512_slli_epi64(plain, PLAIN_SHIFT)));
	plain_sum = both >> PLAIN_SHIFT;
	both &= (UINT64_C(1) << PLAIN_SHIFT) - 1;
	s->b = zw_adler_modulo(s->b + len_bytes * (uint64_t)s->a + both - pad * plain_sum);
	s->a = (s->a + (uint32_t)plain_sum) % ADLER_BASE;
}

/* More than that. */
ZW_TARGET_AVX512
ZW_INLINE uint32_t adler_of_groups(uint32_t adler, struct zw_bytes bytes, size_t len_bytes, bool copy)
{
	const __m512i zero = _mm512_setzero_si512();
	struct zw_adler_sums s = { adler & 0xffff, adler >> 16 };
	size_t at = 0, left;

	for (;;) {
		struct zmm_lanes l = { zero, zero, zero, zero, { zero, zero, zero, zero } };
		size_t begin = at;
		__m512i v0, v1 = zero, v2 = zero, v3 = zero;

		left = len_bytes - at < RUN_BYTES ? len_bytes - at : RUN_BYTES;
		for (; left >= GROUP_BYTES; left -= GROUP_BYTES, at += GROUP_BYTES)
			add_group(&l, zw_zmm_load(bytes, at, copy), zw_zmm_load(bytes, at + BLOCK_BYTES, copy),
				  zw_zmm_load(bytes, at + 2 * BLOCK_BYTES, copy), zw_zmm_load(bytes, at + 3 * BLOCK_BYTES, copy));
		if (left) {
			v0 = zw_zmm_load_last(bytes, at, left, copy);
			if (left > BLOCK_BYTES)
				v1 = zw_zmm_load_last(bytes, at + BLOCK_BYTES, left - BLOCK_BYTES, copy);
			if (left > 2 * BLOCK_BYTES)
				v2 = zw_zmm_load_last(bytes, at + 2 * BLOCK_BYTES, left - 2 * BLOCK_BYTES, copy);
			if (left > 3 * BLOCK_BYTES)
				v3 = zw_zmm_load_last(bytes, at + 3 * BLOCK_BYTES, left - 3 * BLOCK_BYTES, copy);
			add_group(&l, v0, v1, v2, v3);
			at += left;
		}
		add_lanes(&s, &l, at - begin);
		if (at == len_bytes)
			return zw_adler_join(s);
	}
}

/* Functions of their own, so that a short message does not save the registers that they need. */
ZW_TARGET_AVX512
static ZW_NOINLINE uint32_t adler_of_more(uint32_t adler, const uint8_t *p, size_t len_bytes)
{
	struct zw_bytes bytes = { NULL, p };

	return len_bytes <= SHORT_MAX_BYTES ? adler_of_halves(adler, bytes, len_bytes, false) : adler_of_groups(adler, bytes, len_bytes, false);
}

ZW_TARGET_AVX512
static ZW_NOINLINE uint32_t adler_of_more_copy(uint32_t adler, uint8_t *dst, const uint8_t *src, size_t len_bytes)
{
	struct zw_bytes bytes = { dst, src };

	return len_bytes <= SHORT_MAX_BYTES ? adler_of_halves(adler, bytes, len_bytes, true) : adler_of_groups(adler, bytes, len_bytes, true);
}

ZW_TARGET_AVX512
uint32_t zw_adler32_avx512(uint32_t adler, const uint8_t *p, size_t len_bytes)
{
	struct zw_bytes bytes = { NULL, p };

	return len_bytes <= HALF_BYTES ? adler_of_half(adler, bytes, len_bytes, false) : adler_of_more(adler, p, len_bytes);
}

ZW_TARGET_AVX512
uint32_t zw_adler32_copy_avx512(uint32_t adler, uint8_t *dst, const uint8_t *src, size_t len_bytes)
{
	struct zw_bytes bytes = { dst, src };

	return len_bytes <= HALF_BYTES ? adler_of_half(adler, bytes, len_bytes, true) : adler_of_more_copy(adler, dst, src, len_bytes);
}
#endif
