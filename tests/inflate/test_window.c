/* SPDX-License-Identifier: Zlib */
/* test_window.c - the first window, on the stack, and the true one after it: a small stream that ends in its first call takes
 * no memory, every other one is none the wiser. */
#include "lib/cmocka_all.h"

#include "inflate/inflate_state.h"
#include "inflate/make_stream.h"
#include "inflate/twin.h"
#include "lib/alloc.h"

static struct test_bytes page;               /* 20,000 bytes of JSON: 2 KB of it compressed are more than a first window */

static const int wrappers[] = { -15, 15, 31 };
#define FOR_EACH_WRAPPER(w) for (const int *w = wrappers; w < wrappers + sizeof wrappers / sizeof *wrappers; w++)

/* JSON, and behind it matches that reach back to its first byte. */
static struct test_bytes far_back(const struct peer_zlib *p, size_t bytes, int window_bits)
{
	struct test_bytes plain = { 0 }, z;

	bytes_append(&plain, page.data, bytes / 2);
	bytes_append(&plain, page.data, bytes - bytes / 2);
	z = compressed(p, plain.data, bytes, window_bits, NULL, 0, Z_NO_FLUSH);
	bytes_free(&plain);
	return z;
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

static unsigned calls_for_one_call(const struct test_bytes *z, size_t bytes, size_t room, int window_bits, int flush, int want)
{
	struct test_alloc a = { .garbage = true };
	uint8_t *out = malloc(room + 1);
	z_stream s;

	memset(&s, 0, sizeof s);
	test_alloc_use(&a, &s);
	assert_int_equal(inflateInit2(&s, window_bits), Z_OK);
	s.next_in = z->data;
	s.avail_in = (uInt)z->len_bytes;
	s.next_out = out;
	s.avail_out = (uInt)room;
	assert_int_equal(inflate(&s, flush), want);
	assert_int_equal(s.total_out, bytes);
	assert_memory_equal(out, page.data, bytes);
	assert_int_equal(inflateEnd(&s), Z_OK);
	assert_int_equal(test_alloc_close(&a), 0);
	free(out);
	return a.calls;
}

static void test_a_small_stream_in_one_call_takes_no_window(void **state)
{
	static const size_t sizes[] = { 0, 1, 2, 100, 2560, FIRST_WINDOW_BYTES - 1 };
	const struct peer_zlib *p = peer_system_or_skip();

	(void)state;
	FOR_EACH_WRAPPER(w)
		for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
			struct test_bytes z = compressed(p, page.data, sizes[i], *w, NULL, 0, Z_NO_FLUSH);

			assert_true(z.len_bytes <= FIRST_INPUT_MAX_BYTES);
			assert_int_equal(calls_for_one_call(&z, sizes[i], sizes[i] + 1, *w, Z_FINISH, Z_STREAM_END), 1);
			assert_int_equal(calls_for_one_call(&z, sizes[i], 100000, *w, Z_FINISH, Z_STREAM_END), 1);
			/* zlib gives the history of raw data after its end, and none behind a trailer */
			assert_int_equal(calls_for_one_call(&z, sizes[i], 100000, *w, Z_NO_FLUSH, Z_STREAM_END),
					 *w < 0 && sizes[i] ? 2 : 1);
			bytes_free(&z);
		}
}

static void test_a_stream_that_goes_on_takes_one(void **state)
{
	const struct peer_zlib *p = peer_system_or_skip();

	(void)state;
	FOR_EACH_WRAPPER(w) {
		struct test_bytes z = compressed(p, page.data, 2560, *w, NULL, 0, Z_NO_FLUSH);

		assert_int_equal(calls_for_one_call(&z, 2559, 2559, *w, Z_FINISH, Z_BUF_ERROR), 2);
		assert_int_equal(calls_for_one_call(&z, 2559, 2559, *w, Z_NO_FLUSH, Z_OK), 2);
		bytes_free(&z);
		z = compressed(p, page.data, 20000, *w, NULL, 0, Z_NO_FLUSH);
		assert_int_equal(calls_for_one_call(&z, 20000, 20000, *w, Z_FINISH, Z_STREAM_END), 2);
		bytes_free(&z);
	}
}

