/* SPDX-License-Identifier: Zlib */
/* test_symbol_counts.c - symbols of tokens against RFC 1951 3.2.5, written out here. */
#include "lib/cmocka_all.h"
#include "oneshot/symbol_counts.h"

#include <string.h>

static const unsigned length_base[29] = { 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115,
					  131, 163, 195, 227, 258 };

static void a_length_has_another_symbol_than_the_rfc_says(void **state)
{
	(void)state;
	for (unsigned len = MATCH_MIN_BYTES; len <= MATCH_MAX_BYTES; len++) {
		unsigned symbol = 28;

		while (length_base[symbol] > len)
			symbol--;
		assert_int_equal(zw_length_symbols_less_256[len - MATCH_MIN_BYTES], symbol + 1);
	}
}

static void a_token_is_not_counted_or_twice(void **state)
{
	const uint32_t tokens[] = { zw_token_literal(0), zw_token_literal(255), zw_token_match(3, 0, 0), zw_token_match(258, 29, 32767),
				    zw_token_literal(255), zw_token_match(10, 4, 4) };
	struct zw_symbol_counts c, twice, none;

	(void)state;
	memset(&c, 0, sizeof c);
	memset(&none, 0, sizeof none);
	zw_symbols_count(&c, tokens, 6);
	assert_int_equal(c.litlen[0], 1);
	assert_int_equal(c.litlen[255], 2);
	assert_int_equal(c.litlen[257], 1);
	assert_int_equal(c.litlen[285], 1);
	assert_int_equal(c.litlen[264], 1);
	assert_int_equal(c.litlen[SYMBOL_END_OF_BLOCK], 0);
	assert_int_equal(c.dist[0] + c.dist[29] + c.dist[4], 3);
	zw_symbols_add(&twice, &c, &c);
	assert_int_equal(twice.litlen[255], 4);
	zw_symbols_subtract(&twice, &twice, &c);
	assert_memory_equal(&twice, &c, sizeof c);
	zw_symbols_subtract(&twice, &twice, &c);
	assert_memory_equal(&twice, &none, sizeof none);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_length_has_another_symbol_than_the_rfc_says),
		cmocka_unit_test(a_token_is_not_counted_or_twice),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
