/* SPDX-License-Identifier: Zlib */
/* ref_inflate.c - see ref_inflate.h.  Written for reading beside RFC 1951, not for speed. */
#include "lib/ref_inflate.h"

#include "base/rfc.h"

#include <stdbool.h>
#include <string.h>

struct ref {
	const uint8_t *in;
	size_t in_bits;                          /* all there are */
	size_t in_at;                            /* the next one */
	const uint8_t *history;
	size_t history_bytes;
	uint8_t *out;
	size_t out_bytes;
	size_t out_at;
};

struct ref_code {
	uint8_t lens[LITLEN_CODE_COUNT];
	unsigned symbol_count;
};

/* The next count bits, the first one lowest; false at the end of the input. */
static bool take_bits(struct ref *r, unsigned count, unsigned *value_ret)
{
	unsigned value = 0;

	if (r->in_bits - r->in_at < count)
		return false;
	for (unsigned i = 0; i < count; i++, r->in_at++)
		value |= (unsigned)(r->in[r->in_at / 8] >> r->in_at % 8 & 1) << i;
	*value_ret = value;
	return true;
}

static unsigned longest_word(const struct ref_code *c)
{
	unsigned longest = 1;                    /* an empty code still takes a bit to find out */

	for (unsigned symbol = 0; symbol < c->symbol_count; symbol++)
		if (c->lens[symbol] > longest)
			longest = c->lens[symbol];
	return longest;
}

/* RFC 1951 3.2.2: in a canonical code the words of one length are consecutive numbers in symbol order, beginning at
 * twice what follows the words one bit shorter. */
static enum ref_result take_symbol(struct ref *r, const struct ref_code *c, enum ref_result bad, unsigned *symbol_ret)
{
	unsigned word = 0;
	unsigned first = 0;
	unsigned longest = longest_word(c);

	for (unsigned len = 1; len <= longest; len++) {
		unsigned bit;
		unsigned of_this_len = 0;

		if (!take_bits(r, 1, &bit))
			return REF_TRUNCATED;
		word = word << 1 | bit;
		for (unsigned symbol = 0; symbol < c->symbol_count; symbol++) {
			if (c->lens[symbol] != len)
				continue;
			if (first + of_this_len++ == word) {
				*symbol_ret = symbol;
				return REF_DONE;
			}
		}
		first = (first + of_this_len) << 1;
	}
	return bad;
}

enum set_kind { SET_EMPTY, SET_COMPLETE, SET_ONE_BIT, SET_INCOMPLETE, SET_OVERSUBSCRIBED };

/* Adds up what the words take of the code space (Kraft). */
static enum set_kind judge_set(const struct ref_code *c)
{
	unsigned used = 0;

	for (unsigned symbol = 0; symbol < c->symbol_count; symbol++)
		if (c->lens[symbol])
			used += 1u << (LITLEN_CODE_MAX_BITS - c->lens[symbol]);
	if (!used)
		return SET_EMPTY;
	if (used > 1u << LITLEN_CODE_MAX_BITS)
		return SET_OVERSUBSCRIBED;
	if (used == 1u << LITLEN_CODE_MAX_BITS)
		return SET_COMPLETE;
	return longest_word(c) == 1 ? SET_ONE_BIT : SET_INCOMPLETE;
}

static enum ref_result put_byte(struct ref *r, uint8_t byte)
{
	if (r->out_at == r->out_bytes)
		return REF_NO_ROOM;
	r->out[r->out_at++] = byte;
	return REF_DONE;
}

static enum ref_result copy_match(struct ref *r, unsigned len, unsigned distance)
{
	enum ref_result result = REF_DONE;

	if (distance > r->out_at + r->history_bytes)
		return REF_TOO_FAR;
	while (len-- && result == REF_DONE)
		result = put_byte(r, distance <= r->out_at ? r->out[r->out_at - distance]
						     : r->history[r->history_bytes + r->out_at - distance]);
	return result;
}

static const struct { uint16_t base; uint8_t extra_bits; } length_codes[] = {        /* RFC 1951 3.2.5 */
	{ 3, 0 }, { 4, 0 }, { 5, 0 }, { 6, 0 }, { 7, 0 }, { 8, 0 }, { 9, 0 }, { 10, 0 }, { 11, 1 }, { 13, 1 },
	{ 15, 1 }, { 17, 1 }, { 19, 2 }, { 23, 2 }, { 27, 2 }, { 31, 2 }, { 35, 3 }, { 43, 3 }, { 51, 3 }, { 59, 3 },
	{ 67, 4 }, { 83, 4 }, { 99, 4 }, { 115, 4 }, { 131, 5 }, { 163, 5 }, { 195, 5 }, { 227, 5 }, { 258, 0 },
};

