/* SPDX-License-Identifier: Zlib */
/* test_stored.c - stored blocks go past the window and come back into it when somebody asks for history: the next block, a call
 * later, inflateGetDictionary(), a copy of the stream.  Every call beside the system's zlib. */
#include "lib/cmocka_all.h"

#include "inflate/inflate_state.h"
#include "inflate/twin.h"
#include "lib/alloc.h"
#include "lib/rng.h"

static const int wrappers[] = { -15, 15, 31 };
#define WRAPPER_COUNT (sizeof wrappers / sizeof *wrappers)

/* Noise of these lengths, which zlib stores, and after each what it finds again: 700 bytes from these distances. */
static const struct { unsigned noise_bytes, distance; } shapes[][4] = {
	{ { 3000, 3000 }, { 10, 3500 }, { 40000, 32000 }, { 0, 31000 } },
	{ { 100, 100 }, { 33000, 32500 }, { 33000, 700 }, { 5, 32700 } },
	{ { 70000, 20000 }, { 70000, 32600 }, { 31000, 31500 }, { 1200, 32000 } },
	{ { 4096, 4000 }, { 4096, 8000 }, { 4096, 12000 }, { 60000, 32000 } },
	{ { 200000, 32700 }, { 0, 700 }, { 32068, 32768 }, { 32068, 32000 } },
};
#define SHAPE_COUNT (sizeof shapes / sizeof *shapes)

static struct test_bytes make_plain(size_t shape, uint64_t seed)
{
	struct test_bytes plain = { 0 };
	struct rng r = rng_seed(seed);

	bytes_reserve(&plain, 400000);
	for (size_t i = 0; i < 4; i++) {
		rng_fill(&r, plain.data + plain.len_bytes, shapes[shape][i].noise_bytes);
		plain.len_bytes += shapes[shape][i].noise_bytes;
		for (unsigned n = 0; n < 700; n++)
			bytes_append_byte(&plain, plain.data[plain.len_bytes - shapes[shape][i].distance]);
	}
	return plain;
}

static void test_noise_and_what_refers_to_it_in_all_pieces(void **state)
{
	static const struct { unsigned in, room; } pieces[] = {
		{ 1 << 20, 1 << 19 }, { 32768, 4096 }, { 4096, 32768 }, { 50000, 70000 }, { 999, 100000 }, { 100000, 999 }, { 300, 300 }
	};
	struct twin t;

	(void)state;
	twin_begin(&t);
	for (size_t shape = 0; shape < SHAPE_COUNT; shape++)
		for (size_t w = 0; w < WRAPPER_COUNT; w++) {
			struct test_bytes plain = make_plain(shape, shape + 1);
			struct test_bytes z = compressed(t.system_zlib, plain.data, plain.len_bytes, wrappers[w], NULL, 0, Z_NO_FLUSH);

			assert_true(z.len_bytes > plain.len_bytes - 4 * 690); /* the noise is stored */
			for (size_t p = 0; p < sizeof pieces / sizeof *pieces; p++) {
				twin_open(&t, wrappers[w]);
				twin_feed(&t, &z, pieces[p].in, pieces[p].room, p & 1 ? Z_SYNC_FLUSH : Z_NO_FLUSH);
				twin_same(&t, "end", t.code, Z_STREAM_END);
				twin_same(&t, "bytes", (long)t.made.len_bytes, (long)plain.len_bytes);
				twin_close(&t);
				CHECK_TWIN(&t);
			}
			bytes_free(&z);
			bytes_free(&plain);
		}
	twin_end(&t);
}

/* Calls of random size; between them somebody looks at the history or goes on with a copy. */
static void test_history_between_calls(void **state)
{
	struct twin t;

	(void)state;
	twin_begin(&t);
	for (uint64_t seed = 1; seed <= 60; seed++) {
		struct rng r = rng_seed(seed);
		int window_bits = wrappers[seed % WRAPPER_COUNT];
		struct test_bytes plain = make_plain((size_t)(seed % SHAPE_COUNT), seed);
		struct test_bytes z = compressed(t.system_zlib, plain.data, plain.len_bytes, window_bits, NULL, 0, Z_NO_FLUSH);

		twin_open(&t, window_bits);
		for (unsigned idle = 0; t.code == Z_OK && !t.fault && idle < 20; idle++) {
			size_t in = rng_below(&r, rng_one_in(&r, 3) ? 100000 : 6000), left = z.len_bytes - t.used_bytes;
			size_t room = rng_below(&r, rng_one_in(&r, 3) ? 200000 : 6000);

			idle = twin_inflate(&t, z.data + t.used_bytes, in < left ? in : left, room, Z_NO_FLUSH) ? 0 : idle;
			if (t.code == Z_BUF_ERROR)
				t.code = Z_OK;
			if (t.code == Z_OK && rng_one_in(&r, 2))
				twin_compare_history(&t);
			if (t.code == Z_OK && rng_one_in(&r, 8)) {
				z_stream ours, theirs;

				twin_same(&t, "copy", inflateCopy(&ours, &t.ours), t.system_zlib->inflateCopy(&theirs, &t.theirs));
				twin_close(&t);
				twin_same(&t, "copy", inflateCopy(&t.ours, &ours), t.system_zlib->inflateCopy(&t.theirs, &theirs));
				twin_same(&t, "end", inflateEnd(&ours), t.system_zlib->inflateEnd(&theirs));
			}
		}
		twin_same(&t, "end", t.code, Z_STREAM_END);
		twin_close(&t);
		CHECK_TWIN(&t);
		bytes_free(&z);
		bytes_free(&plain);
	}
	twin_end(&t);
}

