/* SPDX-License-Identifier: Zlib */
/* deflate_stream.c - one stream from header to trailer: when to take input, when to compress, what a flush means.
 * Takes: the caller's input and flush mode.  Gives: a right stream however both buffers are cut.  Uses: all stages
 * Never: knows z_stream.
 *
 * Input is buffered first and compressed late: without a flush nothing is parsed before the window is full and more input
 * is there.  So a body that fits into the window is parsed whole with its size known, and what comes out does not depend
 * on how the input was cut. */
#include "deflate/deflate_stream.h"

#include "cpu/features.h"
#include "wrap/zlib_write.h"

#include <string.h>

#define FLUSH_NEVER    (-2)                  /* nothing was asked of this stream yet */
#define FLUSH_FORGIVEN (-1)                  /* output ran out: the next call may repeat its flush without input */

static struct zw_block_parts parts_of(struct zw_deflate *d)
{
	return (struct zw_block_parts){ &d->builder, &d->window, &d->match, &d->tokens, &d->writer, d->strategy == ZW_FIXED };
}

/* Orders flush modes by how much they complete: Z_BLOCK stands between none and partial. */
static int flush_rank(int flush)
{
	return 2 * flush - (flush > ZW_FLUSH_FINISH ? 9 : 0);
}

/* ---- begin ---------------------------------------------------------------------------------------------------- */

static uint32_t first_check(const struct zw_deflate *d)
{
	return d->format == ZW_GZIP ? 0 : 1;     /* CRC-32 and Adler-32 of nothing */
}

/* Forgets all history: no match will reach back beyond this point. */
static void forget_history(struct zw_deflate *d)
{
	d->window.parsed = 0;
	d->window.end = 0;
	d->match.window_position = 0;
	d->match.unhashed_bytes = 0;
	d->match.prepared = ZW_PARSE_NONE;
}

static void use_params(struct zw_deflate *d, int level, uint8_t strategy, const struct zw_match_params *params)
{
	d->match.params = *params;
	d->level = (int8_t)level;
	d->strategy = strategy;
	d->params_due = false;
}

void zw_deflate_reset(struct zw_deflate *d, bool keep_window)
{
	struct zw_block_parts p = parts_of(d);

	if (d->params_due)
		use_params(d, d->due_level, d->due_strategy, &d->due_params);
	d->total_in_bytes = 0;
	d->check = first_check(d);
	d->status = DEFLATE_HEADER;
	d->last_flush = FLUSH_NEVER;
	d->flushed = -1;
	d->has_dictionary = false;
	d->trailer_begun = false;
	memset(&d->gzip, 0, sizeof d->gzip);
	zw_writer_reset(&d->writer, d->match.wide);
	zw_blocks_reset(&p);
	if (keep_window) {                       /* what was not compressed yet belongs to the stream that ends here */
		d->window.parsed = d->window.end;
		d->match.unhashed_bytes = 0;
		d->match.prepared = ZW_PARSE_NONE;
		return;
	}
	forget_history(d);
	d->match.params = zw_level_params(d->level, (enum zw_strategy)d->strategy);
}

