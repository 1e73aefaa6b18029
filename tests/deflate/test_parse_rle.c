/* SPDX-License-Identifier: Zlib */
/* test_parse_rle.c - ZW_RLE: everything parse_driver.h promises, and nothing else than the strategy allows. */
#include "lib/cmocka_all.h"
#include "lib/parse_driver.h"

#define INPUT_BYTES 20000

static void tokens_are_not_the_input(void **state)
{
	(void)state;
	parse_check_kind(6, ZW_RLE);
}

static void a_match_is_not_at_distance_1(void **state)
{
	struct parse_setup setup = { .params = zw_level_params(6, ZW_RLE), .window_log2 = 15, .mem_level = 8 };
	static uint8_t in[INPUT_BYTES];
	struct parse_result r;
	size_t matches = 0;

	(void)state;
	for (size_t i = 0; i < sizeof in; i++)   /* runs of 1..9 bytes */
		in[i] = (uint8_t)("aabbbccccddddddeffffffffghhhhhhhhhi"[i % 35]);
	r = parse_run(&setup, in, sizeof in);
	for (size_t i = 0; i < r.count; i++)
		if ((r.tokens[i] & TOKEN_INDEX_MASK) > 255) {
			assert_int_equal(r.tokens[i] >> TOKEN_LITLEN_BITS, 0);
			matches++;
		}
	assert_true(matches >= INPUT_BYTES / 35 * 4);    /* ccc, ddddd, fffffff, hhhhhhhh: a run less its first byte */
	parse_free(&r);
}

static void a_run_is_many_tokens(void **state)
{
	struct parse_setup setup = { .params = zw_level_params(1, ZW_RLE), .window_log2 = 15, .mem_level = 8 };
	struct test_bytes in = { 0 };
	struct parse_result r;

	(void)state;
	parse_input(CORPUS_SAME, 1, INPUT_BYTES, &in);
	r = parse_run(&setup, in.data, in.len_bytes);
	bytes_free(&in);
	assert_true(r.count <= 2 + INPUT_BYTES / MATCH_MAX_BYTES);
	parse_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tokens_are_not_the_input),
		cmocka_unit_test(a_match_is_not_at_distance_1),
		cmocka_unit_test(a_run_is_many_tokens),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