static void test_refused_memory_is_told_when_it_is_needed(void **state)
{
	static const struct { size_t bytes, room; int want; } cases[] = {
		{ 2560, 2560, Z_STREAM_END }, { 2560, 2000, Z_MEM_ERROR }, { 10000, 10000, Z_MEM_ERROR },
	};
	const struct peer_zlib *p = peer_system_or_skip();

	(void)state;
	FOR_EACH_WRAPPER(w)
		for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
			struct test_bytes z = far_back(p, cases[i].bytes, *w);
			struct test_alloc a = { .fail_on_call = 2 };
			uint8_t out[10000];
			uInt history = 7;
			z_stream s;

			assert_true(z.len_bytes <= FIRST_INPUT_MAX_BYTES);
			memset(&s, 0, sizeof s);
			test_alloc_use(&a, &s);
			assert_int_equal(inflateInit2(&s, *w), Z_OK);
			s.next_in = z.data;
			s.avail_in = (uInt)z.len_bytes;
			s.next_out = out;
			s.avail_out = (uInt)cases[i].room;
			assert_int_equal(inflate(&s, Z_FINISH), cases[i].want);
			if (cases[i].room > FIRST_WINDOW_BYTES) {        /* what there was left before */
				assert_true(s.avail_out <= cases[i].room - FIRST_WINDOW_BYTES);
				assert_memory_equal(out, page.data, cases[i].room - s.avail_out < cases[i].bytes / 2
								    ? cases[i].room - s.avail_out : cases[i].bytes / 2);
			}
			if (cases[i].want == Z_MEM_ERROR) {
				s.avail_out = 100;
				assert_int_equal(inflate(&s, Z_FINISH), Z_MEM_ERROR);
				assert_int_equal(s.avail_out, 100);
				assert_int_equal(inflateGetDictionary(&s, out, &history), Z_OK);
				assert_int_equal(history, 0);
				assert_int_equal(inflateReset(&s), Z_OK);
			}
			assert_int_equal(inflateEnd(&s), Z_OK);
			assert_int_equal(test_alloc_close(&a), 0);
			bytes_free(&z);
		}
}

/* ---- the move to the true window --------------------------------------------------------------------------------- */

static void test_the_move_at_every_byte_of_the_output(void **state)
{
	struct twin t;

	(void)state;
	twin_begin(&t);
	FOR_EACH_WRAPPER(w) {
		struct test_bytes z = far_back(t.system_zlib, 6000, *w);

		assert_true(z.len_bytes <= FIRST_INPUT_MAX_BYTES);
		for (size_t cut = 0; cut <= 6000 && !t.fault; cut++) {
			twin_open(&t, *w);
			twin_inflate(&t, z.data, z.len_bytes, cut, cut & 1 ? Z_FINISH : Z_NO_FLUSH);
			if (t.code == Z_OK)
				twin_compare_history(&t);
			twin_inflate(&t, z.data + t.used_bytes, z.len_bytes - t.used_bytes, cut % 300, Z_SYNC_FLUSH);
			twin_inflate(&t, z.data + t.used_bytes, z.len_bytes - t.used_bytes, 6000, Z_FINISH);
			twin_same(&t, "end", t.code, Z_STREAM_END);
			twin_close(&t);
		}
		CHECK_TWIN(&t);
		bytes_free(&z);
	}
	twin_end(&t);
}

