/* SPDX-License-Identifier: Zlib */
/* made_stream.h - the fuzzer's bytes as a plan for a DEFLATE stream: which blocks, which codes, which symbols.  What comes out is
 * valid in every bit, with the output known beforehand, unless the plan asks for one of the faults. */
#ifndef FUZZ_MADE_STREAM_H
#define FUZZ_MADE_STREAM_H

#include "fuzz_input.h"
#include "lib/rng.h"

#include "base/rfc.h"

#ifdef __clang__                             /* coverage is wanted of the library; here it is half of the time */
#pragma clang attribute push(__attribute__((no_sanitize("coverage"))), apply_to = function)
#endif

#define MADE_STREAM_BYTES 400000
#define MADE_PLAIN_BYTES  300000
#define MADE_BLOCKS_MAX       24
#define MADE_MEMBERS_MAX       3u

enum made_wrap { MADE_RAW, MADE_ZLIB, MADE_GZIP };

/* One fault of a block, or none. */
enum made_fault {
	FAULT_NONE, FAULT_BLOCK_TYPE, FAULT_STORED_LENGTHS, FAULT_COUNTS, FAULT_CODE_LENGTH, FAULT_NO_END_OF_BLOCK, FAULT_PRECODE,
	FAULT_REPEAT, FAULT_TOO_FAR, FAULT_SYMBOL, FAULT_KINDS
};

struct made {
	struct fuzz_input *in;                   /* the plan */
	struct rng random;                       /* for what the plan has no bytes */
	bool     valid;
	size_t   stream_bytes, plain_bytes, member_begin;
	uint64_t hold;
	unsigned hold_count;
	uint8_t  stream[MADE_STREAM_BYTES + 8], plain[MADE_PLAIN_BYTES];
};

struct made_code {
	uint8_t  len[LITLEN_CODE_COUNT + DIST_CODE_COUNT];
	uint16_t word[LITLEN_CODE_COUNT];        /* lowest bit first */
	uint16_t used[LITLEN_CODE_COUNT];        /* symbols with a code */
	unsigned used_count;
};

static void made_bits(struct made *m, uint32_t value, unsigned count)
{
	m->hold |= (uint64_t)(value & ((UINT64_C(1) << count) - 1)) << m->hold_count;
	m->hold_count += count;
	while (m->hold_count >= 8) {
		if (m->stream_bytes < MADE_STREAM_BYTES)
			m->stream[m->stream_bytes++] = (uint8_t)m->hold;
		else
			m->valid = false;
		m->hold >>= 8;
		m->hold_count -= 8;
	}
}

static void made_align(struct made *m)
{
	made_bits(m, 0, (8 - m->hold_count) & 7);
}

static unsigned made_below(struct made *m, unsigned limit) { return (unsigned)rng_below(&m->random, limit); }

static void made_reseed(struct made *m)
{
	m->random = rng_seed((uint64_t)fuzz_byte(m->in) << 8 | fuzz_byte(m->in));
}

/* ---- codes ------------------------------------------------------------------------------------------------------- */

static void made_words(struct made_code *c, unsigned symbol_count)
{
	unsigned word = 0;

	c->used_count = 0;
	for (unsigned len = 1; len <= LITLEN_CODE_MAX_BITS; len++, word <<= 1)
		for (unsigned symbol = 0; symbol < symbol_count; symbol++) {
			unsigned mirrored = 0;

			if (c->len[symbol] != len)
				continue;
			for (unsigned bit = 0; bit < len; bit++)
				mirrored |= (word >> bit & 1) << (len - 1 - bit);
			c->word[symbol] = (uint16_t)mirrored;
			word++;
		}
	for (unsigned symbol = 0; symbol < symbol_count; symbol++)
		if (c->len[symbol])
			c->used[c->used_count++] = (uint16_t)symbol;
}

static void made_symbol(struct made *m, const struct made_code *c, unsigned symbol)
{
	made_bits(m, c->word[symbol], c->len[symbol]);
}

/* leaves leaf lengths of a complete code, none above max_bits: a leaf becomes two of the next length.  shape 0: any leaf; 1: the
 * last one, for the deepest code; 2: the shallowest.  Returns how many there are: 1 << max_bits may be fewer. */
