/* SPDX-License-Identifier: Zlib */
/* test_parse_long.c - levels 1 to 3: a match that takes in the one before it, and what follows a long match at its distance. */
#include "deflate/parse_long.h"
#include "lib/cmocka_all.h"
#include "lib/parse_driver.h"
#include "lib/rng.h"

#include <string.h>

#define ROOM 4096

/* ---- zw_absorb() ---------------------------------------------------------------------------------------------- */

/* What zw_absorb() must do with a match of before_len bytes whose last agree bytes the new source has, too. */
static unsigned wanted(unsigned before_len, unsigned agree, unsigned len, unsigned source_at)
{
	if (len + before_len > MATCH_MAX_BYTES || source_at <= before_len || agree + LEFTOVER_BYTES < before_len)
		return 0;
	return agree < before_len ? agree : before_len;
}

static void check_absorb(struct rng *r, unsigned before_len, unsigned agree, unsigned len, unsigned source_at)
{
	static uint8_t memory[PARSE_BACKREAD_BYTES + ROOM];
	static struct zw_tokens t;
	static uint32_t buf[16];
	uint8_t *window = memory + PARSE_BACKREAD_BYTES;
	const unsigned at = 2000;
	struct zw_token_cursor out;
	struct zw_histogram expected;
	unsigned grown, want = wanted(before_len, agree, len, source_at);

	rng_fill(r, memory, sizeof memory);
	for (unsigned i = 1; i <= agree; i++)
		window[source_at - i] = window[at - i];
	window[(int)source_at - 1 - (int)agree] = (uint8_t)(window[at - 1 - agree] ^ 1);
	memset(&t, 0, sizeof t);
	t.buf = buf;
	out = zw_tokens_open(&t);
	zw_put_literal(&out, 'a');
	zw_put_match(&out, before_len, 76);
	expected = t.freq;
	grown = zw_absorb(&out, window + at, at - source_at, before_len, len, window);
	assert_int_equal(grown, want);
	assert_int_equal(buf[0], zw_token_literal('a'));
	if (want == 0) {
		assert_ptr_equal(out.next, buf + 2);
		assert_memory_equal(&t.freq, &expected, sizeof expected);
		return;
	}
	assert_int_equal(t.freq.litlen[TOKEN_LENGTH_BIAS + before_len], 0);
	assert_int_equal(t.freq.dist[zw_distance_symbol(76)], 0);
	assert_ptr_equal(out.next, buf + (want < before_len ? 2 : 1));
	if (before_len - want == 1)
		assert_int_equal(buf[1], zw_token_literal(window[at - before_len]));
	if (before_len - want == 2)
		assert_int_equal(buf[1], zw_token_pair(window[at - before_len], window[at - before_len + 1]));
}

static void an_absorbed_match_is_not_what_both_were(void **state)
{
	struct rng r = rng_seed(1);

	(void)state;
	for (unsigned before_len = 4; before_len <= 200; before_len += before_len < 40 ? 1 : 7)
		for (unsigned agree = 0; agree <= before_len + 20; agree++)
			check_absorb(&r, before_len, agree, 4 + (unsigned)rng_below(&r, 50), 1000);
}

static void an_absorbed_match_is_too_long(void **state)
{
	struct rng r = rng_seed(2);

	(void)state;
	for (unsigned before_len = 100; before_len <= 110; before_len++)
		for (unsigned len = 140; len <= 170; len++)
			check_absorb(&r, before_len, before_len + 3, len, 1000);
}

static void an_absorbed_match_begins_before_the_window(void **state)
{
	struct rng r = rng_seed(3);

	(void)state;
	for (unsigned before_len = 4; before_len <= 30; before_len++)
		for (unsigned source_at = 2; source_at <= before_len + 4; source_at++)
			for (unsigned agree = 0; agree < source_at; agree++)
				check_absorb(&r, before_len, agree, 20, source_at);
}

/* ---- long matches --------------------------------------------------------------------------------------------- */

static void a_comparison_in_the_loop_is_wrong(void **state)
{
	struct rng r = rng_seed(4);
	uint8_t a[LONG_MATCH_BYTES + 1], b[LONG_MATCH_BYTES + 1];

	(void)state;
	for (unsigned same = COMPARE_STEP_BYTES; same <= LONG_MATCH_BYTES; same++) {
		rng_fill(&r, a, sizeof a);
		rng_fill(&r, b, sizeof b);
		memcpy(b, a, same);
		b[same] = (uint8_t)(a[same] ^ 0x10);
		assert_int_equal(zw_compare_on(a, b), same);
	}
}

