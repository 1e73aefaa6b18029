/* SPDX-License-Identifier: Zlib */
/* contract_init.c - deflateInit*(), inflateInit*(), inflateBackInit(): arguments, default allocators, first values. */
#include "abi/contract.h"

#define UNTOUCHED 0x5a5a5a5au

/* A stream in which every field that Init has to set or leave alone has a value that is not the right one. */
static z_stream dirty_stream(void)
{
	z_stream s = { 0 };

	s.avail_in = s.avail_out = UNTOUCHED;
	s.next_in = s.next_out = (Bytef *)&s;    /* only compared */
	s.total_in = s.total_out = s.adler = 77;
	s.data_type = 99;
	s.msg = "old";
	s.reserved = 55;
	return s;
}

static void the_first_values_of_a_deflate_stream(void **state)
{
	static const struct { int window_bits; uLong adler; } kinds[] = { { 15, 1 }, { 31, 0 }, { -15, 1 } };

	(void)state;
	EACH_ZLIB(p)
		for (size_t k = 0; k < 3; k++) {
			z_stream s = dirty_stream();

			EXPECT(p, contract_deflate_init(p, &s, 6, kinds[k].window_bits), Z_OK);
			EXPECT(p, s.total_in, 0);
			EXPECT(p, s.total_out, 0);
			EXPECT(p, s.msg == NULL, 1);
			EXPECT(p, s.data_type, Z_UNKNOWN);
			EXPECT_AT(p, kinds[k].window_bits, s.adler, kinds[k].adler);
			EXPECT(p, s.avail_in, UNTOUCHED);        /* buffers are not looked at */
			EXPECT(p, s.avail_out, UNTOUCHED);
			EXPECT(p, s.zalloc != NULL && s.zfree != NULL, 1);
			EXPECT(p, p->deflateEnd(&s), Z_OK);
		}
}

static void the_first_values_of_an_inflate_stream(void **state)
{
	static const struct { int window_bits; uLong adler; } kinds[] = { { 15, 1 }, { 31, 0 }, { 47, 1 }, { -15, 77 }, { 0, 1 } };

	(void)state;
	EACH_ZLIB(p)
		for (size_t k = 0; k < 5; k++) {
			z_stream s = dirty_stream();

			EXPECT(p, contract_inflate_init(p, &s, kinds[k].window_bits), Z_OK);
			EXPECT(p, s.total_in, 0);
			EXPECT(p, s.total_out, 0);
			EXPECT(p, s.msg == NULL, 1);
			EXPECT_AT(p, kinds[k].window_bits, s.adler, kinds[k].adler);     /* raw has none, so it is left alone */
			EXPECT(p, s.avail_in, UNTOUCHED);
			EXPECT(p, s.avail_out, UNTOUCHED);
			EXPECT(p, s.zalloc != NULL && s.zfree != NULL, 1);
			EXPECT(p, p->inflateEnd(&s), Z_OK);
		}
}

/* Only the first character of the version has to agree, and the size of z_stream. */
static void a_version_or_size_that_does_not_fit_is_told_first(void **state)
{
	static Bytef window[32768];
	static const struct { const char *version; int size_error, code; } cases[] = {
		{ "1.2.3", 0, Z_OK }, { "1", 0, Z_OK }, { "1.99", 0, Z_OK }, { "2.0", 0, Z_VERSION_ERROR }, { "", 0, Z_VERSION_ERROR },
		{ NULL, 0, Z_VERSION_ERROR }, { "1.3.2", 1, Z_VERSION_ERROR }, { "1.3.2", -1, Z_VERSION_ERROR },
		{ "1.3.2", INT_MIN / 2, Z_VERSION_ERROR },
	};

	(void)state;
	EACH_ZLIB(p)
		for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
			const char *version = cases[c].version;
			z_stream s = { 0 };
			int size = (int)sizeof s + cases[c].size_error;
			long long turn = (long long)c;

			EXPECT_AT(p, turn, p->deflateInit_(&s, 6, version, size), cases[c].code);
			EXPECT_AT(p, turn, cases[c].code ? 0 : p->deflateEnd(&s), 0);
			EXPECT_AT(p, turn, p->deflateInit2_(&s, 6, 8, 15, 8, 0, version, size), cases[c].code);
			EXPECT_AT(p, turn, cases[c].code ? 0 : p->deflateEnd(&s), 0);
			EXPECT_AT(p, turn, p->inflateInit_(&s, version, size), cases[c].code);
			EXPECT_AT(p, turn, cases[c].code ? 0 : p->inflateEnd(&s), 0);
			EXPECT_AT(p, turn, p->inflateInit2_(&s, 15, version, size), cases[c].code);
			EXPECT_AT(p, turn, cases[c].code ? 0 : p->inflateEnd(&s), 0);
			EXPECT_AT(p, turn, p->inflateBackInit_(&s, 15, window, version, size), cases[c].code);
			EXPECT_AT(p, turn, cases[c].code ? 0 : p->inflateBackEnd(&s), 0);
			if (!cases[c].code)
				continue;
			EXPECT_AT(p, turn, p->deflateInit_(NULL, 99, version, size), Z_VERSION_ERROR);   /* before all else */
			EXPECT_AT(p, turn, p->inflateInit_(NULL, version, size), Z_VERSION_ERROR);
			EXPECT_AT(p, turn, p->inflateBackInit_(NULL, 99, NULL, version, size), Z_VERSION_ERROR);
		}
}

