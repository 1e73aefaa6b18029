/* SPDX-License-Identifier: Zlib */
/* bit_writer.h - appends bits, the lowest first, to memory.
 * Hot code keeps the struct in a local variable and copies hold and count back. */
#ifndef ZW_DEFLATE_BIT_WRITER_H
#define ZW_DEFLATE_BIT_WRITER_H

#include "base/arch.h"
#include "base/bytes.h"
#include "base/check.h"

#include <stdint.h>

#define BIT_WRITER_MAX_BITS    63u           /* that hold may contain: a shift by 64 is undefined */
#define BIT_WRITER_SLACK_BYTES 8u            /* every spill stores 8 bytes, of which only whole ones count */

struct zw_bit_writer {
	uint64_t hold;                           /* bits not yet in a byte, the next one lowest; 0 above count */
	unsigned count;                          /* valid bits in hold */
	uint8_t *next;                           /* where the next whole byte goes */
};

/* Appends the low n bits of bits; those above must be 0. */
ZW_INLINE void zw_bits_append(struct zw_bit_writer *bw, uint64_t bits, unsigned n)
{
	ZW_ASSERT(bw->count + n <= BIT_WRITER_MAX_BITS);
	ZW_ASSERT(bits >> n == 0);
	bw->hold |= bits << bw->count;
	bw->count += n;
}

/* Moves the whole bytes to memory; up to 7 bits stay. */
ZW_INLINE void zw_bits_spill(struct zw_bit_writer *bw)
{
	zw_store_le64(bw->next, bw->hold);
	bw->next += bw->count >> 3;
	bw->hold >>= bw->count & 56;
	bw->count &= 7;
}

#endif