static unsigned made_leaves(struct made *m, uint8_t *leaf, unsigned leaves, unsigned max_bits, unsigned shape)
{
	unsigned count = 1;

	leaf[0] = 0;
	while (count < leaves) {
		unsigned at = shape == 0 ? made_below(m, count) : count - 1, tried = 0;

		if (shape == 2)
			for (unsigned i = 0; i < count; i++)
				at = leaf[i] < leaf[at] ? i : at;
		while (leaf[at] >= max_bits && tried++ < count)
			at = (at + 1) % count;
		if (leaf[at] >= max_bits)
			break;
		leaf[at]++;
		leaf[count++] = leaf[at];
	}
	if (count == 1)
		leaf[0] = 1;                     /* a code of one word is one bit long and incomplete */
	return count;
}

/* A complete code for leaves of the symbols, the one called always (if any) among them. */
static void made_random_code(struct made *m, uint8_t *len, unsigned symbol_count, unsigned leaves, unsigned max_bits, int always)
{
	uint8_t leaf[LITLEN_CODE_COUNT];
	unsigned count = made_leaves(m, leaf, leaves, max_bits, made_below(m, 4) % 3);

	memset(len, 0, symbol_count);
	for (unsigned i = 0; i < count; i++) {
		unsigned symbol = made_below(m, symbol_count);

		while (len[symbol])
			symbol = (symbol + 1) % symbol_count;
		len[symbol] = leaf[i];
	}
	if (always >= 0 && !len[always]) {
		unsigned symbol = made_below(m, symbol_count);

		while (!len[symbol])
			symbol = (symbol + 1) % symbol_count;
		len[always] = len[symbol];
		len[symbol] = 0;
	}
}

static void made_fixed_codes(struct made_code *litlen, struct made_code *dist)
{
	for (unsigned symbol = 0; symbol < LITLEN_CODE_COUNT; symbol++)
		litlen->len[symbol] = symbol < 144 ? 8 : symbol < 256 ? 9 : symbol < 280 ? 7 : 8;
	memset(dist->len, 5, DIST_CODE_COUNT);
	made_words(litlen, LITLEN_CODE_COUNT);
	made_words(dist, DIST_CODE_COUNT);
}

/* ---- a dynamic header -------------------------------------------------------------------------------------------- */

struct made_item { uint8_t symbol, extra_bits, extra; };

/* One item for the lengths from at on; returns how many of them it stands for. */
static unsigned made_next_item(struct made *m, const uint8_t *len, unsigned at, unsigned total, struct made_item *item)
{
	unsigned run = 1, zeros = 0, n;

	while (at && at + run <= total && run <= 7 && len[at + run - 1] == len[at - 1])
		run++;
	run--;                                           /* how often the last length comes again */
	while (at + zeros < total && zeros < 138 && !len[at + zeros])
		zeros++;
	if (at && run >= 3 && made_below(m, 5)) {
		n = 3 + made_below(m, (run > 6 ? 6 : run) - 2);
		*item = (struct made_item){ 16, 2, (uint8_t)(n - 3) };
	} else if (zeros >= 11 && made_below(m, 5)) {
		n = made_below(m, 2) ? zeros : 11 + made_below(m, zeros - 10);
		*item = (struct made_item){ 18, 7, (uint8_t)(n - 11) };
	} else if (zeros >= 3 && made_below(m, 5)) {
		n = 3 + made_below(m, (zeros > 10 ? 10 : zeros) - 2);
		*item = (struct made_item){ 17, 3, (uint8_t)(n - 3) };
	} else {
		n = 1;
		*item = (struct made_item){ len[at], 0, 0 };
	}
	return n;
}

