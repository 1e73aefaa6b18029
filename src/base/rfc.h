/* SPDX-License-Identifier: Zlib */
/* rfc.h - the numbers of RFC 1950 (zlib), RFC 1951 (DEFLATE) and RFC 1952 (gzip), each with its section. */
#ifndef ZW_BASE_RFC_H
#define ZW_BASE_RFC_H

/* RFC 1951 3.2.3: block types */
#define BLOCK_STORED  0u
#define BLOCK_FIXED   1u
#define BLOCK_DYNAMIC 2u
#define STORED_MAX_BYTES 65535u              /* 3.2.4: LEN is 16 bits */

/* RFC 1951 3.2.5 - 3.2.7: alphabets and limits */
#define LITLEN_SYMBOL_COUNT  286u            /* symbols that may occur */
#define LITLEN_CODE_COUNT    288u            /* codes that the fixed code assigns */
#define DIST_SYMBOL_COUNT     30u
#define DIST_CODE_COUNT       32u
#define PRECODE_SYMBOL_COUNT  19u
#define SYMBOL_END_OF_BLOCK  256u
#define SYMBOL_LENGTH_FIRST  257u
#define LITLEN_CODE_MAX_BITS  15u
#define DIST_CODE_MAX_BITS    15u
#define PRECODE_MAX_BITS       7u
#define LENGTH_EXTRA_MAX_BITS  5u
#define DIST_EXTRA_MAX_BITS   13u
#define MATCH_MIN_BYTES        3u
#define MATCH_MAX_BYTES      258u
#define DISTANCE_MAX_BYTES 32768u
#define WINDOW_MAX_LOG2       15u
#define WINDOW_MIN_LOG2        8u

/* RFC 1950 2.2 */
#define ZLIB_HEADER_BYTES      2u
#define ZLIB_TRAILER_BYTES     4u
#define ZLIB_METHOD_DEFLATE    8u
#define ZLIB_FLAG_DICTIONARY   0x20u

/* RFC 1952 2.3 */
#define GZIP_HEADER_BYTES     10u
#define GZIP_TRAILER_BYTES     8u
#define GZIP_MAGIC_1           0x1fu
#define GZIP_MAGIC_2           0x8bu
#define GZIP_FLAG_TEXT         0x01u
#define GZIP_FLAG_HEADER_CRC   0x02u
#define GZIP_FLAG_EXTRA        0x04u
#define GZIP_FLAG_NAME         0x08u
#define GZIP_FLAG_COMMENT      0x10u
#define GZIP_FLAG_RESERVED     0xe0u
#define GZIP_OS_UNIX           3u

#endif
