/* SPDX-License-Identifier: Zlib */
/* test_match_tree.c - every match is one, and with enough depth every useful match is found. */
#include "lib/parse_driver.h"
#include "oneshot/solution.h"

static unsigned common_bytes(const uint8_t *a, const uint8_t *b, size_t most)
{
	unsigned n = 0;

	while (n < most && a[n] == b[n])
		n++;
	return n;
}

/* Every entry is a match, lengths and distances ascend, and none reaches beyond the end. */
static void check_entries(const struct test_matches *m)
{
	uint32_t entry = 0;

	for (size_t i = 0; i < m->count; i++) {
		unsigned length = 0, distance = 0;

		for (unsigned k = 0; k < m->list.counts[i]; k++) {
			uint32_t token = m->list.entries[entry++];

			assert_between(zw_token_length(token), MATCH_MIN_BYTES, MATCH_MAX_BYTES);
			assert_true(zw_token_length(token) > length && token_distance(token) > distance);
			length = zw_token_length(token);
			distance = token_distance(token);
			assert_true(i + length <= m->count && distance <= i && distance <= TREE_DISTANCE_MAX);
			assert_int_equal(common_bytes(m->in.data + i, m->in.data + i - distance, length), length);
		}
	}
	assert_int_equal(entry, m->list.entry_count);
}

static void an_entry_is_not_a_match(void **state)
{
	static const unsigned depths[] = { 1, 7, 24, 200 }, skips[] = { 16, 96, MATCH_MAX_BYTES };
	struct test_bytes in = { 0 };

	(void)state;
	for (int kind = 0; kind < PARSE_INPUT_COUNT; kind++)
		for (unsigned d = 0; d < 4; d++)
			for (unsigned s = 0; s < 3; s++) {
				struct test_matches m;

				parse_input(kind, 5 + d, 70000, &in);
				matches_find(&m, &in, depths[d], skips[s], 1 + d);
				check_entries(&m);
				matches_free(&m);
			}
	bytes_free(&in);
}

static void a_tiny_input_is_overrun(void **state)
{
	struct test_bytes in = { 0 };

	(void)state;
	for (size_t n = 1; n < 600; n++) {
		struct test_matches m;

		parse_input(n % 2 ? CORPUS_SAME : CORPUS_HTML, n, n, &in);
		matches_find(&m, &in, 200, MATCH_MAX_BYTES, 4);
		check_entries(&m);
		matches_free(&m);
	}
	bytes_free(&in);
}

/* The nearest place where at least length bytes from i on have been before; 0: none within the distance. */
static size_t nearest(const struct test_matches *m, size_t i, unsigned length)
{
	for (size_t distance = 1; distance <= i && distance <= TREE_DISTANCE_MAX; distance++)
		if (common_bytes(m->in.data + i, m->in.data + i - distance, length) == length)
			return distance;
	return 0;
}

/* Against a search of everything, at some positions: for each length of four and more the nearest match; of three bytes the
 * table may have lost one to another that has its hash, which must be rare. */
static void a_nearer_or_longer_match_exists(void **state)
{
	struct test_bytes in = { 0 };
	unsigned lost3 = 0, looked3 = 0;

	(void)state;
	for (int kind = 0; kind < PARSE_INPUT_COUNT; kind++) {
		struct test_matches m;
		uint32_t entry = 0;

		parse_input(kind, 9, 45000, &in);
		matches_find(&m, &in, 100000, MATCH_MAX_BYTES + 1, LIST_MAX_MATCHES);
		for (size_t i = 0; i < m.count; i++) {
			const uint32_t *tokens = m.list.entries + entry;
			unsigned count = m.list.counts[i], k = 0;

			entry += count;
			if (i % 577 != 0)
				continue;
			for (unsigned length = MATCH_MIN_BYTES; length <= MATCH_MAX_BYTES && i + length <= m.count; length++) {
				size_t want = nearest(&m, i, length);

				while (k < count && zw_token_length(tokens[k]) < length)
					k++;
				if (length == MATCH_MIN_BYTES) {
					looked3 += want != 0;
					lost3 += want != (k < count ? token_distance(tokens[k]) : 0);
					continue;
				}
				assert_int_equal(k < count ? token_distance(tokens[k]) : 0, want);
				if (!want)
					break;
			}
		}
		matches_free(&m);
	}
	assert_true(looked3 > 500);
	assert_true(lost3 <= looked3 / 20);
	bytes_free(&in);
}

/* A tree that was filled by inserting alone, and one that was made anew from the last bytes, know the same positions. */
static void history_is_not_found_after_a_new_start(void **state)
{
	struct test_bytes in = { 0 };
	struct test_matches m;
	size_t half = 40000;
	uint32_t most;

	(void)state;
	parse_input(CORPUS_JS, 3, 2 * half, &in);
	matches_find(&m, &in, 100000, MATCH_MAX_BYTES + 1, LIST_MAX_MATCHES);
	zw_match_tree_reset(&m.tree, m.count);
	zw_match_tree_insert(&m.tree, m.in.data + half - DISTANCE_MAX_BYTES, POSITION_FIRST, DISTANCE_MAX_BYTES);
	most = m.list.entry_count;
	zw_match_tree_find(&m.tree, m.in.data + half, POSITION_FIRST + DISTANCE_MAX_BYTES, half, &m.list);
	assert_between(m.list.entry_count, 1, most);
	for (size_t i = 0, entry = 0; i < half; entry += m.list.counts[i++]) {
		for (unsigned k = 0; k < m.list.counts[i]; k++) {
			uint32_t token = m.list.entries[entry + k];

			assert_int_equal(common_bytes(m.in.data + half + i, m.in.data + half + i - token_distance(token),
						      zw_token_length(token)), zw_token_length(token));
		}
		if (i == 0)
			assert_true(m.list.counts[i] > 0 || nearest(&m, half, MATCH_MIN_BYTES) == 0);
	}
	matches_free(&m);
	bytes_free(&in);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_entry_is_not_a_match),
		cmocka_unit_test(a_tiny_input_is_overrun),
		cmocka_unit_test(a_nearer_or_longer_match_exists),
		cmocka_unit_test(history_is_not_found_after_a_new_start),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
