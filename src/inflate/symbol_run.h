/* SPDX-License-Identifier: Zlib */
/* symbol_run.h - what the three inner loops of inflate take and give.  Each exists once per kernel set; their bodies are
 * symbol_body.h, length_body.h and table_body.h. */
#ifndef ZW_INFLATE_SYMBOL_RUN_H
#define ZW_INFLATE_SYMBOL_RUN_H

#include "inflate/ahead_entry.h"
#include "inflate/bit_reader.h"
#include "inflate/decode_entry.h"
#include "inflate/match_copy.h"

/* ---- symbols of a block ------------------------------------------------------------------------------------------ */
enum zw_symbol_stop {
	ZW_SYMBOLS_BOUND,                        /* one of the two margins is used up */
	ZW_SYMBOLS_END_OF_BLOCK,
	ZW_SYMBOLS_BAD_LITLEN,
	ZW_SYMBOLS_BAD_DISTANCE,
	ZW_SYMBOLS_TOO_FAR,                      /* the distance reaches before history */
	ZW_SYMBOLS_NEED_INPUT                    /* zw_decode_symbol() only: not all bits of the symbol are there */
};

struct zw_symbol_run {
	struct zw_bit_reader br;                 /* count < 8 on entry and exit; end is not looked at */
	const uint8_t *in_stop;                  /* no round begins with br.next at or past this */
	uint8_t       *out;
	uint8_t       *out_stop;                 /* no round begins at or past this */
	const uint8_t *history;                  /* the first byte that a match may come from */
	const struct zw_decode_tables *tables;
	bool           repeats;                  /* matches of the longest length are common */
	const struct zw_ahead_tables *ahead_tables;                  /* zw_kernels.inflate_ahead() takes these */
};

/* A round is at most two entries of literals, or one and a match. */
#define SYMBOL_ROUND_LITERALS   4
#define SYMBOL_ROUND_MAX_BITS  58            /* LITLEN_ROOT_BITS of literals, a length, its distance */
#define SYMBOL_ROUND_IN_BYTES  24            /* from br.next: what the fills of a round move and read */
#define SYMBOL_RUN_MIN_BYTES   33            /* input that a run in the caller's buffer needs at its start */
#define SYMBOL_ROUND_OUT_BYTES (2 + MATCH_MAX_BYTES + COPY_SLACK_BYTES)

static_assert(SYMBOL_ROUND_MAX_BITS >= LITLEN_ROOT_BITS + LITLEN_CODE_MAX_BITS + LENGTH_EXTRA_MAX_BITS
	      + DIST_CODE_MAX_BITS + DIST_EXTRA_MAX_BITS, "bits of a round");
static_assert(SYMBOL_ROUND_MAX_BITS <= REFILL_MIN_BITS - INDEX_SHIFT + 8, "where one more byte is true than is in hold, a round's bits are");
static_assert(SYMBOL_ROUND_IN_BYTES >= (SYMBOL_ROUND_MAX_BITS + 7) / 8 + REFILL_READ_BYTES, "fills move next by whole bytes used");

/* What a batch of look-ups needs (ahead_body.h). */
#define AHEAD_MIN_BYTES        24            /* true input from br.next */
#define AHEAD_IN_BYTES         48            /* input that can be read from br.next */
#define AHEAD_COPY_SLACK_BYTES (2 * LONG_STEP_BYTES)                         /* written past a match */
#define AHEAD_OUT_BYTES        (MATCH_MAX_BYTES + AHEAD_COPY_SLACK_BYTES)    /* from out_stop */
static_assert(AHEAD_COPY_SLACK_BYTES >= COPY_SLACK_BYTES, "slack");

/* ---- code lengths of a dynamic block ----------------------------------------------------------------------------- */
#define CODE_COUNT_MAX (LITLEN_SYMBOL_COUNT + DIST_SYMBOL_COUNT)
#define LENGTH_RUN_STORE    8u               /* symbols that an item stores; at most 6 are meant, zeros apart */
#define ROW_ENTRIES       328u               /* symbols of one code length, and what the last item stores too much */
#define ZERO_ROW_EXTRA    160u               /* the row of unused symbols comes last: a long run may pass its end */
#define ROW_COUNT          16u
#define PRECODE_FIELD_BITS  3u               /* a code length of the precode */

static_assert(ROW_ENTRIES >= CODE_COUNT_MAX + 6 + LENGTH_RUN_STORE - 2, "a row holds every symbol and a last repeat");
static_assert(ROW_ENTRIES + ZERO_ROW_EXTRA >= CODE_COUNT_MAX + 138 + LENGTH_RUN_STORE, "the last row: a run of 138 zeros");

/* Symbols sorted by code length: row l holds those of length l in ascending order.  A distance symbol is counted on from
 * the last litlen symbol. */
struct zw_code_rows {
	uint16_t end[ROW_COUNT];                 /* where the next symbol of each length goes */
	uint16_t litlen_end[ROW_COUNT];          /* the same when the litlen lengths ended */
	uint16_t symbol[ROW_COUNT * ROW_ENTRIES + ZERO_ROW_EXTRA];
};
extern ZW_HIDDEN const uint16_t zw_row_start[ROW_COUNT];     /* code_rows.c */
extern ZW_HIDDEN const uint16_t zw_count_up[ROW_ENTRIES + ZERO_ROW_EXTRA];   /* 0, 1, 2 ... */

struct zw_length_run {
	uint32_t precode[(1u << PRECODE_MAX_BITS) + TABLE_COPY_ENTRIES];      /* out */
	uint32_t precode_mask;                   /* out: index bits of precode[] */
	unsigned litlen_count;
	unsigned total_count;                    /* litlen and distance symbols */
	uint64_t precode_fields;                 /* the precode's code lengths as in the stream, 3 bits each */
	struct zw_bit_reader br;                 /* in and out */
	unsigned at;                             /* out: symbols whose length is known */
	unsigned previous;                       /* out: the last length */
	unsigned end_of_block_bits;              /* out: code length of symbol 256 */
	struct zw_code_rows rows;                /* end[] in, all of it out */
};

enum zw_length_stop { ZW_LENGTHS_DONE, ZW_LENGTHS_NEED_INPUT, ZW_LENGTHS_BAD_PRECODE, ZW_LENGTHS_BAD_REPEAT };

/* ---- tables ------------------------------------------------------------------------------------------------------ */
#define REVERSED_INDEX_BITS LITLEN_ROOT_BITS /* the widest table index; a shorter code stands at its high end */
extern ZW_HIDDEN const uint16_t zw_reversed_index[1u << REVERSED_INDEX_BITS];    /* code_rows.c */

enum zw_table_stop { ZW_TABLES_DONE, ZW_TABLES_BAD_LITLEN, ZW_TABLES_BAD_DISTANCE };

#endif
