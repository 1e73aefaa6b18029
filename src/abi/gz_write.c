/* SPDX-License-Identifier: Zlib */
/* gz_write.c - gzip files: writing.
 *
 *   caller -> in -> deflate() -> out -> file        (a large piece goes from the caller's buffer straight to deflate())
 *   caller -> in -> file                            (mode 'T')
 *
 * strm.next_in and strm.avail_in always say what the caller has given and deflate() has not yet taken. */
#include "abi/gz_state.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- to the file ----------------------------------------------------------------------------------------------- */

/* Writes [*from, end) and moves *from on; false on an error or a stall. */
static bool write_range(struct gz_state *g, const uint8_t **from, const uint8_t *end)
{
	while (*from < end) {
		size_t  left = (size_t)(end - *from);
		ssize_t n = write(g->fd, *from, left < GZ_IO_MAX_BYTES ? left : GZ_IO_MAX_BYTES);

		if (n < 0) {
			zw_gz_set_errno(g);
			return false;
		}
		*from += n;
	}
	return true;
}

/* Empties out. */
static bool write_out(struct gz_state *g)
{
	if (!write_range(g, &g->unwritten, g->strm.next_out))
		return false;
	g->strm.next_out = g->out;
	g->strm.avail_out = g->buffer_bytes;
	g->unwritten = g->out;
	return true;
}

static bool make_buffers(struct gz_state *g)
{
	z_stream *s = &g->strm;

	if (g->buffer_bytes)
		return true;
	g->in = malloc((size_t)g->wanted_bytes * 2);    /* gzprintf() needs room after a full buffer */
	g->out = g->plain ? NULL : malloc(g->wanted_bytes);
	if (!g->in || (!g->plain && (!g->out || deflateInit2(s, g->level, Z_DEFLATED, GZ_WINDOW_BITS, GZ_MEM_LEVEL,
							     g->strategy) != Z_OK))) {
		free(g->in);
		free(g->out);
		g->in = g->out = NULL;
		zw_gz_set_error(g, Z_MEM_ERROR, NULL);
		return false;
	}
	s->next_in = g->in;
	s->next_out = g->out;
	s->avail_out = g->plain ? 0 : g->wanted_bytes;
	g->unwritten = g->out;
	g->buffer_bytes = g->wanted_bytes;
	return true;
}

/* Writes the bytes at strm.next_in as they are. */
static bool copy_all(struct gz_state *g)
{
	z_stream *s = &g->strm;
	const uint8_t *from = s->next_in;
	bool good = write_range(g, &from, from + s->avail_in);

	s->avail_in -= (uInt)(from - s->next_in);
	s->next_in = from;
	return good;
}

/* Gives deflate() all of strm.next_in; with a flush also writes all that deflate() has to say.  False on an error or a
 * stall; what was not taken stays in strm. */
static bool compress_all(struct gz_state *g, int flush)
{
	z_stream *s = &g->strm;
	int result;

	if (g->plain)
		return copy_all(g);
	if (g->member_finished) {
		if (!s->avail_in)
			return true;                 /* no new member without a byte in it */
		deflateReset(s);
		g->member_finished = false;
	}
	do {
		if (!s->avail_out && !write_out(g))
			return false;
		result = deflate(s, flush);
		if (result == Z_STREAM_ERROR) {
			zw_gz_set_error(g, Z_STREAM_ERROR, "internal error: deflate stream corrupt");
			return false;
		}
	} while (!s->avail_out && result != Z_STREAM_END);
	if (flush != Z_NO_FLUSH && !write_out(g))
		return false;
	g->member_finished = flush == Z_FINISH;
	return true;
}

/* ---- from the caller ------------------------------------------------------------------------------------------- */

/* Bytes of in before the first free one. */
static unsigned held_end(const struct gz_state *g)
{
	return (unsigned)(g->strm.next_in + g->strm.avail_in - g->in);
}

