/* SPDX-License-Identifier: Zlib */
/* contract_inflate.c - inflate(): return codes, Z_FINISH, Z_BLOCK and Z_TREES, wrappers and windows, the end.
 * Random streams beside the system's zlib: tests/inflate/test_differential.c, test_calls.c. */
#include "abi/contract.h"
#include "lib/bits.h"

#define BODY_BYTES 50000

static struct test_bytes body;

static int make_body(void **state)
{
	(void)state;
	corpus_make(CORPUS_HTML, 12, BODY_BYTES, &body);
	return 0;
}

static int free_body(void **state)
{
	(void)state;
	bytes_free(&body);
	return 0;
}

static int run(const struct peer_zlib *p, z_stream *s, const void *in, size_t in_bytes, void *out, size_t out_bytes, int flush)
{
	contract_input(s, in, in_bytes);
	contract_output(s, out, out_bytes);
	return p->inflate(s, flush);
}

static void begin(const struct peer_zlib *p, z_stream *s, int window_bits)
{
	*s = (z_stream){ 0 };
	EXPECT(p, contract_inflate_init(p, s, window_bits), Z_OK);
}

/* ---- codes ----------------------------------------------------------------------------------------------------- */

/* Z_FINISH in one call: the end if all fits; Z_BUF_ERROR if not, which is no error of the data and can be gone on from. */
static void finish_without_enough_of_either(void **state)
{
	static Bytef out[BODY_BYTES];

	(void)state;
	EACH_ZLIB(p) {
		struct test_bytes packed = { 0 };
		z_stream s;

		contract_pack(p, 6, 15, body.data, BODY_BYTES, &packed);
		begin(p, &s, 15);
		EXPECT(p, run(p, &s, packed.data, packed.len_bytes, out, BODY_BYTES, Z_FINISH), Z_STREAM_END);
		EXPECT(p, s.avail_in, 0);
		EXPECT(p, s.total_out, BODY_BYTES);
		EXPECT(p, p->inflateReset(&s), Z_OK);
		EXPECT(p, run(p, &s, packed.data, packed.len_bytes, out, BODY_BYTES - 1, Z_FINISH), Z_BUF_ERROR);
		EXPECT(p, s.total_out, BODY_BYTES - 1);          /* it did make progress */
		contract_output(&s, out + BODY_BYTES - 1, 1);
		EXPECT(p, p->inflate(&s, Z_FINISH), Z_STREAM_END);
		assert_memory_equal(out, body.data, BODY_BYTES);
		EXPECT(p, p->inflateReset(&s), Z_OK);
		EXPECT(p, run(p, &s, packed.data, packed.len_bytes - 1, out, BODY_BYTES, Z_FINISH), Z_BUF_ERROR);
		EXPECT(p, s.total_in, packed.len_bytes - 1);
		contract_input(&s, packed.data + packed.len_bytes - 1, 1);
		EXPECT(p, p->inflate(&s, Z_NO_FLUSH), Z_STREAM_END);
		EXPECT(p, p->inflateEnd(&s), Z_OK);
		bytes_free(&packed);
	}
}

/* Z_OK means progress in either direction; without any Z_BUF_ERROR, and the next call with something goes on. */
static void no_progress_is_a_buffer_error(void **state)
{
	static Bytef out[BODY_BYTES];

	(void)state;
	EACH_ZLIB(p) {
		struct test_bytes packed = { 0 };
		z_stream s;

		contract_pack(p, 6, 31, body.data, BODY_BYTES, &packed);
		begin(p, &s, 31);
		EXPECT(p, run(p, &s, NULL, 0, out, BODY_BYTES, Z_NO_FLUSH), Z_BUF_ERROR);
		EXPECT(p, run(p, &s, packed.data, 5, out, 0, Z_NO_FLUSH), Z_OK);   /* a header needs no room */
		EXPECT(p, s.avail_in, 0);
		EXPECT(p, run(p, &s, NULL, 0, out, 0, Z_SYNC_FLUSH), Z_BUF_ERROR);
		EXPECT(p, s.msg == NULL, 1);
		EXPECT(p, run(p, &s, packed.data + 5, packed.len_bytes - 5, out, BODY_BYTES, Z_SYNC_FLUSH), Z_STREAM_END);
		EXPECT(p, p->inflateEnd(&s), Z_OK);
		bytes_free(&packed);
	}
}

