/* SPDX-License-Identifier: Zlib */
/* tokens.h - what the parsers produce and the block coder consumes.
 *
 * A token is 32 bits:
 *   bits  0..8   litlen index: 0..255 a literal, 253 + length (256..511) a match of 3..258 bytes
 *   bits  9..17  second index: for a match its distance symbol 0..29; 31: nothing; 32 + c: a second literal c
 *   bits 18..31  low 14 bits of distance - 1 (0 for literals); the encoder subtracts the symbol's base
 * Literals live in the token, so a block may outlive its bytes in the window. */
#ifndef ZW_DEFLATE_TOKENS_H
#define ZW_DEFLATE_TOKENS_H

#include "base/arch.h"
#include "base/check.h"
#include "base/rfc.h"

#include <stdint.h>

#define TOKEN_LITLEN_BITS     9
#define TOKEN_SECOND_BITS     9
#define TOKEN_DISTANCE_SHIFT 18
#define TOKEN_INDEX_MASK  511u
#define TOKEN_LENGTH_BIAS 253u               /* length 3 is index 256 */
#define TOKEN_SECOND_NONE  31u
#define TOKEN_SECOND_LITERAL 32u
#define TOKEN_INDEX_COUNT 512u

/* Tokens in one block: histograms are u16 and a token holds up to two literals. */
#define BLOCK_MAX_TOKENS 16384u
static_assert(2 * BLOCK_MAX_TOKENS <= 32768u, "a count stays below 2^15 even if every token is a pair of one literal");

/* How often each index occurs in the block so far.  The end-of-block symbol is not counted. */
struct zw_histogram {
	uint16_t litlen[TOKEN_INDEX_COUNT];      /* by litlen index: lengths are not yet grouped into symbols */
	uint16_t dist[DIST_CODE_COUNT];          /* by distance symbol; directly behind litlen: one base register */
};

struct zw_tokens {
	uint32_t *buf;                           /* in the arena */
	uint32_t  count;
	uint32_t  capacity;                      /* 64 << mem_level, at most BLOCK_MAX_TOKENS */
	struct zw_histogram freq;
};

/* Distance symbol of distance - 1 (RFC 1951 3.2.5): by d when d < 256, by 256 + (d >> 7) otherwise. */
extern const uint8_t zw_distance_symbols[512] ZW_HIDDEN;

/* Extra bits and smallest values of the symbols (RFC 1951 3.2.5): lengths by symbol - 256, so that [0] is the
 * end-of-block; distances by symbol.  Unassigned slots are 0. */
extern const uint8_t  zw_length_extra_bits[32], zw_length_base_less_3[32];
extern const uint8_t  zw_distance_extra_bits[DIST_CODE_COUNT];
extern const uint16_t zw_distance_base_less_1[DIST_CODE_COUNT];

ZW_INLINE unsigned zw_distance_symbol(unsigned distance_less_1)
{
	return zw_distance_symbols[distance_less_1 < 256 ? distance_less_1 : 256 + (distance_less_1 >> 7)];
}

ZW_INLINE uint32_t zw_token_literal(unsigned c) { return c | TOKEN_SECOND_NONE << TOKEN_LITLEN_BITS; }

ZW_INLINE uint32_t zw_token_pair(unsigned first, unsigned second)
{
	return first | (TOKEN_SECOND_LITERAL + second) << TOKEN_LITLEN_BITS;
}

ZW_INLINE uint32_t zw_token_match(unsigned len_bytes, unsigned dist_symbol, unsigned distance_less_1)
{
	return (TOKEN_LENGTH_BIAS + len_bytes) | dist_symbol << TOKEN_LITLEN_BITS | distance_less_1 << TOKEN_DISTANCE_SHIFT;
}

#endif
