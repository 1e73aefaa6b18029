/* SPDX-License-Identifier: Zlib */
/* test_calls.c - the inflate functions other than inflate() itself, and the shapes in which programs call them: each against
 * the system's zlib, with the same arguments in the same order. */
#include "lib/cmocka_all.h"

#include "inflate/make_stream.h"
#include "inflate/twin.h"
#include "lib/bits.h"

#include <limits.h>

static struct test_bytes page;               /* 100,000 bytes of HTML */

static void test_window_bits_are_accepted_as_zlib_does(void **state)
{
	static const int odd[] = { INT_MIN, INT_MAX, -1000, 1000, INT_MIN + 15, 16 * 1000 };

	(void)state;
	for (int i = -40; i < 90; i++) {
		int bits = i < 80 ? i : odd[(unsigned)(i - 80) % (sizeof odd / sizeof odd[0])];
		z_stream ours, theirs;
		int our_code, their_code;

		memset(&ours, 0, sizeof ours);
		memset(&theirs, 0, sizeof theirs);
		our_code = inflateInit2_(&ours, bits, ZLIB_VERSION, (int)sizeof ours);
		their_code = twins.system_zlib->inflateInit2_(&theirs, bits, "1.2.11", (int)sizeof theirs);
		if (our_code != their_code)
			fail_msg("inflateInit2(%d): ours %d, theirs %d", bits, our_code, their_code);
		if (our_code == Z_OK) {
			assert_int_equal(inflateEnd(&ours), Z_OK);
			twins.system_zlib->inflateEnd(&theirs);
		} else {
			assert_null(ours.state);
		}
		twin_open(&twins, 15);
		TWIN_CALL(&twins, inflateReset2, bits);
		CHECK_TWIN(&twins);
		twin_close(&twins);
	}
}

static void test_bad_arguments(void **state)
{
	z_stream s, moved;
	Bytef byte = 0;
	gz_header head;

	(void)state;
	memset(&s, 0, sizeof s);
	memset(&moved, 0, sizeof moved);
	assert_int_equal(inflateInit_(NULL, ZLIB_VERSION, (int)sizeof s), Z_STREAM_ERROR);
	assert_int_equal(inflateInit_(&s, NULL, (int)sizeof s), Z_VERSION_ERROR);
	assert_int_equal(inflateInit_(&s, "2.0", (int)sizeof s), Z_VERSION_ERROR);
	assert_int_equal(inflateInit_(&s, "1", (int)sizeof s), Z_OK);
	assert_int_equal(inflateEnd(&s), Z_OK);
	assert_int_equal(inflateInit_(&s, ZLIB_VERSION, (int)sizeof s - 1), Z_VERSION_ERROR);

	/* never initialised, ended, and moved to another address */
	for (int round = 0; round < 3; round++) {
		memset(&s, 0, sizeof s);
		if (round) {
			assert_int_equal(inflateInit2(&moved, 31), Z_OK);
			s = moved;
		}
		s.next_in = &byte;
		s.next_out = &byte;
		assert_int_equal(inflate(&s, Z_NO_FLUSH), Z_STREAM_ERROR);
		assert_int_equal(inflateEnd(&s), Z_STREAM_ERROR);
		assert_int_equal(inflateReset(&s), Z_STREAM_ERROR);
		assert_int_equal(inflateResetKeep(&s), Z_STREAM_ERROR);
		assert_int_equal(inflateReset2(&s, 15), Z_STREAM_ERROR);
		assert_int_equal(inflateSetDictionary(&s, &byte, 1), Z_STREAM_ERROR);
		assert_int_equal(inflateGetDictionary(&s, &byte, NULL), Z_STREAM_ERROR);
		assert_int_equal(inflateSync(&s), Z_STREAM_ERROR);
		assert_int_equal(inflateSyncPoint(&s), Z_STREAM_ERROR);
		assert_int_equal(inflateCopy(&moved, &s), Z_STREAM_ERROR);
		assert_int_equal(inflatePrime(&s, 1, 1), Z_STREAM_ERROR);
		assert_int_equal(inflateMark(&s), -65536);
		assert_int_equal(inflateGetHeader(&s, &head), Z_STREAM_ERROR);
		assert_int_equal(inflateUndermine(&s, 1), Z_STREAM_ERROR);
		assert_int_equal(inflateValidate(&s, 1), Z_STREAM_ERROR);
		assert_true(inflateCodesUsed(&s) == (unsigned long)-1);
		if (round)
			assert_int_equal(inflateEnd(&moved), Z_OK);
	}
	assert_int_equal(inflateEnd(NULL), Z_STREAM_ERROR);
	assert_int_equal(inflate(NULL, Z_NO_FLUSH), Z_STREAM_ERROR);

	assert_int_equal(inflateInit2(&s, 15), Z_OK);
	s.next_in = NULL;
	s.avail_in = 1;
	s.next_out = &byte;
	s.avail_out = 1;
	assert_int_equal(inflate(&s, Z_NO_FLUSH), Z_STREAM_ERROR);
	s.avail_in = 0;
	assert_int_equal(inflate(&s, Z_NO_FLUSH), Z_BUF_ERROR);
	s.next_out = NULL;
	assert_int_equal(inflate(&s, Z_NO_FLUSH), Z_STREAM_ERROR);
	assert_int_equal(inflateGetHeader(&s, &head), Z_STREAM_ERROR);  /* zlib only */
	assert_int_equal(inflateSetDictionary(&s, &byte, 1), Z_STREAM_ERROR);
	assert_int_equal(inflateUndermine(&s, 1), Z_DATA_ERROR);
	assert_int_equal(inflateCopy(NULL, &s), Z_STREAM_ERROR);
	assert_int_equal(inflateEnd(&s), Z_OK);
	assert_int_equal(inflateEnd(&s), Z_STREAM_ERROR);
}

