/* SPDX-License-Identifier: Zlib */
/* inflate_state.h - what an inflate stream remembers between calls, and what one call brings along. */
#ifndef ZW_INFLATE_INFLATE_STATE_H
#define ZW_INFLATE_INFLATE_STATE_H

#include "base/result.h"
#include "base/span.h"

#include "cpu/kernels.h"

#include "wrap/gzip_read.h"

#include "inflate/bit_reader.h"
#include "inflate/decode_entry.h"
#include "inflate/symbol_run.h"

enum zw_inflate_mode {       /* waits for                                            then                       */
	ZW_INFLATE_HEAD,         /* in: the first two bytes of a wrapper                 GZIP, DICT_ID, BLOCK_STOP  */
	ZW_INFLATE_GZIP,         /* in: the rest of a gzip header                        BLOCK_STOP                 */
	ZW_INFLATE_DICT_ID,      /* in: 4 bytes                                          DICT                       */
	ZW_INFLATE_DICT,         /* the caller's dictionary                              BLOCK_STOP                 */
	ZW_INFLATE_BLOCK_STOP,   /* a call that does not ask to stop between blocks      BLOCK                      */
	ZW_INFLATE_BLOCK,        /* in: 3 bits                                           STORED, SYMBOLS, COUNTS    */
	ZW_INFLATE_STORED,       /* in: 4 bytes                                          COPY_STOP                  */
	ZW_INFLATE_COPY_STOP,    /* nothing: where Z_TREES stops                         COPY                       */
	ZW_INFLATE_COPY,         /* in: stored_left bytes; out: as many                  BLOCK_STOP                 */
	ZW_INFLATE_COUNTS,       /* in: 14 bits                                          PRECODE                    */
	ZW_INFLATE_PRECODE,      /* in: 3 bits for each symbol of the precode            LENGTHS                    */
	ZW_INFLATE_LENGTHS,      /* in: one item after the other                         SYMBOLS_STOP               */
	ZW_INFLATE_SYMBOLS_STOP, /* nothing: where Z_TREES stops                         SYMBOLS                    */
	ZW_INFLATE_SYMBOLS,      /* in: a symbol; out: room for it                       BLOCK_STOP                 */
	ZW_INFLATE_TOO_FAR,      /* out: room for a match whose distance is wrong        BAD                        */
	ZW_INFLATE_CHECK,        /* in: 4 bytes                                          LENGTH                     */
	ZW_INFLATE_LENGTH,       /* in: 4 bytes of a gzip trailer                        DONE                       */
	ZW_INFLATE_DONE,
	ZW_INFLATE_BAD,          /* error says why */
	ZW_INFLATE_NO_WINDOW,    /* zalloc refused the window */
	ZW_INFLATE_SYNC          /* inflateSync() is looking for a marker */
};

enum zw_inflate_error {
	ZW_ERROR_NONE,
	ZW_ERROR_HEADER_CHECK,
	ZW_ERROR_METHOD,
	ZW_ERROR_WINDOW_SIZE,
	ZW_ERROR_HEADER_FLAGS,
	ZW_ERROR_HEADER_CRC,
	ZW_ERROR_BLOCK_TYPE,
	ZW_ERROR_STORED_LENGTHS,
	ZW_ERROR_SYMBOL_COUNTS,
	ZW_ERROR_PRECODE,
	ZW_ERROR_REPEAT,
	ZW_ERROR_NO_END_OF_BLOCK,
	ZW_ERROR_LITLEN_CODE,
	ZW_ERROR_DISTANCE_CODE,
	ZW_ERROR_LITLEN,
	ZW_ERROR_DISTANCE,
	ZW_ERROR_TOO_FAR,
	ZW_ERROR_DATA_CHECK,
	ZW_ERROR_LENGTH_CHECK
};

/* What may stand around the data; bits of zw_inflate.wrap. */
#define ZW_WRAP_ZLIB  1u
#define ZW_WRAP_GZIP  2u
#define ZW_WRAP_CHECK 4u                     /* compare checksums */

