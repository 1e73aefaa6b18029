/* SPDX-License-Identifier: Zlib */
/* contract_deflate_flush.c - deflate()'s return codes, the shape of each flush, the end of a stream.
 * More of this with random data and cuts: tests/behaviour/test_flush.c. */
#include "abi/contract.h"

static int run(const struct peer_zlib *p, z_stream *s, const void *in, size_t in_bytes, void *out, size_t out_bytes, int flush)
{
	contract_input(s, in, in_bytes);
	contract_output(s, out, out_bytes);
	return p->deflate(s, flush);
}

static void begin(const struct peer_zlib *p, z_stream *s, int level, int window_bits)
{
	*s = (z_stream){ 0 };
	EXPECT(p, contract_deflate_init(p, s, level, window_bits), Z_OK);
}

/* Z_SYNC_FLUSH and Z_FULL_FLUSH: three bits, padding, 00 00 ff ff. */
static void a_sync_flush_ends_in_an_empty_stored_block(void **state)
{
	Bytef out[100];

	(void)state;
	EACH_ZLIB(p)
		for (int flush = Z_SYNC_FLUSH; flush <= Z_FULL_FLUSH; flush++)
			for (int level = 0; level <= 9; level++) {
				z_stream s;
				unsigned pending;
				int bits;

				begin(p, &s, level, -15);
				EXPECT(p, run(p, &s, "hello hello", 11, out, sizeof out, flush), Z_OK);
				EXPECT(p, s.avail_in, 0);
				assert_memory_equal(out + s.total_out - 4, "\0\0\xff\xff", 4);
				EXPECT(p, p->deflatePending(&s, &pending, &bits), Z_OK);
				EXPECT(p, pending, 0);
				EXPECT(p, bits, 0);
				EXPECT(p, p->deflateEnd(&s), Z_DATA_ERROR);
			}
}

/* Z_PARTIAL_FLUSH: an empty block of fixed codes, 10 bits long, which Z_BLOCK does not write. */
static void a_partial_flush_is_ten_bits(void **state)
{
	Bytef with[100], without[100];

	(void)state;
	EACH_ZLIB(p) {
		z_stream s, t;
		unsigned pending;
		int bits_with, bits_without;

		begin(p, &s, 6, -15);
		begin(p, &t, 6, -15);
		EXPECT(p, run(p, &s, "hello", 5, with, sizeof with, Z_PARTIAL_FLUSH), Z_OK);
		EXPECT(p, run(p, &t, "hello", 5, without, sizeof without, Z_BLOCK), Z_OK);
		EXPECT(p, p->deflatePending(&s, &pending, &bits_with), Z_OK);
		EXPECT(p, pending, 0);
		EXPECT(p, p->deflatePending(&t, &pending, &bits_without), Z_OK);
		EXPECT(p, pending, 0);
		EXPECT(p, s.total_out * 8 + (uLong)bits_with, t.total_out * 8 + (uLong)bits_without + 10);
		assert_memory_equal(with, without, t.total_out);
		(void)p->deflateEnd(&s);
		(void)p->deflateEnd(&t);
	}
}

/* A flush that was made without new input writes its marker once; Z_SYNC_FLUSH at the very start too. */
static void a_flush_of_nothing(void **state)
{
	Bytef out[100];

	(void)state;
	EACH_ZLIB(p) {
		z_stream s;

		begin(p, &s, 6, -15);
		EXPECT(p, run(p, &s, NULL, 0, out, sizeof out, Z_SYNC_FLUSH), Z_OK);
		EXPECT(p, s.total_out, 5);
		assert_memory_equal(out, "\0\0\0\xff\xff", 5);
		EXPECT(p, run(p, &s, NULL, 0, out, sizeof out, Z_SYNC_FLUSH), Z_BUF_ERROR);
		EXPECT(p, run(p, &s, NULL, 0, out, sizeof out, Z_FINISH), Z_STREAM_END);
		EXPECT(p, s.total_out, 7);
		EXPECT(p, p->deflateEnd(&s), Z_OK);
	}
}

/* Z_OK means progress; without it Z_BUF_ERROR, which is not fatal and leaves the buffers alone. */
static void no_progress_is_a_buffer_error(void **state)
{
	Bytef out[100];

	(void)state;
	EACH_ZLIB(p) {
		z_stream s;

		begin(p, &s, 6, 15);
		EXPECT(p, run(p, &s, "abc", 3, out, 0, Z_NO_FLUSH), Z_BUF_ERROR);
		EXPECT(p, s.avail_in, 3);
		EXPECT(p, strcmp(s.msg, "buffer error"), 0);
		EXPECT(p, run(p, &s, "abc", 3, out, 0, Z_FINISH), Z_BUF_ERROR);
		EXPECT(p, s.avail_in, 3);
		EXPECT(p, run(p, &s, "abc", 3, out, sizeof out, Z_NO_FLUSH), Z_OK);
		EXPECT(p, s.avail_in, 0);
		EXPECT(p, run(p, &s, NULL, 0, out, sizeof out, Z_NO_FLUSH), Z_BUF_ERROR);
		EXPECT(p, run(p, &s, NULL, 0, out, sizeof out, Z_FINISH), Z_STREAM_END);
		EXPECT(p, p->deflateEnd(&s), Z_OK);
	}
}