static struct parse_result tokens_of(int level, const struct test_bytes *in)
{
	struct parse_setup setup = { .params = zw_level_params(level, ZW_DEFAULT_STRATEGY), .window_log2 = 15, .mem_level = 8 };

	return parse_run(&setup, in->data, in->len_bytes);
}

static unsigned length_of(uint32_t token)
{
	unsigned index = token & TOKEN_INDEX_MASK;

	return index < 256 ? 0 : index - TOKEN_LENGTH_BIAS;
}

static unsigned distance_of(uint32_t token)
{
	unsigned symbol = token >> TOKEN_LITLEN_BITS & 511;

	return (token >> TOKEN_DISTANCE_SHIFT) + (symbol >= 28 ? 16384 : 0) + 1;
}

static bool has_match(const struct parse_result *r, unsigned len, unsigned distance)
{
	for (size_t i = 0; i < r->count; i++)
		if (length_of(r->tokens[i]) == len && distance_of(r->tokens[i]) == distance)
			return true;
	return false;
}

static void append_noise(struct rng *r, struct test_bytes *in, size_t n)
{
	uint8_t noise[1024];

	assert_true(n <= sizeof noise);
	rng_fill(r, noise, n);
	bytes_append(in, noise, n);
}

static void append_byte(struct test_bytes *in, unsigned byte)
{
	uint8_t b = (uint8_t)byte;

	bytes_append(in, &b, 1);
}

static void append_copy(struct test_bytes *in, size_t from, size_t n)
{
	assert_true(from + n <= in->len_bytes);
	for (size_t i = from; i < from + n; i++)
		append_byte(in, in->data[i]);
}

/* Records that differ from the one before in one byte: no byte but that one is a literal. */
static void a_distance_is_lost_behind_one_byte(void **state)
{
	struct rng r = rng_seed(5);

	(void)state;
	for (int level = 1; level <= 3; level++)
		for (unsigned record = 300; record <= 700; record += 100) {
			struct test_bytes in = { 0 };
			struct parse_result found;
			unsigned literals = 0, copies = 8;

			append_noise(&r, &in, record);
			for (unsigned i = 1; i <= copies; i++) {
				append_copy(&in, in.len_bytes - record, record);
				in.data[in.len_bytes - record / 2] = (uint8_t)(in.data[record / 2] + i);
			}
			append_noise(&r, &in, 400);
			found = tokens_of(level, &in);
			for (size_t i = 0, at = 0; i < found.count; i++) {
				unsigned len = length_of(found.tokens[i]), second = found.tokens[i] >> TOKEN_LITLEN_BITS & 511;

				if (len && at >= record && at < in.len_bytes - 400)
					assert_int_equal(distance_of(found.tokens[i]) % record, 0);
				if (!len && at >= record && at < in.len_bytes - 400 - 2)
					literals += second == TOKEN_SECOND_NONE ? 1 : 2;
				at += len ? len : second == TOKEN_SECOND_NONE ? 1 : 2;
			}
			assert_true(literals >= copies && literals <= copies + 3); /* the first match may begin a byte late */
			parse_free(&found);
			bytes_free(&in);
		}
}

#define ROUNDS      20                       /* of which a few fail where entries share a place in the table */
#define LEAST_FOUND 12

/* R 1 T, and 2 T W or 3 T W elsewhere, and then R 2 T W: behind R, T goes on at its distance for 60 bytes behind one literal, and level 2
 * lets W take it in; but the tables may have 2 T W without a literal. */
static unsigned rounds_with(int level, bool elsewhere, unsigned len, unsigned distance)
{
	struct rng r = rng_seed((uint64_t)level);
	unsigned found_count = 0;

	for (unsigned round = 0; round < ROUNDS; round++) {
		struct test_bytes in = { 0 };
		struct parse_result found;

		append_byte(&in, 0);
		append_noise(&r, &in, 120);          /* R at 1 */
		append_byte(&in, 1);
		append_noise(&r, &in, 60);           /* T at 122 */
		append_noise(&r, &in, 300);
		append_byte(&in, elsewhere ? 2 : 3); /* at 482 */
		append_copy(&in, 122, 60);
		append_noise(&r, &in, 90);           /* W */
		append_noise(&r, &in, 300);
		append_copy(&in, 1, 120);            /* at 933 */
		append_byte(&in, 2);
		append_copy(&in, 483, 150);
		append_noise(&r, &in, 400);
		found = tokens_of(level, &in);
		found_count += has_match(&found, len, distance);
		parse_free(&found);
		bytes_free(&in);
	}
	return found_count;
}

