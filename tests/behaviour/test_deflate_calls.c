/* SPDX-License-Identifier: Zlib */
/* test_deflate_calls.c - the calls beside deflate(): parameters, dictionaries, copies, prime, pending, tune, header,
 * reset, end; each in the middle of a stream. */
#include "lib/alloc.h"
#include "lib/cmocka_all.h"
#include "lib/corpus.h"
#include "lib/streams.h"

#include <string.h>

static const struct deflate_parameters raw6 = { 6, -15, 8, Z_DEFAULT_STRATEGY };

/* deflateParams() with room for everything it may have to write. */
static int change(const struct peer_zlib *p, z_stream *s, int level, int strategy, struct test_bytes *packed)
{
	uLong before = s->total_out;
	int code;

	bytes_reserve(packed, 300000);
	s->next_in = NULL;
	s->avail_in = 0;
	s->next_out = packed->data + packed->len_bytes;
	s->avail_out = 300000;
	code = p->deflateParams(s, level, strategy);
	packed->len_bytes += s->total_out - before;
	return code;
}

static void test_changed_parameters_break_the_stream(void **state)
{
	(void)state;
	FOR_EACH_SUBJECT(p)
		for (uint64_t seed = 0; seed < streams_rounds(400); seed++) {
			struct rng random = rng_seed(seed);
			struct deflate_parameters d = streams_random_parameters(&random);
			struct test_bytes body = { 0 }, packed = { 0 };
			z_stream s = { 0 };

			streams_begin_deflate(p, &s, &d);
			for (int piece = rng_between(&random, 2, 8); piece > 0; piece--) {
				size_t at = body.len_bytes;

				corpus_make((enum corpus_kind)rng_below(&random, CORPUS_KIND_COUNT), seed, rng_size(&random, 30000), &body);
				assert_int_equal(streams_deflate(p, &s, body.data + at, body.len_bytes - at,
								 rng_one_in(&random, 3) ? Z_SYNC_FLUSH : Z_NO_FLUSH, &packed), Z_OK);
				assert_int_equal(change(p, &s, rng_between(&random, -1, 9), rng_between(&random, 0, 4), &packed), Z_OK);
			}
			assert_int_equal(streams_deflate(p, &s, NULL, 0, Z_FINISH, &packed), Z_STREAM_END);
			assert_int_equal(p->deflateEnd(&s), Z_OK);
			streams_check_decodes_everywhere(streams_inflate_bits(&d), &packed, body.data, body.len_bytes);
			bytes_free(&body);
			bytes_free(&packed);
		}
}

static void test_level_0_compresses_or_9_stores(void **state)
{
	struct test_bytes body = { 0 };

	(void)state;
	corpus_make(CORPUS_HTML, 1, 20000, &body);
	FOR_EACH_SUBJECT(p) {
		struct test_bytes packed = { 0 };
		z_stream s = { 0 };
		size_t stored, compressed;

		streams_begin_deflate(p, &s, &raw6);
		assert_int_equal(change(p, &s, 0, 0, &packed), Z_OK);            /* before any input */
		assert_int_equal(streams_deflate(p, &s, body.data, body.len_bytes, Z_SYNC_FLUSH, &packed), Z_OK);
		stored = packed.len_bytes;
		assert_between(stored, body.len_bytes, body.len_bytes + 30);
		assert_int_equal(change(p, &s, 9, 0, &packed), Z_OK);
		assert_int_equal(streams_deflate(p, &s, body.data, body.len_bytes, Z_SYNC_FLUSH, &packed), Z_OK);
		compressed = packed.len_bytes - stored;
		assert_between(compressed, 1, body.len_bytes / 2);
		assert_int_equal(change(p, &s, 0, 0, &packed), Z_OK);
		assert_int_equal(streams_deflate(p, &s, body.data, body.len_bytes, Z_FINISH, &packed), Z_STREAM_END);
		assert_true(packed.len_bytes >= stored + compressed + body.len_bytes);
		p->deflateEnd(&s);
		bytes_free(&packed);
	}
	bytes_free(&body);
}