static void test_dictionary_of_a_zlib_stream(void **state)
{
	static const size_t pieces[] = { 1, 7, 100000 };
	struct twin *t = &twins;
	struct test_bytes z = compressed(twins.system_zlib, page.data + 30000, 40000, 15, page.data, 30000, Z_NO_FLUSH);

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		twin_open(t, i == 2 ? 47 : 15);
		twin_feed(t, &z, pieces[i], 1000, Z_NO_FLUSH);
		assert_int_equal(t->code, Z_NEED_DICT);
		twin_inflate(t, z.data + t->used_bytes, 5, 100, Z_NO_FLUSH);
		assert_int_equal(t->code, Z_NEED_DICT);
		assert_int_equal(TWIN_CALL(t, inflateSetDictionary, page.data, 29999), Z_DATA_ERROR);
		assert_int_equal(TWIN_CALL(t, inflateSetDictionary, page.data, 30000), Z_OK);
		twin_compare_history(t);
		twin_feed(t, &z, pieces[i], 777, Z_NO_FLUSH);
		CHECK_TWIN(t);
		assert_int_equal(t->code, Z_STREAM_END);
		assert_int_equal(t->made.len_bytes, 40000);
		assert_memory_equal(t->made.data, page.data + 30000, 40000);
		TWIN_CALL_0(t, inflateReset);
		twin_compare_history(t);
		CHECK_TWIN(t);
		twin_close(t);
	}
	bytes_free(&z);
}

