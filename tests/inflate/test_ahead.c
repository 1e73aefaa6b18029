/* SPDX-License-Identifier: Zlib */
/* test_ahead.c - looking ahead: its tables, and that a run ends at the same symbol as with one look-up after the other, wherever the
 * output, the input, the block or what is valid ends. */
#include "lib/cmocka_all.h"

#include "inflate/ahead_batch.h"
#include "inflate/inflate_back.h"
#include "inflate/make_stream.h"
#include "inflate/search_code.h"
#include "inflate/twin.h"

static const struct zw_kernels *ahead_kernels_or_skip(void)
{
	size_t count;
	const struct zw_kernels *const *sets = zw_kernels_all(&count);

	for (size_t k = 0; k < count; k++)
		if (sets[k]->inflate_ahead)
			return sets[k];
	print_message("no kernel set of this CPU looks ahead\n");
	skip();
	return NULL;
}

/* ---- tables --------------------------------------------------------------------------------------------------------- */

/* Lengths of a code with few long matches and an end of block of so many bits that the block's tables look ahead. */
static void random_codes(struct rng *r, uint8_t *lens, unsigned litlen_count, unsigned dist_count)
{
	unsigned max_bits = 7 + stream_below(r, 9), used = max_bits < 9 ? 30 + stream_below(r, 60) : 60 + stream_below(r, litlen_count), long_share;

	memset(lens, 0, litlen_count + dist_count);
	do {
		stream_random_code(r, lens, litlen_count, used, max_bits);
		long_share = 0;
		for (unsigned i = 273; i < litlen_count; i++)
			long_share += lens[i] ? 32768u >> lens[i] : 0;
	} while (lens[256] < 7 || long_share >= 32768 / 5);
	if (rng_one_in(r, 4))
		lens[litlen_count + stream_below(r, dist_count)] = 1;
	else if (!rng_one_in(r, 10))
		stream_random_code(r, lens + litlen_count, dist_count, 2 + stream_below(r, dist_count), 5 + stream_below(r, 11));
}

/* A stream's state as the header of these codes leaves it. */
static bool read_header(struct zw_inflate *s, const struct zw_kernels *k, const uint8_t *lens, unsigned litlen_count, unsigned dist_count)
{
	struct bits b = { 0 };
	struct zw_bit_reader br = { 0 };
	struct test_bytes *z;
	enum zw_step step = ZW_STEP_GO;

	bits_put_dynamic_header(&b, false, lens, litlen_count, lens + litlen_count, dist_count);
	z = bits_end(&b);
	br.next = br.start = z->data;
	br.end = z->data + z->len_bytes;
	memset(s, 0, sizeof *s);
	s->kernels = k;
	s->may_look_ahead = true;
	assert_true(zw_bits_need(&br, 3));
	zw_bits_drop(&br, 3);
	s->mode = ZW_INFLATE_COUNTS;
	while (step == ZW_STEP_GO && s->mode != ZW_INFLATE_SYMBOLS_STOP) {
		assert_int_not_equal(s->mode, ZW_INFLATE_BAD);
		switch ((enum zw_inflate_mode)s->mode) {
		case ZW_INFLATE_COUNTS:  step = zw_block_read_counts(s, &br);  break;
		case ZW_INFLATE_PRECODE: step = zw_block_read_precode(s, &br); break;
		default:                 step = zw_block_read_lengths(s, &br); break;
		}
	}
	bits_free(&b);
	return s->looks_ahead;
}

static uint32_t look_up(const struct zw_ahead_tables *t, unsigned root, unsigned index, unsigned *drop_ret)
{
	uint32_t entry = t->entry[root + (index & t->index_mask)];

	*drop_ret = 0;
	if (!zw_ahead_is_link(entry))
		return entry;
	*drop_ret = AHEAD_ROOT_BITS;
	assert_between(zw_second_index(entry, index >> AHEAD_ROOT_BITS), AHEAD_SECOND, t->used_entries - 1);
	return t->entry[zw_second_index(entry, index >> AHEAD_ROOT_BITS)];
}