/* A change that needs to write and has no room: Z_BUF_ERROR and the old parameters, or Z_OK and the rest comes later. */
static void test_change_without_room_loses_data(void **state)
{
	struct test_bytes body = { 0 };

	(void)state;
	corpus_make(CORPUS_JSON, 1, 20000, &body);
	FOR_EACH_SUBJECT(p) {
		struct test_bytes packed = { 0 };
		z_stream s = { 0 };
		uint8_t little[10];
		int code;

		streams_begin_deflate(p, &s, &raw6);
		assert_int_equal(streams_deflate(p, &s, body.data, body.len_bytes, Z_NO_FLUSH, &packed), Z_OK);
		s.next_out = little;
		s.avail_out = sizeof little;
		code = p->deflateParams(&s, 1, Z_DEFAULT_STRATEGY);
		assert_true(code == Z_BUF_ERROR || code == Z_OK);
		assert_int_equal(s.avail_out, 0);
		bytes_append(&packed, little, sizeof little);
		assert_int_equal(change(p, &s, 1, 0, &packed), Z_OK);
		assert_int_equal(streams_deflate(p, &s, NULL, 0, Z_FINISH, &packed), Z_STREAM_END);
		p->deflateEnd(&s);
		streams_check_decodes_everywhere(-15, &packed, body.data, body.len_bytes);
		bytes_free(&packed);
	}
	bytes_free(&body);
}

static void test_bad_parameters_are_accepted(void **state)
{
	static const struct deflate_parameters bad[] = {
		{ -2, 15, 8, 0 }, { 10, 15, 8, 0 }, { 6, 7, 8, 0 }, { 6, 16, 8, 0 }, { 6, -8, 8, 0 }, { 6, -16, 8, 0 },
		{ 6, 8 + 16, 8, 0 }, { 6, 32, 8, 0 }, { 6, INT_MIN, 8, 0 }, { 6, INT_MAX, 8, 0 }, { 6, 0, 8, 0 },
		{ 6, 15, 0, 0 }, { 6, 15, 10, 0 }, { 6, 15, 8, -1 }, { 6, 15, 8, 5 },
	};

	(void)state;
	FOR_EACH_SUBJECT(p) {
		z_stream s = { 0 };

		for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
			assert_int_equal(p->deflateInit2_(&s, bad[i].level, Z_DEFLATED, bad[i].window_bits, bad[i].mem_level,
							  bad[i].strategy, ZLIB_VERSION, (int)sizeof s), Z_STREAM_ERROR);
		assert_int_equal(p->deflateInit2_(&s, 6, 7, 15, 8, 0, ZLIB_VERSION, (int)sizeof s), Z_STREAM_ERROR);
		assert_int_equal(p->deflateInit2_(&s, 6, 8, 15, 8, 0, "2", (int)sizeof s), Z_VERSION_ERROR);
		assert_int_equal(p->deflateInit2_(&s, 6, 8, 15, 8, 0, NULL, (int)sizeof s), Z_VERSION_ERROR);
		assert_int_equal(p->deflateInit2_(&s, 6, 8, 15, 8, 0, ZLIB_VERSION, (int)sizeof s - 1), Z_VERSION_ERROR);
		assert_int_equal(p->deflateInit2_(NULL, 6, 8, 15, 8, 0, ZLIB_VERSION, (int)sizeof s), Z_STREAM_ERROR);
		streams_begin_deflate(p, &s, &raw6);
		assert_int_equal(p->deflateParams(&s, 10, 0), Z_STREAM_ERROR);
		assert_int_equal(p->deflateParams(&s, -2, 0), Z_STREAM_ERROR);
		assert_int_equal(p->deflateParams(&s, 6, 5), Z_STREAM_ERROR);
		assert_int_equal(p->deflateParams(&s, 6, -1), Z_STREAM_ERROR);
		p->deflateEnd(&s);
		assert_int_equal(p->deflateParams(&s, 6, 0), Z_STREAM_ERROR);
	}
}

