/* SPDX-License-Identifier: Zlib */
/* test_tables.c - code lengths read and tables built by every kernel set: entry by entry the same, and what an obvious decoder of
 * the same lengths says. */
#include "lib/cmocka_all.h"

#include "inflate/inflate_state.h"
#include "inflate/make_stream.h"
#include "inflate/search_code.h"

#define ROUNDS 3000

/* One entry of two symbols: what the search says of both. */
static void check_joined(const uint8_t *lens, unsigned litlen_count, unsigned dist_count, unsigned index, uint32_t entry)
{
	unsigned first_bits, second_bits, first = symbol_by_search(lens, litlen_count, index, 15, &first_bits), second;

	assert_true(index <= LITLEN_INDEX_MASK && first_bits);
	if (zw_is_literal(entry)) {
		assert_int_equal(zw_first_literal_bits(entry), first_bits);
		second = symbol_by_search(lens, litlen_count, index >> first_bits, LITLEN_ROOT_BITS - first_bits, &second_bits);
		assert_true(second_bits && second < 256);
		assert_int_equal(zw_literals(entry), first | second << 8);
		assert_int_equal(zw_literal_count(entry), 2);
		assert_int_equal(zw_entry_bits(entry), first_bits + second_bits);
		return;
	}
	first_bits += zw_entry_bits(zw_litlen_constant[first]); /* its extra bits */
	second = symbol_by_search(lens + litlen_count, dist_count, index >> first_bits, LITLEN_ROOT_BITS - first_bits, &second_bits);
	assert_true(second_bits);
	assert_int_equal(zw_whole_length(entry),
			 zw_match_length(false, zw_litlen_constant[first] + (first_bits - zw_entry_bits(zw_litlen_constant[first])) * LITLEN_STEP,
					 (uint64_t)index << INDEX_SHIFT));
	for (unsigned extra = 0; extra < 1u << DIST_EXTRA_MAX_BITS; extra = 3 * extra + 1) {
		uint64_t bits = (uint64_t)extra << (first_bits + second_bits) | (index & ((1u << (first_bits + second_bits)) - 1));
		uint32_t dist_entry = zw_dist_constant[second] + second_bits * DIST_STEP;

		assert_int_equal(zw_whole_distance(false, entry, bits << INDEX_SHIFT),
				 zw_match_distance(dist_entry, zw_low_bits(bits >> first_bits, dist_entry)));
		assert_int_equal(zw_entry_bits(entry), first_bits + zw_entry_bits(dist_entry));
	}
}

static bool is_joined(uint32_t entry)
{
	return zw_is_literal(entry) ? zw_literal_count(entry) == 2 : zw_is_whole_match(entry);
}

struct joined_counts { unsigned literals, matches; };

static struct joined_counts check_against_search(const uint8_t *lens, unsigned litlen_count, unsigned dist_count, const struct zw_decode_tables *t,
				     struct rng *r)
{
	struct joined_counts joined = { 0, 0 };

