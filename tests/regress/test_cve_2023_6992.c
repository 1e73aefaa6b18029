/* SPDX-License-Identifier: Zlib */
/* CVE-2023-6992 (Cloudflare's fork): a stored block after waiting bits takes six bytes of header, not five, and wrote
 * one byte behind a small output.  Shape: bits left by deflatePrime() or Z_BLOCK, then data that is stored. */
#include "lib/alloc.h"
#include "lib/cmocka_all.h"
#include "lib/guard.h"
#include "lib/streams.h"

static void pack_after_bits(const struct peer_zlib *p, int level, int mem_level, int bits, size_t room,
			    const struct test_bytes *body)
{
	const struct deflate_parameters d = { level, -9, mem_level, Z_DEFAULT_STRATEGY };
	struct guard_buffer out = guard_before_end(room);
	struct test_bytes packed = { 0 };
	struct test_alloc a = { .garbage = true };
	z_stream s = { 0 };
	int code = Z_OK;

	test_alloc_use(&a, &s);
	streams_begin_deflate(p, &s, &d);
	if (bits) {                              /* two empty fixed blocks leave (3 + 7) * 2 bits: bits 4 modulo 8 */
		assert_int_equal(p->deflatePrime(&s, 10, 2), Z_OK);
		assert_int_equal(p->deflatePrime(&s, 10, 2), Z_OK);
	}
	for (size_t at = 0; at < body->len_bytes || code == Z_OK;) {
		size_t n = body->len_bytes - at < 997 ? body->len_bytes - at : 997;

		s.next_in = body->data + at;
		s.avail_in = (uInt)n;
		do {
			s.next_out = out.data;
			s.avail_out = (uInt)room;
			code = p->deflate(&s, at + n == body->len_bytes ? Z_FINISH : Z_BLOCK);
			bytes_append(&packed, out.data, room - s.avail_out);
		} while (s.avail_out == 0 && code != Z_STREAM_END);
		assert_true(code == Z_OK || code == Z_BUF_ERROR || code == Z_STREAM_END);
		at += n;
	}
	assert_int_equal(p->deflateEnd(&s), Z_OK);
	assert_int_equal(test_alloc_close(&a), 0);
	streams_check_decodes(p, -9, &packed, body->data, body->len_bytes);
	bytes_free(&packed);
	guard_free(&out);
}

static void test_stored_block_after_bits_overruns(void **state)
{
	struct test_bytes body = { 0 };
	struct rng random = rng_seed(1);

	(void)state;
	bytes_reserve(&body, 9973);
	body.len_bytes = 9973;
	rng_fill(&random, body.data, body.len_bytes);
	FOR_EACH_SUBJECT(p)
		for (int set = 0; set < 10 * 3 * 2 * 12; set++)
			pack_after_bits(p, set % 10, 1 + set / 10 % 3, set / 30 % 2, (size_t)(7 + set / 60), &body);
	bytes_free(&body);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_stored_block_after_bits_overruns) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
