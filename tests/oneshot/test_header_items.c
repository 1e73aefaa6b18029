/* SPDX-License-Identifier: Zlib */
/* test_header_items.c - a header says what the two codes are, and is no longer than the plain one. */
#include "oneshot/header_items.h"

#include "lib/cmocka_all.h"
#include "lib/rng.h"

#include <string.h>

/* The lengths that the items stand for. */
static unsigned expand(const struct zw_code_header *h, uint8_t *lengths)
{
	unsigned n = 0;

	for (unsigned i = 0; i < h->item_count; i++) {
		unsigned item = h->items[i] & 31, extra = h->items[i] >> 5, run = 1;
		uint8_t length = (uint8_t)item;

		assert_between(item, 0, 18);
		assert_true(h->precode.lengths[item] > 0);
		if (item >= 16) {
			assert_true(item != 16 || n > 0);
			length = item == 16 ? lengths[n - 1] : 0;
			run = extra + (item == 18 ? 11 : 3);
			assert_true(extra < (item == 16 ? 4u : item == 17 ? 8u : 128u));
		}
		assert_true(n + run <= HEADER_MAX_ITEMS);
		memset(lengths + n, length, run);
		n += run;
	}
	return n;
}

/* Bits that zw_code_header_write() really writes. */
static unsigned written_bits(const struct zw_code_header *h)
{
	uint8_t to[HEADER_MAX_BITS / 8 + 32];
	struct zw_bit_writer bw = { 0, 0, to };

	zw_code_header_write(h, &bw);
	return (unsigned)(bw.next - to) * 8 + bw.count;
}

static void a_header_says_something_else_or_is_longer(void **state)
{
	struct rng rng = rng_seed(1);
	unsigned shorter = 0;

	(void)state;
	for (unsigned round = 0; round < 5000; round++) {
		ZW_ALIGNED(16) uint16_t litlen_counts[LITLEN_CODE_COUNT] = { 0 }, dist_counts[DIST_CODE_COUNT] = { 0 };
		struct zw_code litlen, dist;
		struct zw_code_header plain, h;
		uint8_t lengths[HEADER_MAX_ITEMS];
		unsigned sparse = 1 + (unsigned)rng_below(&rng, 20);

		for (unsigned i = 0; i < LITLEN_SYMBOL_COUNT; i++)
			litlen_counts[i] = (uint16_t)(rng_one_in(&rng, sparse) ? rng_size(&rng, 3000) : 0);
		for (unsigned i = 0; i < DIST_SYMBOL_COUNT; i++)
			dist_counts[i] = (uint16_t)(rng_one_in(&rng, sparse) ? rng_size(&rng, 3000) : 0);
		litlen_counts[SYMBOL_END_OF_BLOCK] = 1;
		zw_code_make_both(&litlen, litlen_counts, &dist, dist_counts);
		zw_code_header_make(&plain, &litlen, &dist);
		zw_header_shortest(&h, &litlen, &dist);
		assert_true(h.cost_bits <= plain.cost_bits);
		assert_int_equal(written_bits(&h), h.cost_bits);
		assert_int_equal(expand(&h, lengths), h.litlen_count + h.dist_count);
		assert_memory_equal(lengths, litlen.lengths, h.litlen_count);
		assert_memory_equal(lengths + h.litlen_count, dist.lengths, h.dist_count);
		for (unsigned i = h.litlen_count; i < LITLEN_CODE_COUNT; i++)
			assert_int_equal(litlen.lengths[i], 0);
		shorter += h.cost_bits < plain.cost_bits;
	}
	assert_true(shorter > 500);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(a_header_says_something_else_or_is_longer) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
