/* SPDX-License-Identifier: Zlib */
/* crc32_x86_avx512.c - CRC-32 with carry-less multiplication and masked loads, 256 bytes a step; crc32_fold.h explains folding.
 * Takes: the value so far and bytes.  Gives: the new value.  Never: reads or writes beyond len_bytes.
 *
 * The last block of a message is filled up with zeros, and the constants that it is multiplied by at the end take back what
 * the zeros did (zw_crc32_end_row()): no length needs a tail. */
#include "cpu/kernel_functions.h"

#include "checksum/crc32_fold.h"
#include "checksum/x86_avx512.h"

#include "base/arch.h"

#if ZW_ARCH_X86

#define BLOCK_BYTES 64u
#define QUAD_BYTES (4 * BLOCK_BYTES)
#define XOR_OF_THREE   0x96                  /* truth tables */
#define NOT_XOR_OF_TWO 0xc3

ZW_TARGET_AVX512
ZW_INLINE __m512i fold_zmm(__m512i a, __m512i k, __m512i there)
{
	return _mm512_ternarylogic_epi64(_mm512_clmulepi64_epi128(a, k, 0x00), _mm512_clmulepi64_epi128(a, k, 0x11), there, XOR_OF_THREE);
}

ZW_TARGET_AVX512
ZW_INLINE __m512i fold_constant_zmm(const uint64_t *two)
{
	return _mm512_broadcast_i32x4(zw_vector_load(two));
}

/* The four bytes at the start of a message that the CRC so far is added to, complemented: the register. */
ZW_TARGET_AVX512
ZW_INLINE __m128i add_start(__m128i first, uint32_t crc)
{
	return _mm_ternarylogic_epi32(first, _mm_cvtsi32_si128((int)crc), _mm_cvtsi32_si128(-1), XOR_OF_THREE);
}

/* zw_fold_divide() and the complement, in one chain of three instructions. */
ZW_TARGET_AVX512
ZW_INLINE uint32_t divide_to_crc(__m128i products)
{
	const __m128i barrett = zw_vector_load(zw_crc32_fold.barrett);
	__m128i q = _mm_clmulepi64_si128(_mm_clmulepi64_si128(products, barrett, 0x00), barrett, 0x10);

	return (uint32_t)_mm_extract_epi32(_mm_ternarylogic_epi32(products, q, q, NOT_XOR_OF_TWO), 2);
}

/* At most 16 bytes. */
ZW_TARGET_AVX512
ZW_INLINE uint32_t crc_of_vector(uint32_t crc, struct zw_bytes bytes, size_t len_bytes, bool copy)
{
	__mmask16 mask = (__mmask16)_bzhi_u32(0xffff, (unsigned)len_bytes);
	__m128i   k = zw_vector_load(zw_crc32_end_row(16 - len_bytes) + CRC32_END_WORDS - 2);
	__m128i   v = _mm_maskz_loadu_epi8(mask, bytes.src);

	if (copy)
		_mm_mask_storeu_epi8(bytes.dst, mask, v);
	v = add_start(v, crc);
	return divide_to_crc(_mm_xor_si128(_mm_clmulepi64_si128(v, k, 0x00), _mm_clmulepi64_si128(v, k, 0x11)));
}

/* The CRC from the last block of a message, of which pad_bytes at the end are zeros that are not part of it. */
ZW_TARGET_AVX512
ZW_INLINE uint32_t end_block(__m512i last, size_t pad_bytes)
{
	__m512i products = fold_zmm(last, _mm512_loadu_si512(zw_crc32_end_row(pad_bytes)), _mm512_setzero_si512());
	__m256i half = _mm256_xor_si256(_mm512_castsi512_si256(products), _mm512_extracti64x4_epi64(products, 1));

	return divide_to_crc(_mm_xor_si128(_mm256_castsi256_si128(half), _mm256_extracti128_si256(half, 1)));
}

/* At most QUAD_BYTES: each block is folded to the last one at once. */
ZW_TARGET_AVX512
ZW_INLINE uint32_t crc_of_blocks(uint32_t crc, struct zw_bytes bytes, size_t len_bytes, bool copy)
{
	const size_t last = (len_bytes - 1) / BLOCK_BYTES * BLOCK_BYTES;
	const uint64_t *k = zw_crc32_fold.by_blocks[CRC32_BLOCKS - last / BLOCK_BYTES];
	__m512i start = _mm512_zextsi128_si512(add_start(_mm_setzero_si128(), crc));
	__m512i sum = zw_zmm_load_last(bytes, last, len_bytes - last, copy);

	if (!last)
		return end_block(_mm512_xor_si512(sum, start), BLOCK_BYTES - len_bytes);
	sum = fold_zmm(_mm512_xor_si512(start, zw_zmm_load(bytes, 0, copy)), fold_constant_zmm(k), sum);
	for (size_t at = BLOCK_BYTES; at < last; at += BLOCK_BYTES) {
		k += 2;
		sum = fold_zmm(zw_zmm_load(bytes, at, copy), fold_constant_zmm(k), sum);
	}
	return end_block(sum, last + BLOCK_BYTES - len_bytes);
}

