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

#endif
