/* SPDX-License-Identifier: Zlib */
/* wrong_libz.c - a libz that inflates long bodies with one wrong byte, for the test of zwire bench, which must find it.
 * Everything else goes to the true library TRUE_LIBZ, whose name must not look like a libz's, or the proof of what runs fails.
 * With WRONG_AFTER_ANOTHER the byte is wrong only where the stream before gave another number of bytes. */
#include <dlfcn.h>
#include <zlib.h>

#define RIGHT_MAX_BYTES 4096
#ifndef WRONG_AFTER_ANOTHER
#define WRONG_AFTER_ANOTHER 0
#endif

static void *find(const char *name)
{
	static void *handle;

	if (!handle)
		handle = dlopen(TRUE_LIBZ, RTLD_NOW | RTLD_LOCAL);
	return handle ? dlsym(handle, name) : NULL;
}

const char *zlibVersion(void)
{
	return ((const char *(*)(void))find("zlibVersion"))();
}

int deflateInit2_(z_streamp stream, int level, int method, int bits, int mem_level, int strategy, const char *version, int size)
{
	int (*call)(z_streamp, int, int, int, int, int, const char *, int) =
		(int (*)(z_streamp, int, int, int, int, int, const char *, int))find("deflateInit2_");

	return call(stream, level, method, bits, mem_level, strategy, version, size);
}

int inflateInit2_(z_streamp stream, int bits, const char *version, int size)
{
	return ((int (*)(z_streamp, int, const char *, int))find("inflateInit2_"))(stream, bits, version, size);
}

int deflate(z_streamp stream, int flush) { return ((int (*)(z_streamp, int))find("deflate"))(stream, flush); }
int deflateEnd(z_streamp stream)         { return ((int (*)(z_streamp))find("deflateEnd"))(stream); }
int inflateEnd(z_streamp stream)         { return ((int (*)(z_streamp))find("inflateEnd"))(stream); }

int inflate(z_streamp stream, int flush)
{
	int code = ((int (*)(z_streamp, int))find("inflate"))(stream, flush);

	if (code == Z_STREAM_END) {
		static unsigned long last_bytes;

		if (stream->total_out > RIGHT_MAX_BYTES && (!WRONG_AFTER_ANOTHER || stream->total_out != last_bytes))
			stream->next_out[-1] ^= 1;
		last_bytes = stream->total_out;
	}
	return code;
}
