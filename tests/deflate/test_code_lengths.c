/* SPDX-License-Identifier: Zlib */
/* test_code_lengths.c - every code is complete and limited, and hardly longer than the optimal one. */
#include "deflate/code_lengths.h"
#include "lib/cmocka_all.h"
#include "lib/rng.h"

#include <stdlib.h>
#include <string.h>

static struct rng rng;

static uint32_t next_random(void) { return (uint32_t)(rng_next(&rng) >> 40); }

struct package { uint64_t weight; uint16_t uses[CODE_MAX_SYMBOLS]; };

static int by_weight(const void *a, const void *b)
{
	uint64_t x = ((const struct package *)a)->weight, y = ((const struct package *)b)->weight;

	return (x > y) - (x < y);
}

/* Bits of the best code with no word above limit_bits, by package-merge: packages keep how often each symbol is in them. */
static uint64_t optimal_bits(const uint16_t *counts, unsigned symbol_count, unsigned limit_bits)
{
	struct package *leaves = calloc(symbol_count, sizeof *leaves);
	struct package *list = calloc(2 * symbol_count, sizeof *list);
	struct package *next = calloc(2 * symbol_count, sizeof *next);
	unsigned leaf_count = 0, list_count = 0;
	uint64_t bits = 0;

	assert_true(leaves && list && next);
	for (unsigned i = 0; i < symbol_count; i++) {
		if (counts[i]) {
			leaves[leaf_count].weight = counts[i];
			leaves[leaf_count++].uses[i] = 1;
		}
	}
	qsort(leaves, leaf_count, sizeof *leaves, by_weight);
	for (unsigned level = 0; level < limit_bits; level++) {
		unsigned next_count = 0, leaf = 0, pair = 0;

		while (leaf < leaf_count || pair + 1 < list_count) {
			int take_pair = pair + 1 < list_count &&
				(leaf == leaf_count || list[pair].weight + list[pair + 1].weight < leaves[leaf].weight);

			if (take_pair) {
				next[next_count] = list[pair];
				next[next_count].weight += list[pair + 1].weight;
				for (unsigned i = 0; i < symbol_count; i++)
					next[next_count].uses[i] = (uint16_t)(next[next_count].uses[i] + list[pair + 1].uses[i]);
				pair += 2;
			} else {
				next[next_count] = leaves[leaf++];
			}
			next_count++;
		}
		memcpy(list, next, next_count * sizeof *list);
		list_count = next_count;
	}
	for (unsigned k = 0; k < 2 * leaf_count - 2; k++)
		bits += list[k].weight;
	free(leaves);
	free(list);
	free(next);
	return bits;
}

typedef void code_maker(struct zw_code *code, const uint16_t *counts, unsigned symbol_count, unsigned limit_bits);

/* Checks what zw_code_make() and zw_code_round() promise; returns the bits that the code takes. */
static uint64_t check_code_of(code_maker *make, const uint16_t *counts, unsigned symbol_count, unsigned limit_bits)
{
	struct zw_code code;
	unsigned used = 0, kraft = 0;
	uint64_t bits = 0;

	memset(&code, 0xa5, sizeof code);
	make(&code, counts, symbol_count, limit_bits);
	assert_between(code.used_count, 2, symbol_count);
	for (unsigned i = 0; i < symbol_count; i++) {
		unsigned l = code.lengths[i];

		assert_between(l, 0, limit_bits);
		assert_true(l || !counts[i]);
		if (!l)
			continue;
		assert_int_equal(code.used[used++], i);
		kraft += 1u << (CODE_MAX_BITS - l);
		bits += (uint64_t)counts[i] * l;
		code.length_counts[l]--;
	}
	assert_int_equal(used, code.used_count);
	assert_int_equal(kraft, 1u << CODE_MAX_BITS);
	for (unsigned l = 0; l <= CODE_MAX_BITS; l++)
		assert_int_equal(code.length_counts[l], 0);
	return bits;
}

static uint64_t rounded_sum, best_sum;       /* of all that check_near_optimal() has seen */

static void check_near_optimal(const uint16_t *counts, unsigned symbol_count, unsigned limit_bits)
{
	uint64_t ours = check_code_of(zw_code_make, counts, symbol_count, limit_bits), best = optimal_bits(counts, symbol_count, limit_bits);
	uint64_t rounded = check_code_of(zw_code_round, counts, symbol_count, limit_bits);

	assert_true(ours >= best);
	if (ours * 1000 > best * 1001)
		fail_msg("%llu bits, optimal %llu, limit %u", (unsigned long long)ours, (unsigned long long)best, limit_bits);
	assert_true(rounded >= best);
	if (rounded * 5 > best * 6)
		fail_msg("%llu bits rounded, optimal %llu, limit %u", (unsigned long long)rounded, (unsigned long long)best, limit_bits);
	rounded_sum += rounded;
	best_sum += best;
}

