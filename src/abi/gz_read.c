/* SPDX-License-Identifier: Zlib */
/* gz_read.c - gzip files: reading.
 *
 *   file -> in -> inflate() -> out -> caller        (a large request is decoded straight into the caller's buffer)
 *   file -> out -> caller                           (a file that is not gzip)
 *
 * An error in the data is reported when the good bytes before it have been taken. */
#include "abi/gz_read.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#undef gzgetc                                /* the function is defined here */

#define GZIP_LOOK_BYTES 4u                   /* magic number, method and flags */
#define DIRECT_MIN_BYTES 4096u               /* of a member: below, a call of inflate() costs more than a copy (M29) */

/* ---- from the file --------------------------------------------------------------------------------------------- */

/* Reads until room_bytes bytes are there, the file ends, or a non-blocking file stalls; false on a final error. */
static bool load(struct gz_state *g, uint8_t *to, size_t room_bytes, size_t *got_ret)
{
	size_t got = 0;
	bool good = true;

	while (got < room_bytes) {
		size_t  ask = room_bytes - got < GZ_IO_MAX_BYTES ? room_bytes - got : GZ_IO_MAX_BYTES;
		ssize_t n = read(g->fd, to + got, ask);

		if (n > 0) {
			got += (size_t)n;
			continue;
		}
		if (n == 0) {
			g->file_ended = true;
			break;
		}
		zw_gz_set_errno(g);
		good = g->stalled;
		break;
	}
	*got_ret = got;
	return good;
}

/* Moves what is left of in to its start and fills the rest from the file; false on a final error. */
static bool refill(struct gz_state *g)
{
	z_stream *s = &g->strm;
	size_t got;
	bool good;

	if (g->file_ended)
		return true;
	if (s->avail_in)
		memmove(g->in, s->next_in, s->avail_in);
	good = load(g, g->in + s->avail_in, g->buffer_bytes - s->avail_in, &got);
	s->next_in = g->in;
	s->avail_in += (uInt)got;
	return good;
}

/* Without out, if requests go around it, a file takes less than what malloc() keeps when all of it is freed (M44). */
static bool make_buffers(struct gz_state *g, bool with_out)
{
	if (g->buffer_bytes)
		return true;
	g->in = malloc(g->wanted_bytes);
	g->out = with_out ? malloc((size_t)g->wanted_bytes * 2) : NULL;
	g->strm.next_in = g->in;
	if (!g->in || (with_out && !g->out) || inflateInit2(&g->strm, GZ_WINDOW_BITS) != Z_OK) {
		free(g->in);
		free(g->out);
		g->in = g->out = NULL;
		zw_gz_set_error(g, Z_MEM_ERROR, NULL);
		return false;
	}
	g->buffer_bytes = g->wanted_bytes;
	return true;
}

/* For bytes that do not go straight to the caller. */
static bool make_out(struct gz_state *g)
{
	if (!g->out)
		g->out = malloc((size_t)g->buffer_bytes * 2);
	if (!g->out)
		zw_gz_set_error(g, Z_MEM_ERROR, NULL);
	return g->out != NULL;
}

/* ---- gzip or plain --------------------------------------------------------------------------------------------- */

/* How many of the first bytes, up to GZIP_LOOK_BYTES, are as in a gzip header: magic number, method 8, known flags. */
static unsigned gzip_prefix_bytes(const uint8_t *p, unsigned len_bytes)
{
	static const uint8_t fixed[] = { 0x1f, 0x8b, 8 };
	unsigned n = 0;

	while (n < len_bytes && n < sizeof fixed && p[n] == fixed[n])
		n++;
	return n == sizeof fixed && n < len_bytes && !(p[n] & 0xe0) ? GZIP_LOOK_BYTES : n;
}

/* At the start of a file only a whole header says gzip.  After a member anything else is garbage that is ignored, except
 * that a file which ends within the first bytes of a header was cut off; one byte is too few to tell. */
