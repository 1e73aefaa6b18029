/* SPDX-License-Identifier: Zlib */
/* code_rows.c - constants of the rows in which symbols are sorted by code length. */
#include "inflate/symbol_run.h"

#define ROW(n) ((n) * ROW_ENTRIES)

/* Row 0, the unused symbols, is the last one. */
const uint16_t zw_row_start[ROW_COUNT] = {
	ROW(15), ROW(0), ROW(1), ROW(2), ROW(3), ROW(4), ROW(5), ROW(6), ROW(7), ROW(8), ROW(9), ROW(10), ROW(11), ROW(12), ROW(13),
	ROW(14)
};

#define UP_4(n)  (n), (n) + 1, (n) + 2, (n) + 3
#define UP_16(n) UP_4(n), UP_4((n) + 4), UP_4((n) + 8), UP_4((n) + 12)
#define UP_64(n) UP_16(n), UP_16((n) + 16), UP_16((n) + 32), UP_16((n) + 48)

const uint16_t zw_count_up[ROW_ENTRIES] = { UP_64(0), UP_64(64), UP_64(128), UP_64(192), UP_64(256), UP_4(320), UP_4(324) };
