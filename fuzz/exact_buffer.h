/* SPDX-License-Identifier: Zlib */
/* exact_buffer.h - memory that is as long as the caller says, to the byte at its end, for one call: with AddressSanitizer the
 * rest of the block is poisoned, and so is all of it between two calls.  Cheaper than malloc() and free() around each. */
#ifndef FUZZ_EXACT_BUFFER_H
#define FUZZ_EXACT_BUFFER_H

#include "fuzz_input.h"

#if defined(__SANITIZE_ADDRESS__)
#define EXACT_POISONS 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define EXACT_POISONS 1
#endif
#endif

#ifdef EXACT_POISONS
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(from, bytes)   ((void)(from), (void)(bytes))
#define ASAN_UNPOISON_MEMORY_REGION(from, bytes) ((void)(from), (void)(bytes))
#endif

#define EXACT_MAX_BYTES ((size_t)1 << 20)
#define EXACT_GUARD_BYTES 64                 /* also without a sanitizer: what is written right before is seen */
#define EXACT_SENTINEL  0xa7

struct exact_buffer { uint8_t *block, *open; size_t open_bytes; };

/* The last bytes of the block. */
FUZZ_UNUSED static uint8_t *exact_open(struct exact_buffer *b, size_t bytes)
{
	FUZZ_CHECK(bytes <= EXACT_MAX_BYTES);
	if (!b->block) {
		b->block = malloc(EXACT_GUARD_BYTES + EXACT_MAX_BYTES);
		FUZZ_CHECK(b->block);
		ASAN_POISON_MEMORY_REGION(b->block, EXACT_GUARD_BYTES + EXACT_MAX_BYTES);
	}
	b->open = b->block + EXACT_GUARD_BYTES + EXACT_MAX_BYTES - bytes;
	b->open_bytes = bytes;
	ASAN_UNPOISON_MEMORY_REGION(b->open, bytes);
	return b->open;
}

/* The same, full of sentinels. */
FUZZ_UNUSED static uint8_t *exact_open_room(struct exact_buffer *b, size_t bytes)
{
	exact_open(b, bytes);
	if (bytes)
		memset(b->open, EXACT_SENTINEL, bytes);
	return b->open;
}

/* Nothing may have been written behind the first used bytes. */
FUZZ_UNUSED static void exact_check_rest(const struct exact_buffer *b, size_t used_bytes)
{
	const uint8_t *rest = b->open + used_bytes;
	size_t rest_bytes = b->open_bytes - used_bytes;

	FUZZ_CHECK(used_bytes <= b->open_bytes);
	FUZZ_CHECK(!rest_bytes || (rest[0] == EXACT_SENTINEL && memcmp(rest, rest + 1, rest_bytes - 1) == 0));
}

FUZZ_UNUSED static void exact_close(struct exact_buffer *b)
{
	ASAN_POISON_MEMORY_REGION(b->open, b->open_bytes);
	b->open = NULL;
	b->open_bytes = 0;
}

#endif
