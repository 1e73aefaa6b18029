/* SPDX-License-Identifier: Zlib */
/* deflate_bound.c - the bounds, and the proof that block_build.c stays below them.
 *
 * Let a stream be made by one call with Z_FINISH; count what it has beyond its input, in bytes, wrapper aside.
 *
 *  - A compressed block that is alone in the stream costs less than storing it would: < 5 bytes more than its input.
 *  - Any other compressed block costs no more than its input: 0 bytes, and if a stored run was open before it, at least
 *    RUN_PAID_BITS = 6 bytes less.  A block whose bytes have left the window keeps a surplus by which the fixed code alone
 *    is shorter than its input, and no block is written dearer than with the fixed code.  A split block's two parts cost
 *    together at most what the fixed code of the whole would, plus 10 bits: the surplus is larger.
 *  - A stored run costs 5 bytes a header plus less than one byte of padding in front of the first: 6.  Blocks that are
 *    stored join the run, so between two runs lies a compressed block that has paid for the run before it.  What is not
 *    paid: the last run, 6 bytes, and headers within a run: a run is written when its first byte would leave the window.
 *    By then the stream took in 2 * 2^w bytes, and every later run that is written for this reason starts where the window
 *    starts and was written when 2^w bytes or more had come: 5 + 1 bytes per 2^w.  (At w = 15 a run may be 65536 bytes:
 *    two headers, once per 65536.)
 *  - The end: an empty last block after a run that was already written, 2 bytes, at least 2 * 2^w bytes into the stream.
 *
 * Sum: 6 + 6 * (n / 2^w) + (2 if n >= 2 * 2^w).  At w = 15: 6 + n/5461 + 2 - and zlib's value there is n/4096 + n/16384 + 7,
 * which is larger for every n: for n < 65536 because no run was forced out (6 <= 7, one second header from 65535 on against
 * 20), above because 1/4096 > 1/5461 leaves room for the 2 from n = 8192 * 2 on.  For other w and memLevel zlib's values
 * are n/32 + n/128 + 7 or n/8 + 4, and w >= 9 gives 6 + n/85 + 2 (the 2 only from 1024 on).  n/8 + 4 at small n: a lone block costs
 * at most the fixed code's 10 bits + 9 bits a byte, n + n/8 + 2, or n + 5 stored; the smaller is <= n + n/8 + 4 for all n. */
#include "deflate/deflate_bound.h"

#include "base/rfc.h"
#include "deflate/deflate_memory.h"

static size_t add(size_t a, size_t b) { return a + b < a ? SIZE_MAX : a + b; }

/* Blocks of the fixed code: 9 bits a byte, and a bit more often than every 4 KB. */
static size_t fixed_bytes(size_t n) { return add(add(n, n >> 3), (n >> 8) + (n >> 9) + 4); }

/* Stored blocks, as short as the smallest memory makes them. */
static size_t stored_bytes(size_t n) { return add(add(n, n >> 5), (n >> 7) + (n >> 11) + 7); }

size_t zw_deflate_bound_any(size_t bytes, size_t wrapper_bytes)
{
	size_t fixed = fixed_bytes(bytes), stored = stored_bytes(bytes);

	return add(fixed > stored ? fixed : stored, wrapper_bytes);
}

size_t zw_deflate_bound(size_t bytes, unsigned window_log2, unsigned mem_level, int level, size_t wrapper_bytes)
{
	if (window_log2 != WINDOW_MAX_LOG2 || mem_level != 8)
		return add(window_log2 <= mem_level + 7 && level ? fixed_bytes(bytes) : stored_bytes(bytes), wrapper_bytes);
	return add(add(bytes, (bytes >> 12) + (bytes >> 14) + (bytes >> 25) + 7), wrapper_bytes);
}
