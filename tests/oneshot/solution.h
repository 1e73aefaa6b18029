/* SPDX-License-Identifier: Zlib */
/* solution.h - matches of an input, and what tokens stand for, for the tests of the stages of src/oneshot. */
#ifndef TESTS_ONESHOT_SOLUTION_H
#define TESTS_ONESHOT_SOLUTION_H

#include "lib/cmocka_all.h"
#include "lib/corpus.h"
#include "oneshot/match_tree.h"
#include "oneshot/parse_optimal.h"

#include <stdlib.h>
#include <string.h>

/* Everything that a parse needs, in memory of its own. */
struct test_matches {
	struct test_bytes in;                    /* with lookahead behind it */
	size_t count;
	struct zw_match_tree tree;
	struct zw_match_list list;
};

ZW_INLINE void *test_array(size_t count, size_t size)
{
	void *p = malloc(count * size + 1);

	assert_non_null(p);
	memset(p, 0xa5, count * size);
	return p;
}

/* Takes over the bytes of in and finds their matches; entries_per_byte limits the list. */
ZW_INLINE void matches_find(struct test_matches *m, const struct test_bytes *in, unsigned depth_max, unsigned skip_bytes,
			 unsigned entries_per_byte)
{
	static const uint8_t zeros[TREE_LOOKAHEAD_BYTES];
	struct zw_match_tree_sizes sizes = zw_match_tree_sizes(in->len_bytes);

	*m = (struct test_matches){ .count = in->len_bytes };
	bytes_append(&m->in, in->data, in->len_bytes);
	bytes_append(&m->in, zeros, sizeof zeros);
	m->tree.heads = test_array(sizes.heads, sizeof(uint32_t));
	m->tree.heads3 = test_array(sizes.heads3, sizeof(uint32_t));
	m->tree.children = test_array(sizes.children, sizeof(uint32_t));
	m->tree.depth_max = depth_max;
	m->tree.skip_bytes = skip_bytes;
	m->list.counts = test_array(m->count, 1);
	m->list.entry_capacity = (uint32_t)(m->count * entries_per_byte);
	m->list.entries = test_array(m->list.entry_capacity, sizeof(uint32_t));
	zw_match_tree_reset(&m->tree, m->count);
	zw_match_tree_find(&m->tree, m->in.data, POSITION_FIRST, m->count, &m->list);
}

ZW_INLINE void matches_free(struct test_matches *m)
{
	free(m->tree.heads);
	free(m->tree.heads3);
	free(m->tree.children);
	free(m->list.counts);
	free(m->list.entries);
	bytes_free(&m->in);
}

ZW_INLINE unsigned token_distance(uint32_t token)
{
	unsigned symbol = zw_token_distance_symbol(token), base = zw_distance_base_less_1[symbol];
	unsigned low = token >> TOKEN_DISTANCE_SHIFT;

	return base + ((low - base) & 0x3fff) + 1; /* the token holds the low 14 bits of distance - 1 */
}

/* Fails unless the tokens are the bytes of in. */
ZW_INLINE void tokens_check(const uint32_t *tokens, size_t token_count, const uint8_t *in, size_t count)
{
	size_t at = 0;

	for (size_t i = 0; i < token_count; i++) {
		uint32_t token = tokens[i];

		assert_true(at < count);
		if (!zw_token_is_match(token)) {
			assert_int_equal(token, zw_token_literal(in[at]));
			at++;
			continue;
		}
		assert_between(zw_token_length(token), MATCH_MIN_BYTES, count - at);
		assert_between(token_distance(token), 1, at);
		assert_int_equal(zw_token_distance_symbol(token), zw_distance_symbol(token_distance(token) - 1));
		assert_memory_equal(in + at, in + at - token_distance(token), zw_token_length(token) < token_distance(token) ?
				    zw_token_length(token) : token_distance(token));
		for (unsigned k = 0; k < zw_token_length(token); k++, at++)
			assert_int_equal(in[at], in[at - token_distance(token)]);
	}
	assert_int_equal(at, count);
}

#endif