static void test_dictionary_of_a_raw_stream(void **state)
{
	static const int windows[] = { -15, -12, -9 };
	struct twin *t = &twins;

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		struct test_bytes z = compressed(twins.system_zlib, page.data + 40000, 30000, windows[i], page.data, 40000, Z_FULL_FLUSH);

		twin_open(t, windows[i]);
		assert_int_equal(TWIN_CALL(t, inflateSetDictionary, page.data, 39000), Z_OK);      /* in two parts */
		assert_int_equal(TWIN_CALL(t, inflateSetDictionary, page.data + 39000, 1000), Z_OK);
		twin_compare_history(t);
		twin_feed(t, &z, 900, 500, Z_NO_FLUSH);
		CHECK_TWIN(t);
		assert_int_equal(t->code, Z_STREAM_END);
		assert_memory_equal(t->made.data, page.data + 40000, 30000);
		twin_compare_history(t);
		CHECK_TWIN(t);
		twin_close(t);

		twin_open(t, windows[i]);        /* in the middle of a stream, on a stop between blocks */
		TWIN_CALL(t, inflateSetDictionary, page.data, 40000);
		for (unsigned calls = 0; calls < 4 && !t->fault; calls++)
			twin_inflate(t, z.data + t->used_bytes, z.len_bytes - t->used_bytes, 40000, Z_BLOCK);
		assert_int_equal(TWIN_CALL(t, inflateSetDictionary, page.data, 300), Z_OK);
		twin_compare_history(t);
		twin_feed(t, &z, 900, 500, Z_NO_FLUSH);
		CHECK_TWIN(t);
		twin_close(t);
		bytes_free(&z);
	}
}

/* What NGINX's gunzip filter does: 32 KB in, 4 KB out, no pointer kept between calls, inflateReset() between members. */
static void test_members_in_the_shape_of_nginx(void **state)
{
	struct twin *t = &twins;
	struct test_bytes all = { 0 };
	size_t plain_bytes = 0;

	(void)state;
	for (unsigned member = 0; member < 4; member++) {
		struct test_bytes z = compressed(twins.system_zlib, page.data, 100000 >> (4 * member), 31, NULL, 0, Z_NO_FLUSH);

		plain_bytes += (size_t)100000 >> (4 * member);
		bytes_append(&all, z.data, z.len_bytes);
		bytes_free(&z);
	}
	twin_open(t, 31);
	for (unsigned member = 0; member < 4; member++) {
		twin_feed(t, &all, 32768, 4096, member == 3 ? Z_FINISH : Z_NO_FLUSH);
		CHECK_TWIN(t);
		assert_int_equal(t->code, Z_STREAM_END);
		TWIN_CALL_0(t, inflateReset);
	}
	CHECK_TWIN(t);
	assert_int_equal(t->used_bytes, all.len_bytes);
	assert_int_equal(t->made.len_bytes, plain_bytes);
	assert_memory_equal(t->made.data, page.data, 100000);
	twin_close(t);
	bytes_free(&all);
}

static void test_end_is_reported_with_the_last_byte(void **state)
{
	static const int windows[] = { -15, 15, 31 };
	static const int flushes[] = { Z_NO_FLUSH, Z_FINISH };

	(void)state;
	for (size_t w = 0; w < 3; w++)
		for (size_t f = 0; f < 2; f++)
			for (size_t bytes = 0; bytes < 100000; bytes = bytes * 3 + 1) {
				struct test_bytes z = compressed(twins.system_zlib, page.data, bytes, windows[w], NULL, 0, Z_NO_FLUSH);

				twin_open(&twins, windows[w]);
				twin_inflate(&twins, z.data, z.len_bytes, bytes, flushes[f]);
				CHECK_TWIN(&twins);
				assert_int_equal(twins.code, Z_STREAM_END);
				twin_close(&twins);
				bytes_free(&z);
			}
}

