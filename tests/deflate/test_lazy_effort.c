/* SPDX-License-Identifier: Zlib */
/* test_lazy_effort.c - how much walks look at, from what those of the segment before gave. */
#include "deflate/lazy_effort.h"
#include "lib/cmocka_all.h"

#define SEGMENTS 100u

#define EARLY_MOST 16u                       /* after so many segments chains are not short any more */

/* At a stream's first segment. */
static struct zw_match_finder early_finder_of(int level)
{
	struct zw_match_finder m = { .walk_effort = WALKS_USUAL };

	m.params = zw_level_params(level, ZW_DEFAULT_STRATEGY);
	return m;
}

/* Passes segments in which late candidates gain neither much nor little. */
static void pass(struct zw_match_finder *m, unsigned segments)
{
	const struct lazy_yield usual = { .walks = 100, .late_bytes = 20, .late_little = 20 };

	while (segments--)
		zw_choose_effort(m, &usual);
}

/* Where chains are full, and nobody looks further for some segments. */
static struct zw_match_finder finder_of(int level)
{
	struct zw_match_finder m = early_finder_of(level);

	pass(&m, EARLY_MOST);
	while (zw_short_depth(&m) == m.params.short_depth)
		pass(&m, 1);
	pass(&m, 1);
	return m;
}

static void what_is_gained_late_does_not_change_how_deep_walks_are(void **state)
{
	const struct lazy_yield much = { .walks = 100, .late_bytes = 40, .late_little = 40 };
	const struct lazy_yield little = { .walks = 100, .late_bytes = 4, .late_little = 4 };
	const struct lazy_yield loss = { .walks = 100, .late_bytes = -1, .late_little = -1 }, none = { .walks = 0 };

	(void)state;
	for (int level = 5; level <= 9; level++) {
		struct zw_match_finder m = finder_of(level);
		unsigned usual = m.params.short_depth;

		assert_int_equal(zw_short_depth(&m), usual);
		zw_choose_effort(&m, &much);
		assert_true(zw_short_depth(&m) > usual);
		assert_int_equal(zw_again_depth(&m), m.params.joint_again_depth);
		zw_choose_effort(&m, &little);
		assert_int_equal(zw_short_depth(&m), m.params.short_least_depth);
		assert_int_equal(zw_again_depth(&m), m.params.again_least_depth);
		m.content.digits = 100;          /* path data: nearly all walks are short ones */
		assert_true(zw_short_depth(&m) >= 2);
		m.content.digits = 0;
		pass(&m, 1);
		assert_int_equal(zw_again_depth(&m), m.params.joint_again_depth);
		zw_choose_effort(&m, &loss);
		assert_int_equal(zw_again_depth(&m), m.params.again_least_depth);
		zw_choose_effort(&m, &none);
		assert_true(zw_short_depth(&m) > usual);
	}
}

/* A page's heading that comes again is one gain of many bytes: the other walks gain nothing. */
static void one_walk_speaks_for_all(void **state)
{
	(void)state;
	for (int level = 5; level <= 8; level++)
		for (unsigned gains = 1; gains <= 2; gains++) {
			struct zw_match_finder m = finder_of(level);
			struct lazy_yield yield = { .walks = 300 };

			for (unsigned i = 0; i < gains; i++)
				zw_yield_late(&yield, 55);
			assert_int_equal(yield.late_bytes, 55 * gains);
			zw_choose_effort(&m, &yield);
			assert_int_equal(m.walk_effort, gains == 1 ? WALKS_FEW : WALKS_USUAL);
		}
	for (int bytes = -3; bytes <= 12; bytes++) {
		struct lazy_yield yield = { .walks = 300 };

		zw_yield_late(&yield, bytes);
		assert_int_equal(yield.late_bytes, bytes);
		assert_int_equal(yield.late_little, bytes);
	}
}

/* Much is the same in all bodies but for path data, where some more must be gained. */
static void path_data_goes_deep_for_less(void **state)
{
	(void)state;
	for (int late = 30; late <= 50; late++) {
		const struct lazy_yield yield = { .walks = 100, .late_bytes = late, .late_little = late };
		struct zw_match_finder plain = finder_of(6), path = plain;

		path.content.digits = 64;
		zw_choose_effort(&plain, &yield);
		zw_choose_effort(&path, &yield);
		assert_int_equal(plain.walk_effort == WALKS_DEEP, late * 26 > 1000);
		assert_int_equal(path.walk_effort == WALKS_DEEP, late * 30 > 1000);
	}
}

