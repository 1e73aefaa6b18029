/* SPDX-License-Identifier: Zlib */
/* ref_inflate.h - a slow, obvious inflate written from RFC 1951 alone: one bit at a time, codes found by searching.
 * It shares nothing with src/, so the two cannot be wrong in the same way. */
#ifndef TESTS_LIB_REF_INFLATE_H
#define TESTS_LIB_REF_INFLATE_H

#include <stddef.h>
#include <stdint.h>

enum ref_result {
	REF_DONE,                                /* the last block has ended */
	REF_TRUNCATED,                           /* the input ended first */
	REF_NO_ROOM,                             /* the output is longer than out_bytes */
	REF_BLOCK_TYPE,                          /* type 3 */
	REF_STORED_LENGTHS,                      /* LEN and NLEN do not match */
	REF_TOO_MANY_SYMBOLS,                    /* more than 286 or 30 lengths */
	REF_PRECODE_SET,                         /* the code of the code lengths is not complete */
	REF_REPEAT,                              /* a repeat of nothing, or past the end */
	REF_NO_END_OF_BLOCK,                     /* symbol 256 has no code */
	REF_LITLEN_SET,                          /* over-subscribed, or incomplete and more than one code */
	REF_DIST_SET,
	REF_LITLEN_SYMBOL,                       /* a codeword that stands for nothing, or 286, 287 */
	REF_DIST_SYMBOL,                         /* the same, or 30, 31 */
	REF_TOO_FAR                              /* a distance beyond the first byte */
};

struct ref_output {
	enum ref_result result;
	size_t out_bytes;                        /* valid bytes of out, errors included */
	size_t in_bits;                          /* bits read, to the end of the last block or of the error */
};

/* Decodes raw DEFLATE from in into out.  history (may be NULL) are the bytes before out, as a dictionary gives them. */
struct ref_output ref_inflate(const uint8_t *in, size_t in_bytes, const uint8_t *history, size_t history_bytes,
			      uint8_t *out, size_t out_bytes);

/* zlib's message for a result that is bad data, else NULL. */
const char *ref_message(enum ref_result result);

#endif