/* A whole match: what the search says of the length and the distance. */
static void check_whole(const uint8_t *lens, unsigned litlen_count, unsigned dist_count, unsigned index, uint32_t entry)
{
	unsigned length_bits, dist_bits, length = symbol_by_search(lens, litlen_count, index, 15, &length_bits), dist;
	uint32_t alone = zw_ahead_litlen_constant[length] + length_bits * AHEAD_STEP, dist_alone;

	assert_true(alone & AHEAD_LENGTH);
	assert_int_equal(zw_ahead_whole_length(entry), zw_ahead_value(alone, index) + MATCH_MIN_BYTES);
	length_bits = zw_entry_bits(alone);
	dist = symbol_by_search(lens + litlen_count, dist_count, index >> length_bits, AHEAD_ROOT_BITS - length_bits, &dist_bits);
	assert_true(dist_bits);
	dist_alone = zw_ahead_dist_constant[dist] + dist_bits * AHEAD_STEP;
	assert_int_equal(zw_entry_bits(entry), length_bits + zw_entry_bits(dist_alone));
	for (unsigned extra = 0; extra < 1u << DIST_EXTRA_MAX_BITS; extra = 3 * extra + 1) {
		uint64_t bits = (index & ((1u << (length_bits + dist_bits)) - 1)) | (uint64_t)extra << (length_bits + dist_bits);

		assert_int_equal(zw_ahead_value(entry, bits), zw_ahead_value(dist_alone, bits >> length_bits));
	}
}

static void test_tables_mean_what_the_lengths_say(void **state)
{
	const struct zw_kernels *k = ahead_kernels_or_skip();
	unsigned whole = 0, invalid = 0, linked = 0, ahead = 0, small = 0;
	static struct zw_inflate s;

	(void)state;
	for (uint64_t seed = 1; seed <= 600; seed++) {
		struct rng r = rng_seed(seed);
		uint8_t lens[CODE_COUNT_MAX];
		unsigned litlen_count = 257 + stream_below(&r, 30), dist_count = 1 + stream_below(&r, 30), bits, symbol, drop;

		random_codes(&r, lens, litlen_count, dist_count);
		if (!read_header(&s, k, lens, litlen_count, dist_count))
			continue;
		ahead++;
		bits = 0;
		for (unsigned i = 0; i < litlen_count + dist_count; i++)
			bits = lens[i] > bits ? lens[i] : bits;
		assert_int_equal(s.ahead.index_mask, (1u << (bits < AHEAD_ROOT_BITS ? bits : AHEAD_ROOT_BITS)) - 1);
		small += bits < AHEAD_ROOT_BITS;
		for (unsigned round = 0; round < 100; round++) {
			unsigned index = stream_below(&r, 1u << 15);
			uint32_t entry = look_up(&s.ahead, 0, index, &drop);

			linked += drop != 0;
			symbol = symbol_by_search(lens, litlen_count, index, 15, &bits);
			assert_true(bits);
			if (!(entry & AHEAD_SPECIAL) && entry & AHEAD_DISTANCE && !(entry & AHEAD_SPLIT)) {
				check_whole(lens, litlen_count, dist_count, index, entry);
				whole++;
			} else {
				assert_int_equal(entry, zw_ahead_litlen_constant[symbol] + (bits - drop) * AHEAD_STEP);
			}
			entry = look_up(&s.ahead, AHEAD_DIST, index, &drop);
			symbol = symbol_by_search(lens + litlen_count, dist_count, index, 15, &bits);
			invalid += !bits;
			if (!bits)
				assert_true((entry & (AHEAD_SPECIAL | AHEAD_INVALID)) == (AHEAD_SPECIAL | AHEAD_INVALID));
			else
				assert_int_equal(entry, zw_ahead_dist_constant[symbol] + (bits - drop) * AHEAD_STEP);
		}
	}
	assert_int_equal(ahead, 600);
	assert_true(whole > 400 && invalid > 1000 && linked > 400 && small > 100);
}

struct back_owner { const struct test_bytes *z; bool given; uint8_t made[4]; unsigned made_bytes; };

static unsigned pull(void *owner, const uint8_t **next_ret)
{
	struct back_owner *o = owner;

	if (o->given)
		return 0;
	o->given = true;
	*next_ret = o->z->data;
	return (unsigned)o->z->len_bytes;
}

static int push(void *owner, uint8_t *from, unsigned bytes)
{
	struct back_owner *o = owner;

	assert_between(bytes, 1, sizeof o->made);
	memcpy(o->made, from, bytes);
	o->made_bytes = bytes;
	return 0;
}

