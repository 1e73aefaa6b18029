/* SPDX-License-Identifier: Zlib */
/* test_repeats.c - blocks in which matches of the longest length follow each other: any distance, any number, any way to go on, wherever
 * the output, the input or what is valid ends; in each kernel set with a loop of its own. */
#include "lib/cmocka_all.h"

#include "inflate/inflate_state.h"
#include "inflate/make_stream.h"
#include "inflate/twin.h"

#define LONGEST_SYMBOL 285u

/* ---- blocks --------------------------------------------------------------------------------------------------------- */

enum code {
	SHORT_CODES,                             /* all within the index of the tables */
	JOINED,                                  /* short literals and a long end of block: two symbols share an entry */
	SECOND_TABLES,                           /* the distances that are used are behind a link */
	CODE_COUNT
};

struct block {
	struct bits b;
	struct bits_code litlen, dist;
	uint8_t lens[LITLEN_CODE_COUNT + DIST_CODE_COUNT];
};

/* Complete codes: 258 bytes in longest_bits bits, literals from 'a' on, all other lengths, and all distances. */
static void choose_lengths(uint8_t *lens, enum code code, unsigned longest_bits)
{
	unsigned left = (1u << 15) - (1u << (15 - longest_bits)), rare = 0;

	memset(lens, 0, 286 + 30);
	lens[LONGEST_SYMBOL] = (uint8_t)longest_bits;
	for (unsigned i = 0; i < 8; i++) {
		lens['a' + i] = code == JOINED ? 5 : 8;
		left -= 1u << (15 - lens['a' + i]);
	}
	for (unsigned symbol = SYMBOL_END_OF_BLOCK; symbol < LONGEST_SYMBOL; symbol++) {
		lens[symbol] = symbol == SYMBOL_END_OF_BLOCK && code == JOINED ? 12 : 10;
		left -= 1u << (15 - lens[symbol]);
	}
	for (unsigned i = 8, bits = 1; left; bits++) /* what is left goes to literals */
		if (left >> (15 - bits) & 1) {
			lens['a' + i++] = (uint8_t)bits;
			left -= 1u << (15 - bits);
		}
	for (unsigned i = 0; i < 30; i++)
		if (code != SECOND_TABLES)
			lens[286 + i] = i < 2 ? 4 : 5;
		else                             /* what is not used has 1 to 8 bits, so that the rest begins behind the index */
			lens[286 + i] = (uint8_t)(i >= 20 && i < 28 ? i - 19 : rare++ < 10 ? 12 : 13);
}

static void begin_block(struct block *k, enum code code, unsigned longest_bits)
{
	memset(&k->b, 0, sizeof k->b);
	choose_lengths(k->lens, code, longest_bits);
	bits_put_dynamic_header(&k->b, true, k->lens, 286, k->lens + 286, 30);
	bits_make_code(&k->litlen, k->lens, 286);
	bits_make_code(&k->dist, k->lens + 286, 30);
}

static void put_literals(struct block *k, struct rng *r, unsigned count)
{
	while (count--)
		bits_put_symbol(&k->b, &k->litlen, 'a' + stream_below(r, 8));
}

static void put_match(struct block *k, unsigned length, unsigned distance)
{
	bits_put_match(&k->b, &k->litlen, &k->dist, length, distance);
}

static void put_longest(struct block *k, unsigned count, unsigned distance)
{
	while (count--)
		put_match(k, MATCH_MAX_BYTES, distance);
}

static const struct test_bytes *end_block(struct block *k)
{
	bits_put_symbol(&k->b, &k->litlen, SYMBOL_END_OF_BLOCK);
	return bits_end(&k->b);
}

/* ---- both decoders -------------------------------------------------------------------------------------------------- */

static void in_pieces(const struct test_bytes *z, size_t in_bytes, size_t room, int want)
{
	struct twin *t = &twins;

	twin_open(t, -15);
	twin_feed(t, z, in_bytes, room, Z_NO_FLUSH);
	twin_close(t);
	CHECK_TWIN(t);
	assert_int_equal(t->code, want);
}

