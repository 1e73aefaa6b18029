/* SPDX-License-Identifier: Zlib */
/* contract_header.c - deflateSetHeader() and inflateGetHeader(): what gets into a gzip header and out of it.
 * In pieces and with random lengths: tests/behaviour/test_deflate_calls.c, tests/inflate/test_calls.c. */
#include "abi/contract.h"

/* A gzip stream of nothing with this header, appended to packed. */
static void pack_with(const struct peer_zlib *p, gz_header *h, struct test_bytes *packed)
{
	z_stream s = { 0 };

	EXPECT(p, contract_deflate_init(p, &s, 6, 31), Z_OK);
	EXPECT(p, p->deflateSetHeader(&s, h), Z_OK);
	EXPECT(p, streams_deflate(p, &s, NULL, 0, Z_FINISH, packed), Z_STREAM_END);
	EXPECT(p, p->deflateEnd(&s), Z_OK);
}

static int read_with(const struct peer_zlib *p, gz_header *h, const struct test_bytes *packed)
{
	z_stream s = { 0 };
	Bytef out[10];
	int code;

	EXPECT(p, contract_inflate_init(p, &s, 47), Z_OK);
	EXPECT(p, p->inflateGetHeader(&s, h), Z_OK);
	contract_input(&s, packed->data, packed->len_bytes);
	contract_output(&s, out, sizeof out);
	code = p->inflate(&s, Z_FINISH);
	EXPECT(p, p->inflateEnd(&s), Z_OK);
	return code;
}

static void only_gzip_has_a_header(void **state)
{
	(void)state;
	EACH_ZLIB(p) {
		gz_header h = { 0 };
		z_stream s = { 0 };

		EXPECT(p, contract_deflate_init(p, &s, 6, 15), Z_OK);
		EXPECT(p, p->deflateSetHeader(&s, &h), Z_STREAM_ERROR);
		EXPECT(p, p->deflateEnd(&s), Z_OK);
		EXPECT(p, contract_deflate_init(p, &s, 6, -15), Z_OK);
		EXPECT(p, p->deflateSetHeader(&s, &h), Z_STREAM_ERROR);
		EXPECT(p, p->deflateEnd(&s), Z_OK);
		EXPECT(p, contract_inflate_init(p, &s, 15), Z_OK);
		EXPECT(p, p->inflateGetHeader(&s, &h), Z_STREAM_ERROR);
		EXPECT(p, p->inflateEnd(&s), Z_OK);
		EXPECT(p, contract_inflate_init(p, &s, -15), Z_OK);
		EXPECT(p, p->inflateGetHeader(&s, &h), Z_STREAM_ERROR);
		EXPECT(p, p->inflateEnd(&s), Z_OK);
	}
}

/* Byte for byte: flags, time, XFL by level and not by xflags, OS as given, the fields in their order, the low half of the CRC. */
static void the_header_as_rfc_1952_has_it(void **state)
{
	static const char want[] = "\x1f\x8b\x08\x1f\x78\x56\x34\x12\x00\x0b\x04\x00" "EX\0\0" "name\0" "comment";

	(void)state;
	EACH_ZLIB(p) {
		gz_header h = { .text = 5, .time = 0x12345678, .xflags = 77, .os = 11, .extra = (Bytef *)"EX\0\0", .extra_len = 4,
				.name = (Bytef *)"name", .comment = (Bytef *)"comment", .hcrc = 9 };
		struct test_bytes packed = { 0 };
		uLong crc;

		pack_with(p, &h, &packed);
		assert_memory_equal(packed.data, want, sizeof want);
		crc = p->crc32(0, packed.data, sizeof want);
		EXPECT(p, packed.data[sizeof want], crc & 0xff);
		EXPECT(p, packed.data[sizeof want + 1], crc >> 8 & 0xff);
		EXPECT(p, packed.len_bytes, sizeof want + 2 + 10);
		bytes_free(&packed);
	}
}

/* Of extra_len 16 bits fit. An extra field of no bytes is one. */
static void an_extra_field_of_any_length(void **state)
{
	static Bytef extra[65536 + 5];

	(void)state;
	EACH_ZLIB(p)
		for (uInt len = 0; len <= sizeof extra; len += len == 65535 ? 6 : 65535) {
			gz_header h = { .extra = extra, .extra_len = len }, got = { .extra = (Bytef[65535]){ 0 }, .extra_max = 65535 };
			struct test_bytes packed = { 0 };

			pack_with(p, &h, &packed);
			EXPECT_AT(p, len, packed.data[10] | packed.data[11] << 8, len & 0xffff);
			EXPECT_AT(p, len, packed.len_bytes, 10 + 2 + (len & 0xffff) + 10);
			EXPECT(p, read_with(p, &got, &packed), Z_STREAM_END);
			EXPECT_AT(p, len, got.extra_len, len & 0xffff);
			EXPECT_AT(p, len, got.extra != NULL, 1);
			bytes_free(&packed);
		}
}