/* Carries out a pending gzseek() by writing zeros. */
static bool write_zeros(struct gz_state *g)
{
	z_stream *s = &g->strm;

	if (g->skip_pending && s->avail_in && !compress_all(g, Z_NO_FLUSH))
		return false;
	while (g->skip_pending && g->skip_bytes) {
		unsigned n = g->skip_bytes < g->buffer_bytes ? (unsigned)g->skip_bytes : g->buffer_bytes;
		bool good;

		memset(g->in, 0, n);
		s->next_in = g->in;
		s->avail_in = n;
		good = compress_all(g, Z_NO_FLUSH);
		n -= s->avail_in;
		s->avail_in = 0;
		g->shown.pos += n;
		g->skip_bytes -= n;
		if (!good)
			return false;
	}
	g->skip_pending = false;
	return true;
}

/* Makes a writer ready for bytes: buffers, an earlier stall, a pending seek. */
static bool get_ready(struct gz_state *g)
{
	zw_gz_forget_stall(g);
	return make_buffers(g) && write_zeros(g);
}

/* Less than a buffer: collects it in in. */
static size_t collect(struct gz_state *g, const uint8_t *from, size_t len_bytes)
{
	z_stream *s = &g->strm;
	size_t done = 0;

	for (;;) {
		size_t n;

		if (!s->avail_in)
			s->next_in = g->in;
		n = held_end(g) < g->buffer_bytes ? g->buffer_bytes - held_end(g) : 0;
		n = n < len_bytes - done ? n : len_bytes - done;
		memcpy(g->in + held_end(g), from + done, n);
		s->avail_in += (uInt)n;
		done += n;
		if (done == len_bytes || !compress_all(g, Z_NO_FLUSH))
			return done;
	}
}

/* A buffer or more: straight from the caller's memory, in pieces that fit uInt. */
static size_t pass_on(struct gz_state *g, const uint8_t *from, size_t len_bytes)
{
	z_stream *s = &g->strm;
	size_t done = 0;

	if (s->avail_in && !compress_all(g, Z_NO_FLUSH))
		return 0;
	while (done < len_bytes) {
		uInt n = len_bytes - done < UINT_MAX ? (uInt)(len_bytes - done) : UINT_MAX;
		bool good;

		s->next_in = from + done;
		s->avail_in = n;
		good = compress_all(g, Z_NO_FLUSH);
		done += n - s->avail_in;
		s->next_in = g->in;
		s->avail_in = 0;
		if (!good)
			break;
	}
	return done;
}

/* How many bytes were taken: all, or fewer in a stall, or after an error. */
static size_t write_bytes(struct gz_state *g, const uint8_t *from, size_t len_bytes)
{
	size_t done;

	if (!len_bytes || !get_ready(g))
		return 0;
	done = len_bytes < g->buffer_bytes ? collect(g, from, len_bytes) : pass_on(g, from, len_bytes);
	g->shown.pos += (z_off64_t)done;
	return gz_failed(g) ? 0 : done;
}

/* The writer if it is in order. */
static struct gz_state *good_writer(gzFile file)
{
	struct gz_state *g = zw_gz_writer(file);

	return g && (g->error == Z_OK || g->stalled) ? g : NULL;
}

int gzwrite(gzFile file, voidpc buf, unsigned len)
{
	struct gz_state *g = good_writer(file);

	if (!g)
		return 0;
	if (len > INT_MAX) {
		zw_gz_set_error(g, Z_DATA_ERROR, "requested length does not fit in int");
		return 0;
	}
	return (int)write_bytes(g, buf, len);
}

z_size_t gzfwrite(voidpc buf, z_size_t size, z_size_t nitems, gzFile file)
{
	struct gz_state *g = good_writer(file);

	if (!g || !size)
		return 0;
	if (nitems > (z_size_t)-1 / size) {
		zw_gz_set_error(g, Z_STREAM_ERROR, "request does not fit in a size_t");
		return 0;
	}
	return write_bytes(g, buf, size * nitems) / size;
}

