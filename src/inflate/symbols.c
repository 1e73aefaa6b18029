/* SPDX-License-Identifier: Zlib */
/* symbols.c - the symbols of a block: the fast loop where there is room, one symbol at a time at the edges.
 * Takes: bits, tables.  Gives: bytes at out.  Then: window.c
 * Run-ahead: at most one symbol begins at the limit, as in zlib. */
#include "inflate/inflate_state.h"

#define FIXED_END_BITS  7u                   /* RFC 1951 3.2.6: symbol 256 is seven zeros */
#define TAIL_MAX_BYTES       64u             /* what a loop in the caller's buffer leaves, and a run too short for it */
#define TAIL_PADDING_BYTES   48u

static_assert(TAIL_MAX_BYTES >= SYMBOL_RUN_MIN_BYTES && TAIL_MAX_BYTES >= SYMBOL_ROUND_IN_BYTES + REFILL_READ_BYTES, "in any way the tail fits");
static_assert(TAIL_PADDING_BYTES >= SYMBOL_ROUND_IN_BYTES + REFILL_READ_BYTES, "the loop reads it");

/* One symbol; ZW_SYMBOLS_BOUND when there is one, and its bits are taken.  A match is one symbol. */
enum zw_symbol_stop zw_decode_symbol(struct zw_bit_reader *br, const struct zw_decode_tables *tables, struct zw_symbol *symbol_ret)
{
	uint64_t bits;
	uint32_t entry, dist_entry;
	unsigned used = 0;

	zw_bits_fill(br);
	bits = zw_low_bits(br->hold, br->count);
	entry = tables->litlen[bits & LITLEN_INDEX_MASK];
	if ((entry & LITLEN_SECOND_TABLE) == LITLEN_SECOND_TABLE && !(entry & (LITLEN_END_OF_BLOCK | LITLEN_INVALID))) {
		used = zw_entry_bits(entry);
		entry = tables->litlen[zw_second_index(entry, bits >> used)];
	}
	ZW_ASSERT(used <= LITLEN_ROOT_BITS);
	if (zw_is_literal(entry)) {
		used += zw_first_literal_bits(entry);
		if (used > br->count)
			return ZW_SYMBOLS_NEED_INPUT;
		zw_bits_drop(br, used);
		symbol_ret->length = 0;
		symbol_ret->literal = (uint8_t)zw_literals(entry);
		return ZW_SYMBOLS_BOUND;
	}
	if (used + zw_entry_bits(entry) > br->count)
		return ZW_SYMBOLS_NEED_INPUT;
	if (zw_is_whole_match(entry)) {
		symbol_ret->length = (uint32_t)zw_whole_length(entry);
		symbol_ret->distance = (uint32_t)zw_whole_distance(false, entry, bits << INDEX_SHIFT);
		zw_bits_drop(br, zw_entry_bits(entry));
		return ZW_SYMBOLS_BOUND;
	}
	if (entry & LITLEN_SPECIAL) {
		zw_bits_drop(br, used + zw_entry_bits(entry));
		return entry & LITLEN_INVALID ? ZW_SYMBOLS_BAD_LITLEN : ZW_SYMBOLS_END_OF_BLOCK;
	}
	symbol_ret->length = (uint32_t)zw_match_length(false, entry, bits >> used << INDEX_SHIFT);
	used += zw_entry_bits(entry);

	dist_entry = tables->dist[bits >> used & DIST_INDEX_MASK];
	if ((dist_entry & DIST_SPECIAL) && !(dist_entry & DIST_INVALID)) {
		used += zw_entry_bits(dist_entry);
		dist_entry = tables->dist[zw_second_index(dist_entry, bits >> used)];
	}
	if (used + zw_entry_bits(dist_entry) > br->count)
		return ZW_SYMBOLS_NEED_INPUT;
	symbol_ret->distance = (uint32_t)zw_match_distance(dist_entry, zw_low_bits(bits >> used, dist_entry));
	zw_bits_drop(br, used + zw_entry_bits(dist_entry));
	return dist_entry & DIST_SPECIAL ? ZW_SYMBOLS_BAD_DISTANCE : ZW_SYMBOLS_BOUND;
}

