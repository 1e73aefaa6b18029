/* SPDX-License-Identifier: Zlib */
/* copy_bytes.h - moves some kilobytes from one place to another. */
#ifndef ZW_INFLATE_COPY_BYTES_H
#define ZW_INFLATE_COPY_BYTES_H

#include "base/arch.h"

#include <stdint.h>
#include <string.h>

#define COPY_BLOCK_BYTES 64u

typedef uint8_t zw_copy_block __attribute__((vector_size(COPY_BLOCK_BYTES)));

/* As memcpy(): to and from must not overlap.
 * SPEED(M20): from 8 KB on glibc's memcpy() uses REP MOVSB, which takes up to four times as long on Zen 4 where the two differ in
 * their position in a page. */
ZW_INLINE void zw_copy_bytes(uint8_t *ZW_RESTRICT to, const uint8_t *ZW_RESTRICT from, size_t bytes)
{
	for (; bytes >= COPY_BLOCK_BYTES; bytes -= COPY_BLOCK_BYTES) {
		zw_copy_block block;

		memcpy(&block, from, sizeof block);
		memcpy(to, &block, sizeof block);
		to += sizeof block;
		from += sizeof block;
		ZW_FORGET(from);                 /* or the loop becomes a call of memcpy() */
	}
	memcpy(to, from, bytes);
}

#endif