static void test_the_move_at_every_byte_of_the_input(void **state)
{
	struct twin t;

	(void)state;
	twin_begin(&t);
	FOR_EACH_WRAPPER(w) {
		struct test_bytes z = far_back(t.system_zlib, 6000, *w);

		for (size_t cut = 0; cut <= z.len_bytes && !t.fault; cut++) {
			twin_open(&t, *w);
			twin_inflate(&t, z.data, cut, 8000, cut & 1 ? Z_FINISH : Z_SYNC_FLUSH);
			if (*w < 0 || cut + 4 < z.len_bytes) /* behind a checksum we may remember more: README.md */
				twin_compare_history(&t);
			if (t.code != Z_STREAM_END)
				twin_inflate(&t, z.data + t.used_bytes, z.len_bytes - t.used_bytes, 8000, Z_SYNC_FLUSH);
			twin_same(&t, "end", t.code, Z_STREAM_END);
			twin_close(&t);
		}
		CHECK_TWIN(&t);
		bytes_free(&z);
	}
	twin_end(&t);
}

/* The longest matches from just before the end of the first window, with distances over all that is in it. */
static void test_matches_over_the_end_of_the_first_window(void **state)
{
	struct twin t;

	(void)state;
	twin_begin(&t);
	for (size_t shift = 0; shift < 600; shift++) {
		struct test_bytes plain = { 0 }, z;
		struct rng r = rng_seed(shift);

		bytes_reserve(&plain, 1200 + FIRST_WINDOW_BYTES);
		rng_fill(&r, plain.data, 900);
		plain.len_bytes = 900;
		while (plain.len_bytes < FIRST_WINDOW_BYTES - shift)
			bytes_append_byte(&plain, (uint8_t)(shift & 1 ? 'a' : plain.data[plain.len_bytes - 3]));
		bytes_append(&plain, page.data, shift % 5);
		bytes_append(&plain, plain.data, 900);
		z = compressed(t.system_zlib, plain.data, plain.len_bytes, wrappers[shift % 3], NULL, 0, Z_NO_FLUSH);
		assert_true(z.len_bytes <= FIRST_INPUT_MAX_BYTES);
		twin_open(&t, wrappers[shift % 3]);
		twin_inflate(&t, z.data, z.len_bytes, 6000, Z_FINISH);
		twin_same(&t, "end", t.code, Z_STREAM_END);
		twin_close(&t);
		CHECK_TWIN(&t);
		twin_open(&t, wrappers[shift % 3]);
		twin_inflate(&t, z.data, z.len_bytes, FIRST_WINDOW_BYTES - 300 + shift, Z_NO_FLUSH);
		twin_inflate(&t, z.data + t.used_bytes, z.len_bytes - t.used_bytes, 6000, Z_NO_FLUSH);
		twin_same(&t, "end", t.code, Z_STREAM_END);
		twin_close(&t);
		CHECK_TWIN(&t);
		bytes_free(&plain);
		bytes_free(&z);
	}
	twin_end(&t);
}

/* Distances go up to 32 KB back, the first of them into what was in the first window. */
static void test_history_from_the_first_window_is_found_32_kb_later(void **state)
{
	struct test_bytes plain = { 0 }, z;
	struct twin t;

	(void)state;
	twin_begin(&t);
	corpus_make(CORPUS_FAR, 9, 200000, &plain);
	FOR_EACH_WRAPPER(w) {
		z = compressed(t.system_zlib, plain.data, plain.len_bytes, *w, NULL, 0, Z_NO_FLUSH);
		for (size_t piece = 1; piece <= FIRST_INPUT_MAX_BYTES; piece += 89) {
			twin_open(&t, *w);
			twin_inflate(&t, z.data, piece, 200000, Z_NO_FLUSH);
			while (t.code == Z_OK && !t.fault)
				twin_inflate(&t, z.data + t.used_bytes, z.len_bytes - t.used_bytes, 200000, Z_NO_FLUSH);
			twin_same(&t, "end", t.code, Z_STREAM_END);
			twin_same(&t, "bytes", (long)t.made.len_bytes, 200000);
			twin_close(&t);
			CHECK_TWIN(&t);
		}
		bytes_free(&z);
	}
	bytes_free(&plain);
	twin_end(&t);
}

/* ---- what waits between two calls -------------------------------------------------------------------------------- */

/* Long matches, so that nearly every call leaves something for the next, which then ends in the midst of a match, at the end of a
 * block, in a stored block, or where the data is wrong. */
