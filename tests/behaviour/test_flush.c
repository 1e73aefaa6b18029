/* SPDX-License-Identifier: Zlib */
/* test_flush.c - what each flush value promises, and what deflate() answers when there is nothing to do. */
#include "lib/cmocka_all.h"
#include "lib/corpus.h"
#include "lib/ref_inflate.h"
#include "lib/streams.h"

#include <string.h>

static const struct deflate_parameters raw6 = { 6, -15, 8, Z_DEFAULT_STRATEGY };

/* deflate() with out_bytes of room at to; the stream keeps its input. */
static int call(const struct peer_zlib *p, z_stream *s, int flush, void *to, size_t out_bytes)
{
	s->next_out = to;
	s->avail_out = (uInt)out_bytes;
	return p->deflate(s, flush);
}

static void give(z_stream *s, const void *in, size_t in_bytes)
{
	s->next_in = in;
	s->avail_in = (uInt)in_bytes;
}

static void test_a_second_empty_flush_writes_again(void **state)
{
	static const int flushes[] = { Z_PARTIAL_FLUSH, Z_SYNC_FLUSH, Z_FULL_FLUSH, Z_BLOCK };
	uint8_t out[200];

	(void)state;
	FOR_EACH_SUBJECT(p)
		for (size_t f = 0; f < 4; f++) {
			z_stream s = { 0 };
			uLong written;

			streams_begin_deflate(p, &s, &raw6);
			give(&s, "hello hello hello", 17);
			assert_int_equal(call(p, &s, flushes[f], out, sizeof out), Z_OK);
			assert_int_equal(s.avail_in, 0);
			written = s.total_out;
			assert_int_equal(call(p, &s, flushes[f], out, sizeof out), Z_BUF_ERROR);
			assert_int_equal(call(p, &s, flushes[f], out, sizeof out), Z_BUF_ERROR);
			assert_int_equal(s.total_out, written);
			give(&s, "again", 5);        /* and the error is not fatal */
			assert_int_equal(call(p, &s, Z_FINISH, out, sizeof out), Z_STREAM_END);
			assert_int_equal(p->deflateEnd(&s), Z_OK);
		}
}

/* A later flush acts only if it is stronger than the last: BLOCK < PARTIAL < SYNC < FULL. */
static void test_rank_of_a_flush_is_wrong(void **state)
{
	static const int ascending[] = { Z_NO_FLUSH, Z_BLOCK, Z_PARTIAL_FLUSH, Z_SYNC_FLUSH, Z_FULL_FLUSH };
	uint8_t out[200];

	(void)state;
	FOR_EACH_SUBJECT(p)
		for (size_t a = 1; a < 5; a++)
			for (size_t b = 0; b < 5; b++) {
				z_stream s = { 0 };

				streams_begin_deflate(p, &s, &raw6);
				give(&s, "hello hello hello", 17);
				assert_int_equal(call(p, &s, ascending[a], out, sizeof out), Z_OK);
				assert_int_equal(call(p, &s, ascending[b], out, sizeof out), b > a ? Z_OK : Z_BUF_ERROR);
				p->deflateEnd(&s);
			}
}

static void test_nothing_to_do_is_not_an_error(void **state)
{
	uint8_t out[200];

	(void)state;
	FOR_EACH_SUBJECT(p) {
		z_stream s = { 0 };

		streams_begin_deflate(p, &s, &raw6);
		assert_int_equal(call(p, &s, Z_NO_FLUSH, out, sizeof out), Z_OK);        /* the first is forgiven */
		assert_int_equal(call(p, &s, Z_NO_FLUSH, out, sizeof out), Z_BUF_ERROR);
		give(&s, "abc", 3);
		assert_int_equal(call(p, &s, Z_NO_FLUSH, out, 0), Z_BUF_ERROR);
		assert_int_equal(call(p, &s, Z_FINISH, out, 0), Z_BUF_ERROR);
		p->deflateEnd(&s);
	}
}

static void test_bad_arguments_are_accepted(void **state)
{
	uint8_t out[200];

	(void)state;
	FOR_EACH_SUBJECT(p) {
		z_stream s = { 0 };

		streams_begin_deflate(p, &s, &raw6);
		give(&s, "abc", 3);
		assert_int_equal(call(p, &s, Z_TREES, out, sizeof out), Z_STREAM_ERROR);
		assert_int_equal(call(p, &s, -1, out, sizeof out), Z_STREAM_ERROR);
		assert_int_equal(call(p, &s, Z_NO_FLUSH, NULL, 10), Z_STREAM_ERROR);
		give(&s, NULL, 3);
		assert_int_equal(call(p, &s, Z_NO_FLUSH, out, sizeof out), Z_STREAM_ERROR);
		assert_int_equal(p->deflate(NULL, Z_NO_FLUSH), Z_STREAM_ERROR);
		p->deflateEnd(&s);
		assert_int_equal(p->deflateEnd(&s), Z_STREAM_ERROR);
		assert_int_equal(call(p, &s, Z_NO_FLUSH, out, sizeof out), Z_STREAM_ERROR);
	}
}

