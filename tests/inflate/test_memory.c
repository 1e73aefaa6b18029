/* SPDX-License-Identifier: Zlib */
/* test_memory.c - what inflate asks its caller's allocator for, when, and what happens when it does not get it. */
#include "lib/cmocka_all.h"

#include "inflate/twin.h"
#include "lib/alloc.h"
#include "lib/corpus.h"

static struct test_bytes page;               /* 100,000 bytes of HTML */

static void decode_twice(z_stream *s, const struct test_bytes *z, size_t bytes)
{
	static Bytef out[100000];

	for (int round = 0; round < 2; round++) {
		s->next_in = z->data;
		s->avail_in = (uInt)z->len_bytes;
		s->next_out = out;
		s->avail_out = 4096;
		while (inflate(s, Z_NO_FLUSH) == Z_OK)
			s->avail_out = 4096;
		assert_int_equal(s->total_out, bytes);
		assert_memory_equal(out, page.data, bytes);
		assert_int_equal(inflateReset(s), Z_OK);
	}
}

static void test_memory_is_asked_for_twice_at_most(void **state)
{
	struct test_bytes z = compressed(peer_system_or_skip(), page.data, 100000, 31, NULL, 0, Z_NO_FLUSH);

	(void)state;
	for (unsigned shift = 0; shift <= TEST_ALLOC_SHIFT_MAX; shift++) {
		struct test_alloc a = { .shift = shift, .garbage = true, .garbage_seed = shift, .ignore_free = shift & 1 };
		z_stream s, copy;

		memset(&s, 0, sizeof s);
		test_alloc_use(&a, &s);
		assert_int_equal(inflateInit2(&s, 31), Z_OK);
		assert_int_equal(a.calls, 1);
		assert_true(a.total_bytes <= 12288);
		decode_twice(&s, &z, 100000);
		assert_int_equal(a.calls, 2);
		assert_int_equal(inflateCopy(&copy, &s), Z_OK);
		assert_int_equal(a.calls, 4);
		decode_twice(&copy, &z, 100000);
		assert_int_equal(inflateReset2(&copy, 47), Z_OK);
		decode_twice(&copy, &z, 100000);
		assert_int_equal(a.calls, 4);
		assert_int_equal(inflateEnd(&copy), Z_OK);
		assert_int_equal(inflateEnd(&s), Z_OK);
		assert_int_equal(a.frees, 4);
		assert_int_equal(a.bad_frees, 0);
		assert_int_equal(test_alloc_close(&a), shift & 1 ? 4 : 0);
	}
	bytes_free(&z);
}

static void test_no_memory(void **state)
{
	struct test_bytes z = compressed(peer_system_or_skip(), page.data, 1000, 31, NULL, 0, Z_NO_FLUSH);
	Bytef out[1000];

	(void)state;
	for (unsigned fail = 1; fail <= 4; fail++) {
		struct test_alloc a = { .fail_on_call = fail };
		z_stream s, copy;

		memset(&s, 0, sizeof s);
		test_alloc_use(&a, &s);
		if (fail == 1) {
			assert_int_equal(inflateInit2(&s, 31), Z_MEM_ERROR);
			assert_null(s.state);
			assert_int_equal(test_alloc_close(&a), 0);
			continue;
		}
		assert_int_equal(inflateInit2(&s, 31), Z_OK);
		s.next_in = z.data;
		s.avail_in = (uInt)z.len_bytes;
		s.next_out = out;
		s.avail_out = 500;
		assert_int_equal(inflate(&s, Z_NO_FLUSH), fail == 2 ? Z_MEM_ERROR : Z_OK);
		if (fail == 2)
			assert_int_equal(inflate(&s, Z_NO_FLUSH), Z_MEM_ERROR);
		else
			assert_int_equal(inflateCopy(&copy, &s), Z_MEM_ERROR);
		assert_int_equal(inflateEnd(&s), Z_OK);
		assert_int_equal(test_alloc_close(&a), 0);
	}
	bytes_free(&z);
}

static void test_what_is_freed_is_what_was_given(void **state)
{
	struct test_alloc a = { 0 };
	z_stream s;

	(void)state;
	memset(&s, 0, sizeof s);
	test_alloc_use(&a, &s);
	assert_int_equal(inflateInit2(&s, 31), Z_OK);
	assert_int_equal(inflateEnd(&s), Z_OK);
	assert_int_equal(a.frees, 1);
	assert_int_equal(a.bad_frees, 0);        /* exactly the pointer that came from zalloc */
	assert_int_equal(test_alloc_close(&a), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_memory_is_asked_for_twice_at_most),
		cmocka_unit_test(test_no_memory),
		cmocka_unit_test(test_what_is_freed_is_what_was_given),
	};

	corpus_make(CORPUS_HTML, 5, 100000, &page);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
