/* SPDX-License-Identifier: Zlib */
/* test_count_vectors.c - the portable and the vector form of each loop over counts give the same values. */
#include "deflate/count_vectors.h"
#include "lib/cmocka_all.h"
#include "lib/rng.h"

#include <math.h>
#include <string.h>

#define SLOTS LITLEN_CODE_COUNT
#define COUNT_MAX 32767u

static struct rng rng;

static uint32_t next_random(void) { return (uint32_t)(rng_next(&rng) >> 40); }

static void fill_counts(uint16_t *counts, unsigned n)
{
	unsigned zeros = next_random() % 4, shift = next_random() % 16;

	for (unsigned i = 0; i < n; i++)
		counts[i] = (uint16_t)(next_random() % 4 < zeros ? 0 : (next_random() & COUNT_MAX) >> (shift ? next_random() % shift : 0));
}

/* 1 + 16 per octave, and the counts of one octave spread over its 16 keys evenly. */
static void sort_keys_are_not_monotone(void **state)
{
	unsigned before = 0;

	(void)state;
	assert_int_equal(zw_sort_key(0), 0);
	for (unsigned count = 1; count <= COUNT_MAX; count++) {
		unsigned octave = 0, key = zw_sort_key(count);

		while (2u << octave <= count)
			octave++;
		assert_int_equal(key, 1 + 16 * octave + (count - (1u << octave)) * 16 / (1u << octave));
		assert_true(key > before || (key == before && count > 31));
		before = key;
	}
	assert_true(before < SORT_KEY_COUNT);
}

static void sort_keys_differ(void **state)
{
	uint16_t counts[SLOTS];

	(void)state;
	for (unsigned first = 0; first <= COUNT_MAX; first += SLOTS) {
		uint8_t keys[SLOTS], keys_portable[SLOTS];
		uint64_t used[5], used_portable[5];
		unsigned largest = 0;

		for (unsigned i = 0; i < SLOTS; i++)
			counts[i] = (uint16_t)(first + i <= COUNT_MAX ? first + i : 0);
		assert_int_equal(zw_sort_keys(counts, SLOTS, keys, used),
				 zw_sort_keys_portable(counts, SLOTS, keys_portable, used_portable));
		assert_memory_equal(keys, keys_portable, SLOTS);
		assert_memory_equal(used, used_portable, sizeof used);
		for (unsigned i = 0; i < SLOTS; i++) {
			assert_int_equal(keys[i], zw_sort_key(counts[i]));
			assert_int_equal(used[i / 64] >> i % 64 & 1, counts[i] != 0);
			largest = keys[i] > largest ? keys[i] : largest;
		}
		assert_int_equal(used[4] >> 32, 0);
		assert_int_equal(zw_sort_keys(counts, 32, keys, used), zw_sort_keys_portable(counts, 32, keys, used_portable));
		assert_int_equal(used[0], used_portable[0]);
		assert_int_equal(zw_sort_keys(counts, SLOTS, keys, used), largest);
	}
}

static void bucket_starts_differ(void **state)
{
	(void)state;
	for (unsigned round = 0; round < 2000; round++) {
		uint16_t first[2][SORT_KEY_COUNT], second[2][SORT_KEY_COUNT], in_first[SORT_KEY_COUNT], in_second[SORT_KEY_COUNT];
		unsigned last = next_random() % 241, sum = 0;

		for (unsigned i = 0; i < SORT_KEY_COUNT; i++) {
			first[0][i] = first[1][i] = in_first[i] = (uint16_t)(next_random() % 4);
			second[0][i] = second[1][i] = in_second[i] = (uint16_t)(next_random() % 4);
		}
		zw_bucket_starts(first[0], second[0], last);
		zw_bucket_starts_portable(first[1], second[1], last);
		assert_memory_equal(first[0], first[1], sizeof first[0]);
		assert_memory_equal(second[0], second[1], sizeof second[0]);
		for (unsigned i = 0; i <= last; i++) {
			assert_int_equal(first[0][i], sum);
			assert_int_equal(second[0][i], sum + in_first[i]);
			sum += in_first[i] + (unsigned)in_second[i];
		}
	}
}

static void weighted_sums_differ(void **state)
{
	uint16_t counts[SLOTS];
	uint8_t weights[SLOTS];

	(void)state;
	for (unsigned round = 0; round < 1000; round++) {
		unsigned n = round % 2 ? SLOTS : 32;
		uint64_t sum = 0;

		fill_counts(counts, SLOTS);
		for (unsigned i = 0; i < SLOTS; i++)
			weights[i] = (uint8_t)(next_random() % 16);
		for (unsigned i = 0; i < n; i++)
			sum += (uint64_t)counts[i] * weights[i];
		assert_int_equal(zw_weighted_sum(counts, weights, n), sum);
		assert_int_equal(zw_weighted_sum_portable(counts, weights, n), sum);
	}
	for (unsigned i = 0; i < SLOTS; i++) {
		counts[i] = COUNT_MAX;
		weights[i] = 15;
	}
	assert_int_equal(zw_weighted_sum(counts, weights, SLOTS), SLOTS * COUNT_MAX * 15);
}

