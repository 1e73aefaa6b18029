/* SPDX-License-Identifier: Zlib */
/* test_block_write.c - blocks of every kind, written into rooms of every size, give the same bytes, cost what was promised
 * and are decoded to what the tokens mean. */
#include "deflate/block_cost.h"
#include "deflate/block_write.h"
#include "lib/cmocka_all.h"
#include "lib/peer.h"
#include "lib/ref_inflate.h"
#include "lib/rng.h"

#include <stdlib.h>
#include <string.h>

#define PLAIN_MAX_BYTES (6u << 20)
#define WHOLE_BYTES     (2u << 20)           /* a room for anything but the largest script */
#define BLOCKS_MAX      16u
#define CANARY          "sixteen canaries"
#define UNTOUCHED       0xee

enum block_kind { PLANNED, QUICK, FIXED_ONLY, STORED, MARKER };

struct block {
	enum block_kind kind;
	bool      last;
	uint32_t  token_first, token_count;      /* of script.tokens */
	size_t    raw_first, raw_bytes;          /* of script.plain */
	struct zw_histogram freq;
};

/* A list of blocks and what they decode to. */
static struct {
	struct block blocks[BLOCKS_MAX];
	unsigned  block_count;
	uint32_t  tokens[BLOCKS_MAX * BLOCK_MAX_TOKENS];
	uint32_t  token_count;
	uint8_t   plain[PLAIN_MAX_BYTES];
	size_t    plain_bytes;
} script;

static uint8_t written[PLAIN_MAX_BYTES + 2 * WHOLE_BYTES], again[PLAIN_MAX_BYTES + 65536], decoded[PLAIN_MAX_BYTES + 1];

static struct rng rng;

static uint32_t next_random(void) { return (uint32_t)(rng_next(&rng) >> 40); }

/* ---- making scripts ---- */

static struct block *add_block(enum block_kind kind)
{
	struct block *b = &script.blocks[script.block_count++];

	assert_true(script.block_count <= BLOCKS_MAX);
	memset(b, 0, sizeof *b);
	b->kind = kind;
	b->token_first = script.token_count;
	b->raw_first = script.plain_bytes;
	return b;
}

static void add_literal(struct block *b, unsigned c)
{
	script.plain[script.plain_bytes++] = (uint8_t)c;
	script.tokens[script.token_count++] = zw_token_literal(c);
	b->freq.litlen[c]++;
	b->token_count++;
}

static void add_pair(struct block *b, unsigned first, unsigned second)
{
	script.plain[script.plain_bytes++] = (uint8_t)first;
	script.plain[script.plain_bytes++] = (uint8_t)second;
	script.tokens[script.token_count++] = zw_token_pair(first, second);
	b->freq.litlen[first]++;
	b->freq.litlen[second]++;
	b->token_count++;
}

static void add_match(struct block *b, unsigned len, unsigned distance)
{
	unsigned symbol = zw_distance_symbol(distance - 1);

	assert_true(distance <= script.plain_bytes);
	for (unsigned i = 0; i < len; i++, script.plain_bytes++)
		script.plain[script.plain_bytes] = script.plain[script.plain_bytes - distance];
	script.tokens[script.token_count++] = zw_token_match(len, symbol, distance - 1);
	b->freq.litlen[TOKEN_LENGTH_BIAS + len]++;
	b->freq.dist[symbol]++;
	b->token_count++;
}

static void add_random_tokens(struct block *b, unsigned count)
{
	unsigned alphabet = 1 + next_random() % 256, skew = 1 + next_random() % 4, matches = next_random() % 4;

	for (unsigned i = 0; i < count; i++) {
		unsigned c = next_random() % alphabet, second = next_random() % alphabet;

		for (unsigned k = 1; k < skew; k++)
			c = next_random() % (c + 1);
		if (next_random() % 4 < matches && script.plain_bytes) {
			size_t far = script.plain_bytes < DISTANCE_MAX_BYTES ? script.plain_bytes : DISTANCE_MAX_BYTES;
			unsigned most = 1 + next_random() % 256;
			unsigned len = MATCH_MIN_BYTES + next_random() % 256 % most;

			add_match(b, len, 1 + next_random() % (unsigned)far);
		} else if (next_random() % 2) {
			add_pair(b, c, second);
		} else {
			add_literal(b, c);
		}
	}
}

