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

const uint16_t zw_count_up[ROW_ENTRIES + ZERO_ROW_EXTRA] = {
	UP_64(0), UP_64(64), UP_64(128), UP_64(192), UP_64(256), UP_64(320), UP_64(384), UP_16(448), UP_16(464), UP_4(480), UP_4(484)
};

/* Two bits more on either side for each step down. */
#define REVERSED_1(n) (n), (n) + 512, (n) + 256, (n) + 768
#define REVERSED_2(n) REVERSED_1(n), REVERSED_1((n) + 128), REVERSED_1((n) + 64), REVERSED_1((n) + 192)
#define REVERSED_3(n) REVERSED_2(n), REVERSED_2((n) + 32), REVERSED_2((n) + 16), REVERSED_2((n) + 48)
#define REVERSED_4(n) REVERSED_3(n), REVERSED_3((n) + 8), REVERSED_3((n) + 4), REVERSED_3((n) + 12)

const uint16_t zw_reversed_index[1u << REVERSED_INDEX_BITS] = { REVERSED_4(0), REVERSED_4(2), REVERSED_4(1), REVERSED_4(3) };
