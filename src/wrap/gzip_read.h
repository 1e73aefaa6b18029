/* SPDX-License-Identifier: Zlib */
/* gzip_read.h - the header of a gzip member (RFC 1952 2.3), in pieces of any size, after its two magic bytes. */
#ifndef ZW_WRAP_GZIP_READ_H
#define ZW_WRAP_GZIP_READ_H

#include "base/result.h"
#include "base/rfc.h"
#include "base/span.h"

#include "cpu/kernels.h"

#include "zlib.h"                            /* gz_header: where the caller wants the fields */

#include <stdbool.h>

enum zw_gzip_mode {       /* waits for                              then        */
	ZW_GZIP_METHOD,       /* in: method and flags                   TIME        */
	ZW_GZIP_TIME,         /* in: time                               SYSTEM      */
	ZW_GZIP_SYSTEM,       /* in: extra flags and system             EXTRA_LEN   */
	ZW_GZIP_EXTRA_LEN,    /* in: 2 bytes if FEXTRA                  EXTRA       */
	ZW_GZIP_EXTRA,        /* in: extra_left bytes                   NAME        */
	ZW_GZIP_NAME,         /* in: through a zero byte if FNAME       COMMENT     */
	ZW_GZIP_COMMENT,      /* in: through a zero byte if FCOMMENT    CRC         */
	ZW_GZIP_CRC,          /* in: 2 bytes if FHCRC                   END         */
	ZW_GZIP_END           /* nothing: the header is complete                    */
};

enum zw_gzip_error { ZW_GZIP_GOOD, ZW_GZIP_BAD_METHOD, ZW_GZIP_BAD_FLAGS, ZW_GZIP_BAD_CRC };

#define ZW_GZIP_HELD_BYTES 4                 /* the longest field that must be whole: the time */

struct zw_gzip_reader {
	uint8_t  mode;                           /* enum zw_gzip_mode */
	uint8_t  error;                          /* enum zw_gzip_error, after ZW_STEP_BAD */
	uint8_t  flags;
	uint8_t  held_bytes;                     /* valid bytes of held[] */
	uint8_t  held[ZW_GZIP_HELD_BYTES];
	uint16_t extra_bytes;
	uint16_t extra_left;
	bool     check;                          /* compare the header's CRC */
	uint32_t stored_bytes;                   /* of the name or comment, in the caller's buffer */
	uint32_t crc;                            /* of the magic bytes; goes on where the header has a CRC to compare */
};

/* check: compare the header's CRC, if it has one. */
void zw_gzip_read_begin(struct zw_gzip_reader *g, bool check);

/* Takes what it needs from in.  header may be NULL; its extra, name and comment receive at most their maxima.
 * ZW_STEP_DONE: complete.  ZW_STEP_NEED_INPUT: all of in was taken.  ZW_STEP_BAD: g->error says why. */
enum zw_step zw_gzip_read_header(struct zw_gzip_reader *g, struct zw_in *in, gz_header *header, const struct zw_kernels *kernels);

#endif