static void inflate_with_dictionary(const struct peer_zlib *p, int window_bits, const struct test_bytes *packed,
				    const uint8_t *dictionary, uInt dictionary_bytes, const struct test_bytes *body)
{
	z_stream s = { 0 };
	struct test_bytes back = { 0 };

	bytes_reserve(&back, body->len_bytes);
	streams_begin_inflate(p, &s, window_bits);
	if (window_bits < 0)
		assert_int_equal(p->inflateSetDictionary(&s, dictionary, dictionary_bytes), Z_OK);
	s.next_in = packed->data;
	s.avail_in = (uInt)packed->len_bytes;
	s.next_out = back.data;
	s.avail_out = (uInt)body->len_bytes;
	if (window_bits > 0) {
		assert_int_equal(p->inflate(&s, Z_FINISH), Z_NEED_DICT);
		assert_int_equal(s.adler, p->adler32(1, dictionary, dictionary_bytes));
		assert_int_equal(p->inflateSetDictionary(&s, dictionary, dictionary_bytes - 1), Z_DATA_ERROR);
		assert_int_equal(p->inflateSetDictionary(&s, dictionary, dictionary_bytes), Z_OK);
	}
	assert_int_equal(p->inflate(&s, Z_FINISH), Z_STREAM_END);
	assert_memory_equal(back.data, body->data, body->len_bytes);
	assert_int_equal(p->inflateEnd(&s), Z_OK);
	bytes_free(&back);
}

static void test_dictionary_is_ignored_or_misread(void **state)
{
	struct test_bytes dictionary = { 0 }, body = { 0 };

	(void)state;
	corpus_make(CORPUS_RANDOM, 1, 40000, &dictionary);
	FOR_EACH_SUBJECT(p)
		for (int set = 0; set < 10 * 2 * 3; set++) {
			static const uInt dictionary_sizes[] = { 1000, 32768, 40000 };
			uInt used = dictionary_sizes[set / 20];
			int window_bits = set / 10 % 2 ? 15 : -15;
			const struct deflate_parameters d = { set % 10, window_bits, 8, 0 };
			const struct peer_zlib *readers[PEER_SUBJECTS_MAX];
			size_t reader_count = peer_subjects(readers);
			struct test_bytes packed = { 0 };
			z_stream s = { 0 };

			body.len_bytes = 0;
			bytes_append(&body, dictionary.data + used - 600, 600);
			bytes_append(&body, "something else", 14);
			bytes_append(&body, dictionary.data + used - 300, 300);
			streams_begin_deflate(p, &s, &d);
			assert_int_equal(p->deflateSetDictionary(&s, dictionary.data, used), Z_OK);
			if (window_bits > 0)
				assert_int_equal(s.adler, p->adler32(1, dictionary.data, used));
			assert_int_equal(streams_deflate(p, &s, body.data, body.len_bytes, Z_FINISH, &packed), Z_STREAM_END);
			assert_int_equal(p->deflateEnd(&s), Z_OK);
			if (set % 10)
				assert_between(packed.len_bytes, 10, 150);
			for (size_t r = 0; r < reader_count; r++)
				inflate_with_dictionary(readers[r], window_bits, &packed, dictionary.data, used, &body);
			bytes_free(&packed);
		}
	bytes_free(&dictionary);
	bytes_free(&body);
}