static void wrong_pointers(void **state)
{
	Bytef out[10];

	(void)state;
	EACH_ZLIB(p) {
		z_stream s;

		begin(p, &s, 15);
		EXPECT(p, run(p, &s, "abc", 3, NULL, 10, Z_NO_FLUSH), Z_STREAM_ERROR);
		EXPECT(p, run(p, &s, "abc", 3, NULL, 0, Z_NO_FLUSH), Z_STREAM_ERROR);
		EXPECT(p, run(p, &s, NULL, 3, out, 10, Z_NO_FLUSH), Z_STREAM_ERROR);
		EXPECT(p, run(p, &s, NULL, 0, out, 10, Z_NO_FLUSH), Z_BUF_ERROR);
		EXPECT(p, s.total_in, 0);
		EXPECT(p, p->inflateEnd(&s), Z_OK);
	}
}

/* Bytes behind the end stay in the input; the end is told again and again; only a reset begins the next member. */
static void the_end_takes_nothing_more(void **state)
{
	static const int bits[] = { 15, 31, 47, -15 };
	Bytef out[100];

	(void)state;
	EACH_ZLIB(p)
		for (size_t k = 0; k < 4; k++) {
			struct test_bytes packed = { 0 };
			size_t one;
			z_stream s;

			contract_pack(p, 6, bits[k] == 47 ? 31 : bits[k], "first", 5, &packed);
			one = packed.len_bytes;
			contract_pack(p, 6, bits[k] == 47 ? 31 : bits[k], "second", 6, &packed);
			begin(p, &s, bits[k]);
			EXPECT(p, run(p, &s, packed.data, packed.len_bytes, out, sizeof out, Z_NO_FLUSH), Z_STREAM_END);
			EXPECT_AT(p, bits[k], s.avail_in, packed.len_bytes - one);
			EXPECT(p, s.total_out, 5);
			for (int i = 0; i < 3; i++) {
				EXPECT(p, p->inflate(&s, i ? Z_FINISH : Z_NO_FLUSH), Z_STREAM_END);
				EXPECT(p, s.avail_in, packed.len_bytes - one);
			}
			EXPECT(p, p->inflateReset(&s), Z_OK);
			EXPECT(p, s.total_in, 0);
			EXPECT(p, s.avail_in, packed.len_bytes - one);   /* buffers are the caller's */
			EXPECT(p, p->inflate(&s, Z_FINISH), Z_STREAM_END);
			EXPECT(p, s.total_out, 6);
			assert_memory_equal(out, "firstsecond", 11);
			EXPECT(p, p->inflateEnd(&s), Z_OK);
			bytes_free(&packed);
		}
}

/* Damage is told again until a reset, and moves nothing. */
static void an_error_stays(void **state)
{
	Bytef out[100];

	(void)state;
	EACH_ZLIB(p) {
		uLong in_before;
		z_stream s;

		begin(p, &s, -15);
		EXPECT(p, run(p, &s, "\x07zzz", 4, out, sizeof out, Z_NO_FLUSH), Z_DATA_ERROR);
		EXPECT(p, strcmp(s.msg, "invalid block type"), 0);
		in_before = s.total_in;
		for (int i = 0; i < 3; i++)
			EXPECT(p, p->inflate(&s, Z_NO_FLUSH), Z_DATA_ERROR);
		EXPECT(p, s.total_in, in_before);
		EXPECT(p, p->inflateReset(&s), Z_OK);
		EXPECT(p, s.msg == NULL, 1);
		EXPECT(p, run(p, &s, "\x03\0", 2, out, sizeof out, Z_NO_FLUSH), Z_STREAM_END);
		EXPECT(p, p->inflateEnd(&s), Z_OK);
	}
}

