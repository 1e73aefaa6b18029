/* SPDX-License-Identifier: Zlib */
/* abi_deflate.c - zlib's deflate functions: argument checks, z_stream in, zlib's codes out.  No algorithm.
 * What each function does for its caller stands in include/zlib.h. */
#include "zlib.h"

#include "abi/abi_alloc.h"
#include "base/check.h"
#include "deflate/deflate_bound.h"
#include "deflate/deflate_stream.h"

#include <limits.h>
#include <string.h>

#define DEFLATE_TAG 0x7a776466u              /* tells our deflate state from any other memory */

struct abi_deflate {
	uint32_t   tag;
	z_streamp  owner;                        /* a copied z_stream is not a copied stream */
	void      *block;                        /* what zalloc returned: zfree gets exactly this */
	gz_headerp head;                         /* the caller's, read until the header is out; NULL: none */
	struct zw_deflate engine;
};

static_assert(sizeof(struct abi_deflate) <= BUDGET_FIXED_BYTES - WINDOW_SLACK_BYTES - (1u << MEMORY_ALIGN_LOG2),
	      "state, alignment and slack stay within NGINX's 8192 bytes");
static_assert(Z_FINISH == (int)ZW_FLUSH_FINISH && Z_BLOCK == (int)ZW_FLUSH_BLOCK && Z_FULL_FLUSH == (int)ZW_FLUSH_FULL,
	      "flush modes have zlib's values");
static_assert(Z_FIXED == (int)ZW_FIXED && Z_FILTERED == (int)ZW_FILTERED, "strategies have zlib's values");

static struct abi_deflate *state_of(z_streamp strm)
{
	struct abi_deflate *a;

	if (!strm || !strm->zalloc || !strm->zfree || !strm->state)
		return NULL;
	a = (struct abi_deflate *)(void *)strm->state;
	return a->tag == DEFLATE_TAG && a->owner == strm ? a : NULL;
}

static int fail(z_streamp strm, int code)
{
	strm->msg = zError(code);
	return code;
}

static int to_zlib_code(z_streamp strm, enum zw_result r)
{
	switch (r) {
	case ZW_OK:              return Z_OK;
	case ZW_STREAM_DONE:     return Z_STREAM_END;
	case ZW_NO_PROGRESS:     return fail(strm, Z_BUF_ERROR);
	case ZW_BAD_CALL:        return fail(strm, Z_STREAM_ERROR);
	case ZW_NO_MEMORY:       return fail(strm, Z_MEM_ERROR);
	case ZW_NEED_DICTIONARY: case ZW_BAD_DATA: break; /* deflate has neither */
	}
	return fail(strm, Z_STREAM_ERROR);
}

/* ---- init, reset, end ----------------------------------------------------------------------------------------- */

/* windowBits says format and window in one number. */
static bool split_window_bits(int window_bits, struct zw_deflate_config *c)
{
	c->format = ZW_ZLIB;
	if (window_bits < 0) {
		if (window_bits < -MAX_WBITS)
			return false;
		c->format = ZW_RAW;
		window_bits = -window_bits;
	} else if (window_bits > MAX_WBITS) {
		c->format = ZW_GZIP;
		window_bits -= 16;
	}
	if (window_bits < 8 || window_bits > MAX_WBITS || (window_bits == 8 && c->format != ZW_ZLIB))
		return false;
	c->window_log2 = window_bits == 8 ? 9 : (unsigned)window_bits; /* KEEP-STOCK: 256 bytes become 512 */
	return true;
}

static void start_caller_fields(z_streamp strm, const struct abi_deflate *a)
{
	strm->total_in = strm->total_out = 0;
	strm->msg = NULL;
	strm->data_type = Z_UNKNOWN;
	strm->adler = a->engine.check;
}