static void test_dictionary_at_a_wrong_moment_is_accepted(void **state)
{
	static const Bytef dictionary[] = "abcdefghijklmnopqrstuvwxyz";

	(void)state;
	FOR_EACH_SUBJECT(p) {
		struct test_bytes packed = { 0 };
		z_stream s = { 0 };
		const struct deflate_parameters zlib6 = { 6, 15, 8, 0 }, gzip6 = { 6, 31, 8, 0 };

		streams_begin_deflate(p, &s, &zlib6);
		assert_int_equal(p->deflateSetDictionary(&s, NULL, 3), Z_STREAM_ERROR);
		assert_int_equal(streams_deflate(p, &s, "abc", 3, Z_SYNC_FLUSH, &packed), Z_OK);
		assert_int_equal(p->deflateSetDictionary(&s, dictionary, 26), Z_STREAM_ERROR);
		p->deflateEnd(&s);
		streams_begin_deflate(p, &s, &gzip6);
		assert_int_equal(p->deflateSetDictionary(&s, dictionary, 26), Z_STREAM_ERROR);
		p->deflateEnd(&s);
		streams_begin_deflate(p, &s, &raw6);     /* raw: any time that nothing is buffered */
		assert_int_equal(streams_deflate(p, &s, "abc", 3, Z_NO_FLUSH, &packed), Z_OK);
		assert_int_equal(p->deflateSetDictionary(&s, dictionary, 26), Z_STREAM_ERROR);
		assert_int_equal(streams_deflate(p, &s, NULL, 0, Z_FULL_FLUSH, &packed), Z_OK);
		assert_int_equal(p->deflateSetDictionary(&s, dictionary, 26), Z_OK);
		p->deflateEnd(&s);
		bytes_free(&packed);
	}
}

/* What deflateGetDictionary() gives is the end of the input so far, however little of it has been compressed. */
static void test_dictionary_given_back_is_not_the_last_input(void **state)
{
	struct test_bytes body = { 0 };

	(void)state;
	corpus_make(CORPUS_HTML, 5, 100000, &body);
	FOR_EACH_SUBJECT(p)
		for (int level = 0; level <= 9; level++) {
			const struct deflate_parameters d = { level, -15, 8, 0 };
			struct test_bytes packed = { 0 };
			static uint8_t back[32768];
			z_stream s = { 0 };
			size_t given = 0;

			streams_begin_deflate(p, &s, &d);
			while (given < body.len_bytes) {
				size_t n = body.len_bytes - given < 7000 ? body.len_bytes - given : 7000;
				uInt len = 0, asked = 0;

				assert_int_equal(streams_deflate(p, &s, body.data + given, n, Z_SYNC_FLUSH, &packed), Z_OK);
				given += n;
				assert_int_equal(p->deflateGetDictionary(&s, NULL, &asked), Z_OK);
				assert_int_equal(p->deflateGetDictionary(&s, back, &len), Z_OK);
				assert_int_equal(len, asked);
				assert_between(len, given < 32506 ? given : 32506, 32768);      /* zlib keeps 262 less when it slides */
				assert_memory_equal(back, body.data + given - len, len);
			}
			p->deflateEnd(&s);
			bytes_free(&packed);
		}
	bytes_free(&body);
}

static void test_copy_differs_from_the_original(void **state)
{
	(void)state;
	FOR_EACH_SUBJECT(p)
		for (uint64_t seed = 0; seed < streams_rounds(200); seed++) {
			struct rng random = rng_seed(seed);
			struct deflate_parameters d = streams_random_parameters(&random);
			struct test_alloc a = { .garbage = true, .garbage_seed = seed };
			struct test_bytes body = { 0 }, first = { 0 }, second = { 0 };
			z_stream s = { 0 }, t = { 0 };
			size_t half;

			corpus_make((enum corpus_kind)rng_below(&random, CORPUS_KIND_COUNT), seed, rng_size(&random, 90000), &body);
			half = rng_below(&random, body.len_bytes);
			test_alloc_use(&a, &s);
			streams_begin_deflate(p, &s, &d);
			assert_int_equal(streams_deflate(p, &s, body.data, half, rng_one_in(&random, 2) ? Z_BLOCK : Z_NO_FLUSH, &first), Z_OK);
			bytes_append(&second, first.data, first.len_bytes);
			assert_int_equal(p->deflateCopy(&t, &s), Z_OK);
			assert_int_equal(streams_deflate(p, &s, body.data + half, body.len_bytes - half, Z_FINISH, &first), Z_STREAM_END);
			assert_int_equal(p->deflateEnd(&s), Z_OK);
			assert_int_equal(streams_deflate(p, &t, body.data + half, body.len_bytes - half, Z_FINISH, &second), Z_STREAM_END);
			assert_int_equal(p->deflateEnd(&t), Z_OK);
			assert_int_equal(first.len_bytes, second.len_bytes);
			assert_memory_equal(first.data, second.data, first.len_bytes);
			streams_check_decodes_everywhere(streams_inflate_bits(&d), &first, body.data, body.len_bytes);
			assert_int_equal(a.bad_frees, 0);
			assert_int_equal(test_alloc_close(&a), 0);
			bytes_free(&body);
			bytes_free(&first);
			bytes_free(&second);
		}
}