void zw_deflate_init(struct zw_deflate *d, const struct zw_deflate_parts *parts, const struct zw_deflate_config *c)
{
	ZW_ASSERT(c->window_log2 > WINDOW_MIN_LOG2 && c->window_log2 <= WINDOW_MAX_LOG2);
	ZW_ASSERT(c->mem_level >= MEM_LEVEL_MIN && c->mem_level <= MEM_LEVEL_MAX);
	/* A comparison backwards from the window's start reads the end of this state and ignores what it finds; it is set so
	 * that no memory checker has to know that. First of all, as members follow. */
	memset(parts->window - PARSE_BACKREAD_BYTES, 0, PARSE_BACKREAD_BYTES);
	d->kernels = zw_kernels_get();
	d->format = (uint8_t)c->format;
	d->window_log2 = (uint8_t)c->window_log2;
	d->mem_level = (uint8_t)c->mem_level;
	d->level = (int8_t)c->level;
	d->strategy = (uint8_t)c->strategy;
	d->params_due = false;
	memset(&d->fields, 0, sizeof d->fields);
	d->fields.os = GZIP_OS_UNIX;

	d->window.buf = parts->window;
	d->window.history_max = 1u << c->window_log2;
	d->window.capacity = 2u << c->window_log2;
	memset(parts->window + d->window.capacity, 0, WINDOW_SLACK_BYTES);

	memset(&d->match, 0, sizeof d->match);
	d->match.head = parts->head;
	d->match.head_bytes = 256u << c->mem_level;
	d->match.prev = parts->prev;
	d->match.window_log2 = (uint8_t)c->window_log2;
	d->match.window = parts->window;
	d->match.wide = (d->kernels->needs & ZW_NEEDS_X86_AVX2) == ZW_NEEDS_X86_AVX2;

	d->tokens.buf = parts->tokens;
	d->tokens.capacity = 64u << c->mem_level;
	if (d->tokens.capacity > BLOCK_MAX_TOKENS)
		d->tokens.capacity = BLOCK_MAX_TOKENS;
	zw_deflate_reset(d, false);
}

void zw_deflate_relocate(struct zw_deflate *to, const struct zw_deflate *from, const struct zw_deflate_parts *parts)
{
	if (from->writer.tokens)
		to->writer.tokens = parts->tokens + (from->writer.tokens - from->tokens.buf);
	if (from->writer.raw)
		to->writer.raw = parts->window + (from->writer.raw - from->window.buf);
	to->match.window = parts->window + (from->match.window - from->window.buf);
	to->window.buf = parts->window;
	to->match.head = parts->head;
	to->match.prev = parts->prev;
	to->tokens.buf = parts->tokens;
}

bool zw_deflate_busy(const struct zw_deflate *d) { return d->status == DEFLATE_BODY; }

/* ---- header and trailer --------------------------------------------------------------------------------------- */

static bool fastest(const struct zw_deflate *d) { return d->strategy >= ZW_HUFFMAN_ONLY || d->level < 2; }

/* RFC 1950 2.2 FLEVEL. */
static unsigned flevel(const struct zw_deflate *d)
{
	if (fastest(d))
		return 0;
	return d->level < 6 ? 1 : d->level == 6 ? 2 : 3;
}

/* RFC 1952 2.3.1 XFL: 2 smallest, 4 fastest. */
static uint8_t gzip_xfl(const struct zw_deflate *d)
{
	if (d->level == 9)
		return 2;
	return fastest(d) ? 4 : 0;
}

/* True when the header is out. */
static bool put_header(struct zw_deflate *d, struct zw_out *out)
{
	uint8_t header[ZLIB_HEADER_MAX_BYTES];
	size_t  n;

	switch ((enum zw_format)d->format) {
	case ZW_GZIP:
		if (!zw_gzip_write_header(&d->gzip, &d->fields, gzip_xfl(d), d->kernels, out))
			return false;
		break;
	case ZW_ZLIB:
		n = zw_zlib_header(header, d->window_log2, flevel(d), d->has_dictionary ? &d->check : NULL);
		zw_writer_put_bytes(&d->writer, header, n);
		break;
	case ZW_RAW:
		break;
	}
	d->check = first_check(d);
	d->status = DEFLATE_BODY;
	return zw_writer_emit(&d->writer, out);
}

static void begin_trailer(struct zw_deflate *d)
{
	uint8_t trailer[GZIP_TRAILER_BYTES];

	d->trailer_begun = true;
	switch ((enum zw_format)d->format) {
	case ZW_GZIP:
		zw_gzip_trailer(trailer, d->check, d->total_in_bytes);
		zw_writer_put_bytes(&d->writer, trailer, GZIP_TRAILER_BYTES);
		break;
	case ZW_ZLIB:
		zw_store_be32(trailer, d->check);
		zw_writer_put_bytes(&d->writer, trailer, ZLIB_TRAILER_BYTES);
		break;
	case ZW_RAW:
		break;
	}
}

/* ---- body ----------------------------------------------------------------------------------------------------- */

