/* SPDX-License-Identifier: Zlib */
/* test_block_choice.c - a block's cost is what it takes to write it, whatever the counts, and no plain plan is shorter. */
#include "deflate/block_write.h"
#include "lib/ref_inflate.h"
#include "lib/rng.h"
#include "oneshot/block_choice.h"
#include "oneshot/solution.h"

static uint32_t random_token(struct rng *rng, unsigned symbols)
{
	unsigned less_1 = (unsigned)rng_size(rng, 300) - 1;

	if (rng_one_in(rng, 2))
		return zw_token_literal((unsigned)rng_below(rng, symbols));
	return zw_token_match(3 + (unsigned)rng_size(rng, 256) - 1, zw_distance_symbol(less_1), less_1);
}

/* Writes tokens by plan; the exact number of bits must be what was promised, and an inflate must understand it. */
static void check_written(const struct zw_block_plan *plan, const uint32_t *tokens, uint32_t count, struct test_bytes *to)
{
	struct zw_block_writer w;
	struct zw_out out;
	struct ref_output r;
	uint8_t *back;
	size_t plain = 300;                      /* in front of the tokens are as many literals, so that distances reach */

	to->len_bytes = 0;
	bytes_reserve(to, (size_t)(plan->cost_bits / 8) + 100);
	out = (struct zw_out){ to->data, to->room_bytes };
	zw_writer_reset(&w, false);
	zw_writer_begin_planned(&w, plan, tokens, count, true);
	assert_true(zw_writer_emit(&w, &out));
	to->len_bytes = to->room_bytes - out.left_bytes;
	assert_int_equal(to->len_bytes, (plan->cost_bits + 7) / 8);
	for (uint32_t i = 0; i < count; i++)
		plain += zw_token_is_match(tokens[i]) ? zw_token_length(tokens[i]) : 1;
	back = test_array(plain, 1);
	r = ref_inflate(to->data, to->len_bytes, NULL, 0, back, plain);
	assert_int_equal(r.result, REF_DONE);
	assert_int_equal(r.in_bits, plan->cost_bits);
	free(back);
}

static void the_cost_is_not_what_is_written(void **state)
{
	struct rng rng = rng_seed(3);
	struct test_bytes to = { 0 };

	(void)state;
	for (unsigned round = 0; round < 400; round++) {
		uint32_t count = 300 + (uint32_t)rng_size(&rng, round % 20 ? 3000 : 100000);
		uint32_t *tokens = test_array(count, sizeof *tokens);
		unsigned symbols = 1 + (unsigned)rng_below(&rng, 256);
		struct zw_symbol_counts c;
		struct zw_block_plan plan;

		for (uint32_t i = 0; i < count; i++)
			tokens[i] = i < 300 ? zw_token_literal(i % symbols) : random_token(&rng, symbols);
		memset(&c, 0, sizeof c);
		zw_symbols_count(&c, tokens, count);
		zw_block_choose(&plan, &c);
		assert_true(plan.cost_bits <= zw_block_quick_bits(&c));
		check_written(&plan, tokens, count, &to);
		free(tokens);
	}
	bytes_free(&to);
}

/* Counts that 15 bits do not hold: everything that occurs keeps a code. */
static void a_symbol_of_a_large_block_gets_no_code(void **state)
{
	struct zw_symbol_counts c;
	struct zw_block_plan plan;

	(void)state;
	memset(&c, 0, sizeof c);
	for (unsigned i = 0; i < LITLEN_SYMBOL_COUNT; i++)
		c.litlen[i] = i == SYMBOL_END_OF_BLOCK ? 0 : i % 7 == 0 ? 500000 : 1;
	for (unsigned i = 0; i < DIST_SYMBOL_COUNT; i++)
		c.dist[i] = i == 3 ? 4000000 : 1;
	zw_block_choose(&plan, &c);
	assert_int_equal(plan.type, BLOCK_DYNAMIC);
	for (unsigned i = 0; i < LITLEN_SYMBOL_COUNT; i++)
		assert_between(plan.litlen.lengths[i], 1, LITLEN_LIMIT_BITS);
	for (unsigned i = 0; i < DIST_SYMBOL_COUNT; i++)
		assert_between(plan.dist.lengths[i], 1, DIST_CODE_MAX_BITS);
}

static void an_empty_block_is_not_the_fixed_one(void **state)
{
	static const struct zw_symbol_counts none;
	struct zw_block_plan plan;

	(void)state;
	zw_block_choose(&plan, &none);
	assert_int_equal(plan.type, BLOCK_FIXED);
	assert_int_equal(plan.cost_bits, 10);
	assert_int_equal(zw_block_quick_bits(&none), 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_cost_is_not_what_is_written),
		cmocka_unit_test(a_symbol_of_a_large_block_gets_no_code),
		cmocka_unit_test(an_empty_block_is_not_the_fixed_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
