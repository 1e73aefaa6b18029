/* SPDX-License-Identifier: Zlib */
/* levels.c - what each level and strategy means: a table, and deflateTune()'s four numbers mapped onto it.
 * Takes: a level 0..9 and a strategy.  Gives: the parameters of a parser.  Then: match_finder.c */
#include "deflate/levels.h"

#include "base/check.h"
#include "base/rfc.h"

#define MIN_BYTES           4u               /* shorter ones gain nothing in the mean (M21) */
#define MIN_BYTES_FILTERED  6u               /* ZW_FILTERED: small differences are better coded as literals */
#define FILTERED_LEAST_LEVEL 4
#define NICE_MIN_BYTES      4u
#define SPLIT_BITS          400u
#define JOINT_MAX_DEPTH     256u
#define LONG_WALK_LEAST       8u             /* after deflateTune(), when the walk is as deep */
#define SHORT_WALK_LEAST      2u             /* of walks from short matches */
#define PAIRS_MAX_DEPTH       2u             /* a bucket of ZW_PARSE_PAIRS has no more */

#define ALL_BYTES         258u               /* every position of a match is entered */

static const struct zw_match_params by_level[10] = {
	/*      parser            min      first joint again deep   long       short    digits nice run step dense, in records, very long prices split      tokens */
	[0] = { ZW_PARSE_STORED,  0,         0,   0,    0,    0,    0,  0,  0,  0, 0, 0, 0,    0,    0,  0, 0,         0,          0,  0,   0, 0,             0 },
	[1] = { ZW_PARSE_FAST1,   MIN_BYTES, 1,   0,    0,    0,    0,  0,  0,  0, 0, 0, 0,  258,    0,  0, 0,         0,          0,  0,   0, 0,             0 },
	[2] = { ZW_PARSE_FAST2,   MIN_BYTES, 2,   0,    0,    0,    0,  0,  0,  0, 0, 0, 0,  258,    0,  0, 0,         0,          0,  0,   0, 0,             0 },
	[3] = { ZW_PARSE_FAST3,   MIN_BYTES, 3,   2,    0,    2,    2,  0,  0,  0, 0, 0, 0,   32,   32, 32, 16,        16,         0,  0,   0, 0,             0 }, /* tiny: as 4 */
	[4] = { ZW_PARSE_PAIRS,   MIN_BYTES, 2,   2,    0,    2,    2,  0,  0,  0, 0, 0, 0,   32,   32, 32, 16,        10,         0,  0,   0, SPLIT_BITS, 1024 },
	[5] = { ZW_PARSE_LAZY,    MIN_BYTES, 2,   4,    0,    5,    1, 18, 22,  2, 1, 0, 0,  128,   32,  8, 64,        32,        32, 16,   0, SPLIT_BITS, 1024 },
	[6] = { ZW_PARSE_LAZY,    MIN_BYTES, 4,   5,    1,    6,    2, 16, 16,  2, 1, 0, 0,  128,   32,  8, ALL_BYTES, ALL_BYTES, 64, 12,   1, SPLIT_BITS,  512 },
	[7] = { ZW_PARSE_LAZY,    MIN_BYTES, 4,  12,    4,   12,    4, 16, 16,  2, 1, 4, 1,  128,   32,  2, ALL_BYTES, ALL_BYTES, 64,  2,   2, SPLIT_BITS,  512 },
	[8] = { ZW_PARSE_LAZY,    MIN_BYTES, 4,  32,    4,   40,   12, 16, 16,  3, 1, 4, 1,  258,   64,  2, ALL_BYTES, ALL_BYTES, 64,  2,   2, SPLIT_BITS,  512 },
	[9] = { ZW_PARSE_LAZY,    MIN_BYTES, 4,  40,    6,   64,   14, 16, 16,  8, 8, 6, 6,  258,  128,  1, ALL_BYTES, ALL_BYTES,  0,  1,   2, SPLIT_BITS,  512 },
};

struct zw_match_params zw_level_params(int level, enum zw_strategy strategy)
{
	struct zw_match_params p;

	ZW_ASSERT(level >= 0 && level <= 9);
	p = by_level[level];
	if (p.parser == ZW_PARSE_STORED)         /* level 0 stores whatever the strategy */
		return p;
	switch (strategy) {
	case ZW_DEFAULT_STRATEGY:
	case ZW_FIXED:
		break;
	case ZW_FILTERED:
		if (level < FILTERED_LEAST_LEVEL) /* the loops of the lower ones take every match they find */
			p = by_level[FILTERED_LEAST_LEVEL];
		p.min_bytes = MIN_BYTES_FILTERED;
		p.length_prices = 0;             /* a moved boundary may leave 3 bytes */
		break;
	case ZW_HUFFMAN_ONLY:
		p.parser = ZW_PARSE_HUFFMAN_ONLY;
		break;
	case ZW_RLE:
		p.parser = ZW_PARSE_RLE;
		break;
	}
	return p;
}

/* The largest r with r * r <= v. */
static unsigned square_root(unsigned v)
{
	unsigned r = 0;

	for (unsigned bit = 1u << 15; bit; bit >>= 1)
		if ((r | bit) * (uint64_t)(r | bit) <= v)
			r |= bit;
	return r;
}

/* zlib's chain of 16, 32, 128 .. 4096 candidates at levels 4 .. 9 buys what our joint walk reaches with about half the
 * square root of it, and a little more where it is long.  There is no number for good_bytes: walks are short enough not to be cut. */
void zw_level_tune(struct zw_match_params *p, unsigned good_bytes, unsigned lazy_bytes, unsigned nice_bytes, unsigned chain)
{
	unsigned joint = square_root(chain) / 2 + chain / 256;

	(void)good_bytes;
	if (joint < 1)
		joint = 1;
	if (joint > JOINT_MAX_DEPTH)
		joint = JOINT_MAX_DEPTH;
	if (p->parser == ZW_PARSE_PAIRS && joint > PAIRS_MAX_DEPTH)
		p->parser = ZW_PARSE_LAZY;
	p->first_depth = (uint16_t)(1 + square_root(joint));
	p->joint_depth = (uint16_t)(lazy_bytes ? joint : 0);
	p->joint_again_depth = (uint16_t)(lazy_bytes ? joint / 4 : 0);
	p->joint_long_depth = (uint16_t)(joint / 4 > LONG_WALK_LEAST ? joint / 4 : joint < LONG_WALK_LEAST ? joint : LONG_WALK_LEAST);
	p->joint_deep_depth = p->joint_depth;
	p->short_depth = (uint8_t)(joint / 8 > SHORT_WALK_LEAST ? joint / 8 : SHORT_WALK_LEAST);
	p->short_least_depth = p->short_depth;
	p->again_least_depth = (uint8_t)p->joint_again_depth;
	p->again_digits_depth = p->again_least_depth;
	if (nice_bytes < NICE_MIN_BYTES)
		nice_bytes = NICE_MIN_BYTES;
	if (nice_bytes > MATCH_MAX_BYTES)
		nice_bytes = MATCH_MAX_BYTES;
	p->nice_bytes = (uint16_t)nice_bytes;
}
