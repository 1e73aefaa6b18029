/* SPDX-License-Identifier: Zlib */
/* block_split.h - decides where one Huffman block ends and the next begins. */
#ifndef ZW_DEFLATE_BLOCK_SPLIT_H
#define ZW_DEFLATE_BLOCK_SPLIT_H

#include "deflate/tokens.h"

#include <stdbool.h>

/* True when two blocks, one for the tokens counted in older and one for those that came since, would have together over
 * threshold_bits less entropy than one block for all.  older must be an earlier state of all.
 * Pure integer arithmetic: the same answer on every CPU and from every compiler. */
bool zw_block_should_split(const struct zw_histogram *all, const struct zw_histogram *older, unsigned threshold_bits);

#endif