static bool is_member(const struct gz_state *g)
{
	unsigned have = g->strm.avail_in < GZIP_LOOK_BYTES ? g->strm.avail_in : GZIP_LOOK_BYTES;
	unsigned same = gzip_prefix_bytes(g->strm.next_in, have);

	if (same == GZIP_LOOK_BYTES || (g->gzip_only && !g->after_member))
		return true;
	return g->after_member && same == have && same >= 2;
}

/* Finds out what the next bytes of the file are; source stays unknown at the end of the file and when it stalls.
 * shown must be empty.  False: a final error has been set. */
static bool look(struct gz_state *g, bool with_out)
{
	z_stream *s = &g->strm;

	if (!make_buffers(g, with_out))
		return false;
	if (s->avail_in < GZIP_LOOK_BYTES && !refill(g))
		return false;
	if (g->stalled && s->avail_in < GZIP_LOOK_BYTES)
		return true;                         /* still unknown */
	if (g->gzip_only)
		g->plain = false;
	if (!s->avail_in && !(g->gzip_only && !g->after_member))
		return true;                         /* the end */
	if (is_member(g)) {
		inflateReset(s);
		g->source = GZ_SOURCE_MEMBER;
		g->plain = false;
		return true;
	}
	if (g->after_member) {
		s->avail_in = 0;
		g->file_ended = true;
		return true;
	}
	if (!make_out(g))
		return false;
	memcpy(g->out, s->next_in, s->avail_in);
	g->shown.next = g->out;
	g->shown.have = s->avail_in;
	s->avail_in = 0;
	g->source = GZ_SOURCE_PLAIN;
	g->plain = true;
	return true;
}

/* ---- decoding -------------------------------------------------------------------------------------------------- */

/* Remembers an error of inflate(), for now if there are no bytes before it; returns false in that case. */
static bool note_bad_member(struct gz_state *g, int code, const char *text, size_t bytes_before)
{
	if (!bytes_before) {
		zw_gz_set_error(g, code, text);
		return false;
	}
	g->later_error = code;
	g->later_text = text;
	return true;
}

/* Decodes up to room_bytes bytes of the current member.  False: a final error has been set and nothing was decoded.
 * Fewer bytes than there is room for: the member or the file has ended, or the file stalls. */
static bool decode(struct gz_state *g, uint8_t *to, uInt room_bytes, size_t *got_ret)
{
	z_stream *s = &g->strm;
	bool good = true;
	int result = Z_OK;

	s->next_out = to;
	s->avail_out = room_bytes;
	while (result == Z_OK && s->avail_out) {
		if (!s->avail_in && !refill(g)) {
			good = s->avail_out != room_bytes;
			break;
		}
		result = inflate(s, Z_NO_FLUSH);     /* without input it may still have bytes to give */
	}
	*got_ret = room_bytes - s->avail_out;
	switch (result) {
	case Z_OK:
		return good;
	case Z_STREAM_END:
		g->source = GZ_SOURCE_UNKNOWN;
		g->after_member = true;
		return true;
	case Z_BUF_ERROR:
		if (!g->stalled)
			zw_gz_set_error(g, Z_BUF_ERROR, "unexpected end of file");
		return true;
	case Z_MEM_ERROR:
		return note_bad_member(g, Z_MEM_ERROR, NULL, *got_ret);
	case Z_DATA_ERROR:
		return note_bad_member(g, Z_DATA_ERROR, s->msg ? s->msg : "compressed data error", *got_ret);
	default:
		return note_bad_member(g, Z_STREAM_ERROR, "internal error: inflate stream corrupt", *got_ret);
	}
}

/* Fills a buffer from the current source, which is known.  False: a final error, and no bytes. */
static bool give(struct gz_state *g, uint8_t *to, uInt room_bytes, size_t *got_ret)
{
	if (g->source == GZ_SOURCE_MEMBER)
		return decode(g, to, room_bytes, got_ret);
	return load(g, to, room_bytes, got_ret) || *got_ret;
}

