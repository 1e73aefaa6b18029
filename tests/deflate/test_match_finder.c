/* SPDX-License-Identifier: Zlib */
/* test_match_finder.c - tables fit their memory, are sized by the input, and find what a dictionary or a flush left. */
#include "deflate/match_finder.h"
#include "lib/cmocka_all.h"
#include "lib/parse_driver.h"
#include "lib/rng.h"

#define CANARY 0xa5

static const int levels[] = { 1, 2, 3, 4, 6, 8, 9 };
#define LEVEL_COUNT (sizeof levels / sizeof levels[0])

/* Bytes that prepare changed at the start of memory filled with CANARY; nothing behind them may have changed. */
static size_t touched_bytes(const uint8_t *memory, size_t n)
{
	while (n && memory[n - 1] == CANARY)
		n--;
	return n;
}

static struct zw_match_finder prepared(int level, unsigned window_log2, unsigned mem_level, size_t known, uint8_t *head, uint8_t *prev)
{
	struct zw_match_finder m = { .head_bytes = 256u << mem_level, .window_log2 = (uint8_t)window_log2 };

	m.head = (uint16_t *)(void *)head;
	m.prev = (uint16_t *)(void *)prev;
	m.params = zw_level_params(level, ZW_DEFAULT_STRATEGY);
	zw_match_prepare(&m, known);
	return m;
}

static void tables_leave_their_memory_or_are_cleared_for_nothing(void **state)
{
	static const size_t known[] = { 0, 1, 100, 600, 5000, 14336, 14337, 65536, 65537, 98304, 98305, SIZE_MAX };
	static _Alignas(16) uint8_t head[(256 << 9) + 64], prev[65536 + 64];

	(void)state;
	for (size_t l = 0; l < LEVEL_COUNT; l++)
		for (unsigned mem_level = 1; mem_level <= 9; mem_level++)
			for (unsigned w = 9; w <= 15; w++)
				for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
					size_t head_touched, prev_touched;

					memset(head, CANARY, sizeof head);
					memset(prev, CANARY, sizeof prev);
					prepared(levels[l], w, mem_level, known[k], head, prev);
					head_touched = touched_bytes(head, sizeof head);
					prev_touched = touched_bytes(prev, sizeof prev);
					assert_true(head_touched > 0 && head_touched <= (size_t)256 << mem_level);
					assert_true(prev_touched <= (size_t)2 << w);
					if (levels[l] > 3)       /* chains: only the slot of position 0 */
						assert_true(prev_touched <= sizeof(uint16_t));
					if (known[k] <= 600)     /* at most 6 bytes of table per entry of the smallest table */
						assert_true(head_touched + prev_touched <= 6 * 1024);
				}
}

static void a_second_prepare_clears_the_tables(void **state)
{
	static _Alignas(16) uint8_t head[65536], prev[65536];

	(void)state;
	for (size_t l = 0; l < LEVEL_COUNT; l++) {
		struct zw_match_finder m = prepared(levels[l], 15, 8, SIZE_MAX, head, prev), before;

		memset(head, 1, sizeof head);
		before = m;
		zw_match_prepare(&m, 100);
		assert_memory_equal(&m, &before, sizeof m);
		assert_int_equal(head[0], 1);
		m.prepared = ZW_PARSE_NONE;
		zw_match_prepare(&m, 100);
		assert_int_equal(head[0], 0);
	}
}

/* Noise, then the same noise again: the second must be matches, whatever lies between. */
static void a_repeat_is_not_found(size_t history_bytes, size_t flush_bytes, size_t copy_bytes)
{
	struct rng r = rng_seed(history_bytes + flush_bytes + copy_bytes);
	uint8_t in[8000];

	rng_fill(&r, in, copy_bytes);
	memcpy(in + copy_bytes, in, copy_bytes);
	for (size_t l = 0; l < LEVEL_COUNT; l++) {
		struct parse_setup setup = { .params = zw_level_params(levels[l], ZW_DEFAULT_STRATEGY), .window_log2 = 15,
			.mem_level = 8, .history_bytes = history_bytes, .flush_bytes = flush_bytes };
		struct parse_result t = parse_run(&setup, in, 2 * copy_bytes);
		size_t matched = 0;

		for (size_t i = 0; i < t.count; i++)
			if ((t.tokens[i] & TOKEN_INDEX_MASK) > 255)
				matched += (t.tokens[i] & TOKEN_INDEX_MASK) - TOKEN_LENGTH_BIAS;
		if (matched + (levels[l] == 1 && copy_bytes > 1000 ? 16 : 2) < copy_bytes) /* one entry: collisions hide some */
			fail_msg("level %d: %zu of %zu bytes matched", levels[l], matched, copy_bytes);
		parse_free(&t);
	}
}

static void a_dictionary_is_not_found(void **state)
{
	(void)state;
	a_repeat_is_not_found(4000, 0, 4000);
	a_repeat_is_not_found(300, 0, 300);
	a_repeat_is_not_found(20, 0, 20);
}

static void data_behind_a_flush_does_not_match_data_before_it(void **state)
{
	(void)state;
	for (size_t n = 16; n < 60; n++)
		a_repeat_is_not_found(0, n, n);
	a_repeat_is_not_found(0, 3000, 3000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tables_leave_their_memory_or_are_cleared_for_nothing),
		cmocka_unit_test(a_second_prepare_clears_the_tables),
		cmocka_unit_test(a_dictionary_is_not_found),
		cmocka_unit_test(data_behind_a_flush_does_not_match_data_before_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
