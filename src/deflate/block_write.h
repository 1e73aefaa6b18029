/* SPDX-License-Identifier: Zlib */
/* block_write.h - one DEFLATE block at a time, from a plan or from raw bytes, resumably into the caller's buffer.
 *
 * A block is begun, which prepares its code tables and stages its header, and then emitted by any number of calls.
 * Between blocks up to 7 bits stay in the bit buffer. */
#ifndef ZW_DEFLATE_BLOCK_WRITE_H
#define ZW_DEFLATE_BLOCK_WRITE_H

#include "base/span.h"
#include "deflate/tokens.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WRITER_STAGE_BYTES 640u              /* wrapper bytes and the longest block header, or the last tokens before a full
                                              * buffer */

enum zw_writer_phase {                       /* waits for: room in out, and then */
	WRITER_IDLE,                             /* nothing: no block is open, though its last bytes may still be staged */
	WRITER_TOKENS,                           /* encodes tokens [token_next, token_end) and the end-of-block */
	WRITER_STORED                            /* copies raw */
};

/* See block_tables.h. */
struct zw_second_entry { uint32_t word, counts; };

struct zw_block_writer {
	uint64_t hold;                           /* bits not yet in a byte, the next one lowest */
	unsigned hold_bits;                      /* 0..7 whenever no call is running */
	enum zw_writer_phase phase;
	bool     last;                           /* BFINAL */
	bool     wide;                           /* the CPU has BMI2 (match_finder.h); changes speed only */
	uint8_t  aligned_used_bits;              /* of the byte that the last padding completed: 1..8; 0: none yet */
	uint64_t block_bits;                     /* compressed: what the plan promised less what is encoded so far */

	uint16_t staged_next, staged_end;        /* stage[next..end) goes out before anything else */

	const uint32_t *tokens;                  /* compressed: [token_next, token_end) are still to be encoded */
	uint32_t token_next, token_end;
	uint32_t end_code, end_code_bits;        /* the end-of-block code */

	const uint8_t *raw;                      /* stored: bytes still to copy ... */
	size_t   raw_bytes;
	uint32_t piece_bytes;                    /* ... of which this many belong to the block whose header is out */

	uint32_t litlen_entry[TOKEN_INDEX_COUNT]; /* by litlen index; see block_tables.h */
	struct zw_second_entry second_entry[TOKEN_SECOND_LITERAL + 256]; /* by second index */
	uint8_t  stage[WRITER_STAGE_BYTES];
};

/* What a block would cost.  Built on the caller's stack from a histogram; begin consumes it. */
struct zw_block_plan;

/* An idle writer with an empty bit buffer.  wide: zw_match_finder.wide. */
void zw_writer_reset(struct zw_block_writer *w, bool wide);

/* True when no block and no staged byte is left; up to 7 bits may be. */
bool zw_writer_idle(const struct zw_block_writer *w);

/* Bytes staged but not yet handed to the caller. */
ZW_INLINE unsigned zw_writer_staged_bytes(const struct zw_block_writer *w) { return (unsigned)(w->staged_end - w->staged_next); }

/* Bytes that may still be staged while no block is open; a block can be begun as long as this is not 0. */
unsigned zw_writer_room_bytes(const struct zw_block_writer *w);

/* The next three need a writer without an open block (WRITER_IDLE); what was staged before stays in front. */

/* Appends bits (count 0..32, the bits above are 0); whole bytes are staged. */
void zw_writer_put_bits(struct zw_block_writer *w, uint32_t bits, unsigned count);

/* Pads with zero bits up to a byte boundary. */
void zw_writer_align(struct zw_block_writer *w);

/* Stages n bytes (n <= 64) behind an aligned writer: trailers and short headers. */
void zw_writer_put_bytes(struct zw_block_writer *w, const uint8_t *bytes, size_t n);

/* Both begins need a writer without an open block too. */

/* Begins a stored block, or several when raw_bytes > STORED_MAX_BYTES; 0 gives the empty block of a sync flush.
 * raw must stay valid until the writer is idle. */
void zw_writer_begin_stored(struct zw_block_writer *w, const uint8_t *raw, size_t raw_bytes, bool last);

/* Begins the block that plan describes: tokens[0..count) must be the ones that its histogram counted, and stay valid
 * until the writer is idle.  The histogram and the plan are not needed afterwards. */
void zw_writer_begin_planned(struct zw_block_writer *w, const struct zw_block_plan *plan, const uint32_t *tokens,
			     uint32_t count, bool last);

/* Writes as much as fits; true when the writer is idle.  A last block is padded to a byte. */
bool zw_writer_emit(struct zw_block_writer *w, struct zw_out *out);

#endif
