/* SPDX-License-Identifier: Zlib */
/* CVE-2004-0797: inflate() and inflateBack() went on after an error with a state that made no sense.
 * CVE-2002-0059: a broken dynamic header made inflate free a table twice. */
#include "lib/alloc.h"
#include "lib/bits.h"
#include "lib/cmocka_all.h"
#include "lib/guard.h"
#include "lib/streams.h"

#include <string.h>

static unsigned give_nothing(void *desc, z_const unsigned char **buf)
{
	(void)desc;
	(void)buf;
	return 0;
}

static int count_output(void *desc, unsigned char *buf, unsigned len)
{
	size_t *count = desc;

	for (unsigned i = 0; i < len; i++)
		*count += buf[i] != 0;
	return 0;
}

static void make_bad(unsigned which, struct bits *b)
{
	uint8_t litlen[286] = { 0 }, dist[30] = { 1, 1 };
	struct bits_code fixed_litlen, fixed_dist;

	bits_make_fixed_litlen(&fixed_litlen);
	bits_make_fixed_dist(&fixed_dist);
	litlen['a'] = litlen[256] = 1;
	switch (which) {
	case 0: bits_put_block_start(b, true, 3); break;
	case 1: bits_put_block_start(b, true, BLOCK_STORED); bits_align(b); bits_put(b, 0x12345678, 32); break;
	case 2: litlen['b'] = 1; bits_put_dynamic_header(b, true, litlen, 286, dist, 30); break;
	case 3: dist[2] = 3; bits_put_dynamic_header(b, true, litlen, 286, dist, 30); break;
	case 4: litlen[256] = 0; litlen['b'] = 1; bits_put_dynamic_header(b, true, litlen, 286, dist, 30); break;
	case 5: bits_put_block_start(b, true, BLOCK_FIXED); bits_put_match(b, &fixed_litlen, &fixed_dist, 3, 1); break;
	case 6: bits_put_block_start(b, true, BLOCK_FIXED); bits_put_symbol(b, &fixed_litlen, 287); break;
	case 7: bits_put_block_start(b, true, BLOCK_FIXED); bits_put_symbol(b, &fixed_litlen, 'x');
		bits_put_symbol(b, &fixed_litlen, 257); bits_put_symbol(b, &fixed_dist, 31); break;
	}
	bits_put_bytes(b, "\0\0\0\0\0\0\0\0", 8);
	bits_end(b);
}

#define BAD_COUNT 8

static void test_inflate_goes_on_after_an_error(void **state)
{
	(void)state;
	FOR_EACH_SUBJECT(p)
		for (unsigned which = 0; which < BAD_COUNT; which++)
			for (size_t piece = 1; piece < 30; piece += 7) {
				struct bits b = { .hold = 0 };
				struct test_alloc a = { .garbage = true };
				z_stream s = { 0 };
				uint8_t out[64];
				int code = Z_OK;

				make_bad(which, &b);
				test_alloc_use(&a, &s);
				streams_begin_inflate(p, &s, -15);
				s.next_out = out;
				s.avail_out = sizeof out;
				for (size_t at = 0; at < b.bytes.len_bytes && code != Z_DATA_ERROR; at += piece) {
					s.next_in = b.bytes.data + at;
					s.avail_in = (uInt)(b.bytes.len_bytes - at < piece ? b.bytes.len_bytes - at : piece);
					code = p->inflate(&s, Z_NO_FLUSH);
				}
				assert_int_equal(code, Z_DATA_ERROR);
				for (int again = 0; again < 3; again++)
					assert_int_equal(p->inflate(&s, again), Z_DATA_ERROR);
				assert_int_equal(p->inflateEnd(&s), Z_OK);
				assert_int_equal(a.bad_frees, 0);
				assert_int_equal(test_alloc_close(&a), 0);
				bits_free(&b);
			}
}

static void test_inflate_back_goes_on_after_an_error(void **state)
{
	(void)state;
	FOR_EACH_SUBJECT(p)
		for (unsigned which = 0; which < BAD_COUNT; which++) {
			struct bits b = { .hold = 0 };
			struct guard_buffer window = guard_before_end(1 << 9);
			struct test_alloc a = { .garbage = true };
			z_stream s = { 0 };
			size_t count = 0;

			make_bad(which, &b);
			test_alloc_use(&a, &s);
			assert_int_equal(p->inflateBackInit_(&s, 9, window.data, ZLIB_VERSION, (int)sizeof s), Z_OK);
			for (int again = 0; again < 2; again++) {
				s.next_in = b.bytes.data;
				s.avail_in = (uInt)b.bytes.len_bytes;
				assert_int_equal(p->inflateBack(&s, give_nothing, NULL, count_output, &count), Z_DATA_ERROR);
				assert_non_null(s.msg);
			}
			assert_int_equal(p->inflateBackEnd(&s), Z_OK);
			assert_int_equal(a.bad_frees, 0);
			assert_int_equal(test_alloc_close(&a), 0);
			guard_free(&window);
			bits_free(&b);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_inflate_goes_on_after_an_error),
		cmocka_unit_test(test_inflate_back_goes_on_after_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