/* The same from the tables for looking ahead. */
static enum zw_symbol_stop decode_ahead_symbol(struct zw_bit_reader *br, const struct zw_ahead_tables *tables, struct zw_symbol *symbol_ret)
{
	const uint32_t *root = tables->entry;
	unsigned used = 0;
	uint64_t bits;

	zw_bits_fill(br);
	bits = zw_low_bits(br->hold, br->count);
	symbol_ret->length = 0;
	for (;;) {
		uint32_t entry = root[bits >> used & tables->index_mask], value;

		if (zw_ahead_is_link(entry)) {
			used += AHEAD_ROOT_BITS;
			entry = tables->entry[zw_second_index(entry, bits >> used)];
		}
		value = entry & AHEAD_SPECIAL ? 0 : zw_ahead_value(entry, bits >> used);
		used += zw_entry_bits(entry);
		if (used > br->count)
			return ZW_SYMBOLS_NEED_INPUT;
		if (entry & AHEAD_LENGTH && !(entry & AHEAD_SPECIAL)) {
			symbol_ret->length = value + MATCH_MIN_BYTES;
			root = tables->entry + AHEAD_DIST;
			continue;
		}
		zw_bits_drop(br, used);
		if (entry & AHEAD_SPECIAL) {
			if (symbol_ret->length)
				return ZW_SYMBOLS_BAD_DISTANCE;
			return entry & AHEAD_INVALID ? ZW_SYMBOLS_BAD_LITLEN : ZW_SYMBOLS_END_OF_BLOCK;
		}
		if (!(entry & AHEAD_SPLIT) && entry & AHEAD_DISTANCE)
			symbol_ret->length = zw_ahead_whole_length(entry);
		symbol_ret->distance = value + 1;
		symbol_ret->literal = (uint8_t)value;
		return ZW_SYMBOLS_BOUND;
	}
}

static enum zw_symbol_stop one_symbol(struct zw_inflate *s, struct zw_inflate_call *c)
{
	struct zw_symbol symbol;
	enum zw_symbol_stop stop = s->looks_ahead ? decode_ahead_symbol(&c->br, &s->ahead, &symbol)
						  : zw_decode_symbol(&c->br, s->tables, &symbol);

	if (stop != ZW_SYMBOLS_BOUND)
		return stop;
	if (!symbol.length) {
		*s->out++ = symbol.literal;
		return ZW_SYMBOLS_BOUND;
	}
	if (symbol.distance > (size_t)(s->out - c->reach))
		return ZW_SYMBOLS_TOO_FAR;
	zw_copy_match(s->out, symbol.distance, symbol.length);
	s->out += symbol.length;
	if (s->out > c->stop)
		s->surplus_distance = symbol.distance; /* looked at again by the next call */
	return ZW_SYMBOLS_BOUND;
}

/* Where the fast loop stops: no symbol of a round but its last may begin at the limit.  With a small window none must pass it: see
 * begin_call(). */
static uint8_t *fast_out_stop(const struct zw_inflate *s, const struct zw_inflate_call *c)
{
	size_t keep = s->window_log2 < WINDOW_MAX_LOG2 ? SYMBOL_ROUND_OUT_BYTES : SYMBOL_ROUND_LITERALS - 2;

	return (size_t)(c->stop - s->out) > keep ? c->stop - keep : s->out;
}

/* What the caller's buffer has left, with zeros behind it: a fast loop may read beyond the end of this. */
struct padded_tail {
	uint8_t byte[TAIL_MAX_BYTES + TAIL_PADDING_BYTES];
	const uint8_t *caller_next;              /* where it was copied from */
};

static void begin_tail(struct padded_tail *t, struct zw_symbol_run *run, size_t bytes)
{
	ZW_ASSERT(bytes <= TAIL_MAX_BYTES);
	t->caller_next = run->br.next;
	memcpy(t->byte, run->br.next, bytes);
	memset(t->byte + bytes, 0, TAIL_PADDING_BYTES);
	run->br.next = run->br.start = t->byte;
	run->br.end = t->byte + bytes + TAIL_PADDING_BYTES;
	run->in_stop = t->byte + bytes;
}

static void end_tail(const struct padded_tail *t, struct zw_symbol_run *run)
{
	ZW_ASSERT(run->br.next >= t->byte && run->br.next <= run->in_stop);
	run->br.next = t->caller_next + (run->br.next - t->byte);
}

