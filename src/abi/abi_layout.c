/* SPDX-License-Identifier: Zlib */
/* abi_layout.c - what a program compiled against zlib's own header counts on, checked when this library is built.
 * Offsets are in bytes on a machine with 64-bit pointers and longs; elsewhere the order of the members decides. */
#include "zlib.h"

#include <assert.h>
#include <stddef.h>

#define LP64 (sizeof(void *) == 8 && sizeof(long) == 8)
#define AT(type, member, offset) static_assert(!LP64 || offsetof(type, member) == (offset), #type "." #member " has moved")

AT(z_stream, next_in,     0);
AT(z_stream, avail_in,    8);
AT(z_stream, total_in,   16);
AT(z_stream, next_out,   24);
AT(z_stream, avail_out,  32);
AT(z_stream, total_out,  40);
AT(z_stream, msg,        48);
AT(z_stream, state,      56);
AT(z_stream, zalloc,     64);
AT(z_stream, zfree,      72);
AT(z_stream, opaque,     80);
AT(z_stream, data_type,  88);
AT(z_stream, adler,      96);
AT(z_stream, reserved,  104);
static_assert(!LP64 || sizeof(z_stream) == 112, "deflateInit_() and inflateInit_() are given this size");

AT(gz_header, text,       0);
AT(gz_header, time,       8);
AT(gz_header, xflags,    16);
AT(gz_header, os,        20);
AT(gz_header, extra,     24);
AT(gz_header, extra_len, 32);
AT(gz_header, extra_max, 36);
AT(gz_header, name,      40);
AT(gz_header, name_max,  48);
AT(gz_header, comment,   56);
AT(gz_header, comm_max,  64);
AT(gz_header, hcrc,      68);
AT(gz_header, done,      72);
static_assert(!LP64 || sizeof(gz_header) == 80, "gz_header has another size");

/* The gzgetc() macro reaches into these three. */
AT(struct gzFile_s, have, 0);
AT(struct gzFile_s, next, 8);
AT(struct gzFile_s, pos, 16);
static_assert(!LP64 || sizeof(struct gzFile_s) == 24, "gzFile_s has another size");

static_assert(Z_NO_FLUSH == 0 && Z_PARTIAL_FLUSH == 1 && Z_SYNC_FLUSH == 2 && Z_FULL_FLUSH == 3 && Z_FINISH == 4 &&
	      Z_BLOCK == 5 && Z_TREES == 6, "flush values");
static_assert(Z_OK == 0 && Z_STREAM_END == 1 && Z_NEED_DICT == 2 && Z_ERRNO == -1 && Z_STREAM_ERROR == -2 &&
	      Z_DATA_ERROR == -3 && Z_MEM_ERROR == -4 && Z_BUF_ERROR == -5 && Z_VERSION_ERROR == -6, "return codes");
static_assert(Z_NO_COMPRESSION == 0 && Z_BEST_SPEED == 1 && Z_BEST_COMPRESSION == 9 && Z_DEFAULT_COMPRESSION == -1, "levels");
static_assert(Z_FILTERED == 1 && Z_HUFFMAN_ONLY == 2 && Z_RLE == 3 && Z_FIXED == 4 && Z_DEFAULT_STRATEGY == 0, "strategies");
static_assert(Z_BINARY == 0 && Z_TEXT == 1 && Z_ASCII == 1 && Z_UNKNOWN == 2 && Z_DEFLATED == 8, "data types and method");
static_assert(MAX_WBITS == 15 && MAX_MEM_LEVEL == 9, "limits");
static_assert(ZLIB_VERNUM == 0x1320, "version");
static_assert(sizeof(z_off_t) == sizeof(off_t) && sizeof(z_size_t) == sizeof(size_t) && sizeof(uInt) == 4 &&
	      sizeof(uLong) == sizeof(long), "sizes of the types");
