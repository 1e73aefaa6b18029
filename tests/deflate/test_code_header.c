/* SPDX-License-Identifier: Zlib */
/* test_code_header.c - both ways of writing a header say what the two codes are, in as many bits as they tell. */
#include "deflate/code_header.h"

#include "lib/cmocka_all.h"
#include "lib/rng.h"

#include <string.h>

#define FRONT_MAX_BITS 10u                   /* what may wait in a bit writer in front of a header: 7 of a byte and 3 of the block */

struct reader { const uint8_t *bytes; unsigned at; };

static unsigned read_bits(struct reader *r, unsigned n)
{
	unsigned v = 0;

	for (unsigned i = 0; i < n; i++, r->at++)
		v |= (unsigned)(r->bytes[r->at / 8] >> r->at % 8 & 1) << i;
	return v;
}

/* One symbol of the code with these lengths, bit by bit (RFC 1951 3.2.2). */
static unsigned read_symbol(struct reader *r, const uint8_t *lengths, unsigned n)
{
	unsigned word = 0, first = 0;

	for (unsigned l = 1; l <= PRECODE_MAX_BITS; l++) {
		unsigned of_length = 0;

		word = word << 1 | read_bits(r, 1);
		for (unsigned i = 0; i < n; i++)
			if (lengths[i] == l && of_length++ == word - first)
				return i;
		first = (first + of_length) << 1;
	}
	fail_msg("no such code word");
	return 0;
}

/* Reads a header (RFC 1951 3.2.7) and compares it with the codes that it was made from. */
static void check_header(const uint8_t *bytes, unsigned from, unsigned bits, const struct zw_code *litlen, const struct zw_code *dist)
{
	static const uint8_t order[PRECODE_SYMBOL_COUNT] = { 16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15 };
	struct reader r = { bytes, from };
	unsigned litlen_count = read_bits(&r, 5) + 257, dist_count = read_bits(&r, 5) + 1, precode_count = read_bits(&r, 4) + 4, n = 0;
	uint8_t precode[PRECODE_SYMBOL_COUNT] = { 0 }, lengths[LITLEN_CODE_COUNT + DIST_CODE_COUNT];

	assert_between(litlen_count, 257, 286);
	assert_between(dist_count, 1, 30);
	for (unsigned i = 0; i < precode_count; i++)
		precode[order[i]] = (uint8_t)read_bits(&r, 3);
	while (n < litlen_count + dist_count) {
		unsigned item = read_symbol(&r, precode, PRECODE_SYMBOL_COUNT), run = 1;

		if (item == 16)
			run = 3 + read_bits(&r, 2);
		else if (item > 16)
			run = item == 17 ? 3 + read_bits(&r, 3) : 11 + read_bits(&r, 7);
		assert_true(n + run <= litlen_count + dist_count);
		assert_true(item != 16 || n);
		for (unsigned k = 0; k < run; k++, n++)
			lengths[n] = item < 16 ? (uint8_t)item : item == 16 ? lengths[n - 1] : 0;
	}
	assert_int_equal(r.at - from, bits);
	assert_memory_equal(lengths, litlen->lengths, litlen_count);
	assert_memory_equal(lengths + litlen_count, dist->lengths, dist_count);
	for (unsigned i = litlen_count; i < LITLEN_CODE_COUNT; i++)
		assert_int_equal(litlen->lengths[i], 0);
	for (unsigned i = dist_count; i < DIST_CODE_COUNT; i++)
		assert_int_equal(dist->lengths[i], 0);
}

static void fill(struct rng *rng, uint16_t *counts, unsigned n)
{
	unsigned sparse = 1 + (unsigned)rng_below(rng, 60), most = (unsigned)rng_size(rng, 3000);

	for (unsigned i = 0; i < n; i++)
		counts[i] = (uint16_t)(rng_one_in(rng, sparse) ? 1 + rng_below(rng, most + 1) : 0);
}

static void a_header_says_something_else(void **state)
{
	struct rng rng = rng_seed(46);
	uint64_t listed_bits = 0, once_bits = 0;

	(void)state;
	for (unsigned round = 0; round < 6000; round++) {
		ZW_ALIGNED(16) uint16_t litlen_counts[LITLEN_CODE_COUNT] = { 0 }, dist_counts[DIST_CODE_COUNT] = { 0 };
		uint8_t bytes[HEADER_MAX_BITS / 8 + 32];
		unsigned front = (unsigned)rng_below(&rng, FRONT_MAX_BITS + 1);
		struct zw_bit_writer listed_writer = { 0, front, bytes }, once_writer = listed_writer;
		struct zw_code_header listed;
		struct zw_written_header once;
		struct zw_code litlen, dist;

		fill(&rng, litlen_counts, LITLEN_SYMBOL_COUNT);
		if (rng_one_in(&rng, 4))         /* gaps wider than any item */
			memset(litlen_counts + rng_below(&rng, 30), 0, 220 * sizeof litlen_counts[0]);
		fill(&rng, dist_counts, DIST_SYMBOL_COUNT);
		litlen_counts[SYMBOL_END_OF_BLOCK] = 1;
		if (rng_one_in(&rng, 2)) {
			zw_code_make_both(&litlen, litlen_counts, &dist, dist_counts);
		} else {
			zw_code_round(&litlen, litlen_counts, CODE_MAX_SYMBOLS, LITLEN_LIMIT_BITS);
			zw_code_round(&dist, dist_counts, DIST_CODE_COUNT, DIST_CODE_MAX_BITS);
		}
		memset(&listed, 0xa5, sizeof listed);
		memset(&once, 0xa5, sizeof once);
		zw_code_header_make(&listed, &litlen, &dist);
		zw_code_header_write(&listed, &listed_writer);
		zw_store_le64(listed_writer.next, listed_writer.hold);
		check_header(bytes, front, listed.cost_bits, &litlen, &dist);

		zw_header_write_once(&once, &litlen, &dist);
		memset(bytes, 0xa5, sizeof bytes);
		zw_header_put_written(&once, &once_writer);
		assert_int_equal((unsigned)(once_writer.next - bytes) * 8 + once_writer.count, front + once.bits);
		assert_true(once_writer.hold >> once_writer.count == 0);
		zw_store_le64(once_writer.next, once_writer.hold);
		check_header(bytes, front, once.bits, &litlen, &dist);
		listed_bits += listed.cost_bits;
		once_bits += once.bits;
	}
	assert_true(once_bits * 100 <= listed_bits * 101);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(a_header_says_something_else) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