static void add_raw(struct block *b, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		script.plain[script.plain_bytes++] = (uint8_t)next_random();
	b->raw_bytes = bytes;
}

static void clear_script(void)
{
	script.block_count = script.token_count = 0;
	script.plain_bytes = 0;
}

/* ---- running them ---- */

/* Bits that left the writer or are in it, when total_bytes went out. */
static uint64_t bits_so_far(const struct zw_block_writer *w, size_t total_bytes)
{
	return (uint64_t)(total_bytes + zw_writer_staged_bytes(w)) * 8 + w->hold_bits;
}

/* Emits until idle in rooms of room_bytes at to, with a canary behind each; returns the bytes. */
static size_t emit_in_rooms(struct zw_block_writer *w, uint8_t *to, size_t room_bytes)
{
	size_t total = 0;
	bool idle;

	do {
		struct zw_out out = { to + total, room_bytes };

		if (room_bytes <= 4096)
			memset(to + total, UNTOUCHED, room_bytes);
		memcpy(to + total + room_bytes, CANARY, sizeof CANARY);
		idle = zw_writer_emit(w, &out);
		assert_int_equal(idle, zw_writer_idle(w));
		assert_memory_equal(to + total + room_bytes, CANARY, sizeof CANARY);
		assert_ptr_equal(out.next, to + total + room_bytes - out.left_bytes);
		assert_true(idle || !out.left_bytes);
		if (room_bytes <= 4096)
			for (size_t i = 0; i < out.left_bytes; i++)
				assert_int_equal(out.next[i], UNTOUCHED);
		total += room_bytes - out.left_bytes;
	} while (!idle);
	return total;
}

static uint64_t begin_block(struct zw_block_writer *w, const struct block *b)
{
	struct zw_block_plan plan;

	memset(&plan, 0xa5, sizeof plan);
	switch (b->kind) {
	case STORED:
		zw_writer_begin_stored(w, script.plain + b->raw_first, b->raw_bytes, b->last);
		return 0;
	case MARKER:
		zw_writer_begin_stored(w, NULL, 0, b->last);
		return 0;
	case PLANNED:
	case QUICK:
	case FIXED_ONLY:
		break;
	}
	zw_block_plan_make(&plan, &b->freq, b->token_count, b->kind == FIXED_ONLY ? CODES_FIXED : b->kind == QUICK ? CODES_QUICK : CODES_BEST);
	assert_true(plan.cost_bits <= zw_block_fixed_bits(&b->freq));
	if (b->kind == FIXED_ONLY)
		assert_int_equal(plan.type, BLOCK_FIXED);
	if (plan.type == BLOCK_FIXED)
		assert_true(plan.cost_bits == zw_block_fixed_bits(&b->freq));
	zw_writer_begin_planned(w, &plan, script.tokens + b->token_first, b->token_count, b->last);
	return plan.cost_bits;
}

/* Writes the script into rooms of room_bytes; checks each block's cost; returns the stream's bytes. */
static size_t write_script(uint8_t *to, size_t room_bytes)
{
	static struct zw_block_writer w;
	size_t total = 0;

	memset(&w, 0xa5, sizeof w);
	zw_writer_reset(&w, false);
	for (unsigned i = 0; i < script.block_count; i++) {
		const struct block *b = &script.blocks[i];
		uint64_t before = bits_so_far(&w, total), cost;
		unsigned hold_bits = w.hold_bits;

		cost = begin_block(&w, b);
		if (!cost)
			cost = zw_block_stored_bits(b->raw_bytes, hold_bits);
		total += emit_in_rooms(&w, to + total, room_bytes);
		if (b->last)
			cost += (0u - (before + cost)) & 7;
		assert_true(bits_so_far(&w, total) - before == cost);
	}
	return total;
}

