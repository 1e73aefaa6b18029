/* SPDX-License-Identifier: Zlib */
/* adler32_inline.h - the arithmetic of Adler-32 (RFC 1950 section 8.2) that every kernel shares. */
#ifndef ZW_CHECKSUM_ADLER32_INLINE_H
#define ZW_CHECKSUM_ADLER32_INLINE_H

#include "base/arch.h"
#include "base/bytes.h"
#include "base/check.h"

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ADLER_BASE 65521u                    /* the largest prime below 2^16 */

/* As many bytes as may be summed before a reduction: with both sums of any 16 bits at the start and every byte 255, the second one
 * must still fit 32 bits. */
#define ADLER_RUN_MAX_BYTES 5552u
static_assert(UINT64_C(255) * ADLER_RUN_MAX_BYTES * (ADLER_RUN_MAX_BYTES + 1) / 2 +
	      (ADLER_RUN_MAX_BYTES + UINT64_C(1)) * UINT16_MAX <= UINT32_MAX, "a run does not overflow");
static_assert(ADLER_RUN_MAX_BYTES % 8 == 0, "full runs of the portable kernel have no odd bytes");

struct zw_adler_sums { uint32_t a, b; };     /* a: 1 + sum of the bytes; b: sum of all values of a */

ZW_INLINE void zw_adler_reduce(struct zw_adler_sums *s)
{
	s->a %= ADLER_BASE;
	s->b %= ADLER_BASE;
}

#if ZW_HAS_INT128
/* v % ADLER_BASE for v below 2^48 in one multiplication for the quotient: the factor is too large by less than ADLER_BASE / 2^64, so the
 * quotient would be wrong only from 2^64 / ADLER_BASE on. */
ZW_INLINE uint32_t zw_adler_modulo(uint64_t v)
{
	const uint64_t factor = UINT64_MAX / ADLER_BASE + 1;
	uint64_t quotient = (uint64_t)((unsigned __int128)v * factor >> 64);

	ZW_ASSERT(v < UINT64_C(1) << 48);
	return (uint32_t)(v - quotient * ADLER_BASE);
}
#else
ZW_INLINE uint32_t zw_adler_modulo(uint64_t v) { return (uint32_t)(v % ADLER_BASE); }
#endif

ZW_INLINE uint32_t zw_adler_join(struct zw_adler_sums s)
{
	return s.b << 16 | s.a;
}

/* Eight bytes at once: each byte counts in b as often as there are bytes from it to the end of the eight. */
ZW_INLINE void zw_adler_eight(struct zw_adler_sums *s, const uint8_t *p)
{
	uint32_t first = (uint32_t)p[0] + p[1] + p[2] + p[3], second = (uint32_t)p[4] + p[5] + p[6] + p[7];

	s->b += 8 * s->a + 8u * p[0] + 7u * p[1] + 6u * p[2] + 5u * p[3] + 4u * p[4] + 3u * p[5] + 2u * p[6] + p[7];
	s->a += first + second;
}

/* len_bytes <= ADLER_RUN_MAX_BYTES bytes without a reduction; also copies them when copy (a constant in each caller) is true. */
ZW_INLINE void zw_adler_bytes(struct zw_adler_sums *s, uint8_t *ZW_RESTRICT dst, const uint8_t *ZW_RESTRICT src,
			      size_t len_bytes, bool copy)
{
	size_t at = 0;

	for (; len_bytes - at >= 8; at += 8) {
		zw_adler_eight(s, src + at);
		if (copy)
			zw_store_le64(dst + at, zw_load_le64(src + at));
	}
	for (; at < len_bytes; at++) {
		if (copy)
			dst[at] = src[at];
		s->a += src[at];
		s->b += s->a;
	}
}

/* Adds run_bytes, a multiple of the kernel's group and at most ADLER_RUN_MAX_BYTES, to s without a reduction. */
typedef void zw_adler_add_run(struct zw_adler_sums *s, uint8_t *ZW_RESTRICT dst, const uint8_t *ZW_RESTRICT src, size_t run_bytes,
			      bool copy);

/* The Adler-32 of a kernel that adds whole groups; group_bytes, add_run and copy are constants in each caller. */
ZW_INLINE uint32_t zw_adler_by_runs(uint32_t adler, uint8_t *ZW_RESTRICT dst, const uint8_t *ZW_RESTRICT src, size_t len_bytes,
				    size_t group_bytes, zw_adler_add_run *add_run, bool copy)
{
	struct zw_adler_sums s = { adler & 0xffff, adler >> 16 };

	while (len_bytes >= group_bytes) {
		size_t run = len_bytes < ADLER_RUN_MAX_BYTES ? len_bytes : ADLER_RUN_MAX_BYTES;

		run -= run % group_bytes;
		add_run(&s, dst, src, run, copy);
		zw_adler_reduce(&s);
		len_bytes -= run;
		src += run;
		if (copy)
			dst += run;
	}
	zw_adler_bytes(&s, dst, src, len_bytes, copy);
	zw_adler_reduce(&s);
	return zw_adler_join(s);
}

#endif
