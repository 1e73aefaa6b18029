/* SPDX-License-Identifier: Zlib */
/* split.h - runs one stream with its input and output cut into pieces of random size, down to one byte.
 * Every piece of input ends, and every piece of output ends, at an inaccessible page; bytes behind next_out must stay. */
#ifndef TESTS_LIB_SPLIT_H
#define TESTS_LIB_SPLIT_H

#include "lib/bytes_buffer.h"
#include "lib/peer.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct split_plan {
	uint64_t seed;
	size_t   in_max_bytes;                   /* pieces of 1..this; 0: everything in one piece */
	size_t   out_max_bytes;                  /* pieces of 1..this, at least 1 */
	unsigned flush_one_in;                   /* deflate: one piece in so many ends with a random flush; 0: none */
	int      inflate_flush;                  /* inflate: the flush value of every call */
};

struct split_result {
	int      code;                           /* of the last call */
	size_t   in_bytes;                       /* consumed */
	size_t   calls;
	const char *fault;                       /* NULL, or which rule of the interface was broken */
	char     msg[64];                        /* stream's msg at the end, empty if NULL */
};

/* Feeds in to an initialised deflate stream, Z_FINISH at the end, and appends what comes out to *out. */
struct split_result split_deflate(const struct peer_zlib *p, z_stream *s, const uint8_t *in, size_t in_bytes,
				  const struct split_plan *plan, struct test_bytes *out);

/* Feeds in to an initialised inflate stream until it ends, fails or gets nowhere.  Stops with an error when more than
 * out_limit_bytes come out. */
struct split_result split_inflate(const struct peer_zlib *p, z_stream *s, const uint8_t *in, size_t in_bytes,
				  const struct split_plan *plan, size_t out_limit_bytes, struct test_bytes *out);

/* A plan made from a seed: from everything at once to single bytes on either side. */
struct split_plan split_plan_from_seed(uint64_t seed);

#endif