/* adler is the checksum of all output, while it comes and at the end; total_in and total_out count. */
static void the_checksum_keeps_step(void **state)
{
	static Bytef out[BODY_BYTES];

	(void)state;
	EACH_ZLIB(p)
		for (int gzip = 0; gzip < 2; gzip++) {
			struct test_bytes packed = { 0 };
			z_stream s;
			int code = Z_OK;

			contract_pack(p, 6, gzip ? 31 : 15, body.data, BODY_BYTES, &packed);
			begin(p, &s, 47);
			contract_input(&s, packed.data, packed.len_bytes);
			while (code == Z_OK) {
				size_t at = s.total_out;

				contract_output(&s, out + at, BODY_BYTES - at < 999 ? BODY_BYTES - at : 999);
				code = p->inflate(&s, Z_NO_FLUSH);
				if (s.total_out)
					EXPECT(p, s.adler, gzip ? p->crc32(0, out, (uInt)s.total_out) : p->adler32(1, out, (uInt)s.total_out));
			}
			EXPECT(p, code, Z_STREAM_END);
			EXPECT(p, p->inflateEnd(&s), Z_OK);
			bytes_free(&packed);
		}
}

static void a_wrong_trailer(void **state)
{
	static const struct { int bits; unsigned from_end; const char *msg; } cases[] = {
		{ 15, 1, "incorrect data check" }, { 15, 4, "incorrect data check" }, { 31, 8, "incorrect data check" },
		{ 31, 5, "incorrect data check" }, { 31, 4, "incorrect length check" }, { 31, 1, "incorrect length check" },
	};
	static Bytef out[BODY_BYTES];

	(void)state;
	EACH_ZLIB(p)
		for (size_t c = 0; c < 6; c++) {
			struct test_bytes packed = { 0 };
			z_stream s;

			contract_pack(p, 6, cases[c].bits, body.data, BODY_BYTES, &packed);
			packed.data[packed.len_bytes - cases[c].from_end] ^= 1;
			begin(p, &s, cases[c].bits);
			EXPECT(p, run(p, &s, packed.data, packed.len_bytes, out, BODY_BYTES, Z_FINISH), Z_DATA_ERROR);
			EXPECT_AT(p, (long long)c, strcmp(s.msg, cases[c].msg), 0);
			EXPECT(p, s.total_out, BODY_BYTES);
			EXPECT(p, p->inflateReset(&s), Z_OK);
			EXPECT(p, p->inflateValidate(&s, 0), Z_OK);
			EXPECT(p, run(p, &s, packed.data, packed.len_bytes, out, BODY_BYTES, Z_FINISH), Z_STREAM_END);
			EXPECT(p, p->inflateEnd(&s), Z_OK);
			bytes_free(&packed);
		}
}

/* ---- wrappers and windows -------------------------------------------------------------------------------------- */

/* Which of raw, zlib and gzip each windowBits reads. */
static void each_window_bits_reads_its_formats(void **state)
{
	static const struct { int bits; bool zlib, gzip; } readers[] = {
		{ 15, true, false }, { 31, false, true }, { 47, true, true }, { 0, true, false }, { 16, false, true }, { 32, true, true },
	};
	static Bytef out[BODY_BYTES];

	(void)state;
	EACH_ZLIB(p) {
		struct test_bytes z = { 0 }, g = { 0 };

		contract_pack(p, 6, 15, body.data, BODY_BYTES, &z);
		contract_pack(p, 6, 31, body.data, BODY_BYTES, &g);
		for (size_t r = 0; r < 6; r++) {
			z_stream s;

			begin(p, &s, readers[r].bits);
			EXPECT_AT(p, readers[r].bits, run(p, &s, z.data, z.len_bytes, out, BODY_BYTES, Z_FINISH),
				  readers[r].zlib ? Z_STREAM_END : Z_DATA_ERROR);
			EXPECT(p, p->inflateReset(&s), Z_OK);
			EXPECT_AT(p, readers[r].bits, run(p, &s, g.data, g.len_bytes, out, BODY_BYTES, Z_FINISH),
				  readers[r].gzip ? Z_STREAM_END : Z_DATA_ERROR);
			EXPECT(p, p->inflateEnd(&s), Z_OK);
		}
		bytes_free(&z);
		bytes_free(&g);
	}
}

