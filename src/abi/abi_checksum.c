/* SPDX-License-Identifier: Zlib */
/* abi_checksum.c - zlib's checksum calls: argument rules and widths; the arithmetic is in src/checksum/. */
#include "zlib.h"

#include "checksum/combine.h"
#include "checksum/crc32_tables.h"
#include "cpu/kernels.h"

#include <assert.h>
#include <stdint.h>

#define ADLER_BASE 65521u

static_assert(sizeof(z_crc_t) == sizeof(uint32_t), "get_crc_table() hands out our own table");

/* KEEP-STOCK: one byte is added without bringing an out-of-range start value into range first. */
static uint32_t adler_of_one_byte(uint32_t adler, Bytef byte)
{
	uint32_t a = (adler & 0xffff) + byte, b;

	if (a >= ADLER_BASE)
		a -= ADLER_BASE;
	b = (adler >> 16) + a;
	if (b >= ADLER_BASE)
		b -= ADLER_BASE;
	return b << 16 | a;
}

/* Before the first choice of kernels; apart, so that the calls below save no registers for it.  SPEED(M19). */
static ZW_COLD uint32_t adler_by_choice(uint32_t adler, const Bytef *buf, size_t len)
{
	return zw_kernels_choose()->adler32(adler, buf, len);
}

static ZW_COLD uint32_t crc_by_choice(uint32_t crc, const Bytef *buf, size_t len)
{
	return zw_kernels_choose()->crc32(crc, buf, len);
}

/* Two bodies for four functions, since one exported function is not inlined into another.
 * uLong may be 64 bits wide; what is above the 32 that count is ignored, as zlib does. */
ZW_INLINE uLong adler_of_bytes(uLong adler, const Bytef *buf, size_t len)
{
	const struct zw_kernels *k = zw_kernels_chosen();

	if (ZW_UNLIKELY(!buf))
		return 1;
	if (ZW_UNLIKELY(len == 1))
		return adler_of_one_byte((uint32_t)adler, buf[0]);
	return ZW_LIKELY(k) ? k->adler32((uint32_t)adler, buf, len) : adler_by_choice((uint32_t)adler, buf, len);
}

ZW_INLINE uLong crc_of_bytes(uLong crc, const Bytef *buf, size_t len)
{
	const struct zw_kernels *k = zw_kernels_chosen();

	if (ZW_UNLIKELY(!buf))
		return 0;
	return ZW_LIKELY(k) ? k->crc32((uint32_t)crc, buf, len) : crc_by_choice((uint32_t)crc, buf, len);
}

uLong adler32_z(uLong adler, const Bytef *buf, z_size_t len) { return adler_of_bytes(adler, buf, len); }
uLong adler32(uLong adler, const Bytef *buf, uInt len) { return adler_of_bytes(adler, buf, len); }
uLong crc32_z(uLong crc, const Bytef *buf, z_size_t len) { return crc_of_bytes(crc, buf, len); }
uLong crc32(uLong crc, const Bytef *buf, uInt len) { return crc_of_bytes(crc, buf, len); }

const z_crc_t FAR *get_crc_table(void)
{
	return zw_crc32_slices[0];
}

/* A negative length has no meaning; zlib answers with a value that no Adler-32 can have. */
uLong adler32_combine64(uLong adler1, uLong adler2, z_off64_t len2)
{
	if (len2 < 0)
		return 0xffffffffu;
	return zw_adler32_combine((uint32_t)adler1, (uint32_t)adler2, (uint64_t)len2);
}

uLong adler32_combine(uLong adler1, uLong adler2, z_off_t len2)
{
	return adler32_combine64(adler1, adler2, len2);
}

/* 0 is not a power of x, so it can stand for a negative length here and in crc32_combine_op(). */
uLong crc32_combine_gen64(z_off64_t len2)
{
	if (len2 < 0)
		return 0;
	return zw_crc32_operator((uint64_t)len2);
}

uLong crc32_combine_gen(z_off_t len2)
{
	return crc32_combine_gen64(len2);
}

uLong crc32_combine_op(uLong crc1, uLong crc2, uLong op)
{
	if (!(uint32_t)op)
		return 0;
	return zw_crc32_combine((uint32_t)crc1, (uint32_t)crc2, (uint32_t)op);
}

uLong crc32_combine64(uLong crc1, uLong crc2, z_off64_t len2)
{
	return crc32_combine_op(crc1, crc2, crc32_combine_gen64(len2));
}

uLong crc32_combine(uLong crc1, uLong crc2, z_off_t len2)
{
	return crc32_combine64(crc1, crc2, len2);
}
