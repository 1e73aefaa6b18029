/* SPDX-License-Identifier: Zlib */
/* parse_optimal.h - the cheapest way through a segment for given prices. */
#ifndef ZW_ONESHOT_PARSE_OPTIMAL_H
#define ZW_ONESHOT_PARSE_OPTIMAL_H

#include "oneshot/match_list.h"
#include "oneshot/price_vectors.h"
#include "oneshot/prices.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SHORT_LEAST_BYTES MATCH_MIN_BYTES    /* lengths that are looked at together */
#define SHORT_MOST_BYTES  (MATCH_MIN_BYTES + SHORT_LANES - 1)
#define COST_SLACK        (SHORT_MOST_BYTES + 1) /* entries behind the last cost */

/* Prices in the form that the parse adds up. */
struct zw_parse_prices {
	ZW_ALIGNED(16) int16_t short_length[SHORT_LANES];
	ZW_ALIGNED(16) int16_t short_dist[DIST_CODE_COUNT][SHORT_LANES]; /* each the same in all lanes */
	uint32_t literal[256];
	uint32_t dist[DIST_CODE_COUNT];
	uint32_t long_length[MATCH_MAX_BYTES + 1]; /* price << LENGTH_BITS | length */
};

/* The ways through bytes[0..count) of a segment. */
struct zw_parse {
	const uint8_t *bytes;
	size_t    count;
	const struct zw_match_list *list;
	uint32_t *cost;                          /* count + COST_SLACK entries: price << LENGTH_BITS from there to the end, modulo 2^32 */
	uint16_t *choice;                        /* count entries: length of the token to take there, 1 for a literal */
	unsigned  long_span;                     /* of a match longer than SHORT_MOST_BYTES so many lengths are looked at, the longest */
};

/* Where a walk is.  entry: the list's entries of earlier positions end here. */
struct zw_parse_cursor { size_t position; uint32_t entry; };

void zw_parse_prices_make(struct zw_parse_prices *to, const struct zw_prices *p);

/* The walk to the start begins at the end. */
void zw_parse_begin(const struct zw_parse *parse, struct zw_parse_cursor *c);

/* Chooses for each position of [start, c->position) the token from which on the rest is cheapest; c moves to start.
 * Ranges are priced from the last to the first, each with the prices of its block: a match may reach into the next. */
void zw_parse_price(const struct zw_parse *parse, struct zw_parse_cursor *c, size_t start, const struct zw_parse_prices *p);

/* Puts the chosen tokens from c->position on, until one begins at end or later; c moves there.  Returns how many. */
uint32_t zw_parse_tokens(const struct zw_parse *parse, struct zw_parse_cursor *c, size_t end, const struct zw_parse_prices *p,
			 uint32_t *tokens);

#endif