/* Each set whose loop no other before it had. */
static void for_each_loop(void (*check)(void))
{
	size_t count;
	const struct zw_kernels *const *sets = zw_kernels_all(&count);

	for (size_t i = 0; i < count; i++) {
		bool seen = false;

		for (size_t j = 0; j < i; j++)
			seen |= sets[j]->inflate_symbols == sets[i]->inflate_symbols;
		if (seen)
			continue;
		zw_kernels_force(sets[i]);
		check();
	}
	zw_kernels_force(NULL);
}

/* ---- tests ---------------------------------------------------------------------------------------------------------- */

static void check_every_distance(void)
{
	struct rng r = rng_seed(1);
	struct block k;

	for (unsigned code = 0; code < CODE_COUNT; code++)
		for (unsigned distance = 1; distance <= 1000; distance += distance < 340 ? 1 : 41) {
			begin_block(&k, (enum code)code, 1 + distance % 2);
			put_literals(&k, &r, 1000);
			for (unsigned count = 1; count <= 20; count += 1 + distance % 4) {
				put_longest(&k, count, distance);
				if (count % 3)
					put_match(&k, 3 + stream_below(&r, 255), distance);
				if (count % 2)
					put_match(&k, 3 + stream_below(&r, 255), 1 + stream_below(&r, 1000));
				if (count % 5 == 0)
					put_literals(&k, &r, count);
			}
			end_block(&k);
			in_pieces(&k.b.bytes, k.b.bytes.len_bytes, distance % 3 ? 4096 : 100000, Z_STREAM_END);
			bits_free(&k.b);
		}
}

/* The output ends after every number of bytes, in the midst of a repeat and behind it. */
static void check_every_end_of_the_output(void)
{
	static const unsigned distances[] = { 31, 32, 33, 64, 182, 256, 257, 300, 900 };
	struct rng r = rng_seed(2);
	struct block k;

	for (size_t d = 0; d < sizeof distances / sizeof *distances; d++) {
		begin_block(&k, (enum code)(d % CODE_COUNT), 1 + d % 2);
		put_literals(&k, &r, 900);
		put_longest(&k, 3, distances[d]);
		put_match(&k, 100, distances[d]);
		put_longest(&k, 2, 7);
		put_longest(&k, 1, distances[d]);
		put_literals(&k, &r, 3);
		end_block(&k);
		for (size_t room = 1; room < 2700; room += room < 900 ? 71 : d % 3 ? 7 : 1)
			in_pieces(&k.b.bytes, k.b.bytes.len_bytes, room, Z_STREAM_END);
		bits_free(&k.b);
	}
}

/* The input ends after every byte.  With these codes the bits of a repeat are all zeros but for few distances, as is what a loop may
 * read behind the end. */
static void check_every_end_of_the_input(void)
{
	struct rng r = rng_seed(3);
	struct block k;

	for (unsigned code = 0; code < CODE_COUNT; code++)
		for (unsigned distance = 32; distance <= 260; distance += distance == 33 ? 15 : distance > 33 ? 101 : 1) {
			begin_block(&k, (enum code)code, 1);
			put_literals(&k, &r, 300);
			put_longest(&k, 150, distance);
			put_match(&k, 257, distance);
			put_longest(&k, 150, distance);
			end_block(&k);
			for (size_t cut = 1; cut < k.b.bytes.len_bytes; cut++) {
				struct twin *t = &twins;
				size_t used;

				twin_open(t, -15);
				used = twin_inflate(t, k.b.bytes.data, cut, 200000, Z_NO_FLUSH);
				twin_inflate(t, k.b.bytes.data + used, k.b.bytes.len_bytes - used, 200000, Z_NO_FLUSH);
				twin_close(t);
				CHECK_TWIN(t);
				assert_int_equal(t->code, Z_STREAM_END);
			}
			in_pieces(&k.b.bytes, 1, 200000, Z_STREAM_END);
			bits_free(&k.b);
		}
}