/* Everything that a dynamic header leaves behind until its tables are built. */
struct zw_block_header {
	uint16_t litlen_count;
	uint8_t  dist_count;
	uint8_t  precode_count;
	uint8_t  precode_read;                   /* fields that are in precode_fields */
	uint8_t  previous;                       /* the last code length, if slow */
	uint8_t  precode_mask;                   /* index bits of its table, if slow */
	bool     slow;                           /* the end of the input has cut the lengths: see block_header.c */
	uint16_t at;                             /* code lengths known, if slow */
	uint64_t precode_fields;                 /* 3 bits each, in the order of the stream */
	uint8_t  length[CODE_COUNT_MAX + 4];     /* if slow */
};

/* The window, one block of the caller's allocator:
 *   | WINDOW_HISTORY_BYTES | WINDOW_WORK_BYTES | WINDOW_SLACK_BYTES |
 * Decoding goes on at out; [emit, out) is decoded but not delivered; what is before emit is history. */
#define WINDOW_HISTORY_BYTES DISTANCE_MAX_BYTES
#define WINDOW_WORK_BYTES    (2 * DISTANCE_MAX_BYTES + 320u)
#define WINDOW_SLACK_BYTES   384u
#define WINDOW_SLIDE_BYTES   4096u           /* slides when less room than this is left */
#define WINDOW_END_BYTES     (WINDOW_HISTORY_BYTES + WINDOW_WORK_BYTES)
#define WINDOW_BYTES         (WINDOW_END_BYTES + WINDOW_SLACK_BYTES)

static_assert(WINDOW_WORK_BYTES >= 16 * WINDOW_SLIDE_BYTES + MATCH_MAX_BYTES - 1, "16 calls of 4 KB with what the last match has too much: M45");
static_assert(WINDOW_SLACK_BYTES >= SYMBOL_ROUND_OUT_BYTES && WINDOW_SLACK_BYTES >= AHEAD_OUT_BYTES, "a round that begins at the end fits");

/* Where a stream's first bytes are decoded if there is so little input that they may be all: a stream that ends in its first
 * call then needs no window.  What the next call may need moves to a true one. */
#define FIRST_WINDOW_BYTES    4096u
#define FIRST_INPUT_MAX_BYTES (FIRST_WINDOW_BYTES / 2)

struct zw_inflate {
	const struct zw_kernels *kernels;
	uint64_t hold;                           /* bits between calls: see bit_reader.h */
	uint8_t *window;                         /* NULL until needed */
	uint8_t *out;
	uint8_t *emit;
	const struct zw_decode_tables *tables;   /* &dynamic or &zw_fixed_tables */
	uint64_t total_out;                      /* since the header: for ISIZE */
	uint32_t check;                          /* CRC-32 or Adler-32 of what was delivered */
	uint32_t shown_check;                    /* what the caller sees as adler */
	uint32_t stored_left;
	uint32_t surplus_distance;               /* of the match that emit is in, if window_log2 is below 15; else 0 */
	uint32_t history_bytes;                  /* before emit, at the beginning of a call: see begin_call() */
	uint8_t  mode;                           /* enum zw_inflate_mode */
	uint8_t  error;                          /* enum zw_inflate_error */
	uint8_t  hold_count;
	uint8_t  wrap;                           /* ZW_WRAP_* */
	uint8_t  format;                         /* enum zw_format, known after HEAD */
	uint8_t  window_log2;                    /* 0: whatever the header says */
	bool     may_look_ahead;                 /* false: symbols are taken one by one, as by inflateBack() */
	bool     looks_ahead;                    /* the block's tables are in ahead, not in *tables */
	bool     repeats;                        /* see zw_symbol_run */
	bool     header_seen;                    /* inflateSync() needs to know */
	bool     last_block;
	bool     dictionary_given;
	bool     history_kept;                   /* output becomes history: as if zlib had made its window */
	uint8_t  sync_matched;                   /* bytes of the marker found */
	struct zw_gzip_reader gzip;
	struct zw_block_header block;
	union {
		struct zw_decode_tables dynamic;
		struct zw_ahead_tables ahead;
	};
};
static_assert(offsetof(struct zw_decode_tables, used_entries) == offsetof(struct zw_ahead_tables, used_entries),
	      "inflateCodesUsed() need not know which");

