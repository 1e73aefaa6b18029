/* SPDX-License-Identifier: Zlib */
/* code_lengths.h - symbol counts in, a complete length-limited prefix code out. */
#ifndef ZW_DEFLATE_CODE_LENGTHS_H
#define ZW_DEFLATE_CODE_LENGTHS_H

#include "base/arch.h"
#include "base/rfc.h"

#include <stdint.h>

#define CODE_MAX_SYMBOLS LITLEN_CODE_COUNT
#define CODE_MAX_BITS    15u
#define CODE_COUNT_MAX   32767u              /* vectors of counts are signed */

/* Our own limit for the litlen code: with it a token never exceeds 14 + 5 + 15 + 13 = 47 bits. */
#define LITLEN_LIMIT_BITS 14u

struct zw_code {
	ZW_ALIGNED(16) uint8_t lengths[CODE_MAX_SYMBOLS]; /* 0: unused; set up to the symbol_count that was given */
	uint16_t used[CODE_MAX_SYMBOLS];         /* symbols with a length, ascending */
	unsigned used_count;                     /* at least 2 */
	unsigned length_counts[CODE_MAX_BITS + 1]; /* symbols of each length */
};

/* Makes a code for counts[0..symbol_count), no code longer than limit_bits.
 * symbol_count is 32 or CODE_MAX_SYMBOLS, a count at most CODE_COUNT_MAX.
 * Gives: a complete code (its Kraft sum is exactly 1) of at least two symbols: where fewer occur, others are drafted, since
 *        old decoders refuse a distance code of one.  The same lengths on every CPU. */
void zw_code_make(struct zw_code *code, const uint16_t *counts, unsigned symbol_count, unsigned limit_bits);

/* Makes the two codes of a block: the same as zw_code_make() with LITLEN_LIMIT_BITS and with DIST_CODE_MAX_BITS. */
void zw_code_make_both(struct zw_code *litlen, const uint16_t *litlen_counts, struct zw_code *dist, const uint16_t *dist_counts);

/* The same promises by rounding logarithms (code_round.c): a little longer, in less time. */
void zw_code_round(struct zw_code *code, const uint16_t *counts, unsigned symbol_count, unsigned limit_bits);

/* Of a code with fewer than two used symbols: two codes of one bit, for the one that is used (or 0) and for another. */
void zw_code_draft(struct zw_code *code);

/* The code words in the order of used[], bit-reversed as DEFLATE writes them, and the length of each.  codes needs CODE_WORDS
 * entries. */
#define CODE_WORDS (CODE_MAX_SYMBOLS + 4u)
void zw_code_assign(const struct zw_code *code, uint16_t *codes, uint8_t *bits);

#endif