/* Decoded by the tests' own inflate, and by the system's zlib where there is one. */
static void check_decodes(const uint8_t *stream, size_t stream_bytes)
{
	const struct peer_zlib *peer = peer_system();
	struct ref_output ref = ref_inflate(stream, stream_bytes, NULL, 0, decoded, sizeof decoded);
	z_stream z = { .next_in = (Bytef *)(uintptr_t)stream, .avail_in = (uInt)stream_bytes,
		       .next_out = decoded, .avail_out = (uInt)sizeof decoded };

	assert_int_equal(ref.result, REF_DONE);
	assert_int_equal((ref.in_bits + 7) / 8, stream_bytes);
	assert_int_equal(ref.out_bytes, script.plain_bytes);
	assert_memory_equal(decoded, script.plain, script.plain_bytes);
	if (!peer)
		return;
	memset(decoded, 0, script.plain_bytes);
	assert_int_equal(peer->inflateInit2_(&z, -15, peer->zlibVersion(), (int)sizeof z), Z_OK);
	assert_int_equal(peer->inflate(&z, Z_FINISH), Z_STREAM_END);
	assert_int_equal(z.avail_in, 0);
	assert_int_equal(z.next_out - decoded, script.plain_bytes);
	assert_memory_equal(decoded, script.plain, script.plain_bytes);
	assert_int_equal(peer->inflateEnd(&z), Z_OK);
}

/* Whole, then in small rooms: the same bytes each time. */
static void check_script(void)
{
	static const size_t rooms[] = { 1, 2, 7, 13, 14, 15, 100, 4096 };
	size_t bytes = write_script(written, WHOLE_BYTES);

	check_decodes(written, bytes);
	for (unsigned i = 0; i < sizeof rooms / sizeof rooms[0]; i++) {
		assert_int_equal(write_script(again, rooms[i]), bytes);
		assert_memory_equal(again, written, bytes);
	}
}

/* ---- tests ---- */

static void empty_stream_is_not_the_shortest(void **state)
{
	(void)state;
	clear_script();
	add_block(PLANNED)->last = true;
	assert_int_equal(write_script(written, 100), 2);
	assert_memory_equal(written, "\x03\x00", 2);
	check_script();
}

static void marker_is_not_00_00_ff_ff(void **state)
{
	(void)state;
	clear_script();
	add_block(MARKER);
	add_block(MARKER)->last = true;
	assert_int_equal(write_script(written, 100), 10);
	assert_memory_equal(written, "\x00\x00\x00\xff\xff\x01\x00\x00\xff\xff", 10);
	check_script();
}

static void stored_pieces_are_cut_wrongly(void **state)
{
	static const size_t sizes[] = { 1, 2, 65534, 65535, 65536, 131070, 131071, 200000 };

	(void)state;
	for (unsigned i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
		clear_script();
		add_raw(add_block(STORED), sizes[i]);
		add_random_tokens(add_block(FIXED_ONLY), i);
		add_raw(add_block(STORED), sizes[i]);
		script.blocks[2].last = true;
		check_script();
	}
}

static void some_length_is_encoded_wrongly(void **state)
{
	(void)state;
	for (unsigned kind = PLANNED; kind <= FIXED_ONLY; kind++) {
		struct block *b;

		clear_script();
		b = add_block((enum block_kind)kind);
		for (unsigned c = 0; c < 256; c++) {
			add_literal(b, c);
			add_pair(b, c, 255 - c);
		}
		for (unsigned len = MATCH_MIN_BYTES; len <= MATCH_MAX_BYTES; len++)
			add_match(b, len, 1 + len);
		b->last = true;
		check_script();
	}
	/* each length in a block of its own: none of the table's other lengths is there to repair its entry */
	for (unsigned len = MATCH_MIN_BYTES; len <= MATCH_MAX_BYTES; len++) {
		struct block *b;

		clear_script();
		b = add_block(PLANNED);
		for (unsigned i = 0; i < 400; i++)
			add_literal(b, 'a' + next_random() % 8);
		for (unsigned i = 0; i < 300; i++)
			add_match(b, len, 1 + i);
		b->last = true;
		check_decodes(written, write_script(written, 4096));
	}
}

