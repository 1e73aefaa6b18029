/* SPDX-License-Identifier: Zlib */
/* block_tables.h - what the encoder adds up for each token, made from a plan.
 *
 * litlen_entry, by litlen index:   bits 0..5  bits of the code word and its length extra bits
 *                                  bits 8..   both, the code word lowest
 * second_entry, by second index:   word       the code word less the symbol's base shifted by the code word's bits, modulo 2^32
 *                                  bits 0..7 of counts  bits of the code word and its extra bits
 *                                  bits 8..15           bits of the code word: the shift for the distance in the token
 * A token holds distance - 1, not the extra bits: shifting it and adding the entry turns it into extra bits and code word.
 * Bit counts are lowest where they are added, whole entries at a time: the sum's low byte is the count, what is above it nothing.
 * Only the entries of used symbols are set. */
#ifndef ZW_DEFLATE_BLOCK_TABLES_H
#define ZW_DEFLATE_BLOCK_TABLES_H

#include "deflate/block_cost.h"
#include "deflate/block_write.h"

#define ENTRY_BITS_MASK    63u
#define LITLEN_WORD_SHIFT   8
#define SECOND_SHIFT_SHIFT  8                /* of the counts */

/* Sets w's entries, end_code and end_code_bits for plan. */
void zw_block_tables_make(struct zw_block_writer *w, const struct zw_block_plan *plan);

#endif