static void wrong_pointers_and_flushes(void **state)
{
	static const int flushes[] = { INT_MIN, -1, Z_TREES, 7, INT_MAX };
	Bytef out[100];

	(void)state;
	EACH_ZLIB(p) {
		z_stream s;

		begin(p, &s, 6, 15);
		for (size_t i = 0; i < 5; i++)
			EXPECT_AT(p, flushes[i], run(p, &s, "abc", 3, out, sizeof out, flushes[i]), Z_STREAM_ERROR);
		EXPECT(p, run(p, &s, "abc", 3, NULL, sizeof out, Z_NO_FLUSH), Z_STREAM_ERROR);
		EXPECT(p, run(p, &s, "abc", 3, NULL, 0, Z_NO_FLUSH), Z_STREAM_ERROR);
		EXPECT(p, run(p, &s, NULL, 3, out, sizeof out, Z_NO_FLUSH), Z_STREAM_ERROR);
		EXPECT(p, strcmp(s.msg, "stream error"), 0);
		EXPECT(p, run(p, &s, NULL, 0, out, sizeof out, Z_FINISH), Z_STREAM_END);  /* none of this did harm */
		EXPECT(p, p->deflateEnd(&s), Z_OK);
	}
}

/* Once Z_FINISH has been asked for, only Z_FINISH without new input goes on. */
static void finishing_cannot_be_taken_back(void **state)
{
	struct test_bytes body = { 0 };
	Bytef out[3000];

	(void)state;
	corpus_make(CORPUS_RANDOM, 8, 2000, &body);
	EACH_ZLIB(p) {
		struct test_bytes packed = { 0 };
		z_stream s;
		int code;

		begin(p, &s, 6, 15);
		EXPECT(p, run(p, &s, body.data, body.len_bytes, out, 100, Z_FINISH), Z_OK);
		EXPECT(p, s.avail_out, 0);
		bytes_append(&packed, out, 100);
		/* stock takes all input at once here; ours may leave some of it for the next call */
		do {
			contract_output(&s, out, 100);
			code = p->deflate(&s, Z_FINISH);
			bytes_append(&packed, out, 100 - s.avail_out);
		} while (code == Z_OK && packed.len_bytes < 1500);
		EXPECT(p, code, Z_OK);
		EXPECT(p, s.avail_in, 0);
		contract_output(&s, out, sizeof out);
		EXPECT(p, p->deflate(&s, Z_NO_FLUSH), Z_STREAM_ERROR);
		EXPECT(p, p->deflate(&s, Z_SYNC_FLUSH), Z_STREAM_ERROR);
		EXPECT(p, run(p, &s, "more", 4, out, sizeof out, Z_FINISH) != Z_STREAM_ERROR, 1);
		(void)p->deflateEnd(&s);
		bytes_free(&packed);
	}
	bytes_free(&body);
}

/* deflateBound() of room: one call does it all, at every level and for every wrapper.  zlib before 1.3 is short of it at level 0. */
static void one_call_with_the_bound_is_enough(void **state)
{
	static const int bits[] = { -9, -15, 9, 15, 25, 31 };

	(void)state;
	EACH_ZLIB(p)
		for (int level = strcmp(p->zlibVersion(), "1.3") < 0; level <= 9; level++)
			for (size_t k = 0; k < 6; k++)
				for (size_t len = 0; len < 70000; len = len * 3 + 1) {
					struct test_bytes body = { 0 }, packed = { 0 };
					z_stream s;
					uLong bound;

					corpus_make(CORPUS_RANDOM, len, len, &body);
					bytes_reserve(&body, 1);
					begin(p, &s, level, bits[k]);
					bound = p->deflateBound(&s, (uLong)len);
					bytes_reserve(&packed, bound);
					EXPECT_AT(p, level, run(p, &s, body.data, len, packed.data, bound, Z_FINISH), Z_STREAM_END);
					EXPECT(p, s.total_in, len);
					EXPECT(p, p->deflateEnd(&s), Z_OK);
					bytes_free(&body);
					bytes_free(&packed);
				}
}