/* While matches are very long all walks look at the level's least; for that three segments of them must follow each other. */
static void very_long_matches_are_walked_as_others_are(void **state)
{
	const struct lazy_yield much = { .walks = 100, .late_bytes = 40, .late_little = 40 };

	(void)state;
	for (int level = 5; level <= 9; level++)
		for (unsigned before = 0; before <= 5; before++) {
			struct zw_match_finder m = finder_of(level);

			m.match_mean_bytes = 64;
			for (unsigned i = 0; i < before; i++)
				zw_choose_effort(&m, &much);
			assert_int_equal(zw_in_very_long(&m), level < 9 && before >= 3);
			if (before && level < 9)
				assert_int_equal(zw_short_depth(&m) == m.params.short_least_depth, before >= 3);
			m.match_mean_bytes = 63;
			zw_choose_effort(&m, &much);
			assert_false(zw_in_very_long(&m));
			assert_true(zw_short_depth(&m) > m.params.short_depth);
			m.match_mean_bytes = 64;
			zw_choose_effort(&m, &much);
			zw_choose_effort(&m, &much);
			assert_false(zw_in_very_long(&m));
		}
}

/* Where little is gained they do, too: or nothing would be gained ever again. */
static void where_little_is_gained_nobody_looks_further(void **state)
{
	const struct lazy_yield little = { .walks = 100 };

	(void)state;
	for (int level = 5; level <= 9; level++) {
		struct zw_match_finder m = finder_of(level);
		unsigned looks = 0;

		for (unsigned i = 0; i < SEGMENTS; i++) {
			looks += zw_short_depth(&m) > m.params.short_depth;
			zw_choose_effort(&m, &little);
		}
		assert_true(looks > 10);
	}
}

/* Walks go deeper where late candidates gain much, but not in numbers: neither in path data nor between long matches. */
static void walks_go_deep_in_numbers(void **state)
{
	const struct lazy_yield much = { .walks = 100, .late_bytes = 40, .late_little = 40 };

	(void)state;
	for (int level = 5; level <= 9; level++)
		for (unsigned digits = 0; digits <= 256; digits += 8)
			for (unsigned mean = 4; mean <= 64; mean += 4) {
				struct zw_match_finder m = finder_of(level);
				bool records = digits >= 32 && mean >= 24;

				m.content.digits = (uint16_t)digits;
				m.match_mean_bytes = (uint16_t)mean;
				assert_int_equal(zw_in_records(&m), records);
				assert_int_equal(zw_joint_depth(&m), m.params.joint_depth);
				zw_choose_effort(&m, &much);
				assert_int_equal(zw_joint_depth(&m), records || digits >= 64 ? m.params.joint_depth : m.params.joint_deep_depth);
			}
}

static void short_walks_do_not_look_further_once_in_a_while(void **state)
{
	struct zw_match_finder m = early_finder_of(6);
	unsigned usual = m.params.short_depth, looks = 0, last_look = 0;

	(void)state;
	for (unsigned i = 0; i < SEGMENTS; i++) {
		if (zw_short_depth(&m) > usual) {
			assert_true(!looks || i - last_look == 8);
			last_look = i;
			looks++;
		}
		pass(&m, 1);
	}
	assert_true(looks > 10);
}

/* While chains are short two candidates are enough, or what the level looks at at least; and no second walks in path data. */
static void what_is_early_stays_so(void **state)
{
	(void)state;
	for (int level = 5; level <= 9; level++) {
		struct zw_match_finder m = early_finder_of(level), path = m;
		const unsigned first = level == 9 ? m.params.first_depth : 2;

		path.content.digits = 64;
		for (unsigned i = 0; i < SEGMENTS; i++) {
			bool early = i < 7;

			assert_int_equal(zw_first_depth(&m), early ? first : m.params.first_depth);
			if (early)
				assert_int_equal(zw_short_depth(&m), level == 9 ? m.params.short_depth : 2);
			assert_int_equal(zw_again_depth(&m), m.params.joint_again_depth);
			assert_int_equal(zw_in_early_path_data(&m), false);
			assert_int_equal(zw_again_depth(&path), early ? m.params.again_digits_depth : m.params.joint_again_depth);
			assert_int_equal(zw_in_early_path_data(&path), early);
			pass(&m, 1);
			pass(&path, 1);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_gained_late_does_not_change_how_deep_walks_are),
		cmocka_unit_test(one_walk_speaks_for_all),
		cmocka_unit_test(path_data_goes_deep_for_less),
		cmocka_unit_test(very_long_matches_are_walked_as_others_are),
		cmocka_unit_test(where_little_is_gained_nobody_looks_further),
		cmocka_unit_test(walks_go_deep_in_numbers),
		cmocka_unit_test(short_walks_do_not_look_further_once_in_a_while),
		cmocka_unit_test(what_is_early_stays_so),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