static void test_what_waits_leaves_with_what_follows(void **state)
{
	static const int windows[] = { -9, 15, 31 };
	struct twin t;

	(void)state;
	twin_begin(&t);
	for (size_t w = 0; w < 3; w++)
		for (size_t room = 1; room < 900; room += room < 30 ? 1 : 13) {
			struct test_bytes plain = { 0 }, z;
			size_t wrong;

			while (plain.len_bytes < 9000)
				bytes_append(&plain, page.data, 300 + room % 70);
			bytes_append(&plain, page.data, 3000);
			z = compressed(t.system_zlib, plain.data, plain.len_bytes, windows[w], NULL, 0,
				       room % 3 ? Z_SYNC_FLUSH : Z_FULL_FLUSH);
			for (unsigned round = 0; round < 8; round++) { /* right, then with a byte wrong */
				twin_open(&t, windows[w]);
				twin_feed(&t, &z, round & 1 ? 60 : z.len_bytes, room, Z_NO_FLUSH);
				if (!round)
					twin_same(&t, "end", t.code, Z_STREAM_END);
				twin_close(&t);
				CHECK_TWIN(&t);
				wrong = 20 + (room * 8 + round) * 7 % (z.len_bytes - 20);
				z.data[wrong] ^= (uint8_t)(1 << round);
			}
			bytes_free(&plain);
			bytes_free(&z);
		}
	twin_end(&t);
}

/* ---- the caller's buffer, and what else a call may meet ---------------------------------------------------------- */

static void test_nothing_behind_the_output_changes(void **state)
{
	const struct peer_zlib *p = peer_system_or_skip();

	(void)state;
	FOR_EACH_WRAPPER(w) {
		struct test_bytes z = far_back(p, 5000, *w);
		struct rng r = rng_seed(77);
		uint8_t out[5400], pattern[5400];

		for (unsigned random = 0; random < 2; random++) {
			memset(pattern, 0xa5, sizeof pattern);
			if (random)
				rng_fill(&r, pattern, sizeof pattern);
			for (size_t cut = 0; cut <= z.len_bytes; cut++) {
				z_stream s;

				memset(&s, 0, sizeof s);
				memcpy(out, pattern, sizeof out);
				assert_int_equal(inflateInit2(&s, *w), Z_OK);
				s.next_in = z.data;
				s.avail_in = (uInt)cut;
				s.next_out = out;
				s.avail_out = sizeof out;
				assert_int_equal(inflate(&s, Z_FINISH), cut == z.len_bytes ? Z_STREAM_END : Z_BUF_ERROR);
				assert_memory_equal(out + s.total_out, pattern + s.total_out, sizeof out - s.total_out);
				assert_int_equal(inflateEnd(&s), Z_OK);
			}
		}
		bytes_free(&z);
	}
}

static void test_any_byte_wrong_in_a_small_stream(void **state)
{
	struct twin t;

	(void)state;
	twin_begin(&t);
	FOR_EACH_WRAPPER(w) {
		struct test_bytes z = far_back(t.system_zlib, 5000, *w);

		bytes_append_text(&z, "what follows is not part of the stream");
		for (size_t at = 0; at < z.len_bytes && !t.fault; at++)
			for (unsigned bit = (unsigned)at % 3; bit < 8; bit += 3) {
				z.data[at] ^= (uint8_t)(1u << bit);
				twin_open(&t, *w);
				twin_inflate(&t, z.data, z.len_bytes, 9000, bit & 1 ? Z_FINISH : Z_NO_FLUSH);
				twin_inflate(&t, z.data + t.used_bytes, z.len_bytes - t.used_bytes, 9000, Z_NO_FLUSH);
				twin_close(&t);
				z.data[at] ^= (uint8_t)(1u << bit);
			}
		CHECK_TWIN(&t);
		bytes_free(&z);
	}
	twin_end(&t);
}