/* CVE-2022-37434: an extra field longer than the caller's room, in several calls. */
static void test_header_fields_in_pieces(void **state)
{
	static const uInt maxima[] = { 0, 1, 5, 100, 299, 300, 1000 };
	struct twin *t = &twins;

	(void)state;
	for (size_t m = 0; m < sizeof maxima / sizeof maxima[0]; m++)
		for (size_t piece = 1; piece < 400; piece = piece * 2 + 1)
			for (unsigned fields = 0; fields < 32; fields++) {
				uint8_t extra[300];
				Bytef our[3][1008], their[3][1008];
				gz_header ours, theirs, write = { .time = 0x12345678, .os = 3, .text = 1 };
				struct test_bytes z = { 0 };
				z_stream s;

				for (unsigned i = 0; i < sizeof extra; i++)
					extra[i] = (uint8_t)(i * 7 + 1);
				write.extra = fields & 1 ? extra : NULL;
				write.extra_len = sizeof extra;
				write.name = fields & 2 ? (Bytef *)"a-name-of-some-length.html" : NULL;
				write.comment = fields & 4 ? (Bytef *)"and a comment" : NULL;
				write.hcrc = fields >> 3 & 1;
				memset(&s, 0, sizeof s);
				t->system_zlib->deflateInit2_(&s, 6, Z_DEFLATED, 31, 8, 0, "1.2.11", (int)sizeof s);
				t->system_zlib->deflateSetHeader(&s, &write);
				bytes_reserve(&z, 2000);
				s.next_out = z.data;
				s.avail_out = 2000;
				t->system_zlib->deflate(&s, Z_FINISH);
				z.len_bytes = s.total_out;
				t->system_zlib->deflateEnd(&s);

				memset(&ours, 0, sizeof ours);
				memset(our, 0xee, sizeof our);
				memset(their, 0xee, sizeof their);
				ours.extra = our[0];
				ours.name = our[1];
				ours.comment = our[2];
				ours.extra_max = ours.name_max = ours.comm_max = maxima[m];
				theirs = ours;
				theirs.extra = their[0];
				theirs.name = their[1];
				theirs.comment = their[2];
				if (fields & 16) {       /* the caller wants none of them */
					ours.extra = ours.name = ours.comment = NULL;
					theirs.extra = theirs.name = theirs.comment = NULL;
				}
				twin_open(t, 47);
				twin_same(t, "inflateGetHeader", inflateGetHeader(&t->ours, &ours), t->system_zlib->inflateGetHeader(&t->theirs, &theirs));
				twin_feed(t, &z, piece, 100, Z_NO_FLUSH);
				CHECK_TWIN(t);
				assert_int_equal(t->code, Z_STREAM_END);
				assert_memory_equal(our, their, sizeof our);
				assert_int_equal(ours.done, 1);
				assert_int_equal(theirs.done, 1);
				assert_int_equal(ours.text, theirs.text);
				assert_int_equal(ours.time, theirs.time);
				assert_int_equal(ours.xflags, theirs.xflags);
				assert_int_equal(ours.os, theirs.os);
				assert_int_equal(ours.hcrc, theirs.hcrc);
				assert_int_equal(ours.extra_len, theirs.extra_len);
				assert_int_equal(ours.extra == NULL, theirs.extra == NULL);
				assert_int_equal(ours.name == NULL, theirs.name == NULL);
				assert_int_equal(ours.comment == NULL, theirs.comment == NULL);
				twin_close(t);
				bytes_free(&z);
			}
}

static void test_header_of_a_zlib_stream_is_none(void **state)
{
	struct test_bytes z = compressed(twins.system_zlib, page.data, 100, 15, NULL, 0, Z_NO_FLUSH);
	gz_header head;

	(void)state;
	memset(&head, 0, sizeof head);
	twin_open(&twins, 47);
	assert_int_equal(inflateGetHeader(&twins.ours, &head), Z_OK);
	assert_int_equal(head.done, 0);
	twin_feed(&twins, &z, 1000, 1000, Z_NO_FLUSH);
	CHECK_TWIN(&twins);
	assert_int_equal(head.done, -1);
	twin_close(&twins);
	bytes_free(&z);
}

