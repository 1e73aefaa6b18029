/* SPDX-License-Identifier: Zlib */
/* rng.h - the random numbers of the tests: small, fast, and the same on every machine for the same seed. */
#ifndef TESTS_LIB_RNG_H
#define TESTS_LIB_RNG_H

#include "base/arch.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rng { uint64_t state; };

ZW_INLINE struct rng rng_seed(uint64_t seed)
{
	return (struct rng){ seed };
}

/* A Weyl sequence through a mixing function: every seed, 0 too, starts a good stream. */
ZW_INLINE uint64_t rng_next(struct rng *r)
{
	uint64_t v = r->state += UINT64_C(0x9e3779b97f4a7c15);

	v = (v ^ v >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	v = (v ^ v >> 27) * UINT64_C(0x94d049bb133111eb);
	return v ^ v >> 31;
}

/* 0 <= result < limit; limit is at least 1, and what it leaves fits a size_t. */
ZW_INLINE size_t rng_below(struct rng *r, uint64_t limit)
{
	return (size_t)(rng_next(r) % limit);
}

/* low <= result <= high. */
ZW_INLINE int rng_between(struct rng *r, int low, int high)
{
	return low + (int)rng_below(r, (uint64_t)(high - low) + 1);
}

ZW_INLINE bool rng_one_in(struct rng *r, unsigned n)
{
	return rng_below(r, n) == 0;
}

/* 1 <= result <= limit, small results as likely as large ones: each power of two gets the same share. */
ZW_INLINE size_t rng_size(struct rng *r, size_t limit)
{
	unsigned log2 = 0;
	uint64_t size;

	while (limit >> log2 > 1)
		log2++;
	size = 1 + rng_below(r, UINT64_C(1) << rng_below(r, log2 + 1));
	return size < limit ? (size_t)size : limit;
}

ZW_INLINE void rng_fill(struct rng *r, void *p, size_t len_bytes)
{
	uint8_t *to = p;

	for (size_t i = 0; i < len_bytes; i++)
		to[i] = (uint8_t)(rng_next(r) >> 24);
}

#endif