static void made_precode(struct made *m, const struct made_item *items, unsigned count, struct made_code *precode)
{
	uint8_t leaf[PRECODE_SYMBOL_COUNT];
	bool used[PRECODE_SYMBOL_COUNT] = { false };
	unsigned used_count = 0, leaves, at = 0;

	for (unsigned i = 0; i < count; i++)
		used[items[i].symbol] = true;
	used[0] |= made_below(m, 4) == 0;                /* words that nothing uses */
	used[15] |= made_below(m, 4) == 0;
	for (unsigned i = 0; i < PRECODE_SYMBOL_COUNT; i++)
		used_count += used[i];
	for (unsigned i = 0; used_count < 2; i++)        /* it has to be complete */
		if (!used[i]) {
			used[i] = true;
			used_count++;
		}
	leaves = made_leaves(m, leaf, used_count, 7, made_below(m, 3));
	FUZZ_CHECK(leaves == used_count);
	memset(precode->len, 0, PRECODE_SYMBOL_COUNT);
	for (unsigned i = 0; i < PRECODE_SYMBOL_COUNT; i++)
		if (used[i])
			precode->len[i] = leaf[at++];
}

static void made_dynamic_header(struct made *m, const struct made_code *litlen, const struct made_code *dist, enum made_fault fault)
{
	static const uint8_t order[PRECODE_SYMBOL_COUNT] = { 16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15 };
	unsigned litlen_count = LITLEN_SYMBOL_COUNT, dist_count = DIST_SYMBOL_COUNT, item_count = 0, shown = PRECODE_SYMBOL_COUNT;
	uint8_t len[LITLEN_CODE_COUNT + DIST_CODE_COUNT + 8] = { 0 };
	struct made_item items[LITLEN_CODE_COUNT + DIST_CODE_COUNT];
	struct made_code precode;

	while (litlen_count > 257 && !litlen->len[litlen_count - 1] && made_below(m, 60))
		litlen_count--;
	while (dist_count > 1 && !dist->len[dist_count - 1] && made_below(m, 20))
		dist_count--;
	if (fault == FAULT_COUNTS && made_below(m, 2))
		litlen_count = 287 + made_below(m, 2);
	else if (fault == FAULT_COUNTS)
		dist_count = 31 + made_below(m, 2);
	memcpy(len, litlen->len, litlen_count);
	memcpy(len + litlen_count, dist->len, dist_count);
	for (unsigned at = 0; at < litlen_count + dist_count; )
		at += made_next_item(m, len, at, litlen_count + dist_count, items + item_count++);
	if (fault == FAULT_REPEAT && made_below(m, 2))
		items[0] = (struct made_item){ 16, 2, 0 };       /* of nothing */
	else if (fault == FAULT_REPEAT)
		items[item_count - 1] = (struct made_item){ (uint8_t)(16 + made_below(m, 3)), 0, 0 };
	made_precode(m, items, item_count, &precode);
	if (fault == FAULT_PRECODE)
		precode.len[made_below(m, PRECODE_SYMBOL_COUNT)] ^= (uint8_t)(1 + made_below(m, 7));
	made_words(&precode, PRECODE_SYMBOL_COUNT);
	while (shown > 4 && !precode.len[order[shown - 1]] && made_below(m, 10))
		shown--;
	made_bits(m, litlen_count - 257, 5);
	made_bits(m, dist_count - 1, 5);
	made_bits(m, shown - 4, 4);
	for (unsigned i = 0; i < shown; i++)
		made_bits(m, precode.len[order[i]], 3);
	for (unsigned i = 0; i < item_count; i++) {
		made_symbol(m, &precode, items[i].symbol);
		made_bits(m, items[i].extra, items[i].extra_bits);
	}
}

/* Gives symbol the shortest code: 258 bytes in a bit or two. */
static void made_shortest(uint8_t *len, unsigned symbol_count, unsigned symbol)
{
	unsigned best = symbol;
	uint8_t bits;

	for (unsigned i = 0; i < symbol_count; i++)
		if (i != SYMBOL_END_OF_BLOCK && len[i] && (!len[best] || len[i] < len[best]))
			best = i;
	bits = len[best];
	len[best] = len[symbol];
	len[symbol] = bits;
}