static void some_distance_is_encoded_wrongly(void **state)
{
	(void)state;
	for (unsigned kind = PLANNED; kind <= FIXED_ONLY; kind++) {
		struct block *b;

		clear_script();
		add_raw(add_block(STORED), DISTANCE_MAX_BYTES);
		for (unsigned first = 1; first <= DISTANCE_MAX_BYTES; first += 8192) {
			b = add_block((enum block_kind)kind);
			for (unsigned distance = first; distance < first + 8192; distance++)
				add_match(b, MATCH_MIN_BYTES + distance % 2, distance);
		}
		b->last = true;
		check_decodes(written, write_script(written, 5000));
	}
}

static void a_room_changes_the_bytes(void **state)
{
	(void)state;
	for (unsigned round = 0; round < 150; round++) {
		unsigned count = 1 + next_random() % 6;

		clear_script();
		for (unsigned i = 0; i < count; i++) {
			unsigned kind = next_random() % 9;
			struct block *b = add_block(kind < 5 ? PLANNED : (enum block_kind)(kind - 4));

			if (b->kind == STORED)
				add_raw(b, next_random() % 3000);
			else if (b->kind != MARKER)
				add_random_tokens(b, next_random() % (2u << next_random() % 11));
		}
		script.blocks[count - 1].last = true;
		check_script();
	}
}

static void a_full_block_overflows(void **state)
{
	struct block *b;

	(void)state;
	for (unsigned round = 0; round < 4; round++) {
		clear_script();
		b = add_block(PLANNED);
		if (round)
			add_random_tokens(b, BLOCK_MAX_TOKENS - 1);
		else
			for (unsigned i = 0; i < BLOCK_MAX_TOKENS - 1; i++)
				add_pair(b, 'a', 'a');
		b->last = true;
		check_script();
	}
}

/* Counts like Fibonacci's: the codes reach their limits, tokens their greatest length. */
static void limited_codes_are_written_wrongly(void **state)
{
	struct block *b;
	unsigned count = 1, next = 1;

	(void)state;
	clear_script();
	add_raw(add_block(STORED), DISTANCE_MAX_BYTES);
	b = add_block(PLANNED);
	for (unsigned step = 0; step < 18; step++) {
		unsigned sum = count + next;

		for (unsigned i = 0; i < count; i++)
			add_match(b, 227 - 8 * step, 1u << (17 - step) >> 2 ? 1u << (17 - step) >> 2 : 1);
		count = next;
		next = sum;
	}
	b->last = true;
	check_script();
}

static void bits_between_blocks_are_lost(void **state)
{
	static struct zw_block_writer w;
	uint8_t bits[4096] = { 0 };

	(void)state;
	for (unsigned round = 0; round < 200; round++) {
		size_t bit_count = 0, total = 0;

		memset(bits, 0, sizeof bits);
		zw_writer_reset(&w, false);
		assert_true(zw_writer_room_bytes(&w) >= 320);
		for (unsigned i = 0; i < 40; i++) {
			unsigned n = next_random() % 33;
			uint32_t value = n < 32 ? (next_random() << 8 ^ next_random()) & ((1u << n) - 1) : next_random();

			for (unsigned k = 0; k < n; k++, bit_count++)
				bits[bit_count / 8] = (uint8_t)(bits[bit_count / 8] | (value >> k & 1) << bit_count % 8);
			zw_writer_put_bits(&w, value, n);
			if (next_random() % 8 == 0) {
				uint8_t few[64];
				unsigned bytes = next_random() % 65;

				zw_writer_align(&w);
				bit_count = (bit_count + 7) & ~(size_t)7;
				for (unsigned k = 0; k < bytes; k++)
					bits[bit_count / 8 + k] = few[k] = (uint8_t)next_random();
				zw_writer_put_bytes(&w, few, bytes);
				bit_count += 8 * bytes;
			}
			if (next_random() % 4 == 0 || zw_writer_room_bytes(&w) < 80)
				total += emit_in_rooms(&w, written + total, 1 + next_random() % 9);
			assert_true(bits_so_far(&w, total) == bit_count);
		}
		zw_writer_align(&w);
		total += emit_in_rooms(&w, written + total, 7);
		assert_int_equal(total, (bit_count + 7) / 8);
		assert_memory_equal(written, bits, total);
	}
}

