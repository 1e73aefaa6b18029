/* SPDX-License-Identifier: Zlib */
/* parse_driver.h - runs a parser over a whole input as a stream does, with a window that slides, and checks everything
 * that a parser promises: tokens that expand to the input, distances, room, histogram, no read outside its slack. */
#ifndef ZW_TESTS_PARSE_DRIVER_H
#define ZW_TESTS_PARSE_DRIVER_H

#include "deflate/match_finder.h"
#include "lib/corpus.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum arena_fill { FILL_ZEROS, FILL_ONES, FILL_RANDOM, FILL_KINDS };

struct parse_setup {
	struct zw_match_params params;
	unsigned window_log2, mem_level;
	bool     wide, size_known;
	enum arena_fill fill;                    /* what malloc returned, and what stands behind the input */
	size_t   flush_bytes;                    /* everything is parsed after so many bytes, again and again; 0: never */
	struct zw_content content;               /* what the finder is told of the input */
	size_t   history_bytes;                  /* entered as a preset dictionary: the first bytes of the input */
	zw_parse_fn parse;                       /* instead of the one that the tables are for; NULL: none */
};

/* Tokens of in[history_bytes..n).  Fails the running test when anything is not as promised. */
struct parse_result { uint32_t *tokens; size_t count; };
struct parse_result parse_run(const struct parse_setup *setup, const uint8_t *in, size_t n);
void parse_free(struct parse_result *r);

/* Fails unless both have the same tokens. */
void parse_same(const struct parse_result *a, const struct parse_result *b, const char *what);

/* Bits that an entropy coder would need for all tokens together, headers not counted. */
double parse_entropy_bits(const struct parse_result *r);

/* True when this machine can run the wide bodies. */
bool parse_wide_runs(void);

/* Inputs: the kinds of corpus.h, and one line again and again with one byte changed, which makes long chains of almost
 * equal candidates.  Replaces what in holds. */
#define PARSE_NEAR_COPIES ((int)CORPUS_KIND_COUNT)
#define PARSE_INPUT_COUNT ((int)CORPUS_KIND_COUNT + 1)
void parse_input(int kind, uint64_t seed, size_t len_bytes, struct test_bytes *in);

/* All checks for one level over every input and every tiny input: expands, both bodies agree, fills agree. */
void parse_check_kind(int level, enum zw_strategy strategy);

#endif
