/* SPDX-License-Identifier: Zlib */
/* test_parse_huffman_only.c - ZW_HUFFMAN_ONLY: everything parse_driver.h promises, and nothing else than the strategy allows. */
#include "lib/cmocka_all.h"
#include "lib/parse_driver.h"

#define INPUT_BYTES 20001

static void tokens_are_not_the_input(void **state)
{
	(void)state;
	parse_check_kind(6, ZW_HUFFMAN_ONLY);
}

static void a_token_is_a_match_or_a_lone_literal(void **state)
{
	struct parse_setup setup = { .params = zw_level_params(6, ZW_HUFFMAN_ONLY), .window_log2 = 15, .mem_level = 8 };
	struct test_bytes in = { 0 };
	struct parse_result r;

	(void)state;
	parse_input(CORPUS_HTML, 1, INPUT_BYTES, &in);
	r = parse_run(&setup, in.data, in.len_bytes);
	bytes_free(&in);
	assert_int_equal(r.count, INPUT_BYTES / 2 + 1);
	for (size_t i = 0; i < r.count; i++)
		assert_true((r.tokens[i] & TOKEN_INDEX_MASK) < 256);
	parse_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tokens_are_not_the_input),
		cmocka_unit_test(a_token_is_a_match_or_a_lone_literal),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