/* The first bits of a raw stream through inflatePrime(), the rest shifted down. */
static void test_prime(void **state)
{
	struct test_bytes z = compressed(twins.system_zlib, page.data, 5000, -15, NULL, 0, Z_NO_FLUSH);
	struct twin *t = &twins;

	(void)state;
	for (unsigned bits = 0; bits <= 40; bits++) {
		struct test_bytes rest = { 0 };
		unsigned first = bits < 16 ? bits : 16, second = bits - first;

		for (size_t at = bits; at < 8 * z.len_bytes; at += 8) {
			unsigned v = (unsigned)z.data[at / 8] >> (at % 8);

			if (at % 8 && at / 8 + 1 < z.len_bytes)
				v |= (unsigned)(z.data[at / 8 + 1] << (8 - at % 8));
			bytes_append_byte(&rest, (uint8_t)v);
		}
		twin_open(t, -15);
		TWIN_CALL(t, inflatePrime, (int)first, z.data[0] | z.data[1] << 8);
		TWIN_CALL(t, inflatePrime, (int)second, z.data[2] | z.data[3] << 8 | z.data[4] << 16);
		CHECK_TWIN(t);
		if (second > 16) {
			assert_int_equal(inflatePrime(&t->ours, (int)second, 0), Z_STREAM_ERROR);
		} else {
			twin_feed(t, &rest, 1 + bits, 999, Z_NO_FLUSH);
			CHECK_TWIN(t);
			assert_int_equal(t->code, Z_STREAM_END);
			assert_int_equal(t->made.len_bytes, 5000);
		}
		twin_close(t);
		bytes_free(&rest);
	}
	twin_open(t, -15);                       /* negative empties; more than 32 in all is refused; high bits are masked */
	TWIN_CALL(t, inflatePrime, 16, -1);
	TWIN_CALL(t, inflatePrime, 16, -1);
	assert_int_equal(TWIN_CALL(t, inflatePrime, 1, 1), Z_STREAM_ERROR);
	TWIN_CALL(t, inflatePrime, -1, 0);
	twin_feed(t, &z, 50, 999, Z_NO_FLUSH);
	CHECK_TWIN(t);
	assert_int_equal(t->code, Z_STREAM_END);
	twin_close(t);
	bytes_free(&z);
}

/* Bits between any two bytes of a stream.  Pieces of five bytes: zlib's fast loop, which needs six, gives back to next_in what
 * was primed.  Found by fuzz_inflate: in a stored block bits were given back that had not come from there. */
static void test_prime_between_any_two_bytes(void **state)
{
	static const int counts[] = { 1, 3, 5, 8, 11, 16 };
	struct twin *t = &twins;
	unsigned primed = 0;
	struct bits b = { .hold = 0 };
	struct bits_code litlen, dist;

	(void)state;
	bits_make_fixed_litlen(&litlen);
	bits_make_fixed_dist(&dist);
	bits_put_stored(&b, false, page.data, 40);
	bits_put_block_start(&b, false, BLOCK_FIXED);
	for (unsigned i = 0; i < 10; i++) {
		bits_put_symbol(&b, &litlen, 'a' + i);
		bits_put_match(&b, &litlen, &dist, 3 + i, 1 + i * 4);
	}
	bits_put_symbol(&b, &litlen, SYMBOL_END_OF_BLOCK);
	bits_put_stored(&b, true, page.data, 20);
	bits_put_bytes(&b, page.data, 30);       /* bits that came in between make more of this the stream's */
	bits_end(&b);
	for (size_t cut = 0; cut < b.bytes.len_bytes; cut++)
		for (unsigned i = 0; i < sizeof counts / sizeof counts[0]; i++) {
			struct test_bytes head = { b.bytes.data, cut, cut };

			twin_open(t, -15);
			twin_feed(t, &head, 5, 999, Z_NO_FLUSH);
			CHECK_TWIN(t);
			if (t->code == Z_OK || t->code == Z_BUF_ERROR) {
				/* zlib may have taken half a symbol */
				primed += (t->ours.data_type & 63) == (t->theirs.data_type & 63);
				if ((t->ours.data_type & 63) == (t->theirs.data_type & 63))
					TWIN_CALL(t, inflatePrime, counts[i], 0xa5c3 >> i);
				else
					twin_inflate(t, b.bytes.data + t->used_bytes, 1, 999, Z_NO_FLUSH);
			}
			twin_feed(t, &b.bytes, 5, 999, Z_NO_FLUSH);
			CHECK_TWIN(t);
			twin_close(t);
		}
	assert_true(primed > b.bytes.len_bytes);
	bits_free(&b);
}

