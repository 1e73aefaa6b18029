/* SPDX-License-Identifier: Zlib */
/* abi_inflate.c - zlib's inflate functions: argument checks, z_stream in, zlib's codes and texts out.  No algorithm.
 * What each function does for its caller stands in include/zlib.h. */
#include "zlib.h"

#include "abi/abi_alloc.h"
#include "base/check.h"
#include "inflate/inflate_back.h"
#include "inflate/inflate_state.h"

#include <stddef.h>
#include <string.h>

#define INFLATE_TAG 0x7a776469u              /* tells our inflate state from any other memory */
#define PRIME_MAX_BITS      16
#define PRIME_HOLD_MAX_BITS 32

struct abi_inflate {
	uint32_t   tag;
	z_streamp  owner;                        /* a copied z_stream is not a copied stream */
	gz_headerp head;                         /* the caller's, filled while a gzip header is read; NULL: none */
	struct zw_inflate engine;                /* its big tables come last and are never cleared */
};

static_assert(_Alignof(struct abi_inflate) <= sizeof(void *), "zalloc may align to no more than a pointer");
static_assert(sizeof(struct abi_inflate) <= 12288, "state of an inflate stream");
static_assert(Z_FINISH == (int)ZW_FLUSH_FINISH && Z_BLOCK == (int)ZW_FLUSH_BLOCK && Z_TREES == (int)ZW_FLUSH_TREES,
	      "flush modes have zlib's values");

static struct abi_inflate *inflate_of(z_streamp strm)
{
	struct abi_inflate *a;

	if (!strm || !strm->zalloc || !strm->zfree || !strm->state)
		return NULL;
	a = (struct abi_inflate *)(void *)strm->state;
	return a->tag == INFLATE_TAG && a->owner == strm ? a : NULL;
}

static const char *error_text(enum zw_inflate_error error)
{
	switch (error) {
	case ZW_ERROR_NONE:            return NULL;
	case ZW_ERROR_HEADER_CHECK:    return "incorrect header check";
	case ZW_ERROR_METHOD:          return "unknown compression method";
	case ZW_ERROR_WINDOW_SIZE:     return "invalid window size";
	case ZW_ERROR_HEADER_FLAGS:    return "unknown header flags set";
	case ZW_ERROR_HEADER_CRC:      return "header crc mismatch";
	case ZW_ERROR_BLOCK_TYPE:      return "invalid block type";
	case ZW_ERROR_STORED_LENGTHS:  return "invalid stored block lengths";
	case ZW_ERROR_SYMBOL_COUNTS:   return "too many length or distance symbols";
	case ZW_ERROR_PRECODE:         return "invalid code lengths set";
	case ZW_ERROR_REPEAT:          return "invalid bit length repeat";
	case ZW_ERROR_NO_END_OF_BLOCK: return "invalid code -- missing end-of-block";
	case ZW_ERROR_LITLEN_CODE:     return "invalid literal/lengths set";
	case ZW_ERROR_DISTANCE_CODE:   return "invalid distances set";
	case ZW_ERROR_LITLEN:          return "invalid literal/length code";
	case ZW_ERROR_DISTANCE:        return "invalid distance code";
	case ZW_ERROR_TOO_FAR:         return "invalid distance too far back";
	case ZW_ERROR_DATA_CHECK:      return "incorrect data check";
	case ZW_ERROR_LENGTH_CHECK:    return "incorrect length check";
	}
	return NULL;
}

/* The engine's results as zlib's numbers.  Unlike deflate's, they do not touch msg: bad data has a text of its own. */
static int inflate_code(enum zw_result r)
{
	switch (r) {
	case ZW_OK:              return Z_OK;
	case ZW_STREAM_DONE:     return Z_STREAM_END;
	case ZW_NEED_DICTIONARY: return Z_NEED_DICT;
	case ZW_BAD_DATA:        return Z_DATA_ERROR;
	case ZW_NO_MEMORY:       return Z_MEM_ERROR;
	case ZW_BAD_CALL:        return Z_STREAM_ERROR;
	case ZW_NO_PROGRESS:     return Z_BUF_ERROR;
	}
	return Z_STREAM_ERROR;
}