/* A wrapper's header is staged, and the first block begun behind it before anything went out. */
static void a_block_behind_staged_bytes_destroys_them(void **state)
{
	static struct zw_block_writer w;
	struct zw_out out = { written, sizeof written };
	struct zw_block_plan plan;
	uint8_t header[320];
	struct block *b;
	size_t bytes;

	(void)state;
	clear_script();
	b = add_block(PLANNED);
	for (unsigned i = 0; i < 4000; i++)      /* a header as long as they get */
		add_literal(b, (i * i ^ i >> 3) & 255);
	add_random_tokens(b, 4000);
	b->last = true;
	for (unsigned i = 0; i < sizeof header; i++)
		header[i] = (uint8_t)next_random();
	zw_writer_reset(&w, false);
	for (unsigned i = 0; i < sizeof header; i += 64)
		zw_writer_put_bytes(&w, header + i, 64);
	zw_block_plan_make(&plan, &b->freq, b->token_count, CODES_BEST);
	zw_writer_begin_planned(&w, &plan, script.tokens, b->token_count, true);
	assert_true(zw_writer_emit(&w, &out));
	assert_memory_equal(written, header, sizeof header);
	bytes = (size_t)(out.next - written);
	memmove(written, written + sizeof header, bytes - sizeof header);
	check_decodes(written, bytes - sizeof header);
}

/* Windows and zlib before 1.2.4 refuse a distance code of fewer than two symbols. */
static void a_block_has_fewer_than_two_distance_codes(void **state)
{
	(void)state;
	for (unsigned distance = 0; distance <= 16; distance++) {
		struct zw_block_plan plan;
		struct block *b;

		clear_script();
		b = add_block(PLANNED);
		for (unsigned i = 0; i < 600; i++)
			add_literal(b, 'a' + next_random() % 3);
		for (unsigned i = 0; distance && i < 600; i++)
			add_match(b, 3, distance);
		b->last = true;
			zw_block_plan_make(&plan, &b->freq, b->token_count, CODES_BEST);
		assert_int_equal(plan.type, BLOCK_DYNAMIC);
		assert_int_equal(plan.dist.used_count, 2);
		assert_true(plan.header.dist_count >= 2);
		check_decodes(written, write_script(written, 1000));
	}
}

/* The same bytes from every CPU, compiler and kernel: their FNV-1a hash, as one machine found it. */
static void bytes_depend_on_the_machine(void **state)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	(void)state;
	rng = rng_seed(20);
	for (unsigned round = 0; round < 60; round++) {
		size_t bytes;

		clear_script();
		for (unsigned i = 0; i < 3; i++) {
			unsigned most = 2u << next_random() % 13; /* one call a statement: their order matters here */
			unsigned count = next_random() % most;

			add_random_tokens(add_block(PLANNED), count);
		}
		script.blocks[2].last = true;
		bytes = write_script(written, 4096);
		for (size_t i = 0; i < bytes; i++)
			hash = (hash ^ written[i]) * UINT64_C(0x100000001b3);
	}
	assert_int_equal(hash, UINT64_C(0x9b251004961df151));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(empty_stream_is_not_the_shortest),
		cmocka_unit_test(marker_is_not_00_00_ff_ff),
		cmocka_unit_test(stored_pieces_are_cut_wrongly),
		cmocka_unit_test(some_length_is_encoded_wrongly),
		cmocka_unit_test(some_distance_is_encoded_wrongly),
		cmocka_unit_test(a_room_changes_the_bytes),
		cmocka_unit_test(a_full_block_overflows),
		cmocka_unit_test(limited_codes_are_written_wrongly),
		cmocka_unit_test(bits_between_blocks_are_lost),
		cmocka_unit_test(a_block_behind_staged_bytes_destroys_them),
		cmocka_unit_test(a_block_has_fewer_than_two_distance_codes),
		cmocka_unit_test(bytes_depend_on_the_machine),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
