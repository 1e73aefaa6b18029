/* SPDX-License-Identifier: Zlib */
/* code_header.h - the part of a dynamic block that describes its two codes (RFC 1951 3.2.7). */
#ifndef ZW_DEFLATE_CODE_HEADER_H
#define ZW_DEFLATE_CODE_HEADER_H

#include "base/rfc.h"
#include "deflate/bit_writer.h"
#include "deflate/code_lengths.h"

#include <stdint.h>

#define HEADER_COUNTS_BITS    14u            /* HLIT, HDIST, HCLEN */
#define HEADER_MAX_ITEMS      (LITLEN_SYMBOL_COUNT + DIST_SYMBOL_COUNT)

/* An item that covers k lengths takes at most PRECODE_MAX_BITS * k bits, so a header is longest when every length is an
 * item of its own. */
#define HEADER_MAX_BITS (HEADER_COUNTS_BITS + 3u * PRECODE_SYMBOL_COUNT + PRECODE_MAX_BITS * HEADER_MAX_ITEMS)

struct zw_code_header {
	struct zw_code precode;
	uint16_t items[HEADER_MAX_ITEMS + 4];    /* precode symbol in bits 0..4, its extra bits above */
	unsigned item_count;
	unsigned litlen_count, dist_count, precode_count; /* lengths sent of each code: HLIT + 257, HDIST + 1, HCLEN + 4 */
	unsigned cost_bits;                      /* exact, without the block's own 3 bits */
};

/* Prepares the header for a litlen and a distance code. */
void zw_code_header_make(struct zw_code_header *h, const struct zw_code *litlen, const struct zw_code *dist);

/* Writes it: h->cost_bits bits, and BIT_WRITER_SLACK_BYTES may be touched behind them. */
void zw_code_header_write(const struct zw_code_header *h, struct zw_bit_writer *bw);

/* A header that is written already. */
struct zw_written_header {
	unsigned bits;                           /* exact, without the block's own 3 */
	uint8_t  bytes[HEADER_MAX_BITS / 8 + 1 + BIT_WRITER_SLACK_BYTES];
};

/* Makes and writes a header in one pass: a few bits longer than the two above, in half of the time. */
void zw_header_write_once(struct zw_written_header *h, const struct zw_code *litlen, const struct zw_code *dist);

/* Appends it: h->bits bits, and BIT_WRITER_SLACK_BYTES may be touched behind them. */
void zw_header_put_written(const struct zw_written_header *h, struct zw_bit_writer *bw);

#endif