static void test_no_memory_crashes_or_leaks(void **state)
{
	(void)state;
	FOR_EACH_SUBJECT(p) {
		struct test_alloc a = { .fail_on_call = 1 };
		z_stream s = { 0 }, t = { 0 };

		for (; a.fail_on_call <= 6; a.fail_on_call++) {
			int code;

			a.calls = 0;
			test_alloc_use(&a, &s);
			code = p->deflateInit2_(&s, 6, Z_DEFLATED, 15, 8, 0, ZLIB_VERSION, (int)sizeof s);
			assert_true(code == Z_MEM_ERROR || code == Z_OK);
			assert_true(a.fail_on_call > 1 || code == Z_MEM_ERROR);
			if (code == Z_OK)
				p->deflateEnd(&s);
			assert_int_equal(a.live_bytes, 0);
		}
		a.fail_on_call = 0;
		test_alloc_use(&a, &s);
		streams_begin_deflate(p, &s, &raw6);
		a.fail_on_call = a.calls + 1;
		assert_int_equal(p->deflateCopy(&t, &s), Z_MEM_ERROR);
		assert_int_equal(p->deflateEnd(&s), Z_OK);
		assert_int_equal(test_alloc_close(&a), 0);
	}
}

static void test_primed_bits_are_lost(void **state)
{
	(void)state;
	FOR_EACH_SUBJECT(p)
		for (int bits = 0; bits <= 16; bits++) {
			struct test_bytes packed = { 0 };
			z_stream s = { 0 }, t = { 0 };
			unsigned pending;
			int pending_bits;
			uint8_t back[8];
			int value = 0x5a5a & ((1 << bits) - 1);

			streams_begin_deflate(p, &s, &raw6);
			assert_int_equal(p->deflatePrime(&s, bits, value), Z_OK);
			assert_int_equal(p->deflatePending(&s, &pending, &pending_bits), Z_OK);
			assert_int_equal(pending * 8 + (unsigned)pending_bits, bits);
			assert_int_equal(streams_deflate(p, &s, "hello", 5, Z_FINISH, &packed), Z_STREAM_END);
			assert_int_equal(p->deflateEnd(&s), Z_OK);
			streams_begin_inflate(p, &t, -15);
			for (int i = 0; i < bits; i++)
				assert_int_equal(packed.data[i / 8] >> i % 8 & 1, value >> i & 1);
			if (bits % 8)
				assert_int_equal(p->inflatePrime(&t, 8 - bits % 8, packed.data[bits / 8] >> bits % 8), Z_OK);
			t.next_in = packed.data + (bits + 7) / 8;
			t.avail_in = (uInt)(packed.len_bytes - (size_t)(bits + 7) / 8);
			t.next_out = back;
			t.avail_out = sizeof back;
			assert_int_equal(p->inflate(&t, Z_FINISH), Z_STREAM_END);
			assert_memory_equal(back, "hello", 5);
			p->inflateEnd(&t);
			bytes_free(&packed);
		}
}

