/* SPDX-License-Identifier: Zlib */
/* bytes_buffer.h - a growing array of bytes for tests; running out of memory ends the program. */
#ifndef TESTS_LIB_BYTES_BUFFER_H
#define TESTS_LIB_BYTES_BUFFER_H

#include "base/arch.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct test_bytes {
	uint8_t *data;
	size_t   len_bytes;
	size_t   room_bytes;
};

ZW_INLINE void bytes_reserve(struct test_bytes *b, size_t more_bytes)
{
	size_t need = b->len_bytes + more_bytes;

	if (need <= b->room_bytes && b->data)
		return;
	b->room_bytes = need + need / 2 + 64;
	b->data = realloc(b->data, b->room_bytes);
	if (!b->data) {
		fprintf(stderr, "test bytes: out of memory\n");
		exit(1);
	}
}

ZW_INLINE void bytes_append(struct test_bytes *b, const void *from, size_t len_bytes)
{
	bytes_reserve(b, len_bytes);
	if (len_bytes)
		memcpy(b->data + b->len_bytes, from, len_bytes);
	b->len_bytes += len_bytes;
}

ZW_INLINE void bytes_append_byte(struct test_bytes *b, uint8_t byte)
{
	bytes_append(b, &byte, 1);
}

ZW_INLINE void bytes_append_text(struct test_bytes *b, const char *text)
{
	bytes_append(b, text, strlen(text));
}

ZW_INLINE void bytes_free(struct test_bytes *b)
{
	free(b->data);
	*b = (struct test_bytes){ 0 };
}

#endif