static void fewer_than_two_symbols_give_no_code(void **state)
{
	(void)state;
	for (unsigned only = 0; only <= 285; only++) {
		uint16_t counts[CODE_MAX_SYMBOLS] = { 0 };

		for (unsigned i = 0; i < 2; i++) {
			code_maker *make = i ? zw_code_round : zw_code_make;

			counts[only] = (uint16_t)(1 + only * 100);
			assert_int_equal(check_code_of(make, counts, CODE_MAX_SYMBOLS, LITLEN_LIMIT_BITS), counts[only]);
			if (only < 30)
				assert_int_equal(check_code_of(make, counts, 32, DIST_CODE_MAX_BITS), counts[only]);
			counts[only] = 0;
			assert_int_equal(check_code_of(make, counts, CODE_MAX_SYMBOLS, LITLEN_LIMIT_BITS), 0);
		}
	}
}

static void equal_counts_overflow(void **state)
{
	(void)state;
	for (unsigned n = 2; n <= 286; n++) {
		uint16_t counts[CODE_MAX_SYMBOLS] = { 0 };
		static const uint16_t values[] = { 1, 2, 31, 32, 100, 113 };

		for (unsigned v = 0; v < sizeof values / sizeof values[0]; v++) {
			for (unsigned i = 0; i < n; i++)
				counts[i] = values[v];
			check_near_optimal(counts, CODE_MAX_SYMBOLS, LITLEN_LIMIT_BITS);
			if (n <= 19)
				check_near_optimal(counts, 32, PRECODE_MAX_BITS);
		}
	}
}

/* Fibonacci counts make the deepest tree there is: 22 symbols would need 21 bits. */
static void fibonacci_counts_pass_the_limit(void **state)
{
	(void)state;
	for (unsigned n = 2; n <= 22; n++) {
		uint16_t counts[CODE_MAX_SYMBOLS] = { 0 };
		unsigned a = 1, b = 1;

		for (unsigned i = 0; i < n; i++) {
			unsigned sum = a + b;

			counts[(i * 67) % 286] = (uint16_t)a;
			a = b;
			b = sum;
		}
		check_near_optimal(counts, CODE_MAX_SYMBOLS, LITLEN_LIMIT_BITS);
		check_near_optimal(counts, CODE_MAX_SYMBOLS, CODE_MAX_BITS);
	}
}

/* Counts as blocks have them: total at most 32768, and several shapes of distribution. */
static void random_counts_break_a_promise(void **state)
{
	(void)state;
	for (unsigned round = 0; round < 1500; round++) {
		uint16_t counts[CODE_MAX_SYMBOLS] = { 0 };
		unsigned symbol_count = round % 3 ? CODE_MAX_SYMBOLS : 32;
		unsigned limit = round % 3 ? LITLEN_LIMIT_BITS : DIST_CODE_MAX_BITS;
		unsigned last = round % 3 ? 286 : 30, left = 1u << next_random() % 16;
		unsigned steepness = next_random() % 14;

		for (unsigned i = 0; i < last && left; i++) {
			unsigned most = left >> (1 + next_random() % (steepness + 1));

			if (next_random() % 3) {
				counts[next_random() % last] = (uint16_t)(most < CODE_COUNT_MAX ? most : CODE_COUNT_MAX);
				left -= most;
			}
		}
		counts[0] = counts[0] ? counts[0] : 1;
		counts[1] = counts[1] ? counts[1] : 1;
		check_near_optimal(counts, symbol_count, limit);
	}
}

static void precode_counts_break_a_promise(void **state)
{
	(void)state;
	for (unsigned round = 0; round < 4000; round++) {
		uint16_t counts[32] = { 0 };
		unsigned n = 1 + next_random() % 19;

		for (unsigned i = 0; i < n; i++)
			counts[i] = (uint16_t)(next_random() % 300 >> next_random() % 9);
		counts[0] = counts[0] ? counts[0] : 1;
		counts[17] = counts[17] ? counts[17] : 1;
		check_near_optimal(counts, 32, PRECODE_MAX_BITS);
	}
}

static void rounded_codes_are_longer_in_the_mean(void **state)
{
	(void)state;
	assert_true(best_sum > 1000000);
	assert_true(rounded_sum * 1000 <= best_sum * 1002);
}

/* A symbol with more than a quarter of the space, which cannot have it twice: 30 of 63 with 2 bits would be 12 % longer. */
static void a_heavy_symbol_is_rounded_down(void **state)
{
	static const uint16_t few[10] = { 1, 8, 1, 2, 30, 1, 1, 1, 16, 2 };
	uint16_t counts[32] = { 0 };

	(void)state;
	memcpy(counts, few, sizeof few);
	assert_int_equal(check_code_of(zw_code_round, counts, 32, DIST_CODE_MAX_BITS), optimal_bits(counts, 32, DIST_CODE_MAX_BITS));
}