static void made_dynamic_codes(struct made *m, struct made_code *litlen, struct made_code *dist, enum made_fault fault)
{
	unsigned kind = fuzz_byte(m->in), leaves = 1 + fuzz_byte(m->in), max_bits = 1 + kind % 15;
	struct made_code *spoiled = made_below(m, 2) ? litlen : dist;

	made_reseed(m);
	made_random_code(m, litlen->len, LITLEN_SYMBOL_COUNT, leaves + (kind & 16 ? 30 : 0), max_bits, SYMBOL_END_OF_BLOCK);
	if (kind >= 240)
		memset(dist->len, 0, DIST_SYMBOL_COUNT);
	else
		made_random_code(m, dist->len, DIST_SYMBOL_COUNT, 1 + leaves % DIST_SYMBOL_COUNT, kind & 32 ? 15 : max_bits, -1);
	if (kind & 64)
		made_shortest(litlen->len, LITLEN_SYMBOL_COUNT, LITLEN_SYMBOL_COUNT - 1);
	if (fault == FAULT_CODE_LENGTH)
		spoiled->len[made_below(m, DIST_SYMBOL_COUNT)] ^= (uint8_t)(1 + made_below(m, 15));
	if (fault == FAULT_NO_END_OF_BLOCK)
		litlen->len[SYMBOL_END_OF_BLOCK] = 0;
	made_words(litlen, LITLEN_SYMBOL_COUNT);
	made_words(dist, DIST_SYMBOL_COUNT);
}

/* ---- symbols ----------------------------------------------------------------------------------------------------- */

/* Base and extra bits by the rule behind the tables of RFC 1951 3.2.5. */
static unsigned made_length(unsigned symbol, unsigned *extra_bits_ret)
{
	unsigned at = symbol - SYMBOL_LENGTH_FIRST;

	*extra_bits_ret = at < 8 || symbol == LITLEN_SYMBOL_COUNT - 1 ? 0 : at / 4 - 1;
	if (symbol == LITLEN_SYMBOL_COUNT - 1)
		return MATCH_MAX_BYTES;
	return MATCH_MIN_BYTES + (at < 8 ? at : (4 + at % 4) << *extra_bits_ret);
}

static unsigned made_distance(unsigned symbol, unsigned *extra_bits_ret)
{
	*extra_bits_ret = symbol < 4 ? 0 : symbol / 2 - 1;
	return 1 + (symbol < 4 ? symbol : (2 + symbol % 2) << *extra_bits_ret);
}

/* Up to times the same match, as often as there is room.  False: no distance symbol with a code is small enough for what there is. */
static bool made_match(struct made *m, const struct made_code *litlen, const struct made_code *dist, unsigned symbol, unsigned times, bool too_far)
{
	size_t have = m->plain_bytes - m->member_begin;
	unsigned length_bits, length = made_length(symbol, &length_bits), distance_bits = 0, distance = 0, tried, at, extra, most;
	unsigned length_extra = made_below(m, 1u << length_bits);

	if (!dist->used_count)
		return false;
	at = made_below(m, dist->used_count);
	for (tried = 0; tried < dist->used_count; tried++, at = (at + 1) % dist->used_count) {
		if (dist->used[at] >= DIST_SYMBOL_COUNT)
			continue;
		distance = made_distance(dist->used[at], &distance_bits);
		if (distance <= have || too_far)
			break;
	}
	if (tried == dist->used_count || (length + length_extra > MATCH_MAX_BYTES))
		return false;
	most = (1u << distance_bits) - 1;
	if (!too_far && have - distance < most)
		most = (unsigned)(have - distance);
	extra = made_below(m, 4) ? made_below(m, most + 1) : most;       /* the farthest is where things go wrong */
	if (too_far && distance + extra <= have)
		return false;
	length += length_extra;
	if (!too_far && length > MADE_PLAIN_BYTES - m->plain_bytes)
		return false;
	distance += extra;
	do {
		made_symbol(m, litlen, symbol);
		made_bits(m, length_extra, length_bits);
		made_symbol(m, dist, dist->used[at]);
		made_bits(m, extra, distance_bits);
		for (unsigned i = 0; i < length && !too_far; i++, m->plain_bytes++)
			m->plain[m->plain_bytes] = m->plain[m->plain_bytes - distance];
	} while (--times && !too_far && length <= MADE_PLAIN_BYTES - m->plain_bytes);
	return true;
}