/* Makes bytes visible in shown if it is empty; it stays empty at the end and in a stall.  False: a final error. */
static bool fetch(struct gz_state *g)
{
	while (!g->shown.have) {
		enum gz_source source = g->source;
		size_t got;

		if (g->later_error) {
			zw_gz_set_error(g, g->later_error, g->later_text);
			g->later_error = Z_OK;
			return false;
		}
		if (gz_failed(g))
			return false;
		if (source == GZ_SOURCE_UNKNOWN) {
			if (!look(g, true))
				return false;
			if (g->source == GZ_SOURCE_UNKNOWN)
				return true;
			continue;
		}
		if (!make_out(g) || !give(g, g->out, g->buffer_bytes * 2, &got))
			return false;
		g->shown.next = g->out;
		g->shown.have = (unsigned)got;
		if (!got && g->source == source)
			return true;
	}
	return true;
}

/* ---- to the caller --------------------------------------------------------------------------------------------- */

bool zw_gz_skip(struct gz_state *g)
{
	while (g->skip_pending && g->skip_bytes) {
		unsigned n = g->shown.have;

		if (!n) {
			if (!fetch(g))
				return false;
			if (!g->shown.have) {
				if (g->stalled)
					return false;
				break;                       /* the end: the position stays there */
			}
			continue;
		}
		if (n > g->skip_bytes)
			n = (unsigned)g->skip_bytes;
		g->shown.next += n;
		g->shown.have -= n;
		g->shown.pos += n;
		g->skip_bytes -= n;
	}
	g->skip_pending = false;
	return true;
}

/* Whether a request goes around out.  A file that is not gzip would be read in smaller pieces than buffer_bytes if it did so earlier. */
static bool goes_direct(const struct gz_state *g, size_t len_bytes)
{
	size_t enough = (size_t)g->buffer_bytes * 2;

	if (g->source == GZ_SOURCE_UNKNOWN || g->later_error || gz_failed(g))
		return false;
	return len_bytes >= enough || (g->source == GZ_SOURCE_MEMBER && len_bytes >= DIRECT_MIN_BYTES);
}

/* Reads up to len_bytes bytes.  Fewer: the end (past_end is set), a stall, or an error (it is set). */
static size_t read_bytes(struct gz_state *g, uint8_t *to, size_t len_bytes)
{
	size_t done = 0;

	zw_gz_forget_stall(g);
	if (!len_bytes || !zw_gz_skip(g))
		return 0;
	while (done < len_bytes) {
		size_t left = len_bytes - done, n = g->shown.have;

		if (n) {
			n = n < left ? n : left;
			memcpy(to + done, g->shown.next, n);
			g->shown.next += n;
			g->shown.have -= (unsigned)n;
		} else if (goes_direct(g, left)) {
			enum gz_source source = g->source;

			if (!give(g, to + done, left < GZ_IO_MAX_BYTES ? (uInt)left : GZ_IO_MAX_BYTES, &n))
				break;
			if (!n && g->source == source) {
				g->past_end = !g->stalled;
				break;
			}
		} else {
			/* what begins here goes around out if it is a member */
			bool asks_first = left >= DIRECT_MIN_BYTES && g->source == GZ_SOURCE_UNKNOWN && !g->later_error && !gz_failed(g);

			if (!(asks_first ? look(g, false) : fetch(g)))
				break;
			if (asks_first && g->source != GZ_SOURCE_UNKNOWN)
				continue;
			if (!g->shown.have) {
				g->past_end = !g->stalled;
				break;
			}
		}
		done += n;
		g->shown.pos += (z_off64_t)n;
	}
	return done;
}

