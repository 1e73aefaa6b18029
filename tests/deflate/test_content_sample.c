/* SPDX-License-Identifier: Zlib */
/* test_content_sample.c - what is counted of an input, for every byte value, size and place. */
#include "deflate/content_sample.h"
#include "lib/cmocka_all.h"
#include "lib/rng.h"

#include <stdlib.h>
#include <string.h>

static void a_byte_is_in_the_wrong_class(void **state)
{
	static uint8_t in[CONTENT_LEAST_BYTES];

	(void)state;
	for (unsigned c = 0; c < 256; c++) {
		struct zw_content found;

		memset(in, (int)c, sizeof in);
		found = zw_content_sample(in, sizeof in);
		assert_int_equal(found.digits, c >= '0' && c <= '9' ? CONTENT_SAMPLE_BYTES : 0);
		assert_int_equal(found.blanks, c <= ' ' ? CONTENT_SAMPLE_BYTES : 0);
	}
}

/* Neighbours must not change each other's class: each count is that of the bytes that were looked at. */
static void bytes_of_a_word_disturb_each_other(void **state)
{
	static uint8_t in[CONTENT_LEAST_BYTES];
	struct rng r = rng_seed(1);

	(void)state;
	for (unsigned round = 0; round < 500; round++) {
		struct zw_content found;
		unsigned digits = 0, blanks = 0;

		for (size_t i = 0; i < sizeof in; i += CONTENT_LEAST_BYTES / 32)
			for (size_t k = i; k < i + 8; k++) {
				in[k] = (uint8_t)(rng_one_in(&r, 2) ? rng_between(&r, 0x1e, 0x3b) : rng_between(&r, 0, 255));
				digits += in[k] >= '0' && in[k] <= '9';
				blanks += in[k] <= ' ';
			}
		found = zw_content_sample(in, sizeof in);
		assert_int_equal(found.digits, digits);
		assert_int_equal(found.blanks, blanks);
	}
}

static void a_part_of_the_input_does_not_count(void **state)
{
	static const size_t sizes[] = { CONTENT_LEAST_BYTES, CONTENT_LEAST_BYTES + 1, 10007, 65536 };

	(void)state;
	for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
		for (unsigned quarter = 0; quarter < 4; quarter++) {
			uint8_t *in = malloc(sizes[s]);  /* of that size, so that a sanitizer sees a byte too far */
			struct zw_content found;

			memset(in, 'x', sizes[s]);
			memset(in + sizes[s] / 4 * quarter, '7', sizes[s] / 4);
			found = zw_content_sample(in, sizes[s]);
			assert_true(found.digits >= CONTENT_SAMPLE_BYTES / 4 - 8 && found.digits <= CONTENT_SAMPLE_BYTES / 4 + 8);
			free(in);
		}
}

static void a_short_input_is_judged(void **state)
{
	static uint8_t in[CONTENT_LEAST_BYTES];
	struct zw_content found;

	(void)state;
	memset(in, '1', sizeof in);
	for (size_t n = 0; n < CONTENT_LEAST_BYTES; n += 1 + n / 3) {
		found = zw_content_sample(n ? in : NULL, n);
		assert_int_equal(found.digits + found.blanks, 0);
	}
	found = zw_content_sample(in, CONTENT_LEAST_BYTES - 1);
	assert_int_equal(found.digits + found.blanks, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_byte_is_in_the_wrong_class),
		cmocka_unit_test(bytes_of_a_word_disturb_each_other),
		cmocka_unit_test(a_part_of_the_input_does_not_count),
		cmocka_unit_test(a_short_input_is_judged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
