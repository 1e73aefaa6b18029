/* SPDX-License-Identifier: Zlib */
/* test_parse_optimal.c - tokens are the input, and no way through it is cheaper. */
#include "lib/parse_driver.h"
#include "lib/rng.h"
#include "oneshot/solution.h"


static uint64_t token_price(uint32_t token, const struct zw_prices *p)
{
	if (!zw_token_is_match(token))
		return p->literal[token & TOKEN_INDEX_MASK];
	return p->length[zw_token_length(token)] + p->dist[zw_token_distance_symbol(token)];
}

static uint64_t tokens_price(const uint32_t *tokens, size_t count, const struct zw_prices *p)
{
	uint64_t price = 0;

	for (size_t i = 0; i < count; i++)
		price += token_price(tokens[i], p);
	return price;
}

/* Parses m in ranges of range_bytes, each with the next of the prices, and gives the tokens.  Checks the parse's own sum when
 * there is one range. */
static uint32_t *parse_ranges(const struct test_matches *m, const struct zw_prices *prices, size_t price_count, size_t range_bytes,
			      unsigned long_span, size_t *count_ret)
{
	uint32_t *cost = test_array(m->count + COST_SLACK, sizeof *cost), *tokens = test_array(m->count, sizeof *tokens);
	uint16_t *choice = test_array(m->count, sizeof *choice);
	struct zw_parse parse = { m->in.data, m->count, &m->list, cost, choice, long_span };
	struct zw_parse_prices *p = test_array(price_count, sizeof *p);
	size_t ranges = (m->count + range_bytes - 1) / range_bytes, n = 0;
	struct zw_parse_cursor c, start = { 0, 0 };

	for (size_t i = 0; i < price_count; i++)
		zw_parse_prices_make(p + i, prices + i);
	zw_parse_begin(&parse, &c);
	for (size_t r = ranges; r--; )
		zw_parse_price(&parse, &c, r * range_bytes, p + r % price_count);
	assert_int_equal(c.position, 0);
	assert_int_equal(c.entry, 0);
	for (size_t r = 0; r < ranges; r++) {
		size_t end = (r + 1) * range_bytes < m->count ? (r + 1) * range_bytes : m->count;

		n += zw_parse_tokens(&parse, &start, end, p + r % price_count, tokens + n);
	}
	assert_int_equal(start.position, m->count);
	assert_int_equal(start.entry, m->list.entry_count);
	tokens_check(tokens, n, m->in.data, m->count);
	if (ranges == 1)
		assert_int_equal(cost[0] >> LENGTH_BITS,
				 (uint32_t)(tokens_price(tokens, n, prices)) & (UINT32_MAX >> LENGTH_BITS));
	free(cost);
	free(choice);
	free(p);
	*count_ret = n;
	return tokens;
}

/* The least price of all ways, each length of each match tried. */
static uint64_t least_price(const struct test_matches *m, const struct zw_prices *p)
{
	uint64_t *least = test_array(m->count + 1, sizeof *least), result;
	uint32_t entry = m->list.entry_count;

	least[m->count] = 0;
	for (size_t i = m->count; i--; ) {
		least[i] = least[i + 1] + p->literal[m->in.data[i]];
		for (unsigned k = m->list.counts[i]; k--; ) {
			uint32_t token = m->list.entries[--entry];
			uint64_t dist = p->dist[zw_token_distance_symbol(token)];

			for (unsigned l = MATCH_MIN_BYTES; l <= zw_token_length(token); l++)
				if (least[i + l] + p->length[l] + dist < least[i])
					least[i] = least[i + l] + p->length[l] + dist;
		}
	}
	result = least[0];
	free(least);
	return result;
}

/* Prices as counts could give them, some at either end of their range. */
static void random_prices(struct rng *rng, struct zw_prices *p)
{
	struct zw_symbol_counts c;

	for (unsigned i = 0; i < LITLEN_CODE_COUNT; i++)
		c.litlen[i] = rng_one_in(rng, 3) ? 0 : (uint32_t)rng_size(rng, (size_t)1 << rng_below(rng, 20));
	for (unsigned i = 0; i < DIST_CODE_COUNT; i++)
		c.dist[i] = rng_one_in(rng, 3) ? 0 : (uint32_t)rng_size(rng, (size_t)1 << rng_below(rng, 20));
	zw_prices_from_counts(p, &c);
}

