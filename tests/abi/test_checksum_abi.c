/* SPDX-License-Identifier: Zlib */
/* test_checksum_abi.c - the checksum functions of zlib's interface, call by call beside the system's zlib. */
#include "zlib.h"

#include "lib/cmocka_all.h"
#include "lib/peer.h"
#include "lib/rng.h"

#include <string.h>

#define BYTES 70000
#define ROUNDS 2000

static Bytef bytes[BYTES];

static int fill_bytes(void **state)
{
	struct rng rng = rng_seed(11);

	(void)state;
	rng_fill(&rng, bytes, BYTES);
	return 0;
}

/* A start value as programs pass them, in and out of range, with and without bits that do not count. */
static uLong any_start(struct rng *rng)
{
	static const uint64_t edges[] = { 0, 1, 0xffffffff, 0xfff0fff0, 0xfff1fff1, 0xffff0000, 0x0000ffff };
	uint64_t v = rng_one_in(rng, 2) ? rng_next(rng) & 0xffffffff : edges[rng_below(rng, sizeof edges / sizeof edges[0])];

	if (rng_one_in(rng, 4))
		v |= rng_next(rng) << 32;
	return (uLong)v;
}

static void a_checksum_differs_from_zlib(void **state)
{
	const struct peer_zlib *system = peer_system_or_skip();
	struct rng rng = rng_seed(12);

	(void)state;
	for (unsigned i = 0; i < ROUNDS; i++) {
		uLong start = any_start(&rng);
		size_t len = rng_one_in(&rng, 3) ? (size_t)rng_below(&rng, 40) : rng_size(&rng, BYTES);
		const Bytef *p = bytes + rng_below(&rng, BYTES - len + 1);

		assert_int_equal(adler32(start, p, (uInt)len), system->adler32(start, p, (uInt)len));
		assert_int_equal(adler32_z(start, p, len), system->adler32_z(start, p, len));
		assert_int_equal(crc32(start, p, (uInt)len), system->crc32(start, p, (uInt)len));
		assert_int_equal(crc32_z(start, p, len), system->crc32_z(start, p, len));
	}
}

static void null_does_not_give_the_start_value(void **state)
{
	const struct peer_zlib *subjects[PEER_SUBJECTS_MAX];
	size_t count = peer_subjects(subjects);

	(void)state;
	for (size_t i = 0; i < count; i++) {
		assert_int_equal(subjects[i]->adler32(77, Z_NULL, 0), 1);
		assert_int_equal(subjects[i]->adler32(77, Z_NULL, 5), 1);
		assert_int_equal(subjects[i]->adler32_z(77, Z_NULL, 0), 1);
		assert_int_equal(subjects[i]->crc32(77, Z_NULL, 0), 0);
		assert_int_equal(subjects[i]->crc32(77, Z_NULL, 5), 0);
		assert_int_equal(subjects[i]->crc32_z(77, Z_NULL, 0), 0);
	}
}

static void a_combination_is_not_that_of_the_whole(void **state)
{
	const struct peer_zlib *subjects[PEER_SUBJECTS_MAX];
	size_t count = peer_subjects(subjects);
	struct rng rng = rng_seed(13);

	(void)state;
	for (unsigned i = 0; i < ROUNDS; i++) {
		const struct peer_zlib *z = subjects[i % count];
		size_t len = rng_size(&rng, BYTES), cut = (size_t)rng_below(&rng, len + 1);
		z_off_t rest = (z_off_t)(len - cut);
		uLong adler1 = z->adler32_z(1, bytes, cut), adler2 = z->adler32_z(1, bytes + cut, len - cut);
		uLong crc1 = z->crc32_z(0, bytes, cut), crc2 = z->crc32_z(0, bytes + cut, len - cut);

		assert_int_equal(z->adler32_combine(adler1, adler2, rest), z->adler32_z(1, bytes, len));
		assert_int_equal(z->adler32_combine64(adler1, adler2, rest), z->adler32_z(1, bytes, len));
		assert_int_equal(z->crc32_combine(crc1, crc2, rest), z->crc32_z(0, bytes, len));
		assert_int_equal(z->crc32_combine64(crc1, crc2, rest), z->crc32_z(0, bytes, len));
		if (z->crc32_combine_op) {       /* zlib 1.2.12 */
			assert_int_equal(z->crc32_combine_op(crc1, crc2, z->crc32_combine_gen(rest)), z->crc32_z(0, bytes, len));
			assert_int_equal(z->crc32_combine_gen64(rest), z->crc32_combine_gen(rest));
		}
	}
}