int ZEXPORT deflateInit2_(z_streamp strm, int level, int method, int windowBits, int memLevel, int strategy,
			  const char *version, int stream_size)
{
	struct zw_deflate_config c;
	struct zw_deflate_parts parts;
	struct abi_deflate *a;
	size_t bytes;
	void  *block;

	if (!version || version[0] != ZLIB_VERSION[0] || stream_size != (int)sizeof(z_stream))
		return Z_VERSION_ERROR;
	if (!strm)
		return Z_STREAM_ERROR;
	strm->msg = NULL;
	zw_use_default_allocator(strm);
	if (level == Z_DEFAULT_COMPRESSION)
		level = 6;
	if (memLevel < MEM_LEVEL_MIN || memLevel > MAX_MEM_LEVEL || method != Z_DEFLATED || level < 0 || level > 9 ||
	    strategy < 0 || strategy > Z_FIXED || !split_window_bits(windowBits, &c))
		return Z_STREAM_ERROR;
	c.mem_level = (unsigned)memLevel;
	c.level = level;
	c.strategy = (enum zw_strategy)strategy;

	bytes = zw_deflate_memory_bytes(c.window_log2, c.mem_level, sizeof *a);
	block = strm->zalloc(strm->opaque, 1, (uInt)bytes);
	if (!block)
		return fail(strm, Z_MEM_ERROR);
	parts = zw_deflate_memory_cut(block, c.window_log2, c.mem_level, sizeof *a);
	a = parts.state;
	a->tag = DEFLATE_TAG;
	a->owner = strm;
	a->block = block;
	a->head = NULL;
	zw_deflate_init(&a->engine, &parts, &c);
	strm->state = (struct internal_state *)(void *)a;
	start_caller_fields(strm, a);
	return Z_OK;
}

int ZEXPORT deflateInit_(z_streamp strm, int level, const char *version, int stream_size)
{
	return deflateInit2_(strm, level, Z_DEFLATED, MAX_WBITS, 8, Z_DEFAULT_STRATEGY, version, stream_size);
}

static int reset(z_streamp strm, bool keep_window)
{
	struct abi_deflate *a = state_of(strm);

	if (!a)
		return Z_STREAM_ERROR;
	zw_deflate_reset(&a->engine, keep_window);
	start_caller_fields(strm, a);
	return Z_OK;
}

int ZEXPORT deflateReset(z_streamp strm) { return reset(strm, false); }

int ZEXPORT deflateResetKeep(z_streamp strm) { return reset(strm, true); }

int ZEXPORT deflateEnd(z_streamp strm)
{
	struct abi_deflate *a = state_of(strm);
	bool  busy;
	void *block;

	if (!a)
		return Z_STREAM_ERROR;
	busy = zw_deflate_busy(&a->engine);
	block = a->block;
	a->tag = 0;                              /* a second deflateEnd() through a stale pointer finds no stream */
	strm->zfree(strm->opaque, block);
	strm->state = NULL;
	return busy ? Z_DATA_ERROR : Z_OK;
}

int ZEXPORT deflateCopy(z_streamp dest, z_streamp source)
{
	struct abi_deflate *from = state_of(source), *to;
	struct zw_deflate_parts parts;
	size_t bytes;
	void  *block;

	if (!from || !dest)
		return Z_STREAM_ERROR;
	*dest = *source;
	bytes = zw_deflate_memory_bytes(from->engine.window_log2, from->engine.mem_level, sizeof *from);
	block = dest->zalloc(dest->opaque, 1, (uInt)bytes);
	if (!block) {
		dest->state = NULL;
		return fail(dest, Z_MEM_ERROR);
	}
	parts = zw_deflate_memory_cut(block, from->engine.window_log2, from->engine.mem_level, sizeof *from);
	to = parts.state;                        /* both blocks are cut alike, so one copy behind the aligned start does */
	memcpy(to, from, bytes - ((1u << MEMORY_ALIGN_LOG2) - 1));
	to->owner = dest;
	to->block = block;
	zw_deflate_relocate(&to->engine, &from->engine, &parts);
	dest->state = (struct internal_state *)(void *)to;
	return Z_OK;
}

/* ---- running -------------------------------------------------------------------------------------------------- */

/* The caller's gz_header, read anew at each call while the header is not complete, as zlib does. */
static void read_head(struct abi_deflate *a)
{
	struct zw_gzip_fields *f = &a->engine.fields;
	const gz_header *h = a->head;

	memset(f, 0, sizeof *f);
	f->os = GZIP_OS_UNIX;
	if (!h)
		return;
	f->text = h->text != 0;
	f->time = (uint32_t)h->time;
	f->os = (uint8_t)h->os;
	f->header_crc = h->hcrc != 0;
	f->extra = h->extra;
	f->extra_bytes = h->extra_len;
	f->name = h->name;
	f->comment = h->comment;
}

