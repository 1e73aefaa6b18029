/* SPDX-License-Identifier: Zlib */
/* sweep.h - one checksum of one kernel set, plain and copying: every length up to a page at every alignment, and against
 * inaccessible pages on both sides.  The test says which members of the set it means and what the answer is. */
#ifndef TESTS_CHECKSUM_SWEEP_H
#define TESTS_CHECKSUM_SWEEP_H

#include "cpu/kernels.h"
#include "lib/guard.h"
#include "lib/rng.h"
#include "lib/streams.h"

#include <stdarg.h>
#include <setjmp.h>
#include <cmocka.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

typedef uint32_t checksum_function(uint32_t sum, const uint8_t *p, size_t len_bytes);
typedef uint32_t checksum_copy_function(uint32_t sum, uint8_t *dst, const uint8_t *src, size_t len_bytes);

#define SWEEP_MAX_BYTES 4096
#define ALIGNMENTS        64
#define CANARY          0x5c

/* 1 where all of a sweep is to be done, 7 where ZWIRE_TEST_PERCENT asks for less. */
ZW_INLINE size_t sweep_step(void)
{
	return streams_rounds(100) < 100 ? 7 : 1;
}

/* The checksums of the first 0..SWEEP_MAX_BYTES bytes at p, from start. */
ZW_INLINE void sums_of_beginnings(uint32_t *sums, checksum_function *want, uint32_t start, const uint8_t *p)
{
	sums[0] = want(start, p, 0);
	for (size_t len = 0; len < SWEEP_MAX_BYTES; len++)
		sums[len + 1] = want(sums[len], p + len, 1);
}

/* Copies len_bytes from p to a buffer whose byte at is at data[at], checks sum and bytes, and that no byte around them changed. */
ZW_INLINE void check_copy(checksum_copy_function *copy, uint32_t start, uint32_t want, const struct guard_buffer *to, size_t at,
			  const uint8_t *p, size_t len_bytes, const char *name)
{
	size_t before = at < ALIGNMENTS ? at : ALIGNMENTS;
	size_t behind = to->len_bytes - at - len_bytes < ALIGNMENTS ? to->len_bytes - at - len_bytes : ALIGNMENTS;
	uint8_t *dst = to->data + at;

	memset(dst - before, CANARY, before + len_bytes + behind);
	if (copy(start, dst, p, len_bytes) != want)
		fail_msg("%s: wrong sum of a copy of %zu bytes", name, len_bytes);
	if (memcmp(dst, p, len_bytes) != 0)
		fail_msg("%s: wrong copy of %zu bytes", name, len_bytes);
	for (size_t i = 0; i < before; i++)
		if (dst[-1 - (ptrdiff_t)i] != CANARY)
			fail_msg("%s: wrote in front of a copy of %zu bytes", name, len_bytes);
	for (size_t i = 0; i < behind; i++)
		if (dst[len_bytes + i] != CANARY)
			fail_msg("%s: wrote behind a copy of %zu bytes", name, len_bytes);
}

/* Every length at every alignment of the source, and while copying at changing ones of the destination.  step 1 takes every length;
 * a larger one, where tests must be short, every step-th and all up to 300. */
ZW_INLINE void sweep_alignments(checksum_function *sum, checksum_copy_function *copy, checksum_function *want, uint32_t start,
				size_t step, const char *name)
{
	static uint32_t sums[SWEEP_MAX_BYTES + 1];
	struct guard_buffer src = guard_before_end(SWEEP_MAX_BYTES + 2 * ALIGNMENTS);
	struct guard_buffer dst = guard_before_end(SWEEP_MAX_BYTES + 3 * ALIGNMENTS);
	struct rng rng = rng_seed(start);

	rng_fill(&rng, src.data, src.len_bytes);
	for (size_t align = 0; align < ALIGNMENTS; align++) {
		const uint8_t *p = src.data + align;

		sums_of_beginnings(sums, want, start, p);
		for (size_t len = align % step; len <= SWEEP_MAX_BYTES; len += len < 300 ? 1 : step) {
			if (sum(start, p, len) != sums[len])
				fail_msg("%s: wrong for %zu bytes at alignment %zu", name, len, align);
			check_copy(copy, start, sums[len], &dst, ALIGNMENTS + (align * 7 + len) % ALIGNMENTS, p, len, name);
		}
	}
	guard_free(&src);
	guard_free(&dst);
}

/* Every length with an inaccessible page right in front of source and destination, then right behind them.  No kernel asks for an
 * address's alignment, so one byte too many would be touched here if anywhere. */
ZW_INLINE void sweep_guards(checksum_function *sum, checksum_copy_function *copy, checksum_function *want, uint32_t start, size_t step,
			    const char *name)
{
	for (int behind = 0; behind < 2; behind++) {
		struct guard_buffer src = behind ? guard_before_end(SWEEP_MAX_BYTES) : guard_after_start(SWEEP_MAX_BYTES);
		struct guard_buffer dst = behind ? guard_before_end(SWEEP_MAX_BYTES) : guard_after_start(SWEEP_MAX_BYTES);
		struct rng rng = rng_seed(start + 1);

		rng_fill(&rng, src.data, src.len_bytes);
		for (size_t len = 0; len <= SWEEP_MAX_BYTES; len += len < 300 ? 1 : step) {
			size_t at = behind ? SWEEP_MAX_BYTES - len : 0;
			uint32_t expected = want(start, src.data + at, len);

			if (sum(start, src.data + at, len) != expected)
				fail_msg("%s: wrong for %zu bytes beside a guard page", name, len);
			check_copy(copy, start, expected, &dst, at, src.data + at, len, name);
		}
		guard_free(&src);
		guard_free(&dst);
	}
}

/* Long buffers whole and in two parts, plain and copying. */
ZW_INLINE void sweep_long(checksum_function *sum, checksum_copy_function *copy, checksum_function *want, const uint8_t *p,
			  size_t len_bytes, const char *name)
{
	struct guard_buffer dst = guard_before_end(len_bytes);
	uint32_t expected = want(1, p, len_bytes);
	struct rng rng = rng_seed(len_bytes);

	assert_int_equal(sum(1, p, len_bytes), expected);
	assert_int_equal(copy(1, dst.data, p, len_bytes), expected);
	assert_memory_equal(dst.data, p, len_bytes);
	for (unsigned i = 0; i < 40; i++) {
		size_t cut = (size_t)rng_below(&rng, len_bytes + 1);
		uint32_t parts = sum(sum(1, p, cut), p + cut, len_bytes - cut);

		if (parts != expected)
			fail_msg("%s: wrong when cut at %zu of %zu bytes", name, cut, len_bytes);
	}
	guard_free(&dst);
}

static const size_t long_lengths[] = { 1000, 4096, 5535, 5536, 5552, 5553, 5568, 11104, 16383, 16384, 16385, 32768, 65535, 65536, 300001 };

#endif
