/* SPDX-License-Identifier: Zlib */
/* entries.c - the constant part of every symbol's decode entry: RFC 1951 3.2.5 and 3.2.7 in the layout of decode_entry.h. */
#include "inflate/decode_entry.h"

#define LITERAL(b)     ((uint32_t)(b) << 8 | LITLEN_ONE_BYTE)
#define LITERALS_4(b)  LITERAL(b), LITERAL((b) + 1), LITERAL((b) + 2), LITERAL((b) + 3)
#define LITERALS_16(b) LITERALS_4(b), LITERALS_4((b) + 4), LITERALS_4((b) + 8), LITERALS_4((b) + 12)
#define LITERALS_64(b) LITERALS_16(b), LITERALS_16((b) + 16), LITERALS_16((b) + 32), LITERALS_16((b) + 48)
#define LENGTH(bytes, extra) (LITLEN_NOT_LITERAL | LITLEN_SPLIT | (uint32_t)((bytes) - MATCH_MIN_BYTES) << 8 | INDEX_SHIFT << 16 | \
			      (uint32_t)(extra) << 24 | (uint32_t)(extra))
#define NEVER_A_LENGTH (LITLEN_SECOND_TABLE | LITLEN_INVALID)
#define DIST(bytes, extra) ((uint32_t)(bytes) << 16 | ((uint32_t)(bytes) - 1) >> (extra) << 14 | (uint32_t)(extra))
#define NEVER_A_DISTANCE (DIST_SPECIAL | DIST_INVALID)
#define CODE_LENGTH(v) (UINT32_C(1) << 8 | (uint32_t)(v) << 28)
#define ZEROS(count, extra) ((uint32_t)(count) << 8 | (uint32_t)(extra))

const uint32_t zw_litlen_constant[LITLEN_CONSTANTS] = {
	LITERALS_64(0), LITERALS_64(64), LITERALS_64(128), LITERALS_64(192),
	LITLEN_SECOND_TABLE | LITLEN_END_OF_BLOCK,
	LENGTH(3, 0), LENGTH(4, 0), LENGTH(5, 0), LENGTH(6, 0), LENGTH(7, 0), LENGTH(8, 0), LENGTH(9, 0), LENGTH(10, 0),
	LENGTH(11, 1), LENGTH(13, 1), LENGTH(15, 1), LENGTH(17, 1), LENGTH(19, 2), LENGTH(23, 2), LENGTH(27, 2), LENGTH(31, 2),
	LENGTH(35, 3), LENGTH(43, 3), LENGTH(51, 3), LENGTH(59, 3), LENGTH(67, 4), LENGTH(83, 4), LENGTH(99, 4), LENGTH(115, 4),
	LENGTH(131, 5), LENGTH(163, 5), LENGTH(195, 5), LENGTH(227, 5), LENGTH(258, 0),
	NEVER_A_LENGTH, NEVER_A_LENGTH
};

const uint32_t zw_dist_constant[DIST_CONSTANTS] = {
	DIST(1, 0), DIST(2, 0), DIST(3, 0), DIST(4, 0), DIST(5, 1), DIST(7, 1), DIST(9, 2), DIST(13, 2), DIST(17, 3), DIST(25, 3),
	DIST(33, 4), DIST(49, 4), DIST(65, 5), DIST(97, 5), DIST(129, 6), DIST(193, 6), DIST(257, 7), DIST(385, 7),
	DIST(513, 8), DIST(769, 8), DIST(1025, 9), DIST(1537, 9), DIST(2049, 10), DIST(3073, 10), DIST(4097, 11), DIST(6145, 11),
	DIST(8193, 12), DIST(12289, 12), DIST(16385, 13), DIST(24577, 13),
	NEVER_A_DISTANCE, NEVER_A_DISTANCE
};

const uint32_t zw_precode_constant[PRECODE_SYMBOL_COUNT] = {
	CODE_LENGTH(0), CODE_LENGTH(1), CODE_LENGTH(2), CODE_LENGTH(3), CODE_LENGTH(4), CODE_LENGTH(5), CODE_LENGTH(6), CODE_LENGTH(7),
	CODE_LENGTH(8), CODE_LENGTH(9), CODE_LENGTH(10), CODE_LENGTH(11), CODE_LENGTH(12), CODE_LENGTH(13), CODE_LENGTH(14),
	CODE_LENGTH(15),
	15 * PRECODE_REPEAT | UINT32_C(3) << 8 | 2,
	ZEROS(3, 3), ZEROS(11, 7)
};
