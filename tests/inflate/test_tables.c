/* SPDX-License-Identifier: Zlib */
/* test_tables.c - code lengths read and tables built by every kernel set: entry by entry the same, and what an obvious decoder of
 * the same lengths says. */
#include "lib/cmocka_all.h"

#include "inflate/inflate_state.h"
#include "inflate/make_stream.h"

#define ROUNDS 3000

/* The symbol that index bits begin with, by trying every code; *bits_ret its length, 0 if there is none. */
static unsigned symbol_by_search(const uint8_t *lens, unsigned count, unsigned index, unsigned index_bits, unsigned *bits_ret)
{
	struct bits_code c;

	bits_make_code(&c, lens, count);
	for (unsigned symbol = 0; symbol < count; symbol++) {
		unsigned n = c.len_bits[symbol], reversed = 0;

		if (!n || n > index_bits)
			continue;
		for (unsigned i = 0; i < n; i++)
			reversed |= (unsigned)(c.word[symbol] >> i & 1) << (n - 1 - i);
		if ((index & ((1u << n) - 1)) == reversed) {
			*bits_ret = n;
			return symbol;
		}
	}
	*bits_ret = 0;
	return 0;
}

static void check_against_search(const uint8_t *lens, unsigned litlen_count, unsigned dist_count, const struct zw_decode_tables *t,
				 struct rng *r)
{
	for (unsigned round = 0; round < 60; round++) {
		unsigned index = stream_below(r, 1u << 15), bits, symbol;
		uint32_t entry = t->litlen[index & t->litlen_mask];
		unsigned drop = 0;

		if ((entry & LITLEN_SECOND_TABLE) == LITLEN_SECOND_TABLE && !(entry & (LITLEN_END_OF_BLOCK | LITLEN_INVALID))) {
			drop = zw_entry_bits(entry);
			entry = t->litlen[zw_second_index(entry, index >> drop)];
		}
		symbol = symbol_by_search(lens, litlen_count, index, 15, &bits);
		if (!bits)
			assert_true(entry & LITLEN_INVALID);
		else
			assert_int_equal(entry, zw_litlen_constant[symbol] + (bits - drop) * LITLEN_STEP);

		drop = 0;
		entry = t->dist[index & ((1u << DIST_ROOT_BITS) - 1)];
		if ((entry & DIST_SPECIAL) && !(entry & DIST_INVALID)) {
			drop = zw_entry_bits(entry);
			entry = t->dist[zw_second_index(entry, index >> drop)];
		}
		symbol = symbol_by_search(lens + litlen_count, dist_count, index, 15, &bits);
		if (!bits)
			assert_true(entry & DIST_INVALID);
		else
			assert_int_equal(entry, zw_dist_constant[symbol] + (bits - drop) * DIST_STEP);
	}
}

/* One dynamic header through the real reader, with this kernel set, cut after cut_bytes. */
static enum zw_inflate_error read_header(const struct zw_kernels *k, const uint8_t *z, size_t bytes, size_t cut_bytes, struct zw_inflate *s,
					 struct zw_bit_reader *br)
{
	enum zw_step step = ZW_STEP_GO;

	memset(s, 0, sizeof *s);
	s->kernels = k;
	s->mode = ZW_INFLATE_COUNTS;
	*br = (struct zw_bit_reader){ .next = z, .start = z, .end = z + cut_bytes };
	while (s->mode != ZW_INFLATE_BAD && s->mode != ZW_INFLATE_SYMBOLS_STOP) {
		switch ((enum zw_inflate_mode)s->mode) {
		case ZW_INFLATE_COUNTS:  step = zw_block_read_counts(s, br);  break;
		case ZW_INFLATE_PRECODE: step = zw_block_read_precode(s, br); break;
		default:                 step = zw_block_read_lengths(s, br); break;
		}
		if (step == ZW_STEP_NEED_INPUT) {
			if (br->end == z + bytes)
				return ZW_ERROR_NONE;
			br->start = br->next;
			br->end = br->end + 1;
		}
	}
	return (enum zw_inflate_error)s->error;
}