static void test_tune_breaks_the_stream(void **state)
{
	struct test_bytes body = { 0 };

	(void)state;
	corpus_make(CORPUS_MIXED, 5, 50000, &body);
	FOR_EACH_SUBJECT(p)
		for (int set = 0; set < 30; set++) {
			const struct deflate_parameters d = { set % 10, -15, 8, 0 };
			struct test_bytes packed = { 0 };
			z_stream s = { 0 };

			streams_begin_deflate(p, &s, &d);
			assert_int_equal(set < 10 ? p->deflateTune(&s, 1, 1, 3, 1) : set < 20 ? p->deflateTune(&s, 258, 258, 258, 4096)
				: p->deflateTune(&s, 4, 4, 8, 4), Z_OK);
			assert_int_equal(streams_deflate(p, &s, body.data, body.len_bytes, Z_FINISH, &packed), Z_STREAM_END);
			p->deflateEnd(&s);
			streams_check_decodes_everywhere(-15, &packed, body.data, body.len_bytes);
			bytes_free(&packed);
		}
	bytes_free(&body);
}

static void read_header(const struct peer_zlib *p, const struct test_bytes *packed, gz_header *h)
{
	z_stream s = { 0 };
	uint8_t back[16];

	streams_begin_inflate(p, &s, 31);
	assert_int_equal(p->inflateGetHeader(&s, h), Z_OK);
	s.next_in = packed->data;
	s.avail_in = (uInt)packed->len_bytes;
	s.next_out = back;
	s.avail_out = sizeof back;
	assert_int_equal(p->inflate(&s, Z_FINISH), Z_STREAM_END);
	p->inflateEnd(&s);
}

static void test_header_fields_are_lost(void **state)
{
	static uint8_t extra[65535];
	static char name[3000], comment[5000];
	struct rng random = rng_seed(1);

	(void)state;
	rng_fill(&random, extra, sizeof extra);
	memset(name, 'n', sizeof name - 1);
	memset(comment, 'c', sizeof comment - 1);
	FOR_EACH_SUBJECT(p)
		for (unsigned set = 0; set < 16 * 3; set++) {
			static const size_t pieces[] = { 1, 7, 100000 };
			const struct deflate_parameters d = { 6, 31, 1, 0 };
			gz_header h = { .text = 1, .time = 1234567890, .os = 7, .hcrc = set & 8, .extra = set & 1 ? extra : NULL,
					.extra_len = sizeof extra, .name = set & 2 ? (Bytef *)name : NULL,
					.comment = set & 4 ? (Bytef *)comment : NULL };
			static uint8_t got_extra[65535], got_name[3000], got_comment[5000], out[100000];
			gz_header got = { .extra = got_extra, .extra_max = sizeof got_extra, .name = got_name,
					  .name_max = sizeof got_name, .comment = got_comment, .comm_max = sizeof got_comment };
			struct test_bytes packed = { 0 };
			z_stream s = { 0 };
			int code;

			streams_begin_deflate(p, &s, &d);
			assert_int_equal(p->deflateSetHeader(&s, &h), Z_OK);
			s.next_in = (const Bytef *)"hello";
			s.avail_in = 5;
			do {
				s.next_out = out;
				s.avail_out = (uInt)pieces[set / 16];
				code = p->deflate(&s, Z_FINISH);
				bytes_append(&packed, out, pieces[set / 16] - s.avail_out);
			} while (code == Z_OK);
			assert_int_equal(code, Z_STREAM_END);
			p->deflateEnd(&s);
			read_header(p, &packed, &got);
			assert_int_equal(got.done, 1);
			assert_int_equal(got.time, 1234567890);
			assert_int_equal(got.os, 7);
			assert_true(got.text);
			assert_int_equal(!got.hcrc, !h.hcrc);
			if (set & 1) {
				assert_int_equal(got.extra_len, sizeof extra);
				assert_memory_equal(got_extra, extra, sizeof extra);
			}
			if (set & 2)
				assert_string_equal((char *)got_name, name);
			if (set & 4)
				assert_string_equal((char *)got_comment, comment);
			assert_int_equal(got.name == NULL, !(set & 2));
			assert_int_equal(got.comment == NULL, !(set & 4));
			bytes_free(&packed);
		}
}