static void take_input(struct zw_deflate *d, struct zw_in *in)
{
	zw_sum_copy_fn sum = d->format == ZW_GZIP ? d->kernels->crc32_copy : d->format == ZW_ZLIB ? d->kernels->adler32_copy : NULL;
	size_t n = zw_window_fill(&d->window, in, sum, &d->check);

	d->total_in_bytes += n;
	if (n)
		d->flushed = -1;
}

/* What follows the blocks of a flush. */
static void put_marker(struct zw_deflate *d, enum zw_flush flush)
{
	switch (flush) {
	case ZW_FLUSH_PARTIAL:                   /* an empty block of fixed codes */
		zw_writer_put_bits(&d->writer, BLOCK_FIXED << 1, 3 + 7);
		break;
	case ZW_FLUSH_FULL:
		forget_history(d);
		ZW_FALLTHROUGH;
	case ZW_FLUSH_SYNC:                      /* an empty stored block: 00 00 ff ff on a byte boundary */
		zw_writer_begin_stored(&d->writer, NULL, 0, false);
		break;
	case ZW_FLUSH_NONE: case ZW_FLUSH_FINISH: case ZW_FLUSH_BLOCK: case ZW_FLUSH_TREES:
		break;
	}
	d->flushed = (int8_t)flush_rank((int)flush);
}

/* Takes all input and does what flush asks; false when the output is full before that. */
static bool compress(struct zw_deflate *d, struct zw_in *in, struct zw_out *out, enum zw_flush flush)
{
	struct zw_block_parts p = parts_of(d);

	for (;;) {
		bool all, whole;

		if (!zw_writer_emit(&d->writer, out))
			return false;
		take_input(d, in);
		if (!in->left_bytes && flush == ZW_FLUSH_NONE)
			return true;
		all = !in->left_bytes;
		whole = all && flush == ZW_FLUSH_FINISH && d->match.window_position == 0;
		if (zw_blocks_step(&p, all, whole))
			continue;
		if (!all) {
			(void)zw_blocks_slide(&p);       /* or a block was marked for closing: step does it */
			continue;
		}
		if (flush != ZW_FLUSH_FINISH && d->flushed >= flush_rank((int)flush))
			return true;
		if (zw_blocks_finish(&p, flush == ZW_FLUSH_FINISH)) {
			if (d->builder.last_written)
				d->status = DEFLATE_TRAILER;
			continue;
		}
		if (flush == ZW_FLUSH_FINISH)
			return true;
		put_marker(d, flush);
	}
}

/* Ends what zw_deflate_params() had no room to end; false when the output is full again. */
static bool settle_params(struct zw_deflate *d, struct zw_out *out)
{
	struct zw_in none = { NULL, 0 };

	if (!d->params_due)
		return true;
	if (!compress(d, &none, out, ZW_FLUSH_BLOCK))
		return false;
	use_params(d, d->due_level, d->due_strategy, &d->due_params);
	return true;
}

/* An output buffer that is full now earns the caller one repetition of its flush without input. */
static enum zw_result ok_or_forgiven(struct zw_deflate *d, const struct zw_out *out)
{
	if (!out->left_bytes)
		d->last_flush = FLUSH_FORGIVEN;
	return ZW_OK;
}

enum zw_result zw_deflate_run(struct zw_deflate *d, struct zw_in *in, struct zw_out *out, enum zw_flush flush)
{
	int before = d->last_flush;

	if (flush > ZW_FLUSH_BLOCK || (d->status == DEFLATE_TRAILER && flush != ZW_FLUSH_FINISH))
		return ZW_BAD_CALL;
	if (!out->left_bytes)
		return ZW_NO_PROGRESS;
	d->last_flush = (int8_t)flush;
	if (!zw_writer_idle(&d->writer)) {
		if (!zw_writer_emit(&d->writer, out) || !out->left_bytes)
			return ok_or_forgiven(d, out);
	} else if (!in->left_bytes && flush != ZW_FLUSH_FINISH && flush_rank((int)flush) <= flush_rank(before)) {
		return ZW_NO_PROGRESS;
	}
	if (d->status == DEFLATE_TRAILER && in->left_bytes)
		return ZW_NO_PROGRESS;
	if (d->status == DEFLATE_HEADER && !put_header(d, out))
		return ok_or_forgiven(d, out);
	if (!settle_params(d, out) || !compress(d, in, out, flush) || flush != ZW_FLUSH_FINISH)
		return ok_or_forgiven(d, out);
	if (!d->trailer_begun)
		begin_trailer(d);
	return zw_writer_emit(&d->writer, out) ? ZW_STREAM_DONE : ZW_OK;
}