/* ---- init, reset, copy, end ---------------------------------------------------------------------------------- */

struct inflate_shape { uint8_t wrap, window_log2; };

/* windowBits says wrapper and window in one number: negative raw; +16 gzip, +32 either, by what the data begins with. */
static bool split_inflate_window_bits(int window_bits, struct inflate_shape *shape_ret)
{
	int wrap = 0;

	if (window_bits < 0) {
		if (window_bits < -MAX_WBITS)
			return false;
		window_bits = -window_bits;
	} else {
		wrap = (window_bits >> 4) + (int)(ZW_WRAP_ZLIB | ZW_WRAP_CHECK);
		if (window_bits < 48)
			window_bits &= 15;
	}
	if (window_bits && (window_bits < (int)WINDOW_MIN_LOG2 || window_bits > MAX_WBITS))
		return false;
	shape_ret->wrap = (uint8_t)wrap;
	shape_ret->window_log2 = (uint8_t)window_bits;
	return true;
}

static void reset_caller_fields(z_streamp strm, struct abi_inflate *a)
{
	strm->total_in = strm->total_out = 0;
	strm->msg = NULL;
	if (a->engine.wrap)
		strm->adler = a->engine.shown_check;
	a->head = NULL;
	a->engine.dynamic.used_entries = 0;
}

/* The state of a new stream without its tables, or NULL. */
static struct abi_inflate *take_state(z_streamp strm)
{
	struct abi_inflate *a = strm->zalloc(strm->opaque, 1, sizeof *a);

	if (!a)
		return NULL;
	memset(a, 0, offsetof(struct abi_inflate, engine.dynamic));
	a->tag = INFLATE_TAG;
	a->owner = strm;
	a->engine.kernels = zw_kernels_get();
	strm->state = (struct internal_state *)(void *)a;
	return a;
}

static bool version_differs(const char *version, int stream_size)
{
	return !version || version[0] != ZLIB_VERSION[0] || stream_size != (int)sizeof(z_stream);
}

int ZEXPORT inflateInit2_(z_streamp strm, int windowBits, const char *version, int stream_size)
{
	struct inflate_shape shape;
	struct abi_inflate *a;

	if (version_differs(version, stream_size))
		return Z_VERSION_ERROR;
	if (!strm)
		return Z_STREAM_ERROR;
	strm->msg = NULL;
	zw_use_default_allocator(strm);
	strm->state = NULL;
	if (!split_inflate_window_bits(windowBits, &shape))
		return Z_STREAM_ERROR;
	a = take_state(strm);
	if (!a)
		return Z_MEM_ERROR;
	a->engine.wrap = shape.wrap;
	a->engine.window_log2 = shape.window_log2;
	zw_inflate_reset(&a->engine);
	reset_caller_fields(strm, a);
	return Z_OK;
}

int ZEXPORT inflateInit_(z_streamp strm, const char *version, int stream_size)
{
	return inflateInit2_(strm, MAX_WBITS, version, stream_size);
}

int ZEXPORT inflateResetKeep(z_streamp strm)
{
	struct abi_inflate *a = inflate_of(strm);

	if (!a)
		return Z_STREAM_ERROR;
	zw_inflate_reset_keep(&a->engine);
	reset_caller_fields(strm, a);
	return Z_OK;
}

int ZEXPORT inflateReset(z_streamp strm)
{
	struct abi_inflate *a = inflate_of(strm);

	if (!a)
		return Z_STREAM_ERROR;
	zw_inflate_reset(&a->engine);
	reset_caller_fields(strm, a);
	return Z_OK;
}

int ZEXPORT inflateReset2(z_streamp strm, int windowBits)
{
	struct inflate_shape shape;
	struct abi_inflate *a = inflate_of(strm);

	if (!a || !split_inflate_window_bits(windowBits, &shape))
		return Z_STREAM_ERROR;
	a->engine.wrap = shape.wrap;
	a->engine.window_log2 = shape.window_log2;
	return inflateReset(strm);
}

