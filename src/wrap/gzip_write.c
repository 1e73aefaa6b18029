/* SPDX-License-Identifier: Zlib */
/* gzip_write.c - writes a gzip header piece by piece, and the trailer.
 * Takes: the caller's fields.  Gives: bytes in next_out.  Then: deflate_stream.c
 * Never: keeps a copy of a field; allocates. */
#include "wrap/gzip_write.h"

#include "base/bytes.h"

#include <string.h>

/* Writes from part[written..part_bytes) on; true when the part is complete, and the next one starts at 0. */
static bool put_part(struct zw_gzip_writer *g, const uint8_t *part, size_t part_bytes, const struct zw_kernels *kernels,
		     struct zw_out *out)
{
	size_t n = zw_out_put(out, part + g->written, part_bytes - g->written);

	g->crc = kernels->crc32(g->crc, part + g->written, n);
	g->written += (uint32_t)n;
	if (g->written < part_bytes)
		return false;
	g->written = 0;
	g->mode++;
	return true;
}

/* A zero-terminated string, its zero included; nothing when there is none. */
static bool put_string(struct zw_gzip_writer *g, const uint8_t *s, const struct zw_kernels *kernels, struct zw_out *out)
{
	if (!s) {
		g->mode++;
		return true;
	}
	return put_part(g, s, strlen((const char *)s) + 1, kernels, out);
}

/* The ten fixed bytes, and XLEN where there is an extra field. */
static bool put_fixed(struct zw_gzip_writer *g, const struct zw_gzip_fields *f, uint8_t xfl,
		      const struct zw_kernels *kernels, struct zw_out *out)
{
	uint8_t fixed[GZIP_HEADER_BYTES + 2] = { GZIP_MAGIC_1, GZIP_MAGIC_2, ZLIB_METHOD_DEFLATE };
	size_t  n = GZIP_HEADER_BYTES;

	if (g->written == 0)
		g->crc = 0;
	fixed[3] = (uint8_t)((f->text ? GZIP_FLAG_TEXT : 0) | (f->header_crc ? GZIP_FLAG_HEADER_CRC : 0) |
			     (f->extra ? GZIP_FLAG_EXTRA : 0) | (f->name ? GZIP_FLAG_NAME : 0) |
			     (f->comment ? GZIP_FLAG_COMMENT : 0));
	zw_store_le32(fixed + 4, f->time);
	fixed[8] = xfl;
	fixed[9] = f->os;
	if (f->extra) {
		zw_store_le16(fixed + GZIP_HEADER_BYTES, (uint16_t)f->extra_bytes);
		n += 2;
	}
	return put_part(g, fixed, n, kernels, out);
}

static bool put_crc(struct zw_gzip_writer *g, const struct zw_gzip_fields *f, const struct zw_kernels *kernels, struct zw_out *out)
{
	uint8_t  bytes[2];
	uint32_t crc = g->crc;
	bool     done;

	if (!f->header_crc) {
		g->mode++;
		return true;
	}
	zw_store_le16(bytes, (uint16_t)crc);
	done = put_part(g, bytes, sizeof bytes, kernels, out);
	g->crc = crc;                            /* the CRC does not cover itself, however often this is called */
	return done;
}

bool zw_gzip_write_header(struct zw_gzip_writer *g, const struct zw_gzip_fields *f, uint8_t xfl,
			  const struct zw_kernels *kernels, struct zw_out *out)
{
	bool go = true;

	while (go) {
		switch ((enum zw_gzip_write_mode)g->mode) {
		case GZIP_WRITE_FIXED:
			go = put_fixed(g, f, xfl, kernels, out);
			break;
		case GZIP_WRITE_EXTRA:
			if (f->extra)
				go = put_part(g, f->extra, f->extra_bytes & 0xffff, kernels, out);
			else
				g->mode++;
			break;
		case GZIP_WRITE_NAME:
			go = put_string(g, f->name, kernels, out);
			break;
		case GZIP_WRITE_COMMENT:
			go = put_string(g, f->comment, kernels, out);
			break;
		case GZIP_WRITE_CRC:
			go = put_crc(g, f, kernels, out);
			break;
		case GZIP_WRITE_DONE:
			return true;
		}
	}
	return false;
}

void zw_gzip_trailer(uint8_t trailer[GZIP_TRAILER_BYTES], uint32_t crc, uint64_t total_bytes)
{
	zw_store_le32(trailer, crc);
	zw_store_le32(trailer + 4, (uint32_t)total_bytes);
}
