/* SPDX-License-Identifier: Zlib */
/* zlib_write.h - the zlib header (RFC 1950 2.2): small enough to be made whole. */
#ifndef ZW_WRAP_ZLIB_WRITE_H
#define ZW_WRAP_ZLIB_WRITE_H

#include "base/bytes.h"
#include "base/rfc.h"

#include <stddef.h>
#include <stdint.h>

#define ZLIB_HEADER_MAX_BYTES 6u             /* with DICTID */

/* flevel: 0 fastest .. 3 smallest.  Fills header and returns its length: 2, or 6 when dictionary is not NULL: then the
 * Adler-32 it points to follows. */
ZW_INLINE size_t zw_zlib_header(uint8_t header[ZLIB_HEADER_MAX_BYTES], unsigned window_log2, unsigned flevel,
				const uint32_t *dictionary)
{
	unsigned cmf = ZLIB_METHOD_DEFLATE | (window_log2 - 8) << 4;
	unsigned flg = flevel << 6 | (dictionary ? ZLIB_FLAG_DICTIONARY : 0);

	flg += 31 - (cmf << 8 | flg) % 31;       /* FCHECK */
	header[0] = (uint8_t)cmf;
	header[1] = (uint8_t)flg;
	if (!dictionary)
		return ZLIB_HEADER_BYTES;
	zw_store_be32(header + 2, *dictionary);
	return ZLIB_HEADER_MAX_BYTES;
}

#endif
