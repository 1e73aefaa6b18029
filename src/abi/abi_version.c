/* SPDX-License-Identifier: Zlib */
/* abi_version.c - who we are, how we were built, and the names of the error codes. */
#include "zlib.h"

#include "zwire.h"

/* Programs parse this text, so it is exactly what zlib 1.3.2 says; zwire_version() tells the difference. */
const char *zlibVersion(void)
{
	return ZLIB_VERSION;
}

const char *zwire_version(void)
{
	return ZWIRE_VERSION;
}

/* zlib's two-bit code for the size of a type. */
static uLong size_code(size_t bytes)
{
	switch (bytes) {
	case 2:  return 0;
	case 4:  return 1;
	case 8:  return 2;
	default: return 3;
	}
}

/* All other bits say what a build lacks or does differently; this one has everything. */
uLong zlibCompileFlags(void)
{
	return size_code(sizeof(uInt)) | size_code(sizeof(uLong)) << 2 | size_code(sizeof(voidpf)) << 4 |
	       size_code(sizeof(z_off_t)) << 6;
}

/* Programs show and compare these texts. */
const char *zError(int err)
{
	switch (err) {
	case Z_NEED_DICT:     return "need dictionary";
	case Z_STREAM_END:    return "stream end";
	case Z_ERRNO:         return "file error";
	case Z_STREAM_ERROR:  return "stream error";
	case Z_DATA_ERROR:    return "data error";
	case Z_MEM_ERROR:     return "insufficient memory";
	case Z_BUF_ERROR:     return "buffer error";
	case Z_VERSION_ERROR: return "incompatible version";
	default:              return "";     /* Z_OK, and numbers that are not zlib's */
	}
}
