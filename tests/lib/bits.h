/* SPDX-License-Identifier: Zlib */
/* bits.h - DEFLATE written by hand, bit by bit, so that a test can say exactly what a stream contains.
 * Nothing here checks that the stream is valid: most tests want one that is not. */
#ifndef TESTS_LIB_BITS_H
#define TESTS_LIB_BITS_H

#include "base/rfc.h"
#include "lib/bytes_buffer.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bits {
	struct test_bytes bytes;                 /* whole bytes so far */
	unsigned hold;                           /* bits that do not fill a byte yet, the first one lowest */
	unsigned hold_count;                     /* 0..7 */
};

/* The codewords of a canonical Huffman code, most significant bit first as in RFC 1951 3.2.2. */
struct bits_code {
	uint16_t word[LITLEN_CODE_COUNT];
	uint8_t  len_bits[LITLEN_CODE_COUNT];
	unsigned symbol_count;
};

void bits_put(struct bits *b, uint32_t value, unsigned count);        /* lowest bit first */
void bits_put_word(struct bits *b, uint32_t word, unsigned count);    /* highest bit first: Huffman codewords */
void bits_align(struct bits *b);                                      /* zero bits up to a byte */
void bits_put_bytes(struct bits *b, const void *from, size_t len_bytes);

/* Pads the last byte with zero bits; the result stays owned by b. */
struct test_bytes *bits_end(struct bits *b);
void bits_free(struct bits *b);

/* Builds codewords from lengths; an over-subscribed set gives words that collide. */
void bits_make_code(struct bits_code *c, const uint8_t *lens, unsigned symbol_count);
void bits_make_fixed_litlen(struct bits_code *c);
void bits_make_fixed_dist(struct bits_code *c);
void bits_put_symbol(struct bits *b, const struct bits_code *c, unsigned symbol);

void bits_put_block_start(struct bits *b, bool last, unsigned type);
void bits_put_stored(struct bits *b, bool last, const void *from, uint16_t len_bytes);

/* A dynamic block's header with every code length written out (no repeat codes): the precode gives all 16 lengths
 * 4 bits each.  counts are written as they are, in range or not: hlit = litlen_count - 257, hdist = dist_count - 1. */
void bits_put_dynamic_header(struct bits *b, bool last, const uint8_t *litlen_lens, unsigned litlen_count,
			     const uint8_t *dist_lens, unsigned dist_count);

/* A match, with the symbols and extra bits for length 3..258 and distance 1..32768. */
void bits_put_match(struct bits *b, const struct bits_code *litlen, const struct bits_code *dist, unsigned len,
		    unsigned distance);

void bits_put_zlib_header(struct bits *b, unsigned window_log2, bool dictionary);
void bits_put_gzip_header(struct bits *b, uint8_t flags);             /* the ten fixed bytes */
void bits_put_le32(struct bits *b, uint32_t value);                   /* aligns first */
void bits_put_be32(struct bits *b, uint32_t value);                   /* aligns first */

/* Check values, a bit or a byte at a time. */
uint32_t bits_crc32(uint32_t crc, const uint8_t *p, size_t len_bytes);
uint32_t bits_adler32(uint32_t adler, const uint8_t *p, size_t len_bytes);

#endif