static void made_symbols(struct made *m, const struct made_code *litlen, const struct made_code *dist, enum made_fault fault)
{
	unsigned literals = 0, profile = fuzz_byte(m->in), matches_of_8 = profile & 7;
	size_t count = fuzz_size(m->in);

	if (profile < 240)
		count %= 1200;
	made_reseed(m);
	while (literals < litlen->used_count && litlen->used[literals] < SYMBOL_END_OF_BLOCK)
		literals++;
	for (size_t i = 0; i < count; i++) {
		unsigned above = literals + (literals < litlen->used_count && litlen->used[literals] == SYMBOL_END_OF_BLOCK), symbol;

		if (litlen->used_count > above && (made_below(m, 8) < matches_of_8 || !literals)) {
			symbol = litlen->used[above + made_below(m, litlen->used_count - above)];
			if (symbol < LITLEN_SYMBOL_COUNT && made_match(m, litlen, dist, symbol, profile & 8 ? 1 + made_below(m, 20) : 1, false))
				continue;
		}
		if (!literals || m->plain_bytes == MADE_PLAIN_BYTES)
			break;
		symbol = litlen->used[made_below(m, literals)];
		made_symbol(m, litlen, symbol);
		m->plain[m->plain_bytes++] = (uint8_t)symbol;
	}
	for (unsigned i = 0; fault == FAULT_TOO_FAR && i < litlen->used_count; i++)
		if (litlen->used[i] > SYMBOL_END_OF_BLOCK && litlen->used[i] < LITLEN_SYMBOL_COUNT) {
			made_match(m, litlen, dist, litlen->used[i], 1, true);
			break;
		}
	if (fault == FAULT_SYMBOL)
		made_bits(m, (uint32_t)rng_next(&m->random), 24);
	made_symbol(m, litlen, SYMBOL_END_OF_BLOCK);
}

/* ---- blocks and wrappers ----------------------------------------------------------------------------------------- */

static void made_stored(struct made *m, enum made_fault fault)
{
	size_t bytes = fuzz_size(m->in);
	unsigned spoil = fault == FAULT_STORED_LENGTHS ? 1u << made_below(m, 16) : 0;

	bytes = bytes > 65535 ? 65535 : bytes;
	if (bytes > MADE_PLAIN_BYTES - m->plain_bytes)
		bytes = MADE_PLAIN_BYTES - m->plain_bytes;
	made_align(m);
	made_bits(m, (uint32_t)bytes, 16);
	made_bits(m, (uint32_t)~bytes ^ spoil, 16);
	made_reseed(m);
	if (bytes > MADE_STREAM_BYTES - m->stream_bytes) {
		m->valid = false;
		return;
	}
	rng_fill(&m->random, m->plain + m->plain_bytes, bytes < 4096 ? bytes : 4096);
	for (size_t i = 4096; i < bytes; i++)
		m->plain[m->plain_bytes + i] = m->plain[m->plain_bytes + i - 4093];
	memcpy(m->stream + m->stream_bytes, m->plain + m->plain_bytes, bytes);
	m->stream_bytes += bytes;
	m->plain_bytes += bytes;
}

static void made_block(struct made *m, bool last)
{
	struct made_code litlen, dist;
	unsigned kind = fuzz_byte(m->in);
	enum made_fault fault = FAULT_NONE;

	memset(&litlen, 0, sizeof litlen);
	memset(&dist, 0, sizeof dist);
	if (kind >= 244) {
		fault = (enum made_fault)(1 + fuzz_byte(m->in) % (FAULT_KINDS - 1));
		m->valid = false;
	}
	made_bits(m, last, 1);
	if (fault == FAULT_BLOCK_TYPE) {
		made_bits(m, 3, 2);
		return;
	}
	if (kind % 4 == 0) {
		made_bits(m, BLOCK_STORED, 2);
		made_stored(m, fault);
		return;
	}
	if (kind % 4 == 1) {
		made_bits(m, BLOCK_FIXED, 2);
		made_fixed_codes(&litlen, &dist);
	} else {
		made_bits(m, BLOCK_DYNAMIC, 2);
		made_dynamic_codes(m, &litlen, &dist, fault);
		made_dynamic_header(m, &litlen, &dist, fault);
	}
	made_symbols(m, &litlen, &dist, fault);
}

