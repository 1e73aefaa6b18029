/* SPDX-License-Identifier: Zlib */
/* test_gzip_read.c - the gzip header reader alone: every set of flags, cut after every byte, into buffers of every size. */
#include "lib/cmocka_all.h"

#include "lib/bits.h"
#include "lib/guard.h"
#include "wrap/gzip_read.h"

static const uint8_t extra[] = { 'z', 'w', 3, 0, 'a', 'b', 'c' };
static const char name[] = "index.html";
static const char comment[] = "made by hand";

/* What follows the two magic bytes, for these flags. */
static void write_header(struct bits *b, uint8_t flags, bool wrong_crc)
{
	struct bits whole = { 0 };
	const uint8_t rest[6] = { 1, 2, 3, 4, 5, GZIP_OS_UNIX };

	bits_put(&whole, GZIP_MAGIC_1, 8);
	bits_put(&whole, GZIP_MAGIC_2, 8);
	bits_put(&whole, 8, 8);
	bits_put(&whole, flags, 8);
	bits_put_bytes(&whole, rest, sizeof rest);
	if (flags & GZIP_FLAG_EXTRA) {
		bits_put(&whole, sizeof extra, 16);
		bits_put_bytes(&whole, extra, sizeof extra);
	}
	if (flags & GZIP_FLAG_NAME)
		bits_put_bytes(&whole, name, sizeof name);
	if (flags & GZIP_FLAG_COMMENT)
		bits_put_bytes(&whole, comment, sizeof comment);
	if (flags & GZIP_FLAG_HEADER_CRC)
		bits_put(&whole, (bits_crc32(0, whole.bytes.data, whole.bytes.len_bytes) & 0xffff) ^ wrong_crc, 16);
	bits_put_bytes(b, whole.bytes.data + 2, whole.bytes.len_bytes - 2);
	bits_free(&whole);
}

/* Reads the header in two pieces, each ending at an inaccessible page, and a byte of data behind it that must stay. */
static enum zw_step read_in_two(struct zw_gzip_reader *g, const struct test_bytes *z, size_t cut, gz_header *header, size_t *used_ret)
{
	const struct zw_kernels *kernels = zw_kernels_get();
	size_t bytes[2] = { cut, z->len_bytes - cut };
	const uint8_t *from = z->data;
	enum zw_step step = ZW_STEP_NEED_INPUT;

	*used_ret = 0;
	for (int piece = 0; piece < 2 && step == ZW_STEP_NEED_INPUT; piece++) {
		struct guard_buffer in = guard_before_end(bytes[piece]);
		struct zw_in cursor = { in.data, bytes[piece] };

		memcpy(in.data, from, bytes[piece]);
		step = zw_gzip_read_header(g, &cursor, header, kernels);
		*used_ret += bytes[piece] - cursor.left_bytes;
		if (step == ZW_STEP_NEED_INPUT)
			assert_int_equal(cursor.left_bytes, 0);
		from += bytes[piece];
		guard_free(&in);
	}
	return step;
}

static void test_every_field_cut_anywhere(void **state)
{
	static const unsigned maxima[] = { 0, 1, 6, 7, 8, 10, 11, 40 };

	(void)state;
	for (uint8_t flags = 0; flags < 32; flags++) {
		struct bits b = { 0 };
		struct test_bytes *z;

		write_header(&b, flags, false);
		bits_put(&b, 0x55, 8);           /* the first byte of data */
		z = bits_end(&b);
		for (size_t cut = 0; cut <= z->len_bytes; cut++)
			for (size_t m = 0; m < sizeof maxima / sizeof maxima[0]; m++) {
				uint8_t got[3][41];
				gz_header h = { .extra = got[0], .name = got[1], .comment = got[2], .extra_max = maxima[m],
						.name_max = maxima[m], .comm_max = maxima[m] };
				struct zw_gzip_reader g;
				size_t used, n;

				memset(got, 0xee, sizeof got);
				zw_gzip_read_begin(&g, true);
				assert_int_equal(read_in_two(&g, z, cut, &h, &used), ZW_STEP_DONE);
				assert_int_equal(used, z->len_bytes - 1);
				assert_int_equal(h.done, 1);
				assert_int_equal(h.text, flags & GZIP_FLAG_TEXT);
				assert_int_equal(h.time, 0x04030201);
				assert_int_equal(h.xflags, 5);
				assert_int_equal(h.os, GZIP_OS_UNIX);
				assert_int_equal(h.hcrc, (flags & GZIP_FLAG_HEADER_CRC) != 0);
				n = flags & GZIP_FLAG_EXTRA ? sizeof extra < maxima[m] ? sizeof extra : maxima[m] : 0;
				assert_memory_equal(got[0], extra, n);
				assert_int_equal(got[0][n], 0xee);
				assert_int_equal(h.extra != NULL, (flags & GZIP_FLAG_EXTRA) != 0);
				n = flags & GZIP_FLAG_NAME ? sizeof name < maxima[m] ? sizeof name : maxima[m] : 0;
				assert_memory_equal(got[1], name, n);
				assert_int_equal(got[1][n], 0xee);
				assert_int_equal(h.name != NULL, (flags & GZIP_FLAG_NAME) != 0);
				n = flags & GZIP_FLAG_COMMENT ? sizeof comment < maxima[m] ? sizeof comment : maxima[m] : 0;
				assert_memory_equal(got[2], comment, n);
				assert_int_equal(got[2][n], 0xee);
				assert_int_equal(h.comment != NULL, (flags & GZIP_FLAG_COMMENT) != 0);

				zw_gzip_read_begin(&g, true); /* nobody asks for the fields */
				assert_int_equal(read_in_two(&g, z, cut, NULL, &used), ZW_STEP_DONE);
				assert_int_equal(used, z->len_bytes - 1);
			}
		bits_free(&b);
	}
}

static void test_header_crc_is_compared_unless_told_not_to(void **state)
{
	(void)state;
	for (int check = 0; check < 2; check++) {
		struct bits b = { 0 };
		struct zw_gzip_reader g;
		size_t used;

		write_header(&b, 0x1f, true);
		zw_gzip_read_begin(&g, check);
		assert_int_equal(read_in_two(&g, bits_end(&b), 20, NULL, &used), check ? ZW_STEP_BAD : ZW_STEP_DONE);
		assert_int_equal(g.error, check ? ZW_GZIP_BAD_CRC : ZW_GZIP_GOOD);
		bits_free(&b);
	}
}

static void test_bad_beginnings(void **state)
{
	static const struct { uint8_t method, flags; enum zw_gzip_error error; } cases[] = {
		{ 7, 0, ZW_GZIP_BAD_METHOD }, { 0, 0, ZW_GZIP_BAD_METHOD }, { 8, 0x20, ZW_GZIP_BAD_FLAGS }, { 8, 0x40, ZW_GZIP_BAD_FLAGS },
		{ 8, 0x80, ZW_GZIP_BAD_FLAGS }, { 9, 0xff, ZW_GZIP_BAD_METHOD },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const uint8_t bytes[2] = { cases[i].method, cases[i].flags };
		struct zw_in in = { bytes, 2 };
		struct zw_gzip_reader g;

		zw_gzip_read_begin(&g, true);
		assert_int_equal(zw_gzip_read_header(&g, &in, NULL, zw_kernels_get()), ZW_STEP_BAD); /* after two bytes, not ten */
		assert_int_equal(g.error, cases[i].error);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_field_cut_anywhere),
		cmocka_unit_test(test_header_crc_is_compared_unless_told_not_to),
		cmocka_unit_test(test_bad_beginnings),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
