/* SPDX-License-Identifier: Zlib */
/* entries.c - the constant part of every symbol's decode entry: RFC 1951 3.2.5 and 3.2.7 in the layout of decode_entry.h. */
#include "inflate/decode_entry.h"
#include "inflate/symbol_list.h"

#define LITERAL(b)     ((uint32_t)(b) << 8 | LITLEN_ONE_BYTE)
#define LENGTH(bytes, extra) (LITLEN_NOT_LITERAL | LITLEN_SPLIT | (uint32_t)((bytes) - MATCH_MIN_BYTES) << 8 | INDEX_SHIFT << 16 | \
			      (uint32_t)(extra) << 24 | (uint32_t)(extra))
#define NEVER_A_LENGTH (LITLEN_SECOND_TABLE | LITLEN_INVALID)
#define DIST(bytes, extra) ((uint32_t)(bytes) << 16 | ((uint32_t)(bytes) - 1) >> (extra) << 14 | (uint32_t)(extra))
#define NEVER_A_DISTANCE (DIST_SPECIAL | DIST_INVALID)
#define CODE_LENGTH(v) (UINT32_C(1) << 8 | (uint32_t)(v) << 28)
#define ZEROS(count, extra) ((uint32_t)(count) << 8 | (uint32_t)(extra))

const uint32_t zw_litlen_constant[LITLEN_CONSTANTS] = {
	ALL_LITERALS, LITLEN_SECOND_TABLE | LITLEN_END_OF_BLOCK, ALL_LENGTHS, NEVER_A_LENGTH, NEVER_A_LENGTH
};

const uint32_t zw_dist_constant[DIST_CONSTANTS] = { ALL_DISTANCES, NEVER_A_DISTANCE, NEVER_A_DISTANCE };

const uint32_t zw_precode_constant[PRECODE_SYMBOL_COUNT] = {
	CODE_LENGTH(0), CODE_LENGTH(1), CODE_LENGTH(2), CODE_LENGTH(3), CODE_LENGTH(4), CODE_LENGTH(5), CODE_LENGTH(6), CODE_LENGTH(7),
	CODE_LENGTH(8), CODE_LENGTH(9), CODE_LENGTH(10), CODE_LENGTH(11), CODE_LENGTH(12), CODE_LENGTH(13), CODE_LENGTH(14),
	CODE_LENGTH(15),
	15 * PRECODE_REPEAT | UINT32_C(3) << 8 | 2,
	ZEROS(3, 3), ZEROS(11, 7)
};