/* The fast loop in the caller's buffer, then on a padded copy of what it leaves of it. */
static unsigned run_rounds(const struct zw_kernels *kernels, struct zw_symbol_run *run)
{
	unsigned stop = ZW_SYMBOLS_BOUND;
	const uint8_t *end = run->br.end;
	struct padded_tail tail;

	if (end - run->br.next >= SYMBOL_RUN_MIN_BYTES) {
		run->in_stop = end - SYMBOL_ROUND_IN_BYTES;
		stop = kernels->inflate_symbols(run);
	}
	if (stop == ZW_SYMBOLS_BOUND && run->out < run->out_stop && end - run->br.next > REFILL_READ_BYTES) {
		begin_tail(&tail, run, (size_t)(end - run->br.next));
		stop = kernels->inflate_symbols(run);
		end_tail(&tail, run);
	}
	return stop;
}

static enum zw_symbol_stop many_symbols(struct zw_inflate *s, struct zw_inflate_call *c)
{
	struct zw_symbol_run run = {
		.br = zw_bits_copy(&c->br), .out = s->out, .out_stop = fast_out_stop(s, c), .history = c->reach, .tables = s->tables,
		.repeats = s->repeats, .ahead_tables = &s->ahead
	};
	unsigned stop = s->looks_ahead ? s->kernels->inflate_ahead(&run) : run_rounds(s->kernels, &run);

	c->br.hold = run.br.hold;
	c->br.count = run.br.count;
	c->br.next = run.br.next;
	s->out = run.out;
	return (enum zw_symbol_stop)stop;
}

static bool fast_may_run(const struct zw_inflate *s, const struct zw_inflate_call *c)
{
	size_t needed_bytes = s->looks_ahead ? AHEAD_MIN_BYTES : REFILL_READ_BYTES + 1;

	return c->br.count < 8 && s->out < c->stop && s->out < fast_out_stop(s, c) && zw_bits_left_bytes(&c->br) >= needed_bytes;
}

enum zw_step zw_inflate_symbols(struct zw_inflate *s, struct zw_inflate_call *c)
{
	enum zw_symbol_stop stop = ZW_SYMBOLS_BOUND;

	if (s->out >= c->stop && !zw_window_make_room(s, c))
		return ZW_STEP_NEED_OUTPUT;
	if (s->tables == &zw_fixed_tables && c->br.count >= FIXED_END_BITS && !zw_low_bits(c->br.hold, FIXED_END_BITS)) {
		zw_bits_drop(&c->br, FIXED_END_BITS); /* an empty block, which Z_PARTIAL_FLUSH writes: not worth a run, M14 */
		s->mode = ZW_INFLATE_BLOCK_STOP;
		return ZW_STEP_GO;
	}
	zw_bits_give_back(&c->br);
	if (fast_may_run(s, c))
		stop = many_symbols(s, c);
	while (stop == ZW_SYMBOLS_BOUND && s->out <= c->stop) {
		stop = one_symbol(s, c);
		if (stop == ZW_SYMBOLS_NEED_INPUT)
			break;
		zw_bits_give_back(&c->br);
		if (fast_may_run(s, c))
			break;
	}
	switch (stop) {
	case ZW_SYMBOLS_BOUND:
		return s->out >= c->stop && !zw_window_make_room(s, c) ? ZW_STEP_NEED_OUTPUT : ZW_STEP_GO;
	case ZW_SYMBOLS_END_OF_BLOCK:
		s->mode = ZW_INFLATE_BLOCK_STOP;
		return ZW_STEP_GO;
	case ZW_SYMBOLS_BAD_LITLEN:
		return zw_inflate_fail(s, ZW_ERROR_LITLEN);
	case ZW_SYMBOLS_BAD_DISTANCE:
		return zw_inflate_fail(s, ZW_ERROR_DISTANCE);
	case ZW_SYMBOLS_TOO_FAR:
		s->mode = ZW_INFLATE_TOO_FAR;
		return ZW_STEP_GO;
	case ZW_SYMBOLS_NEED_INPUT:
		return ZW_STEP_NEED_INPUT;
	}
	return ZW_STEP_BAD;
}