static struct zw_in input_of(z_streamp strm) { return (struct zw_in){ strm->next_in, strm->avail_in }; }

static struct zw_out output_of(z_streamp strm) { return (struct zw_out){ strm->next_out, strm->avail_out }; }

/* What a call took and gave, back into the z_stream. */
static void advance(z_streamp strm, struct abi_deflate *a, const struct zw_in *in, const struct zw_out *out)
{
	strm->total_in += strm->avail_in - in->left_bytes;
	strm->total_out += strm->avail_out - out->left_bytes;
	strm->next_in = in->next;
	strm->avail_in = (uInt)in->left_bytes;
	strm->next_out = out->next;
	strm->avail_out = (uInt)out->left_bytes;
	strm->adler = a->engine.check;
	if (strm->data_type == Z_UNKNOWN && a->engine.builder.data_kind != DATA_UNKNOWN)
		strm->data_type = a->engine.builder.data_kind == DATA_TEXT ? Z_TEXT : Z_BINARY;
}

static bool buffers_ok(z_streamp strm)
{
	return strm->next_out && (strm->next_in || !strm->avail_in);
}

int ZEXPORT deflate(z_streamp strm, int flush)
{
	struct abi_deflate *a = state_of(strm);
	struct zw_in  in;
	struct zw_out out;
	enum zw_result r;

	if (!a || flush < 0 || flush > Z_BLOCK)
		return Z_STREAM_ERROR;
	if (!buffers_ok(strm))
		return fail(strm, Z_STREAM_ERROR);
	if (a->engine.format == ZW_GZIP && a->engine.status == DEFLATE_HEADER)
		read_head(a);
	in = input_of(strm);
	out = output_of(strm);
	r = zw_deflate_run(&a->engine, &in, &out, (enum zw_flush)flush);
	advance(strm, a, &in, &out);
	return to_zlib_code(strm, r);
}

int ZEXPORT deflateParams(z_streamp strm, int level, int strategy)
{
	struct abi_deflate *a = state_of(strm);
	struct zw_in  in;
	struct zw_out out;
	enum zw_result r;

	if (!a)
		return Z_STREAM_ERROR;
	if (level == Z_DEFAULT_COMPRESSION)
		level = 6;
	if (level < 0 || level > 9 || strategy < 0 || strategy > Z_FIXED)
		return Z_STREAM_ERROR;
	if (!buffers_ok(strm)) {                 /* fine as long as nothing has to be written */
		in = (struct zw_in){ NULL, 0 };
		out = (struct zw_out){ NULL, 0 };
		r = strm->avail_in ? ZW_BAD_CALL : zw_deflate_params(&a->engine, &in, &out, level, (enum zw_strategy)strategy);
		return r == ZW_NO_PROGRESS ? Z_STREAM_ERROR : to_zlib_code(strm, r);
	}
	if (a->engine.format == ZW_GZIP && a->engine.status == DEFLATE_HEADER)
		read_head(a);
	in = input_of(strm);
	out = output_of(strm);
	r = zw_deflate_params(&a->engine, &in, &out, level, (enum zw_strategy)strategy);
	advance(strm, a, &in, &out);
	return r == ZW_NO_PROGRESS ? Z_BUF_ERROR : to_zlib_code(strm, r);
}

/* ---- around a stream ------------------------------------------------------------------------------------------ */

int ZEXPORT deflateSetDictionary(z_streamp strm, const Bytef *dictionary, uInt dictLength)
{
	struct abi_deflate *a = state_of(strm);
	enum zw_result r;

	if (!a || !dictionary)
		return Z_STREAM_ERROR;
	r = zw_deflate_set_dictionary(&a->engine, dictionary, dictLength);
	if (r != ZW_OK)
		return Z_STREAM_ERROR;
	if (a->engine.format == ZW_ZLIB)
		strm->adler = a->engine.check;   /* the dictionary's, until the header is written */
	return Z_OK;
}

