/* SPDX-License-Identifier: Zlib */
/* deflate_memory.c - the one allocation of a deflate stream, measured and cut by the same calls. */
#include "deflate/deflate_memory.h"

#include "base/arena.h"
#include "deflate/input_window.h"

#define ALIGN_SLACK_BYTES ((1u << MEMORY_ALIGN_LOG2) - 1)

static struct zw_deflate_parts take_parts(struct zw_arena *a, unsigned window_log2, unsigned mem_level, size_t state_bytes)
{
	struct zw_deflate_parts p;

	p.state  = zw_arena_take(a, state_bytes, MEMORY_ALIGN_LOG2);
	p.window = zw_arena_take(a, ((size_t)2 << window_log2) + WINDOW_SLACK_BYTES, 4);
	p.prev   = zw_arena_take(a, (size_t)2 << window_log2, 4);
	p.head   = zw_arena_take(a, (size_t)256 << mem_level, 4);
	p.tokens = zw_arena_take(a, (size_t)256 << mem_level, 4);
	return p;
}

size_t zw_deflate_memory_bytes(unsigned window_log2, unsigned mem_level, size_t state_bytes)
{
	struct zw_arena a = { NULL, 0 };

	(void)take_parts(&a, window_log2, mem_level, state_bytes);
	return a.used_bytes + ALIGN_SLACK_BYTES;
}

struct zw_deflate_parts zw_deflate_memory_cut(void *block, unsigned window_log2, unsigned mem_level, size_t state_bytes)
{
	struct zw_arena a = { zw_align_up(block, MEMORY_ALIGN_LOG2), 0 };

	return take_parts(&a, window_log2, mem_level, state_bytes);
}