static void a_huge_length_is_combined_differently(void **state)
{
	static const z_off64_t lengths[] = { 0xffffffff, 0x100000000, 0x123456789ab, 0x7fffffffffffffff };
	const struct peer_zlib *system = peer_system_or_skip();

	(void)state;
	for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
		assert_int_equal(adler32_combine64(0x00620062, 0x12345678, lengths[i]),
				 system->adler32_combine64(0x00620062, 0x12345678, lengths[i]));
		assert_int_equal(crc32_combine64(0x89abcdef, 0x12345678, lengths[i]),
				 system->crc32_combine64(0x89abcdef, 0x12345678, lengths[i]));
	}
}

/* Any two checksums, with bits above the 32 that count, and lengths of every size up to 63 bits. */
static void a_random_combination_differs_from_zlib(void **state)
{
	const struct peer_zlib *system = peer_system_or_skip();
	struct rng rng = rng_seed(14);

	(void)state;
	for (unsigned i = 0; i < ROUNDS; i++) {
		z_off64_t len = (z_off64_t)(rng_next(&rng) >> (1 + rng_below(&rng, 63)));
		z_off_t narrow = sizeof(z_off_t) < 8 ? (z_off_t)(len & 0x7fffffff) : (z_off_t)len;
		uLong crc1 = (uLong)rng_next(&rng), crc2 = (uLong)rng_next(&rng), op = (uLong)rng_next(&rng) | 1;
		uLong adler1 = (uLong)(rng_below(&rng, 65521) << 16 | rng_below(&rng, 65521));
		uLong adler2 = (uLong)(rng_below(&rng, 65521) << 16 | rng_below(&rng, 65521));

		crc1 = rng_one_in(&rng, 4) ? crc1 : crc1 & 0xffffffff;
		crc2 &= 0xffffffff;              /* zlib passes on what is above in crc2, which is not a CRC */
		assert_int_equal(adler32_combine64(adler1, adler2, len), system->adler32_combine64(adler1, adler2, len));
		assert_int_equal(adler32_combine(adler1, adler2, narrow), system->adler32_combine(adler1, adler2, narrow));
		assert_int_equal(crc32_combine64(crc1, crc2, len), system->crc32_combine64(crc1, crc2, len));
		assert_int_equal(crc32_combine(crc1, crc2, narrow), system->crc32_combine(crc1, crc2, narrow));
		if (!system->crc32_combine_op)
			continue;                /* zlib 1.2.11 */
		assert_int_equal(crc32_combine_gen64(len), system->crc32_combine_gen64(len));
		assert_int_equal(crc32_combine_gen(narrow), system->crc32_combine_gen(narrow));
		assert_int_equal(crc32_combine_op(crc1, crc2, op), system->crc32_combine_op(crc1, crc2, op));
	}
}

/* CVE-2026-27171: zlib before 1.3.2 does not come back from this, so the system's zlib is not asked. */
static void a_negative_length_never_returns(void **state)
{
	static const z_off64_t lengths[] = { -1, -2, -0x100000000, -0x7fffffffffffffff - 1 };

	(void)state;
	for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
		assert_int_equal(crc32_combine_gen64(lengths[i]), 0);
		assert_int_equal(crc32_combine64(5, 9, lengths[i]), 0);
		assert_int_equal(adler32_combine64(5, 9, lengths[i]), 0xffffffff);
	}
	assert_int_equal(crc32_combine_gen(-1), 0);
	assert_int_equal(crc32_combine(5, 9, -1), 0);
	assert_int_equal(adler32_combine(5, 9, -1), 0xffffffff);
	assert_int_equal(crc32_combine_op(5, 9, 0), 0);
}

static void the_crc_table_is_not_zlibs(void **state)
{
	const struct peer_zlib *system = peer_system_or_skip();

	(void)state;
	assert_memory_equal(get_crc_table(), system->get_crc_table(), 256 * sizeof(z_crc_t));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(null_does_not_give_the_start_value),
		cmocka_unit_test(a_combination_is_not_that_of_the_whole),
		cmocka_unit_test(a_negative_length_never_returns),
		cmocka_unit_test(a_checksum_differs_from_zlib),
		cmocka_unit_test(a_huge_length_is_combined_differently),
		cmocka_unit_test(a_random_combination_differs_from_zlib),
		cmocka_unit_test(the_crc_table_is_not_zlibs),
	};

	return cmocka_run_group_tests(tests, fill_bytes, NULL);
}
