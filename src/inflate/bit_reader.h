/* SPDX-License-Identifier: Zlib */
/* bit_reader.h - bits out of the caller's input, lowest first, with whole unused bytes given back.
 * Bits above count in hold are zero or repeat what follows at next, so a fill may OR them in again. */
#ifndef ZW_INFLATE_BIT_READER_H
#define ZW_INFLATE_BIT_READER_H

#include "base/bytes.h"
#include "base/check.h"

#include "cpu/low_bits.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define REFILL_MIN_BITS  56u                 /* valid bits after zw_bits_fill() with eight bytes left */
#define REFILL_MAX_BITS  63u
#define REFILL_READ_BYTES 8

struct zw_bit_reader {
	uint64_t       hold;                     /* unread bits, the next one lowest */
	unsigned       count;                    /* valid bits in hold, 0..REFILL_MAX_BITS */
	const uint8_t *next;                     /* first byte not yet in hold */
	const uint8_t *end;
	const uint8_t *start;                    /* nothing before this can be given back */
};

ZW_INLINE size_t zw_bits_left_bytes(const struct zw_bit_reader *br)
{
	return (size_t)(br->end - br->next);
}

/* At least REFILL_MIN_BITS, or all that the input has. */
ZW_INLINE void zw_bits_fill(struct zw_bit_reader *br)
{
	ZW_ASSERT(br->count <= REFILL_MAX_BITS);
	if (zw_bits_left_bytes(br) >= REFILL_READ_BYTES) {
		br->hold |= zw_load_le64(br->next) << br->count;
		br->next += (REFILL_MAX_BITS - br->count) >> 3;
		br->count |= REFILL_MIN_BITS;
		return;
	}
	br->hold = zw_low_bits(br->hold, br->count);
	while (br->count < REFILL_MIN_BITS && br->next < br->end) {
		br->hold |= (uint64_t)*br->next++ << br->count;
		br->count += 8;
	}
}

/* True when n bits are there.  When not, all input has been taken into hold. */
ZW_INLINE bool zw_bits_need(struct zw_bit_reader *br, unsigned n)
{
	ZW_ASSERT(n <= REFILL_MIN_BITS);
	if (br->count < n)
		zw_bits_fill(br);
	return br->count >= n;
}

ZW_INLINE void zw_bits_drop(struct zw_bit_reader *br, unsigned n)
{
	ZW_ASSERT(n <= br->count && n < 64);
	br->hold >>= n;
	br->count -= n;
}

/* The next n bits, which must be there. */
ZW_INLINE uint32_t zw_bits_take(struct zw_bit_reader *br, unsigned n)
{
	uint32_t v = (uint32_t)zw_low_bits(br->hold, n);

	ZW_ASSERT(n <= 32);
	zw_bits_drop(br, n);
	return v;
}

/* To the next byte boundary of the stream. */
ZW_INLINE void zw_bits_align(struct zw_bit_reader *br)
{
	zw_bits_drop(br, br->count & 7);
}

/* Whole unused bytes go back to the input, as far as they came from it. */
ZW_INLINE void zw_bits_give_back(struct zw_bit_reader *br)
{
	size_t bytes = br->count >> 3;

	if (bytes > (size_t)(br->next - br->start))
		bytes = (size_t)(br->next - br->start);
	if (bytes)                               /* next is NULL in a stream that was never given input */
		br->next -= bytes;
	br->count -= (unsigned)bytes * 8;
	br->hold = zw_low_bits(br->hold, br->count);
}

/* Field by field: one move of two fields would wait until what was stored in them one by one is in the cache. */
ZW_INLINE struct zw_bit_reader zw_bits_copy(const struct zw_bit_reader *br)
{
	struct zw_bit_reader copy = { .hold = br->hold, .count = br->count, .end = br->end };
	const uint8_t *next = br->next, *start = br->start;

	ZW_FORGET(next);
	ZW_FORGET(start);
	copy.next = next;
	copy.start = start;
	return copy;
}

/* After an error: the n bits of value are as good as unread, but stay taken from the input.  inflateSync() searches them. */
ZW_INLINE void zw_bits_retain(struct zw_bit_reader *br, uint32_t value, unsigned n)
{
	zw_bits_give_back(br);
	br->hold = value;
	br->count = n;
	br->start = br->next;
}

#endif