static void test_sync_after_damage(void **state)
{
	static const int windows[] = { -15, 15, 31, 47 };
	struct rng r = rng_seed(7);
	struct twin *t = &twins;
	unsigned found = 0;

	(void)state;
	for (unsigned round = 0; round < 400; round++) {
		int window = windows[round % 4];
		struct test_bytes z = compressed(twins.system_zlib, page.data, 20000, window == 47 ? 31 : window, NULL, 0, Z_FULL_FLUSH);
		size_t piece = 1 + stream_below(&r, 3000);

		z.data[20 + stream_below(&r, 1000)] ^= (uint8_t)(1 + stream_below(&r, 255));
		twin_open(t, window);
		twin_feed(t, &z, piece, 700, Z_NO_FLUSH);
		if (t->code == Z_DATA_ERROR || round % 3 == 0)
			for (unsigned calls = 0; calls < 30000 && !t->fault; calls++) {
				size_t left = z.len_bytes - t->used_bytes, n = left < piece ? left : piece;

				t->ours.next_in = t->theirs.next_in = z.data + t->used_bytes;
				t->ours.avail_in = t->theirs.avail_in = (uInt)n;
				TWIN_CALL_0(t, inflateSync);
				twin_same(t, "avail_in", (long)t->ours.avail_in, (long)t->theirs.avail_in);
				t->used_bytes += n - t->ours.avail_in;
				if (t->ours.avail_in || t->used_bytes == z.len_bytes)
					break;
				twin_inflate(t, z.data, 0, 10, Z_NO_FLUSH); /* refused until the marker is found */
			}
		twin_feed(t, &z, piece, 700, Z_NO_FLUSH);
		found += t->code == Z_STREAM_END;
		TWIN_CALL_0(t, inflateReset);    /* what is left of the wrapper's checks */
		twin_feed(t, &z, piece, 700, Z_NO_FLUSH);
		CHECK_TWIN(t);
		twin_close(t);
		bytes_free(&z);
	}
	assert_true(found > 50);
}

static void test_validate_turns_checks_off_and_on(void **state)
{
	struct test_bytes z = compressed(twins.system_zlib, page.data, 3000, 31, NULL, 0, Z_NO_FLUSH);
	struct twin *t = &twins;

	(void)state;
	z.data[z.len_bytes - 6] ^= 1;            /* the CRC */
	for (int check = 0; check < 2; check++) {
		twin_open(t, 31);
		TWIN_CALL(t, inflateValidate, check);
		twin_feed(t, &z, 100, 100, Z_NO_FLUSH);
		CHECK_TWIN(t);
		assert_int_equal(t->code, check ? Z_DATA_ERROR : Z_STREAM_END);
		twin_close(t);
	}
	twin_open(t, -15);                       /* raw has no check to turn on */
	TWIN_CALL(t, inflateValidate, 1);
	CHECK_TWIN(t);
	twin_close(t);
	bytes_free(&z);
}

/* A check that is turned off at one byte of a gzip header and on at a later one: what is compared then is zlib's affair, but
 * must be the same.  Found by fuzz_inflate: without the magic in it a sum of nothing was 0, and a field of 0 was accepted. */
static void test_validate_inside_a_header(void **state)
{
	const uint8_t magic[2] = { GZIP_MAGIC_1, GZIP_MAGIC_2 };
	struct twin *t = &twins;
	unsigned refused = 0;

	(void)state;
	for (unsigned kind = 0; kind < 3; kind++) {
		struct bits b = { .hold = 0 };
		size_t header_bytes;

		bits_put_gzip_header(&b, GZIP_FLAG_EXTRA | GZIP_FLAG_NAME | GZIP_FLAG_HEADER_CRC);
		bits_put(&b, 3, 16);
		bits_put_bytes(&b, "ex\0name", 8);
		bits_put(&b, kind == 0 ? 0 : kind == 1 ? bits_crc32(0, magic, 2) : bits_crc32(0, b.bytes.data, b.bytes.len_bytes), 16);
		header_bytes = b.bytes.len_bytes;
		bits_put_stored(&b, true, "plain", 5);
		bits_put_le32(&b, bits_crc32(0, (const uint8_t *)"plain", 5));
		bits_put_le32(&b, 5);
		bits_end(&b);
		for (size_t off = 0; off <= header_bytes; off++)
			for (size_t on = off; on <= header_bytes; on++) {
				struct test_bytes head = { b.bytes.data, off, off }, middle = { b.bytes.data, on, on };

				twin_open(t, 31);
				twin_feed(t, &head, 7, 99, Z_NO_FLUSH);
				TWIN_CALL(t, inflateValidate, 0);
				twin_feed(t, &middle, 7, 99, Z_NO_FLUSH);
				TWIN_CALL(t, inflateValidate, 1);
				twin_feed(t, &b.bytes, 7, 99, Z_NO_FLUSH);
				CHECK_TWIN(t);
				refused += t->code == Z_DATA_ERROR;
				twin_close(t);
			}
		bits_free(&b);
	}
	assert_true(refused > 0);
}

