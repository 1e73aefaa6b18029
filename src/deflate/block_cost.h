/* SPDX-License-Identifier: Zlib */
/* block_cost.h - histogram in, code lengths and exact cost out: which kind of block is cheapest. */
#ifndef ZW_DEFLATE_BLOCK_COST_H
#define ZW_DEFLATE_BLOCK_COST_H

#include "deflate/code_header.h"
#include "deflate/code_lengths.h"
#include "deflate/tokens.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Which codes a block may have. */
enum zw_block_codes {
	CODES_BEST,                              /* the fixed ones, or its own as short as they can be */
	CODES_QUICK,                             /* the fixed ones, or its own a little longer, made in less time (M46) */
	CODES_FIXED                              /* the caller asked for Z_FIXED */
};

/* What a block would be and cost.  About 4 KB, built on the caller's stack; the writer's begin consumes it. */
struct zw_block_plan {
	uint64_t cost_bits;                      /* exact, with the 3 header bits and the end-of-block */
	unsigned type;                           /* BLOCK_FIXED or BLOCK_DYNAMIC, whichever is shorter */
	struct zw_code litlen, dist;             /* BLOCK_FIXED: only their used symbols count */
	bool     header_written;                 /* BLOCK_DYNAMIC only: it is in written, otherwise in header */
	struct zw_code_header header;
	struct zw_written_header written;
};

/* Fills plan for token_count <= BLOCK_MAX_TOKENS tokens counted in freq, each index at most CODE_COUNT_MAX times (parsers
 * fill PARSE_SPARE_TOKENS of a block with no pairs). */
void zw_block_plan_make(struct zw_block_plan *plan, const struct zw_histogram *freq, uint32_t token_count, enum zw_block_codes codes);

/* Exact bits of a fixed-code block with this histogram, header and end-of-block included. */
uint64_t zw_block_fixed_bits(const struct zw_histogram *freq);

/* Exact bits of the stored blocks for raw_bytes behind hold_bits (0..7) bits that are not yet a byte: padding included. */
uint64_t zw_block_stored_bits(size_t raw_bytes, unsigned hold_bits);

#endif