int ZEXPORT inflateEnd(z_streamp strm)
{
	struct abi_inflate *a = inflate_of(strm);

	if (!a)
		return Z_STREAM_ERROR;
	if (a->engine.window)
		strm->zfree(strm->opaque, a->engine.window);
	a->tag = 0;
	strm->zfree(strm->opaque, a);
	strm->state = NULL;
	return Z_OK;
}

int ZEXPORT inflateCopy(z_streamp dest, z_streamp source)
{
	struct abi_inflate *from = inflate_of(source), *to;
	uint8_t *window = NULL;

	if (!from || !dest)
		return Z_STREAM_ERROR;
	to = source->zalloc(source->opaque, 1, sizeof *to);
	if (!to)
		return Z_MEM_ERROR;
	if (from->engine.window) {
		window = source->zalloc(source->opaque, 1, WINDOW_BYTES);
		if (!window) {
			source->zfree(source->opaque, to);
			return Z_MEM_ERROR;
		}
	}
	*dest = *source;
	to->tag = INFLATE_TAG;
	to->owner = dest;
	to->head = from->head;
	zw_window_copy(&to->engine, window, &from->engine);
	dest->state = (struct internal_state *)(void *)to;
	return Z_OK;
}

/* ---- inflate ------------------------------------------------------------------------------------------------- */

static void *take_from_stream(void *owner, size_t bytes)
{
	z_streamp strm = owner;

	return strm->zalloc(strm->opaque, 1, (uInt)bytes);
}

/* Unused bits, last block, block boundary, just behind a block's header. */
static int data_type_of(const struct zw_inflate *s)
{
	return s->hold_count + (s->last_block ? 64 : 0) + (s->mode == ZW_INFLATE_BLOCK_STOP ? 128 : 0)
		+ (s->mode == ZW_INFLATE_SYMBOLS_STOP || s->mode == ZW_INFLATE_COPY_STOP ? 256 : 0);
}

int ZEXPORT inflate(z_streamp strm, int flush)
{
	struct abi_inflate *a = inflate_of(strm);
	struct zw_inflate_call call;
	enum zw_result result;

	if (!a || !strm->next_out || (!strm->next_in && strm->avail_in))
		return Z_STREAM_ERROR;
	call.br.next = strm->next_in;
	call.br.end = strm->avail_in ? strm->next_in + strm->avail_in : strm->next_in;
	call.out.next = strm->next_out;
	call.out.left_bytes = strm->avail_out;
	call.flush = flush < Z_NO_FLUSH || flush > Z_TREES ? ZW_FLUSH_NONE : (enum zw_flush)flush;
	call.memory.take = take_from_stream;
	call.memory.owner = strm;
	call.header = a->head;

	result = zw_inflate_run(&a->engine, &call);
	if (result == ZW_BAD_CALL)
		return Z_STREAM_ERROR;
	strm->next_out = call.out.next;
	strm->avail_out = (uInt)call.out.left_bytes;
	strm->next_in = (z_const Bytef *)call.br.next;
	strm->avail_in = (uInt)(call.br.end - call.br.next);
	if (a->engine.wrap)
		strm->adler = a->engine.shown_check;
	if (result == ZW_NEED_DICTIONARY || result == ZW_NO_MEMORY)
		return inflate_code(result);     /* KEEP-STOCK: these two leave the totals as they were */
	strm->total_in += (uLong)(call.br.next - call.in_begin);
	strm->total_out += (uLong)call.made_bytes;
	strm->data_type = data_type_of(&a->engine);
	if (result == ZW_BAD_DATA)
		strm->msg = (z_const char *)error_text((enum zw_inflate_error)a->engine.error);
	return inflate_code(result);
}

/* ---- dictionary, header, bits, marks -------------------------------------------------------------------------- */