/* 9 to 15, negative raw, + 16 gzip; 8 only for zlib, where it is taken as 9. */
static bool deflate_takes(int window_bits)
{
	return (window_bits >= 8 && window_bits <= 15) || (window_bits >= -15 && window_bits <= -9) ||
	       (window_bits >= 25 && window_bits <= 31);
}

/* The same with 0 for "as the header says", 8 everywhere, and + 32 for both.  16 and 32 are 0 with a wrapper. */
static bool inflate_takes(int window_bits)
{
	int bare = window_bits < 0 ? -window_bits : window_bits < 48 ? window_bits & 15 : window_bits;

	return window_bits >= -15 && (bare == 0 || (bare >= 8 && bare <= 15));
}

static const int extreme[] = { INT_MIN, INT_MIN + 1, -65536, -1000, 1000, 65536 + 15, INT_MAX - 1, INT_MAX };
#define EXTREME_COUNT ((int)(sizeof extreme / sizeof extreme[0]))

static void window_bits_of_every_kind(void **state)
{
	(void)state;
	EACH_ZLIB(p)
		for (int i = -70; i <= 70 + EXTREME_COUNT; i++) {
			int bits = i <= 70 ? i : extreme[i - 71];
			z_stream s = { 0 };

			EXPECT_AT(p, bits, contract_deflate_init(p, &s, 6, bits), deflate_takes(bits) ? Z_OK : Z_STREAM_ERROR);
			if (deflate_takes(bits))
				EXPECT(p, p->deflateEnd(&s), Z_OK);
			if (bits == INT_MIN)
				continue;                /* zlib before 1.3 negates it; ours: below */
			EXPECT_AT(p, bits, contract_inflate_init(p, &s, bits), inflate_takes(bits) ? Z_OK : Z_STREAM_ERROR);
			if (inflate_takes(bits))
				EXPECT(p, p->inflateEnd(&s), Z_OK);
		}
}

static void the_smallest_number_is_refused(void **state)
{
	const struct peer_zlib *p = peer_ours();
	z_stream s = { 0 };

	(void)state;
	EXPECT(p, contract_inflate_init(p, &s, INT_MIN), Z_STREAM_ERROR);
	EXPECT(p, contract_inflate_init(p, &s, 15), Z_OK);
	EXPECT(p, p->inflateReset2(&s, INT_MIN), Z_STREAM_ERROR);
	EXPECT(p, p->inflateReset2(&s, 15), Z_OK);
	EXPECT(p, p->inflateEnd(&s), Z_OK);
}

static void level_method_memory_and_strategy_outside_their_ranges(void **state)
{
	(void)state;
	EACH_ZLIB(p)
		for (int i = -3; i <= 12 + EXTREME_COUNT; i++) {
			int v = i <= 12 ? i : extreme[i - 13];
			z_stream s = { 0 };
			int size = (int)sizeof s;

			EXPECT_AT(p, v, p->deflateInit_(&s, v, ZLIB_VERSION, size), v >= -1 && v <= 9 ? Z_OK : Z_STREAM_ERROR);
			(void)p->deflateEnd(&s);
			EXPECT_AT(p, v, p->deflateInit2_(&s, 6, v, 15, 8, 0, ZLIB_VERSION, size), v == 8 ? Z_OK : Z_STREAM_ERROR);
			(void)p->deflateEnd(&s);
			EXPECT_AT(p, v, p->deflateInit2_(&s, 6, 8, 15, v, 0, ZLIB_VERSION, size),
				  v >= 1 && v <= 9 ? Z_OK : Z_STREAM_ERROR);
			(void)p->deflateEnd(&s);
			EXPECT_AT(p, v, p->deflateInit2_(&s, 6, 8, 15, 8, v, ZLIB_VERSION, size),
				  v >= 0 && v <= 4 ? Z_OK : Z_STREAM_ERROR);
			(void)p->deflateEnd(&s);
		}
}