/* A block that inflate() would look ahead in: inflateBack() takes its symbols one by one, from the other tables. */
static void test_inflate_back_does_not_look_ahead(void **state)
{
	const struct zw_kernels *k = ahead_kernels_or_skip();
	static struct zw_inflate s;
	static uint8_t window[512];
	struct back_owner owner = { 0 };
	struct zw_back_io io = { .pull = pull, .pull_owner = &owner, .push = push, .push_owner = &owner, .window = window,
				 .window_bytes = sizeof window };
	struct rng r = rng_seed(7);
	uint8_t lens[CODE_COUNT_MAX];
	struct bits_code litlen;
	struct bits b = { 0 };
	unsigned literal = 0;

	(void)state;
	random_codes(&r, lens, 286, 30);
	assert_true(read_header(&s, k, lens, 286, 30));
	while (!lens[literal])
		literal++;
	bits_put_dynamic_header(&b, true, lens, 286, lens + 286, 30);
	bits_make_code(&litlen, lens, 286);
	bits_put_symbol(&b, &litlen, literal);
	bits_put_symbol(&b, &litlen, SYMBOL_END_OF_BLOCK);
	owner.z = bits_end(&b);
	assert_true(s.may_look_ahead && s.looks_ahead);
	assert_int_equal(zw_inflate_back(&s, &io), ZW_STREAM_DONE);
	assert_false(s.looks_ahead);
	assert_int_equal(owner.made_bytes, 1);
	assert_int_equal(owner.made[0], literal);
	bits_free(&b);
}

/* Behind its last lane it stands again, so that whoever takes too many takes the same. */
static void test_order_has_the_lanes_of_each_set(void **state)
{
	static const uint8_t place[AHEAD_LOOKUPS] = { 0, 1, 4, 5, 2, 3, 6, 7 };
	const unsigned lane_mask = (1u << AHEAD_ORDER_LANE_BITS) - 1;

	(void)state;
	for (unsigned set = 0; set < 1u << AHEAD_LOOKUPS; set++) {
		unsigned count = 0, last = 0, taken = zw_ahead_order[set][AHEAD_LOOKUPS - 1] >> AHEAD_ORDER_LANE_BITS;

		for (unsigned lane = 0; lane < AHEAD_LOOKUPS; lane++)
			if (set >> lane & 1) {
				assert_int_equal(zw_ahead_order[set][place[count++]] & lane_mask, lane);
				last = lane;
			}
		assert_int_equal(taken, !count ? 0 : count < AHEAD_MATCHES_MIN ? AHEAD_MATCHES_MIN : count);
		for (; count < taken; count++)
			assert_int_equal(zw_ahead_order[set][place[count]] & lane_mask, last);
	}
}

/* ---- where a run ends ------------------------------------------------------------------------------------------------ */

/* Plain text by the system's zlib: one block with literals, matches and whole matches. */
static struct test_bytes made_body(int window_bits, size_t bytes)
{
	struct test_bytes page = { 0 }, z;

	corpus_make(CORPUS_HTML, 3, 100000, &page);
	z = compressed(twins.system_zlib, page.data + 20000, bytes, window_bits, NULL, 0, Z_NO_FLUSH);
	bytes_free(&page);
	return z;
}

/* All of z in three calls, which end where the first two say; compared after each. */
static void in_three_calls(int window_bits, const struct test_bytes *z, size_t first_in, size_t first_room, size_t second_in, size_t second_room,
			   size_t plain_bytes)
{
	struct twin *t = &twins;
	size_t used;

	twin_open(t, window_bits);
	used = twin_inflate(t, z->data, first_in, first_room, Z_NO_FLUSH);
	if (second_in > z->len_bytes - first_in)
		second_in = z->len_bytes - first_in;
	used += twin_inflate(t, z->data + used, first_in - used + second_in, second_room, Z_NO_FLUSH);
	twin_inflate(t, z->data + used, z->len_bytes - used, 30000, Z_NO_FLUSH);
	twin_close(t);
	CHECK_TWIN(t);
	assert_int_equal(t->code, Z_STREAM_END);
	assert_int_equal(t->made.len_bytes, plain_bytes);
}

/* The first call ends for want of room after every possible number of bytes; the second has a little, the rest all. */
static void test_every_end_of_the_output(void **state)
{
	static const int windows[] = { 31, -15, -9 };

	(void)state;
	for (size_t w = 0; w < 3; w++) {
		struct test_bytes z = made_body(windows[w], 9000);

		for (size_t room = 1; room <= 9000; room += room < 1200 ? 1 : 37)
			in_three_calls(windows[w], &z, z.len_bytes, room, 0, 1 + room % 300, 9000);
		bytes_free(&z);
	}
}

