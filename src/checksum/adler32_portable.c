/* SPDX-License-Identifier: Zlib */
/* adler32_portable.c - Adler-32 in plain C, eight bytes a step.
 * Takes: the value so far and bytes.  Gives: the new value.  Never: reads or writes beyond len_bytes. */
#include "cpu/kernel_functions.h"

#include "checksum/adler32_inline.h"

ZW_INLINE void add_run_portable(struct zw_adler_sums *s, uint8_t *ZW_RESTRICT dst, const uint8_t *ZW_RESTRICT src, size_t run_bytes,
				bool copy)
{
	zw_adler_bytes(s, dst, src, run_bytes, copy);
}

uint32_t zw_adler32_portable(uint32_t adler, const uint8_t *p, size_t len_bytes)
{
	return zw_adler_by_runs(adler, NULL, p, len_bytes, 8, add_run_portable, false);
}

uint32_t zw_adler32_copy_portable(uint32_t adler, uint8_t *dst, const uint8_t *src, size_t len_bytes)
{
	return zw_adler_by_runs(adler, dst, src, len_bytes, 8, add_run_portable, true);
}
