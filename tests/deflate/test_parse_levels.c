/* SPDX-License-Identifier: Zlib */
/* test_parse_levels.c - a higher level is not larger on pages and data, by the entropy of its tokens. */
#include "lib/cmocka_all.h"
#include "lib/parse_driver.h"

static double bits_of(int level, unsigned mem_level, unsigned window_log2, const struct test_bytes *in)
{
	struct parse_setup setup = { .params = zw_level_params(level, ZW_DEFAULT_STRATEGY), .window_log2 = window_log2,
		.mem_level = mem_level, .size_known = true };
	struct parse_result r = parse_run(&setup, in->data, in->len_bytes);
	double bits = parse_entropy_bits(&r);

	parse_free(&r);
	return bits;
}

/* Neighbours may differ by chance where the input leaves them nothing to find; three levels apart may not
 * where there is something. */
static void a_higher_level_is_larger(void **state)
{
	static const size_t sizes[] = { 2000, 8000, 30000, 80000, 300000 };
	static const struct { unsigned mem_level, window_log2; } shapes[] = { { 8, 15 }, { 9, 15 }, { 5, 12 } };
	struct test_bytes in = { 0 };

	(void)state;
	for (int kind = CORPUS_HTML; kind <= CORPUS_CSS; kind++)
		for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
			for (size_t k = 0; k < sizeof shapes / sizeof shapes[0]; k++) {
				double bits[10] = { 0 };

				parse_input(kind, 8, sizes[s], &in);
				for (int level = 1; level <= 9; level++) {
					bits[level] = bits_of(level, shapes[k].mem_level, shapes[k].window_log2, &in);
					if (level > 1 && bits[level] > bits[level - 1] * 1.005)
						fail_msg("%s, %zu bytes: level %d is larger", corpus_name((enum corpus_kind)kind),
							 sizes[s], level);
					if (level > 3 && sizes[s] > 8000 && bits[level] >= bits[level - 3])
						fail_msg("%s, %zu bytes: level %d is not smaller than %d",
							 corpus_name((enum corpus_kind)kind), sizes[s], level, level - 3);
				}
			}
	bytes_free(&in);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(a_higher_level_is_larger) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
