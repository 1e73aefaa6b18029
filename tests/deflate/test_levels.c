/* SPDX-License-Identifier: Zlib */
/* test_levels.c - the table of levels, and deflateTune()'s numbers. */
#include "deflate/levels.h"
#include "base/rfc.h"
#include "lib/cmocka_all.h"

static void a_strategy_names_another_parser(void **state)
{
	(void)state;
	for (int strategy = ZW_DEFAULT_STRATEGY; strategy <= ZW_FIXED; strategy++)
		assert_int_equal(zw_level_params(0, (enum zw_strategy)strategy).parser, ZW_PARSE_STORED);
	for (int level = 1; level <= 9; level++) {
		struct zw_match_params p = zw_level_params(level, ZW_DEFAULT_STRATEGY);

		assert_int_equal(p.parser, level == 1 ? ZW_PARSE_FAST1 : level == 2 ? ZW_PARSE_FAST2 :
					   level == 3 ? ZW_PARSE_FAST3 : level == 4 ? ZW_PARSE_PAIRS : ZW_PARSE_LAZY);
		assert_int_equal(zw_level_params(level, ZW_FIXED).parser, p.parser);
		assert_int_equal(zw_level_params(level, ZW_FILTERED).parser, level <= 4 ? ZW_PARSE_PAIRS : ZW_PARSE_LAZY);
		assert_int_equal(zw_level_params(level, ZW_FILTERED).min_bytes, 6);
		assert_int_equal(zw_level_params(level, ZW_RLE).parser, ZW_PARSE_RLE);
		assert_int_equal(zw_level_params(level, ZW_HUFFMAN_ONLY).parser, ZW_PARSE_HUFFMAN_ONLY);
	}
}

static void a_higher_level_searches_less(void **state)
{
	(void)state;
	for (int level = 5; level <= 9; level++) {
		struct zw_match_params lower = zw_level_params(level - 1, ZW_DEFAULT_STRATEGY);
		struct zw_match_params higher = zw_level_params(level, ZW_DEFAULT_STRATEGY);

		assert_true(higher.first_depth >= lower.first_depth && higher.joint_depth > lower.joint_depth);
		assert_true(higher.joint_again_depth >= lower.joint_again_depth && higher.nice_bytes >= lower.nice_bytes);
		assert_true(higher.joint_deep_depth >= higher.joint_depth && higher.joint_deep_depth >= lower.joint_deep_depth);
		assert_true(higher.short_least_depth >= 1 && higher.short_least_depth <= higher.short_depth);
		assert_true(higher.record_dense_bytes <= higher.dense_bytes && higher.long_dense_bytes <= higher.dense_bytes);
		assert_true(!higher.long_dense_bytes || higher.long_run_step >= higher.run_step);
		assert_true(higher.again_digits_depth <= higher.joint_again_depth && higher.again_least_depth <= higher.joint_again_depth);
	}
}

static void tuning_gives_a_depth_of_0_or_an_impossible_length(void **state)
{
	static const unsigned numbers[] = { 0, 1, 3, 4, 8, 16, 258, 259, 4096, 65535, 0x7fffffff, 0xffffffff };
	const size_t count = sizeof numbers / sizeof numbers[0];

	(void)state;
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < count; k++) {
			struct zw_match_params p = zw_level_params(6, ZW_DEFAULT_STRATEGY);
			struct zw_match_params before = p;

			zw_level_tune(&p, numbers[k], numbers[i], numbers[k], numbers[i]);
			assert_true(p.first_depth >= 1 && p.first_depth <= 64);
			assert_true(numbers[i] ? p.joint_depth >= 1 && p.joint_depth <= 256 : p.joint_depth == 0);
			assert_true(p.joint_deep_depth >= p.joint_depth);
			assert_true(p.short_least_depth >= 1 && p.short_least_depth <= p.short_depth);
			assert_true(p.again_digits_depth <= p.joint_again_depth);
			assert_true(p.nice_bytes >= 4 && p.nice_bytes <= MATCH_MAX_BYTES);
			assert_int_equal(p.parser, before.parser);
			assert_int_equal(p.min_bytes, before.min_bytes);
		}
}

/* deflateTune() with the numbers that zlib documents for its level 6 must stay near our level 6. */
static void tuning_to_level_6_is_another_level(void **state)
{
	struct zw_match_params six = zw_level_params(6, ZW_DEFAULT_STRATEGY), p = six;

	(void)state;
	zw_level_tune(&p, 8, 16, 128, 128);
	assert_int_equal(p.nice_bytes, six.nice_bytes);
	assert_true(p.joint_depth >= six.joint_depth - 2 && p.joint_depth <= six.joint_depth + 2);
	zw_level_tune(&p, 8, 16, 128, 4096);
	assert_true(p.joint_depth > zw_level_params(8, ZW_DEFAULT_STRATEGY).joint_depth);
}

/* Level 4's parser has two candidates and no more: it must hand over to the one with chains. */
static void level_4_tuned_deeper_stays_shallow(void **state)
{
	struct zw_match_params p = zw_level_params(4, ZW_DEFAULT_STRATEGY);

	(void)state;
	zw_level_tune(&p, 4, 4, 16, 16);
	assert_int_equal(p.parser, ZW_PARSE_PAIRS);
	zw_level_tune(&p, 8, 16, 128, 128);
	assert_int_equal(p.parser, ZW_PARSE_LAZY);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_strategy_names_another_parser),
		cmocka_unit_test(a_higher_level_searches_less),
		cmocka_unit_test(tuning_gives_a_depth_of_0_or_an_impossible_length),
		cmocka_unit_test(tuning_to_level_6_is_another_level),
		cmocka_unit_test(level_4_tuned_deeper_stays_shallow),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