static void test_reset_leaves_something_behind(void **state)
{
	(void)state;
	FOR_EACH_SUBJECT(p)
		for (uint64_t seed = 0; seed < streams_rounds(200); seed++) {
			struct rng random = rng_seed(seed);
			struct deflate_parameters d = streams_random_parameters(&random);
			struct test_bytes body = { 0 }, fresh = { 0 }, again = { 0 }, waste = { 0 };
			z_stream s = { 0 };

			corpus_make((enum corpus_kind)rng_below(&random, CORPUS_KIND_COUNT), seed, rng_size(&random, 50000), &body);
			streams_begin_deflate(p, &s, &d);
			assert_int_equal(streams_deflate(p, &s, body.data, body.len_bytes, Z_FINISH, &fresh), Z_STREAM_END);
			assert_int_equal(p->deflateReset(&s), Z_OK);
			for (int use = 0; use < 3; use++) {      /* used up to somewhere, or failed, and reset */
				int flush = rng_between(&random, Z_NO_FLUSH, Z_BLOCK);

				streams_deflate(p, &s, body.data, rng_below(&random, body.len_bytes) + 1, flush, &waste);
				p->deflate(&s, 99);
				assert_int_equal(p->deflateReset(&s), Z_OK);
				assert_int_equal(s.total_in, 0);
				assert_int_equal(s.total_out, 0);
				again.len_bytes = 0;
				assert_int_equal(streams_deflate(p, &s, body.data, body.len_bytes, Z_FINISH, &again), Z_STREAM_END);
				assert_int_equal(again.len_bytes, fresh.len_bytes);
				assert_memory_equal(again.data, fresh.data, fresh.len_bytes);
				assert_int_equal(p->deflateReset(&s), Z_OK);
			}
			assert_int_equal(p->deflateEnd(&s), Z_OK);
			bytes_free(&body);
			bytes_free(&fresh);
			bytes_free(&again);
			bytes_free(&waste);
		}
}

static void test_end_hides_that_data_is_lost(void **state)
{
	(void)state;
	FOR_EACH_SUBJECT(p) {
		struct test_bytes packed = { 0 };
		const struct deflate_parameters zlib6 = { 6, 15, 8, 0 };
		z_stream s = { 0 };

		streams_begin_deflate(p, &s, &zlib6);
		assert_int_equal(p->deflateEnd(&s), Z_OK);
		assert_null(s.state);
		streams_begin_deflate(p, &s, &zlib6);
		assert_int_equal(streams_deflate(p, &s, "abc", 3, Z_NO_FLUSH, &packed), Z_OK);
		assert_int_equal(p->deflateEnd(&s), Z_DATA_ERROR);
		assert_null(s.state);
		streams_begin_deflate(p, &s, &zlib6);
		assert_int_equal(streams_deflate(p, &s, "abc", 3, Z_FINISH, &packed), Z_STREAM_END);
		assert_int_equal(p->deflateEnd(&s), Z_OK);
		bytes_free(&packed);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_changed_parameters_break_the_stream),
		cmocka_unit_test(test_level_0_compresses_or_9_stores),
		cmocka_unit_test(test_change_without_room_loses_data),
		cmocka_unit_test(test_bad_parameters_are_accepted),
		cmocka_unit_test(test_dictionary_is_ignored_or_misread),
		cmocka_unit_test(test_dictionary_at_a_wrong_moment_is_accepted),
		cmocka_unit_test(test_dictionary_given_back_is_not_the_last_input),
		cmocka_unit_test(test_copy_differs_from_the_original),
		cmocka_unit_test(test_no_memory_crashes_or_leaks),
		cmocka_unit_test(test_primed_bits_are_lost),
		cmocka_unit_test(test_tune_breaks_the_stream),
		cmocka_unit_test(test_header_fields_are_lost),
		cmocka_unit_test(test_reset_leaves_something_behind),
		cmocka_unit_test(test_end_hides_that_data_is_lost),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
