/* SPDX-License-Identifier: Zlib */
/* contract_utility.c - compress*(), uncompress*(), their bounds, the checksums' combinations, version and flags: what 1.3.2
 * added or changed, beside every zlib that has it.  The rest: test_utility.c, test_checksum_abi.c, test_version.c. */
#include "abi/contract.h"

/* ---- lengths that come back ------------------------------------------------------------------------------------ */

/* What one call said: its code and what it left in the lengths. */
struct said { int code; uLong dest, source; };

static struct said unpack(const struct peer_zlib *p, const Bytef *in, uLong in_bytes, uLong room)
{
	static Bytef out[200];
	struct said r = { .dest = room, .source = in_bytes };

	r.code = p->uncompress2(room ? out : NULL, &r.dest, in, &r.source);
	return r;
}

/* uncompress2() of whole, cut, damaged and lengthened streams into room of every size: the same code and, where they mean
 * something, the same lengths as zlib.  Before 1.3.2 no room at all was told as damage. */
static void every_end_of_uncompress2_is_zlibs(void **state)
{
	Bytef packed[300];
	uLong packed_bytes = 250;
	struct test_bytes body = { 0 };

	(void)state;
	corpus_make(CORPUS_HTML, 1, 100, &body);
	assert_int_equal(compress(packed, &packed_bytes, body.data, 100), Z_OK);
	memset(packed + packed_bytes, 0, 10);
	EACH_ZLIB(p) {
		if (is_ours(p))
			continue;
		for (uLong len = 0; len <= packed_bytes + 10; len++)
			for (uLong room = has_1_3_2(p) ? 0 : 1; room <= 102; room++)
				for (int damage = -1; damage < (int)len && damage < 60; damage += 7) {
					long long turn = (long long)(len * 1000 + room);
					struct said a, b;

					if (damage >= 0)
						packed[damage] ^= 0x10;
					a = unpack(p, packed, len, room);
					b = unpack(peer_ours(), packed, len, room);
					if (damage >= 0)
						packed[damage] ^= 0x10;
					if (!has_1_3_2(p) && a.code == Z_BUF_ERROR && b.code == Z_DATA_ERROR && b.source == len)
						continue;        /* input and room used up together: older ones blame the room */
					EXPECT_AT(p, turn, a.code, b.code);
					if (a.code != Z_DATA_ERROR) {
						EXPECT_AT(p, turn, a.source, b.source);
						EXPECT_AT(p, turn, a.dest, b.dest);
					}
				}
	}
	bytes_free(&body);
}

/* Wrong arguments of the functions that 1.3.2 added; the old ones with the same. */
static void null_arguments_of_the_new_functions(void **state)
{
	Bytef some[100];

	(void)state;
	EACH_ZLIB(p) {
		z_size_t n = 50, m = 10;

		if (!has_1_3_2(p))
			continue;
		EXPECT(p, p->compress_z(some, NULL, some, 1), Z_STREAM_ERROR);
		EXPECT(p, p->compress_z(NULL, &n, some, 1), Z_STREAM_ERROR);
		EXPECT(p, p->compress_z(some, &n, NULL, 1), Z_STREAM_ERROR);
		EXPECT(p, p->compress2_z(some, NULL, some, 1, 6), Z_STREAM_ERROR);
		EXPECT(p, p->uncompress_z(some, NULL, some, 1), Z_STREAM_ERROR);
		EXPECT(p, p->uncompress2_z(some, &n, some, NULL), Z_STREAM_ERROR);
		EXPECT(p, p->uncompress2_z(NULL, &n, some, &m), Z_STREAM_ERROR);
		EXPECT(p, p->uncompress2_z(some, &n, NULL, &m), Z_STREAM_ERROR);
		EXPECT(p, n, 50);
		EXPECT(p, m, 10);
		EXPECT(p, p->compress2_z(some, &n, some, 1, 77), Z_STREAM_ERROR);
		n = 50;                          /* NULL is fine for nothing */
		EXPECT(p, p->compress_z(some, &n, NULL, 0), Z_OK);
		EXPECT(p, n, 8);
		m = n;
		n = 0;
		EXPECT(p, p->uncompress2_z(NULL, &n, some, &m), Z_OK);
		EXPECT(p, n, 0);
		EXPECT(p, m, 8);
	}
}

