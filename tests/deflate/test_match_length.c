/* SPDX-License-Identifier: Zlib */
/* test_match_length.c - common lengths against a loop over bytes, for every length and place of the difference. */
#include "deflate/match_length.h"
#include "base/rfc.h"
#include "cpu/features.h"
#include "lib/cmocka_all.h"
#include "lib/rng.h"

#define ROOM 320

#if ZW_ARCH_X86
/* The parsers have it inlined; as here, in functions for that set. */
ZW_TARGET("avx2") static unsigned prefix64_wide(const uint8_t *a, const uint8_t *b) { return zw_prefix64_wide(a, b); }
#endif

static unsigned equal_bytes(const uint8_t *a, const uint8_t *b, unsigned max)
{
	unsigned n = 0;

	while (n < max && a[n] == b[n])
		n++;
	return n;
}

static void a_forward_length_is_wrong(void **state)
{
	struct rng r = rng_seed(1);
	uint8_t a[ROOM], b[ROOM];

	(void)state;
	for (unsigned differs = 0; differs <= MATCH_MAX_BYTES + 1; differs++)
		for (unsigned max = 0; max <= MATCH_MAX_BYTES; max += max < 40 ? 1 : 7) {
			unsigned want;

			rng_fill(&r, a, sizeof a);
			memcpy(b, a, sizeof b);
			b[differs] ^= (uint8_t)(1 + rng_below(&r, 255));
			if (rng_one_in(&r, 2))       /* what follows must not count */
				rng_fill(&r, b + differs + 1, sizeof b - differs - 1);
			want = equal_bytes(a, b, max);
			assert_int_equal(zw_match_length(a, b, max), want);
			assert_int_equal(zw_prefix16(a, b), differs < 16 ? differs : 16);
			if (want >= 16)
				assert_int_equal(zw_match_extend(a, b, 16, max), want);
			assert_int_equal(zw_match_extend(a, b, 0, max), want);
		}
}

/* Both bodies of the parsers, where this machine has AVX2. */
static void a_long_comparison_is_wrong(void **state)
{
	zw_prefix64_fn *bodies[2] = { zw_prefix64, zw_prefix64 };
	struct rng r = rng_seed(5);
	uint8_t a[ROOM + 64], b[ROOM + 64];

	(void)state;
#if ZW_ARCH_X86
	if ((zw_cpu_features() & ZW_NEEDS_X86_AVX2) == ZW_NEEDS_X86_AVX2)
		bodies[1] = prefix64_wide;
#endif
	for (unsigned differs = 0; differs <= MATCH_MAX_BYTES + 1; differs++)
		for (unsigned round = 0; round < 20; round++) {
			unsigned max = (unsigned)rng_below(&r, MATCH_MAX_BYTES + 1), want;

			rng_fill(&r, a, sizeof a);
			rng_fill(&r, b, sizeof b);
			memcpy(b, a, differs);
			b[differs] = (uint8_t)(a[differs] ^ (1u << rng_below(&r, 8)));
			want = equal_bytes(a, b, max);
			assert_int_equal(zw_prefix32(a, b), differs < 32 ? differs : 32);
			for (int k = 0; k < 2; k++) {
				assert_int_equal(bodies[k](a, b), differs < 64 ? differs : 64);
				assert_int_equal(zw_match_extend_by(a, b, 0, max, bodies[k]), want);
				assert_int_equal(zw_match_extend_by(a, b, want, max, bodies[k]), want);
			}
		}
}

static void an_overlapping_length_is_wrong(void **state)
{
	struct rng r = rng_seed(2);
	uint8_t a[ROOM];

	(void)state;
	for (unsigned distance = 1; distance < 40; distance++)
		for (unsigned len = 1; len < 200; len++) {
			rng_fill(&r, a, sizeof a);
			for (unsigned i = 0; i < len; i++)
				a[40 + i] = a[40 + i - distance];
			a[40 + len] = (uint8_t)(a[40 + len - distance] + 1);
			assert_int_equal(zw_match_length(a + 40, a + 40 - distance, MATCH_MAX_BYTES), len);
		}
}

static void a_backward_length_is_wrong(void **state)
{
	struct rng r = rng_seed(3);
	uint8_t a[COMPARE_STEP_BYTES], b[COMPARE_STEP_BYTES];

	(void)state;
	for (unsigned same = 0; same <= COMPARE_STEP_BYTES; same++)
		for (unsigned round = 0; round < 50; round++) {
			rng_fill(&r, a, sizeof a);
			rng_fill(&r, b, sizeof b);
			memcpy(b + sizeof b - same, a + sizeof a - same, same);
			if (same < COMPARE_STEP_BYTES)
				b[sizeof b - same - 1] = (uint8_t)(a[sizeof a - same - 1] ^ 0x80);
			assert_int_equal(zw_suffix16(a + sizeof a, b + sizeof b), same);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_forward_length_is_wrong),
		cmocka_unit_test(a_long_comparison_is_wrong),
		cmocka_unit_test(an_overlapping_length_is_wrong),
		cmocka_unit_test(a_backward_length_is_wrong),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