/* A repeat that begins before the first byte, and one that is followed by a match that does. */
static void check_too_far(void)
{
	struct rng r = rng_seed(4);
	struct block k;

	for (unsigned code = 0; code < CODE_COUNT; code++)
		for (unsigned count = 0; count < 40; count++)
			for (size_t room = 50; room < 20000; room = room * 3 + count) {
				begin_block(&k, (enum code)code, 1);
				put_literals(&k, &r, 100);
				put_longest(&k, count, 100 - count);
				put_longest(&k, 3, 100 + count * MATCH_MAX_BYTES + 1);
				end_block(&k);
				in_pieces(&k.b.bytes, k.b.bytes.len_bytes, room, Z_DATA_ERROR);
				bits_free(&k.b);
			}
}

static void check_random(void)
{
	struct block k;

	for (uint64_t seed = 1; seed <= 300; seed++) {
		struct rng r = rng_seed(seed);
		unsigned distance = 40;

		begin_block(&k, (enum code)stream_below(&r, CODE_COUNT), 1 + stream_below(&r, 2));
		put_literals(&k, &r, 600);
		for (unsigned i = 0; i < 200; i++)
			switch (stream_below(&r, 6)) {
			case 0:  put_literals(&k, &r, 1 + stream_below(&r, 4)); break;
			case 1:  put_match(&k, 3 + stream_below(&r, 256), 1 + stream_below(&r, 600)); break;
			case 2:  put_match(&k, 3 + stream_below(&r, 256), distance); break;
			case 3:  distance = 1 + stream_below(&r, 600); break;
			default: put_longest(&k, 1 + stream_below(&r, 9), distance);
			}
		end_block(&k);
		in_pieces(&k.b.bytes, rng_one_in(&r, 2) ? k.b.bytes.len_bytes : 1 + stream_below(&r, 300), 1 + stream_below(&r, 9000), Z_STREAM_END);
		bits_free(&k.b);
	}
}

static void test_every_distance(void **state)          { (void)state; for_each_loop(check_every_distance); }
static void test_every_end_of_the_output(void **state) { (void)state; for_each_loop(check_every_end_of_the_output); }
static void test_every_end_of_the_input(void **state)  { (void)state; for_each_loop(check_every_end_of_the_input); }
static void test_too_far(void **state)                 { (void)state; for_each_loop(check_too_far); }
static void test_random_blocks(void **state)           { (void)state; for_each_loop(check_random); }

/* These blocks take the way that is tested here, and one with a longer code of 258 bytes does not. */
static void test_which_blocks_are_taken_for_such(void **state)
{
	static struct zw_inflate s;

	(void)state;
	for (unsigned code = 0; code < CODE_COUNT; code++)
		for (unsigned longest_bits = 1; longest_bits <= 4; longest_bits++) {
			struct zw_bit_reader br = { 0 };
			const struct test_bytes *z;
			struct block k;

			begin_block(&k, (enum code)code, longest_bits);
			z = end_block(&k);
			br.next = br.start = z->data;
			br.end = z->data + z->len_bytes;
			memset(&s, 0, sizeof s);
			s.kernels = zw_kernels_get();
			s.may_look_ahead = true;
			assert_true(zw_bits_need(&br, 3));
			zw_bits_drop(&br, 3);
			assert_int_equal(zw_block_read_counts(&s, &br), ZW_STEP_GO);
			while (s.mode == ZW_INFLATE_PRECODE)
				assert_int_equal(zw_block_read_precode(&s, &br), ZW_STEP_GO);
			assert_int_equal(zw_block_read_lengths(&s, &br), ZW_STEP_GO);
			assert_int_equal(s.mode, ZW_INFLATE_SYMBOLS_STOP);
			assert_int_equal(s.repeats, longest_bits <= 2);
			bits_free(&k.b);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_which_blocks_are_taken_for_such),
		cmocka_unit_test(test_every_distance),
		cmocka_unit_test(test_every_end_of_the_output),
		cmocka_unit_test(test_every_end_of_the_input),
		cmocka_unit_test(test_too_far),
		cmocka_unit_test(test_random_blocks),
	};

	return cmocka_run_group_tests(tests, twins_begin, twins_end);
}