	for (unsigned round = 0; round < 60; round++) {
		unsigned index = stream_below(r, 1u << 15), bits, symbol;
		uint32_t entry = t->litlen[index & LITLEN_INDEX_MASK];
		unsigned drop = 0;

		if ((entry & LITLEN_SECOND_TABLE) == LITLEN_SECOND_TABLE && !(entry & (LITLEN_END_OF_BLOCK | LITLEN_INVALID))) {
			drop = zw_entry_bits(entry);
			entry = t->litlen[zw_second_index(entry, index >> drop)];
		}
		symbol = symbol_by_search(lens, litlen_count, index, 15, &bits);
		if (!bits) {
			assert_true(entry & LITLEN_INVALID);
		} else if (is_joined(entry)) {
			check_joined(lens, litlen_count, dist_count, index & LITLEN_INDEX_MASK, entry);
			joined.literals += zw_is_literal(entry);
			joined.matches += zw_is_whole_match(entry);
		} else {
			assert_int_equal(entry, zw_litlen_constant[symbol] + (bits - drop) * LITLEN_STEP);
		}

		drop = 0;
		entry = t->dist[index & DIST_INDEX_MASK];
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
	return joined;
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
				assert_int_equal((size_t)(other_br.next - body) * 8 - other_br.count, (size_t)(br.next - body) * 8 - br.count);
				assert_int_equal(other.dynamic.used_entries, first.dynamic.used_entries);
				assert_memory_equal(other.dynamic.dist, first.dynamic.dist, sizeof(uint32_t) << DIST_ROOT_BITS);
				assert_memory_equal(other.dynamic.litlen, first.dynamic.litlen, sizeof(uint32_t) << LITLEN_ROOT_BITS);
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

/* How many 32nds of all codes are literals of up to five bits. */
static unsigned short_literals(const uint8_t *lens)
{
	unsigned share = 0;

	for (unsigned symbol = 0; symbol < 256; symbol++)
		share += lens[symbol] && lens[symbol] <= 5 ? 32u >> lens[symbol] : 0;
	return share;
}

/* Known lengths in, entries out: every codeword leads to its symbol, and what is no codeword to an invalid entry. */
static void test_tables_mean_what_the_lengths_say(void **state)
{
	static struct zw_inflate s;
	size_t count;
	const struct zw_kernels *const *sets = zw_kernels_all(&count);
	struct joined_counts joined = { 0, 0 };

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
		if (lens[SYMBOL_END_OF_BLOCK] < JOIN_MIN_END_OF_BLOCK_BITS) {
			struct joined_counts more;

			zw_join_symbols(&s.dynamic, JOIN_MIN_END_OF_BLOCK_BITS);
			more = check_against_search(lens, litlen_count, dist_count, &s.dynamic, &r);
			if (short_literals(lens) < 6)
				assert_int_equal(more.literals + more.matches, 0);
			joined.literals += more.literals;
			joined.matches += more.matches;
		}
		bits_free(&b);
	}
	assert_true(joined.literals > 100);
	assert_true(joined.matches > 100);
}

/* Code lengths as random items, all of them right ones. */
static void put_items(struct rng *r, struct bits *b, const struct bits_code *precode, const uint8_t *lens, unsigned total, bool longest)
{
	for (unsigned i = 0; i < total;) {
		unsigned run = 1, repeat = 0;

		while (i + run < total && lens[i + run] == lens[i])
			run++;
		if (i && lens[i] == lens[i - 1] && run >= 3 && precode->len_bits[16] && rng_one_in(r, 2)) {
			repeat = 3 + stream_below(r, run < 6 ? run - 2 : 4);
			bits_put_symbol(b, precode, 16);
			bits_put(b, repeat - 3, 2);
		} else if (!lens[i] && run >= 11 && precode->len_bits[18]) {
			repeat = longest ? 11 : 11 + stream_below(r, run < 138 ? run - 10 : 128);
			if (!precode->len_bits[0])
				repeat = run < 138 ? run : 138;
			bits_put_symbol(b, precode, 18);
			bits_put(b, repeat - 11, 7);
		} else if (!lens[i] && run >= 3 && precode->len_bits[17] && rng_one_in(r, 2)) {
			repeat = 3 + stream_below(r, run < 10 ? run - 2 : 8);
			bits_put_symbol(b, precode, 17);
			bits_put(b, repeat - 3, 3);
		} else {
			repeat = 1;
			bits_put_symbol(b, precode, lens[i]);
		}
		i += repeat;
	}
}

/* Symbol 18 gets the longest code, so that an item of 14 bits follows another. */
static void give_longest_to_zeros(uint8_t *precode_lens)
{
	unsigned longest = 0;
	uint8_t bits;

	for (unsigned i = 1; i < PRECODE_SYMBOL_COUNT; i++)
		if (precode_lens[i] > precode_lens[longest])
			longest = i;
	bits = precode_lens[18];
	precode_lens[18] = precode_lens[longest];
	precode_lens[longest] = bits;
}

/* Precodes of every depth with every kind of item, in input that ends behind the header or goes on, cut or not. */
static void test_every_precode_is_read(void **state)
{
	static struct zw_inflate s;
	size_t count;
	const struct zw_kernels *const *sets = zw_kernels_all(&count);
	unsigned depth_seen[PRECODE_MAX_BITS + 1] = { 0 };

	(void)state;
	for (uint64_t seed = 1; seed <= 80; seed++) {
		struct rng r = rng_seed(seed);
		uint8_t lens[CODE_COUNT_MAX], precode_lens[PRECODE_SYMBOL_COUNT];
		unsigned litlen_count = 257 + stream_below(&r, 30), dist_count = 1 + stream_below(&r, 30), depth = 0;
		bool longest = rng_one_in(&r, 2);
		struct bits_code precode;
		struct bits b = { 0 };
		struct zw_bit_reader br;
		struct test_bytes *z;
		size_t header_bits;

		do
			stream_random_code(&r, lens, litlen_count, 2 + stream_below(&r, longest ? 8 : litlen_count), 9 + stream_below(&r, 7));
		while (!lens[256]);
		memset(lens + litlen_count, 0, dist_count);
		if (!rng_one_in(&r, 8))
			stream_random_code(&r, lens + litlen_count, dist_count, 1 + stream_below(&r, dist_count), 5 + stream_below(&r, 11));
		stream_random_code(&r, precode_lens, PRECODE_SYMBOL_COUNT, PRECODE_SYMBOL_COUNT, 5 + stream_below(&r, 3));
		if (longest)
			give_longest_to_zeros(precode_lens);
		for (unsigned i = 0; i < PRECODE_SYMBOL_COUNT; i++)
			depth = precode_lens[i] > depth ? precode_lens[i] : depth;
		depth_seen[depth]++;
		bits_make_code(&precode, precode_lens, PRECODE_SYMBOL_COUNT);
		bits_put(&b, litlen_count - 257, 5);
		bits_put(&b, dist_count - 1, 5);
		bits_put(&b, PRECODE_SYMBOL_COUNT - 4, 4);
		for (unsigned i = 0; i < PRECODE_SYMBOL_COUNT; i++)
			bits_put(&b, precode_lens[stream_precode_order[i]], 3);
		put_items(&r, &b, &precode, lens, litlen_count + dist_count, longest);
		header_bits = 8 * b.bytes.len_bytes + b.hold_count;
		if (rng_one_in(&r, 2))
			for (unsigned i = 0; i < 40; i++)
				bits_put(&b, (uint32_t)rng_next(&r) & 255, 8);
		z = bits_end(&b);
		for (size_t k = 0; k < count; k++)
			for (size_t cut = z->len_bytes; cut; cut -= 1 + (cut > 40 && cut < z->len_bytes - 40 ? stream_below(&r, 9) : 0)) {
				assert_int_equal(read_header(sets[k], z->data, z->len_bytes, cut, &s, &br), ZW_ERROR_NONE);
				assert_int_equal(s.mode, ZW_INFLATE_SYMBOLS_STOP);
				assert_int_equal((size_t)(br.next - z->data) * 8 - br.count, header_bits);
				if (cut % 16 == 0)
					check_against_search(lens, litlen_count, dist_count, &s.dynamic, &r);
			}
		bits_free(&b);
	}
	for (unsigned depth = 5; depth <= PRECODE_MAX_BITS; depth++)
		assert_true(depth_seen[depth] > 5);
}

/* Precodes of two to five symbols: tables of one to three index bits, smaller than a step of doubling. */
static void test_short_precodes(void **state)
{
	static const struct { uint8_t symbols, bits[5], of[5]; } shapes[] = {
		{ 2, { 1, 1 },          { 18, 8 } },
		{ 3, { 1, 2, 2 },       { 8, 18, 9 } },
		{ 4, { 2, 2, 2, 2 },    { 18, 8, 9, 0 } },
		{ 4, { 1, 2, 3, 3 },    { 0, 9, 8, 18 } },
		{ 5, { 1, 2, 3, 4, 4 }, { 18, 8, 9, 0, 16 } },
	};
	static struct zw_inflate s;
	size_t count;
	const struct zw_kernels *const *sets = zw_kernels_all(&count);
	struct rng r = rng_seed(7);

	(void)state;
	for (size_t shape = 0; shape < sizeof shapes / sizeof shapes[0]; shape++) {
		uint8_t lens[CODE_COUNT_MAX] = { 0 }, precode_lens[PRECODE_SYMBOL_COUNT] = { 0 };
		bool has_nine = shape > 0;       /* else 256 codes of 8 bits */
		struct bits_code precode;
		struct bits b = { 0 };
		struct zw_bit_reader br;
		struct test_bytes *z;

		for (unsigned i = 0; i < shapes[shape].symbols; i++)
			precode_lens[shapes[shape].of[i]] = shapes[shape].bits[i];
		memset(lens, 8, 286);
		memset(lens, 0, 30);             /* 256 of the 286 symbols, or 255 and a pair */
		if (has_nine)
			lens[285] = lens[29] = 9;
		bits_make_code(&precode, precode_lens, PRECODE_SYMBOL_COUNT);
		bits_put(&b, 286 - 257, 5);
		bits_put(&b, 19 - 1, 5);
		bits_put(&b, PRECODE_SYMBOL_COUNT - 4, 4);
		for (unsigned i = 0; i < PRECODE_SYMBOL_COUNT; i++)
			bits_put(&b, precode_lens[stream_precode_order[i]], 3);
		put_items(&r, &b, &precode, lens, 286 + 19, false);
		z = bits_end(&b);
		for (size_t k = 0; k < count; k++) {
			assert_int_equal(read_header(sets[k], z->data, z->len_bytes, z->len_bytes, &s, &br), ZW_ERROR_NONE);
			assert_int_equal(s.mode, ZW_INFLATE_SYMBOLS_STOP);
			check_against_search(lens, 286, 19, &s.dynamic, &r);
		}
		bits_free(&b);
	}
}

static void test_reversed_indices(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 1u << REVERSED_INDEX_BITS; i++) {
		unsigned reversed = 0;

		for (unsigned bit = 0; bit < REVERSED_INDEX_BITS; bit++)
			reversed |= (i >> bit & 1) << (REVERSED_INDEX_BITS - 1 - bit);
		assert_int_equal(zw_reversed_index[i], reversed);
	}
	for (unsigned i = 0; i < sizeof zw_count_up / sizeof zw_count_up[0]; i++)
		assert_int_equal(zw_count_up[i], i);
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
		cmocka_unit_test(test_every_precode_is_read),
		cmocka_unit_test(test_short_precodes),
		cmocka_unit_test(test_reversed_indices),
		cmocka_unit_test(test_fixed_tables),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