/* The first call ends for want of input after every possible number of bytes, the second 1 to 64 further on. */
static void test_every_end_of_the_input(void **state)
{
	static const int windows[] = { 31, -15, 15 };

	(void)state;
	for (size_t w = 0; w < 3; w++) {
		struct test_bytes z = made_body(windows[w], 6000);

		for (size_t cut = 0; cut < z.len_bytes; cut++)
			in_three_calls(windows[w], &z, cut, 20000, 1 + cut % 64, 20000, 6000);
		bytes_free(&z);
	}
}

/* A block of random symbols whose symbol number at is a distance that reaches too far, or a code that is none, or the last. */
enum fault { TOO_FAR, NO_DISTANCE, ENDS, FAULT_COUNT };

static void put_block(struct rng *r, struct bits *b, unsigned at, enum fault fault)
{
	uint8_t lens[CODE_COUNT_MAX] = { 0 };
	struct bits_code litlen, dist;
	unsigned made = 0, symbol;

	do
		stream_random_code(r, lens, 286, 90 + stream_below(r, 196), 9 + stream_below(r, 7));
	while (lens[256] < 7 || !(lens[257] && lens[258] && lens[260]) || !lens[65]);
	if (fault == NO_DISTANCE)
		lens[286] = 1;                   /* of one bit, 0; 1 is nothing */
	else
		stream_random_code(r, lens + 286, 30, 30, 5 + stream_below(r, 11));
	bits_put_dynamic_header(b, true, lens, 286, lens + 286, 30);
	bits_make_code(&litlen, lens, 286);
	bits_make_code(&dist, lens + 286, 30);
	for (unsigned i = 0; i < at; i++) {
		do
			symbol = rng_one_in(r, 2) ? stream_below(r, 256) : 257 + stream_below(r, 12);
		while (!lens[symbol] || (symbol > 256 && (!made || lens[symbol] + 0u > 15)));
		if (symbol < 256) {
			bits_put_symbol(b, &litlen, symbol);
			made++;
			continue;
		}
		bits_put_symbol(b, &litlen, symbol);
		bits_put(b, 0, stream_length_extra[symbol - SYMBOL_LENGTH_FIRST]);
		bits_put_symbol(b, &dist, 0);    /* the byte before */
		made += 3;                       /* at least */
	}
	if (fault == ENDS) {
		bits_put_symbol(b, &litlen, SYMBOL_END_OF_BLOCK);
	} else {
		bits_put_symbol(b, &litlen, 257);
		if (fault == NO_DISTANCE) {
			bits_put(b, 1, 1);
		} else {
			bits_put_symbol(b, &dist, 29);
			bits_put(b, 8191, 13);
		}
	}
	for (unsigned i = 0; i < 120; i++)       /* what follows is nobody's */
		bits_put(b, stream_below(r, 256), 8);
}

static void test_every_place_of_a_fault(void **state)
{
	struct twin *t = &twins;
	unsigned faults = 0;

	(void)state;
	for (unsigned at = 0; at < 60; at++)
		for (unsigned fault = 0; fault < FAULT_COUNT; fault++)
			for (uint64_t seed = 1; seed <= 12; seed++) {
				struct rng r = rng_seed(seed * 1000 + at * 7 + fault);
				struct bits b = { 0 };
				struct test_bytes *z;

				put_block(&r, &b, at, (enum fault)fault);
				z = bits_end(&b);
				twin_open(t, -15);
				twin_inflate(t, z->data, z->len_bytes, seed % 3 ? 8192 : at, Z_NO_FLUSH);
				twin_inflate(t, z->data + t->used_bytes, z->len_bytes - t->used_bytes, 8192, Z_NO_FLUSH);
				twin_close(t);
				CHECK_TWIN(t);
				faults += t->code == Z_DATA_ERROR;
				bits_free(&b);
			}
	assert_true(faults >= 60 * 2 * 12);
}

/* Every room in the last bytes of a block: its end may not be taken before there is room behind its last symbol, and a batch may end
 * with either. */
static void test_every_room_before_the_end_of_a_block(void **state)
{
	struct twin *t = &twins;

	(void)state;
	for (unsigned at = 1; at < 48; at++)
		for (uint64_t seed = 1; seed <= 4; seed++) {
			struct rng r = rng_seed(seed * 1000 + at);
			struct bits b = { 0 };
			struct test_bytes *z;
			size_t made, used;

			put_block(&r, &b, at, ENDS);
			z = bits_end(&b);
			twin_open(t, -15);
			twin_inflate(t, z->data, z->len_bytes, 20000, Z_NO_FLUSH);
			made = t->made.len_bytes;
			twin_close(t);
			assert_int_equal(t->code, Z_STREAM_END);
			for (size_t room = made > 40 ? made - 40 : 1; room <= made; room++) {
				twin_open(t, -15);
				used = twin_inflate(t, z->data, z->len_bytes, room, Z_NO_FLUSH);
				twin_inflate(t, z->data + used, z->len_bytes - used, 300, Z_NO_FLUSH);
				twin_close(t);
				CHECK_TWIN(t);
				assert_int_equal(t->code, Z_STREAM_END);
			}
			bits_free(&b);
		}
}