static void test_every_set_builds_the_same_tables(void **state)
{
	static struct zw_inflate first, other;
	size_t count;
	const struct zw_kernels *const *sets = zw_kernels_all(&count);
	unsigned good = 0, bad = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
		struct rng r = rng_seed(seed);
		struct bits b = { 0 };
		struct zw_bit_reader br, other_br;
		enum zw_inflate_error error;
		struct test_bytes *z;
		uint8_t *body;
		size_t bytes;

		stream_dynamic_block(&r, &b, false);
		z = bits_end(&b);
		for (size_t i = 0; i + 1 < z->len_bytes; i++) /* without the three bits of the block's beginning */
			z->data[i] = (uint8_t)(z->data[i] >> 3 | z->data[i + 1] << 5);
		bytes = z->len_bytes - 1;
		body = z->data;
		error = read_header(sets[count - 1], body, bytes, bytes, &first, &br);
		for (size_t k = 0; k < count; k++)
			for (unsigned cut = 0; cut < 2; cut++) {
				size_t at = cut ? stream_below(&r, bytes < 100 ? (unsigned)bytes : 100) : bytes;

				assert_int_equal(read_header(sets[k], body, bytes, at, &other, &other_br), error);
				assert_int_equal(other.mode, first.mode);
				if (first.mode != ZW_INFLATE_SYMBOLS_STOP)
					continue;
				assert_int_equal((other_br.next - body) * 8 - other_br.count, (br.next - body) * 8 - br.count);
				assert_int_equal(other.dynamic.litlen_mask, first.dynamic.litlen_mask);
				assert_int_equal(other.dynamic.used_entries, first.dynamic.used_entries);
				assert_memory_equal(other.dynamic.dist, first.dynamic.dist, sizeof(uint32_t) << DIST_ROOT_BITS);
				assert_memory_equal(other.dynamic.litlen, first.dynamic.litlen, sizeof(uint32_t) * (first.dynamic.litlen_mask + 1));
			}
		if (first.mode == ZW_INFLATE_SYMBOLS_STOP) {
			good++;
		} else {
			bad++;
		}
		bits_free(&b);
	}
	assert_true(good > ROUNDS / 3);
	assert_true(bad > 20);
}

/* Known lengths in, entries out: every codeword leads to its symbol, and what is no codeword to an invalid entry. */
static void test_tables_mean_what_the_lengths_say(void **state)
{
	static struct zw_inflate s;
	size_t count;
	const struct zw_kernels *const *sets = zw_kernels_all(&count);

	(void)state;
	for (uint64_t seed = 1; seed <= 400; seed++) {
		struct rng r = rng_seed(seed);
		uint8_t lens[CODE_COUNT_MAX];
		unsigned litlen_count = 257 + stream_below(&r, 30), dist_count = 1 + stream_below(&r, 30);
		struct bits b = { 0 };
		struct zw_bit_reader br;
		struct test_bytes *z;

		do
			stream_random_code(&r, lens, litlen_count, 2 + stream_below(&r, litlen_count), 9 + stream_below(&r, 7));
		while (!lens[256]);
		if (rng_one_in(&r, 8)) {
			memset(lens, 0, litlen_count);
			lens[256] = 1;
		}
		memset(lens + litlen_count, 0, dist_count);
		if (!rng_one_in(&r, 8))
			stream_random_code(&r, lens + litlen_count, dist_count, 1 + stream_below(&r, dist_count), 5 + stream_below(&r, 11));
		bits_put_dynamic_header(&b, false, lens, litlen_count, lens + litlen_count, dist_count);
		z = bits_end(&b);
		for (size_t i = 0; i + 1 < z->len_bytes; i++) /* without the three bits of the block's beginning */
			z->data[i] = (uint8_t)(z->data[i] >> 3 | z->data[i + 1] << 5);
		z->data[z->len_bytes - 1] >>= 3;
		for (size_t k = 0; k < count; k++) {
			assert_int_equal(read_header(sets[k], z->data, z->len_bytes, z->len_bytes, &s, &br), ZW_ERROR_NONE);
			assert_int_equal(s.mode, ZW_INFLATE_SYMBOLS_STOP);
			check_against_search(lens, litlen_count, dist_count, &s.dynamic, &r);
		}
		bits_free(&b);
	}
}

/* The generated tables mean the fixed code's lengths. */
static void test_fixed_tables(void **state)
{
	uint8_t lens[LITLEN_CODE_COUNT + DIST_CODE_COUNT];
	struct rng r = rng_seed(1);

	(void)state;
	for (unsigned i = 0; i < LITLEN_CODE_COUNT; i++)
		lens[i] = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8;
	memset(lens + LITLEN_CODE_COUNT, 5, DIST_CODE_COUNT);
	for (unsigned round = 0; round < 100; round++)
		check_against_search(lens, LITLEN_CODE_COUNT, DIST_CODE_COUNT, &zw_fixed_tables, &r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_set_builds_the_same_tables),
		cmocka_unit_test(test_tables_mean_what_the_lengths_say),
		cmocka_unit_test(test_fixed_tables),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