/* Lengths of counts that stay the same whatever machine makes them. */
static void rounding_depends_on_the_machine(void **state)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	(void)state;
	rng = rng_seed(46);
	for (unsigned round = 0; round < 500; round++) {
		uint16_t counts[CODE_MAX_SYMBOLS] = { 0 };
		struct zw_code code;

		for (unsigned i = 0; i < 286; i++) {
			if (next_random() % 3 == 0) { /* one call a statement: their order matters here */
				unsigned most = next_random() % 2000;

				counts[i] = (uint16_t)(most >> next_random() % 11);
			}
		}
		zw_code_round(&code, counts, CODE_MAX_SYMBOLS, LITLEN_LIMIT_BITS);
		for (unsigned i = 0; i < CODE_MAX_SYMBOLS; i++)
			hash = (hash ^ code.lengths[i]) * UINT64_C(0x100000001b3);
	}
	assert_int_equal(hash, UINT64_C(0x599cc3cf109e3ac4));
}

static void two_codes_side_by_side_differ(void **state)
{
	(void)state;
	for (unsigned round = 0; round < 3000; round++) {
		uint16_t litlen_counts[CODE_MAX_SYMBOLS] = { 0 }, dist_counts[32] = { 0 };
		unsigned litlen_last = next_random() % 286, dist_last = next_random() % 31;
		struct zw_code litlen, dist, litlen_alone, dist_alone;

		for (unsigned i = 0; i < litlen_last; i++)
			litlen_counts[i] = (uint16_t)(next_random() % 3 ? 0 : next_random() % 2000 >> next_random() % 11);
		for (unsigned i = 0; i < dist_last; i++)
			dist_counts[i] = (uint16_t)(next_random() % 3 ? 0 : next_random() % 2000 >> next_random() % 11);
		zw_code_make_both(&litlen, litlen_counts, &dist, dist_counts);
		zw_code_make(&litlen_alone, litlen_counts, CODE_MAX_SYMBOLS, LITLEN_LIMIT_BITS);
		zw_code_make(&dist_alone, dist_counts, 32, DIST_CODE_MAX_BITS);
		assert_memory_equal(litlen.lengths, litlen_alone.lengths, sizeof litlen.lengths);
		assert_memory_equal(dist.lengths, dist_alone.lengths, 32);
		assert_int_equal(litlen.used_count, litlen_alone.used_count);
		assert_int_equal(dist.used_count, dist_alone.used_count);
		assert_memory_equal(litlen.used, litlen_alone.used, litlen.used_count * sizeof litlen.used[0]);
		assert_memory_equal(dist.used, dist_alone.used, dist.used_count * sizeof dist.used[0]);
	}
}

static void canonical_words_are_no_prefix_code(void **state)
{
	(void)state;
	for (unsigned round = 0; round < 300; round++) {
		uint16_t counts[CODE_MAX_SYMBOLS] = { 0 }, words[CODE_WORDS];
		struct zw_code code;
		uint8_t  bits[CODE_MAX_SYMBOLS];
		unsigned position = 0, i = 0;

		for (unsigned k = 0; k < 286; k++)
			counts[k] = (uint16_t)(next_random() % 3 ? 0 : next_random() % 2000 >> next_random() % 11);
		zw_code_make(&code, counts, CODE_MAX_SYMBOLS, LITLEN_LIMIT_BITS);
		zw_code_assign(&code, words, bits);
		for (i = 0; i < code.used_count; i++)
			assert_int_equal(bits[i], code.lengths[code.used[i]]);
		/* RFC 1951 3.2.2: shorter codes first, within a length in symbol order: they tile the code space */
		for (unsigned l = 1; l <= CODE_MAX_BITS; l++) {
			for (i = 0; i < code.used_count; i++) {
				unsigned straight = 0;

				if (code.lengths[code.used[i]] != l)
					continue;
				for (unsigned b = 0; b < 16; b++)
					straight |= (unsigned)(words[i] >> b & 1) << (15 - b);
				assert_int_equal(straight, position);
				position += 0x10000u >> l;
			}
		}
		assert_int_equal(position, 0x10000);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fewer_than_two_symbols_give_no_code),
		cmocka_unit_test(equal_counts_overflow),
		cmocka_unit_test(fibonacci_counts_pass_the_limit),
		cmocka_unit_test(random_counts_break_a_promise),
		cmocka_unit_test(precode_counts_break_a_promise),
		cmocka_unit_test(rounded_codes_are_longer_in_the_mean),
		cmocka_unit_test(a_heavy_symbol_is_rounded_down),
		cmocka_unit_test(two_codes_side_by_side_differ),
		cmocka_unit_test(canonical_words_are_no_prefix_code),
		cmocka_unit_test(rounding_depends_on_the_machine),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
