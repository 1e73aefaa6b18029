/* SPDX-License-Identifier: Zlib */
/* block_header.c - the header of a dynamic block (RFC 1951 3.2.7), resumable between any two bytes.
 * Takes: bits.  Gives: the stream's decode tables.  Then: symbols.c
 * The sorted rows live on the stack: a header that the end of the input cuts keeps only its code lengths in the state. */
#include "inflate/inflate_state.h"

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
	h->at = h->previous = 0;
	h->few_table = false;
	s->mode = ZW_INFLATE_LENGTHS;
	return ZW_STEP_GO;
}

/* As length_body.h does it: more than the symbol is written. */
static void append_symbol(struct zw_code_rows *rows, unsigned length, unsigned symbol)
{
	memcpy(rows->symbol + rows->end[length]++, zw_count_up + symbol, LENGTH_RUN_STORE * sizeof rows->symbol[0]);
}

/* The rows as they were when the input ended. */
static void restore_rows(struct zw_length_run *run, const struct zw_block_header *h)
{
	for (unsigned symbol = 0; symbol < h->at; symbol++) {
		if (symbol == h->litlen_count)
			memcpy(run->rows.litlen_end, run->rows.end, sizeof run->rows.end);
		append_symbol(&run->rows, h->length[symbol], symbol);
	}
	run->at = h->at;
	run->previous = h->previous;
	if (h->at > SYMBOL_END_OF_BLOCK) {
		run->end_of_block_bits = h->length[SYMBOL_END_OF_BLOCK];
		run->phase = ZW_LENGTHS_TO_LITLEN_END;
		run->limit = h->litlen_count;
	}
	if (h->at > h->litlen_count) {           /* when equal, the phase has yet to end */
		run->phase = ZW_LENGTHS_TO_END;
		run->limit = run->total_count;
	}
}

static void save_rows(struct zw_block_header *h, const struct zw_length_run *run)
{
	ZW_ASSERT(run->at < sizeof h->length);
	memset(h->length, 0, sizeof h->length);
	for (unsigned length = 1; length < ROW_COUNT; length++)
		for (unsigned i = zw_row_start[length]; i < run->rows.end[length]; i++)
			h->length[run->rows.symbol[i]] = (uint8_t)length;
	h->at = (uint16_t)run->at;
	h->previous = (uint8_t)run->previous;
}

/* ---- a few bytes at a time ----------------------------------------------------------------------------------------
 * Making the rows and the precode's table again for every call would cost as much as hundreds of lengths.  Pieces that are too
 * short for the kernel's loop go item by item into length[]; who has read the last one makes the rows.  The table is kept where
 * the block's own tables will be: nothing is decoded by those before they are made. */

#define FEW_CODES (1u << PRECODE_MAX_BITS)

static_assert(FEW_CODES <= LITLEN_TABLE_ENTRIES, "the precode's table fits where it is kept");

/* An entry is a symbol times 16 and the bits of its code.  False: not a complete code.  KEEP-STOCK: an empty one is zeros. */
static bool make_few_table(uint32_t *table, uint64_t fields)
{
	static const uint8_t order[PRECODE_SYMBOL_COUNT] = { 16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15 };
	uint8_t length[PRECODE_SYMBOL_COUNT];
	unsigned code = 0;                       /* of PRECODE_MAX_BITS bits, the rest zeros */

	for (unsigned i = 0; i < PRECODE_SYMBOL_COUNT; i++)
		length[order[i]] = (uint8_t)(fields >> (PRECODE_FIELD_BITS * i) & ((1u << PRECODE_FIELD_BITS) - 1));
	for (unsigned bits = 1; bits <= PRECODE_MAX_BITS; bits++)
		for (unsigned symbol = 0; symbol < PRECODE_SYMBOL_COUNT; symbol++) {
			unsigned reversed = 0;

			if (length[symbol] != bits)
				continue;
			if (code >= FEW_CODES)
				return false;
			for (unsigned bit = 0; bit < PRECODE_MAX_BITS; bit++)
				reversed |= (code >> bit & 1) << (PRECODE_MAX_BITS - 1 - bit);
			for (; reversed < FEW_CODES; reversed += 1u << bits)
				table[reversed] = symbol << 4 | bits;
			code += FEW_CODES >> bits;
		}
	for (unsigned i = 0; !code && i < FEW_CODES; i++)
		table[i] = 1;
	return !code || code == FEW_CODES;
}

