/* SPDX-License-Identifier: Zlib */
/* test_tokens.c - the tables against RFC 1951 3.2.5, one distance at a time. */
#include "deflate/tokens.h"
#include "lib/cmocka_all.h"

/* First distance of each symbol, by the rule of the RFC: symbols 0..3 have one each, every later pair twice as many. */
static void every_distance_has_its_symbol(void **state)
{
	unsigned distance = 1;

	(void)state;
	for (unsigned symbol = 0; symbol < DIST_SYMBOL_COUNT; symbol++) {
		unsigned count = symbol < 4 ? 1 : 1u << (symbol / 2 - 1);

		for (unsigned i = 0; i < count; i++, distance++)
			assert_int_equal(zw_distance_symbol(distance - 1), symbol);
	}
	assert_int_equal(distance, DISTANCE_MAX_BYTES + 1);
}

/* RFC 1951 3.2.5: ranges of the symbols follow each other without a gap; 258 has a symbol of its own. */
static void ranges_of_symbols_leave_a_gap(void **state)
{
	unsigned length = MATCH_MIN_BYTES, distance = 1;

	(void)state;
	for (unsigned i = 1; i < 29; i++) {
		assert_int_equal(zw_length_extra_bits[i], i < 9 ? 0 : (i - 5) / 4);
		assert_int_equal(zw_length_base_less_3[i] + MATCH_MIN_BYTES, length);
		length += 1u << zw_length_extra_bits[i];
	}
	assert_int_equal(length, MATCH_MAX_BYTES + 1);
	assert_int_equal(zw_length_base_less_3[29] + MATCH_MIN_BYTES, MATCH_MAX_BYTES);
	assert_int_equal(zw_length_extra_bits[0] + zw_length_extra_bits[29] + zw_length_extra_bits[30], 0);
	for (unsigned i = 0; i < DIST_SYMBOL_COUNT; i++) {
		assert_int_equal(zw_distance_extra_bits[i], i < 4 ? 0 : i / 2 - 1);
		assert_int_equal(zw_distance_base_less_1[i] + 1u, distance);
		distance += 1u << zw_distance_extra_bits[i];
	}
	assert_int_equal(distance, DISTANCE_MAX_BYTES + 1);
}

static void fields_of_a_token_overlap(void **state)
{
	uint32_t match = zw_token_match(MATCH_MAX_BYTES, 29, DISTANCE_MAX_BYTES - 1);

	(void)state;
	assert_int_equal(match & TOKEN_INDEX_MASK, TOKEN_LENGTH_BIAS + MATCH_MAX_BYTES);
	assert_int_equal(match >> TOKEN_LITLEN_BITS & 511, 29);
	assert_int_equal(match >> TOKEN_DISTANCE_SHIFT, (DISTANCE_MAX_BYTES - 1) & 16383);
	assert_int_equal(zw_token_pair(255, 254) & TOKEN_INDEX_MASK, 255);
	assert_int_equal(zw_token_pair(255, 254) >> TOKEN_LITLEN_BITS, TOKEN_SECOND_LITERAL + 254);
	assert_int_equal(zw_token_literal(65), 65 | TOKEN_SECOND_NONE << TOKEN_LITLEN_BITS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_distance_has_its_symbol),
		cmocka_unit_test(ranges_of_symbols_leave_a_gap),
		cmocka_unit_test(fields_of_a_token_overlap),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
