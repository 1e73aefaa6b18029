/* SPDX-License-Identifier: Zlib */
/* native_libdeflate.c - libdeflate's own interface.  A compressor belongs to a level and is kept, as its users do. */
#include "bench/native.h"

#include <assert.h>
#include <string.h>

#define LIBDEFLATE_LEVEL_MAX 12

struct libdeflate_compressor;
struct libdeflate_decompressor;

typedef size_t pack_function(struct libdeflate_compressor *, const void *in, size_t in_bytes, void *out, size_t out_max_bytes);
typedef int unpack_function(struct libdeflate_decompressor *, const void *in, size_t in_bytes, void *out, size_t out_max_bytes,
			    size_t *out_bytes_ret);

static const char *const names[] = {
	"libdeflate_alloc_compressor", "libdeflate_alloc_decompressor",
	"libdeflate_gzip_compress", "libdeflate_zlib_compress", "libdeflate_deflate_compress",
	"libdeflate_gzip_decompress", "libdeflate_zlib_decompress", "libdeflate_deflate_decompress", NULL
};

/* In the order of names; packs and unpacks in that of enum zw_wire_format. */
static struct {
	struct libdeflate_compressor *(*alloc_compressor)(int level);
	struct libdeflate_decompressor *(*alloc_decompressor)(void);
	pack_function *pack[WIRE_FORMAT_COUNT];
	unpack_function *unpack[WIRE_FORMAT_COUNT];
} library;

static struct libdeflate_compressor *compressors[LIBDEFLATE_LEVEL_MAX + 1];
static struct libdeflate_decompressor *decompressor;

static void take(void *const addresses[])
{
	static_assert(sizeof library == (sizeof names / sizeof names[0] - 1) * sizeof(void *), "one name for each function");
	memcpy(&library, addresses, sizeof library);
}

static size_t pack(int level, enum zw_wire_format format, const uint8_t *in, size_t in_bytes, uint8_t *out, size_t out_max_bytes)
{
	if (level < 0 || level > LIBDEFLATE_LEVEL_MAX)
		return 0;
	if (!compressors[level])
		compressors[level] = library.alloc_compressor(level);
	return compressors[level] ? library.pack[format](compressors[level], in, in_bytes, out, out_max_bytes) : 0;
}

static size_t unpack(enum zw_wire_format format, const uint8_t *in, size_t in_bytes, uint8_t *out, size_t out_max_bytes)
{
	size_t out_bytes = 0;

	if (!decompressor)
		decompressor = library.alloc_decompressor();
	if (!decompressor || library.unpack[format](decompressor, in, in_bytes, out, out_max_bytes, &out_bytes) != 0)
		return 0;
	return out_bytes;
}

const struct zw_native zw_native_libdeflate = { "libdeflate", names, take, pack, unpack };