/* A code that leaves hardly a symbol within the root: second tables at every place, and symbols as long as can be before
 * every end of the input. */
static void test_long_codes_everywhere(void **state)
{
	struct twin *t = &twins;

	(void)state;
	for (uint64_t seed = 1; seed <= 600; seed++) {
		struct rng r = rng_seed(seed);
		uint8_t lens[CODE_COUNT_MAX] = { 0 };
		struct bits_code litlen, dist;
		struct bits b = { 0 };
		struct test_bytes *z;

		for (unsigned i = 0; i < 5; i++) /* codes 0, 10, 110, 1110 and 11110 are hardly used; all others have 14 bits and more */
			lens[200 + i] = (uint8_t)(1 + i);
		for (unsigned i = 0; i < 200; i++)
			lens[i] = 13;
		for (unsigned i = 256; i < 286; i++)
			lens[i] = 13;
		for (unsigned i = 205, left = 256 - 230; left; i++, left--)
			lens[i] = 13;
		for (unsigned i = 0; i < 10; i++)
			lens[286 + i] = (uint8_t)(1 + i);
		for (unsigned i = 10; i < 26; i++)
			lens[286 + i] = 14;
		bits_put_dynamic_header(&b, true, lens, 286, lens + 286, 26);
		bits_make_code(&litlen, lens, 286);
		bits_make_code(&dist, lens + 286, 26);
		for (unsigned i = 0; i < 400; i++) {
			unsigned symbol = rng_one_in(&r, 3) ? 257 + stream_below(&r, 29) : stream_below(&r, 205), d;

			if (i < 40 && symbol > 256)
				continue;
			bits_put_symbol(&b, &litlen, symbol);
			if (symbol < 256)
				continue;
			bits_put(&b, stream_below(&r, 32), stream_length_extra[symbol - SYMBOL_LENGTH_FIRST]);
			d = rng_one_in(&r, 2) ? stream_below(&r, 8) : i < 300 ? 8 : 9 + stream_below(&r, 8);
			bits_put_symbol(&b, &dist, d);
			bits_put(&b, stream_below(&r, 256), d < 4 ? 0 : (d - 2) / 2);
		}
		bits_put_symbol(&b, &litlen, SYMBOL_END_OF_BLOCK);
		z = bits_end(&b);
		twin_open(t, -15);
		while ((t->code == Z_OK || t->code == Z_BUF_ERROR) && !t->fault && (t->used_bytes < z->len_bytes || t->ours.avail_out == 0)) {
			size_t left = z->len_bytes - t->used_bytes, piece = seed & 1 ? left : 40 + stream_below(&r, 100);

			twin_inflate(t, z->data + t->used_bytes, piece < left ? piece : left, 1 + stream_below(&r, 3000), Z_NO_FLUSH);
		}
		twin_close(t);
		CHECK_TWIN(t);
		bits_free(&b);
	}
}

