/* SPDX-License-Identifier: Zlib */
/* block_cost.h - histogram in, code lengths and exact cost out: which kind of block is cheapest. */
#ifndef ZW_DEFLATE_BLOCK_COST_H
#define ZW_DEFLATE_BLOCK_COST_H

#include "deflate/tokens.h"

#include <stdbool.h>
#include <stdint.h>

/* Defined in block_cost.h by the block coder: code lengths of both alphabets, the header's items, used symbols,
 * BLOCK_FIXED or BLOCK_DYNAMIC, and cost_bits: exact bits of the block including its 3 header bits and end-of-block. */
struct zw_block_plan;

/* Fills plan for tokens counted in freq.  fixed_only: the caller asked for Z_FIXED. */
void zw_block_plan_make(struct zw_block_plan *plan, const struct zw_histogram *freq, uint32_t token_count, bool fixed_only);

/* Exact bits of a fixed-code block with this histogram, header and end-of-block included. */
uint64_t zw_block_fixed_bits(const struct zw_histogram *freq);

#endif
