/* SPDX-License-Identifier: Zlib */
/* gzip_read.c - reads a gzip header, one field a state, each state one function.
 * Takes: bytes behind the magic.  Gives: fields for a curious caller.  Then: the first block.
 * Never: keeps a name, allocates, writes more of a field than the caller has room for. */
#include "wrap/gzip_read.h"

#include "base/bytes.h"
#include "base/check.h"

void zw_gzip_read_begin(struct zw_gzip_reader *g, bool check)
{
	*g = (struct zw_gzip_reader){ .mode = ZW_GZIP_METHOD, .check = check };
}

/* Moves input into held[] until it has want bytes; true when it has. */
static bool hold_bytes(struct zw_gzip_reader *g, struct zw_in *in, unsigned want)
{
	ZW_ASSERT(want <= ZW_GZIP_HELD_BYTES && g->held_bytes <= want);
	g->held_bytes = (uint8_t)(g->held_bytes + zw_in_take(in, g->held + g->held_bytes, want - g->held_bytes));
	return g->held_bytes == want;
}

static bool has_crc(const struct zw_gzip_reader *g)
{
	return (g->flags & GZIP_FLAG_HEADER_CRC) && g->check;
}

/* The held field is done with: into the CRC, and room for the next one. */
static void release_held(struct zw_gzip_reader *g, const struct zw_kernels *kernels)
{
	if (has_crc(g))
		g->crc = kernels->crc32(g->crc, g->held, g->held_bytes);
	g->held_bytes = 0;
}

static enum zw_step bad_header(struct zw_gzip_reader *g, enum zw_gzip_error error)
{
	g->error = (uint8_t)error;
	return ZW_STEP_BAD;
}

static enum zw_step read_method(struct zw_gzip_reader *g, struct zw_in *in, gz_header *header, const struct zw_kernels *kernels)
{
	static const uint8_t magic[2] = { GZIP_MAGIC_1, GZIP_MAGIC_2 };

	if (!hold_bytes(g, in, 2))
		return ZW_STEP_NEED_INPUT;
	g->crc = kernels->crc32(0, magic, sizeof magic); /* KEEP-STOCK: also while nothing is checked, which may change */
	if (g->held[0] != ZLIB_METHOD_DEFLATE)
		return bad_header(g, ZW_GZIP_BAD_METHOD);
	if (g->held[1] & GZIP_FLAG_RESERVED)
		return bad_header(g, ZW_GZIP_BAD_FLAGS);
	g->flags = g->held[1];
	if (header)
		header->text = g->flags & GZIP_FLAG_TEXT;
	release_held(g, kernels);
	g->mode = ZW_GZIP_TIME;
	return ZW_STEP_GO;
}

static enum zw_step read_time(struct zw_gzip_reader *g, struct zw_in *in, gz_header *header, const struct zw_kernels *kernels)
{
	if (!hold_bytes(g, in, 4))
		return ZW_STEP_NEED_INPUT;
	if (header)
		header->time = zw_load_le32(g->held);
	release_held(g, kernels);
	g->mode = ZW_GZIP_SYSTEM;
	return ZW_STEP_GO;
}

static enum zw_step read_system(struct zw_gzip_reader *g, struct zw_in *in, gz_header *header, const struct zw_kernels *kernels)
{
	if (!hold_bytes(g, in, 2))
		return ZW_STEP_NEED_INPUT;
	if (header) {
		header->xflags = g->held[0];
		header->os = g->held[1];
	}
	release_held(g, kernels);
	g->mode = ZW_GZIP_EXTRA_LEN;
	return ZW_STEP_GO;
}

static enum zw_step read_extra_len(struct zw_gzip_reader *g, struct zw_in *in, gz_header *header, const struct zw_kernels *kernels)
{
	g->extra_bytes = g->extra_left = 0;
	if (g->flags & GZIP_FLAG_EXTRA) {
		if (!hold_bytes(g, in, 2))
			return ZW_STEP_NEED_INPUT;
		g->extra_bytes = g->extra_left = zw_load_le16(g->held);
		if (header)
			header->extra_len = g->extra_bytes;
		release_held(g, kernels);
	} else if (header) {
		header->extra = Z_NULL;
	}
	g->mode = ZW_GZIP_EXTRA;
	return ZW_STEP_GO;
}

static enum zw_step read_extra(struct zw_gzip_reader *g, struct zw_in *in, gz_header *header, const struct zw_kernels *kernels)
{
	size_t take = in->left_bytes < g->extra_left ? in->left_bytes : g->extra_left;

	if (take) {
		uint32_t done = (uint32_t)g->extra_bytes - g->extra_left;

		if (header && header->extra && done < header->extra_max) { /* any piece may be the one that fills it */
			size_t room = header->extra_max - done;

			memcpy(header->extra + done, in->next, take < room ? take : room);
		}
		if (has_crc(g))
			g->crc = kernels->crc32(g->crc, in->next, take);
		in->next += take;
		in->left_bytes -= take;
		g->extra_left = (uint16_t)(g->extra_left - take);
	}
	if (g->extra_left)
		return ZW_STEP_NEED_INPUT;
	g->stored_bytes = 0;
	g->mode = ZW_GZIP_NAME;
	return ZW_STEP_GO;
}