int gzread(gzFile file, voidp buf, unsigned len)
{
	struct gz_state *g = zw_gz_reader(file);
	size_t got;

	if (!g || gz_failed(g))
		return -1;
	if (len > INT_MAX) {
		zw_gz_set_error(g, Z_STREAM_ERROR, "request does not fit in an int");
		return -1;
	}
	got = read_bytes(g, buf, len);
	if (!got && len && (gz_failed(g) || g->stalled))
		return -1;
	return (int)got;
}

z_size_t gzfread(voidp buf, z_size_t size, z_size_t nitems, gzFile file)
{
	struct gz_state *g = zw_gz_reader(file);

	if (!size || !g || gz_failed(g))
		return 0;
	if (nitems > (z_size_t)-1 / size) {
		zw_gz_set_error(g, Z_STREAM_ERROR, "request does not fit in a size_t");
		return 0;
	}
	return read_bytes(g, buf, size * nitems) / size;
}

int gzgetc(gzFile file)
{
	struct gz_state *g = zw_gz_reader(file);
	uint8_t byte;

	if (!g || gz_failed(g))
		return -1;
	return read_bytes(g, &byte, 1) == 1 ? byte : -1;
}

int gzgetc_(gzFile file)
{
	return (gzgetc)(file);
}

int gzungetc(int c, gzFile file)
{
	struct gz_state *g = zw_gz_reader(file);
	unsigned room_bytes;

	if (!g || c < 0)
		return -1;
	zw_gz_forget_stall(g);
	if (g->source == GZ_SOURCE_UNKNOWN && !g->shown.have)
		(void)look(g, true);                 /* there have to be buffers, and plain bytes come before this one */
	if (gz_failed(g) || !zw_gz_skip(g) || !make_out(g))
		return -1;
	room_bytes = g->buffer_bytes * 2;
	if (g->shown.have == room_bytes) {
		zw_gz_set_error(g, Z_DATA_ERROR, "out of room to push characters");
		return -1;
	}
	if (!g->shown.have) {
		g->shown.next = g->out + room_bytes;
	} else if (g->shown.next == g->out) {
		uint8_t *at = g->out + room_bytes - g->shown.have;

		memmove(at, g->out, g->shown.have);
		g->shown.next = at;
	}
	*--g->shown.next = (uint8_t)c;
	g->shown.have++;
	g->shown.pos--;
	g->past_end = false;
	return (uint8_t)c;
}

char *gzgets(gzFile file, char *buf, int len)
{
	struct gz_state *g = zw_gz_reader(file);
	size_t done = 0, room_bytes = (size_t)len - 1;
	bool line_ended = false;

	if (!g || !buf || len < 1 || gz_failed(g))
		return NULL;
	zw_gz_forget_stall(g);
	if (!zw_gz_skip(g))
		return NULL;
	while (done < room_bytes && !line_ended) {
		size_t n = room_bytes - done;
		const uint8_t *newline;

		if (!g->shown.have && !fetch(g))
			break;
		if (!g->shown.have) {
			g->past_end = !g->stalled;
			break;
		}
		n = n < g->shown.have ? n : g->shown.have;
		newline = memchr(g->shown.next, '\n', n);
		if (newline) {
			n = (size_t)(newline - g->shown.next) + 1;
			line_ended = true;
		}
		memcpy(buf + done, g->shown.next, n);
		g->shown.next += n;
		g->shown.have -= (unsigned)n;
		g->shown.pos += (z_off64_t)n;
		done += n;
	}
	if (!done)
		return NULL;                         /* KEEP-STOCK: also when only the ending zero fits */
	buf[done] = 0;
	return buf;
}

int gzdirect(gzFile file)
{
	struct gz_state *g = gz_state_of(file);

	if (!g)
		return 0;
	if (g->direction == GZ_READS && g->source == GZ_SOURCE_UNKNOWN && !g->shown.have && !gz_failed(g))
		(void)look(g, true);
	return g->plain;
}

int gzeof(gzFile file)
{
	struct gz_state *g = zw_gz_reader(file);

	return g ? g->past_end : 0;
}