static const struct { uint16_t base; uint8_t extra_bits; } dist_codes[] = {
	{ 1, 0 }, { 2, 0 }, { 3, 0 }, { 4, 0 }, { 5, 1 }, { 7, 1 }, { 9, 2 }, { 13, 2 }, { 17, 3 }, { 25, 3 },
	{ 33, 4 }, { 49, 4 }, { 65, 5 }, { 97, 5 }, { 129, 6 }, { 193, 6 }, { 257, 7 }, { 385, 7 }, { 513, 8 },
	{ 769, 8 }, { 1025, 9 }, { 1537, 9 }, { 2049, 10 }, { 3073, 10 }, { 4097, 11 }, { 6145, 11 }, { 8193, 12 },
	{ 12289, 12 }, { 16385, 13 }, { 24577, 13 },
};

static enum ref_result take_match(struct ref *r, const struct ref_code *dist, unsigned length_symbol)
{
	unsigned length_index = length_symbol - SYMBOL_LENGTH_FIRST;
	unsigned extra;
	unsigned len;
	unsigned dist_symbol;
	enum ref_result result;

	if (length_index >= sizeof length_codes / sizeof length_codes[0])
		return REF_LITLEN_SYMBOL;
	if (!take_bits(r, length_codes[length_index].extra_bits, &extra))
		return REF_TRUNCATED;
	len = length_codes[length_index].base + extra;
	result = take_symbol(r, dist, REF_DIST_SYMBOL, &dist_symbol);
	if (result != REF_DONE)
		return result;
	if (dist_symbol >= DIST_SYMBOL_COUNT)
		return REF_DIST_SYMBOL;
	if (!take_bits(r, dist_codes[dist_symbol].extra_bits, &extra))
		return REF_TRUNCATED;
	return copy_match(r, len, dist_codes[dist_symbol].base + extra);
}

static enum ref_result take_codes(struct ref *r, const struct ref_code *litlen, const struct ref_code *dist)
{
	for (;;) {
		unsigned symbol;
		enum ref_result result = take_symbol(r, litlen, REF_LITLEN_SYMBOL, &symbol);

		if (result != REF_DONE)
			return result;
		if (symbol == SYMBOL_END_OF_BLOCK)
			return REF_DONE;
		result = symbol < SYMBOL_END_OF_BLOCK ? put_byte(r, (uint8_t)symbol) : take_match(r, dist, symbol);
		if (result != REF_DONE)
			return result;
	}
}

static enum ref_result take_stored(struct ref *r)
{
	unsigned len;
	unsigned complement;

	r->in_at = (r->in_at + 7) / 8 * 8;
	if (!take_bits(r, 16, &len) || !take_bits(r, 16, &complement))
		return REF_TRUNCATED;
	if ((len ^ complement) != 0xffff)
		return REF_STORED_LENGTHS;
	while (len--) {
		unsigned byte;

		if (!take_bits(r, 8, &byte))
			return REF_TRUNCATED;
		if (put_byte(r, (uint8_t)byte) != REF_DONE)
			return REF_NO_ROOM;
	}
	return REF_DONE;
}

static enum ref_result take_fixed(struct ref *r)
{
	struct ref_code litlen = { .symbol_count = LITLEN_CODE_COUNT };
	struct ref_code dist = { .symbol_count = DIST_CODE_COUNT };

	memset(litlen.lens, 8, 144);             /* RFC 1951 3.2.6 */
	memset(litlen.lens + 144, 9, 112);
	memset(litlen.lens + 256, 7, 24);
	memset(litlen.lens + 280, 8, 8);
	memset(dist.lens, 5, DIST_CODE_COUNT);
	return take_codes(r, &litlen, &dist);
}

static enum ref_result take_precode(struct ref *r, unsigned count, struct ref_code *precode)
{
	static const uint8_t order[PRECODE_SYMBOL_COUNT] = {
		16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15
	};

	*precode = (struct ref_code){ .symbol_count = PRECODE_SYMBOL_COUNT };
	for (unsigned i = 0; i < count; i++) {
		unsigned len;

		if (!take_bits(r, 3, &len))
			return REF_TRUNCATED;
		precode->lens[order[i]] = (uint8_t)len;
	}
	switch (judge_set(precode)) {
	case SET_COMPLETE:
	case SET_EMPTY:          return REF_DONE;        /* see take_code_length() */
	case SET_ONE_BIT:
	case SET_INCOMPLETE:
	case SET_OVERSUBSCRIBED: break;
	}
	return REF_PRECODE_SET;
}

/* The RFC has no precode without any code.  zlib lets it pass, reads every length as a 0 of one bit, and so comes to
 * say that the end-of-block code is missing; a drop-in has to say the same at the same bit. */
static enum ref_result take_code_length(struct ref *r, const struct ref_code *precode, unsigned *symbol_ret)
{
	if (judge_set(precode) != SET_EMPTY)
		return take_symbol(r, precode, REF_PRECODE_SET, symbol_ret);
	if (!take_bits(r, 1, symbol_ret))
		return REF_TRUNCATED;
	*symbol_ret = 0;
	return REF_DONE;
}

