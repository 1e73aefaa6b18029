/* SPDX-License-Identifier: Zlib */
/* block_header.c - the header of a dynamic block (RFC 1951 3.2.7), resumable between any two bytes.
 * Takes: bits.  Gives: the stream's decode tables.  Then: symbols.c
 * The sorted rows live on the stack: a header that the end of the input cuts keeps only its code lengths in the state. */
#include "inflate/inflate_state.h"
#include "inflate/table_double.h"

enum zw_step zw_block_read_counts(struct zw_inflate *s, struct zw_bit_reader *br)
{
	struct zw_block_header *h = &s->block;

	if (!zw_bits_need(br, 14))
		return ZW_STEP_NEED_INPUT;
	h->litlen_count = (uint16_t)(zw_bits_take(br, 5) + 257);
	h->dist_count = (uint8_t)(zw_bits_take(br, 5) + 1);
	h->precode_count = (uint8_t)(zw_bits_take(br, 4) + 4);
	if (h->litlen_count > LITLEN_SYMBOL_COUNT || h->dist_count > DIST_SYMBOL_COUNT)
		return zw_inflate_fail(s, ZW_ERROR_SYMBOL_COUNTS);
	h->precode_fields = 0;
	h->precode_read = 0;
	s->mode = ZW_INFLATE_PRECODE;
	return ZW_STEP_GO;
}

enum zw_step zw_block_read_precode(struct zw_inflate *s, struct zw_bit_reader *br)
{
	struct zw_block_header *h = &s->block;

	while (h->precode_read < h->precode_count) {
		unsigned fields = (unsigned)h->precode_count - h->precode_read, got;

		if (fields > 10)
			fields = 10;             /* as many as zw_bits_take() gives at once */
		if (!zw_bits_need(br, fields * PRECODE_FIELD_BITS)) {
			fields = br->count / PRECODE_FIELD_BITS; /* what is there is taken: see data_type */
			if (!fields)
				return ZW_STEP_NEED_INPUT;
		}
		got = zw_bits_take(br, fields * PRECODE_FIELD_BITS);
		h->precode_fields |= (uint64_t)got << (PRECODE_FIELD_BITS * h->precode_read);
		h->precode_read = (uint8_t)(h->precode_read + fields);
	}
	ZW_ASSERT(h->precode_fields >> (PRECODE_FIELD_BITS * PRECODE_SYMBOL_COUNT) == 0);
	h->slow = false;
	h->at = h->previous = 0;
	s->mode = ZW_INFLATE_LENGTHS;
	return ZW_STEP_GO;
}

/* ---- a header that the end of the input cuts -------------------------------------------------------------------------
 * From then on its items are read one at a time, into an array of lengths; the precode's table stands where the litlen table will
 * be.  So a call that brings one byte costs what one byte costs, and not a new start. */

static void begin_slow_lengths(struct zw_inflate *s, const struct zw_length_run *run)
{
	struct zw_block_header *h = &s->block;

	ZW_ASSERT(run->at < sizeof h->length);
	memset(h->length, 0, sizeof h->length);
	for (unsigned length = 1; length < ROW_COUNT; length++)
		for (unsigned i = zw_row_start[length]; i < run->rows.end[length]; i++)
			h->length[run->rows.symbol[i]] = (uint8_t)length;
	memcpy(s->dynamic.litlen, run->precode, sizeof run->precode);
	h->precode_mask = (uint8_t)run->precode_mask;
	h->at = (uint16_t)run->at;
	h->previous = (uint8_t)run->previous;
	h->slow = true;
}

static unsigned read_lengths_slowly(struct zw_block_header *h, const uint32_t *precode, struct zw_bit_reader *br)
{
	const unsigned total_count = (unsigned)h->litlen_count + h->dist_count;

	while (h->at < total_count) {
		uint32_t entry = precode[br->hold & h->precode_mask];
		unsigned repeat;
		bool nothing_to_repeat;

		if (br->count < zw_entry_bits(entry)) {
			zw_bits_fill(br);
			entry = precode[br->hold & h->precode_mask];
			if (br->count < zw_entry_bits(entry))
				return ZW_LENGTHS_NEED_INPUT;
		}
		repeat = zw_precode_repeat(entry, zw_low_bits(br->hold, entry));
		nothing_to_repeat = h->at == 0 && (entry & PRECODE_REPEAT);
		zw_bits_drop(br, zw_entry_bits(entry));
		if (nothing_to_repeat || repeat > total_count - h->at)
			return ZW_LENGTHS_BAD_REPEAT;
		h->previous = (uint8_t)zw_precode_value(entry, h->previous);
		memset(h->length + h->at, h->previous, repeat);
		h->at = (uint16_t)(h->at + repeat);
	}
	return ZW_LENGTHS_DONE;
}

/* The rows as the fast loop would have left them. */
static void fill_rows(struct zw_length_run *run, const struct zw_block_header *h)
{
	const unsigned total_count = (unsigned)h->litlen_count + h->dist_count;

	for (unsigned symbol = 0; symbol < total_count; symbol++) {
		uint16_t *end = &run->rows.end[h->length[symbol]];

		if (symbol == h->litlen_count)
			memcpy(run->rows.litlen_end, run->rows.end, sizeof run->rows.end);
		memcpy(run->rows.symbol + *end, zw_count_up + symbol, LENGTH_RUN_STORE * sizeof run->rows.symbol[0]);
		++*end;
	}
	run->end_of_block_bits = h->length[SYMBOL_END_OF_BLOCK];
}