/* Cut and damaged: nothing behind the output changes (twin_inflate() looks), and history is the system's. */
static void test_cut_and_damaged(void **state)
{
	struct twin t;

	(void)state;
	twin_begin(&t);
	for (uint64_t seed = 1; seed <= 300; seed++) {
		struct rng r = rng_seed(seed);
		int window_bits = wrappers[seed % WRAPPER_COUNT];
		struct test_bytes plain = make_plain((size_t)(seed % SHAPE_COUNT), seed % 7);
		struct test_bytes z = compressed(t.system_zlib, plain.data, plain.len_bytes, window_bits, NULL, 0, Z_NO_FLUSH);

		for (uint64_t n = rng_below(&r, 4); n; n--)
			z.data[rng_below(&r, z.len_bytes)] ^= (uint8_t)(1u << rng_below(&r, 8));
		twin_open(&t, window_bits);
		twin_inflate(&t, z.data, rng_below(&r, z.len_bytes), rng_below(&r, 400000), seed & 1 ? Z_FINISH : Z_NO_FLUSH);
		if (t.code == Z_OK)
			twin_compare_history(&t);
		twin_feed(&t, &z, 70000, 70000, Z_NO_FLUSH);
		twin_close(&t);
		CHECK_TWIN(&t);
		bytes_free(&z);
		bytes_free(&plain);
	}
	twin_end(&t);
}

static unsigned calls_of_allocator(const struct test_bytes *z, int window_bits, size_t room, int flush, int want, unsigned fail_on)
{
	struct test_alloc a = { .garbage = true, .fail_on_call = fail_on };
	uint8_t *out = malloc(room);
	z_stream s;

	memset(&s, 0, sizeof s);
	test_alloc_use(&a, &s);
	assert_int_equal(inflateInit2(&s, window_bits), Z_OK);
	s.next_in = z->data;
	s.avail_in = (uInt)z->len_bytes;
	s.next_out = out;
	s.avail_out = (uInt)room;
	assert_int_equal(inflate(&s, flush), want);
	assert_int_equal(inflateEnd(&s), Z_OK);
	assert_int_equal(test_alloc_close(&a), 0);
	free(out);
	return a.calls;
}

static void test_a_stored_stream_in_one_call_takes_no_window(void **state)
{
	const struct peer_zlib *p = peer_system_or_skip();
	struct test_bytes plain = { 0 };
	struct rng r = rng_seed(4);

	(void)state;
	bytes_reserve(&plain, 100000);
	rng_fill(&r, plain.data, 100000);
	plain.len_bytes = 100000;
	for (size_t w = 0; w < WRAPPER_COUNT; w++) {
		struct test_bytes z = compressed(p, plain.data, plain.len_bytes, wrappers[w], NULL, 0, Z_NO_FLUSH);

		assert_int_equal(calls_of_allocator(&z, wrappers[w], 100000, Z_FINISH, Z_STREAM_END, 0), 1);
		assert_int_equal(calls_of_allocator(&z, wrappers[w], 99999, Z_FINISH, Z_BUF_ERROR, 0), 2);
		assert_int_equal(calls_of_allocator(&z, wrappers[w], 99999, Z_NO_FLUSH, Z_MEM_ERROR, 2), 2);
		bytes_free(&z);
	}
	bytes_free(&plain);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_noise_and_what_refers_to_it_in_all_pieces),
		cmocka_unit_test(test_history_between_calls),
		cmocka_unit_test(test_cut_and_damaged),
		cmocka_unit_test(test_a_stored_stream_in_one_call_takes_no_window),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
