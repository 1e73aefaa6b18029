/* SPDX-License-Identifier: Zlib */
/* parse_optimal.c - from the end to the start, which token makes the rest cheapest; then, forward, the tokens themselves.
 * Takes: the match list and prices.  Gives: tokens.  Then: token_split.c, or the block coder
 * Never: looks for matches, writes a bit. */
#include "oneshot/parse_optimal.h"

#include "base/check.h"

#ifndef ZW_COUNT_PRICED                      /* for tests/oneshot/test_work.c */
#define ZW_COUNT_PRICED(steps) ((void)0)
#endif

/* A lane of a length that no match has: greater than any price, and still so after the costs are added. */
#define LANE_NONE INT16_MAX
#define LANE_SUM_MOST 18000                  /* a real price is less */

/* Lanes hold costs modulo 2^16: right as long as neighbours differ by no more than a literal costs.  cost[i] is never more than
 * that above cost[i + 1]; where it is below, the lanes are not used until they have moved on. */
#define COST_FALL_MOST PRICE_MOST
#define PRICE_PAIR_MOST (2 * PRICE_MOST + PRICE_BIT * (LENGTH_EXTRA_MAX_BITS + DIST_EXTRA_MAX_BITS))
#define COST_SPREAD_MOST ((SHORT_LANES - 1) * PRICE_MOST) /* between two lanes */
static_assert(PRICE_PAIR_MOST + COST_SPREAD_MOST < LANE_SUM_MOST, "sums of lanes fit");
static_assert(LANE_NONE - COST_SPREAD_MOST > LANE_SUM_MOST, "a lane without a match is never the least real one");
static_assert((uint64_t)(MATCH_MAX_BYTES * PRICE_MOST + PRICE_PAIR_MOST) << LENGTH_BITS < (uint64_t)INT32_MAX, "differences of costs fit");

/* From [SHORT_MOST_BYTES - length] on: 0 for lanes up to length, LANE_NONE above. */
static const int16_t lane_masks[2 * SHORT_LANES - 1] = { [SHORT_LANES ... 2 * SHORT_LANES - 2] = LANE_NONE };

void zw_parse_prices_make(struct zw_parse_prices *to, const struct zw_prices *p)
{
	for (unsigned i = 0; i < SHORT_LANES; i++)
		to->short_length[i] = (int16_t)p->length[SHORT_LEAST_BYTES + i];
	for (unsigned i = 0; i < 256; i++)
		to->literal[i] = p->literal[i] << LENGTH_BITS;
	for (unsigned s = 0; s < DIST_CODE_COUNT; s++) {
		to->dist[s] = p->dist[s] << LENGTH_BITS;
		for (unsigned i = 0; i < SHORT_LANES; i++)
			to->short_dist[s][i] = (int16_t)p->dist[s];
	}
	for (unsigned l = MATCH_MIN_BYTES; l <= MATCH_MAX_BYTES; l++)
		to->long_length[l] = p->length[l] << LENGTH_BITS | l;
}

void zw_parse_begin(const struct zw_parse *parse, struct zw_parse_cursor *c)
{
	c->position = parse->count;
	c->entry = parse->list->entry_count;
	for (unsigned i = 0; i < COST_SLACK; i++)
		parse->cost[parse->count + i] = 0;
}

ZW_INLINE uint32_t smaller(uint32_t a, uint32_t b) { return a < b ? a : b; }
ZW_INLINE uint32_t larger(uint32_t a, uint32_t b) { return a > b ? a : b; }

/* The lengths from len down to least, which is above SHORT_MOST_BYTES: or a few more, which the match has too. */
ZW_INLINE zw_longs try_long(zw_longs best, const uint32_t *cost, const uint32_t *length, uint32_t dist_less_base, unsigned len,
			    unsigned least)
{
	unsigned l = len + 1;

	do {
		l -= LONG_LANES;
		ZW_COUNT_PRICED(1);
		best = zw_longs_least(best, cost + l, length + l, dist_less_base);
	} while (l > least);
	return best;
}

static_assert(SHORT_MOST_BYTES + 1 >= LONG_LANES + MATCH_MIN_BYTES, "the few more are lengths of matches");

struct best_choice { uint32_t cost, length; };

/* Selects, no branch: which of two is taken cannot be foreseen. */
ZW_INLINE struct best_choice cheaper(struct best_choice best, uint32_t cost, uint32_t length)
{
	uint32_t take = 0u - ((cost - best.cost) >> 31);

	best.cost ^= (best.cost ^ cost) & take;
	best.length ^= (best.length ^ length) & take;
	return best;
}

/* Short lengths one by one; entries[first..end) are the position's matches. */
static ZW_NOINLINE struct best_choice try_short(struct best_choice best, const uint32_t *cost, const uint32_t *entries, uint32_t first,
						uint32_t end, const struct zw_parse_prices *p)
{
	uint32_t dist_price = UINT32_MAX;

	while (end > first) {
		uint32_t token = entries[--end], price = p->dist[zw_token_distance_symbol(token)];
		unsigned len = zw_token_length(token), l = len < SHORT_MOST_BYTES ? len : SHORT_MOST_BYTES;

		dist_price = price < dist_price ? price : dist_price;
		for (; l >= SHORT_LEAST_BYTES; l--) {
			uint32_t there = cost[l] + (p->long_length[l] - l) + dist_price;

			if ((int32_t)(there - best.cost) < 0)
				best = (struct best_choice){ there, l };
		}
	}
	return best;
}

/* zw_parse_price() - see parse_optimal.h.
 * Why: the costs that short lengths lead to stay in a register, into which one is pushed each turn: loading what was stored a
 *      moment ago, in other pieces, would stall.  base is the cost three bytes on, so that the vector's latency is spread
 *      over three turns. */
