/* SPDX-License-Identifier: Zlib */
/* test_lazy_match.c - what levels 4..9 do with a match: comparison backwards, the match before it, and when walks are left out. */
#include "deflate/lazy_match.h"

#include "lib/cmocka_all.h"
#include "lib/corpus.h"
#include "lib/rng.h"

#include <stdlib.h>
#include <string.h>

#define PLACE_BYTES 700u

/* Equal bytes before a and b, one at a time, none before window. */
static unsigned slow_suffix(const uint8_t *window, const uint8_t *a, const uint8_t *b)
{
	unsigned n = 0;

	while (b - n > window && a[-1 - (int)n] == b[-1 - (int)n])
		n++;
	return n;
}

/* Two places with common bytes before them, the older one as near to the window's first byte as it can be. */
static void a_long_match_backwards_is_cut_or_leaves_the_window(void **state)
{
	uint8_t bytes[PARSE_BACKREAD_BYTES + 2 * PLACE_BYTES];
	const uint8_t *window = bytes + PARSE_BACKREAD_BYTES;
	struct rng rng = rng_seed(5);

	(void)state;
	for (unsigned common = 0; common <= 300; common++)
		for (unsigned front = 0; front <= 40; front += front < 18 ? 1 : 11) {
			uint8_t *from = bytes + PARSE_BACKREAD_BYTES + front + common, *key = from + PLACE_BYTES - 340;

			for (size_t i = 0; i < sizeof bytes; i++)
				bytes[i] = (uint8_t)rng_next(&rng);
			memcpy(key - common, from - common, common);
			if (front)
				from[-1 - (int)common] = (uint8_t)~key[-1 - (int)common];
			else                         /* what is equal before the window must not count */
				memcpy(key - common - PARSE_BACKREAD_BYTES, bytes, PARSE_BACKREAD_BYTES);
			assert_int_equal(slow_suffix(window, key, from), common);
			for (unsigned offset = 1; offset <= 258; offset += offset < 36 ? 1 : 37) {
				unsigned back = match_backwards(window, key, from, offset);

				assert_true(back <= common);
				assert_true(back == common || back >= offset);
			}
		}
}

/* Tokens: a match of before_len bytes, then m, which starts where that ends and has common bytes before it. */
static void an_absorbed_match_loses_or_doubles_bytes(void **state)
{
	uint8_t bytes[PARSE_BACKREAD_BYTES + 2 * PLACE_BYTES];
	uint8_t *window = bytes + PARSE_BACKREAD_BYTES, *at = window + PLACE_BYTES + 300;
	struct rng rng = rng_seed(6);

	(void)state;
	for (unsigned before_len = 4; before_len <= 240; before_len++)
		for (unsigned common = before_len < 40 ? 0 : before_len - 8; common <= before_len + 20; common++) {
			uint32_t tokens_buf[4];
			struct zw_tokens t = { .buf = tokens_buf, .capacity = 4 };
			struct zw_token_cursor out = zw_tokens_open(&t);
			struct lazy_match m = { at, 0, 5, PLACE_BYTES - 300 };
			const uint8_t *from = at - m.distance, *literals;
			bool taken;

			for (size_t i = 0; i < sizeof bytes; i++)
				bytes[i] = (uint8_t)rng_next(&rng);
			memcpy(at - common, from - common, common);
			at[-1 - (int)common] = (uint8_t)~from[-1 - (int)common];
			zw_put_match(&out, before_len, 0);
			literals = absorb_previous(&out, &m, before_len, window);
			taken = common >= 4 && common + LEFTOVER_MAX_BYTES >= before_len && m.len >= 5 && before_len + 5 <= MATCH_MAX_BYTES;
			assert_true(out.next - t.buf == (taken ? 0 : 1));
			assert_ptr_equal(literals, taken ? at - before_len : at);
			assert_int_equal(m.len, taken ? 5 + (common < before_len ? common : before_len) : 5);
			assert_ptr_equal(m.at, at - (m.len - 5));
			assert_true(m.at >= literals);
		}
}

