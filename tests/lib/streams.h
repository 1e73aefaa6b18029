/* SPDX-License-Identifier: Zlib */
/* streams.h - what nearly every behaviour test does with a stream: start it, feed it whole, check the round trip. */
#ifndef TESTS_LIB_STREAMS_H
#define TESTS_LIB_STREAMS_H

#include "lib/bytes_buffer.h"
#include "lib/peer.h"
#include "lib/rng.h"

#include <stddef.h>
#include <stdint.h>

/* for (each library to test) { ... } */
#define FOR_EACH_SUBJECT(p) \
	const struct peer_zlib *subjects_[PEER_SUBJECTS_MAX], *p = NULL; \
	size_t subject_count_ = peer_subjects(subjects_); \
	for (size_t subject_ = 0; subject_ < subject_count_ && (p = subjects_[subject_], true); subject_++)

struct deflate_parameters { int level, window_bits, mem_level, strategy; };

/* Any parameters that deflateInit2() accepts: raw, zlib or gzip, every level, window, memLevel and strategy. */
struct deflate_parameters streams_random_parameters(struct rng *r);

/* windowBits for an inflate that must read what these parameters wrote. */
int streams_inflate_bits(const struct deflate_parameters *d);

/* deflateInit2() on a zeroed stream; ends the test if it fails. */
void streams_begin_deflate(const struct peer_zlib *p, z_stream *s, const struct deflate_parameters *d);
void streams_begin_inflate(const struct peer_zlib *p, z_stream *s, int window_bits);

/* One deflate() call with room for everything; appends what came out, returns the code. */
int streams_deflate(const struct peer_zlib *p, z_stream *s, const void *in, size_t in_bytes, int flush,
		    struct test_bytes *out);

/* Inflates packed in one go and ends the test unless it gives exactly plain and uses every byte. */
void streams_check_decodes(const struct peer_zlib *p, int window_bits, const struct test_bytes *packed,
			   const void *plain, size_t plain_bytes);

/* The same with every library there is, and for raw data with the reference inflate. */
void streams_check_decodes_everywhere(int window_bits, const struct test_bytes *packed, const void *plain,
				      size_t plain_bytes);

/* n, or more or less of it: the environment's ZWIRE_TEST_PERCENT scales every random test; at least 1. */
unsigned streams_rounds(unsigned n);

#endif
