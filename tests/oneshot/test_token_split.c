/* SPDX-License-Identifier: Zlib */
/* test_token_split.c - blocks cover all tokens once, know their costs, and are cheaper than one block where content changes. */
#include "lib/rng.h"
#include "oneshot/block_choice.h"
#include "oneshot/solution.h"
#include "oneshot/token_split.h"

/* Everything in s against the tokens. */
static void check_blocks(const struct zw_split *s, const uint32_t *tokens, uint32_t token_count)
{
	uint32_t first = 0;
	uint64_t bits = 0;
	size_t at = 0;

	for (unsigned i = 0; i < s->count; i++) {
		const struct zw_split_block *b = s->blocks + i;
		struct zw_symbol_counts c;

		assert_int_equal(b->first_token, first);
		assert_int_equal(b->start, at);
		assert_true(b->token_count > 0);
		memset(&c, 0, sizeof c);
		zw_symbols_count(&c, tokens + first, b->token_count);
		assert_memory_equal(&c, &b->counts, sizeof c);
		assert_int_equal(b->bits, zw_block_quick_bits(&c));
		for (uint32_t k = 0; k < b->token_count; k++)
			at += zw_token_is_match(tokens[first + k]) ? zw_token_length(tokens[first + k]) : 1;
		first += b->token_count;
		bits += b->bits;
	}
	assert_int_equal(first, token_count);
	assert_int_equal(zw_split_bits(s), bits);
}

/* Literals whose alphabet changes every period tokens, and a match now and then. */
static uint32_t *make_tokens(struct rng *rng, uint32_t count, uint32_t period)
{
	uint32_t *tokens = test_array(count, sizeof *tokens);

	for (uint32_t i = 0; i < count; i++) {
		unsigned base = 40 * (i / period % 6);

		tokens[i] = rng_one_in(rng, 8) ? zw_token_match(3 + (unsigned)rng_below(rng, 20), 3, 3) :
			    zw_token_literal(base + (unsigned)rng_size(rng, 40));
	}
	return tokens;
}

static void blocks_do_not_cover_the_tokens(void **state)
{
	struct rng rng = rng_seed(1);

	(void)state;
	for (unsigned round = 0; round < 60; round++) {
		uint32_t count = 1 + (uint32_t)rng_size(&rng, round % 10 ? 20000 : 300000), period = 100 + (uint32_t)rng_below(&rng, 5000);
		uint32_t *tokens = make_tokens(&rng, count, period);
		struct zw_split s = { test_array(zw_split_capacity(count), sizeof(struct zw_split_block)), 0 };
		struct zw_symbol_counts all;

		zw_split_make(&s, tokens, count, round % 2);
		check_blocks(&s, tokens, count);
		memset(&all, 0, sizeof all);
		zw_symbols_count(&all, tokens, count);
		assert_true(zw_split_bits(&s) <= zw_block_quick_bits(&all));
		if (count > 4 * period && period > 3000)
			assert_true(s.count > 1);
		free(s.blocks);
		free(tokens);
	}
}

/* The starts stay, the tokens are others: a token may cover a start, or all of a block. */
static void new_tokens_are_counted_in_the_wrong_block(void **state)
{
	struct rng rng = rng_seed(2);

	(void)state;
	for (unsigned round = 0; round < 100; round++) {
		uint32_t count = 2000 + (uint32_t)rng_below(&rng, 8000), n = 0;
		uint32_t *tokens = make_tokens(&rng, count, 600), *other;
		struct zw_split s = { test_array(zw_split_capacity(count), sizeof(struct zw_split_block)), 0 };
		size_t bytes = 0, at = 0, starts[SPLIT_MAX_CHUNKS];
		unsigned before;

		zw_split_make(&s, tokens, count, round % 2);
		before = s.count;
		for (unsigned i = 0; i < s.count; i++)
			starts[i] = s.blocks[i].start;
		for (uint32_t i = 0; i < count; i++)
			bytes += zw_token_is_match(tokens[i]) ? zw_token_length(tokens[i]) : 1;
		other = test_array(bytes, sizeof *other);
		while (at < bytes) {
			size_t left = bytes - at;
			unsigned most = left < MATCH_MAX_BYTES ? (unsigned)left : MATCH_MAX_BYTES;
			unsigned len = most < 3 || rng_one_in(&rng, 2) ? 1 : 3 + (unsigned)rng_below(&rng, most - 2);

			other[n++] = len == 1 ? zw_token_literal(7) : zw_token_match(len, 0, 0);
			at += len;
		}
		zw_split_recount(&s, other, n);
		check_blocks(&s, other, n);
		assert_between(s.count, 1, before);
		for (unsigned i = 0; i < s.count; i++) { /* each begins at an old start, or less than a token behind it */
			unsigned k = before;

			while (k && starts[k - 1] > s.blocks[i].start)
				k--;
			assert_true(k && s.blocks[i].start - starts[k - 1] < MATCH_MAX_BYTES);
		}
		free(s.blocks);
		free(tokens);
		free(other);
	}
}

/* Small pieces are taken only where they gain. */
static void fine_blocks_cost_more(void **state)
{
	struct rng rng = rng_seed(3);
	unsigned gained = 0;

	(void)state;
	for (unsigned round = 0; round < 60; round++) {
		uint32_t count = 20 + (uint32_t)rng_below(&rng, 4000);
		uint32_t *tokens = make_tokens(&rng, count, 40 + (uint32_t)rng_below(&rng, 200));
		struct zw_split s = { test_array(zw_split_capacity(count), sizeof(struct zw_split_block)), 0 };
		uint64_t coarse, fine;

		zw_split_make(&s, tokens, count, false);
		coarse = zw_split_bits(&s);
		zw_split_make(&s, tokens, count, true);
		fine = zw_split_bits(&s);
		check_blocks(&s, tokens, count);
		assert_true(fine <= coarse);
		gained += fine < coarse;
		free(s.blocks);
		free(tokens);
	}
	assert_true(gained > 20);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(blocks_do_not_cover_the_tokens),
		cmocka_unit_test(fine_blocks_cost_more),
		cmocka_unit_test(new_tokens_are_counted_in_the_wrong_block),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
