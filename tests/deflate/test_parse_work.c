/* SPDX-License-Identifier: Zlib */
/* test_parse_work.c - the work of levels 4..9 is bounded by the input's length, whatever it holds.
 * Candidates are counted in the parser itself, compiled here once more under other names. */
static unsigned long long candidates;
#define ZW_COUNT_CANDIDATE() ((void)candidates++)
#define zw_parse_pairs           counted_parse_pairs
#define zw_parse_pairs_wide      counted_parse_pairs_wide
#define zw_parse_lazy            counted_parse_lazy
#define zw_parse_lazy_wide       counted_parse_lazy_wide
#include "deflate/parse_lazy.c"
#include "deflate/parse_pairs.c"

#include "lib/cmocka_all.h"
#include "lib/parse_driver.h"

#define INPUT_BYTES 100000u

static zw_parse_fn counted(int level)
{
	return level == 4 ? counted_parse_pairs : counted_parse_lazy;
}

/* A walk that gains moves the end of the match by a byte at least; so at a position there is one first search, and for
 * each byte at most one walk that gains and, spread over the match's bytes, the two that do not. */
static void a_byte_costs_more_than_the_depths_allow(void **state)
{
	struct test_bytes in = { 0 };

	(void)state;
	for (int kind = 0; kind < PARSE_INPUT_COUNT; kind++) {
		parse_input(kind, 3, INPUT_BYTES, &in);
		for (int level = 4; level <= 9; level++) {
			struct parse_setup setup = { .params = zw_level_params(level, ZW_DEFAULT_STRATEGY), .window_log2 = 15,
				.mem_level = 8, .parse = counted(level) };
			struct parse_result r;
			unsigned most = setup.params.first_depth + 2u * (setup.params.joint_depth + setup.params.joint_again_depth);

			candidates = 0;
			r = parse_run(&setup, in.data, in.len_bytes);
			assert_true(candidates > 0 || kind == CORPUS_RANDOM);
			if (candidates > (unsigned long long)most * INPUT_BYTES)
				fail_msg("kind %d, level %d: %llu candidates", kind, level, candidates);
			parse_free(&r);
		}
	}
	bytes_free(&in);
}

/* Long runs and short periods are what makes chains long; they must be taken in steps of the longest match. */
static void a_run_is_walked_byte_by_byte(void **state)
{
	struct test_bytes in = { 0 };

	(void)state;
	for (unsigned period = 1; period <= 4; period++) {
		in.len_bytes = 0;
		for (unsigned i = 0; i < INPUT_BYTES; i++)
			bytes_append_byte(&in, (uint8_t)('a' + i % period));
		for (int level = 4; level <= 9; level++) {
			struct parse_setup setup = { .params = zw_level_params(level, ZW_DEFAULT_STRATEGY), .window_log2 = 15,
				.mem_level = 8, .parse = counted(level) };
			struct parse_result r;

			candidates = 0;
			r = parse_run(&setup, in.data, in.len_bytes);
			assert_true(r.count < INPUT_BYTES / MATCH_MAX_BYTES + 40);
			assert_true(candidates < INPUT_BYTES / 4);
			parse_free(&r);
		}
	}
	bytes_free(&in);
}

/* The wide bodies are compiled here too; that they give the same tokens is tested in test_parse_lazy.c. */
int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_byte_costs_more_than_the_depths_allow),
		cmocka_unit_test(a_run_is_walked_byte_by_byte),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
