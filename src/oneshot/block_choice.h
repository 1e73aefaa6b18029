/* SPDX-License-Identifier: Zlib */
/* block_choice.h - what a block with given counts costs, and how it is written. */
#ifndef ZW_ONESHOT_BLOCK_CHOICE_H
#define ZW_ONESHOT_BLOCK_CHOICE_H

#include "deflate/block_cost.h"
#include "oneshot/symbol_counts.h"

#include <stdint.h>

/* The plan with codes made straight from the counts; dynamic or fixed, whichever is shorter. */
void zw_block_quick_plan(struct zw_block_plan *plan, const struct zw_symbol_counts *c);

/* Its exact bits. */
uint64_t zw_block_quick_bits(const struct zw_symbol_counts *c);

/* The shortest plan that could be found: several codes are tried, since one a little longer may have a shorter description. */
void zw_block_choose(struct zw_block_plan *plan, const struct zw_symbol_counts *c);

#endif