static void test_calls_after_the_end_do_something(void **state)
{
	uint8_t out[200];

	(void)state;
	FOR_EACH_SUBJECT(p)
		for (int wrapped = 0; wrapped < 3; wrapped++) {
			const struct deflate_parameters d = { 6, wrapped == 0 ? -15 : wrapped == 1 ? 15 : 31, 8, 0 };
			z_stream s = { 0 };
			uLong written;

			streams_begin_deflate(p, &s, &d);
			give(&s, "abc", 3);
			assert_int_equal(call(p, &s, Z_FINISH, out, sizeof out), Z_STREAM_END);
			written = s.total_out;
			assert_int_equal(call(p, &s, Z_FINISH, out, sizeof out), Z_STREAM_END);
			assert_int_equal(call(p, &s, Z_NO_FLUSH, out, sizeof out), Z_STREAM_ERROR);
			assert_int_equal(call(p, &s, Z_SYNC_FLUSH, out, sizeof out), Z_STREAM_ERROR);
			give(&s, "d", 1);
			assert_int_equal(call(p, &s, Z_FINISH, out, sizeof out), Z_BUF_ERROR);
			assert_int_equal(s.total_out, written);
			assert_int_equal(p->deflateEnd(&s), Z_OK);
		}
}

/* Everything given before a flush must be decodable from what came out, at a byte boundary where one is promised. */
static void test_flushed_data_is_held_back(void **state)
{
	static const struct { int flush; bool byte_boundary; } cases[] = {
		{ Z_PARTIAL_FLUSH, false }, { Z_SYNC_FLUSH, true }, { Z_FULL_FLUSH, true },
	};
	struct test_bytes body = { 0 };
	static uint8_t back[60000];

	(void)state;
	corpus_make(CORPUS_JSON, 1, 50000, &body);
	FOR_EACH_SUBJECT(p)
		for (size_t c = 0; c < 3; c++)
			for (int level = 0; level <= 9; level++) {
				const struct deflate_parameters d = { level, -15, 8, Z_DEFAULT_STRATEGY };
				struct test_bytes packed = { 0 };
				z_stream s = { 0 };

				streams_begin_deflate(p, &s, &d);
				for (size_t at = 0; at < body.len_bytes; at += 5000) {
					struct ref_output r;

					assert_int_equal(streams_deflate(p, &s, body.data + at, 5000, cases[c].flush, &packed), Z_OK);
					r = ref_inflate(packed.data, packed.len_bytes, NULL, 0, back, sizeof back);
					assert_int_equal(r.result, REF_TRUNCATED);
					assert_int_equal(r.out_bytes, at + 5000);
					assert_memory_equal(back, body.data, at + 5000);
					if (cases[c].byte_boundary)
						assert_memory_equal(packed.data + packed.len_bytes - 4, "\0\0\xff\xff", 4);
				}
				p->deflateEnd(&s);
				bytes_free(&packed);
			}
	bytes_free(&body);
}

static void test_full_flush_keeps_history(void **state)
{
	struct test_bytes body = { 0 };

	(void)state;
	corpus_make(CORPUS_HTML, 1, 3000, &body);
	FOR_EACH_SUBJECT(p)
		for (int level = 1; level <= 9; level++) {
			const struct deflate_parameters d = { level, -15, 8, Z_DEFAULT_STRATEGY };
			struct test_bytes packed = { 0 };
			size_t restart;
			z_stream s = { 0 };

			streams_begin_deflate(p, &s, &d);
			assert_int_equal(streams_deflate(p, &s, body.data, body.len_bytes, Z_FULL_FLUSH, &packed), Z_OK);
			restart = packed.len_bytes;
			assert_int_equal(streams_deflate(p, &s, body.data, body.len_bytes, Z_FINISH, &packed), Z_STREAM_END);
			p->deflateEnd(&s);
			packed.len_bytes -= restart;     /* the rest alone must decode */
			memmove(packed.data, packed.data + restart, packed.len_bytes);
			streams_check_decodes_everywhere(-15, &packed, body.data, body.len_bytes);
			bytes_free(&packed);
		}
	bytes_free(&body);
}

static void test_sync_flush_drops_history(void **state)
{
	struct test_bytes body = { 0 };

	(void)state;
	corpus_make(CORPUS_RANDOM, 1, 3000, &body);
	FOR_EACH_SUBJECT(p)
		for (int level = 1; level <= 9; level++) {
			const struct deflate_parameters d = { level, -15, 8, Z_DEFAULT_STRATEGY };
			struct test_bytes packed = { 0 };
			z_stream s = { 0 };

			streams_begin_deflate(p, &s, &d);
			assert_int_equal(streams_deflate(p, &s, body.data, body.len_bytes, Z_SYNC_FLUSH, &packed), Z_OK);
			assert_int_equal(streams_deflate(p, &s, body.data, body.len_bytes, Z_FINISH, &packed), Z_STREAM_END);
			p->deflateEnd(&s);
			assert_between(packed.len_bytes, body.len_bytes, body.len_bytes + 400);
			bytes_free(&packed);
		}
	bytes_free(&body);
}

