/* SPDX-License-Identifier: Zlib */
/* zlib_read.h - the two bytes of a zlib header (RFC 1950 2.2). */
#ifndef ZW_WRAP_ZLIB_READ_H
#define ZW_WRAP_ZLIB_READ_H

#include "base/arch.h"
#include "base/rfc.h"

#include <stdbool.h>
#include <stdint.h>

#define ZLIB_WINDOW_BASE_LOG2 8u             /* CINFO 0 is a window of 2^8 */

/* cmf and flg as they stand in the stream. */
ZW_INLINE bool zw_zlib_check_bits_good(uint8_t cmf, uint8_t flg)  { return ((unsigned)cmf << 8 | flg) % 31 == 0; }
ZW_INLINE bool zw_zlib_method_good(uint8_t cmf)                   { return (cmf & 15) == ZLIB_METHOD_DEFLATE; }
ZW_INLINE unsigned zw_zlib_window_log2(uint8_t cmf)               { return (cmf >> 4) + ZLIB_WINDOW_BASE_LOG2; }
ZW_INLINE bool zw_zlib_wants_dictionary(uint8_t flg)              { return (flg & ZLIB_FLAG_DICTIONARY) != 0; }

#endif