/* The lengths of both codes as one sequence; a repeat may cross from one to the other. */
static enum ref_result take_lengths(struct ref *r, const struct ref_code *precode, uint8_t *lens, unsigned count)
{
	static const struct { uint8_t bits, base; } repeats[] = { { 2, 3 }, { 3, 3 }, { 7, 11 } };
	unsigned at = 0;

	while (at < count) {
		unsigned symbol;
		unsigned more;
		unsigned times;
		enum ref_result result = take_code_length(r, precode, &symbol);

		if (result != REF_DONE)
			return result;
		if (symbol < 16) {
			lens[at++] = (uint8_t)symbol;
			continue;
		}
		if (!take_bits(r, repeats[symbol - 16].bits, &more))
			return REF_TRUNCATED;
		times = repeats[symbol - 16].base + more;
		if ((symbol == 16 && at == 0) || times > count - at)
			return REF_REPEAT;
		memset(lens + at, symbol == 16 ? lens[at - 1] : 0, times);
		at += times;
	}
	return REF_DONE;
}

static bool set_is_usable(enum set_kind kind)
{
	return kind == SET_COMPLETE || kind == SET_ONE_BIT;
}

static enum ref_result take_dynamic(struct ref *r)
{
	struct ref_code precode, litlen = { .symbol_count = 0 }, dist = { .symbol_count = 0 };
	uint8_t lens[LITLEN_CODE_COUNT + DIST_CODE_COUNT];
	unsigned litlen_count, dist_count, precode_count;
	enum ref_result result;

	if (!take_bits(r, 5, &litlen_count) || !take_bits(r, 5, &dist_count) || !take_bits(r, 4, &precode_count))
		return REF_TRUNCATED;
	litlen_count += 257;
	dist_count += 1;
	if (litlen_count > LITLEN_SYMBOL_COUNT || dist_count > DIST_SYMBOL_COUNT)
		return REF_TOO_MANY_SYMBOLS;
	result = take_precode(r, precode_count + 4, &precode);
	if (result == REF_DONE)
		result = take_lengths(r, &precode, lens, litlen_count + dist_count);
	if (result != REF_DONE)
		return result;
	if (!lens[SYMBOL_END_OF_BLOCK])
		return REF_NO_END_OF_BLOCK;
	memcpy(litlen.lens, lens, litlen_count);
	litlen.symbol_count = litlen_count;
	memcpy(dist.lens, lens + litlen_count, dist_count);
	dist.symbol_count = dist_count;
	if (!set_is_usable(judge_set(&litlen)))
		return REF_LITLEN_SET;
	if (judge_set(&dist) != SET_EMPTY && !set_is_usable(judge_set(&dist)))
		return REF_DIST_SET;             /* no distance code at all is allowed: a block of literals */
	return take_codes(r, &litlen, &dist);
}

static enum ref_result take_blocks(struct ref *r)
{
	unsigned last = 0;

	while (!last) {
		unsigned type;
		enum ref_result result = REF_BLOCK_TYPE;

		if (!take_bits(r, 1, &last) || !take_bits(r, 2, &type))
			return REF_TRUNCATED;
		if (type == BLOCK_STORED)
			result = take_stored(r);
		if (type == BLOCK_FIXED)
			result = take_fixed(r);
		if (type == BLOCK_DYNAMIC)
			result = take_dynamic(r);
		if (result != REF_DONE)
			return result;
	}
	return REF_DONE;
}

struct ref_output ref_inflate(const uint8_t *in, size_t in_bytes, const uint8_t *history, size_t history_bytes,
			      uint8_t *out, size_t out_bytes)
{
	struct ref r = { .in = in, .in_bits = in_bytes * 8, .history = history, .history_bytes = history_bytes,
			 .out = out, .out_bytes = out_bytes };
	enum ref_result result = take_blocks(&r);

	return (struct ref_output){ result, r.out_at, r.in_at };
}

const char *ref_message(enum ref_result result)
{
	switch (result) {
	case REF_DONE:
	case REF_TRUNCATED:
	case REF_NO_ROOM:          return NULL;
	case REF_BLOCK_TYPE:       return "invalid block type";
	case REF_STORED_LENGTHS:   return "invalid stored block lengths";
	case REF_TOO_MANY_SYMBOLS: return "too many length or distance symbols";
	case REF_PRECODE_SET:      return "invalid code lengths set";
	case REF_REPEAT:           return "invalid bit length repeat";
	case REF_NO_END_OF_BLOCK:  return "invalid code -- missing end-of-block";
	case REF_LITLEN_SET:       return "invalid literal/lengths set";
	case REF_DIST_SET:         return "invalid distances set";
	case REF_LITLEN_SYMBOL:    return "invalid literal/length code";
	case REF_DIST_SYMBOL:      return "invalid distance code";
	case REF_TOO_FAR:          return "invalid distance too far back";
	}
	return NULL;
}
