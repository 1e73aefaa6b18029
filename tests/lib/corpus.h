/* SPDX-License-Identifier: Zlib */
/* corpus.h - test bodies made on the spot, the same on every machine: the shapes that web servers send, and the
 * shapes that break compressors. */
#ifndef TESTS_LIB_CORPUS_H
#define TESTS_LIB_CORPUS_H

#include "lib/bytes_buffer.h"

#include <stddef.h>
#include <stdint.h>

enum corpus_kind {
	CORPUS_HTML,
	CORPUS_JSON,
	CORPUS_JS,
	CORPUS_CSS,
	CORPUS_RANDOM,
	CORPUS_SAME,                             /* one byte repeated: the longest matches, distance 1 */
	CORPUS_PERIODIC,                         /* a short random piece repeated: overlapping matches */
	CORPUS_DE_BRUIJN,                        /* every word of 8 of 4 letters once: no match is longer than 7 */
	CORPUS_SKEWED,                           /* Fibonacci-like symbol counts: the longest possible codes */
	CORPUS_FAR,                              /* repeats at distances around 32768 */
	CORPUS_MIXED,                            /* segments of all the others */
	CORPUS_KIND_COUNT
};

const char *corpus_name(enum corpus_kind kind);

/* Appends exactly len_bytes bytes of this kind. */
void corpus_make(enum corpus_kind kind, uint64_t seed, size_t len_bytes, struct test_bytes *out);

/* The data.json of spec.md 5: CORPUS_DATA_JSON_BYTES bytes. */
#define CORPUS_DATA_JSON_BYTES 602254
#define CORPUS_DATA_JSON_CRC32 0x13a30b5bu
void corpus_data_json(struct test_bytes *out);

#endif
