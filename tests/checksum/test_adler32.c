/* SPDX-License-Identifier: Zlib */
/* test_adler32.c - every kernel set's adler32 against the definition. */
#include "checksum/checksum_reference.h"
#include "checksum/sweep.h"

static const struct { const char *breaks_if; const char *text; size_t len_bytes; uint32_t want; } vectors[] = {
	{ "empty input is not the start value", "",    0, 1 },
	{ "one byte",                           "a",   1, 0x00620062 },
	{ "the order of bytes is lost",         "abc", 3, 0x024d0127 },
	{ "nine bytes",                         "Wikipedia", 9, 0x11e60398 },
};

static uint32_t reference(uint32_t sum, const uint8_t *p, size_t len_bytes)
{
	return reference_adler32(sum, p, len_bytes);
}

static const uint32_t starts[] = { 0, 1, 0xfff0fff0, 0xffffffff, 0x12345678 };

static void known_values_are_wrong(void **state)
{
	size_t count;
	const struct zw_kernels *const *sets = zw_kernels_all(&count);

	(void)state;
	for (size_t s = 0; s < count; s++)
		for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++)
			if (sets[s]->adler32(1, (const uint8_t *)vectors[i].text, vectors[i].len_bytes) != vectors[i].want)
				fail_msg("%s: %s", sets[s]->name, vectors[i].breaks_if);
}

static void a_null_pointer_without_bytes_is_touched(void **state)
{
	size_t count;
	const struct zw_kernels *const *sets = zw_kernels_all(&count);

	(void)state;
	for (size_t s = 0; s < count; s++) {
		assert_int_equal(sets[s]->adler32(0x1234, NULL, 0), 0x1234);
		assert_int_equal(sets[s]->adler32_copy(0x1234, NULL, NULL, 0), 0x1234);
	}
}

static void a_length_or_an_alignment_is_wrong(void **state)
{
	size_t count;
	const struct zw_kernels *const *sets = zw_kernels_all(&count);

	(void)state;
	for (size_t s = 0; s < count; s++)
		for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++)
			sweep_alignments(sets[s]->adler32, sets[s]->adler32_copy, reference, starts[i], i ? 61 : sweep_step(), sets[s]->name);
}

static void a_byte_in_front_or_behind_is_touched(void **state)
{
	size_t count;
	const struct zw_kernels *const *sets = zw_kernels_all(&count);

	(void)state;
	for (size_t s = 0; s < count; s++)
		sweep_guards(sets[s]->adler32, sets[s]->adler32_copy, reference, starts[4], sweep_step(), sets[s]->name);
}

/* Bytes of 255 make the sums as large as they can become. */
static void a_long_buffer_overflows_or_depends_on_where_it_is_cut(void **state)
{
	size_t count;
	const struct zw_kernels *const *sets = zw_kernels_all(&count);

	(void)state;
	for (size_t i = 0; i < sizeof long_lengths / sizeof long_lengths[0]; i++) {
		struct guard_buffer g = guard_before_end(long_lengths[i]);
		struct rng rng = rng_seed(i);

		for (int all_ones = 0; all_ones < 2; all_ones++) {
			rng_fill(&rng, g.data, g.len_bytes);
			if (all_ones)
				memset(g.data, 255, g.len_bytes);
			for (size_t s = 0; s < count; s++)
				sweep_long(sets[s]->adler32, sets[s]->adler32_copy, reference, g.data, g.len_bytes, sets[s]->name);
		}
		guard_free(&g);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(known_values_are_wrong),
		cmocka_unit_test(a_null_pointer_without_bytes_is_touched),
		cmocka_unit_test(a_length_or_an_alignment_is_wrong),
		cmocka_unit_test(a_byte_in_front_or_behind_is_touched),
		cmocka_unit_test(a_long_buffer_overflows_or_depends_on_where_it_is_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