/* NULL stands for the default header; a stream that has ended takes none before it is reset. */
static void null_is_the_default_header(void **state)
{
	(void)state;
	EACH_ZLIB(p) {
		gz_header h = { .time = 1, .os = 200, .name = (Bytef *)"n" };
		struct test_bytes packed = { 0 };
		z_stream s = { 0 };

		EXPECT(p, contract_deflate_init(p, &s, 6, 31), Z_OK);
		EXPECT(p, p->deflateSetHeader(&s, &h), Z_OK);
		EXPECT(p, streams_deflate(p, &s, NULL, 0, Z_FINISH, &packed), Z_STREAM_END);
		EXPECT(p, packed.len_bytes, 22);
		EXPECT(p, p->deflateSetHeader(&s, NULL), Z_STREAM_ERROR);
		EXPECT(p, p->deflateReset(&s), Z_OK);
		EXPECT(p, p->deflateSetHeader(&s, NULL), Z_OK);
		packed.len_bytes = 0;
		EXPECT(p, streams_deflate(p, &s, NULL, 0, Z_FINISH, &packed), Z_STREAM_END);
		EXPECT(p, packed.len_bytes, 20);
		assert_memory_equal(packed.data, "\x1f\x8b\x08\0\0\0\0\0\0\x03", 10);
		EXPECT(p, p->deflateEnd(&s), Z_OK);
		bytes_free(&packed);
	}
}

/* The manual says that deflateReset() brings the default header back; neither stock zlib does that, nor ours: KEEP-STOCK. */
static void a_reset_keeps_the_header_that_was_set(void **state)
{
	(void)state;
	EACH_ZLIB(p) {
		gz_header h = { .os = 200 };
		struct test_bytes packed = { 0 };
		z_stream s = { 0 };

		EXPECT(p, contract_deflate_init(p, &s, 6, 31), Z_OK);
		EXPECT(p, p->deflateSetHeader(&s, &h), Z_OK);
		EXPECT(p, p->deflateReset(&s), Z_OK);
		EXPECT(p, streams_deflate(p, &s, NULL, 0, Z_FINISH, &packed), Z_STREAM_END);
		EXPECT(p, packed.data[9], 200);
		EXPECT(p, p->deflateReset(&s), Z_OK);
		packed.len_bytes = 0;
		EXPECT(p, streams_deflate(p, &s, NULL, 0, Z_FINISH, &packed), Z_STREAM_END);
		EXPECT(p, packed.data[9], 200);
		EXPECT(p, p->deflateEnd(&s), Z_OK);
		bytes_free(&packed);
	}
}

/* done: 0 until the header is complete, then 1, for zlib -1; Z_BLOCK stops just behind it. */
static void done_says_how_far_the_header_is(void **state)
{
	(void)state;
	EACH_ZLIB(p) {
		gz_header h = { .name = (Bytef *)"name" }, got = { .done = 77 };
		struct test_bytes packed = { 0 }, plain = { 0 };
		z_stream s = { 0 };
		Bytef out[10];

		pack_with(p, &h, &packed);
		EXPECT(p, contract_inflate_init(p, &s, 31), Z_OK);
		EXPECT(p, p->inflateGetHeader(&s, &got), Z_OK);
		EXPECT(p, got.done, 0);
		contract_output(&s, out, sizeof out);
		for (size_t at = 0; at < 15; at++) {
			EXPECT_AT(p, (long long)at, got.done, 0);
			contract_input(&s, packed.data + at, 1);
			EXPECT_AT(p, (long long)at, p->inflate(&s, Z_BLOCK), Z_OK);
		}
		EXPECT(p, got.done, 1);
		EXPECT(p, s.data_type, 128);
		EXPECT(p, s.total_out, 0);
		EXPECT(p, p->inflateEnd(&s), Z_OK);

		contract_pack(p, 6, 15, NULL, 0, &plain);
		got = (gz_header){ .done = 77, .os = 99 };
		EXPECT(p, read_with(p, &got, &plain), Z_STREAM_END);
		EXPECT(p, got.done, -1);
		EXPECT(p, got.os, 99);
		bytes_free(&packed);
		bytes_free(&plain);
	}
}

