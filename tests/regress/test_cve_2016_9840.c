/* SPDX-License-Identifier: Zlib */
/* CVE-2016-9840 to 9843: pointers formed before the start of an array, a negative number shifted left in inflateMark(),
 * and a CRC that read before its buffer.  The debug build's UBSan and ASan do the judging; here are the calls. */
#include "lib/cmocka_all.h"
#include "lib/corpus.h"
#include "lib/guard.h"
#include "lib/streams.h"

static void test_mark_of_a_new_stream_shifts_a_negative_number(void **state)
{
	(void)state;
	FOR_EACH_SUBJECT(p) {
		z_stream s = { 0 };

		streams_begin_inflate(p, &s, 15);
		assert_int_equal(p->inflateMark(&s), -65536);
		p->inflateEnd(&s);
		assert_int_equal(p->inflateMark(&s), -65536);
		assert_int_equal(p->inflateMark(NULL), -65536);
	}
}

static void test_checksum_reads_outside_its_buffer(void **state)
{
	(void)state;
	FOR_EACH_SUBJECT(p)
		for (size_t len = 0; len < 300; len++) {
			struct guard_buffer before = guard_after_start(len);
			struct guard_buffer behind = guard_before_end(len);
			struct rng random = rng_seed(len);

			rng_fill(&random, before.data, len);
			memcpy(behind.data, before.data, len);
			assert_int_equal(p->crc32(0, before.data, (uInt)len), p->crc32(0, behind.data, (uInt)len));
			assert_int_equal(p->adler32(1, before.data, (uInt)len), p->adler32(1, behind.data, (uInt)len));
			guard_free(&before);
			guard_free(&behind);
		}
}

static void test_short_buffers_make_pointers_before_their_start(void **state)
{
	struct test_bytes body = { 0 };

	(void)state;
	corpus_make(CORPUS_PERIODIC, 1, 5000, &body);
	FOR_EACH_SUBJECT(p)
		for (size_t room = 1; room < 300; room++) {
			const struct deflate_parameters d = { 6, 15, 8, 0 };
			struct test_bytes packed = { 0 };
			struct guard_buffer out = guard_after_start(room);
			z_stream s = { 0 };
			int code;

			streams_begin_deflate(p, &s, &d);
			assert_int_equal(streams_deflate(p, &s, body.data, body.len_bytes, Z_FINISH, &packed), Z_STREAM_END);
			p->deflateEnd(&s);
			s = (z_stream){ 0 };
			streams_begin_inflate(p, &s, 15);
			s.next_in = packed.data;
			s.avail_in = (uInt)packed.len_bytes;
			do {
				s.next_out = out.data;
				s.avail_out = (uInt)room;
				code = p->inflate(&s, Z_NO_FLUSH);
			} while (code == Z_OK);
			assert_int_equal(code, Z_STREAM_END);
			p->inflateEnd(&s);
			guard_free(&out);
			bytes_free(&packed);
		}
	bytes_free(&body);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_mark_of_a_new_stream_shifts_a_negative_number),
		cmocka_unit_test(test_checksum_reads_outside_its_buffer),
		cmocka_unit_test(test_short_buffers_make_pointers_before_their_start),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