static void what_the_tables_have_is_passed_over(void **state)
{
	(void)state;
	for (int level = 1; level <= 2; level++) {
		assert_true(rounds_with(level, false, level == 1 ? 60 : 150, level == 1 ? 932 : 571) >= LEAST_FOUND);
		assert_int_equal(rounds_with(level, false, 151, 571), 0);
		assert_true(rounds_with(level, true, 151, 571) >= LEAST_FOUND);
	}
}

/* L x M, and the last 54 bytes of M with N elsewhere, and then L y M N: M, taken at L's distance, is taken in by N's match but for its
 * first two bytes. */
static void a_match_taken_without_a_search_is_not_taken_in(void **state)
{
	struct rng r = rng_seed(7);

	(void)state;
	for (int level = 2; level <= 3; level++) {
		unsigned joined = 0;

		for (unsigned round = 0; round < ROUNDS; round++) {
			struct test_bytes in = { 0 };
			struct parse_result found;

			append_byte(&in, 0);
			append_noise(&r, &in, 120);  /* L at 1 */
			append_byte(&in, 1);
			append_noise(&r, &in, 56);   /* M at 122 */
			append_noise(&r, &in, 300);
			append_copy(&in, 124, 54);   /* at 478 */
			append_noise(&r, &in, 30);   /* N */
			append_noise(&r, &in, 300);
			append_copy(&in, 1, 120);    /* at 862 */
			append_byte(&in, 2);
			append_copy(&in, 122, 56);
			append_copy(&in, 478 + 54, 30);
			append_noise(&r, &in, 400);
			found = tokens_of(level, &in);
			joined += has_match(&found, 84, 862 + 121 + 2 - 478);
			parse_free(&found);
			bytes_free(&in);
		}
		assert_true(joined >= LEAST_FOUND);
	}
}

/* M, and the last 54 bytes of M with a long N elsewhere, and then M N: level 2 lets N, at which its loop stops, take M in, too. */
static void a_long_match_does_not_take_in_the_one_before(void **state)
{
	struct rng r = rng_seed(8);
	unsigned joined = 0;

	(void)state;
	for (unsigned round = 0; round < ROUNDS; round++) {
		struct test_bytes in = { 0 };
		struct parse_result found;

		append_byte(&in, 0);
		append_noise(&r, &in, 56);           /* M at 1 */
		append_noise(&r, &in, 300);
		append_copy(&in, 3, 54);             /* at 357 */
		append_noise(&r, &in, 100);          /* N */
		append_noise(&r, &in, 300);
		append_copy(&in, 1, 56);             /* at 811 */
		append_copy(&in, 357 + 54, 100);
		append_noise(&r, &in, 400);
		found = tokens_of(2, &in);
		joined += has_match(&found, 154, 811 + 2 - 357);
		parse_free(&found);
		bytes_free(&in);
	}
	assert_true(joined >= LEAST_FOUND);
}

/* A record again and again, or noise, for two segments, and then in the third M, all but the first two bytes of M with N elsewhere, and
 * M N.  Returns in how many rounds N's match took M in. */
static unsigned rounds_absorbed(int level, unsigned m_bytes, bool long_before)
{
	struct rng r = rng_seed(9);
	unsigned joined = 0;

	for (unsigned round = 0; round < ROUNDS; round++) {
		struct test_bytes in = { 0 };
		struct parse_result found;
		size_t m_at, n_at;

		append_noise(&r, &in, 200);
		while (in.len_bytes < 2 * 4096 + 600)
			if (long_before)
				append_copy(&in, in.len_bytes - 200, 200);
			else
				append_noise(&r, &in, 200);
		m_at = in.len_bytes;
		append_noise(&r, &in, m_bytes);
		append_noise(&r, &in, 300);
		n_at = in.len_bytes;
		append_copy(&in, m_at + 2, m_bytes - 2);
		append_noise(&r, &in, 100);          /* N */
		append_noise(&r, &in, 300);
		append_copy(&in, m_at, m_bytes);
		append_copy(&in, n_at + m_bytes - 2, 100);
		append_noise(&r, &in, 400);
		found = tokens_of(level, &in);
		joined += has_match(&found, m_bytes - 2 + 100, (unsigned)(in.len_bytes - 400 - 100 - (m_bytes - 2) - n_at));
		parse_free(&found);
		bytes_free(&in);
	}
	return joined;
}

static void absorption_does_not_depend_on_the_segment_before(void **state)
{
	(void)state;
	for (int level = 2; level <= 3; level++) {
		assert_true(rounds_absorbed(level, 56, false) >= LEAST_FOUND);
		assert_int_equal(rounds_absorbed(level, 56, true), 0);
		assert_true(rounds_absorbed(level, ABSORB_SHORT - 2, true) >= LEAST_FOUND);
	}
}

