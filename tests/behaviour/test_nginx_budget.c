/* SPDX-License-Identifier: Zlib */
/* test_nginx_budget.c - deflate inside the block that NGINX hands it, for every NGINX there was, and inflate's memory. */
#include "lib/alloc.h"
#include "lib/cmocka_all.h"
#include "lib/corpus.h"
#include "lib/streams.h"

/* A response as NGINX makes it: pieces in, 4 KB out, flushes in between, parameters changed and reset on top of it. */
static void compress_like_nginx(const struct peer_zlib *p, z_stream *s, const struct test_bytes *body,
				struct test_bytes *packed)
{
	size_t half = body->len_bytes / 2;

	assert_int_equal(streams_deflate(p, s, body->data, half, Z_NO_FLUSH, packed), Z_OK);
	assert_int_equal(streams_deflate(p, s, NULL, 0, Z_SYNC_FLUSH, packed), Z_OK);
	assert_int_equal(streams_deflate(p, s, body->data + half, body->len_bytes - half, Z_FINISH, packed), Z_STREAM_END);
}

static void check_response(const struct peer_zlib *p, struct nginx_alloc *n, int level, int w, int m,
			   const struct test_bytes *body)
{
	const struct deflate_parameters d = { level, w + 16, m, Z_DEFAULT_STRATEGY };
	struct test_bytes packed = { 0 };
	z_stream s = { 0 };
	unsigned calls;
	enum nginx_verdict verdict;

	nginx_response_begin(n, &s, level, w, m);
	streams_begin_deflate(p, &s, &d);
	calls = n->calls;
	compress_like_nginx(p, &s, body, &packed);
	assert_int_equal(n->calls, calls);       /* nothing is allocated after init */
	streams_check_decodes_everywhere(w + 16, &packed, body->data, body->len_bytes);
	assert_int_equal(p->deflateReset(&s), Z_OK);
	assert_int_equal(streams_deflate(p, &s, body->data, 100, Z_NO_FLUSH, &packed), Z_OK);
	assert_int_equal(p->deflateParams(&s, 10 - level, Z_DEFAULT_STRATEGY), Z_OK);
	assert_int_equal(n->calls, calls);
	p->deflateEnd(&s);
	verdict = nginx_response_end(n);
	if (verdict != NGINX_FITS)
		fail_msg("%s: NGINX %s, level %d, window 2^%d, memLevel %d: verdict %d, %zu of %zu bytes left", p->name,
			 nginx_generation_name(n->generation), level, w, m, (int)verdict, n->left_bytes, n->budget_bytes);
	bytes_free(&packed);
}

static void test_budget_is_exceeded(void **state)
{
	const struct peer_zlib *subjects[PEER_SUBJECTS_MAX];
	size_t count = peer_subjects(subjects);
	struct test_bytes body = { 0 };

	(void)state;
	corpus_make(CORPUS_HTML, 2, 2000, &body);
	for (size_t i = 0; i < count; i++)
		for (int g = 0; g < NGINX_GENERATION_COUNT; g++)
			for (int set = 0; set < 7 * 9 * 9; set++) {
				struct nginx_alloc n;

				nginx_worker_start(&n, (enum nginx_generation)g);
				check_response(subjects[i], &n, 1 + set % 9, 9 + set / 9 % 7, 1 + set / 63, &body);
			}
	bytes_free(&body);
}

static void test_budget_is_exceeded_after_another_library(void **state)
{
	const struct peer_zlib *subjects[PEER_SUBJECTS_MAX];
	size_t count = peer_subjects(subjects);
	struct test_bytes body = { 0 };

	(void)state;
	corpus_make(CORPUS_JSON, 2, 500, &body);
	for (size_t i = 0; i < count; i++)
		for (int g = NGINX_1_13_7; g < NGINX_GENERATION_COUNT; g++)
			for (int set = 0; set < 7 * 9; set++) {
				struct nginx_alloc n;

				nginx_worker_start(&n, (enum nginx_generation)g);
				n.assume_zlib_ng = true;         /* something else in this worker overflowed before */
				check_response(subjects[i], &n, 1, 9 + set % 7, 1 + set / 7, &body);
			}
	bytes_free(&body);
}

/* Ours only: one call whose size is a function of windowBits and memLevel, within the oldest budget. */
static void test_size_depends_on_more_than_window_and_mem_level(void **state)
{
	const struct peer_zlib *p = peer_ours();

	(void)state;
	for (int set = 0; set < 7 * 9; set++) {
		int w = 9 + set % 7;
		int m = 1 + set / 7;
		size_t first = 0;

		for (int level = 0; level <= 9; level++)
			for (int strategy = Z_DEFAULT_STRATEGY; strategy <= Z_FIXED; strategy++) {
				const struct deflate_parameters d = { level, w, m, strategy };
				struct test_alloc a = { 0 };
				z_stream s = { 0 };

				test_alloc_use(&a, &s);
				streams_begin_deflate(p, &s, &d);
				assert_int_equal(a.calls, 1);
				assert_true(a.total_bytes <= 8192 + ((size_t)4 << w) + ((size_t)512 << m));
				if (!first)
					first = a.total_bytes;
				assert_int_equal(a.total_bytes, first);
				p->deflateEnd(&s);
				assert_int_equal(test_alloc_close(&a), 0);
			}
	}
}

/* NGINX's gunzip gives inflate the request's pool: what is allocated stays until the request ends. */
static void test_inflate_allocates_again(void **state)
{
	const struct peer_zlib *subjects[PEER_SUBJECTS_MAX];
	size_t count = peer_subjects(subjects);
	const struct deflate_parameters d = { 6, 15 + 16, 8, Z_DEFAULT_STRATEGY };
	struct test_bytes body = { 0 };

	(void)state;
	corpus_make(CORPUS_HTML, 2, 300000, &body);
	for (size_t i = 0; i < count; i++) {
		const struct peer_zlib *p = subjects[i];
		struct test_bytes packed = { 0 };
		struct test_alloc a = { .ignore_free = true, .garbage = true, .garbage_seed = 3 };
		z_stream s = { 0 };
		static uint8_t out[4096];

		streams_begin_deflate(p, &s, &d);
		assert_int_equal(streams_deflate(p, &s, body.data, body.len_bytes, Z_FINISH, &packed), Z_STREAM_END);
		p->deflateEnd(&s);
		s = (z_stream){ 0 };
		test_alloc_use(&a, &s);
		streams_begin_inflate(p, &s, 15 + 16);
		assert_int_equal(a.calls, 1);
		for (int member = 0; member < 3; member++) {
			int code = Z_OK;

			s.next_in = packed.data;
			s.avail_in = (uInt)packed.len_bytes;
			while (code == Z_OK) {
				s.next_out = out;
				s.avail_out = sizeof out;
				code = p->inflate(&s, Z_NO_FLUSH);
			}
			assert_int_equal(code, Z_STREAM_END);
			assert_int_equal(s.total_out, body.len_bytes);
			assert_true(a.calls <= 2);       /* the state, and the window when it is needed */
			assert_int_equal(p->inflateReset(&s), Z_OK);
		}
		assert_int_equal(p->inflateEnd(&s), Z_OK);
		assert_int_equal(a.bad_frees, 0);
		assert_int_equal(a.frees, a.calls);
		test_alloc_close(&a);
		bytes_free(&packed);
	}
	bytes_free(&body);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_budget_is_exceeded),
		cmocka_unit_test(test_budget_is_exceeded_after_another_library),
		cmocka_unit_test(test_size_depends_on_more_than_window_and_mem_level),
		cmocka_unit_test(test_inflate_allocates_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