/* The four bytes of add_start() alone, moved blocks on. */
ZW_TARGET_AVX512
ZW_INLINE __m512i move_start(__m128i start, size_t blocks)
{
	return _mm512_zextsi128_si512(_mm_clmulepi64_si128(start, _mm_cvtsi64_si128((long long)zw_crc32_starts[blocks]), 0x00));
}

/* More than QUAD_BYTES: four sums, each of every fourth block, which all go to the last block then.  How far depends on the number of
 * blocks.
 * SPEED(M36): a call begins with the result of the one before.  With the first block it would go through all steps of that sum and
 * hold up a short message from its beginning; so it goes to the last block by itself.
 * SPEED(M48): whole quads end with their fourth sum, and a whole last block is loaded without a mask. */
ZW_TARGET_AVX512
ZW_INLINE uint32_t crc_of_quads(uint32_t crc, struct zw_bytes bytes, size_t len_bytes, bool copy)
{
	const __m512i k256 = fold_constant_zmm(zw_crc32_fold.by_blocks[0]);
	const size_t end = len_bytes / QUAD_BYTES * QUAD_BYTES, last = (len_bytes - 1) / BLOCK_BYTES * BLOCK_BYTES, odd = last % QUAD_BYTES;
	const bool start_alone = last < CRC32_START_BLOCKS * BLOCK_BYTES;
	const __m128i start = add_start(_mm_setzero_si128(), crc);
	__m512i a = zw_zmm_load(bytes, 0, copy), b = zw_zmm_load(bytes, BLOCK_BYTES, copy);
	__m512i c = zw_zmm_load(bytes, 2 * BLOCK_BYTES, copy), d = zw_zmm_load(bytes, 3 * BLOCK_BYTES, copy);
	const uint64_t *k;
	__m512i sum;
	size_t at = QUAD_BYTES;

	if (!start_alone)
		a = _mm512_xor_si512(a, _mm512_zextsi128_si512(start));
	for (; at < end; at += QUAD_BYTES) {
		if (copy)
			zw_fold_ask_ahead(bytes.src + at, QUAD_BYTES);
		a = fold_zmm(a, k256, zw_zmm_load(bytes, at, copy));
		b = fold_zmm(b, k256, zw_zmm_load(bytes, at + BLOCK_BYTES, copy));
		c = fold_zmm(c, k256, zw_zmm_load(bytes, at + 2 * BLOCK_BYTES, copy));
		d = fold_zmm(d, k256, zw_zmm_load(bytes, at + 3 * BLOCK_BYTES, copy));
	}
	if (at == len_bytes) {
		sum = fold_zmm(a, fold_constant_zmm(zw_crc32_fold.by_blocks[1]), d);
		sum = fold_zmm(b, fold_constant_zmm(zw_crc32_fold.by_blocks[2]), sum);
		sum = fold_zmm(c, fold_constant_zmm(zw_crc32_fold.by_blocks[3]), sum);
	} else {
		if (odd) {
			a = fold_zmm(a, k256, zw_zmm_load(bytes, at, copy));
			if (odd > BLOCK_BYTES)
				b = fold_zmm(b, k256, zw_zmm_load(bytes, at + BLOCK_BYTES, copy));
			if (odd > 2 * BLOCK_BYTES)
				c = fold_zmm(c, k256, zw_zmm_load(bytes, at + 2 * BLOCK_BYTES, copy));
		}
		k = zw_crc32_fold.by_blocks[(0 - odd / BLOCK_BYTES) % CRC32_BLOCKS];
		sum = len_bytes % BLOCK_BYTES ? zw_zmm_load_last(bytes, last, len_bytes - last, copy) : zw_zmm_load(bytes, last, copy);
		sum = fold_zmm(a, fold_constant_zmm(k), sum);
		sum = fold_zmm(b, fold_constant_zmm(k + 2), sum);
		sum = fold_zmm(c, fold_constant_zmm(k + 4), sum);
		sum = fold_zmm(d, fold_constant_zmm(k + 6), sum);
	}
	if (start_alone)
		sum = _mm512_xor_si512(sum, move_start(start, last / BLOCK_BYTES));
	return end_block(sum, last + BLOCK_BYTES - len_bytes);
}

ZW_TARGET_AVX512
ZW_INLINE uint32_t crc_avx512_body(uint32_t crc, uint8_t *dst, const uint8_t *src, size_t len_bytes, bool copy)
{
	struct zw_bytes bytes = { dst, src };

	if (len_bytes <= 16)
		return crc_of_vector(crc, bytes, len_bytes, copy);
	return len_bytes <= QUAD_BYTES ? crc_of_blocks(crc, bytes, len_bytes, copy) : crc_of_quads(crc, bytes, len_bytes, copy);
}

ZW_TARGET_AVX512
uint32_t zw_crc32_avx512(uint32_t crc, const uint8_t *p, size_t len_bytes)
{
	return crc_avx512_body(crc, NULL, p, len_bytes, false);
}

ZW_TARGET_AVX512
uint32_t zw_crc32_copy_avx512(uint32_t crc, uint8_t *dst, const uint8_t *src, size_t len_bytes)
{
	return crc_avx512_body(crc, dst, src, len_bytes, true);
}
#endif