/* Z_BLOCK ends a block but not a byte; up to seven bits stay behind and come with the next call. */
static void test_block_flush_pads(void **state)
{
	(void)state;
	FOR_EACH_SUBJECT(p) {
		struct test_bytes packed = { 0 };
		z_stream s = { 0 };
		unsigned pending;
		int bits;

		streams_begin_deflate(p, &s, &raw6);
		for (int i = 0; i < 20; i++) {
			assert_int_equal(streams_deflate(p, &s, "abc", 3, Z_BLOCK, &packed), Z_OK);
			assert_int_equal(p->deflatePending(&s, &pending, &bits), Z_OK);
			assert_int_equal(pending, 0);
			assert_between(bits, 0, 7);
		}
		assert_int_equal(streams_deflate(p, &s, NULL, 0, Z_FINISH, &packed), Z_STREAM_END);
		streams_check_decodes_everywhere(-15, &packed,
			"abcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabcabc", 60);
		p->deflateEnd(&s);
		bytes_free(&packed);
	}
}

static void test_tiny_outputs_lose_bits(void **state)
{
	struct test_bytes body = { 0 };

	(void)state;
	corpus_make(CORPUS_MIXED, 7, 2500, &body);
	FOR_EACH_SUBJECT(p)
		for (int set = 0; set < 10 * 3 * 12; set++) {
			const struct deflate_parameters d = { set % 10, set / 10 % 3 ? set / 10 % 3 == 1 ? 15 : 31 : -15, 1, 0 };
			size_t piece = (size_t)(1 + set / 30);
			struct test_bytes packed = { 0 };
			uint8_t out[16];
			z_stream s = { 0 };
			int code;

			streams_begin_deflate(p, &s, &d);
			give(&s, body.data, body.len_bytes);
			do {
				code = call(p, &s, Z_FINISH, out, piece);
				bytes_append(&packed, out, piece - s.avail_out);
				if (code == Z_OK)
					assert_int_equal(s.avail_out, 0);
			} while (code == Z_OK);
			assert_int_equal(code, Z_STREAM_END);
			assert_int_equal(p->deflateEnd(&s), Z_OK);
			streams_check_decodes_everywhere(d.window_bits, &packed, body.data, body.len_bytes);
			bytes_free(&packed);
		}
	bytes_free(&body);
}

static void test_empty_input_is_not_a_stream(void **state)
{
	(void)state;
	FOR_EACH_SUBJECT(p)
		for (int set = 0; set < 10 * 3 * 5; set++) {
			const struct deflate_parameters d = { set % 10, set / 10 % 3 ? set / 10 % 3 == 1 ? 15 : 31 : -15, 8, set / 30 };
			struct test_bytes packed = { 0 };
			z_stream s = { 0 };

			streams_begin_deflate(p, &s, &d);
			assert_int_equal(streams_deflate(p, &s, NULL, 0, Z_FINISH, &packed), Z_STREAM_END);
			assert_int_equal(p->deflateEnd(&s), Z_OK);
			streams_check_decodes_everywhere(d.window_bits, &packed, NULL, 0);
			bytes_free(&packed);
		}
}

/* total_in and adler count what was taken, not what was written. */
static void test_adler_lags_behind_the_input(void **state)
{
	struct test_bytes body = { 0 };

	(void)state;
	corpus_make(CORPUS_JS, 7, 100000, &body);
	FOR_EACH_SUBJECT(p)
		for (int gzip = 0; gzip < 2; gzip++) {
			const struct deflate_parameters d = { 6, gzip ? 31 : 15, 8, 0 };
			struct test_bytes packed = { 0 };
			z_stream s = { 0 };

			streams_begin_deflate(p, &s, &d);
			assert_int_equal(s.adler, gzip ? 0 : 1);
			for (size_t at = 0; at < body.len_bytes; at += 777) {
				size_t n = body.len_bytes - at < 777 ? body.len_bytes - at : 777;

				assert_int_equal(streams_deflate(p, &s, body.data + at, n, Z_NO_FLUSH, &packed), Z_OK);
				assert_int_equal(s.avail_in, 0);
				assert_int_equal(s.total_in, at + n);
				assert_int_equal(s.adler, gzip ? p->crc32(0, body.data, (uInt)(at + n))
							       : p->adler32(1, body.data, (uInt)(at + n)));
			}
			p->deflateEnd(&s);
			bytes_free(&packed);
		}
	bytes_free(&body);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_second_empty_flush_writes_again),
		cmocka_unit_test(test_rank_of_a_flush_is_wrong),
		cmocka_unit_test(test_nothing_to_do_is_not_an_error),
		cmocka_unit_test(test_bad_arguments_are_accepted),
		cmocka_unit_test(test_calls_after_the_end_do_something),
		cmocka_unit_test(test_flushed_data_is_held_back),
		cmocka_unit_test(test_full_flush_keeps_history),
		cmocka_unit_test(test_sync_flush_drops_history),
		cmocka_unit_test(test_block_flush_pads),
		cmocka_unit_test(test_tiny_outputs_lose_bits),
		cmocka_unit_test(test_empty_input_is_not_a_stream),
		cmocka_unit_test(test_adler_lags_behind_the_input),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
