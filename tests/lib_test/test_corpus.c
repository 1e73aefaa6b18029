/* SPDX-License-Identifier: Zlib */
#include "lib/bits.h"
#include "lib/cmocka_all.h"
#include "lib/corpus.h"

static void test_length_or_bytes_vary(void **state)
{
	static const size_t lens[] = { 0, 1, 100, 40001 };

	(void)state;
	for (int kind = 0; kind < CORPUS_KIND_COUNT; kind++) {
		for (size_t i = 0; i < sizeof lens / sizeof lens[0]; i++) {
			struct test_bytes a = { 0 }, b = { 0 };

			corpus_make((enum corpus_kind)kind, 5, lens[i], &a);
			corpus_make((enum corpus_kind)kind, 5, lens[i], &b);
			assert_int_equal(a.len_bytes, lens[i]);
			assert_int_equal(b.len_bytes, lens[i]);
			assert_memory_equal(a.data, b.data, lens[i]);
			bytes_free(&a);
			bytes_free(&b);
		}
	}
}

static void test_bytes_depend_on_the_compiler_or_the_machine(void **state)
{
	struct test_bytes b = { 0 };

	(void)state;
	for (int kind = 0; kind < CORPUS_KIND_COUNT; kind++)
		corpus_make((enum corpus_kind)kind, 9, 20000, &b);
	assert_int_equal(bits_crc32(0, b.data, b.len_bytes), 0x110fc740);
	bytes_free(&b);
}

static void test_data_json_is_not_the_published_one(void **state)
{
	struct test_bytes b = { 0 };

	(void)state;
	corpus_data_json(&b);
	assert_int_equal(b.len_bytes, CORPUS_DATA_JSON_BYTES);
	assert_int_equal(bits_crc32(0, b.data, b.len_bytes), CORPUS_DATA_JSON_CRC32);
	bytes_free(&b);
}

static void test_de_bruijn_repeats_a_word(void **state)
{
	struct test_bytes b = { 0 };
	static uint8_t seen[65536];

	(void)state;
	corpus_make(CORPUS_DE_BRUIJN, 1, 65536, &b);
	for (size_t at = 0; at + 8 <= b.len_bytes; at++) {
		unsigned index = 0;
		uint8_t lowest = b.data[0];              /* the sequence starts with the first letter */

		for (unsigned i = 0; i < 8; i++)
			index = index * 4 + (unsigned)(b.data[at + i] - lowest);
		assert_int_equal(seen[index], 0);
		seen[index] = 1;
	}
	bytes_free(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_length_or_bytes_vary),
		cmocka_unit_test(test_bytes_depend_on_the_compiler_or_the_machine),
		cmocka_unit_test(test_data_json_is_not_the_published_one),
		cmocka_unit_test(test_de_bruijn_repeats_a_word),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
