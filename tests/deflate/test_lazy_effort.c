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

/* Passes early segments, of which nothing is said. */
static void pass(struct zw_match_finder *m, unsigned segments)
{
	const struct lazy_yield usual = { .walks = 100, .longer_walks = 20, .late_bytes = 20 };

	while (segments--)
		zw_choose_effort(m, &usual);
}

static void what_longer_walks_gain_late_does_not_deepen_short_ones(void **state)
{
	const struct lazy_yield much = { .walks = 100, .longer_walks = 20, .late_bytes = 41 };
	const struct lazy_yield little = { .walks = 100, .longer_walks = 20, .late_bytes = 4 };
	const struct lazy_yield loss = { .walks = 100, .longer_walks = 20, .late_bytes = -1 };

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
	}
}

/* Only a segment in which short walks looked further can say that it paid. */
static void short_walks_are_deep_without_a_look(void **state)
{
	const struct lazy_yield late = { .walks = 100, .longer_walks = 20, .late_bytes = 20, .late_short = 9 };
	struct zw_match_finder m = finder_of(6);
	unsigned usual = m.params.short_depth, looks = 0, last_look = 0;

	(void)state;
	for (unsigned i = 0; i < SEGMENTS; i++) {
		bool look = zw_short_depth(&m) > usual;

		if (look) {
			assert_true(!looks || i - last_look == 8);
			last_look = i;
			looks++;
		}
		pass(&m, 1);
	}
	assert_true(looks > 3);
	m = finder_of(6);
	for (unsigned i = 0; zw_short_depth(&m) == usual; i++) {
		assert_true(i < SEGMENTS);
		zw_choose_effort(&m, &late);
	}
	for (unsigned i = 0; i < 3; i++) {
		zw_choose_effort(&m, &late);
		assert_true(zw_short_depth(&m) > 2 * usual); /* as long as it pays */
	}
	pass(&m, 1);
	assert_int_equal(zw_short_depth(&m), usual);
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
		cmocka_unit_test(what_longer_walks_gain_late_does_not_deepen_short_ones),
		cmocka_unit_test(short_walks_are_deep_without_a_look),
		cmocka_unit_test(first_searches_stay_shallow),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