static unsigned read_lengths(struct zw_inflate *s, struct zw_bit_reader *br, struct zw_length_run *run)
{
	struct zw_block_header *h = &s->block;
	unsigned stop;

	memcpy(run->rows.end, zw_row_start, sizeof run->rows.end);
	if (ZW_UNLIKELY(h->slow)) {
		stop = read_lengths_slowly(h, s->dynamic.litlen, br);
		if (stop == ZW_LENGTHS_DONE)
			fill_rows(run, h);
		return stop;
	}
	run->br = *br;
	run->litlen_count = h->litlen_count;
	run->total_count = (unsigned)h->litlen_count + h->dist_count;
	run->precode_fields = h->precode_fields;
	stop = s->kernels->inflate_lengths(run);
	*br = run->br;
	if (stop == ZW_LENGTHS_NEED_INPUT)
		begin_slow_lengths(s, run);
	return stop;
}

/* ---- which tables --------------------------------------------------------------------------------------------------- */

#define FIRST_LONG_SYMBOL        273u        /* lengths of 35 and more */
#define LONG_SYMBOLS_MAX_SHARE   (KRAFT_WHOLE / 5)
#define LONG_SYMBOL_MAX_BITS     6u          /* longer codes are seldom enough */
#define KRAFT_WHOLE              (1u << LITLEN_CODE_MAX_BITS)
#define AHEAD_MIN_END_OF_BLOCK_BITS 7u       /* the end of block occurs once: the longer its code, the more symbols there are */
static_assert(AHEAD_MIN_END_OF_BLOCK_BITS >= TABLE_BASE_BITS, "a root has as many index bits as the longest code");

/* SPEED(M34): small blocks do not pay for tables of 8 KB; where a fifth of the symbols are long matches, their copies take the time. */
static bool pays_to_look_ahead(const struct zw_inflate *s, const struct zw_length_run *run)
{
	unsigned long_share = 0;

	if (!s->may_look_ahead || !s->kernels->inflate_ahead || run->end_of_block_bits < AHEAD_MIN_END_OF_BLOCK_BITS)
		return false;
	for (unsigned bits = 1; bits <= LONG_SYMBOL_MAX_BITS; bits++)
		for (unsigned i = run->rows.litlen_end[bits]; i > zw_row_start[bits] && run->rows.symbol[i - 1] >= FIRST_LONG_SYMBOL; i--)
			long_share += KRAFT_WHOLE >> bits;
	return long_share < LONG_SYMBOLS_MAX_SHARE;
}

#define LONGEST_SYMBOL           285u        /* length MATCH_MAX_BYTES */
#define LONGEST_MAX_BITS           2u

/* SPEED(M36): where a quarter of the symbols or more are longest matches, most of them go on with a repeat. */
static bool has_repeats(const struct zw_length_run *run)
{
	for (unsigned bits = 1; bits <= LONGEST_MAX_BITS; bits++)
		if (run->rows.litlen_end[bits] > zw_row_start[bits] && run->rows.symbol[run->rows.litlen_end[bits] - 1] == LONGEST_SYMBOL)
			return true;
	return false;
}

static unsigned build_tables(struct zw_inflate *s, const struct zw_length_run *run)
{
	unsigned bad;

	s->tables = &s->dynamic;
	s->looks_ahead = pays_to_look_ahead(s, run);
	s->repeats = !s->looks_ahead && has_repeats(run);
	if (s->looks_ahead) {
		bad = s->kernels->inflate_ahead_tables(&run->rows, s->block.litlen_count, &s->ahead);
		if (!bad && run->end_of_block_bits >= JOIN_MIN_END_OF_BLOCK_BITS)
			zw_ahead_join(&s->ahead);
	} else {
		bad = s->kernels->inflate_tables(&run->rows, s->block.litlen_count, &s->dynamic);
		if (!bad)
			zw_join_symbols(&s->dynamic, run->end_of_block_bits);
	}
	return bad;
}

enum zw_step zw_block_read_lengths(struct zw_inflate *s, struct zw_bit_reader *br)
{
	struct zw_length_run run;                /* 12 KB, not cleared */

	switch (read_lengths(s, br, &run)) {
	case ZW_LENGTHS_NEED_INPUT:
		return ZW_STEP_NEED_INPUT;
	case ZW_LENGTHS_BAD_PRECODE:
		return zw_inflate_fail(s, ZW_ERROR_PRECODE);
	case ZW_LENGTHS_BAD_REPEAT:
		return zw_inflate_fail(s, ZW_ERROR_REPEAT);
	}
	if (!run.end_of_block_bits)
		return zw_inflate_fail(s, ZW_ERROR_NO_END_OF_BLOCK);
	switch (build_tables(s, &run)) {
	case ZW_TABLES_BAD_LITLEN:
		return zw_inflate_fail(s, ZW_ERROR_LITLEN_CODE);
	case ZW_TABLES_BAD_DISTANCE:
		return zw_inflate_fail(s, ZW_ERROR_DISTANCE_CODE);
	}
	s->mode = ZW_INFLATE_SYMBOLS_STOP;
	return ZW_STEP_GO;
}
