/* SPDX-License-Identifier: Zlib */
/* gzip and zlib headers: every field, in pieces of every size, against bytes written out from RFC 1950 and RFC 1952. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/bytes.h"
#include "wrap/gzip_write.h"
#include "wrap/zlib_write.h"

#include <string.h>

static size_t write_in_pieces(const struct zw_gzip_fields *f, uint8_t *to, size_t piece)
{
	struct zw_gzip_writer g = { 0 };
	size_t n = 0;
	bool   done;

	do {
		struct zw_out out = { to + n, piece };

		done = zw_gzip_write_header(&g, f, 2, zw_kernels_get(), &out);
		n += piece - out.left_bytes;
		assert_true(done || out.left_bytes == 0);
	} while (!done);
	return n;
}

static void test_fields_are_lost_or_out_of_order(void **unused)
{
	static const uint8_t extra[] = { 'A', 'B', 2, 0, 'x', 'y' };
	const struct zw_gzip_fields f = { .time = 0x01020304, .os = 7, .text = true, .header_crc = true, .extra = extra,
					  .extra_bytes = sizeof extra, .name = (const uint8_t *)"n.txt",
					  .comment = (const uint8_t *)"" };
	uint8_t want[64] = { 0x1f, 0x8b, 8, 0x1f, 4, 3, 2, 1, 2, 7, 6, 0, 'A', 'B', 2, 0, 'x', 'y', 'n', '.', 't', 'x', 't', 0, 0 };
	size_t  want_bytes = 25;

	(void)unused;
	zw_store_le16(want + want_bytes, (uint16_t)zw_kernels_get()->crc32(0, want, want_bytes));
	want_bytes += 2;
	for (size_t piece = 1; piece <= want_bytes + 1; piece++) {
		uint8_t got[128];

		memset(got, 0xee, sizeof got);
		assert_int_equal(write_in_pieces(&f, got, piece), want_bytes);
		assert_memory_equal(got, want, want_bytes);
	}
}

static void test_plain_header(void **unused)
{
	static const uint8_t want[10] = { 0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 2, 3 };
	const struct zw_gzip_fields f = { .os = GZIP_OS_UNIX };
	uint8_t got[16];

	(void)unused;
	assert_int_equal(write_in_pieces(&f, got, 1), sizeof want);
	assert_memory_equal(got, want, sizeof want);
}

static void test_trailer_byte_order(void **unused)
{
	static const uint8_t want[8] = { 0x44, 0x33, 0x22, 0x11, 2, 0, 0, 0x80 };
	uint8_t got[8];

	(void)unused;
	zw_gzip_trailer(got, 0x11223344, UINT64_C(0x780000002));
	assert_memory_equal(got, want, sizeof want);
}

static void test_zlib_header_check_bits(void **unused)
{
	const uint32_t dictionary = 0xa1b2c3d4;
	uint8_t h[ZLIB_HEADER_MAX_BYTES];

	(void)unused;
	for (unsigned w = 8; w <= 15; w++)
		for (unsigned level = 0; level < 4; level++) {
			assert_int_equal(zw_zlib_header(h, w, level, NULL), 2);
			assert_int_equal((h[0] << 8 | h[1]) % 31, 0);
			assert_int_equal(h[0], 8 | (w - 8) << 4);
			assert_int_equal(h[1] >> 5, level << 1);
			assert_int_equal(zw_zlib_header(h, w, level, &dictionary), 6);
			assert_int_equal((h[0] << 8 | h[1]) % 31, 0);
			assert_int_equal(h[1] & 0x20, 0x20);
			assert_memory_equal(h + 2, "\xa1\xb2\xc3\xd4", 4);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fields_are_lost_or_out_of_order),
		cmocka_unit_test(test_plain_header),
		cmocka_unit_test(test_trailer_byte_order),
		cmocka_unit_test(test_zlib_header_check_bits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