/* ---- between calls -------------------------------------------------------------------------------------------- */

/* Levels of one class compress in one way, as zlib has it: a change of class ends the block. */
static int level_class(int level) { return level == 0 ? 0 : level < 4 ? 1 : 2; }

/* Stock encodes a whole block ahead of the output and so seldom lacks room here; ours holds input instead.  Where that does not
 * all go out, the new parameters wait: programs that do not expect Z_BUF_ERROR from deflateParams() are not met with it more often. */
enum zw_result zw_deflate_params(struct zw_deflate *d, struct zw_in *in, struct zw_out *out, int level, enum zw_strategy s)
{
	struct zw_match_params params = zw_level_params(level, s);
	struct zw_block_parts p = parts_of(d);
	bool room = out->left_bytes != 0;

	if ((d->params_due || s != d->strategy || level_class(level) != level_class(d->level)) && d->last_flush != FLUSH_NEVER) {
		if (zw_deflate_run(d, in, out, ZW_FLUSH_BLOCK) == ZW_BAD_CALL)
			return ZW_BAD_CALL;
		if (in->left_bytes || (!room && !zw_blocks_empty(&p)))
			return ZW_NO_PROGRESS;
		if (d->params_due || !zw_blocks_empty(&p)) {
			d->params_due = true;
			d->due_level = (int8_t)level;
			d->due_strategy = (uint8_t)s;
			d->due_params = params;
			return ZW_OK;
		}
	}
	if (level == d->level && s == d->strategy)
		params = d->match.params;        /* with what deflateTune() made of them */
	use_params(d, level, (uint8_t)s, &params);
	return ZW_OK;
}

enum zw_result zw_deflate_set_dictionary(struct zw_deflate *d, const uint8_t *dictionary, size_t bytes)
{
	struct zw_block_parts p = parts_of(d);
	struct zw_input_window *w = &d->window;

	if (d->format == ZW_GZIP || (d->format == ZW_ZLIB && d->status != DEFLATE_HEADER) || !zw_blocks_empty(&p))
		return ZW_BAD_CALL;
	if (d->format == ZW_ZLIB) {
		d->check = d->kernels->adler32(d->check, dictionary, bytes);
		d->has_dictionary = true;
	}
	if (bytes >= w->history_max) {
		dictionary += bytes - w->history_max;
		bytes = w->history_max;
		forget_history(d);
	}
	if (w->end + bytes > w->capacity)
		d->match.window_position += zw_window_slide(w);
	if (bytes)
		memcpy(w->buf + w->end, dictionary, bytes);
	w->end += (uint32_t)bytes;
	w->parsed = w->end;
	d->match.unhashed_bytes = 0;
	d->match.prepared = ZW_PARSE_NONE;       /* the tables are made again, from the window, before the next parse */
	return ZW_OK;
}

size_t zw_deflate_get_dictionary(const struct zw_deflate *d, uint8_t *to)
{
	size_t n = d->window.end < d->window.history_max ? d->window.end : d->window.history_max;

	if (to && n)
		memcpy(to, d->window.buf + d->window.end - n, n);
	return n;
}

enum zw_result zw_deflate_prime(struct zw_deflate *d, unsigned count, uint32_t bits)
{
	if (d->writer.phase != WRITER_IDLE || zw_writer_room_bytes(&d->writer) < 8)
		return ZW_NO_PROGRESS;
	zw_writer_put_bits(&d->writer, count ? bits & ((1u << count) - 1) : 0, count);
	d->flushed = -1;
	return ZW_OK;
}