/* compress2() into room of every size up to what is needed. */
static void every_room_of_compress2(void **state)
{
	struct test_bytes body = { 0 };

	(void)state;
	corpus_make(CORPUS_JSON, 1, 300, &body);
	EACH_ZLIB(p)
		for (int level = 0; level <= 9; level += 3) {
			Bytef out[400];
			uLong need = sizeof out;

			EXPECT(p, p->compress2(out, &need, body.data, 300, level), Z_OK);
			for (uLong room = 0; room <= need; room++) {
				uLong got = room;

				memset(out, 0x5c, sizeof out);
				EXPECT_AT(p, (long long)room, p->compress2(out, &got, body.data, 300, level), room < need ? Z_BUF_ERROR : Z_OK);
				EXPECT_AT(p, (long long)room, got, room);
				EXPECT_AT(p, (long long)room, out[room], 0x5c);
			}
		}
	bytes_free(&body);
}

/* ---- bounds ---------------------------------------------------------------------------------------------------- */

/* Where the sum does not fit 1.3.2 says the largest number there is; until then it wrapped around. */
static void a_bound_that_does_not_fit(void **state)
{
	static const uLong over[] = { ULONG_MAX, ULONG_MAX - 1, ULONG_MAX - 1000, ULONG_MAX - (ULONG_MAX >> 13) };

	(void)state;
	EACH_ZLIB(p) {
		EXPECT(p, p->compressBound(0), 13);
		EXPECT(p, p->compressBound(ULONG_MAX >> 1) > ULONG_MAX >> 1, 1);
		for (size_t i = 0; i < 4 && has_1_3_2(p); i++) {
			EXPECT_AT(p, (long long)i, p->compressBound(over[i]), ULONG_MAX);
			EXPECT_AT(p, (long long)i, p->compressBound_z(over[i]), (z_size_t)-1);
		}
	}
}

static void all_zlibs_have_the_same_bounds(void **state)
{
	struct rng random = rng_seed(5);

	(void)state;
	EACH_ZLIB(p)
		for (unsigned i = 0; i < 3000; i++) {
			uLong len = (uLong)rng_next(&random) >> rng_between(&random, 2, 63);

			EXPECT(p, p->compressBound(len), compressBound(len));
			if (has_1_3_2(p))
				EXPECT(p, p->compressBound_z(len), compressBound(len));
		}
}

/* ---- checksums ------------------------------------------------------------------------------------------------- */

/* Over 4 GB, and negative, which only 1.3.2 and ours take for CRC-32: 0, as no length has it; Adler-32 has no such value. */
static void combinations_of_any_length(void **state)
{
	static const z_off64_t lengths[] = { 0, 1, 0xffffffff, 0x100000000, 0x100000001, 0x7fffffffffffffff };
	static const z_off64_t negative[] = { -1, -65521, -0x100000000, -0x7fffffffffffffff - 1 };

	(void)state;
	EACH_ZLIB(p) {
		for (size_t i = 0; i < 6; i++) {
			EXPECT_AT(p, (long long)i, p->crc32_combine64(0x89abcdef, 0x12345678, lengths[i]),
				  crc32_combine64(0x89abcdef, 0x12345678, lengths[i]));
			EXPECT_AT(p, (long long)i, p->adler32_combine64(0x00620062, 0x12345678, lengths[i]),
				  adler32_combine64(0x00620062, 0x12345678, lengths[i]));
			if (p->crc32_combine_op)
				EXPECT_AT(p, (long long)i, p->crc32_combine_op(1, 2, p->crc32_combine_gen64(lengths[i])),
					  p->crc32_combine64(1, 2, lengths[i]));
		}
		for (size_t i = 0; i < 4; i++) {
			EXPECT_AT(p, (long long)i, p->adler32_combine64(1, 2, negative[i]), 0xffffffff);
			if (!has_1_3_2(p))
				continue;
			EXPECT_AT(p, (long long)i, p->crc32_combine_gen64(negative[i]), 0);
			EXPECT_AT(p, (long long)i, p->crc32_combine64(1, 2, negative[i]), 0);
			EXPECT_AT(p, (long long)i, p->crc32_combine_op(1, 2, 0), 0);
		}
	}
}