static void the_back_window_has_8_to_15_bits(void **state)
{
	static Bytef window[32768];

	(void)state;
	EACH_ZLIB(p)
		for (int i = -20; i <= 50 + EXTREME_COUNT; i++) {
			int bits = i <= 50 ? i : extreme[i - 51];
			z_stream s = { 0 };
			int want = bits >= 8 && bits <= 15 ? Z_OK : Z_STREAM_ERROR;

			EXPECT_AT(p, bits, p->inflateBackInit_(&s, bits, window, ZLIB_VERSION, (int)sizeof s), want);
			if (want == Z_OK)
				EXPECT(p, p->inflateBackEnd(&s), Z_OK);
		}
}

/* The default level is 6: same library, same bytes. */
static void minus_one_is_level_6(void **state)
{
	struct test_bytes body = { 0 };

	(void)state;
	corpus_make(CORPUS_HTML, 4, 40000, &body);
	EACH_ZLIB(p) {
		struct test_bytes a = { 0 }, b = { 0 };

		contract_pack(p, Z_DEFAULT_COMPRESSION, 15, body.data, body.len_bytes, &a);
		contract_pack(p, 6, 15, body.data, body.len_bytes, &b);
		EXPECT(p, a.len_bytes, b.len_bytes);
		assert_memory_equal(a.data, b.data, a.len_bytes);
		bytes_free(&a);
		bytes_free(&b);
	}
	bytes_free(&body);
}

/* Level 0 copies: the body stands in the stream as it is. */
static void level_0_copies(void **state)
{
	struct test_bytes body = { 0 };

	(void)state;
	corpus_make(CORPUS_JSON, 4, 1000, &body);
	EACH_ZLIB(p) {
		struct test_bytes packed = { 0 };

		contract_pack(p, 0, -15, body.data, body.len_bytes, &packed);
		EXPECT(p, packed.len_bytes, 1005);
		assert_memory_equal(packed.data + 5, body.data, 1000);
		bytes_free(&packed);
	}
	bytes_free(&body);
}

/* FLEVEL and FDICT, and the sum of the two bytes; XFL 2 for level 9, 4 for 1 and fast strategies. */
static void the_header_says_the_level(void **state)
{
	static const int flevel[10] = { 0, 0, 1, 1, 1, 1, 2, 3, 3, 3 };

	(void)state;
	EACH_ZLIB(p)
		for (int level = 0; level <= 9; level++)
			for (int strategy = 0; strategy <= Z_FIXED; strategy++) {
				struct test_bytes z = { 0 }, g = { 0 };
				bool fast = strategy >= Z_HUFFMAN_ONLY || level < 2;
				z_stream s = { 0 };

				EXPECT(p, p->deflateInit2_(&s, level, 8, 15, 8, strategy, ZLIB_VERSION, (int)sizeof s), Z_OK);
				EXPECT(p, streams_deflate(p, &s, "x", 1, Z_FINISH, &z), Z_STREAM_END);
				EXPECT(p, p->deflateEnd(&s), Z_OK);
				EXPECT(p, z.data[0], 0x78);
				EXPECT(p, (z.data[0] * 256 + z.data[1]) % 31, 0);
				EXPECT_AT(p, level * 10 + strategy, z.data[1] >> 6, strategy >= Z_HUFFMAN_ONLY ? 0 : flevel[level]);
				EXPECT(p, z.data[1] >> 5 & 1, 0);
				EXPECT(p, p->deflateInit2_(&s, level, 8, 31, 8, strategy, ZLIB_VERSION, (int)sizeof s), Z_OK);
				EXPECT(p, streams_deflate(p, &s, "x", 1, Z_FINISH, &g), Z_STREAM_END);
				EXPECT(p, p->deflateEnd(&s), Z_OK);
				assert_memory_equal(g.data, "\x1f\x8b\x08\0\0\0\0\0", 8);
				EXPECT_AT(p, level * 10 + strategy, g.data[8], level == 9 ? 2 : fast ? 4 : 0);
				EXPECT(p, g.data[9], 3);
				bytes_free(&z);
				bytes_free(&g);
			}
}

