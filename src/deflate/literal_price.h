/* SPDX-License-Identifier: Zlib */
/* literal_price.h - what the literals of the last segment cost, and so how far away a short match of the next may be. */
#ifndef ZW_DEFLATE_LITERAL_PRICE_H
#define ZW_DEFLATE_LITERAL_PRICE_H

#include "deflate/tokens.h"

#include <stdint.h>

#define LITERAL_SAMPLE_LEAST 128u            /* fewer literals tell nothing */

/* The block's counts before a segment. */
struct zw_literal_sample {
	uint16_t counts[256];
	uint32_t matches;
};

void zw_literal_sample_begin(struct zw_literal_sample *s, const struct zw_histogram *freq);

/* The price of a literal since begin in 1/16 bits, or price_before when there were too few to tell. */
uint8_t zw_literal_sample_price(const struct zw_literal_sample *s, const struct zw_histogram *freq, uint8_t price_before);

/* The largest distance at which a match of 4 bytes is cheaper than its literals.  price 0: not known. */
uint32_t zw_short_match_reach(unsigned price);

#endif
