/* SPDX-License-Identifier: Zlib */
/* test_bounds.c - how much bigger output may be than input: deflateBound(), compressBound(), NGINX's access_log, and
 * the cost of stored blocks for data that does not compress. */
#include "lib/cmocka_all.h"
#include "lib/corpus.h"
#include "lib/guard.h"
#include "lib/streams.h"

static const size_t lens[] = { 0, 1, 2, 5, 31, 64, 127, 1000, 16383, 16384, 65535, 65536, 100000, 250000 };
static const enum corpus_kind kinds[] = { CORPUS_RANDOM, CORPUS_SKEWED, CORPUS_DE_BRUIJN, CORPUS_FAR, CORPUS_HTML };

/* One deflate(Z_FINISH) into a buffer of exactly room bytes, an inaccessible page behind it. */
static void check_fits(const struct peer_zlib *p, const struct deflate_parameters *d, const struct test_bytes *body,
		       size_t room, const char *which)
{
	struct guard_buffer out = guard_before_end(room);
	struct test_bytes packed = { .data = out.data, .room_bytes = room };
	z_stream s = { 0 };
	int code;

	streams_begin_deflate(p, &s, d);
	s.next_in = body->data;
	s.avail_in = (uInt)body->len_bytes;
	s.next_out = out.data;
	s.avail_out = (uInt)room;
	code = p->deflate(&s, Z_FINISH);
	if (code != Z_STREAM_END)
		fail_msg("%s: %s of %zu for %zu bytes is too small: level %d windowBits %d memLevel %d strategy %d", p->name, which,
			 room, body->len_bytes, d->level, d->window_bits, d->mem_level, d->strategy);
	packed.len_bytes = s.total_out;
	p->deflateEnd(&s);
	if (body->len_bytes < 20000)
		streams_check_decodes(p, streams_inflate_bits(d), &packed, body->data, body->len_bytes);
	guard_free(&out);
}

static void test_deflate_bound_is_too_small(void **state)
{
	struct test_bytes body = { 0 };
	struct rng random = rng_seed(5);

	(void)state;
	FOR_EACH_SUBJECT(p)
		for (unsigned round = 0; round < streams_rounds(2500); round++) {
			struct deflate_parameters d = streams_random_parameters(&random);
			z_stream s = { 0 };
			size_t bound;

			if (d.level == 0 && p != peer_ours())
				continue;        /* zlib 1.2.13 promises too little here: nothing for an empty block */
			body.len_bytes = 0;
			corpus_make(kinds[rng_below(&random, 5)], round, lens[rng_below(&random, round % 8 ? 10 : 14)], &body);
			streams_begin_deflate(p, &s, &d);
			bound = p->deflateBound(&s, (uLong)body.len_bytes);
			p->deflateEnd(&s);
			check_fits(p, &d, &body, bound, "deflateBound()");
		}
	bytes_free(&body);
}

static void test_compress_bound_is_too_small(void **state)
{
	struct test_bytes body = { 0 };

	(void)state;
	FOR_EACH_SUBJECT(p)
		for (size_t i = 0; i < sizeof lens / sizeof lens[0]; i++)
			for (int level = -1; level <= 9; level++)
				for (size_t k = 0; k < 5; k++) {
					uLongf room, made;
					struct guard_buffer out;

					body.len_bytes = 0;
					corpus_make(kinds[k], 3, lens[i], &body);
					made = room = p->compressBound((uLong)lens[i]);
					out = guard_before_end(room);
					assert_int_equal(p->compress2(out.data, &made, body.data, (uLong)lens[i], level), Z_OK);
					guard_free(&out);
				}
	bytes_free(&body);
}

static void test_bound_without_a_stream_is_too_small(void **state)
{
	(void)state;
	FOR_EACH_SUBJECT(p) {
		z_stream s = { 0 };

		for (size_t i = 0; i < sizeof lens / sizeof lens[0]; i++) {
			assert_true(p->deflateBound(NULL, (uLong)lens[i]) >= p->compressBound((uLong)lens[i]));
			assert_true(p->deflateBound(&s, (uLong)lens[i]) >= p->compressBound((uLong)lens[i]));
		}
	}
}