/* Up to max bytes are written; a zero ends a name only if it fits. */
static void fields_are_cut_to_their_room(void **state)
{
	gz_header h = { .extra = (Bytef *)"extra", .extra_len = 5, .name = (Bytef *)"name", .comment = (Bytef *)"comment" };

	(void)state;
	EACH_ZLIB(p)
		for (uInt room = 0; room <= 10; room++) {
			struct test_bytes packed = { 0 };
			Bytef extra[11], name[11], comment[11];
			gz_header got = { .extra = extra, .extra_max = room, .name = name, .name_max = room, .comment = comment, .comm_max = room };

			pack_with(p, &h, &packed);
			memset(extra, 0x5c, 11);
			memset(name, 0x5c, 11);
			memset(comment, 0x5c, 11);
			EXPECT(p, read_with(p, &got, &packed), Z_STREAM_END);
			EXPECT(p, got.extra_len, 5);
			assert_memory_equal(extra, "extra", room < 5 ? room : 5);
			EXPECT_AT(p, room, extra[room < 5 ? room : 5], 0x5c);
			assert_memory_equal(name, "name", room < 5 ? room : 5);
			EXPECT_AT(p, room, name[room < 5 ? room : 5], 0x5c);
			assert_memory_equal(comment, "comment", room < 8 ? room : 8);
			EXPECT_AT(p, room, comment[room < 8 ? room : 8], 0x5c);
			bytes_free(&packed);
		}
}

static void what_is_absent_becomes_null(void **state)
{
	(void)state;
	EACH_ZLIB(p) {
		struct test_bytes packed = { 0 };
		gz_header none = { 0 }, got = { .extra = (Bytef *)"x", .name = (Bytef *)"x", .comment = (Bytef *)"x" };

		pack_with(p, &none, &packed);
		EXPECT(p, read_with(p, &got, &packed), Z_STREAM_END);
		EXPECT(p, got.extra == NULL && got.name == NULL && got.comment == NULL, 1);
		EXPECT(p, got.hcrc, 0);
		EXPECT(p, got.os, 0);
		bytes_free(&packed);
	}
}

/* The header's CRC is checked whether or not anybody wants the header; inflateReset() forgets who wanted it. */
static void the_headers_crc_is_checked(void **state)
{
	(void)state;
	EACH_ZLIB(p) {
		gz_header h = { .hcrc = 1, .name = (Bytef *)"n" }, got = { .done = 77 };
		struct test_bytes packed = { 0 };
		z_stream s = { 0 };
		Bytef out[10];

		pack_with(p, &h, &packed);
		EXPECT(p, contract_inflate_init(p, &s, 31), Z_OK);
		EXPECT(p, p->inflateGetHeader(&s, &got), Z_OK);
		EXPECT(p, p->inflateReset(&s), Z_OK);
		contract_input(&s, packed.data, packed.len_bytes);
		contract_output(&s, out, sizeof out);
		EXPECT(p, p->inflate(&s, Z_FINISH), Z_STREAM_END);
		EXPECT(p, got.done, 0);
		packed.data[12] ^= 1;
		EXPECT(p, p->inflateReset(&s), Z_OK);
		contract_input(&s, packed.data, packed.len_bytes);
		EXPECT(p, p->inflate(&s, Z_FINISH), Z_DATA_ERROR);
		EXPECT(p, strcmp(s.msg, "header crc mismatch"), 0);
		EXPECT(p, p->inflateEnd(&s), Z_OK);
		got.done = 77;
		EXPECT(p, read_with(p, &got, &packed), Z_DATA_ERROR);
		EXPECT(p, got.done, 0);
		bytes_free(&packed);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_gzip_has_a_header),
		cmocka_unit_test(the_header_as_rfc_1952_has_it),
		cmocka_unit_test(an_extra_field_of_any_length),
		cmocka_unit_test(null_is_the_default_header),
		cmocka_unit_test(a_reset_keeps_the_header_that_was_set),
		cmocka_unit_test(done_says_how_far_the_header_is),
		cmocka_unit_test(fields_are_cut_to_their_room),
		cmocka_unit_test(what_is_absent_becomes_null),
		cmocka_unit_test(the_headers_crc_is_checked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
