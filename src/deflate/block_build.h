/* SPDX-License-Identifier: Zlib */
/* block_build.h - decides what the blocks are: which bytes are parsed, where a block ends, whether it is stored.
 *
 *                                              window.parsed        window.end
 *    | run_bytes: stored | block_bytes: tokens  | not looked at yet  |
 *
 * A stored run is kept open while blocks that do not shrink follow each other, so that they cost one header together;
 * it is written when something compressible follows, at a flush, or before its bytes leave the window. */
#ifndef ZW_DEFLATE_BLOCK_BUILD_H
#define ZW_DEFLATE_BLOCK_BUILD_H

#include "deflate/block_write.h"
#include "deflate/input_window.h"
#include "deflate/match_finder.h"
#include "deflate/tokens.h"

#include <stdbool.h>
#include <stdint.h>

#define SEGMENT_BYTES 4096u                  /* parsed at a time; what is recognised as incompressible */

enum zw_closing { CLOSE_NOTHING, CLOSE_BLOCK, CLOSE_SPLIT, CLOSE_RUN };
enum zw_data_kind { DATA_UNKNOWN, DATA_BINARY, DATA_TEXT };

/* Both lengths end where the next part begins, so sliding the window changes neither. */
struct zw_block_builder {
	uint64_t block_bytes;                    /* covered by the tokens; may reach back beyond the window's start */
	uint32_t run_bytes;                      /* the open stored run in front of them */
	uint32_t raw_ahead;                      /* bytes behind parsed that are known to be incompressible */
	bool     any_block;                      /* something was written since the stream or the last flush began */
	bool     storing;                        /* the last segment was incompressible: probe before parsing */
	bool     last_written;                   /* the final block is in the writer or out */
	uint8_t  closing;                        /* enum zw_closing: what must be written before parsing goes on */
	uint8_t  data_kind;                      /* enum zw_data_kind, from the first block's literals */

	uint32_t moved_from;                     /* tokens from here on belong to the next block; 0: none do */
	uint32_t snapshot_count;                 /* tokens at the last look at the split test; 0: no look yet */
	uint64_t snapshot_bytes;                 /* bytes that those tokens cover */
	struct zw_histogram snapshot;            /* and their counts */
};

/* What block_build works on: parts of one stream. */
struct zw_block_parts {
	struct zw_block_builder *builder;
	struct zw_input_window  *window;
	struct zw_match_finder  *match;
	struct zw_tokens        *tokens;
	struct zw_block_writer  *writer;
	bool fixed_only;                         /* Z_FIXED */
};

void zw_blocks_reset(const struct zw_block_parts *p);

/* True when nothing waits: no token, no open run, no unparsed byte. */
bool zw_blocks_empty(const struct zw_block_parts *p);

/* One step of work for an idle writer.  all: parse everything (a flush or the end follows); otherwise leave what later
 * bytes could change.  whole: no byte follows what the window holds, and none came before it.
 * Returns false when there is nothing left to do for this goal; after true the writer may be busy. */
bool zw_blocks_step(const struct zw_block_parts *p, bool all, bool whole);

/* Makes room in a full window after zw_blocks_step() returned false.  False: a block had to be closed first, step again. */
bool zw_blocks_slide(const struct zw_block_parts *p);

/* Writes what waits, for a flush.  last: with BFINAL, even if nothing waits.  Returns false when all has been begun;
 * after true the writer may be busy: emit, then call again. */
bool zw_blocks_finish(const struct zw_block_parts *p, bool last);

#endif
