/* SPDX-License-Identifier: Zlib */
/* arena.h - cuts one allocation into aligned parts, in order.
 * First the size is computed with base NULL, then the same calls cut the real block: the two cannot differ. */
#ifndef ZW_BASE_ARENA_H
#define ZW_BASE_ARENA_H

#include "base/arch.h"
#include "base/check.h"

#include <stddef.h>
#include <stdint.h>

struct zw_arena { uint8_t *base; size_t used_bytes; };

/* The next bytes bytes, or NULL while only measuring.  align_log2 is relative to base, which must itself be aligned. */
ZW_INLINE void *zw_arena_take(struct zw_arena *a, size_t bytes, unsigned align_log2)
{
	size_t mask = ((size_t)1 << align_log2) - 1;
	size_t at = (a->used_bytes + mask) & ~mask;

	a->used_bytes = at + bytes;
	return a->base ? a->base + at : NULL;
}

/* p rounded up to a multiple of 2^align_log2. */
ZW_INLINE uint8_t *zw_align_up(uint8_t *p, unsigned align_log2)
{
	size_t mask = ((size_t)1 << align_log2) - 1;

	return p + (((size_t)0 - (uintptr_t)p) & mask);
}

#endif
