/* SPDX-License-Identifier: Zlib */
/* fuzz_input.h - the fuzzer's bytes as a row of decisions. */
#ifndef FUZZ_INPUT_H
#define FUZZ_INPUT_H

#include "lib/bytes_buffer.h"
#include "lib/corpus.h"
#include "lib/peer.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FUZZ_UNUSED __attribute__((unused))

/* A finding: the sanitizers are told by a trap, the reader by the text. */
#define FUZZ_CHECK(cond) \
	do { if (!(cond)) { fprintf(stderr, "%s:%d: %s is false\n", __FILE__, __LINE__, #cond); abort(); } } while (0)

struct fuzz_input { const uint8_t *next; size_t left_bytes; };

/* The next byte; 0 when there are no more. */
FUZZ_UNUSED static uint8_t fuzz_byte(struct fuzz_input *in)
{
	if (!in->left_bytes)
		return 0;
	in->left_bytes--;
	return *in->next++;
}

/* low <= result <= high, from one byte. */
FUZZ_UNUSED static int fuzz_between(struct fuzz_input *in, int low, int high)
{
	return low + fuzz_byte(in) % (high - low + 1);
}

/* A size: mostly small, up to 70000. */
FUZZ_UNUSED static size_t fuzz_size(struct fuzz_input *in)
{
	uint8_t kind = fuzz_byte(in);

	if (kind < 160)
		return kind % 40;
	if (kind < 230)
		return (size_t)fuzz_byte(in) * 4;
	return (size_t)fuzz_byte(in) * 280;
}

#define FUZZ_SOURCE_BYTES 200000

/* Data to compress: a stretch of a fixed mixture, so that a few of the fuzzer's bytes make a long and varied input. */
FUZZ_UNUSED static const uint8_t *fuzz_source(struct fuzz_input *in, size_t len_bytes)
{
	static struct test_bytes source;
	size_t at;

	if (!source.data)
		corpus_make(CORPUS_MIXED, 1, FUZZ_SOURCE_BYTES, &source);
	at = ((size_t)fuzz_byte(in) << 8 | fuzz_byte(in)) * 2;
	if (at + len_bytes > source.len_bytes)
		at = source.len_bytes - len_bytes;
	return source.data + at;
}

/* The library that judges: the system's, or ours where there is none. */
FUZZ_UNUSED static const struct peer_zlib *fuzz_judge(void)
{
	return peer_system() ? peer_system() : peer_ours();
}

/* The library under test: ours; with ZWIRE_FUZZ_SUBJECT=system the system's, to see whether a target asks too much. */
FUZZ_UNUSED static const struct peer_zlib *fuzz_subject(void)
{
	const char *name = getenv("ZWIRE_FUZZ_SUBJECT");

	return name && strcmp(name, "system") == 0 ? fuzz_judge() : peer_ours();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len_bytes);

#endif
