/* SPDX-License-Identifier: Zlib */
/* Faults that some deflate had and that got no CVE: README.md has the list.  Inputs are built from the descriptions. */
#include "lib/alloc.h"
#include "lib/cmocka_all.h"
#include "lib/corpus.h"
#include "lib/guard.h"
#include "lib/streams.h"

#include <string.h>

/* Vectors were loaded behind the end of next_in when the window was filled. */
static void test_input_is_read_beyond_its_ends(void **state)
{
	struct test_bytes body = { 0 };

	(void)state;
	corpus_make(CORPUS_MIXED, 7, 70000, &body);
	FOR_EACH_SUBJECT(p)
		for (int level = 0; level <= 9; level++)
			for (unsigned set = 0; set < 2 * 12; set++) {
				static const size_t pieces[12] = { 1, 2, 3, 7, 15, 16, 17, 33, 64, 1000, 4097, 40000 };
				size_t piece = pieces[set / 2], total = piece < 64 ? 2000 : 70000;
				const struct deflate_parameters d = { level, set % 2 ? -9 : -15, 8, 0 };
				struct guard_buffer end = guard_before_end(piece), start = guard_after_start(piece);
				struct test_bytes packed = { 0 };
				z_stream s = { 0 };

				streams_begin_deflate(p, &s, &d);
				for (size_t at = 0, i = 0; at < total; at += piece, i++) {
					size_t n = total - at < piece ? total - at : piece;
					uint8_t *from = i % 2 ? start.data : end.data + (piece - n);

					memcpy(from, body.data + at, n);
					streams_deflate(p, &s, from, n, at + n == total ? Z_FINISH : i % 5 ? Z_NO_FLUSH : Z_SYNC_FLUSH, &packed);
				}
				p->deflateEnd(&s);
				streams_check_decodes(p, d.window_bits, &packed, body.data, total);
				guard_free(&end);
				guard_free(&start);
				bytes_free(&packed);
			}
	bytes_free(&body);
}

/* Each length with each distance symbol's first and last value: an index past the end of a code table. */
static void test_a_length_or_distance_has_no_code(void **state)
{
	struct test_bytes body = { 0 };
	struct rng random = rng_seed(8);

	(void)state;
	while (body.len_bytes < 33000)
		bytes_append_byte(&body, (uint8_t)rng_next(&random));
	for (unsigned length = 3; length <= 258; length++)
		for (unsigned i = 0; i < 2; i++) {
			size_t distance = ((size_t)1 << (length % 15)) + (i ? (((size_t)1 << (length % 15)) - 1) : 0);

			distance = distance < 32768 ? distance : 32768;
			for (unsigned at = 0; at < length; at++)
				bytes_append_byte(&body, body.data[body.len_bytes - distance]);
			bytes_append_byte(&body, (uint8_t)rng_next(&random));
		}
	FOR_EACH_SUBJECT(p)
		for (int set = 0; set < 10 * 5; set++) {
			const struct deflate_parameters d = { set % 10, -15, 9, set / 10 };
			struct test_bytes packed = { 0 };
			z_stream s = { 0 };

			streams_begin_deflate(p, &s, &d);
			assert_int_equal(streams_deflate(p, &s, body.data, body.len_bytes, Z_FINISH, &packed), Z_STREAM_END);
			p->deflateEnd(&s);
			streams_check_decodes_everywhere(-15, &packed, body.data, body.len_bytes);
			bytes_free(&packed);
		}
	bytes_free(&body);
}

