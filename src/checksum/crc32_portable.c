/* SPDX-License-Identifier: Zlib */
/* crc32_portable.c - CRC-32 in plain C, 16 bytes a step by table.
 * Takes: the value so far and bytes.  Gives: the new value.  Never: reads or writes beyond len_bytes. */
#include "cpu/kernel_functions.h"

#include "checksum/crc32_inline.h"

uint32_t zw_crc32_portable(uint32_t crc, const uint8_t *p, size_t len_bytes)
{
	return ~zw_crc32_by_table(~crc, NULL, p, len_bytes, false);
}

uint32_t zw_crc32_copy_portable(uint32_t crc, uint8_t *dst, const uint8_t *src, size_t len_bytes)
{
	return ~zw_crc32_by_table(~crc, dst, src, len_bytes, true);
}
