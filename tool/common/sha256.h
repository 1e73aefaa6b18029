/* SPDX-License-Identifier: Zlib */
/* sha256.h - SHA-256 (FIPS 180-4) of a block of memory, which names a file so that a result can be checked later. */
#ifndef ZW_TOOL_COMMON_SHA256_H
#define ZW_TOOL_COMMON_SHA256_H

#include <stddef.h>

#define SHA256_TEXT_BYTES 65                 /* 64 hexadecimal digits and a zero */

void zw_sha256_text(const void *data, size_t size_bytes, char text_ret[static SHA256_TEXT_BYTES]);

#endif