int gzputc(gzFile file, int c)
{
	struct gz_state *g = good_writer(file);
	uint8_t byte = (uint8_t)c;

	if (!g)
		return -1;
	return write_bytes(g, &byte, 1) == 1 ? byte : -1;
}

int gzputs(gzFile file, const char *s)
{
	struct gz_state *g = good_writer(file);
	size_t len, done;

	if (!g)
		return -1;
	len = strlen(s);
	if (len > INT_MAX) {
		zw_gz_set_error(g, Z_STREAM_ERROR, "string length does not fit in int");
		return -1;
	}
	done = write_bytes(g, (const uint8_t *)s, len);
	return len && !done ? -1 : (int)done;
}

/* After this, buffer_bytes bytes behind what is held are free; false if a stall or an error prevents it. */
static bool make_room_to_print(struct gz_state *g)
{
	z_stream *s = &g->strm;

	if (s->avail_in > g->buffer_bytes && !compress_all(g, Z_NO_FLUSH) && s->avail_in > g->buffer_bytes)
		return false;
	if (s->avail_in)
		memmove(g->in, s->next_in, s->avail_in);
	s->next_in = g->in;
	return true;
}

int gzvprintf(gzFile file, const char *format, va_list va)
{
	struct gz_state *g = good_writer(file);
	int len;

	if (!g)
		return Z_STREAM_ERROR;
	if (!get_ready(g) || !make_room_to_print(g))
		return g->stalled ? Z_BUF_ERROR : g->error;
	len = vsnprintf((char *)g->in + held_end(g), g->buffer_bytes, format, va);
	if (len <= 0 || (unsigned)len >= g->buffer_bytes)
		return 0;                            /* too long: nothing has been taken */
	g->strm.avail_in += (uInt)len;
	g->shown.pos += len;
	if (g->strm.avail_in >= g->buffer_bytes && !compress_all(g, Z_NO_FLUSH) && !g->stalled)
		return g->error;
	return len;
}

int gzprintf(gzFile file, const char *format, ...)
{
	va_list va;
	int result;

	va_start(va, format);
	result = gzvprintf(file, format, va);
	va_end(va);
	return result;
}

/* ---- flushing, parameters, the end ----------------------------------------------------------------------------- */

int gzflush(gzFile file, int flush)
{
	struct gz_state *g = good_writer(file);

	if (!g || flush < Z_NO_FLUSH || flush > Z_FINISH)
		return Z_STREAM_ERROR;
	if (get_ready(g))
		(void)compress_all(g, flush);
	return g->error;
}

int gzsetparams(gzFile file, int level, int strategy)
{
	struct gz_state *g = good_writer(file);
	int result;

	if (!g || g->plain)
		return Z_STREAM_ERROR;
	if (level == g->level && strategy == g->strategy)
		return Z_OK;
	zw_gz_forget_stall(g);
	if (g->skip_pending && !(make_buffers(g) && write_zeros(g)))
		return g->error;
	if (g->buffer_bytes) {
		if (g->strm.avail_in && !compress_all(g, Z_BLOCK))
			return g->error;
		if (g->member_finished)
			deflateReset(&g->strm);          /* a finished stream takes no parameters; the next member does */
		while ((result = deflateParams(&g->strm, level, strategy)) == Z_BUF_ERROR)
			if (!write_out(g))
				return g->error;
		if (result != Z_OK)
			return result;
	}
	g->level = level;
	g->strategy = strategy;
	return Z_OK;
}

/* A call that was refused does not keep what was accepted from being written; a failed write() stays an error even if
 * a later one succeeds, as bytes may have been lost. */
int zw_gz_finish_writing(struct gz_state *g)
{
	bool lost = g->error == Z_ERRNO && !g->stalled;
	int result = get_ready(g) && compress_all(g, Z_FINISH) ? Z_OK : g->error;

	if (g->buffer_bytes && !g->plain)
		(void)deflateEnd(&g->strm);
	return lost ? Z_ERRNO : result;
}