int ZEXPORT deflateGetDictionary(z_streamp strm, Bytef *dictionary, uInt *dictLength)
{
	struct abi_deflate *a = state_of(strm);
	size_t n;

	if (!a)
		return Z_STREAM_ERROR;
	n = zw_deflate_get_dictionary(&a->engine, dictionary);
	if (dictLength)
		*dictLength = (uInt)n;
	return Z_OK;
}

int ZEXPORT deflateTune(z_streamp strm, int good_length, int max_lazy, int nice_length, int max_chain)
{
	struct abi_deflate *a = state_of(strm);

	if (!a)
		return Z_STREAM_ERROR;
	zw_level_tune(a->engine.params_due ? &a->engine.due_params : &a->engine.match.params, (unsigned)good_length, (unsigned)max_lazy, (unsigned)nice_length,
		      (unsigned)max_chain);
	return Z_OK;
}

int ZEXPORT deflatePending(z_streamp strm, unsigned *pending, int *bits)
{
	struct abi_deflate *a = state_of(strm);

	if (!a)
		return Z_STREAM_ERROR;
	if (pending)
		*pending = zw_writer_staged_bytes(&a->engine.writer);
	if (bits)
		*bits = (int)a->engine.writer.hold_bits;
	return Z_OK;
}

int ZEXPORT deflateUsed(z_streamp strm, int *bits)
{
	struct abi_deflate *a = state_of(strm);

	if (!a)
		return Z_STREAM_ERROR;
	if (bits)
		*bits = a->engine.writer.aligned_used_bits;
	return Z_OK;
}

int ZEXPORT deflatePrime(z_streamp strm, int bits, int value)
{
	struct abi_deflate *a = state_of(strm);

	if (!a)
		return Z_STREAM_ERROR;
	if (bits < 0 || bits > 16)
		return Z_BUF_ERROR;
	return zw_deflate_prime(&a->engine, (unsigned)bits, (uint32_t)value) == ZW_OK ? Z_OK : Z_BUF_ERROR;
}

int ZEXPORT deflateSetHeader(z_streamp strm, gz_headerp head)
{
	struct abi_deflate *a = state_of(strm);

	if (!a || a->engine.format != ZW_GZIP || a->engine.trailer_begun)
		return Z_STREAM_ERROR;           /* KEEP-STOCK: a stream that has ended takes one only after deflateReset() */
	a->head = head;
	return Z_OK;
}

/* ---- bounds --------------------------------------------------------------------------------------------------- */

/* Bytes of the gzip header that head asks for, and of the trailer. */
static size_t gzip_wrapper_bytes(const gz_header *head)
{
	size_t n = GZIP_HEADER_BYTES + GZIP_TRAILER_BYTES;

	if (!head)
		return n;
	if (head->extra)
		n += 2 + head->extra_len;
	if (head->name)
		n += strlen((const char *)head->name) + 1;
	if (head->comment)
		n += strlen((const char *)head->comment) + 1;
	return head->hcrc ? n + 2 : n;
}

z_size_t ZEXPORT deflateBound_z(z_streamp strm, z_size_t sourceLen)
{
	struct abi_deflate *a = state_of(strm);
	size_t wrapper = 0;

	if (!a)                                  /* any stream: the longest wrapper without a gz_header */
		return zw_deflate_bound_any(sourceLen, GZIP_HEADER_BYTES + GZIP_TRAILER_BYTES);
	switch ((enum zw_format)a->engine.format) {
	case ZW_RAW:  wrapper = 0; break;
	case ZW_ZLIB: wrapper = ZLIB_HEADER_BYTES + ZLIB_TRAILER_BYTES + (a->engine.has_dictionary ? 4 : 0); break;
	case ZW_GZIP: wrapper = gzip_wrapper_bytes(a->head); break;
	}
	return zw_deflate_bound(sourceLen, a->engine.window_log2, a->engine.mem_level, a->engine.level, wrapper);
}

uLong ZEXPORT deflateBound(z_streamp strm, uLong sourceLen)
{
	z_size_t n = deflateBound_z(strm, sourceLen);

	return n > ULONG_MAX ? ULONG_MAX : (uLong)n;
}