/* A level with other tables than the last one: they were freed while in use, or taken for the old level's. */
static void test_change_of_level_uses_the_old_levels_tables(void **state)
{
	static const size_t places[] = { 0, 1, 261, 511, 512, 513, 1300 };
	struct test_bytes body = { 0 };

	(void)state;
	corpus_make(CORPUS_HTML, 9, 4000, &body);
	FOR_EACH_SUBJECT(p)
		for (int pair = 0; pair < 10 * 10; pair++)
			for (size_t place = 0; place < sizeof places / sizeof places[0]; place++) {
				const struct deflate_parameters d = { pair % 10, pair & 8 ? -9 : -15, 1 + pair / 10 % 9, 0 };
				struct test_alloc a = { .garbage = true, .garbage_seed = (uint64_t)pair };
				struct test_bytes packed = { 0 };
				uint8_t out[5000];
				z_stream s = { 0 };

				test_alloc_use(&a, &s);
				streams_begin_deflate(p, &s, &d);
				streams_deflate(p, &s, body.data, places[place], Z_NO_FLUSH, &packed);
				for (int back = 0; back < 2; back++) {
					size_t half = (body.len_bytes - places[place]) / 2, from = places[place] + (back ? half : 0);

					s.next_in = NULL;
					s.avail_in = 0;
					s.next_out = out;
					s.avail_out = sizeof out;
					assert_int_equal(p->deflateParams(&s, back ? pair % 10 : pair / 10, back), Z_OK);
					bytes_append(&packed, out, sizeof out - s.avail_out);
					streams_deflate(p, &s, body.data + from, back ? body.len_bytes - from : half, back ? Z_FINISH : Z_NO_FLUSH, &packed);
				}
				assert_int_equal(p->deflateEnd(&s), Z_OK);
				assert_int_equal(a.bad_frees, 0);
				assert_int_equal(test_alloc_close(&a), 0);
				streams_check_decodes(p, d.window_bits, &packed, body.data, body.len_bytes);
				bytes_free(&packed);
			}
	bytes_free(&body);
}

/* Stored blocks into outputs that are full at every byte of a block's header and body, with pieces around the window's size. */
static void test_stored_blocks_lose_bytes_when_the_output_is_full(void **state)
{
	struct test_bytes body = { 0 };

	(void)state;
	corpus_make(CORPUS_RANDOM, 10, 3000, &body);
	FOR_EACH_SUBJECT(p)
		for (size_t room = 1; room < 40; room++)
			for (unsigned set = 0; set < 3 * 6; set++) {
				static const size_t pieces[] = { 1, 255, 511, 512, 513, 3000 };
				const struct deflate_parameters d = { set % 3 ? 0 : 1, set % 3 == 2 ? -15 : -9, 1, 0 };
				struct guard_buffer out = guard_before_end(room);
				struct test_bytes packed = { 0 };
				z_stream s = { 0 };
				int code = Z_OK;

				streams_begin_deflate(p, &s, &d);
				for (size_t at = 0; code != Z_STREAM_END;) {
					size_t n = body.len_bytes - at < pieces[set / 3] ? body.len_bytes - at : pieces[set / 3];

					s.next_in = body.data + at;
					s.avail_in = (uInt)n;
					s.next_out = out.data;
					s.avail_out = (uInt)room;
					code = p->deflate(&s, at + n == body.len_bytes ? Z_FINISH : at % 7 ? Z_NO_FLUSH : Z_BLOCK);
					assert_true(code == Z_OK || code == Z_BUF_ERROR || code == Z_STREAM_END);
					at += n - s.avail_in;
					bytes_append(&packed, out.data, room - s.avail_out);
				}
				assert_int_equal(p->deflateEnd(&s), Z_OK);
				streams_check_decodes(p, d.window_bits, &packed, body.data, body.len_bytes);
				guard_free(&out);
				bytes_free(&packed);
			}
	bytes_free(&body);
}

