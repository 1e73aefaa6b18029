/* SPDX-License-Identifier: Zlib */
/* peer.h - a zlib as a struct of functions: the system's or ours, so that one test body runs against both.
 * A test that fails on the system's zlib is a wrong test; that is how the tests themselves are proved. */
#ifndef TESTS_LIB_PEER_H
#define TESTS_LIB_PEER_H

#include "zlib.h"

#include <stdbool.h>
#include <stddef.h>

#undef gzgetc                                /* the macro would rewrite the call through the struct */

#define PEER_CHECKSUM_FUNCTIONS(F) \
	F(adler32) F(adler32_z) F(crc32) F(crc32_z) F(adler32_combine) F(crc32_combine) F(crc32_combine_gen) \
	F(crc32_combine_gen64) F(crc32_combine_op) F(adler32_combine64) F(crc32_combine64) F(get_crc_table)

#define PEER_DEFLATE_FUNCTIONS(F) \
	F(deflateInit_) F(deflateInit2_) F(deflate) F(deflateEnd) F(deflateSetDictionary) F(deflateGetDictionary) \
	F(deflateCopy) F(deflateReset) F(deflateResetKeep) F(deflateParams) F(deflateTune) F(deflateBound) \
	F(deflatePending) F(deflatePrime) F(deflateSetHeader) F(compress) F(compress2) F(compressBound)

#define PEER_INFLATE_FUNCTIONS(F) \
	F(inflateInit_) F(inflateInit2_) F(inflate) F(inflateEnd) F(inflateSetDictionary) F(inflateGetDictionary) \
	F(inflateSync) F(inflateCopy) F(inflateReset) F(inflateReset2) F(inflateResetKeep) F(inflatePrime) \
	F(inflateMark) F(inflateGetHeader) F(inflateSyncPoint) F(inflateUndermine) F(inflateValidate) \
	F(inflateCodesUsed) F(inflateBackInit_) F(inflateBack) F(inflateBackEnd) F(uncompress) F(uncompress2)

#define PEER_GZ_FUNCTIONS(F) \
	F(gzopen) F(gzopen64) F(gzdopen) F(gzbuffer) F(gzsetparams) F(gzread) F(gzfread) F(gzwrite) F(gzfwrite) \
	F(gzprintf) F(gzvprintf) F(gzputs) F(gzgets) F(gzputc) F(gzgetc) F(gzgetc_) F(gzungetc) F(gzflush) F(gzseek) \
	F(gzseek64) F(gzrewind) F(gztell) F(gztell64) F(gzoffset) F(gzoffset64) F(gzeof) F(gzdirect) F(gzclose) \
	F(gzclose_r) F(gzclose_w) F(gzerror) F(gzclearerr)

#define PEER_VERSION_FUNCTIONS(F) F(zlibVersion) F(zlibCompileFlags) F(zError)

/* Functions newer than the oldest system we test on; NULL where a library has none. */
#define PEER_NEW_FUNCTIONS(F) \
	F(deflateUsed) F(deflateBound_z) F(compress_z) F(compress2_z) F(compressBound_z) F(uncompress_z) F(uncompress2_z)

#define PEER_MEMBER(function) __typeof__(function) *function;

struct peer_zlib {
	const char *name;                        /* "system", "newer" or "zwire" */
	const char *path;                        /* the file it came from, or "static" */
	PEER_VERSION_FUNCTIONS(PEER_MEMBER)
	PEER_CHECKSUM_FUNCTIONS(PEER_MEMBER)
	PEER_DEFLATE_FUNCTIONS(PEER_MEMBER)
	PEER_INFLATE_FUNCTIONS(PEER_MEMBER)
	PEER_GZ_FUNCTIONS(PEER_MEMBER)
	PEER_NEW_FUNCTIONS(PEER_MEMBER)
};

/* What peer_skip() makes the program return; ctest shows such a test as skipped (SKIP_RETURN_CODE). */
#define PEER_SKIP_CODE 77

/* The system's libz.so.1, loaded once with RTLD_LOCAL, or the file that ZWIRE_TEST_PEER names.
 * NULL if it cannot be loaded or lacks a function that zlib 1.2.11 has; peer_why() then says what was wrong. */
const struct peer_zlib *peer_system(void);
const char *peer_why(void);

/* The file that ZWIRE_TEST_PEER_NEWER names: a zlib that has functions which the system's has not, such as 1.3.2 on a host
 * with 1.2.13.  NULL if it is not set; a file that cannot be loaded ends the program. */
const struct peer_zlib *peer_newer(void);

/* Our own functions, statically linked. In an object of its own: only tests that call it need all of them to link. */
const struct peer_zlib *peer_ours(void);

/* The system's library, or the end of this program as skipped, with the reason on stderr. */
const struct peer_zlib *peer_system_or_skip(void);

/* The libraries that a behaviour test runs against: the system's if there is one, a newer one if it is named, then ours. */
#define PEER_SUBJECTS_MAX 3
size_t peer_subjects(const struct peer_zlib *subjects[PEER_SUBJECTS_MAX]);

#endif