static void a_cheaper_way_exists(void **state)
{
	struct test_bytes in = { 0 };
	struct rng rng = rng_seed(4);

	(void)state;
	for (int kind = 0; kind < PARSE_INPUT_COUNT; kind++)
		for (unsigned round = 0; round < 12; round++) {
			struct test_matches m;
			struct zw_prices p;
			size_t n;

			parse_input(kind, round, 1 + rng_size(&rng, 30000), &in);
			matches_find(&m, &in, round % 2 ? 200 : 5, round % 3 ? MATCH_MAX_BYTES : 60, 4);
			if (round % 4 == 0)
				zw_prices_first(&p, in.data, in.len_bytes);
			else
				random_prices(&rng, &p);
			uint32_t *tokens = parse_ranges(&m, &p, 1, m.count, MATCH_MAX_BYTES, &n);

			assert_int_equal(tokens_price(tokens, n, &p), least_price(&m, &p));
			free(tokens);
			matches_free(&m);
		}
	bytes_free(&in);
}

/* Fewer lengths looked at: still the input, and not much dearer. */
static void a_short_span_is_far_from_the_best(void **state)
{
	struct test_bytes in = { 0 };

	(void)state;
	for (int kind = 0; kind < PARSE_INPUT_COUNT; kind++) {
		struct test_matches m;
		struct zw_prices p;
		uint64_t least;
		size_t n;

		parse_input(kind, 1, 50000, &in);
		matches_find(&m, &in, 200, MATCH_MAX_BYTES, 4);
		zw_prices_first(&p, in.data, in.len_bytes);
		least = least_price(&m, &p);
		for (unsigned span = 1; span <= MATCH_MAX_BYTES; span *= 4) {
			uint32_t *tokens = parse_ranges(&m, &p, 1, m.count, span, &n);

			assert_between(tokens_price(tokens, n, &p), least, least + least / 50 + 40 * PRICE_BIT);
			free(tokens);
		}
		matches_free(&m);
	}
	bytes_free(&in);
}

static void tokens_are_not_the_input_where_prices_change(void **state)
{
	static const size_t ranges[] = { 1, 2, 9, 10, 11, 500, 7777 };
	struct test_bytes in = { 0 };
	struct rng rng = rng_seed(5);

	(void)state;
	for (int kind = 0; kind < PARSE_INPUT_COUNT; kind++) {
		struct test_matches m;
		struct zw_prices prices[3];
		size_t n;

		parse_input(kind, 2, 20000, &in);
		matches_find(&m, &in, 100, 100, 4);
		for (unsigned r = 0; r < sizeof ranges / sizeof ranges[0]; r++) {
			for (unsigned i = 0; i < 3; i++)
				random_prices(&rng, prices + i);
			free(parse_ranges(&m, prices, 3, ranges[r], r % 2 ? 8 : MATCH_MAX_BYTES, &n));
		}
		matches_free(&m);
	}
	bytes_free(&in);
}

static void a_tiny_input_fails(void **state)
{
	struct test_bytes in = { 0 };

	(void)state;
	for (size_t count = 1; count < 300; count++)
		for (int kind = 0; kind < PARSE_INPUT_COUNT; kind += 3) {
			struct test_matches m;
			struct zw_prices p;
			size_t n;
			uint32_t *tokens;

			parse_input(kind, count, count, &in);
			matches_find(&m, &in, 100, MATCH_MAX_BYTES, 4);
			zw_prices_first(&p, in.data, in.len_bytes);
			tokens = parse_ranges(&m, &p, 1, m.count, MATCH_MAX_BYTES, &n);
			assert_int_equal(tokens_price(tokens, n, &p), least_price(&m, &p));
			free(tokens);
			matches_free(&m);
		}
	bytes_free(&in);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_cheaper_way_exists),
		cmocka_unit_test(a_short_span_is_far_from_the_best),
		cmocka_unit_test(tokens_are_not_the_input_where_prices_change),
		cmocka_unit_test(a_tiny_input_fails),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