static void test_reset_keep_keeps_history(void **state)
{
	struct test_bytes first = compressed(twins.system_zlib, page.data, 30000, -15, NULL, 0, Z_NO_FLUSH);
	struct test_bytes second = compressed(twins.system_zlib, page.data + 30000, 30000, -15, page.data, 30000, Z_NO_FLUSH);
	struct twin *t = &twins;

	(void)state;
	for (int keep = 0; keep < 2; keep++) {
		twin_open(t, -15);
		twin_feed(t, &first, 500, 4096, Z_NO_FLUSH);
		if (keep)
			TWIN_CALL_0(t, inflateResetKeep);
		else
			TWIN_CALL_0(t, inflateReset);
		twin_compare_history(t);
		t->used_bytes = 0;
		twin_feed(t, &second, 500, 4096, Z_NO_FLUSH);
		CHECK_TWIN(t);
		assert_int_equal(t->code, keep ? Z_STREAM_END : Z_DATA_ERROR);
		twin_close(t);
	}
	bytes_free(&first);
	bytes_free(&second);
}

static void test_window_smaller_than_the_distances(void **state)
{
	struct test_bytes z = compressed(twins.system_zlib, page.data, 60000, -15, NULL, 0, Z_NO_FLUSH);
	struct twin *t = &twins;

	(void)state;
	for (int window = 8; window <= 15; window++) {
		twin_open(t, -window);           /* one call: all of its output is in reach */
		twin_feed(t, &z, 100000, 60000, Z_NO_FLUSH);
		CHECK_TWIN(t);
		assert_int_equal(t->code, Z_STREAM_END);
		twin_close(t);
		twin_open(t, -window);           /* small calls: too far back as soon as the window is */
		twin_feed(t, &z, 100000, 64, Z_NO_FLUSH);
		CHECK_TWIN(t);
		assert_int_equal(t->code, window == 15 ? Z_STREAM_END : Z_DATA_ERROR);
		twin_close(t);
	}
	bytes_free(&z);
}

static int setup(void **state)
{
	twins_begin(state);
	corpus_make(CORPUS_HTML, 5, 100000, &page);
	return 0;
}

static int teardown(void **state)
{
	bytes_free(&page);
	return twins_end(state);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_window_bits_are_accepted_as_zlib_does),
		cmocka_unit_test(test_bad_arguments),
		cmocka_unit_test(test_dictionary_of_a_zlib_stream),
		cmocka_unit_test(test_dictionary_of_a_raw_stream),
		cmocka_unit_test(test_members_in_the_shape_of_nginx),
		cmocka_unit_test(test_end_is_reported_with_the_last_byte),
		cmocka_unit_test(test_header_fields_in_pieces),
		cmocka_unit_test(test_header_of_a_zlib_stream_is_none),
		cmocka_unit_test(test_prime),
		cmocka_unit_test(test_prime_between_any_two_bytes),
		cmocka_unit_test(test_sync_after_damage),
		cmocka_unit_test(test_validate_turns_checks_off_and_on),
		cmocka_unit_test(test_validate_inside_a_header),
		cmocka_unit_test(test_reset_keep_keeps_history),
		cmocka_unit_test(test_window_smaller_than_the_distances),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
