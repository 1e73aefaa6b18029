/* SPDX-License-Identifier: Zlib */
/* table_double.h - makes a decode table of one more index bit out of one that ignores that bit. */
#ifndef ZW_INFLATE_TABLE_DOUBLE_H
#define ZW_INFLATE_TABLE_DOUBLE_H

#include "inflate/decode_entry.h"

#include <string.h>

typedef uint32_t zw_table_step __attribute__((vector_size(32)));  /* the compiler makes of it what the target has */

static_assert(sizeof(zw_table_step) == TABLE_COPY_ENTRIES * sizeof(uint32_t), "a table is copied in these steps");

/* table[size .. 2 * size) = table[0 .. size), TABLE_COPY_ENTRIES at least. */
ZW_INLINE void zw_double_table(uint32_t *table, unsigned size)
{
	uint32_t *const end = table + size;

	do {
		zw_table_step step;

		memcpy(&step, table, sizeof step);
		memcpy(table + size, &step, sizeof step);
		table += TABLE_COPY_ENTRIES;
	} while (table < end);
}

/* SPEED(M45): doubling loads eight entries that have just been stored one by one, and waits until all of them are in the cache.  So
 * tables begin with so many index bits; shorter codes are stored as often as they stand there. */
#define TABLE_BASE_BITS 6u

/* Two codes of this many bits that differ in their last one; the first belongs to pair[0]. */
ZW_INLINE void zw_put_pair(uint32_t *pair, unsigned bits, uint32_t first, uint32_t second)
{
	const size_t last_bit = (size_t)1 << (bits - 1); /* in a reversed code */

	pair[0] = first;
	pair[last_bit] = second;
	for (size_t again = 2 * last_bit; again < 1u << TABLE_BASE_BITS; again += 2 * last_bit) {
		pair[again] = first;
		pair[again + last_bit] = second;
	}
}

#endif