/* ZW_LENGTHS_DONE: all are in length[]. */
static unsigned read_few_lengths(struct zw_block_header *h, uint32_t *table, struct zw_bit_reader *br)
{
	static const uint8_t extra_bits[3] = { 2, 3, 7 }, shortest[3] = { 3, 3, 11 };
	const unsigned total = (unsigned)h->litlen_count + h->dist_count;

	if (!h->few_table && !make_few_table(table, h->precode_fields))
		return ZW_LENGTHS_BAD_PRECODE;
	h->few_table = true;
	while (h->at < total) {
		unsigned symbol, bits, extra, repeat = 1;

		zw_bits_fill(br);
		bits = table[br->hold & (FEW_CODES - 1)] & 15;
		symbol = table[br->hold & (FEW_CODES - 1)] >> 4;
		extra = symbol < 16 ? 0 : extra_bits[symbol - 16];
		if (bits + extra > br->count)
			return ZW_LENGTHS_NEED_INPUT;
		zw_bits_drop(br, bits);
		if (symbol >= 16)
			repeat = shortest[symbol - 16] + zw_bits_take(br, extra);
		if (symbol == 16 && !h->at)
			return ZW_LENGTHS_BAD_REPEAT;
		if (symbol != 16)
			h->previous = (uint8_t)(symbol < 16 ? symbol : 0);
		if (repeat > total - h->at)
			return ZW_LENGTHS_BAD_REPEAT;
		memset(h->length + h->at, h->previous, repeat);
		h->at = (uint16_t)(h->at + repeat);
	}
	return ZW_LENGTHS_DONE;
}

/* ---- all of it --------------------------------------------------------------------------------------------------- */

enum zw_step zw_block_read_lengths(struct zw_inflate *s, struct zw_bit_reader *br)
{
	struct zw_block_header *h = &s->block;
	struct zw_length_run run;                /* 12 KB, not cleared */

	if (zw_bits_left_bytes(br) < REFILL_READ_BYTES) {
		switch (read_few_lengths(h, s->dynamic.litlen, br)) {
		case ZW_LENGTHS_NEED_INPUT:
			return ZW_STEP_NEED_INPUT;
		case ZW_LENGTHS_BAD_PRECODE:
			return zw_inflate_fail(s, ZW_ERROR_PRECODE);
		case ZW_LENGTHS_BAD_REPEAT:
			return zw_inflate_fail(s, ZW_ERROR_REPEAT);
		}
	}
	run.br = *br;
	run.at = run.previous = 0;
	run.phase = ZW_LENGTHS_TO_256;
	run.limit = SYMBOL_END_OF_BLOCK + 1;
	run.litlen_count = h->litlen_count;
	run.total_count = (unsigned)h->litlen_count + h->dist_count;
	run.end_of_block_bits = 0;
	run.precode_fields = h->precode_fields;
	memcpy(run.rows.end, zw_row_start, sizeof run.rows.end);
	if (h->at)
		restore_rows(&run, h);

	switch (s->kernels->inflate_lengths(&run)) {
	case ZW_LENGTHS_NEED_INPUT:
		*br = run.br;
		save_rows(h, &run);
		return ZW_STEP_NEED_INPUT;
	case ZW_LENGTHS_BAD_PRECODE:
		return zw_inflate_fail(s, ZW_ERROR_PRECODE);
	case ZW_LENGTHS_BAD_REPEAT:
		*br = run.br;
		return zw_inflate_fail(s, ZW_ERROR_REPEAT);
	}
	*br = run.br;
	if (!run.end_of_block_bits)
		return zw_inflate_fail(s, ZW_ERROR_NO_END_OF_BLOCK);
	switch (s->kernels->inflate_tables(&run.rows, run.litlen_count, &s->dynamic)) {
	case ZW_TABLES_BAD_LITLEN:
		return zw_inflate_fail(s, ZW_ERROR_LITLEN_CODE);
	case ZW_TABLES_BAD_DISTANCE:
		return zw_inflate_fail(s, ZW_ERROR_DISTANCE_CODE);
	}
	zw_join_symbols(&s->dynamic, run.end_of_block_bits);
	s->tables = &s->dynamic;
	s->mode = ZW_INFLATE_SYMBOLS_STOP;
	return ZW_STEP_GO;
}
