/* SPDX-License-Identifier: Zlib */
/* test_lazy_effort.c - how much walks look at, from what those of the segment before gave. */
#include "deflate/lazy_effort.h"
#include "lib/cmocka_all.h"

#define SEGMENTS 100u

static struct zw_match_finder finder_of(int level)
{
	struct zw_match_finder m = { .walk_effort = WALKS_USUAL };

	m.params = zw_level_params(level, ZW_DEFAULT_STRATEGY);
	return m;
}

/* Passes segments in which late candidates gain neither much nor little. */
static void pass(struct zw_match_finder *m, unsigned segments)
{
	const struct lazy_yield usual = { .walks = 100, .late_bytes = 20 };

	while (segments--)
		zw_choose_effort(m, &usual);
}

static void what_is_gained_late_does_not_change_how_deep_walks_are(void **state)
{
	const struct lazy_yield much = { .walks = 100, .late_bytes = 34 }, little = { .walks = 100, .late_bytes = 4 };
	const struct lazy_yield loss = { .walks = 100, .late_bytes = -1 }, none = { .walks = 0 };

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

/* Where little is gained they do, too: or nothing would be gained ever again. */
static void where_little_is_gained_nobody_looks_further(void **state)
{
	const struct lazy_yield little = { .walks = 100, .late_bytes = 0 };

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
	const struct lazy_yield much = { .walks = 100, .late_bytes = 34 };

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
	struct zw_match_finder m = finder_of(6);
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

static void first_searches_stay_shallow(void **state)
{
	(void)state;
	for (int level = 5; level <= 9; level++) {
		struct zw_match_finder m = finder_of(level);

		assert_true(zw_first_depth(&m) <= m.params.short_depth && zw_first_depth(&m) <= m.params.first_depth);
		for (unsigned i = 0; i < SEGMENTS; i++) {
			pass(&m, 1);
			assert_true(i < 10 || zw_first_depth(&m) == m.params.first_depth);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_gained_late_does_not_change_how_deep_walks_are),
		cmocka_unit_test(where_little_is_gained_nobody_looks_further),
		cmocka_unit_test(walks_go_deep_in_numbers),
		cmocka_unit_test(short_walks_do_not_look_further_once_in_a_while),
		cmocka_unit_test(first_searches_stay_shallow),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