/* The header's fields and a dictionary's id come on top of what the data needs. */
static void test_bound_forgets_the_header(void **state)
{
	static uint8_t extra[5000], name[] = "a-file-name-that-is-rather-long.html", comment[] = "and a comment";
	struct test_bytes body = { 0 };

	(void)state;
	corpus_make(CORPUS_RANDOM, 1, 3000, &body);
	FOR_EACH_SUBJECT(p) {
		const struct deflate_parameters d = { 6, 31, 8, 0 };
		gz_header h = { .extra = extra, .extra_len = sizeof extra, .name = name, .comment = comment, .hcrc = 1 };
		z_stream s = { 0 };
		size_t bound;
		struct guard_buffer out;

		streams_begin_deflate(p, &s, &d);
		assert_int_equal(p->deflateSetHeader(&s, &h), Z_OK);
		bound = p->deflateBound(&s, (uLong)body.len_bytes);
		assert_true(bound >= body.len_bytes + sizeof extra + sizeof name + sizeof comment);
		out = guard_before_end(bound);
		s.next_in = body.data;
		s.avail_in = (uInt)body.len_bytes;
		s.next_out = out.data;
		s.avail_out = (uInt)bound;
		assert_int_equal(p->deflate(&s, Z_FINISH), Z_STREAM_END);
		p->deflateEnd(&s);
		guard_free(&out);
	}
	bytes_free(&body);
}

/* NGINX compresses a block of its access log with one call into a buffer of this size, and alerts if it is too small. */
static size_t access_log_room(size_t len)
{
	return len + ((len + 7) >> 3) + ((len + 63) >> 6) + 5 + 18;
}

/* It chooses the window and memLevel from the size of its buffer: never more window than bytes. */
static void test_access_log_does_not_fit(void **state)
{
	static const size_t buffer_lens[] = { 1, 13, 64, 100, 500, 4096, 20000, 65536, 200000 };
	struct test_bytes body = { 0 };

	(void)state;
	FOR_EACH_SUBJECT(p)
		for (size_t i = 0; i < sizeof buffer_lens / sizeof buffer_lens[0]; i++)
			for (int level = 1; level <= 9; level++)
				for (int w = 9; w <= 15; w++)
					for (size_t k = 0; k < 2; k++) {
						const struct deflate_parameters d = { level, w + 16, w - 7 < 1 ? 1 : w - 7, Z_DEFAULT_STRATEGY };

						if (buffer_lens[i] > 20000 && w % 3)
							continue;
						body.len_bytes = 0;
						corpus_make(kinds[k], 7, buffer_lens[i], &body);
						check_fits(p, &d, &body, access_log_room(buffer_lens[i]), "access_log's buffer");
					}
	bytes_free(&body);
}

/* 0.04 % and the wrapper, at every level, with NGINX's usual parameters. */
static void test_random_bytes_grow(void **state)
{
	static const size_t random_lens[] = { 1000, 5000, 50000, 300000 };
	struct test_bytes body = { 0 };

	(void)state;
	FOR_EACH_SUBJECT(p)
		for (size_t i = 0; i < 4; i++)
			for (int level = 0; level <= 9; level++) {
				const struct deflate_parameters d = { level, 31, 8, Z_DEFAULT_STRATEGY };
				struct test_bytes packed = { 0 };
				z_stream s = { 0 };

				body.len_bytes = 0;
				corpus_make(CORPUS_RANDOM, 7, random_lens[i], &body);
				streams_begin_deflate(p, &s, &d);
				for (size_t at = 0; at < body.len_bytes; at += 8192) {
					size_t n = body.len_bytes - at < 8192 ? body.len_bytes - at : 8192;

					assert_int_equal(streams_deflate(p, &s, body.data + at, n, Z_NO_FLUSH, &packed), Z_OK);
				}
				assert_int_equal(streams_deflate(p, &s, NULL, 0, Z_FINISH, &packed), Z_STREAM_END);
				p->deflateEnd(&s);
				if (packed.len_bytes > body.len_bytes + body.len_bytes / 2500 + 10 + 8 + 2 * 5)
					fail_msg("%s: level %d makes %zu of %zu", p->name, level, packed.len_bytes, body.len_bytes);
				bytes_free(&packed);
			}
	bytes_free(&body);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_deflate_bound_is_too_small),
		cmocka_unit_test(test_compress_bound_is_too_small),
		cmocka_unit_test(test_bound_without_a_stream_is_too_small),
		cmocka_unit_test(test_bound_forgets_the_header),
		cmocka_unit_test(test_access_log_does_not_fit),
		cmocka_unit_test(test_random_bytes_grow),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
