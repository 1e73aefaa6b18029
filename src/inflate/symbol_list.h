/* SPDX-License-Identifier: Zlib */
/* symbol_list.h - the alphabets of RFC 1951 3.2.5 in the order of their symbols, for the constants of both layouts of entries.  Whoever
 * includes it says what LITERAL(byte), LENGTH(first bytes, extra bits) and DIST(first bytes, extra bits) are. */
#define LITERALS_4(b)  LITERAL(b), LITERAL((b) + 1), LITERAL((b) + 2), LITERAL((b) + 3)
#define LITERALS_16(b) LITERALS_4(b), LITERALS_4((b) + 4), LITERALS_4((b) + 8), LITERALS_4((b) + 12)
#define LITERALS_64(b) LITERALS_16(b), LITERALS_16((b) + 16), LITERALS_16((b) + 32), LITERALS_16((b) + 48)

#define ALL_LITERALS LITERALS_64(0), LITERALS_64(64), LITERALS_64(128), LITERALS_64(192)

#define ALL_LENGTHS \
	LENGTH(3, 0), LENGTH(4, 0), LENGTH(5, 0), LENGTH(6, 0), LENGTH(7, 0), LENGTH(8, 0), LENGTH(9, 0), LENGTH(10, 0), \
	LENGTH(11, 1), LENGTH(13, 1), LENGTH(15, 1), LENGTH(17, 1), LENGTH(19, 2), LENGTH(23, 2), LENGTH(27, 2), LENGTH(31, 2), \
	LENGTH(35, 3), LENGTH(43, 3), LENGTH(51, 3), LENGTH(59, 3), LENGTH(67, 4), LENGTH(83, 4), LENGTH(99, 4), LENGTH(115, 4), \
	LENGTH(131, 5), LENGTH(163, 5), LENGTH(195, 5), LENGTH(227, 5), LENGTH(258, 0)

#define ALL_DISTANCES \
	DIST(1, 0), DIST(2, 0), DIST(3, 0), DIST(4, 0), DIST(5, 1), DIST(7, 1), DIST(9, 2), DIST(13, 2), DIST(17, 3), DIST(25, 3), \
	DIST(33, 4), DIST(49, 4), DIST(65, 5), DIST(97, 5), DIST(129, 6), DIST(193, 6), DIST(257, 7), DIST(385, 7), \
	DIST(513, 8), DIST(769, 8), DIST(1025, 9), DIST(1537, 9), DIST(2049, 10), DIST(3073, 10), DIST(4097, 11), DIST(6145, 11), \
	DIST(8193, 12), DIST(12289, 12), DIST(16385, 13), DIST(24577, 13)