/* A zero-terminated field; to receives at most max bytes of it, the zero included. */
static enum zw_step read_text(struct zw_gzip_reader *g, struct zw_in *in, uint8_t *to, uint32_t max, const struct zw_kernels *kernels)
{
	const uint8_t *zero;
	size_t take, room;

	if (!in->left_bytes)
		return ZW_STEP_NEED_INPUT;
	zero = memchr(in->next, 0, in->left_bytes);
	take = zero ? (size_t)(zero - in->next) + 1 : in->left_bytes;
	room = max - g->stored_bytes;
	if (to && g->stored_bytes < max) {
		size_t n = take < room ? take : room;

		memcpy(to + g->stored_bytes, in->next, n);
		g->stored_bytes += (uint32_t)n;
	}
	if (has_crc(g))
		g->crc = kernels->crc32(g->crc, in->next, take);
	in->next += take;
	in->left_bytes -= take;
	return zero ? ZW_STEP_GO : ZW_STEP_NEED_INPUT;
}

static enum zw_step read_name(struct zw_gzip_reader *g, struct zw_in *in, gz_header *header, const struct zw_kernels *kernels)
{
	if (g->flags & GZIP_FLAG_NAME) {
		enum zw_step step = read_text(g, in, header ? header->name : NULL, header ? header->name_max : 0, kernels);

		if (step != ZW_STEP_GO)
			return step;
	} else if (header) {
		header->name = Z_NULL;
	}
	g->stored_bytes = 0;
	g->mode = ZW_GZIP_COMMENT;
	return ZW_STEP_GO;
}

static enum zw_step read_comment(struct zw_gzip_reader *g, struct zw_in *in, gz_header *header, const struct zw_kernels *kernels)
{
	if (g->flags & GZIP_FLAG_COMMENT) {
		enum zw_step step = read_text(g, in, header ? header->comment : NULL, header ? header->comm_max : 0, kernels);

		if (step != ZW_STEP_GO)
			return step;
	} else if (header) {
		header->comment = Z_NULL;
	}
	g->mode = ZW_GZIP_CRC;
	return ZW_STEP_GO;
}

static enum zw_step read_crc(struct zw_gzip_reader *g, struct zw_in *in, gz_header *header)
{
	if (g->flags & GZIP_FLAG_HEADER_CRC) {
		if (!hold_bytes(g, in, 2))
			return ZW_STEP_NEED_INPUT;
		if (g->check && zw_load_le16(g->held) != (g->crc & 0xffff))
			return bad_header(g, ZW_GZIP_BAD_CRC);
		g->held_bytes = 0;
	}
	if (header) {
		header->hcrc = (g->flags & GZIP_FLAG_HEADER_CRC) != 0;
		header->done = 1;
	}
	g->mode = ZW_GZIP_END;
	return ZW_STEP_GO;
}

/* The header that nearly every response has: no optional field, in one piece, and nobody wants to see it.  True: it is taken. */
static bool read_plain(struct zw_gzip_reader *g, struct zw_in *in, const gz_header *header)
{
	if (g->mode != ZW_GZIP_METHOD || g->held_bytes || header || in->left_bytes < 8)
		return false;
	if (in->next[0] != ZLIB_METHOD_DEFLATE || in->next[1] != 0)
		return false;
	g->flags = 0;
	g->mode = ZW_GZIP_END;
	in->next += 8;
	in->left_bytes -= 8;
	return true;
}

enum zw_step zw_gzip_read_header(struct zw_gzip_reader *g, struct zw_in *in, gz_header *header, const struct zw_kernels *kernels)
{
	enum zw_step step = ZW_STEP_GO;

	if (ZW_LIKELY(read_plain(g, in, header)))
		return ZW_STEP_DONE;
	while (step == ZW_STEP_GO) {
		switch ((enum zw_gzip_mode)g->mode) {
		case ZW_GZIP_METHOD:    step = read_method(g, in, header, kernels);    break;
		case ZW_GZIP_TIME:      step = read_time(g, in, header, kernels);      break;
		case ZW_GZIP_SYSTEM:    step = read_system(g, in, header, kernels);    break;
		case ZW_GZIP_EXTRA_LEN: step = read_extra_len(g, in, header, kernels); break;
		case ZW_GZIP_EXTRA:     step = read_extra(g, in, header, kernels);     break;
		case ZW_GZIP_NAME:      step = read_name(g, in, header, kernels);      break;
		case ZW_GZIP_COMMENT:   step = read_comment(g, in, header, kernels);   break;
		case ZW_GZIP_CRC:       step = read_crc(g, in, header);                break;
		case ZW_GZIP_END:       step = ZW_STEP_DONE;                           break;
		}
	}
	return step;
}