/* Zero bytes are a stream, of the known shortest form. */
static void nothing_is_a_stream(void **state)
{
	static const struct { int bits; const char *bytes; size_t len; } empty[] = {
		{ -15, "\x03\x00", 2 }, { 15, "\x78\x9c\x03\x00\x00\x00\x00\x01", 8 },
		{ 31, "\x1f\x8b\x08\0\0\0\0\0\0\x03\x03\0\0\0\0\0\0\0\0\0", 20 },
	};

	(void)state;
	EACH_ZLIB(p)
		for (size_t e = 0; e < 3; e++) {
			struct test_bytes packed = { 0 };

			contract_pack(p, 6, empty[e].bits, NULL, 0, &packed);
			EXPECT_AT(p, empty[e].bits, packed.len_bytes, empty[e].len);
			assert_memory_equal(packed.data, empty[e].bytes, empty[e].len);
			bytes_free(&packed);
		}
}

/* After the end: Z_FINISH repeats Z_STREAM_END, everything else is refused, until deflateReset(). */
static void after_the_end_only_reset_helps(void **state)
{
	Bytef out[100];

	(void)state;
	EACH_ZLIB(p) {
		z_stream s;

		begin(p, &s, 6, 31);
		EXPECT(p, run(p, &s, "abc", 3, out, sizeof out, Z_FINISH), Z_STREAM_END);
		EXPECT(p, run(p, &s, NULL, 0, out, sizeof out, Z_FINISH), Z_STREAM_END);
		EXPECT(p, run(p, &s, NULL, 0, out, sizeof out, Z_NO_FLUSH), Z_STREAM_ERROR);
		EXPECT(p, run(p, &s, "d", 1, out, sizeof out, Z_FINISH), Z_BUF_ERROR);
		EXPECT(p, run(p, &s, "d", 1, out, sizeof out, Z_NO_FLUSH), Z_STREAM_ERROR);
		EXPECT(p, p->deflateReset(&s), Z_OK);
		EXPECT(p, run(p, &s, "d", 1, out, sizeof out, Z_FINISH), Z_STREAM_END);
		EXPECT(p, p->deflateEnd(&s), Z_OK);
	}
}

/* data_type is a guess: text if there is nothing but text in the first block. */
static void the_kind_of_data_is_guessed(void **state)
{
	static const struct { const char *body; size_t len; int type; } bodies[] = {
		{ "plain text\r\n\twith tabs", 22, Z_TEXT }, { "a\0b", 3, Z_BINARY }, { "\x01\x02\x03", 3, Z_BINARY },
		{ "\x80\x81", 2, Z_TEXT }, { "\x1b[0m", 4, Z_TEXT }, { "\x1b", 1, Z_BINARY }, { "\x7f" "del", 4, Z_TEXT },
	};
	Bytef out[100];

	(void)state;
	EACH_ZLIB(p)
		for (size_t b = 0; b < sizeof bodies / sizeof bodies[0]; b++) {
			z_stream s;

			begin(p, &s, 6, 15);
			EXPECT(p, run(p, &s, bodies[b].body, bodies[b].len, out, sizeof out, Z_FINISH), Z_STREAM_END);
			EXPECT_AT(p, (long long)b, s.data_type, bodies[b].type);
			EXPECT(p, p->deflateEnd(&s), Z_OK);
		}
}

/* docs/abi.md, deflate 2 and 12: the header may come later, and nothing is written beyond what next_out returns. */
static void on_purpose_nothing_is_written_beyond_next_out(void **state)
{
	const struct peer_zlib *p = peer_ours();
	struct test_bytes body = { 0 };
	static Bytef out[20000];

	(void)state;
	corpus_make(CORPUS_CSS, 8, 15000, &body);
	for (int level = 0; level <= 9; level++) {
		z_stream s;

		memset(out, 0x5c, sizeof out);
		begin(p, &s, level, 15);
		EXPECT(p, run(p, &s, body.data, body.len_bytes, out, sizeof out, Z_FINISH), Z_STREAM_END);
		for (size_t i = s.total_out; i < sizeof out; i++)
			EXPECT_AT(p, (long long)i, out[i], 0x5c);
		EXPECT(p, p->deflateEnd(&s), Z_OK);
	}
	bytes_free(&body);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_sync_flush_ends_in_an_empty_stored_block),
		cmocka_unit_test(a_partial_flush_is_ten_bits),
		cmocka_unit_test(a_flush_of_nothing),
		cmocka_unit_test(no_progress_is_a_buffer_error),
		cmocka_unit_test(wrong_pointers_and_flushes),
		cmocka_unit_test(finishing_cannot_be_taken_back),
		cmocka_unit_test(one_call_with_the_bound_is_enough),
		cmocka_unit_test(nothing_is_a_stream),
		cmocka_unit_test(after_the_end_only_reset_helps),
		cmocka_unit_test(the_kind_of_data_is_guessed),
		cmocka_unit_test(on_purpose_nothing_is_written_beyond_next_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
