/* SPDX-License-Identifier: Zlib */
/* adler32_portable.c - Adler-32 in plain C, eight bytes a step.
 * Takes: the value so far and bytes.  Gives: the new value.  Never: reads or writes beyond len_bytes. */
#include "cpu/kernel_functions.h"

#include "checksum/adler32_inline.h"

#include "base/bytes.h"

/* Eight bytes at once: each byte counts in b as often as there are bytes from it to the end of the group. */
ZW_INLINE void add_eight(struct zw_adler_sums *s, const uint8_t *p)
{
	uint32_t first = (uint32_t)p[0] + p[1] + p[2] + p[3], second = (uint32_t)p[4] + p[5] + p[6] + p[7];

	s->b += 8 * s->a + 8u * p[0] + 7u * p[1] + 6u * p[2] + 5u * p[3] + 4u * p[4] + 3u * p[5] + 2u * p[6] + p[7];
	s->a += first + second;
}

ZW_INLINE uint32_t adler_portable_body(uint32_t adler, uint8_t *ZW_RESTRICT dst, const uint8_t *ZW_RESTRICT src,
				       size_t len_bytes, bool copy)
{
	struct zw_adler_sums s = zw_adler_split(adler);

	while (len_bytes) {
		size_t run = len_bytes < ADLER_RUN_MAX_BYTES ? len_bytes : ADLER_RUN_MAX_BYTES;

		len_bytes -= run;
		for (; run >= 8; run -= 8, src += 8) {
			add_eight(&s, src);
			if (copy) {
				zw_store_le64(dst, zw_load_le64(src));
				dst += 8;
			}
		}
		zw_adler_bytes(&s, dst, src, run, copy);   /* run is 0 except at the end: ADLER_RUN_MAX_BYTES is a multiple of 8 */
		zw_adler_reduce(&s);
	}
	return zw_adler_join(s);
}

static_assert(ADLER_RUN_MAX_BYTES % 8 == 0, "full runs have no odd bytes");

uint32_t zw_adler32_portable(uint32_t adler, const uint8_t *p, size_t len_bytes)
{
	return adler_portable_body(adler, NULL, p, len_bytes, false);
}

uint32_t zw_adler32_copy_portable(uint32_t adler, uint8_t *dst, const uint8_t *src, size_t len_bytes)
{
	return adler_portable_body(adler, dst, src, len_bytes, true);
}
