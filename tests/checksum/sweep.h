/* SPDX-License-Identifier: Zlib */
/* sweep.h - one checksum of one kernel set, plain and copying, through every short length and alignment.
 * The test says which members of the set it means and what the answer is. */
#ifndef TESTS_CHECKSUM_SWEEP_H
#define TESTS_CHECKSUM_SWEEP_H

#include "cpu/kernels.h"
#include "lib/guard.h"
#include "lib/rng.h"

#include <stdarg.h>
#include <setjmp.h>
#include <cmocka.h>
#include <string.h>

typedef uint32_t checksum_function(uint32_t sum, const uint8_t *p, size_t len_bytes);
typedef uint32_t checksum_copy_function(uint32_t sum, uint8_t *dst, const uint8_t *src, size_t len_bytes);

#define SHORT_MAX_BYTES 300
#define ALIGNMENTS       16
#define CANARY         0x5c

/* Every length 0..SHORT_MAX_BYTES at every alignment, each buffer ending at an inaccessible page. */
ZW_INLINE void sweep_short(checksum_function *sum, checksum_function *want, uint32_t start, const char *name)
{
	struct guard_buffer g = guard_before_end(SHORT_MAX_BYTES + ALIGNMENTS);
	struct rng rng = rng_seed(start);

	rng_fill(&rng, g.data, g.len_bytes);
	for (size_t align = 0; align < ALIGNMENTS; align++) {
		for (size_t len = 0; len <= SHORT_MAX_BYTES; len++) {
			const uint8_t *p = g.data + g.len_bytes - align - len;

			if (sum(start, p, len) != want(start, p, len))
				fail_msg("%s: wrong for %zu bytes, %zu before the end", name, len, align);
		}
	}
	guard_free(&g);
}

/* The same while copying, source and destination at every pair of alignments; no byte around the copy may change. */
ZW_INLINE void sweep_short_copy(checksum_copy_function *copy, checksum_function *want, uint32_t start, const char *name)
{
	struct guard_buffer src = guard_before_end(SHORT_MAX_BYTES + ALIGNMENTS);
	struct guard_buffer dst = guard_before_end(SHORT_MAX_BYTES + ALIGNMENTS);
	struct rng rng = rng_seed(start);

	rng_fill(&rng, src.data, src.len_bytes);
	for (size_t align = 0; align < ALIGNMENTS; align++) {
		for (size_t len = 0; len <= SHORT_MAX_BYTES; len++) {
			size_t dst_align = (align * 7 + len) % ALIGNMENTS;
			const uint8_t *p = src.data + src.len_bytes - align - len;
			uint8_t *to = dst.data + dst.len_bytes - dst_align - len;

			memset(dst.data, CANARY, dst.len_bytes);
			if (copy(start, to, p, len) != want(start, p, len))
				fail_msg("%s: wrong for %zu bytes, %zu before the end", name, len, align);
			assert_memory_equal(to, p, len);
			for (const uint8_t *q = dst.data; q < dst.data + dst.len_bytes; q++)
				if ((q < to || q >= to + len) && *q != CANARY)
					fail_msg("%s: wrote outside the destination, %zu bytes", name, len);
		}
	}
	guard_free(&src);
	guard_free(&dst);
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

static const size_t long_lengths[] = { 1000, 4096, 5535, 5536, 5552, 5553, 5568, 11104, 65535, 65536, 300001 };

#endif