/* A zlib header that asks for more window than the caller allows is refused; 0 allows what the header asks for. */
static void a_window_larger_than_allowed(void **state)
{
	Bytef out[100];

	(void)state;
	EACH_ZLIB(p)
		for (int made = 9; made <= 15; made++) {
			struct test_bytes packed = { 0 };
			z_stream s = { 0 };

			EXPECT(p, contract_deflate_init(p, &s, 6, made), Z_OK);
			EXPECT(p, streams_deflate(p, &s, "abc", 3, Z_FINISH, &packed), Z_STREAM_END);
			EXPECT(p, p->deflateEnd(&s), Z_OK);
			EXPECT(p, packed.data[0], 8 | (made - 8) << 4);
			for (int allowed = 8; allowed <= 15; allowed++) {
				begin(p, &s, allowed);
				EXPECT_AT(p, made * 100 + allowed, run(p, &s, packed.data, packed.len_bytes, out, 100, Z_FINISH),
					  made > allowed ? Z_DATA_ERROR : Z_STREAM_END);
				if (made > allowed)
					EXPECT(p, strcmp(s.msg, "invalid window size"), 0);
				EXPECT(p, p->inflateEnd(&s), Z_OK);
			}
			begin(p, &s, 0);
			EXPECT(p, run(p, &s, packed.data, packed.len_bytes, out, 100, Z_FINISH), Z_STREAM_END);
			EXPECT(p, p->inflateEnd(&s), Z_OK);
			bytes_free(&packed);
		}
}

/* ---- Z_BLOCK and Z_TREES ---------------------------------------------------------------------------------------- */

/* Two blocks, the second the last.  Z_BLOCK: behind the header, behind each block.  Z_TREES: behind each block's header too. */
static void stops_are_where_they_are_promised(void **state)
{
	Bytef out[100];

	(void)state;
	EACH_ZLIB(p)
		for (int trees = 0; trees < 2; trees++) {
			struct bits b = { .hold = 0 };
			struct bits_code litlen, dist;
			int stops[10], stop_count = 0, code = Z_OK;
			uLong outs[10];
			z_stream s;

			bits_make_fixed_litlen(&litlen);
			bits_make_fixed_dist(&dist);
			bits_put(&b, 0x9c78, 16);
			bits_put_block_start(&b, false, BLOCK_FIXED);
			bits_put_symbol(&b, &litlen, 'a');
			bits_put_symbol(&b, &litlen, SYMBOL_END_OF_BLOCK);
			bits_put_stored(&b, true, (const uint8_t *)"bcd", 3);
			bits_put(&b, 0xd803, 16);
			bits_put(&b, 0x8b01, 16);
			bits_end(&b);
			begin(p, &s, 15);
			contract_input(&s, b.bytes.data, b.bytes.len_bytes);
			contract_output(&s, out, sizeof out);
			while (code == Z_OK && stop_count < 10) {
				code = p->inflate(&s, trees ? Z_TREES : Z_BLOCK);
				outs[stop_count] = s.total_out;
				stops[stop_count++] = s.data_type;
			}
			EXPECT(p, code, Z_STREAM_END);
			EXPECT(p, stop_count, trees ? 6 : 4);
			EXPECT(p, stops[0], 128);
			EXPECT(p, outs[0], 0);
			if (trees) {
				EXPECT(p, stops[1] & 256, 256);
				EXPECT(p, outs[1], 0);
				EXPECT(p, stops[2] & 128, 128);
				EXPECT(p, outs[2], 1);
				EXPECT(p, stops[3], 256 + 64);
				EXPECT(p, outs[3], 1);
				EXPECT(p, stops[4], 128 + 64);
				EXPECT(p, outs[4], 4);
			} else {
				EXPECT(p, stops[1], 128 + 6);    /* 3 + 8 + 7 bits: six of the third byte are unused */
				EXPECT(p, outs[1], 1);
				EXPECT(p, stops[2], 128 + 64);
				EXPECT(p, outs[2], 4);
			}
			EXPECT(p, s.total_out, 4);
			assert_memory_equal(out, "abcd", 4);
			EXPECT(p, p->inflateEnd(&s), Z_OK);
			bits_free(&b);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finish_without_enough_of_either),
		cmocka_unit_test(no_progress_is_a_buffer_error),
		cmocka_unit_test(wrong_pointers),
		cmocka_unit_test(the_end_takes_nothing_more),
		cmocka_unit_test(an_error_stays),
		cmocka_unit_test(the_checksum_keeps_step),
		cmocka_unit_test(a_wrong_trailer),
		cmocka_unit_test(each_window_bits_reads_its_formats),
		cmocka_unit_test(a_window_larger_than_allowed),
		cmocka_unit_test(stops_are_where_they_are_promised),
	};

	return cmocka_run_group_tests(tests, make_body, free_body);
}
