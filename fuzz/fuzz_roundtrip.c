/* SPDX-License-Identifier: Zlib */
/* fuzz_roundtrip.c - the fuzzer's own bytes through deflate with any parameters, within deflateBound(), and back through
 * our inflate, the judge's, and the reference. */
#include "fuzz_input.h"
#include "lib/ref_inflate.h"

static void check_back(const struct peer_zlib *p, int window_bits, const struct test_bytes *packed, const uint8_t *plain,
		       size_t plain_bytes)
{
	uint8_t *back = malloc(plain_bytes ? plain_bytes : 1);
	z_stream s = { 0 };

	FUZZ_CHECK(back);
	FUZZ_CHECK(p->inflateInit2_(&s, window_bits == 8 ? 9 : window_bits, ZLIB_VERSION, (int)sizeof s) == Z_OK);
	s.next_in = packed->data;
	s.avail_in = (uInt)packed->len_bytes;
	s.next_out = back;
	s.avail_out = (uInt)plain_bytes;
	FUZZ_CHECK(p->inflate(&s, Z_FINISH) == Z_STREAM_END);
	FUZZ_CHECK(s.total_out == plain_bytes && s.avail_in == 0);
	FUZZ_CHECK(!plain_bytes || memcmp(back, plain, plain_bytes) == 0);
	p->inflateEnd(&s);
	free(back);
}

static void check_reference(const struct test_bytes *packed, const uint8_t *plain, size_t plain_bytes)
{
	uint8_t *back = malloc(plain_bytes ? plain_bytes : 1);
	struct ref_output r;

	FUZZ_CHECK(back);
	r = ref_inflate(packed->data, packed->len_bytes, NULL, 0, back, plain_bytes);
	FUZZ_CHECK(r.result == REF_DONE && r.out_bytes == plain_bytes && (r.in_bits + 7) / 8 == packed->len_bytes);
	FUZZ_CHECK(!plain_bytes || memcmp(back, plain, plain_bytes) == 0);
	free(back);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len_bytes)
{
	static const int windows[] = { 8, 9, 15, -9, -10, -15, 9 + 16, 15 + 16, 12, -12 };
	const struct peer_zlib *p = fuzz_subject();
	struct fuzz_input in = { data, len_bytes };
	int window_bits = windows[fuzz_byte(&in) % 10];
	struct test_bytes packed = { 0 };
	z_stream s = { 0 };

	FUZZ_CHECK(p->deflateInit2_(&s, fuzz_between(&in, -1, 9), Z_DEFLATED, window_bits, fuzz_between(&in, 1, 9),
				    fuzz_between(&in, 0, 4), ZLIB_VERSION, (int)sizeof s) == Z_OK);
	packed.room_bytes = p->deflateBound(&s, (uLong)in.left_bytes);
	packed.data = malloc(packed.room_bytes);
	FUZZ_CHECK(packed.data);
	s.next_in = in.next;
	s.avail_in = (uInt)in.left_bytes;
	s.next_out = packed.data;
	s.avail_out = (uInt)packed.room_bytes;
	FUZZ_CHECK(p->deflate(&s, Z_FINISH) == Z_STREAM_END);
	FUZZ_CHECK(s.avail_in == 0);
	packed.len_bytes = s.total_out;
	FUZZ_CHECK(p->deflateEnd(&s) == Z_OK);
	check_back(p, window_bits, &packed, in.next, in.left_bytes);
	check_back(fuzz_judge(), window_bits, &packed, in.next, in.left_bytes);
	if (window_bits < 0)
		check_reference(&packed, in.next, in.left_bytes);
	bytes_free(&packed);
	return 0;
}
