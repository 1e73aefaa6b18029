/* SPDX-License-Identifier: Zlib */
/* native_zwire.c - zwire_compress(), for the levels that deflate() does not have.  What it writes is decoded by its libz. */
#include "bench/native.h"

#include <assert.h>
#include <limits.h>
#include <string.h>
#include <zlib.h>

static const char *const names[] = { "zwire_compress", "inflateInit2_", "inflate", "inflateEnd", NULL };

/* In the order of names. */
static struct {
	int (*compress)(int level, int format, const void *in, size_t in_bytes, void *out, size_t out_max_bytes, size_t *out_bytes_ret,
			const void *allocator);
	int (*inflate_init)(z_streamp, int window_bits, const char *version, int stream_size);
	int (*inflate)(z_streamp, int flush);
	int (*inflate_end)(z_streamp);
} library;

static const int window_bits[WIRE_FORMAT_COUNT] = { [ZW_FORMAT_GZIP] = 15 + 16, [ZW_FORMAT_ZLIB] = 15, [ZW_FORMAT_RAW] = -15 };

static void take(void *const addresses[])
{
	static_assert(sizeof library == (sizeof names / sizeof names[0] - 1) * sizeof(void *), "one name for each function");
	memcpy(&library, addresses, sizeof library);
}

/* Its formats have the numbers of enum zw_wire_format. */
static size_t pack(int level, enum zw_wire_format format, const uint8_t *in, size_t in_bytes, uint8_t *out, size_t out_max_bytes)
{
	size_t out_bytes = 0;

	return library.compress(level, (int)format, in, in_bytes, out, out_max_bytes, &out_bytes, NULL) == 0 ? out_bytes : 0;
}

static size_t unpack(enum zw_wire_format format, const uint8_t *in, size_t in_bytes, uint8_t *out, size_t out_max_bytes)
{
	z_stream stream;
	int code;

	if (in_bytes > UINT_MAX || out_max_bytes > UINT_MAX)
		return 0;
	memset(&stream, 0, sizeof stream);
	if (library.inflate_init(&stream, window_bits[format], ZLIB_VERSION, (int)sizeof stream) != Z_OK)
		return 0;
	stream.next_in = (z_const Bytef *)(uintptr_t)in;
	stream.avail_in = (uInt)in_bytes;
	stream.next_out = out;
	stream.avail_out = (uInt)out_max_bytes;
	code = library.inflate(&stream, Z_FINISH);
	library.inflate_end(&stream);
	return code == Z_STREAM_END ? stream.total_out : 0;
}

const struct zw_native zw_native_zwire = { "zwire-native", names, take, pack, unpack };
