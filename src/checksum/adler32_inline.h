/* SPDX-License-Identifier: Zlib */
/* adler32_inline.h - the arithmetic of Adler-32 (RFC 1950 section 8.2) that every kernel shares. */
#ifndef ZW_CHECKSUM_ADLER32_INLINE_H
#define ZW_CHECKSUM_ADLER32_INLINE_H

#include "base/arch.h"
#include "base/check.h"

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ADLER_BASE 65521u                    /* the largest prime below 2^16 */

/* As many bytes as may be summed before a reduction: with both sums below ADLER_BASE at the start and every byte 255,
 * the second one must still fit 32 bits. */
#define ADLER_RUN_MAX_BYTES 5552u
static_assert(UINT64_C(255) * ADLER_RUN_MAX_BYTES * (ADLER_RUN_MAX_BYTES + 1) / 2 +
	      (ADLER_RUN_MAX_BYTES + UINT64_C(1)) * (ADLER_BASE - 1) <= UINT32_MAX, "a run does not overflow");

struct zw_adler_sums { uint32_t a, b; };     /* a: 1 + sum of the bytes; b: sum of all values of a */

ZW_INLINE struct zw_adler_sums zw_adler_split(uint32_t adler)
{
	struct zw_adler_sums s = { (adler & 0xffff) % ADLER_BASE, (adler >> 16) % ADLER_BASE };

	return s;
}

ZW_INLINE void zw_adler_reduce(struct zw_adler_sums *s)
{
	s->a %= ADLER_BASE;
	s->b %= ADLER_BASE;
}

/* v % ADLER_BASE for v below 2^48 in one multiplication for the quotient: the factor is too large by less than ADLER_BASE / 2^64, so the
 * quotient would be wrong only from 2^64 / ADLER_BASE on. */
ZW_INLINE uint32_t zw_adler_modulo(uint64_t v)
{
	const uint64_t factor = UINT64_MAX / ADLER_BASE + 1;
	uint64_t quotient = (uint64_t)((unsigned __int128)v * factor >> 64);

	ZW_ASSERT(v < UINT64_C(1) << 48);
	return (uint32_t)(v - quotient * ADLER_BASE);
}

ZW_INLINE uint32_t zw_adler_join(struct zw_adler_sums s)
{
	return s.b << 16 | s.a;
}

/* len_bytes <= ADLER_RUN_MAX_BYTES bytes, one by one, without a reduction; also copies them when copy (a constant in each
 * caller) is true. */
ZW_INLINE void zw_adler_bytes(struct zw_adler_sums *s, uint8_t *ZW_RESTRICT dst, const uint8_t *ZW_RESTRICT src,
			      size_t len_bytes, bool copy)
{
	for (size_t i = 0; i < len_bytes; i++) {
		if (copy)
			dst[i] = src[i];
		s->a += src[i];
		s->b += s->a;
	}
}

#endif
