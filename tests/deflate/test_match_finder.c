/* SPDX-License-Identifier: Zlib */
/* test_match_finder.c - tables fit their memory, are sized by the input, and find what a dictionary or a flush left. */
#include "deflate/match_finder.h"
#include "lib/cmocka_all.h"
#include "lib/parse_driver.h"
#include "lib/rng.h"

#define CANARY 0xa5

static const int levels[] = { 1, 2, 3, 4, 6, 8, 9 };
#define LEVEL_COUNT (sizeof levels / sizeof levels[0])

/* How many of the first n bytes prepare changed, in memory filled with CANARY. */
static size_t touched_bytes(const uint8_t *memory, size_t n)
{
	size_t touched = 0;

	for (size_t i = 0; i < n; i++)
		touched += memory[i] != CANARY;
	return touched;
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
					size_t head_bytes = (size_t)256 << mem_level, prev_bytes = (size_t)2 << w, cleared;

					memset(head, CANARY, sizeof head);
					memset(prev, CANARY, sizeof prev);
					prepared(levels[l], w, mem_level, known[k], head, prev);
					assert_int_equal(touched_bytes(head + head_bytes, sizeof head - head_bytes), 0);
					assert_int_equal(touched_bytes(prev + prev_bytes, sizeof prev - prev_bytes), 0);
					cleared = touched_bytes(head, head_bytes) + touched_bytes(prev, prev_bytes);
					assert_true(cleared > 0);
					if (levels[l] > 4)       /* chains: only the slot of position 0 */
						assert_true(touched_bytes(prev, prev_bytes) <= sizeof(uint16_t));
					if (known[k] <= 600)     /* at most 6 bytes of table per entry of the smallest table */
						assert_true(cleared <= 6 * 1024);
				}
}

static void a_second_prepare_clears_the_tables(void **state)
{
	static _Alignas(16) uint8_t head[65536], prev[65536];

	(void)state;
	for (size_t l = 0; l < LEVEL_COUNT; l++) {
		struct zw_match_finder m = prepared(levels[l], 15, 8, SIZE_MAX, head, prev), before;

		assert_int_equal(m.in_prev, 0);
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

/* Levels 1 to 3: few bytes select an entry where the input is short, more where it has many digits. */
static void content_does_not_choose_the_hash(void **state)
{
	static const struct { int level; size_t known; unsigned digits, entry_bytes; } cases[] = {
		{ 1, 3072, 0, 4 }, { 1, 3073, 0, 5 }, { 1, 3072, 256, 4 }, { 1, SIZE_MAX, 15, 5 }, { 1, SIZE_MAX, 16, 6 }, { 1, 5000, 256, 6 },
		{ 2, 4096, 0, 4 }, { 2, 4097, 0, 5 }, { 2, 4096, 256, 4 }, { 2, SIZE_MAX, 31, 5 }, { 2, SIZE_MAX, 32, 6 }, { 2, 5000, 256, 6 },
		{ 3, 2048, 256, 4 }, { 3, 2049, 256, 5 }, { 3, SIZE_MAX, 63, 4 }, { 3, SIZE_MAX, 64, 5 }, { 3, 5000, 256, 5 },
	};
	static _Alignas(16) uint8_t head[65536], prev[65536];

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct zw_match_finder m = { .head_bytes = 65536, .window_log2 = 15, .content = { (uint16_t)cases[i].digits, 0 } };
		zw_parse_fn of_others;

		m.head = (uint16_t *)(void *)head;
		m.prev = (uint16_t *)(void *)prev;
		m.params = zw_level_params(cases[i].level, ZW_DEFAULT_STRATEGY);
		zw_match_prepare(&m, cases[i].known);
		assert_int_equal(m.entry_bytes, cases[i].entry_bytes);
		if (cases[i].level == 3 && cases[i].known <= 2048) {
			assert_int_equal(m.shape, SHAPE_PAIRS_LAZY);
			continue;
		}
		of_others = zw_parser_get(&m);
		m.entry_bytes = cases[i].entry_bytes == 5 ? 4 : 5;
		assert_ptr_not_equal(zw_parser_get(&m), of_others);
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

/* A small memLevel must not cost more than its blocks do: the tables of levels 1..3 move, chains are walked deeper. */
static void a_small_head_loses_the_window(void **state)
{
	struct test_bytes in = { 0 };

	(void)state;
	parse_input(CORPUS_HTML, 1, 150000, &in);
	for (size_t l = 0; l < LEVEL_COUNT; l++) {
		double bits[2];

		for (unsigned k = 0; k < 2; k++) {
			struct parse_setup setup = { .params = zw_level_params(levels[l], ZW_DEFAULT_STRATEGY), .window_log2 = 15,
				.mem_level = k ? 1 : 8 };
			struct parse_result t = parse_run(&setup, in.data, in.len_bytes);

			bits[k] = parse_entropy_bits(&t);
			parse_free(&t);
		}
		if (bits[1] > bits[0] * 1.2)
			fail_msg("level %d: %.0f bits instead of %.0f", levels[l], bits[1], bits[0]);
	}
	bytes_free(&in);
}

/* The window's first byte is not the stream's: what an entry is, is the same to who enters history and to who looks it up. */
static void history_in_a_window_that_slid_is_not_found(void **state)
{
	enum { HISTORY_BYTES = 32768, COPY_BYTES = 4000 };
	static const uint32_t window_positions[] = { 1, 32768, 40001, 65535 };
	static _Alignas(16) uint8_t head[65536], prev[65536], buffer[PARSE_BACKREAD_BYTES + 65536 + PARSE_OVERREAD_BYTES];
	static uint32_t token_buffer[BLOCK_MAX_TOKENS];
	uint8_t *window = buffer + PARSE_BACKREAD_BYTES, *ip = window + HISTORY_BYTES;
	struct rng r = rng_seed(7);

	(void)state;
	rng_fill(&r, window, HISTORY_BYTES);
	memcpy(ip, ip - COPY_BYTES, COPY_BYTES);
	for (size_t l = 0; l < LEVEL_COUNT; l++)
		for (size_t k = 0; k < sizeof window_positions / sizeof window_positions[0]; k++) {
			struct zw_match_finder m = prepared(levels[l], 15, 8, SIZE_MAX, head, prev);
			struct zw_tokens t = { .buf = token_buffer, .capacity = BLOCK_MAX_TOKENS };
			size_t matched = 0;

			m.window = window;
			m.window_position = window_positions[k];
			zw_match_insert_history(&m, window, ip);
			assert_ptr_equal(zw_parser_get(&m)(&m, &t, ip, ip + COPY_BYTES, ip + COPY_BYTES), ip + COPY_BYTES);
			for (size_t i = 0; i < t.count; i++)
				if ((t.buf[i] & TOKEN_INDEX_MASK) > 255)
					matched += (t.buf[i] & TOKEN_INDEX_MASK) - TOKEN_LENGTH_BIAS;
			if (matched + 40 < COPY_BYTES)   /* collisions hide some */
				fail_msg("level %d, window at %u: %zu of %u bytes matched", levels[l],
					 (unsigned)window_positions[k], matched, (unsigned)COPY_BYTES);
		}
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
		cmocka_unit_test(content_does_not_choose_the_hash),
		cmocka_unit_test(a_dictionary_is_not_found),
		cmocka_unit_test(history_in_a_window_that_slid_is_not_found),
		cmocka_unit_test(a_small_head_loses_the_window),
		cmocka_unit_test(data_behind_a_flush_does_not_match_data_before_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