void zw_parse_price(const struct zw_parse *parse, struct zw_parse_cursor *c, size_t start, const struct zw_parse_prices *p)
{
	static const int16_t no_match[SHORT_LANES] = { LANE_NONE, LANE_NONE, LANE_NONE, LANE_NONE,
						       LANE_NONE, LANE_NONE, LANE_NONE, LANE_NONE };
	const uint32_t *entries = parse->list->entries;
	const uint8_t *counts = parse->list->counts, *bytes = parse->bytes;
	uint32_t *cost = parse->cost, entry = c->entry;
	size_t i = c->position, fall = i;        /* the last position where the cost fell too far */
	uint32_t cost1 = cost[i], cost2 = cost[i + 1]; /* one and two bytes on from the position before i */
	unsigned longest = 0;                    /* of the matches of the position after this one, and then of this one */
	zw_lanes ahead = zw_lanes_load(no_match), short_length = zw_lanes_load(p->short_length);

	ZW_ASSERT(start <= i && i <= parse->count);
	for (unsigned k = SHORT_MOST_BYTES; k >= SHORT_LEAST_BYTES; k--)
		ahead = zw_lanes_push(ahead, cost[i + k - 1] >> LENGTH_BITS);
	while (i > start) {
		unsigned matches = counts[--i];
		struct best_choice best = { cost1 + p->literal[bytes[i]], 1 };

		if (matches) {
			zw_lanes dist = zw_lanes_load(no_match);
			zw_longs longs = zw_longs_most();
			uint32_t base = cost[i + SHORT_LEAST_BYTES], dist_price = UINT32_MAX, last = entry;
			unsigned at = 0, longest_after = longest, span;

			/* deep in a run that goes on beyond the longest match, a shorter one leads to where one of the next
			 * positions begins as well */
			longest = zw_token_length(entries[entry - 1]);
			span = longest == MATCH_MAX_BYTES && longest_after == MATCH_MAX_BYTES ? LONG_LANES : parse->long_span;
			do {
				uint32_t token = entries[--entry];
				unsigned len = zw_token_length(token), symbol = zw_token_distance_symbol(token);
				ZW_COUNT_PRICED(1);
				unsigned lane = len < SHORT_MOST_BYTES ? SHORT_MOST_BYTES - len : 0;

				dist = zw_lanes_least(dist, p->short_dist[symbol], lane_masks + lane);
				if (len > SHORT_MOST_BYTES) {
					unsigned shorter = matches > 1 ? zw_token_length(entries[entry - 1]) : SHORT_MOST_BYTES;
					unsigned least = larger(larger(shorter, SHORT_MOST_BYTES) + 1, len - smaller(span, len));

					dist_price = smaller(p->dist[symbol], dist_price);
					longs = try_long(longs, cost + i, p->long_length, dist_price - cost1, len, least);
				}
			} while (--matches);
			if (ZW_LIKELY(fall - i >= SHORT_MOST_BYTES)) {
				int32_t least = zw_lanes_best(ahead, base >> LENGTH_BITS, short_length, dist, &at);
				uint32_t there = base + ((uint32_t)least << LENGTH_BITS);

				ZW_ASSERT(least < LANE_SUM_MOST);
				best = cheaper(best, there, SHORT_LEAST_BYTES + at);
			} else {
				best = try_short(best, cost + i, entries, entry, last, p);
			}
			if (longest > SHORT_MOST_BYTES) {
				uint32_t there = cost1 + (uint32_t)zw_longs_best(longs);
				uint32_t length = there & ((1u << LENGTH_BITS) - 1);

				best = cheaper(best, there - length, length);
			}
			ZW_ASSERT(best.length <= longest);
		}
		if (ZW_UNLIKELY((int32_t)(cost1 - best.cost) > (int32_t)(COST_FALL_MOST << LENGTH_BITS)))
			fall = i;
		ahead = zw_lanes_push(ahead, cost2 >> LENGTH_BITS);
		cost2 = cost1;
		cost1 = best.cost;
		cost[i] = best.cost;
		parse->choice[i] = (uint16_t)best.length;
	}
	c->position = i;
	c->entry = entry;
}

/* The cheapest of entries[first..end), longest last, that is length bytes long at least. */
static uint32_t cheapest_token(const uint32_t *entries, uint32_t first, uint32_t end, unsigned length, const struct zw_parse_prices *p)
{
	uint32_t least = UINT32_MAX, token = 0;

	while (end > first && zw_token_length(entries[end - 1]) >= length) {
		uint32_t entry = entries[--end], price = p->dist[zw_token_distance_symbol(entry)];

		if (price <= least) {
			least = price;
			token = entry - (zw_token_length(entry) - length);
		}
	}
	ZW_ASSERT(token);
	return token;
}

uint32_t zw_parse_tokens(const struct zw_parse *parse, struct zw_parse_cursor *c, size_t end, const struct zw_parse_prices *p,
			 uint32_t *tokens)
{
	const uint32_t *entries = parse->list->entries;
	const uint8_t *counts = parse->list->counts;
	uint32_t n = 0, entry = c->entry;
	size_t i = c->position;

	while (i < end) {
		unsigned length = parse->choice[i];

		if (length == 1) {
			tokens[n++] = zw_token_literal(parse->bytes[i]);
			entry += counts[i++];
			continue;
		}
		tokens[n++] = cheapest_token(entries, entry, entry + counts[i], length, p);
		for (size_t next = i + length; i < next; i++)
			entry += counts[i];
	}
	c->position = i;
	c->entry = entry;
	return n;
}
