/* SPDX-License-Identifier: Zlib */
/* gzip_write.h - gzip header and trailer (RFC 1952 2.3), written resumably. */
#ifndef ZW_WRAP_GZIP_WRITE_H
#define ZW_WRAP_GZIP_WRITE_H

#include "base/rfc.h"
#include "base/span.h"
#include "cpu/kernels.h"

#include <stdbool.h>
#include <stdint.h>

/* What goes into the header.  The pointers stay the caller's and must be valid until the header is complete. */
struct zw_gzip_fields {
	uint32_t time;                           /* MTIME, seconds since 1970; 0: none */
	uint8_t  os;
	bool     text;                           /* FTEXT */
	bool     header_crc;                     /* FHCRC */
	const uint8_t *extra;                    /* NULL: no FEXTRA */
	uint32_t extra_bytes;                    /* 0..65535: the low 16 bits count */
	const uint8_t *name, *comment;           /* zero-terminated; NULL: absent */
};

enum zw_gzip_write_mode { GZIP_WRITE_FIXED, GZIP_WRITE_EXTRA, GZIP_WRITE_NAME, GZIP_WRITE_COMMENT, GZIP_WRITE_CRC, GZIP_WRITE_DONE };

struct zw_gzip_writer {
	uint8_t  mode;                           /* enum zw_gzip_write_mode */
	uint32_t written;                        /* bytes of the current part that are out */
	uint32_t crc;                            /* of the header so far */
};

/* Writes as much of the header as fits; true when it is complete.  xfl: RFC 1952's extra flags.  The fields must not
 * change between the calls for one header. */
bool zw_gzip_write_header(struct zw_gzip_writer *g, const struct zw_gzip_fields *f, uint8_t xfl,
			  const struct zw_kernels *kernels, struct zw_out *out);

/* CRC-32 and length modulo 2^32, as they end a member. */
void zw_gzip_trailer(uint8_t trailer[GZIP_TRAILER_BYTES], uint32_t crc, uint64_t total_bytes);

#endif
