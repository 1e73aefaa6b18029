/* SPDX-License-Identifier: Zlib */
/* test_split.c - the stream splitter on the system's zlib, and on a zlib that breaks the rules. */
#include "lib/cmocka_all.h"
#include "lib/corpus.h"
#include "lib/split.h"

#include <string.h>

static void test_round_trip_through_splits_fails(void **state)
{
	const struct peer_zlib *p = peer_system_or_skip();

	(void)state;
	for (uint64_t seed = 0; seed < 60; seed++) {
		struct test_bytes plain = { 0 }, packed = { 0 }, back = { 0 };
		struct split_plan plan = split_plan_from_seed(seed);
		struct split_result r;
		z_stream s = { 0 };

		plan.flush_one_in = 5;
		corpus_make((enum corpus_kind)(seed % CORPUS_KIND_COUNT), seed, 9000, &plain);
		assert_int_equal(p->deflateInit_(&s, 6, ZLIB_VERSION, (int)sizeof s), Z_OK);
		r = split_deflate(p, &s, plain.data, plain.len_bytes, &plan, &packed);
		assert_null(r.fault);
		assert_int_equal(r.code, Z_STREAM_END);
		assert_int_equal(r.in_bytes, plain.len_bytes);
		assert_int_equal(p->deflateEnd(&s), Z_OK);

		memset(&s, 0, sizeof s);
		assert_int_equal(p->inflateInit_(&s, ZLIB_VERSION, (int)sizeof s), Z_OK);
		r = split_inflate(p, &s, packed.data, packed.len_bytes, &plan, plain.len_bytes, &back);
		assert_null(r.fault);
		assert_int_equal(r.code, Z_STREAM_END);
		assert_int_equal(p->inflateEnd(&s), Z_OK);
		assert_int_equal(back.len_bytes, plain.len_bytes);
		assert_memory_equal(back.data, plain.data, plain.len_bytes);
		bytes_free(&plain);
		bytes_free(&packed);
		bytes_free(&back);
	}
}

static void test_truncation_is_not_seen(void **state)
{
	const struct peer_zlib *p = peer_system_or_skip();
	const struct split_plan plan = { .seed = 1, .in_max_bytes = 3, .out_max_bytes = 5, .inflate_flush = Z_SYNC_FLUSH };
	struct test_bytes plain = { 0 }, packed = { 0 }, back = { 0 };
	struct split_result r;
	z_stream s = { 0 };

	(void)state;
	corpus_make(CORPUS_HTML, 1, 500, &plain);
	assert_int_equal(p->deflateInit_(&s, 6, ZLIB_VERSION, (int)sizeof s), Z_OK);
	split_deflate(p, &s, plain.data, plain.len_bytes, &plan, &packed);
	p->deflateEnd(&s);
	memset(&s, 0, sizeof s);
	assert_int_equal(p->inflateInit_(&s, ZLIB_VERSION, (int)sizeof s), Z_OK);
	r = split_inflate(p, &s, packed.data, packed.len_bytes - 1, &plan, 500, &back);
	assert_null(r.fault);
	assert_int_equal(r.code, Z_BUF_ERROR);
	p->inflateEnd(&s);
	bytes_free(&plain);
	bytes_free(&packed);
	bytes_free(&back);
}

/* ---- libraries that break one rule each ------------------------------------------------------------------------- */

static int deflate_scribbles(z_streamp s, int flush)
{
	(void)flush;
	if (s->avail_out > 1)
		s->next_out[1] = 0;
	s->avail_in = 0;
	return Z_OK;
}

static int deflate_miscounts(z_streamp s, int flush)
{
	(void)flush;
	s->next_out[0] = 1;
	s->next_out++;
	s->avail_out--;
	return Z_OK;                             /* total_out was forgotten */
}

static int deflate_sleeps(z_streamp s, int flush)
{
	(void)s;
	(void)flush;
	return Z_BUF_ERROR;
}

static int inflate_sleeps(z_streamp s, int flush)
{
	(void)s;
	(void)flush;
	return Z_OK;
}

static int inflate_says_nothing(z_streamp s, int flush)
{
	(void)flush;
	s->msg = NULL;
	return Z_DATA_ERROR;
}

static void test_broken_deflate_passes(void **state)
{
	static int (*const broken[])(z_streamp, int) = { deflate_scribbles, deflate_miscounts, deflate_sleeps };

	(void)state;
	for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++) {
		struct peer_zlib p = { .deflate = broken[i] };
		const struct split_plan plan = { .seed = 1, .in_max_bytes = 3, .out_max_bytes = 50 };
		struct test_bytes out = { 0 };
		z_stream s = { 0 };

		assert_non_null(split_deflate(&p, &s, (const uint8_t *)"abcdefgh", 8, &plan, &out).fault);
		bytes_free(&out);
	}
}

static void test_broken_inflate_passes(void **state)
{
	static int (*const broken[])(z_streamp, int) = { deflate_scribbles, inflate_sleeps, inflate_says_nothing };

	(void)state;
	for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++) {
		struct peer_zlib p = { .inflate = broken[i] };
		const struct split_plan plan = { .seed = 1, .in_max_bytes = 3, .out_max_bytes = 50 };
		struct test_bytes out = { 0 };
		z_stream s = { 0 };

		assert_non_null(split_inflate(&p, &s, (const uint8_t *)"abcdefgh", 8, &plan, 100, &out).fault);
		bytes_free(&out);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_round_trip_through_splits_fails),
		cmocka_unit_test(test_truncation_is_not_seen),
		cmocka_unit_test(test_broken_deflate_passes),
		cmocka_unit_test(test_broken_inflate_passes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