/* Zeros of more than 4 GB by combining, against the checksum taken piece by piece (deep). */
static void a_combination_over_4_gb_is_that_of_the_bytes(void **state)
{
	static Bytef zeros[1 << 20];
	const struct peer_zlib *p = peer_ours();
	uLong crc = 0, adler = 1, piece_crc = p->crc32(0, zeros, sizeof zeros), piece_adler = p->adler32(1, zeros, sizeof zeros);
	uLong head_crc = p->crc32(0, (const Bytef *)"head", 4), head_adler = p->adler32(1, (const Bytef *)"head", 4);
	const z_off64_t pieces = 5000;

	(void)state;
	if (!contract_is_deep())
		skip();                          /* reads more than 4 GB: for ./check --deep */
	for (z_off64_t i = 0; i < pieces; i++) {
		crc = p->crc32(crc, zeros, sizeof zeros);
		adler = p->adler32(adler, zeros, sizeof zeros);
	}
	EXPECT(p, p->crc32_combine64(piece_crc, p->crc32(0, zeros, 0), 0), piece_crc);
	EXPECT(p, p->adler32_combine64(piece_adler, 1, 0), piece_adler);
	EACH_ZLIB(z) {
		uLong whole_crc = head_crc, whole_adler = head_adler;

		for (z_off64_t i = 0; i < pieces; i++) {
			whole_crc = z->crc32(whole_crc, zeros, sizeof zeros);
			whole_adler = z->adler32(whole_adler, zeros, sizeof zeros);
		}
		EXPECT(z, z->crc32_combine64(head_crc, crc, pieces << 20), whole_crc);
		EXPECT(z, z->adler32_combine64(head_adler, adler, pieces << 20), whole_adler);
	}
}

/* ---- version --------------------------------------------------------------------------------------------------- */

static void version_and_flags(void **state)
{
	(void)state;
	EACH_ZLIB(p) {
		EXPECT(p, p->zlibVersion()[0], '1');
		EXPECT(p, p->zlibCompileFlags() & 0xff, sizeof(long) == 8 ? 0xa9 : 0x55);
		EXPECT(p, p->zlibCompileFlags() & 1 << 16, 0);           /* gz functions can write */
		EXPECT(p, p->zlibCompileFlags() & 1 << 17, 0);           /* gzip is in */
		EXPECT(p, p->zlibCompileFlags() >> 24 & 7, 0);           /* gzprintf() is safe */
		if (has_1_3_2(p))
			EXPECT(p, strcmp(p->zlibVersion(), "1.3.2") >= 0, 1);
		for (int e = Z_VERSION_ERROR; e <= Z_NEED_DICT; e++)
			EXPECT_AT(p, e, strcmp(p->zError(e), zError(e)), 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_end_of_uncompress2_is_zlibs),
		cmocka_unit_test(null_arguments_of_the_new_functions),
		cmocka_unit_test(every_room_of_compress2),
		cmocka_unit_test(a_bound_that_does_not_fit),
		cmocka_unit_test(all_zlibs_have_the_same_bounds),
		cmocka_unit_test(combinations_of_any_length),
		cmocka_unit_test(a_combination_over_4_gb_is_that_of_the_bytes),
		cmocka_unit_test(version_and_flags),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
