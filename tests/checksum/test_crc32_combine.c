/* SPDX-License-Identifier: Zlib */
/* test_crc32_combine.c - the CRC-32 of two strings in a row against the one of the whole. */
#include "checksum/combine.h"

#include "checksum/checksum_reference.h"
#include "lib/rng.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#define WHOLE_BYTES 70000

static void a_cut_changes_the_crc(void **state)
{
	static uint8_t bytes[WHOLE_BYTES];
	struct rng rng = rng_seed(4);

	(void)state;
	rng_fill(&rng, bytes, WHOLE_BYTES);
	for (unsigned i = 0; i < 300; i++) {
		size_t len = rng_size(&rng, WHOLE_BYTES), cut = (size_t)rng_below(&rng, len + 1);
		uint32_t first = reference_crc32(0, bytes, cut), second = reference_crc32(0, bytes + cut, len - cut);

		assert_int_equal(zw_crc32_combine(first, second, zw_crc32_operator(len - cut)), reference_crc32(0, bytes, len));
	}
}

/* The operator for a sum of lengths is the product of the operators: 2^k bytes by doubling from one byte. */
static void the_operator_of_a_huge_length_is_wrong(void **state)
{
	uint32_t doubled = zw_crc32_operator(1);

	(void)state;
	for (unsigned k = 0; k < 63; k++) {
		assert_int_equal(zw_crc32_operator(UINT64_C(1) << k), doubled);
		assert_int_not_equal(doubled, 0);
		doubled = zw_crc32_combine(doubled, 0, doubled);
	}
	assert_int_equal(zw_crc32_operator(0), 0x80000000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_cut_changes_the_crc),
		cmocka_unit_test(the_operator_of_a_huge_length_is_wrong),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
