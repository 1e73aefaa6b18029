/* SPDX-License-Identifier: Zlib */
/* test_hash.c - a hash stays in its table, depends on its own bytes only, and spreads. */
#include "deflate/hash.h"
#include "lib/cmocka_all.h"
#include "lib/rng.h"

static void an_index_is_outside_or_depends_on_later_bytes(void **state)
{
	struct rng r = rng_seed(4);

	(void)state;
	for (unsigned log2 = 6; log2 <= 15; log2++)
		for (unsigned round = 0; round < 2000; round++) {
			uint64_t v = rng_next(&r), later = rng_next(&r);

			assert_true(zw_hash4((uint32_t)v, log2) < 1u << log2);
			assert_true(zw_hash5(v, log2) < 1u << log2 && zw_hash8(v, log2) < 1u << log2);
			assert_true(zw_hash6(v, log2) < 1u << log2);
			assert_int_equal(zw_hash5(v, log2), zw_hash5((v & 0xffffffffff) | later << 40, log2));
			assert_int_equal(zw_hash6(v, log2), zw_hash6((v & 0xffffffffffff) | later << 48, log2));
		}
}

/* Text-like bytes: all pairs of letters, twice over, into a table of as many entries. */
static void many_words_share_an_entry(void **state)
{
	static uint8_t used[4][1024];
	unsigned entries[4] = { 0 };

	(void)state;
	for (uint64_t i = 0; i < 1024; i++) {
		uint64_t v = ('a' + i % 32) | ('a' + i / 32) << 8 | (uint64_t)'e' << 16 | (uint64_t)' ' << 24 | (uint64_t)'t' << 32 | (uint64_t)'h' << 40;
		size_t index[4] = { zw_hash4((uint32_t)v, 10), zw_hash5(v, 10), zw_hash6(v, 10), zw_hash8(v, 10) };

		for (int k = 0; k < 4; k++)
			if (!used[k][index[k]]++)
				entries[k]++;
	}
	for (int k = 0; k < 4; k++)              /* a random function fills 1 - 1/e of them: 647 */
		assert_true(entries[k] > 550);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_index_is_outside_or_depends_on_later_bytes),
		cmocka_unit_test(many_words_share_an_entry),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