/* Fields of a gzip header that do not fit 16 bits, or the memory that a stream has for its output. */
static void test_a_long_header_field_overflows(void **state)
{
	static const uInt extras[] = { 0, 1, 255, 65535, 65536, 65537, 70000 };
	static Bytef extra[70000];
	static char text[100001];

	(void)state;
	memset(text, 'n', sizeof text - 1);
	for (unsigned i = 0; i < sizeof extra; i++)
		extra[i] = (Bytef)(i * 11 + (i >> 8));
	FOR_EACH_SUBJECT(p)
		for (unsigned set = 0; set < 7 * 3 * 3; set++) {
			gz_header give = { .extra = extra, .extra_len = extras[set % 7], .name = (Bytef *)text, .comment = (Bytef *)text + 100000, .hcrc = 1 };
			static const size_t rooms[] = { 1, 300, 400000 };
			const struct deflate_parameters d = { 1, 25, 1, 0 };
			static uint8_t got[70000];
			gz_header take = { .extra = got, .extra_max = sizeof got };
			struct guard_buffer out = guard_before_end(rooms[set / 7 % 3]);
			struct test_bytes packed = { 0 };
			uint8_t back[8];
			z_stream s = { 0 };
			uLong bound;
			int code;

			give.name = (Bytef *)text + (set / 21 == 0 ? 0 : set / 21 == 1 ? 100000 - 255 : 100000);
			streams_begin_deflate(p, &s, &d);
			assert_int_equal(p->deflateSetHeader(&s, &give), Z_OK);
			bound = p->deflateBound(&s, 5);
			s.next_in = (z_const Bytef *)"plain";
			s.avail_in = 5;
			do {
				s.next_out = out.data;
				s.avail_out = (uInt)out.len_bytes;
				code = p->deflate(&s, Z_FINISH);
				bytes_append(&packed, out.data, out.len_bytes - s.avail_out);
			} while (code == Z_OK);
			assert_int_equal(code, Z_STREAM_END);
			assert_true(packed.len_bytes <= bound);
			assert_int_equal(p->deflateEnd(&s), Z_OK);
			s = (z_stream){ 0 };
			streams_begin_inflate(p, &s, 31);
			assert_int_equal(p->inflateGetHeader(&s, &take), Z_OK);
			s.next_in = packed.data;
			s.avail_in = (uInt)packed.len_bytes;
			s.next_out = back;
			s.avail_out = sizeof back;
			assert_int_equal(p->inflate(&s, Z_FINISH), Z_STREAM_END);
			assert_int_equal(take.extra_len, give.extra_len & 0xffff);
			assert_memory_equal(got, extra, give.extra_len & 0xffff);
			assert_memory_equal(back, "plain", 5);
			p->inflateEnd(&s);
			guard_free(&out);
			bytes_free(&packed);
		}
}

/* More input than 32 bits can count, at every parser: positions wrap, ISIZE is taken modulo 2^32, total_in is not. */
static void test_positions_wrap_at_4_gb(void **state)
{
	static const int levels[] = { 1, 3, 6 };
	const struct peer_zlib *p = peer_ours();
	const uint64_t want_bytes = (UINT64_C(1) << 32) + 3000000;
	static uint8_t in[1 << 20], out[1 << 16], back[1 << 20];

	(void)state;
	if (streams_rounds(100) <= 100)
		skip();                          /* a minute: for ./check --deep */
	for (unsigned i = 0; i < sizeof in; i++)
		in[i] = i % 4096 < 4090 ? 'z' : (uint8_t)(i >> 12);
	for (unsigned i = 0; i < sizeof levels / sizeof levels[0]; i++) {
		const struct deflate_parameters d = { levels[i], 31, 9, 0 };
		z_stream s = { 0 }, r = { 0 };
		int code = Z_OK, read_code = Z_OK;

		streams_begin_deflate(p, &s, &d);
		streams_begin_inflate(p, &r, 31);
		while (code != Z_STREAM_END) {
			uint64_t left = want_bytes - s.total_in - s.avail_in;

			if (!s.avail_in) {
				s.next_in = in;
				s.avail_in = left < sizeof in ? (uInt)left : (uInt)sizeof in;
				left -= s.avail_in;
			}
			s.next_out = out;
			s.avail_out = sizeof out;
			code = p->deflate(&s, left ? Z_NO_FLUSH : Z_FINISH);
			assert_true(code == Z_OK || code == Z_STREAM_END);
			r.next_in = out;
			r.avail_in = (uInt)(sizeof out - s.avail_out);
			do {
				r.next_out = back;
				r.avail_out = sizeof back;
				read_code = p->inflate(&r, Z_NO_FLUSH);
				if (read_code != Z_OK && read_code != Z_STREAM_END && read_code != Z_BUF_ERROR)
					fail_msg("level %d: code %d (%s) at %lu", levels[i], read_code, r.msg ? r.msg : "", r.total_out);
			} while (!r.avail_out);
		}
		assert_int_equal(read_code, Z_STREAM_END);       /* with its CRC and length */
		assert_true(s.total_in == want_bytes && r.total_out == want_bytes);
		p->deflateEnd(&s);
		p->inflateEnd(&r);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_input_is_read_beyond_its_ends),
		cmocka_unit_test(test_a_length_or_distance_has_no_code),
		cmocka_unit_test(test_change_of_level_uses_the_old_levels_tables),
		cmocka_unit_test(test_stored_blocks_lose_bytes_when_the_output_is_full),
		cmocka_unit_test(test_a_long_header_field_overflows),
		cmocka_unit_test(test_positions_wrap_at_4_gb),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