static void made_gzip_field(struct made *m, size_t bytes, bool text)
{
	while (bytes--)
		made_bits(m, text ? 'a' + made_below(m, 26) : made_below(m, 256), 8);
	if (text)
		made_bits(m, 0, 8);
}

static void made_gzip_header(struct made *m)
{
	unsigned flags = fuzz_byte(m->in) & (GZIP_FLAG_EXTRA | GZIP_FLAG_NAME | GZIP_FLAG_COMMENT | GZIP_FLAG_HEADER_CRC | 1);
	size_t begin = m->stream_bytes, extra;

	made_bits(m, GZIP_MAGIC_1 | GZIP_MAGIC_2 << 8 | 8 << 16 | flags << 24, 32);
	made_bits(m, made_below(m, 1u << 31), 32);
	made_bits(m, made_below(m, 65536), 16);
	if (flags & GZIP_FLAG_EXTRA) {
		extra = fuzz_size(m->in) & 65535;
		made_bits(m, (uint32_t)extra, 16);
		made_gzip_field(m, extra, false);
	}
	if (flags & GZIP_FLAG_NAME)
		made_gzip_field(m, fuzz_byte(m->in), true);
	if (flags & GZIP_FLAG_COMMENT)
		made_gzip_field(m, fuzz_byte(m->in), true);
	if (flags & GZIP_FLAG_HEADER_CRC)
		made_bits(m, (uint32_t)fuzz_judge()->crc32(0, m->stream + begin, (uInt)(m->stream_bytes - begin)), 16);
}

/* One stream with its wrapper. */
static void made_member(struct made *m, enum made_wrap wrap)
{
	const struct peer_zlib *judge = fuzz_judge();
	const uint8_t *plain = m->plain + m->plain_bytes;
	unsigned blocks = 1 + fuzz_byte(m->in) % MADE_BLOCKS_MAX;
	uint32_t sum;
	uInt bytes;

	m->member_begin = m->plain_bytes;
	if (wrap == MADE_GZIP)
		made_gzip_header(m);
	if (wrap == MADE_ZLIB)
		made_bits(m, 0x9c78, 16);
	for (unsigned i = 1; i <= blocks; i++) {
		bool last = i == blocks || !m->in->left_bytes;

		made_block(m, last);
		if (last)
			break;
	}
	made_align(m);
	bytes = (uInt)(m->plain + m->plain_bytes - plain);
	if (wrap == MADE_GZIP) {
		made_bits(m, (uint32_t)judge->crc32(0, plain, bytes), 32);
		made_bits(m, bytes, 32);
	} else if (wrap == MADE_ZLIB) {
		sum = (uint32_t)judge->adler32(1, plain, bytes);
		for (unsigned shift = 32; shift; shift -= 8)
			made_bits(m, sum >> (shift - 8), 8);
	}
}

/* The whole plan.  Returns the number of members; m->valid tells whether they are as they should be. */
static unsigned made_stream(struct made *m, struct fuzz_input *in, enum made_wrap wrap)
{
	unsigned members = 1 + fuzz_byte(in) % 8u / 6 * (MADE_MEMBERS_MAX - 1), spoil = fuzz_byte(in);

	m->in = in;
	m->random = rng_seed(0);
	m->valid = true;
	m->stream_bytes = m->plain_bytes = m->hold_count = 0;
	m->hold = 0;
	for (unsigned i = 0; i < members; i++)
		made_member(m, wrap);
	if (spoil >= 240 && m->stream_bytes) {
		m->stream[made_below(m, (unsigned)m->stream_bytes)] ^= (uint8_t)(1 << made_below(m, 8));
		m->valid = false;
	} else if (spoil >= 230 && m->stream_bytes) {
		m->stream_bytes = made_below(m, (unsigned)m->stream_bytes);
		m->valid = false;
	}
	return members;
}

#ifdef __clang__
#pragma clang attribute pop
#endif

#endif