/* A copy, a reset and a second stream on the history of the first: as the system does it, whatever is kept. */
static void test_copy_and_reset_between_calls(void **state)
{
	struct twin t;

	(void)state;
	twin_begin(&t);
	FOR_EACH_WRAPPER(w) {
		struct test_bytes z = far_back(t.system_zlib, 5000, *w);
		struct test_bytes second = compressed(t.system_zlib, page.data, 3000, -15, page.data, 2000, Z_NO_FLUSH);

		for (unsigned n = 0; n < 4000; n += 37) {
			z_stream ours, theirs;

			twin_open(&t, *w);
			twin_inflate(&t, z.data, z.len_bytes, n % 5 ? n : 5000, n & 1 ? Z_FINISH : Z_SYNC_FLUSH);
			twin_same(&t, "copy", inflateCopy(&ours, &t.ours), t.system_zlib->inflateCopy(&theirs, &t.theirs));
			twin_close(&t);
			twin_same(&t, "copy", inflateCopy(&t.ours, &ours), t.system_zlib->inflateCopy(&t.theirs, &theirs));
			twin_same(&t, "end", inflateEnd(&ours), t.system_zlib->inflateEnd(&theirs));
			if (t.code != Z_STREAM_END)
				twin_inflate(&t, z.data + t.used_bytes, z.len_bytes - t.used_bytes, 5000, Z_FINISH);
			twin_same(&t, "end", t.code, Z_STREAM_END);
			if (*w < 0) {                /* behind a trailer we may remember more: README.md */
				twin_compare_history(&t);
				TWIN_CALL_0(&t, inflateResetKeep);
			} else {
				TWIN_CALL_0(&t, inflateReset);
				TWIN_CALL(&t, inflateReset2, -15);
			}
			t.code = Z_OK;
			twin_inflate(&t, second.data, second.len_bytes, 5000, Z_SYNC_FLUSH);
			twin_close(&t);
			CHECK_TWIN(&t);
		}
		bytes_free(&second);
		bytes_free(&z);
	}
	twin_end(&t);
}

static void test_uncompress_of_exactly_the_size(void **state)
{
	const struct peer_zlib *p = peer_system_or_skip();
	struct guard_buffer in = guard_before_end(30000), out = guard_before_end(30000);

	(void)state;
	for (size_t bytes = 0; bytes <= 9000; bytes += bytes < 300 ? 1 : 61) {
		struct test_bytes z = far_back(p, bytes, 15);
		uLongf made = bytes;

		memcpy(in.data + 30000 - z.len_bytes, z.data, z.len_bytes);
		assert_int_equal(uncompress(out.data + 30000 - bytes, &made, in.data + 30000 - z.len_bytes, z.len_bytes), Z_OK);
		assert_int_equal(made, bytes);
		assert_memory_equal(out.data + 30000 - bytes, page.data, bytes / 2);
		assert_memory_equal(out.data + 30000 - (bytes - bytes / 2), page.data, bytes - bytes / 2);
		if (bytes) {
			made = bytes - 1;
			assert_int_equal(uncompress(out.data, &made, z.data, z.len_bytes), Z_BUF_ERROR);
		}
		bytes_free(&z);
	}
	guard_free(&in);
	guard_free(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_small_stream_in_one_call_takes_no_window),
		cmocka_unit_test(test_a_stream_that_goes_on_takes_one),
		cmocka_unit_test(test_refused_memory_is_told_when_it_is_needed),
		cmocka_unit_test(test_the_move_at_every_byte_of_the_output),
		cmocka_unit_test(test_the_move_at_every_byte_of_the_input),
		cmocka_unit_test(test_matches_over_the_end_of_the_first_window),
		cmocka_unit_test(test_history_from_the_first_window_is_found_32_kb_later),
		cmocka_unit_test(test_what_waits_leaves_with_what_follows),
		cmocka_unit_test(test_nothing_behind_the_output_changes),
		cmocka_unit_test(test_any_byte_wrong_in_a_small_stream),
		cmocka_unit_test(test_copy_and_reset_between_calls),
		cmocka_unit_test(test_uncompress_of_exactly_the_size),
	};

	corpus_make(CORPUS_JSON, 5, 20000, &page);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
