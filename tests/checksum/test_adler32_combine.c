/* SPDX-License-Identifier: Zlib */
/* test_adler32_combine.c - the Adler-32 of two strings in a row against the one of the whole. */
#include "checksum/combine.h"

#include "checksum/checksum_reference.h"
#include "lib/rng.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>
#include <string.h>

#define WHOLE_BYTES 140000

static void a_cut_changes_the_sum(void **state)
{
	static uint8_t bytes[WHOLE_BYTES];
	struct rng rng = rng_seed(3);

	(void)state;
	for (int pass = 0; pass < 2; pass++) {
		rng_fill(&rng, bytes, WHOLE_BYTES);
		if (pass)
			memset(bytes, 255, WHOLE_BYTES);
		for (unsigned i = 0; i < 300; i++) {
			size_t len = rng_size(&rng, WHOLE_BYTES), cut = (size_t)rng_below(&rng, len + 1);
			uint32_t first = reference_adler32(1, bytes, cut);
			uint32_t second = reference_adler32(1, bytes + cut, len - cut);

			assert_int_equal(zw_adler32_combine(first, second, len - cut), reference_adler32(1, bytes, len));
		}
	}
}

/* 65521 zero bytes leave the first sum and add it 65521 times to the second: nothing changes. */
static void a_length_beyond_32_bits_is_cut_off(void **state)
{
	uint32_t zeros_2_40 = (uint32_t)((UINT64_C(1) << 40) % 65521) << 16 | 1;

	(void)state;
	assert_int_equal(zw_adler32_combine(0x00620062, zeros_2_40, UINT64_C(1) << 40),
			 ((0x62 + 0x62 * ((UINT64_C(1) << 40) % 65521)) % 65521) << 16 | 0x62);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_cut_changes_the_sum),
		cmocka_unit_test(a_length_beyond_32_bits_is_cut_off),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
