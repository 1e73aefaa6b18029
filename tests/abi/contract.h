/* SPDX-License-Identifier: Zlib */
/* contract.h - for tests/abi/contract_*.c: what zlib's manual promises, in our words, one test a promise.
 *
 * Each runs against the system's zlib, the one that ZWIRE_TEST_PEER_NEWER names, and ours: a promise that stock zlib does not
 * keep is not a promise.  Where ours differs on purpose the test's name begins with "on_purpose_", and docs/abi.md has the
 * reason. */
#ifndef TESTS_ABI_CONTRACT_H
#define TESTS_ABI_CONTRACT_H

#include "zlib.h"

#include "lib/alloc.h"
#include "lib/cmocka_all.h"
#include "lib/corpus.h"
#include "lib/peer.h"
#include "lib/streams.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define EACH_ZLIB(p) FOR_EACH_SUBJECT(p)

/* Compares two numbers; a difference names the library. */
#define EXPECT(p, got, want) contract_equal((p), #got, (long long)(got), (long long)(want), __FILE__, __LINE__)

/* The same inside a loop: note says which turn. */
#define EXPECT_AT(p, note, got, want) contract_equal_at((p), (note), #got, (long long)(got), (long long)(want), __FILE__, __LINE__)

ZW_INLINE void contract_equal_at(const struct peer_zlib *p, long long note, const char *what, long long got, long long want,
				 const char *file, int line)
{
	if (got == want)
		return;
	print_error("%s %s (turn %lld): %s is %lld, wanted %lld\n", p->name, p->zlibVersion(), note, what, got, want);
	_fail(file, line);
}

ZW_INLINE void contract_equal(const struct peer_zlib *p, const char *what, long long got, long long want, const char *file,
			      int line)
{
	contract_equal_at(p, 0, what, got, want, file, line);
}

ZW_INLINE bool is_ours(const struct peer_zlib *p)
{
	return p == peer_ours();
}

/* zlib 1.3.2 changed several answers and added functions; ours has its interface. */
ZW_INLINE bool has_1_3_2(const struct peer_zlib *p)
{
	return p->compress_z != NULL;
}

/* True in ./check --deep, which scales the random tests up: for what takes minutes or gigabytes. */
ZW_INLINE bool contract_is_deep(void)
{
	return streams_rounds(100) > 100;
}

/* deflateInit2() and inflateInit2() on a stream whose fields the caller has set. */
ZW_INLINE int contract_deflate_init(const struct peer_zlib *p, z_stream *s, int level, int window_bits)
{
	return p->deflateInit2_(s, level, Z_DEFLATED, window_bits, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, (int)sizeof *s);
}

ZW_INLINE int contract_inflate_init(const struct peer_zlib *p, z_stream *s, int window_bits)
{
	return p->inflateInit2_(s, window_bits, ZLIB_VERSION, (int)sizeof *s);
}

ZW_INLINE void contract_input(z_stream *s, const void *in, size_t in_bytes)
{
	s->next_in = in;
	s->avail_in = (uInt)in_bytes;
}

ZW_INLINE void contract_output(z_stream *s, void *out, size_t out_bytes)
{
	s->next_out = out;
	s->avail_out = (uInt)out_bytes;
}

/* One whole stream, appended to packed. */
ZW_INLINE void contract_pack(const struct peer_zlib *p, int level, int window_bits, const void *body, size_t body_bytes,
			     struct test_bytes *packed)
{
	z_stream s = { 0 };

	EXPECT(p, contract_deflate_init(p, &s, level, window_bits), Z_OK);
	EXPECT(p, streams_deflate(p, &s, body, body_bytes, Z_FINISH, packed), Z_STREAM_END);
	EXPECT(p, p->deflateEnd(&s), Z_OK);
}

#endif