static void split_entries_differ(void **state)
{
	uint32_t entries[SLOTS], weights[2][SLOTS], fill[2][SLOTS];

	(void)state;
	for (unsigned n = 1; n <= SLOTS; n++) {
		for (unsigned i = 0; i < SLOTS; i++)
			entries[i] = next_random() << 8 ^ next_random();
		memset(weights, 0, sizeof weights);
		memset(fill, 0, sizeof fill);
		zw_split_entries(entries, n, weights[0], fill[0], n);
		zw_split_entries_portable(entries, n, weights[1], fill[1], n);
		assert_memory_equal(weights[0], weights[1], sizeof weights[0]);
		assert_memory_equal(fill[0], fill[1], sizeof fill[0]);
		assert_int_equal(weights[0][n - 1], entries[n - 1] >> 16);
		assert_int_equal(fill[0][n - 1], n);
	}
}

static void a_logarithm_is_off(void **state)
{
	(void)state;
	assert_true(zw_count_log2(0) == 0 && zw_count_log2(1) == 0);
	for (uint32_t n = 2; n < 65536; n++) {
		double off = (double)zw_count_log2(n) / n - log2(n) * (1 << LOG_FRACTION_BITS);

		assert_true(off < 59 && off > -59);
	}
}

static void log_sums_differ(void **state)
{
	uint16_t counts[SLOTS];

	(void)state;
	for (unsigned round = 0; round < COUNT_MAX; round++) {
		struct zw_log_sum sum, portable;
		unsigned left = 65535 - round;

		for (unsigned i = 0; i < SLOTS; i++) {
			unsigned most = left < COUNT_MAX ? left : COUNT_MAX;

			counts[i] = (uint16_t)(next_random() % 2 ? 0 : next_random() % (most / 8 + 1));
			left -= counts[i];
		}
		counts[next_random() % 32] = (uint16_t)round;
		sum = zw_log_sum_of(counts, SLOTS);
		portable = zw_log_sum_portable(counts, SLOTS);
		assert_int_equal(sum.total, portable.total);
		assert_true(sum.bits == portable.bits);
		sum = zw_log_sum_of(counts, 32);
		portable = zw_log_sum_portable(counts, 32);
		assert_true(sum.total == portable.total && sum.bits == portable.bits);
	}
}

static void grouped_lengths_differ(void **state)
{
	(void)state;
	for (unsigned round = 0; round < 2000; round++) {
		uint16_t by_index[TOKEN_INDEX_COUNT], grouped[SLOTS], portable[SLOTS];
		unsigned symbol = 257, want = 0;

		fill_counts(by_index, 256);
		for (unsigned i = 256; i < TOKEN_INDEX_COUNT; i++)
			by_index[i] = (uint16_t)(next_random() % 4 ? 0 : next_random() % 1000);
		by_index[256 + round % 256] = COUNT_MAX / 2;
		zw_group_lengths(by_index, grouped);
		zw_group_lengths_portable(by_index, portable);
		assert_memory_equal(grouped, portable, sizeof grouped);
		assert_memory_equal(grouped, by_index, 256 * sizeof grouped[0]);
		assert_int_equal(grouped[256], 1);
		for (unsigned length = 3; length <= 258; length++) {
			if (length == 258 || length - 3 >= zw_length_base_less_3[symbol - 256] + (1u << zw_length_extra_bits[symbol - 256])) {
				assert_int_equal(grouped[symbol], want);
				symbol++;
				want = 0;
			}
			want += by_index[253 + length];
		}
		assert_int_equal(symbol, 285);
		assert_int_equal(grouped[285], want);
		assert_int_equal(grouped[286] + grouped[287], 0);
	}
}

static void gaps_differ(void **state)
{
	(void)state;
	for (unsigned round = 0; round < 3000; round++) {
		uint16_t numbers[1 + 320 + 8] = { UINT16_MAX };
		unsigned n = 1 + next_random() % 320, widest = 1 + next_random() % 14, of[12] = { 0 }, number = 0;
		struct zw_gap_counts gaps, portable;

		for (unsigned i = 1; i <= n; i++) {
			unsigned gap = next_random() % widest;

			for (unsigned k = 1; k <= gap && k < 12; k++)
				of[k]++;
			number += gap;
			numbers[i] = (uint16_t)number++;
		}
		gaps = zw_count_gaps(numbers, n);
		portable = zw_count_gaps_portable(numbers, n);
		assert_int_equal(gaps.of_1, of[1]);
		assert_int_equal(gaps.of_2, of[2]);
		assert_int_equal(gaps.of_3, of[3]);
		assert_int_equal(gaps.of_11, of[11]);
		assert_memory_equal(&gaps, &portable, sizeof gaps);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(gaps_differ),
		cmocka_unit_test(sort_keys_are_not_monotone),
		cmocka_unit_test(sort_keys_differ),
		cmocka_unit_test(bucket_starts_differ),
		cmocka_unit_test(weighted_sums_differ),
		cmocka_unit_test(split_entries_differ),
		cmocka_unit_test(a_logarithm_is_off),
		cmocka_unit_test(log_sums_differ),
		cmocka_unit_test(grouped_lengths_differ),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