/* Every kind of match: one step, many, and of every distance in which it may repeat itself, with and without literals between. */
static void test_every_length_at_every_distance(void **state)
{
	static const uint16_t length_first[29] = { 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131,
						   163, 195, 227, 258 };
	struct twin *t = &twins;

	(void)state;
	for (uint64_t seed = 1; seed <= 300; seed++) {
		struct rng r = rng_seed(seed);
		uint8_t lens[CODE_COUNT_MAX];
		struct bits_code litlen, dist;
		struct bits b = { 0 };
		struct test_bytes *z;
		unsigned made = 0, long_in = 1 + stream_below(&r, 12);

		for (unsigned i = 0; i < 286; i++)
			lens[i] = i < 226 ? 8 : 9;
		for (unsigned i = 0; i < 30; i++)
			lens[286 + i] = i < 2 ? 4 : 5;
		bits_put_dynamic_header(&b, true, lens, 286, lens + 286, 30);
		bits_make_code(&litlen, lens, 286);
		bits_make_code(&dist, lens + 286, 30);
		while (made < 12000) {
			unsigned symbol, d, extra_bits, distance;

			if (made < 40 || rng_one_in(&r, 3)) {
				bits_put_symbol(&b, &litlen, stream_below(&r, 256));
				made++;
				continue;
			}
			symbol = rng_one_in(&r, long_in) ? 16 + stream_below(&r, 13) : stream_below(&r, 16);
			bits_put_symbol(&b, &litlen, SYMBOL_LENGTH_FIRST + symbol);
			bits_put(&b, 0, stream_length_extra[symbol]);
			do {
				d = stream_below(&r, rng_one_in(&r, 2) ? 15 : 26);
				extra_bits = d < 4 ? 0 : (d - 2) / 2;
				distance = d < 4 ? d + 1 : ((2 + d % 2) << extra_bits) + 1;
			} while (distance + (1u << extra_bits) > made);
			bits_put_symbol(&b, &dist, d);
			bits_put(&b, stream_below(&r, 1u << extra_bits), extra_bits);
			made += length_first[symbol];
		}
		bits_put_symbol(&b, &litlen, SYMBOL_END_OF_BLOCK);
		z = bits_end(&b);
		twin_open(t, -15);
		while ((t->code == Z_OK || t->code == Z_BUF_ERROR) && !t->fault && (t->used_bytes < z->len_bytes || t->ours.avail_out == 0))
			twin_inflate(t, z->data + t->used_bytes, z->len_bytes - t->used_bytes, 1 + stream_below(&r, 6000), Z_NO_FLUSH);
		twin_close(t);
		CHECK_TWIN(t);
		assert_int_equal(t->code, Z_STREAM_END);
		assert_int_equal(t->made.len_bytes, made);
		bits_free(&b);
	}
}

/* Matches as long in bits as can be, so that a batch ends with a length that waits and with a full hold: all of that goes back to the
 * input where it ends, at every byte. */
static void test_longest_symbols_before_every_end(void **state)
{
	struct twin *t = &twins;

	(void)state;
	for (unsigned first = 1; first <= 8; first++) { /* literals: where in a batch the matches begin */
		uint8_t lens[CODE_COUNT_MAX] = { 0 };
		struct bits_code litlen, dist;
		struct bits b = { 0 };
		struct test_bytes *z;

		for (unsigned i = 0; i < 14; i++)
			lens[i] = (uint8_t)(1 + i);
		lens[256] = lens[284] = 15;
		for (unsigned i = 0; i < 14; i++)
			lens[285 + i] = (uint8_t)(1 + i);
		lens[285 + 14] = lens[285 + 15] = 15;
		bits_put_dynamic_header(&b, true, lens, 285, lens + 285, 16);
		bits_make_code(&litlen, lens, 285);
		bits_make_code(&dist, lens + 285, 16);
		for (unsigned i = 0; i < 200 + first; i++)
			bits_put_symbol(&b, &litlen, i & 1);
		for (unsigned i = 0; i < 60; i++) {
			bits_put_symbol(&b, &litlen, 284);
			bits_put(&b, i % 32, 5);
			bits_put_symbol(&b, &dist, 14);
			bits_put(&b, i, 6);
		}
		bits_put_symbol(&b, &litlen, SYMBOL_END_OF_BLOCK);
		z = bits_end(&b);
		for (size_t cut = 1; cut < z->len_bytes; cut++) {
			size_t used;

			twin_open(t, -15);
			used = twin_inflate(t, z->data, cut, 30000, Z_NO_FLUSH);
			twin_inflate(t, z->data + used, z->len_bytes - used, 30000, Z_NO_FLUSH);
			twin_close(t);
			CHECK_TWIN(t);
			assert_int_equal(t->code, Z_STREAM_END);
		}
		bits_free(&b);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tables_mean_what_the_lengths_say),
		cmocka_unit_test(test_inflate_back_does_not_look_ahead),
		cmocka_unit_test(test_every_end_of_the_output),
		cmocka_unit_test(test_every_end_of_the_input),
		cmocka_unit_test(test_every_place_of_a_fault),
		cmocka_unit_test(test_every_room_before_the_end_of_a_block),
		cmocka_unit_test(test_long_codes_everywhere),
		cmocka_unit_test(test_every_length_at_every_distance),
		cmocka_unit_test(test_longest_symbols_before_every_end),
		cmocka_unit_test(test_order_has_the_lanes_of_each_set),
	};

	return cmocka_run_group_tests(tests, twins_begin, twins_end);
}