/* Where matches are long and walks gain nothing, twice in a row. */
static void one_segment_without_gain_leaves_out_walks(void **state)
{
	const struct lazy_yield gains = { .walks = 100, .gains = 50, .matches = 100 }, nothing = { .walks = 100, .gains = 2, .matches = 100 },
				 few = { .walks = 10, .gains = 0, .matches = 100 };
	const ptrdiff_t long_bytes = 4096, short_bytes = 2000;
	struct zw_match_finder m = { .sated_segments = 0 };

	(void)state;
	assert_int_equal(sated_segments(0, &gains, long_bytes), 0);
	assert_int_equal(sated_segments(0, &nothing, short_bytes), 0);
	assert_int_equal(sated_segments(0, &few, long_bytes), 0);
	m.sated_segments = sated_segments(0, &nothing, long_bytes);
	assert_false(is_sated(&m));
	assert_int_equal(sated_segments(m.sated_segments, &gains, long_bytes), 0);
	m.sated_segments = sated_segments(m.sated_segments, &nothing, long_bytes);
	for (unsigned i = 0; i < SATED_SEGMENTS; i++) {
		assert_true(is_sated(&m));
		m.sated_segments = sated_segments(m.sated_segments, &few, long_bytes);
	}
	assert_false(is_sated(&m));              /* one to see whether they gain again */
	assert_int_equal(sated_segments(m.sated_segments, &gains, long_bytes), 0);
	m.sated_segments = sated_segments(m.sated_segments, &nothing, long_bytes);
	assert_true(is_sated(&m));
}

/* What goes on at the last distance: bytes behind end must not count, and what is too short is nothing. */
static void what_goes_on_is_measured_wrong(void **state)
{
	uint8_t bytes[3 * PLACE_BYTES];
	const uint8_t *ip = bytes + PLACE_BYTES;

	(void)state;
	for (unsigned common = 0; common <= 300; common++)
		for (unsigned room = 4; room <= 320; room += room < 20 ? 1 : 60) {
			unsigned want = common < room ? common : room, found;

			memset(bytes, 'a', sizeof bytes);
			bytes[PLACE_BYTES + common] = 'b';
			if (want > MATCH_MAX_BYTES)
				want = MATCH_MAX_BYTES;
			found = continue_match(ip, 1, 8, ip + room);
			assert_int_equal(found, common < 4 || want < 8 ? 0 : want);
		}
}

/* A call ends: literals pending, and so many matches found in so many bytes. */
static struct zw_match_finder finder_behind(unsigned literals, unsigned matches, ptrdiff_t bytes)
{
	static uint32_t tokens_buf[1024];
	static uint8_t text[4096];
	struct zw_tokens t = { .buf = tokens_buf, .capacity = 1024 };
	struct zw_token_cursor out = zw_tokens_open(&t);
	struct zw_match_finder m = { .literal_price = 77, .params = zw_level_params(6, ZW_DEFAULT_STRATEGY) };
	const struct lazy_yield yield = { .walks = matches, .matches = matches };
	struct zw_literal_sample sample;

	for (size_t i = 0; i < sizeof text; i++)
		text[i] = (uint8_t)('0' + i % 10);
	zw_literal_sample_begin(&sample, &t.freq);
	for (unsigned i = 0; i < matches; i++)
		zw_put_match(&out, 4, 0);
	end_segment(&m, &t, &out, text + literals - bytes, text, text + literals, 0, &yield, &sample);
	assert_int_equal(t.count, matches + (literals + 1) / 2);
	return m;
}

static void a_segment_is_remembered_wrong(void **state)
{
	(void)state;
	for (unsigned literals = 0; literals <= 300; literals += literals < 120 || literals > 134 ? 20 : 1) {
		struct zw_match_finder m = finder_behind(literals, 1, (ptrdiff_t)literals);

		assert_true(literals < LITERAL_SAMPLE_LEAST ? m.literal_price == 77 : m.literal_price < 77 && m.literal_price > 40);
	}
	for (unsigned matches = 0; matches <= 100; matches++) {
		struct zw_match_finder m = finder_behind(1000, matches, 1000);

		assert_int_equal(m.match_mean_bytes, matches ? 1000 / matches : UINT16_MAX);
		assert_int_equal(m.few_matches, matches < FEW_MATCHES);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_long_match_backwards_is_cut_or_leaves_the_window),
		cmocka_unit_test(an_absorbed_match_loses_or_doubles_bytes),
		cmocka_unit_test(what_goes_on_is_measured_wrong),
		cmocka_unit_test(a_segment_is_remembered_wrong),
		cmocka_unit_test(one_segment_without_gain_leaves_out_walks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