static void the_mean_of_a_segment_is_wrong(void **state)
{
	struct zw_match_finder m = { .window_log2 = 15 };
	uint32_t room[64];
	struct zw_tokens t = { .buf = room, .count = 3, .capacity = 64 };
	struct zw_token_cursor out = zw_tokens_open(&t);

	(void)state;
	out.next += 10;
	zw_fast_note_lengths(&m, &t, &out, 10 * LONG_TOKEN_BYTES);
	assert_true(m.long_tokens);
	zw_fast_note_lengths(&m, &t, &out, 10 * LONG_TOKEN_BYTES - 1);
	assert_false(m.long_tokens);
}

/* ---- zw_follow() ---------------------------------------------------------------------------------------------- */

#define FOLLOWED_BYTES 600

/* A copy that differs from its source in single bytes, gaps apart: what zw_follow() takes, from the first of them on. */
static void a_followed_distance_gives_other_bytes(void **state)
{
	static const unsigned gaps[] = { 90, FOLLOW_LEAST_BYTES, FOLLOW_LEAST_BYTES + 1, 31, 32, 33, 47, 63, 64, FOLLOW_LEAST_BYTES - 1, 80 };
	struct rng r = rng_seed(10);

	(void)state;
	for (size_t cut = 0; cut <= 400; cut += 1 + cut / 40) {
		uint8_t window[2 * FOLLOWED_BYTES + 128];
		uint16_t table[512] = { 0 };
		uint32_t room[64];
		struct zw_tokens t = { .buf = room, .capacity = 64 };
		struct zw_token_cursor out = zw_tokens_open(&t);
		struct zw_fast_loop f = { .window = window, .table = table, .log2 = 9 };
		size_t first = FOLLOWED_BYTES + 10, at = first, end = 2 * FOLLOWED_BYTES - cut, i, taken = 0;

		rng_fill(&r, window, sizeof window);
		memcpy(window + FOLLOWED_BYTES, window, FOLLOWED_BYTES);
		for (size_t g = 0; g < sizeof gaps / sizeof gaps[0]; at += 1 + gaps[g++])
			window[at] ^= 0x55;
		f.end = window + end;
		f.pause = end - FAST_SLACK_BYTES;
		i = zw_follow(&f, &out, first, FOLLOWED_BYTES, FOLLOW_ENTRY_BYTES);
		zw_tokens_close(&t, &out);
		assert_int_equal(t.count % 2, 0);
		for (at = first; at < i; taken++) {
			unsigned len = length_of(room[2 * taken + 1]);
			size_t before = at;

			assert_int_equal(room[2 * taken], zw_token_literal(window[at]));
			assert_int_equal(distance_of(room[2 * taken + 1]), FOLLOWED_BYTES);
			assert_true(len >= (FOLLOW_LEAST_BYTES < end - at - 1 ? FOLLOW_LEAST_BYTES : end - at - 1));
			assert_memory_equal(window + at + 1, window + at + 1 - FOLLOWED_BYTES, len);
			at += 1 + len;
			assert_true(at <= end && before < f.pause);
			assert_true(at >= f.pause || window[at] != window[at - FOLLOWED_BYTES] || len == 2 * COMPARE_ON_BYTES);
		}
		assert_int_equal(at, i);
		assert_int_equal(2 * taken, t.count);
		assert_true(taken >= 1);
		if (i < f.pause)                     /* it ended where the next stretch is too short */
			assert_true(zw_prefix32(window + i + 1, window + i + 1 - FOLLOWED_BYTES) < FOLLOW_LEAST_BYTES);
	}
}

static void what_is_foreseen_counts(void **state)
{
	(void)state;
	for (unsigned len = 0; len <= MATCH_MAX_BYTES; len++)
		for (unsigned guess = 0; guess <= MATCH_MAX_BYTES; guess++)
			assert_int_equal(zw_foreseen(len, guess), len);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_foreseen_counts),
		cmocka_unit_test(an_absorbed_match_is_not_what_both_were),
		cmocka_unit_test(an_absorbed_match_is_too_long),
		cmocka_unit_test(an_absorbed_match_begins_before_the_window),
		cmocka_unit_test(a_comparison_in_the_loop_is_wrong),
		cmocka_unit_test(a_distance_is_lost_behind_one_byte),
		cmocka_unit_test(what_the_tables_have_is_passed_over),
		cmocka_unit_test(a_match_taken_without_a_search_is_not_taken_in),
		cmocka_unit_test(a_long_match_does_not_take_in_the_one_before),
		cmocka_unit_test(absorption_does_not_depend_on_the_segment_before),
		cmocka_unit_test(the_mean_of_a_segment_is_wrong),
		cmocka_unit_test(a_followed_distance_gives_other_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
