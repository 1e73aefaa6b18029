/* SPDX-License-Identifier: Zlib */
/* block_tables.h - what the encoder adds up for each token, made from a plan.
 *
 * litlen_entry, by litlen index:   bits 0..5  bits of the code word and its length extra bits
 *                                  bits 8..   both, the code word lowest
 * second_entry, by second index:   bits 0..5  bits of the code word: the shift for the distance in the token
 *                                  bits 8..13 bits of the code word and its extra bits
 *                                  bits 18..  the code word less the symbol's base shifted by bits 0..5, signed
 * A token holds distance - 1, not the extra bits: shifting it and adding the entry turns it into extra bits and code word.
 * The distance stays in the token's bits 18.. until both are added: one shift less.
 * Only the entries of used symbols are set. */
#ifndef ZW_DEFLATE_BLOCK_TABLES_H
#define ZW_DEFLATE_BLOCK_TABLES_H

#include "deflate/block_cost.h"
#include "deflate/block_write.h"

#define ENTRY_BITS_MASK    63u
#define LITLEN_WORD_SHIFT   8
#define SECOND_TOTAL_SHIFT  8
#define SECOND_WORD_SHIFT  TOKEN_DISTANCE_SHIFT

/* Sets w's entries, end_code and end_code_bits for plan. */
void zw_block_tables_make(struct zw_block_writer *w, const struct zw_block_plan *plan);

#endif
