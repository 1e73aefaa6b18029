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
	const struct lazy_yield much = { .walks = 100, .late_bytes = 34 }, little = { .walks = 100, .late_bytes = 8 };
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
		assert_int_equal(zw_short_depth(&m), usual);
		assert_int_equal(zw_again_depth(&m), m.params.again_least_depth);
		pass(&m, 1);
		assert_int_equal(zw_again_depth(&m), m.params.joint_again_depth);
		zw_choose_effort(&m, &loss);
		assert_int_equal(zw_again_depth(&m), m.params.again_least_depth);
		zw_choose_effort(&m, &none);
		assert_true(zw_short_depth(&m) > usual);
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
		cmocka_unit_test(short_walks_do_not_look_further_once_in_a_while),
		cmocka_unit_test(first_searches_stay_shallow),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
