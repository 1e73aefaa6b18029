/* SPDX-License-Identifier: Zlib */
/* match_finder.h - the tables that find earlier occurrences, and what every parser may rely on.
 *
 * Candidates are verified by content, so stale or aliased entries are harmless.  From level 3 on positions are counted modulo
 * 65536 and nothing is ever rebased; at levels 1 and 2 entries are offsets in the window and move with it (match_tables.h).
 * An empty entry is 0. */
#ifndef ZW_DEFLATE_MATCH_FINDER_H
#define ZW_DEFLATE_MATCH_FINDER_H

#include "deflate/content_sample.h"
#include "deflate/levels.h"
#include "deflate/tokens.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PARSE_OVERREAD_BYTES   64u           /* readable, initialised bytes behind end */
#define PARSE_BACKREAD_BYTES   16u           /* readable, initialised bytes before window */
#define PARSE_LOOKAHEAD_BYTES 320u           /* end - stop when more input may follow: no decision can then see end */
#define PARSE_SPARE_TOKENS     72u           /* tokens a call may make beyond one per 2 bytes */

/* What head and prev hold.  The rest of the name is what a parser does with them. */
enum zw_table_shape {
	SHAPE_NONE,                              /* nothing: run lengths, literals only */
	SHAPE_SINGLE,                            /* head: u16, newest offset by entry_bytes bytes */
	SHAPE_LARGE,                             /* the same for level 2: more entries */
	SHAPE_PAIRS_LAZY,                        /* head: u32, the two newest positions by 4 bytes, for level 4 */
	SHAPE_PAIRS_LONG,                        /* the same by entry_bytes bytes, and prev: u16, newest position by 8 bytes */
	SHAPE_CHAINS                             /* head and prev: chains by 4 bytes */
};

/* How much walks look at, lazy_effort.h. */
enum zw_walk_effort { WALKS_FEW, WALKS_USUAL, WALKS_DEEP };

struct zw_match_finder {
	uint16_t *head;                          /* arena: 256 << mem_level bytes, cut up per parser */
	uint16_t *prev;                          /* arena: 1 << window_log2 entries; never cleared */
	uint32_t  head_bytes;
	uint8_t   window_log2;                   /* 9..15: matches reach back at most 1 << window_log2 bytes */
	uint8_t   head_log2, second_log2;        /* log2 of entries in use: main table; 8-byte table */
	uint8_t   prepared;                      /* zw_parser_kind whose tables are in head and prev; 0: none */
	uint8_t   in_prev;                       /* 1: head is small (memLevel), so prev holds what head would; not for chains */
	uint8_t   depth_shift;                   /* chains: candidates are doubled so often, as a small head mixes them */
	uint8_t   shape;                         /* enum zw_table_shape: how zw_match_prepare() cut them */
	uint8_t   entry_bytes;                   /* what selects an entry: 4, at levels 1 and 2 up to 6, at level 3 up to 5 */
	struct zw_content content;               /* of what will be parsed; set before zw_match_prepare(); 0: not known */
	uint8_t   wide;                          /* 1: the CPU has AVX2, BMI, BMI2 and LZCNT; changes speed only */

	const uint8_t *window;                   /* first byte that a match may refer to */
	uint32_t  window_position;               /* its stream position modulo 65536 */
	uint8_t   unhashed_bytes;                /* positions before ip that the last call could not enter (0..7) */
	uint8_t   literal_price;                 /* of the last segment, literal_price.h; 0: not known */
	uint8_t   sated_segments;                /* segments in which walks are left out, lazy_match.h */
	bool      long_tokens;                   /* in the last segment, levels 1 to 3, parse_fast.h */
	bool      few_matches;                   /* that were searched for in the last segment, lazy_match.h */
	uint16_t  match_mean_bytes;              /* bytes of the last segment for each of them, at most UINT16_MAX */
	uint8_t   very_long_segments;            /* one after the other until now whose matches are very long, lazy_effort.h */
	uint16_t  run_distance;                  /* of the last match when it was long; 0: it was not */
	uint8_t   effort_segment;                /* since the tables were cleared; later in turns, lazy_effort.h */
	uint8_t   walk_effort;                   /* enum zw_walk_effort, in the next segment */
	struct zw_match_params params;           /* from the level, changed by deflateTune() */
};

/* Tokens for [ip, stop), and up to PARSE_LOOKAHEAD_BYTES further: one match and what it was preferred to; never beyond end.
 * Returns where it stopped.
 * Entry: the tables are prepared for this parser; t has room for (stop - ip) / 2 + PARSE_SPARE_TOKENS;
 *        PARSE_OVERREAD_BYTES behind end and PARSE_BACKREAD_BYTES before m->window are readable.
 *        Either end - stop >= PARSE_LOOKAHEAD_BYTES, or stop == end (everything is parsed).
 *        ip - m->window >= 1 << window_log2, or m->window_position is 0 and m->window is the stream's first byte.
 * Gives: tokens and their counts appended to t, in order, covering exactly [ip, returned).
 * Never: depends on bytes at or behind end, on table contents of another stream, or on what malloc returned. */
typedef const uint8_t *(*zw_parse_fn)(struct zw_match_finder *m, struct zw_tokens *t, const uint8_t *ip,
				      const uint8_t *stop, const uint8_t *end);

/* Sizes and clears the tables for the parser that m->params names.  known_bytes: the whole of what will be parsed, or
 * SIZE_MAX when more may follow.  Tables stay as they are when they already belong to that parser. */
void zw_match_prepare(struct zw_match_finder *m, size_t known_bytes);

/* Enters the history [from, to) of a preset dictionary, or of a stream that changes its parser, into prepared tables. */
void zw_match_insert_history(struct zw_match_finder *m, const uint8_t *from, const uint8_t *to);

/* Enters some positions of [from, to), bytes that are not parsed because they look like noise. */
void zw_match_insert_sparse(struct zw_match_finder *m, const uint8_t *from, const uint8_t *to);

/* The first by_bytes of the window have gone: entries that are offsets follow. */
void zw_match_slide(struct zw_match_finder *m, uint32_t by_bytes);

/* The parser for m->params. */
zw_parse_fn zw_parser_get(const struct zw_match_finder *m);

#endif