struct zw_memory {                           /* where a window comes from */
	void *(*take)(void *owner, size_t bytes);
	void *owner;
};

/* One call: what the caller gave, moved on as it is used. */
struct zw_inflate_call {
	struct zw_bit_reader br;
	struct zw_out out;
	enum zw_flush flush;
	struct zw_memory memory;
	gz_header *header;                       /* filled in while a gzip header is read; may be NULL */
	/* set by the stream */
	const uint8_t *in_begin;                 /* br.next when the call began */
	uint8_t *stop;                           /* decoding may pass this by one symbol */
	const uint8_t *reach;                    /* the first byte that a match may come from */
	size_t made_bytes;                       /* delivered in this call */
	size_t passed_bytes;                     /* the last of them, that went past the window: zw_window_recall() brings them */
	bool in_first_window;                    /* s->emit and s->out are in first_window */
	uint8_t first_window[FIRST_WINDOW_BYTES + WINDOW_SLACK_BYTES];
};

/* inflate_stream.c */
void zw_inflate_reset(struct zw_inflate *s);       /* forgets history too */
void zw_inflate_reset_keep(struct zw_inflate *s);
enum zw_result zw_inflate_run(struct zw_inflate *s, struct zw_inflate_call *c);
enum zw_step zw_inflate_fail(struct zw_inflate *s, enum zw_inflate_error error);

/* window.c */
bool zw_window_open(struct zw_inflate *s, struct zw_memory memory);          /* false: no memory */
void zw_window_deliver(struct zw_inflate *s, struct zw_inflate_call *c);
bool zw_window_make_room(struct zw_inflate *s, struct zw_inflate_call *c);   /* false: the caller's buffer is full, or no memory */
void zw_window_pass(struct zw_inflate *s, struct zw_inflate_call *c, size_t bytes); /* input to output; nothing is undelivered */
bool zw_window_recall_passed(struct zw_inflate *s, struct zw_inflate_call *c);       /* there is something: see zw_window_recall() */
bool zw_window_end_call(struct zw_inflate *s, struct zw_inflate_call *c, bool keep_history); /* true: history is kept */
void zw_window_add_dictionary(struct zw_inflate *s, const uint8_t *dictionary, size_t bytes);
void zw_window_copy(struct zw_inflate *to, uint8_t *window, const struct zw_inflate *from);

/* What was passed becomes history; false: no memory. */
ZW_INLINE bool zw_window_recall(struct zw_inflate *s, struct zw_inflate_call *c)
{
	return !c->passed_bytes || zw_window_recall_passed(s, c);
}

/* block_header.c */
enum zw_step zw_block_read_counts(struct zw_inflate *s, struct zw_bit_reader *br);
enum zw_step zw_block_read_precode(struct zw_inflate *s, struct zw_bit_reader *br);
enum zw_step zw_block_read_lengths(struct zw_inflate *s, struct zw_bit_reader *br);

/* join_symbols.c */
#define JOIN_MIN_END_OF_BLOCK_BITS 11u
static_assert(JOIN_MIN_END_OF_BLOCK_BITS >= AHEAD_ROOT_BITS, "zw_ahead_join() finds whole roots");
void zw_join_symbols(struct zw_decode_tables *tables, unsigned end_of_block_bits);

/* ahead_join.c */
void zw_ahead_join(struct zw_ahead_tables *tables);

/* symbols.c */
enum zw_step zw_inflate_symbols(struct zw_inflate *s, struct zw_inflate_call *c);

struct zw_symbol { uint32_t length; uint32_t distance; uint8_t literal; };   /* length 0: a literal */
enum zw_symbol_stop zw_decode_symbol(struct zw_bit_reader *br, const struct zw_decode_tables *tables, struct zw_symbol *symbol_ret);

/* inflate_sync.c */
enum zw_result zw_inflate_sync(struct zw_inflate *s, struct zw_in *in);

#endif
