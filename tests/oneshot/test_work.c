/* SPDX-License-Identifier: Zlib */
/* test_work.c - the work of levels 10 to 12 is bounded by the input's length, whatever it holds.
 * Nodes, comparisons and priced lengths are counted in the code itself, compiled here once more under other names. */
static unsigned long long nodes, compares, priced;
#define ZW_COUNT_NODE()    ((void)nodes++)
#define ZW_COUNT_COMPARE() ((void)compares++)
#define ZW_COUNT_PRICED(n) ((void)(priced += (n)))
#define zw_match_tree_find   counted_tree_find
#define zw_match_tree_insert counted_tree_insert
#define zw_match_tree_reset  counted_tree_reset
#define zw_match_tree_sizes  counted_tree_sizes
#define zw_parse_price       counted_parse_price
#define zw_parse_begin       counted_parse_begin
#define zw_parse_prices_make counted_prices_make
#define zw_parse_tokens      counted_parse_tokens
#include "oneshot/match_tree.c"
#include "oneshot/parse_optimal.c"

#include "lib/parse_driver.h"
#include "oneshot/solution.h"

#define INPUT_BYTES 150000u
#define DEPTH 200u

/* One pass over m with first prices. */
static void price_once(const struct test_matches *m)
{
	uint32_t *cost = test_array(m->count + COST_SLACK, sizeof *cost);
	uint16_t *choice = test_array(m->count, sizeof *choice);
	struct zw_parse parse = { m->in.data, m->count, &m->list, cost, choice, MATCH_MAX_BYTES };
	struct zw_parse_prices p;
	struct zw_parse_cursor c;
	struct zw_prices prices;

	zw_prices_first(&prices, m->in.data, m->count);
	zw_parse_prices_make(&p, &prices);
	zw_parse_begin(&parse, &c);
	zw_parse_price(&parse, &c, 0, &p);
	free(cost);
	free(choice);
}

/* A node is looked at once a search at most; comparing it takes TREE_COMPARE_BYTES / 8 steps and a last one; a length that is
 * priced is one of LONG_LANES. */
static void a_byte_costs_more_than_the_depth_allows(void **state)
{
	struct test_bytes in = { 0 };

	(void)state;
	for (int kind = 0; kind < PARSE_INPUT_COUNT; kind++) {
		struct test_matches m;

		nodes = compares = priced = 0;
		parse_input(kind, 3, INPUT_BYTES, &in);
		matches_find(&m, &in, DEPTH, MATCH_MAX_BYTES, 4);
		price_once(&m);
		assert_true(nodes > 0);
		assert_true(nodes <= (unsigned long long)DEPTH * INPUT_BYTES);
		/* what two neighbours have in common is not compared again: far below DEPTH * 33 a byte */
		if (compares > 2 * nodes + 40ull * INPUT_BYTES)
			fail_msg("kind %d: %llu comparisons, %llu nodes", kind, compares, nodes);
		if (priced > 70ull * INPUT_BYTES)
			fail_msg("kind %d: %llu steps of pricing", kind, priced);
		matches_free(&m);
	}
	bytes_free(&in);
}

/* Long runs and short periods, clean and with a byte changed now and then: the tree has few nodes for them. */
static void a_run_is_walked_node_by_node(void **state)
{
	struct test_bytes in = { 0 };

	(void)state;
	for (unsigned period = 1; period <= 300; period = period * 3 + 1)
		for (unsigned change = 0; change < 2; change++) {
			struct test_matches m;

			nodes = compares = priced = 0;
			in.len_bytes = 0;
			for (unsigned i = 0; i < INPUT_BYTES; i++)
				bytes_append_byte(&in, (uint8_t)(change && i % 1013 == 0 ? i / 1013 : 'a' + i % period % 26));
			matches_find(&m, &in, DEPTH, MATCH_MAX_BYTES, 4);
			price_once(&m);
			if (nodes > (change ? DEPTH / 4 : 5u) * INPUT_BYTES)
				fail_msg("period %u, change %u: %llu nodes", period, change, nodes);
			if (compares > 2 * nodes + 40ull * INPUT_BYTES)
				fail_msg("period %u, change %u: %llu comparisons", period, change, compares);
			matches_free(&m);
		}
	bytes_free(&in);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_byte_costs_more_than_the_depth_allows),
		cmocka_unit_test(a_run_is_walked_node_by_node),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