int ZEXPORT inflateSetDictionary(z_streamp strm, const Bytef *dictionary, uInt dictLength)
{
	struct abi_inflate *a = inflate_of(strm);
	struct zw_memory memory = { take_from_stream, strm };

	if (!a || (a->engine.wrap && a->engine.mode != ZW_INFLATE_DICT))
		return Z_STREAM_ERROR;
	if (a->engine.mode == ZW_INFLATE_DICT && a->engine.kernels->adler32(1, dictionary, dictLength) != a->engine.check)
		return Z_DATA_ERROR;
	if (!zw_window_open(&a->engine, memory)) {
		a->engine.mode = ZW_INFLATE_NO_WINDOW;
		return Z_MEM_ERROR;
	}
	zw_window_add_dictionary(&a->engine, dictionary, dictLength);
	a->engine.dictionary_given = true;
	return Z_OK;
}

int ZEXPORT inflateGetDictionary(z_streamp strm, Bytef *dictionary, uInt *dictLength)
{
	struct abi_inflate *a = inflate_of(strm);

	if (!a)
		return Z_STREAM_ERROR;
	if (dictionary && a->engine.history_bytes)
		memcpy(dictionary, a->engine.emit - a->engine.history_bytes, a->engine.history_bytes);
	if (dictLength)
		*dictLength = a->engine.history_bytes;
	return Z_OK;
}

int ZEXPORT inflateGetHeader(z_streamp strm, gz_headerp head)
{
	struct abi_inflate *a = inflate_of(strm);

	if (!a || !(a->engine.wrap & ZW_WRAP_GZIP))
		return Z_STREAM_ERROR;
	a->head = head;
	head->done = 0;
	return Z_OK;
}

int ZEXPORT inflatePrime(z_streamp strm, int bits, int value)
{
	struct abi_inflate *a = inflate_of(strm);

	if (!a)
		return Z_STREAM_ERROR;
	if (bits == 0)
		return Z_OK;
	if (bits < 0) {
		a->engine.hold = 0;
		a->engine.hold_count = 0;
		return Z_OK;
	}
	if (bits > PRIME_MAX_BITS || a->engine.hold_count + bits > PRIME_HOLD_MAX_BITS)
		return Z_STREAM_ERROR;
	a->engine.hold |= zw_low_bits((uint64_t)(unsigned)value, (uint32_t)bits) << a->engine.hold_count;
	a->engine.hold_count = (uint8_t)(a->engine.hold_count + bits);
	return Z_OK;
}

int ZEXPORT inflateSync(z_streamp strm)
{
	struct abi_inflate *a = inflate_of(strm);
	struct zw_in in;
	enum zw_result result;
	uLong total_in, total_out;

	if (!a)
		return Z_STREAM_ERROR;
	in.next = strm->next_in;
	in.left_bytes = strm->avail_in;
	result = zw_inflate_sync(&a->engine, &in);
	total_in = strm->total_in + (uLong)(strm->avail_in - in.left_bytes);
	total_out = strm->total_out;
	strm->next_in = (z_const Bytef *)in.next;
	strm->avail_in = (uInt)in.left_bytes;
	if (result == ZW_OK)
		reset_caller_fields(strm, a);
	strm->total_in = total_in;
	strm->total_out = total_out;
	return inflate_code(result);
}

int ZEXPORT inflateSyncPoint(z_streamp strm)
{
	struct abi_inflate *a = inflate_of(strm);

	if (!a)
		return Z_STREAM_ERROR;
	return a->engine.mode == ZW_INFLATE_STORED && a->engine.hold_count == 0;
}

long ZEXPORT inflateMark(z_streamp strm)
{
	const long outside = -65536L;            /* -1 in the upper part */
	struct abi_inflate *a = inflate_of(strm);

	if (!a)
		return outside;
	if (a->engine.mode == ZW_INFLATE_COPY)
		return outside + (long)a->engine.stored_left;
	if (a->engine.mode == ZW_INFLATE_SYMBOLS)
		return (long)(a->engine.out - a->engine.emit);
	return outside;
}

int ZEXPORT inflateUndermine(z_streamp strm, int subvert)
{
	(void)subvert;                           /* distances are always checked */
	return inflate_of(strm) ? Z_DATA_ERROR : Z_STREAM_ERROR;
}

