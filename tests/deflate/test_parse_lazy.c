/* SPDX-License-Identifier: Zlib */
/* test_parse_lazy.c - levels 5..9 (and 4, of what all of these do): everything parse_driver.h promises, over windows, memory levels, inputs and flushes. */
#include "lib/cmocka_all.h"
#include "lib/parse_driver.h"
#include "lib/rng.h"

static void tokens_are_not_the_input(void **state)
{
	(void)state;
	parse_check_kind(5, ZW_DEFAULT_STRATEGY);
	parse_check_kind(6, ZW_DEFAULT_STRATEGY);
}

static void tokens_of_deep_walks_are_not_the_input(void **state)
{
	(void)state;
	parse_check_kind(9, ZW_DEFAULT_STRATEGY);
}

static void filtered_tokens_are_not_the_input(void **state)
{
	(void)state;
	parse_check_kind(6, ZW_FILTERED);
	parse_check_kind(9, ZW_FILTERED);
}

#define COPY_BYTES   2900u                   /* of a window of 4096: only copies that go on at the last distance are in it */
#define PIECE_BYTES    24u
#define PIECE_COUNT    40u

/* What goes on at the last distance is entered at some positions at least; entered too thinly, it hides itself from what
 * later wants a part of it: a table after which the same rows come in another order. */
static void a_repeat_hides_itself(void **state)
{
	struct test_bytes in = { 0 }, copy = { 0 };
	struct rng rng = rng_seed(11);

	(void)state;
	for (unsigned i = 0; i < COPY_BYTES; i++)
		bytes_append_byte(&copy, (uint8_t)rng_next(&rng));
	for (unsigned i = 0; i < 4; i++)
		for (unsigned k = 0; k < COPY_BYTES; k++)
			bytes_append_byte(&in, copy.data[k]);
	for (unsigned i = 0; i < PIECE_COUNT; i++) {
		unsigned from = (unsigned)rng_below(&rng, COPY_BYTES / 2) + COPY_BYTES / 2 - PIECE_BYTES;

		for (unsigned k = 0; k < 8; k++)
			bytes_append_byte(&in, (uint8_t)rng_next(&rng));
		for (unsigned k = 0; k < PIECE_BYTES; k++)
			bytes_append_byte(&in, copy.data[from + k]);
	}
	for (int level = 5; level <= 9; level++) {
		struct parse_setup setup = { .params = zw_level_params(level, ZW_DEFAULT_STRATEGY), .window_log2 = 12, .mem_level = 8 };
		struct parse_result r = parse_run(&setup, in.data, in.len_bytes);
		unsigned found = 0;

		for (size_t i = r.count - PIECE_COUNT * (PIECE_BYTES + 8) / 2; i < r.count; i++)
			found += (r.tokens[i] & TOKEN_INDEX_MASK) == TOKEN_LENGTH_BIAS + PIECE_BYTES;
		if (found + 4 < PIECE_COUNT)     /* a byte more may match, or two pieces lie so that one cuts the other */
			fail_msg("level %d: %u of %u pieces found", level, found, PIECE_COUNT);
		parse_free(&r);
	}
	bytes_free(&in);
	bytes_free(&copy);
}

#define ROW_BYTES    150u
#define ROW_COUNT     20u                    /* with what stands between them they fit into a window of 4096 */
#define BETWEEN_BYTES  8u
#define ROW_REPEATS  200u
#define PART_BYTES    32u
#define PART_COUNT    20u                    /* so few that no row leaves the window before */

/* Where matches are very long, and in records of numbers, few of their positions are entered; what later wants a part of one must still
 * find it.  Rows that each come many times, noise between them; then parts of rows. */
static void the_inside_of_long_matches_is_hidden(void **state)
{
	static const struct zw_content contents[] = { { 0, 0 }, { 40, 0 } };
	struct test_bytes in = { 0 }, rows = { 0 };
	struct rng rng = rng_seed(5);
	unsigned order[ROW_COUNT];
	size_t parts_from;

	(void)state;
	for (unsigned i = 0; i < ROW_COUNT * ROW_BYTES; i++)
		bytes_append_byte(&rows, (uint8_t)rng_next(&rng));
	for (unsigned i = 0; i < ROW_COUNT; i++)
		order[i] = i;
	for (unsigned i = 0; i < ROW_REPEATS; i++) {
		unsigned this = i % ROW_COUNT, other = this + (unsigned)rng_below(&rng, ROW_COUNT - this), row = order[other];

		order[other] = order[this];      /* all of them in each round, every time in another order */
		order[this] = row;
		for (unsigned k = 0; k < BETWEEN_BYTES; k++)
			bytes_append_byte(&in, (uint8_t)rng_next(&rng));
		for (unsigned k = 0; k < ROW_BYTES; k++)
			bytes_append_byte(&in, rows.data[row * ROW_BYTES + k]);
	}
	parts_from = in.len_bytes;
	for (unsigned i = 0; i < PART_COUNT; i++) {
		const uint8_t *part = rows.data + ROW_BYTES * rng_below(&rng, ROW_COUNT) + 8 + rng_below(&rng, ROW_BYTES - PART_BYTES - 16);

		for (unsigned k = 0; k < BETWEEN_BYTES; k++)
			bytes_append_byte(&in, (uint8_t)rng_next(&rng));
		for (unsigned k = 0; k < PART_BYTES; k++)
			bytes_append_byte(&in, part[k]);
	}
	for (int level = 4; level <= 9; level++)
		for (unsigned c = 0; c < 2; c++) {
			struct parse_setup setup = { .params = zw_level_params(level, ZW_DEFAULT_STRATEGY), .window_log2 = 12, .mem_level = 8,
				.content = contents[c] };
			struct parse_result r = parse_run(&setup, in.data, in.len_bytes);
			unsigned found = 0;
			size_t at = in.len_bytes;

			for (size_t i = r.count; i-- && at > parts_from;) {
				uint32_t index = r.tokens[i] & TOKEN_INDEX_MASK, second = r.tokens[i] >> TOKEN_LITLEN_BITS & TOKEN_INDEX_MASK;
				unsigned len = index > UINT8_MAX ? index - TOKEN_LENGTH_BIAS : second == TOKEN_SECOND_NONE ? 1 : 2;

				found += len >= PART_BYTES;
				at -= len;
			}
			if (found < PART_COUNT)
				fail_msg("level %d: %u of %u parts found", level, found, PART_COUNT);
			parse_free(&r);
		}
	bytes_free(&in);
	bytes_free(&rows);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tokens_are_not_the_input),
		cmocka_unit_test(tokens_of_deep_walks_are_not_the_input),
		cmocka_unit_test(filtered_tokens_are_not_the_input),
		cmocka_unit_test(a_repeat_hides_itself),
		cmocka_unit_test(the_inside_of_long_matches_is_hidden),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
