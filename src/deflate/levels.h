/* SPDX-License-Identifier: Zlib */
/* levels.h - what each level and strategy means: a table. */
#ifndef ZW_DEFLATE_LEVELS_H
#define ZW_DEFLATE_LEVELS_H

#include <stdint.h>

enum zw_strategy { ZW_DEFAULT_STRATEGY, ZW_FILTERED, ZW_HUFFMAN_ONLY, ZW_RLE, ZW_FIXED }; /* zlib's values */

enum zw_parser_kind { ZW_PARSE_NONE, ZW_PARSE_STORED, ZW_PARSE_FAST1, ZW_PARSE_FAST2, ZW_PARSE_FAST3, ZW_PARSE_PAIRS, ZW_PARSE_LAZY,
		      ZW_PARSE_RLE, ZW_PARSE_HUFFMAN_ONLY };

struct zw_match_params {
	uint8_t  parser;                         /* enum zw_parser_kind */
	uint8_t  min_bytes;                      /* shortest match taken: 4, or 6 for ZW_FILTERED */
	uint16_t first_depth;                    /* candidates of the first search */
	uint16_t joint_depth, joint_again_depth; /* candidates of the joint lazy walk and of its second try; 0: none */
	uint16_t joint_deep_depth;               /* joint_depth where late candidates gain much, lazy_effort.h */
	uint16_t joint_long_depth;               /* of a walk that starts from a long match, */
	uint8_t  long_bytes, long_mean_bytes;    /* one of at least so many bytes; and where matches are long on average */
	uint8_t  short_depth;                    /* of one that starts from a short match, usually, lazy_effort.h */
	uint8_t  short_least_depth;              /* short_depth where late candidates gain little, */
	uint8_t  again_least_depth;              /* and joint_again_depth there, */
	uint8_t  again_digits_depth;             /* and in path data */
	uint16_t nice_bytes;                     /* a match this long is taken at once */
	uint16_t run_bytes;                      /* a match this long at the distance of the last is taken without a search */
	uint8_t  run_step;                       /* and every so many of its positions are entered */
	uint16_t dense_bytes;                    /* a match this long is entered at every position, a longer one at some; */
	uint16_t record_dense_bytes;             /* so in records of numbers, */
	uint16_t long_dense_bytes;               /* and while matches are very long; 0: the level does nothing else there, lazy_effort.h */
	uint8_t  long_run_step;                  /* run_step there */
	uint8_t  length_prices;                  /* not 0: a boundary between two matches moves to where their lengths cost least; 1: */
						 /* but not where late candidates gain little */
	uint16_t split_bits;                     /* entropy gain that starts a new block; 0: never split */
	uint16_t split_tokens;                   /* between two looks at whether it would gain that much */
};

/* The parameters of level 0..9 under strategy. */
struct zw_match_params zw_level_params(int level, enum zw_strategy strategy);

/* deflateTune()'s four numbers, mapped onto ours. */
void zw_level_tune(struct zw_match_params *p, unsigned good_bytes, unsigned lazy_bytes, unsigned nice_bytes, unsigned chain);

#endif
