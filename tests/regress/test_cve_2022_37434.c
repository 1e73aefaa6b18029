/* SPDX-License-Identifier: Zlib */
/* CVE-2022-37434: a gzip extra field longer than extra_max, arriving in several calls, was copied behind the caller's
 * buffer.  The first fix read a NULL extra. */
#include "lib/bits.h"
#include "lib/cmocka_all.h"
#include "lib/guard.h"
#include "lib/streams.h"

#define EXTRA_BYTES 3000

static void make_stream(struct bits *b)
{
	bits_put_gzip_header(b, GZIP_FLAG_EXTRA);
	bits_put(b, EXTRA_BYTES, 16);
	for (unsigned i = 0; i < EXTRA_BYTES; i++)
		bits_put(b, i * 7 & 0xff, 8);
	bits_put_stored(b, true, "hello", 5);
	bits_put_le32(b, bits_crc32(0, (const uint8_t *)"hello", 5));
	bits_put_le32(b, 5);
	bits_end(b);
}

static void read_in_pieces(const struct peer_zlib *p, const struct bits *b, size_t piece, uInt extra_max, bool null_extra)
{
	struct guard_buffer extra = guard_before_end(extra_max);
	gz_header h = { .extra = null_extra ? NULL : extra.data, .extra_max = extra_max };
	z_stream s = { 0 };
	uint8_t out[16];
	int code = Z_OK;

	streams_begin_inflate(p, &s, 31);
	assert_int_equal(p->inflateGetHeader(&s, &h), Z_OK);
	s.next_out = out;
	s.avail_out = sizeof out;
	for (size_t at = 0; code == Z_OK && at < b->bytes.len_bytes; at += piece) {
		s.next_in = b->bytes.data + at;
		s.avail_in = (uInt)(b->bytes.len_bytes - at < piece ? b->bytes.len_bytes - at : piece);
		code = p->inflate(&s, Z_NO_FLUSH);
	}
	assert_int_equal(code, Z_STREAM_END);
	assert_memory_equal(out, "hello", 5);
	assert_int_equal(h.done, 1);
	assert_int_equal(h.extra_len, EXTRA_BYTES);
	for (uInt i = 0; !null_extra && i < extra_max && i < EXTRA_BYTES; i++)
		assert_int_equal(extra.data[i], i * 7 & 0xff);
	p->inflateEnd(&s);
	guard_free(&extra);
}

static void test_long_extra_field_overruns(void **state)
{
	static const size_t pieces[] = { 1, 5, 100, 1499, 1 << 20 };
	static const uInt rooms[] = { 0, 1, 10, 99, 1500, 2999, 3000, 4000 };
	struct bits b = { .hold = 0 };

	(void)state;
	make_stream(&b);
	FOR_EACH_SUBJECT(p)
		for (size_t i = 0; i < sizeof pieces / sizeof pieces[0]; i++) {
			for (size_t r = 0; r < sizeof rooms / sizeof rooms[0]; r++)
				read_in_pieces(p, &b, pieces[i], rooms[r], false);
			read_in_pieces(p, &b, pieces[i], 100, true);
		}
	bits_free(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_long_extra_field_overruns) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