int ZEXPORT inflateValidate(z_streamp strm, int check)
{
	struct abi_inflate *a = inflate_of(strm);

	if (!a)
		return Z_STREAM_ERROR;
	if (check && a->engine.wrap)
		a->engine.wrap |= ZW_WRAP_CHECK;
	else
		a->engine.wrap &= (uint8_t)~ZW_WRAP_CHECK;
	a->engine.gzip.check = (a->engine.wrap & ZW_WRAP_CHECK) != 0;
	return Z_OK;
}

unsigned long ZEXPORT inflateCodesUsed(z_streamp strm)
{
	struct abi_inflate *a = inflate_of(strm);

	return a ? a->engine.dynamic.used_entries : (unsigned long)-1;
}

/* ---- inflateBack --------------------------------------------------------------------------------------------- */

int ZEXPORT inflateBackInit_(z_streamp strm, int windowBits, unsigned char FAR *window, const char *version, int stream_size)
{
	struct abi_inflate *a;

	if (version_differs(version, stream_size))
		return Z_VERSION_ERROR;
	if (!strm || !window || windowBits < (int)WINDOW_MIN_LOG2 || windowBits > MAX_WBITS)
		return Z_STREAM_ERROR;
	strm->msg = NULL;
	zw_use_default_allocator(strm);
	a = take_state(strm);
	if (!a)
		return Z_MEM_ERROR;
	a->owner = NULL;                         /* not a stream for inflate() and inflateEnd() */
	a->engine.window = window;
	a->engine.window_log2 = (uint8_t)windowBits;
	return Z_OK;
}

struct back_callbacks { in_func in; void *in_desc; out_func out; void *out_desc; };

static unsigned pull_from_caller(void *owner, const uint8_t **next_ret)
{
	struct back_callbacks *calls = owner;
	z_const unsigned char *next = NULL;
	unsigned bytes = calls->in(calls->in_desc, &next);

	*next_ret = next;
	return bytes;
}

static int push_to_caller(void *owner, uint8_t *from, unsigned bytes)
{
	struct back_callbacks *calls = owner;

	return calls->out(calls->out_desc, from, bytes);
}

int ZEXPORT inflateBack(z_streamp strm, in_func in, void FAR *in_desc, out_func out, void FAR *out_desc)
{
	struct back_callbacks calls = { in, in_desc, out, out_desc };
	struct zw_back_io io = { .pull = pull_from_caller, .pull_owner = &calls, .push = push_to_caller, .push_owner = &calls };
	struct abi_inflate *a;
	enum zw_result result;

	if (!strm || !strm->state)
		return Z_STREAM_ERROR;
	a = (struct abi_inflate *)(void *)strm->state;
	if (a->tag != INFLATE_TAG)
		return Z_STREAM_ERROR;
	strm->msg = NULL;
	io.br.next = io.br.start = strm->next_in;
	io.br.end = strm->next_in ? strm->next_in + strm->avail_in : NULL;
	io.window = a->engine.window;
	io.window_bytes = (size_t)1 << a->engine.window_log2;

	result = zw_inflate_back(&a->engine, &io);
	strm->next_in = (z_const Bytef *)io.br.next;
	strm->avail_in = (uInt)zw_bits_left_bytes(&io.br);
	if (result == ZW_BAD_DATA)
		strm->msg = (z_const char *)error_text((enum zw_inflate_error)a->engine.error);
	return inflate_code(result);
}

int ZEXPORT inflateBackEnd(z_streamp strm)
{
	struct abi_inflate *a;

	if (!strm || !strm->state || !strm->zfree)
		return Z_STREAM_ERROR;
	a = (struct abi_inflate *)(void *)strm->state;
	if (a->tag != INFLATE_TAG)
		return Z_STREAM_ERROR;
	a->tag = 0;
	strm->zfree(strm->opaque, a);            /* the window is the caller's */
	strm->state = NULL;
	return Z_OK;
}