/* Functions on a stream that was never made, has ended, or is of the other kind. */
static void no_stream_is_a_stream_error(void **state)
{
	(void)state;
	EACH_ZLIB(p)
		for (int kind = 0; kind < 3; kind++) {
			z_stream s = { 0 }, t = { 0 }, *at = kind ? &s : NULL;
			unsigned pending;
			int bits;
			uInt len = 5;
			gz_header h = { 0 };

			if (kind == 2) {                 /* it has ended; the allocators are still there */
				EXPECT(p, contract_deflate_init(p, &s, 6, 15), Z_OK);
				EXPECT(p, p->deflateEnd(&s), Z_OK);
			}
			EXPECT(p, p->deflate(at, Z_NO_FLUSH), Z_STREAM_ERROR);
			EXPECT(p, p->deflateEnd(at), Z_STREAM_ERROR);
			EXPECT(p, p->deflateReset(at), Z_STREAM_ERROR);
			EXPECT(p, p->deflateResetKeep(at), Z_STREAM_ERROR);
			EXPECT(p, p->deflateParams(at, 6, 0), Z_STREAM_ERROR);
			EXPECT(p, p->deflateTune(at, 1, 1, 1, 1), Z_STREAM_ERROR);
			EXPECT(p, p->deflatePrime(at, 1, 1), Z_STREAM_ERROR);
			EXPECT(p, p->deflatePending(at, &pending, &bits), Z_STREAM_ERROR);
			EXPECT(p, p->deflateSetHeader(at, &h), Z_STREAM_ERROR);
			EXPECT(p, p->deflateSetDictionary(at, (const Bytef *)"a", 1), Z_STREAM_ERROR);
			EXPECT(p, p->deflateGetDictionary(at, NULL, &len), Z_STREAM_ERROR);
			EXPECT(p, p->deflateCopy(&t, at), Z_STREAM_ERROR);
			if (p->deflateUsed)
				EXPECT(p, p->deflateUsed(at, &bits), Z_STREAM_ERROR);
			EXPECT(p, p->inflate(at, Z_NO_FLUSH), Z_STREAM_ERROR);
			EXPECT(p, p->inflateEnd(at), Z_STREAM_ERROR);
			EXPECT(p, p->inflateReset(at), Z_STREAM_ERROR);
			EXPECT(p, p->inflateReset2(at, 15), Z_STREAM_ERROR);
			EXPECT(p, p->inflateResetKeep(at), Z_STREAM_ERROR);
			EXPECT(p, p->inflatePrime(at, 1, 1), Z_STREAM_ERROR);
			EXPECT(p, p->inflateSync(at), Z_STREAM_ERROR);
			EXPECT(p, p->inflateSyncPoint(at), Z_STREAM_ERROR);
			EXPECT(p, p->inflateMark(at), -65536);
			EXPECT(p, p->inflateGetHeader(at, &h), Z_STREAM_ERROR);
			EXPECT(p, p->inflateSetDictionary(at, (const Bytef *)"a", 1), Z_STREAM_ERROR);
			EXPECT(p, p->inflateGetDictionary(at, NULL, &len), Z_STREAM_ERROR);
			EXPECT(p, p->inflateCopy(&t, at), Z_STREAM_ERROR);
			EXPECT(p, p->inflateUndermine(at, 0), Z_STREAM_ERROR);
			EXPECT(p, p->inflateValidate(at, 1), Z_STREAM_ERROR);
			EXPECT(p, p->inflateCodesUsed(at), (unsigned long)-1);
			EXPECT(p, p->inflateBackEnd(at), Z_STREAM_ERROR);
			EXPECT(p, len, 5);
		}
}

/* A copied z_stream is not a copied stream, and a deflate stream is no inflate stream. */
static void a_struct_that_was_moved_is_no_stream(void **state)
{
	(void)state;
	EACH_ZLIB(p) {
		z_stream s = { 0 }, moved;
		Bytef out[50];

		EXPECT(p, contract_deflate_init(p, &s, 6, 15), Z_OK);
		moved = s;
		contract_input(&moved, "abc", 3);
		contract_output(&moved, out, sizeof out);
		EXPECT(p, p->deflate(&moved, Z_FINISH), Z_STREAM_ERROR);
		EXPECT(p, p->deflateEnd(&moved), Z_STREAM_ERROR);
		EXPECT(p, p->deflateEnd(&s), Z_OK);
		EXPECT(p, contract_inflate_init(p, &s, 15), Z_OK);
		moved = s;
		contract_input(&moved, "abc", 3);
		contract_output(&moved, out, sizeof out);
		EXPECT(p, p->inflate(&moved, Z_FINISH), Z_STREAM_ERROR);
		EXPECT(p, p->inflateEnd(&moved), Z_STREAM_ERROR);
		EXPECT(p, p->inflateEnd(&s), Z_OK);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_first_values_of_a_deflate_stream),
		cmocka_unit_test(the_first_values_of_an_inflate_stream),
		cmocka_unit_test(a_version_or_size_that_does_not_fit_is_told_first),
		cmocka_unit_test(window_bits_of_every_kind),
		cmocka_unit_test(the_smallest_number_is_refused),
		cmocka_unit_test(level_method_memory_and_strategy_outside_their_ranges),
		cmocka_unit_test(the_back_window_has_8_to_15_bits),
		cmocka_unit_test(minus_one_is_level_6),
		cmocka_unit_test(level_0_copies),
		cmocka_unit_test(the_header_says_the_level),
		cmocka_unit_test(no_stream_is_a_stream_error),
		cmocka_unit_test(a_struct_that_was_moved_is_no_stream),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
