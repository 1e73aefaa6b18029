/* SPDX-License-Identifier: Zlib */
/* inflate_stream.c - the stages of an inflate stream in the order of the data, each state one function.
 * Takes: a call's input and output.  Gives: what zlib would have given for the same call.
 * Never: holds back a byte that could be decoded, or takes one that it does not need. */
#include "inflate/inflate_state.h"

#include "wrap/zlib_read.h"

#define ADLER_START 1u
#define CRC_START   0u

enum zw_step zw_inflate_fail(struct zw_inflate *s, enum zw_inflate_error error)
{
	s->error = (uint8_t)error;
	s->mode = ZW_INFLATE_BAD;
	return ZW_STEP_GO;
}

void zw_inflate_reset_keep(struct zw_inflate *s)
{
	s->mode = ZW_INFLATE_HEAD;
	s->error = ZW_ERROR_NONE;
	s->hold = 0;
	s->hold_count = 0;
	s->total_out = 0;
	s->check = 0;
	s->shown_check = s->wrap & ZW_WRAP_ZLIB;
	s->format = ZW_RAW;
	s->header_seen = s->last_block = s->dictionary_given = false;
	s->tables = &zw_fixed_tables;
	s->may_look_ahead = true;
	s->looks_ahead = s->repeats = false;
	s->surplus_distance = 0;
	s->out = s->emit;                        /* what was not delivered is gone */
}

void zw_inflate_reset(struct zw_inflate *s)
{
	zw_inflate_reset_keep(s);
	s->out = s->emit = s->window;
	s->history_bytes = 0;
	s->history_kept = false;
}

static void set_check(struct zw_inflate *s, uint32_t value)
{
	s->shown_check = s->check = value;
}

static_assert(REFILL_MAX_BITS < 64, "what is held between calls fits the six bits of data_type");

/* KEEP-STOCK: the field that was wrong is still there for inflateSync(). */
static enum zw_step fail_at(struct zw_inflate *s, struct zw_inflate_call *c, enum zw_inflate_error error, uint32_t field, unsigned bits)
{
	zw_bits_retain(&c->br, field, bits);
	return zw_inflate_fail(s, error);
}

/* ---- wrapper ----------------------------------------------------------------------------------------------------- */

static enum zw_step read_head(struct zw_inflate *s, struct zw_inflate_call *c)
{
	uint8_t first, second;
	uint32_t both;

	if (!s->wrap) {
		s->mode = ZW_INFLATE_BLOCK;      /* KEEP-STOCK: raw data has no stop before its first block */
		return ZW_STEP_GO;
	}
	if (!zw_bits_need(&c->br, 16))
		return ZW_STEP_NEED_INPUT;
	both = zw_bits_take(&c->br, 16);
	first = (uint8_t)both;
	second = (uint8_t)(both >> 8);
	zw_bits_give_back(&c->br);
	c->br.hold = c->br.count = 0;            /* the header ends on a byte boundary, primed bits or not */
	if ((s->wrap & ZW_WRAP_GZIP) && first == GZIP_MAGIC_1 && second == GZIP_MAGIC_2) {
		if (!s->window_log2)
			s->window_log2 = WINDOW_MAX_LOG2;
		s->format = ZW_GZIP;
		zw_gzip_read_begin(&s->gzip, (s->wrap & ZW_WRAP_CHECK) != 0);
		s->mode = ZW_INFLATE_GZIP;
		return ZW_STEP_GO;
	}
	if (c->header)
		c->header->done = -1;
	if (!(s->wrap & ZW_WRAP_ZLIB) || !zw_zlib_check_bits_good(first, second))
		return fail_at(s, c, ZW_ERROR_HEADER_CHECK, both, 16);
	if (!zw_zlib_method_good(first))
		return fail_at(s, c, ZW_ERROR_METHOD, both, 16);
	if (!s->window_log2)                     /* a size that is an error must not outlive it: inflateSync() goes on without a header */
		s->window_log2 = (uint8_t)(zw_zlib_window_log2(first) < WINDOW_MAX_LOG2 ? zw_zlib_window_log2(first) : WINDOW_MAX_LOG2);
	if (zw_zlib_window_log2(first) > WINDOW_MAX_LOG2 || zw_zlib_window_log2(first) > s->window_log2)
		return fail_at(s, c, ZW_ERROR_WINDOW_SIZE, both >> 4, 12);
	s->format = ZW_ZLIB;
	s->header_seen = true;
	set_check(s, ADLER_START);
	s->mode = zw_zlib_wants_dictionary(second) ? ZW_INFLATE_DICT_ID : ZW_INFLATE_BLOCK_STOP;
	return ZW_STEP_GO;
}

static enum zw_step read_gzip(struct zw_inflate *s, struct zw_inflate_call *c)
{
	struct zw_in in = { c->br.next, zw_bits_left_bytes(&c->br) };
	enum zw_step step = zw_gzip_read_header(&s->gzip, &in, c->header, s->kernels);
	uint32_t field = zw_load_le16(s->gzip.held);

	c->br.next = c->br.start = in.next;      /* what is held was primed, and comes later: nothing to give back */
	s->header_seen = step == ZW_STEP_BAD || s->gzip.mode != ZW_GZIP_METHOD;
	if (step == ZW_STEP_DONE) {
		set_check(s, CRC_START);
		s->mode = ZW_INFLATE_BLOCK_STOP;
		return ZW_STEP_GO;
	}
	if (s->header_seen)
		s->check = s->gzip.crc;          /* KEEP-STOCK: what goes on behind inflateSync(), if checks are asked for */
	if (step != ZW_STEP_BAD)
		return step;
	switch ((enum zw_gzip_error)s->gzip.error) {
	case ZW_GZIP_BAD_METHOD: return fail_at(s, c, ZW_ERROR_METHOD, field, 16);
	case ZW_GZIP_BAD_FLAGS:  return fail_at(s, c, ZW_ERROR_HEADER_FLAGS, field, 16);
	case ZW_GZIP_BAD_CRC:    return fail_at(s, c, ZW_ERROR_HEADER_CRC, field, 16);
	case ZW_GZIP_GOOD:       break;
	}
	return ZW_STEP_BAD;
}

static enum zw_step read_dict_id(struct zw_inflate *s, struct zw_inflate_call *c)
{
	if (!zw_bits_need(&c->br, 32))
		return ZW_STEP_NEED_INPUT;
	set_check(s, zw_swap32(zw_bits_take(&c->br, 32)));
	zw_bits_give_back(&c->br);
	s->mode = ZW_INFLATE_DICT;
	return ZW_STEP_GO;
}

static enum zw_step wait_for_dictionary(struct zw_inflate *s)
{
	if (!s->dictionary_given)
		return ZW_STEP_DONE;
	set_check(s, ADLER_START);
	s->mode = ZW_INFLATE_BLOCK_STOP;
	return ZW_STEP_GO;
}

/* ---- blocks ------------------------------------------------------------------------------------------------------ */

static bool stops_at_headers(const struct zw_inflate_call *c) { return c->flush == ZW_FLUSH_TREES; }

static bool stops_at_blocks(const struct zw_inflate_call *c)
{
	return c->flush == ZW_FLUSH_BLOCK || c->flush == ZW_FLUSH_TREES;
}

static enum zw_step begin_block(struct zw_inflate *s, struct zw_inflate_call *c)
{
	if (s->last_block) {
		zw_bits_align(&c->br);
		s->mode = ZW_INFLATE_CHECK;
		return ZW_STEP_GO;
	}
	if (!zw_bits_need(&c->br, 3))
		return ZW_STEP_NEED_INPUT;
	s->last_block = zw_bits_take(&c->br, 1) != 0;
	switch (zw_bits_take(&c->br, 2)) {
	case BLOCK_STORED:
		s->mode = ZW_INFLATE_STORED;
		return ZW_STEP_GO;
	case BLOCK_FIXED:
		s->tables = &zw_fixed_tables;
		s->looks_ahead = s->repeats = false;
		s->mode = stops_at_headers(c) ? ZW_INFLATE_SYMBOLS_STOP : ZW_INFLATE_SYMBOLS;
		return ZW_STEP_GO;
	case BLOCK_DYNAMIC:
		s->mode = ZW_INFLATE_COUNTS;
		return ZW_STEP_GO;
	}
	return zw_inflate_fail(s, ZW_ERROR_BLOCK_TYPE);
}

static enum zw_step read_stored_lengths(struct zw_inflate *s, struct zw_inflate_call *c)
{
	uint32_t both;

	zw_bits_align(&c->br);                   /* KEEP-STOCK: in every call, whatever inflatePrime() added */
	if (!zw_bits_need(&c->br, 32))
		return ZW_STEP_NEED_INPUT;
	both = zw_bits_take(&c->br, 32);
	zw_bits_give_back(&c->br);
	if ((both & 0xffff) != (both >> 16 ^ 0xffff))
		return fail_at(s, c, ZW_ERROR_STORED_LENGTHS, both, 32);
	s->stored_left = both & 0xffff;
	s->mode = stops_at_headers(c) ? ZW_INFLATE_COPY_STOP : s->stored_left ? ZW_INFLATE_COPY : ZW_INFLATE_BLOCK_STOP;
	return ZW_STEP_GO;
}

static enum zw_step copy_stored(struct zw_inflate *s, struct zw_inflate_call *c)
{
	size_t n = s->stored_left;

	if (!n) {
		s->mode = ZW_INFLATE_BLOCK_STOP;
		return ZW_STEP_GO;
	}
	zw_window_deliver(s, c);
	if (!c->out.left_bytes)
		return ZW_STEP_NEED_OUTPUT;
	if (n > zw_bits_left_bytes(&c->br))
		n = zw_bits_left_bytes(&c->br);
	if (!n)
		return ZW_STEP_NEED_INPUT;
	if (n > c->out.left_bytes)
		n = c->out.left_bytes;
	zw_window_pass(s, c, n);
	c->br.start = c->br.next;                /* bits may be held that inflatePrime() put there: they come behind the block */
	s->stored_left -= (uint32_t)n;
	return ZW_STEP_GO;
}

/* KEEP-STOCK: a distance is looked at only when there is room for its match. */
static enum zw_step refuse_distance(struct zw_inflate *s, struct zw_inflate_call *c)
{
	zw_window_deliver(s, c);
	if (!c->out.left_bytes)
		return ZW_STEP_NEED_OUTPUT;
	return zw_inflate_fail(s, ZW_ERROR_TOO_FAR);
}

/* ---- trailer ----------------------------------------------------------------------------------------------------- */

static enum zw_step compare_check(struct zw_inflate *s, struct zw_inflate_call *c)
{
	uint32_t field, value;

	zw_window_deliver(s, c);
	ZW_ASSERT(s->out == s->emit);            /* the end of a block is taken only while there is room */
	if (!s->wrap) {
		s->mode = ZW_INFLATE_DONE;
		return ZW_STEP_GO;
	}
	if (!zw_bits_need(&c->br, 32))
		return ZW_STEP_NEED_INPUT;
	field = zw_bits_take(&c->br, 32);
	zw_bits_give_back(&c->br);
	value = s->format == ZW_GZIP ? field : zw_swap32(field);
	if ((s->wrap & ZW_WRAP_CHECK) && value != s->check)
		return fail_at(s, c, ZW_ERROR_DATA_CHECK, field, 32);
	s->mode = s->format == ZW_GZIP ? ZW_INFLATE_LENGTH : ZW_INFLATE_DONE;
	return ZW_STEP_GO;
}

static enum zw_step compare_length(struct zw_inflate *s, struct zw_inflate_call *c)
{
	uint32_t value;

	if (!zw_bits_need(&c->br, 32))
		return ZW_STEP_NEED_INPUT;
	value = zw_bits_take(&c->br, 32);
	zw_bits_give_back(&c->br);
	if ((s->wrap & ZW_WRAP_CHECK) && value != (uint32_t)s->total_out)
		return fail_at(s, c, ZW_ERROR_LENGTH_CHECK, value, 32);
	s->mode = ZW_INFLATE_DONE;
	return ZW_STEP_GO;
}

/* ---- the call ---------------------------------------------------------------------------------------------------- */

static enum zw_step stop_or(struct zw_inflate *s, bool stop, enum zw_inflate_mode then)
{
	if (stop)
		return ZW_STEP_DONE;
	s->mode = (uint8_t)then;
	return ZW_STEP_GO;
}

static enum zw_step advance(struct zw_inflate *s, struct zw_inflate_call *c)
{
	switch ((enum zw_inflate_mode)s->mode) {
	case ZW_INFLATE_HEAD:         return read_head(s, c);
	case ZW_INFLATE_GZIP:         return read_gzip(s, c);
	case ZW_INFLATE_DICT_ID:      return read_dict_id(s, c);
	case ZW_INFLATE_DICT:         return wait_for_dictionary(s);
	case ZW_INFLATE_BLOCK_STOP:   /* KEEP-STOCK: still a block boundary while the next header's bits are missing */
		return stops_at_blocks(c) ? ZW_STEP_DONE : begin_block(s, c);
	case ZW_INFLATE_BLOCK:        return begin_block(s, c);
	case ZW_INFLATE_STORED:       return read_stored_lengths(s, c);
	case ZW_INFLATE_COPY_STOP:    return stop_or(s, stops_at_headers(c), ZW_INFLATE_COPY);
	case ZW_INFLATE_COPY:         return copy_stored(s, c);
	case ZW_INFLATE_COUNTS:       return zw_block_read_counts(s, &c->br);
	case ZW_INFLATE_PRECODE:      return zw_block_read_precode(s, &c->br);
	case ZW_INFLATE_LENGTHS:      return zw_block_read_lengths(s, &c->br);
	case ZW_INFLATE_SYMBOLS_STOP: return stop_or(s, stops_at_headers(c), ZW_INFLATE_SYMBOLS);
	case ZW_INFLATE_SYMBOLS:      return zw_inflate_symbols(s, c);
	case ZW_INFLATE_TOO_FAR:      return refuse_distance(s, c);
	case ZW_INFLATE_CHECK:        return compare_check(s, c);
	case ZW_INFLATE_LENGTH:       return compare_length(s, c);
	case ZW_INFLATE_DONE:         return ZW_STEP_DONE;
	case ZW_INFLATE_BAD:
	case ZW_INFLATE_NO_WINDOW:
	case ZW_INFLATE_SYNC:         return ZW_STEP_BAD;
	}
	return ZW_STEP_BAD;
}

/* A stop belongs to the call that reached it: the next call goes on. */
static void leave_stop(struct zw_inflate *s)
{
	if (s->mode == ZW_INFLATE_BLOCK_STOP)
		s->mode = ZW_INFLATE_BLOCK;
	else if (s->mode == ZW_INFLATE_COPY_STOP)
		s->mode = ZW_INFLATE_COPY;
	else if (s->mode == ZW_INFLATE_SYMBOLS_STOP)
		s->mode = ZW_INFLATE_SYMBOLS;
}

/* KEEP-STOCK: matches may reach history_bytes before this call's output, and all of this call's output; history_bytes is what
 * zlib would have in its window of 2^window_log2 bytes.  A match that the last call could not finish is judged again. */
static void begin_call(struct zw_inflate *s, struct zw_inflate_call *c)
{
	c->br.hold = s->hold;
	c->br.count = s->hold_count;
	c->br.start = c->in_begin = c->br.next;
	c->made_bytes = c->passed_bytes = 0;
	c->in_first_window = false;
	c->stop = s->emit;
	c->reach = s->window ? s->emit - s->history_bytes : NULL;
	leave_stop(s);
	if (s->out > s->emit && s->surplus_distance > s->history_bytes) {
		s->out = s->emit;
		s->mode = ZW_INFLATE_TOO_FAR;
	}
	if (c->out.left_bytes)
		s->surplus_distance = 0;
}

/* KEEP-STOCK: what a last call made is not kept behind a trailer that was read, or behind any end if it was Z_FINISH.  We do keep
 * the former where it is in the window anyway: see README.md. */
static bool keeps_history(const struct zw_inflate *s, const struct zw_inflate_call *c)
{
	if (s->history_kept)
		return true;
	if (!c->made_bytes || s->mode >= ZW_INFLATE_BAD || (s->mode >= ZW_INFLATE_CHECK && c->flush == ZW_FLUSH_FINISH))
		return false;
	return s->window || s->mode <= ZW_INFLATE_CHECK || !s->wrap;
}

static void keep_made(struct zw_inflate *s, const struct zw_inflate_call *c)
{
	size_t limit = (size_t)1 << s->window_log2;
	size_t bytes = s->history_bytes + c->made_bytes;

	s->history_kept = true;
	s->history_bytes = (uint32_t)(bytes < limit ? bytes : limit);
}

/* last: what the last step waits for.  A step that needs more input has taken all there is. */
static void end_call(struct zw_inflate *s, struct zw_inflate_call *c, enum zw_step last)
{
	zw_window_deliver(s, c);
	if (last != ZW_STEP_NEED_INPUT)
		zw_bits_give_back(&c->br);
	ZW_ASSERT(last != ZW_STEP_NEED_INPUT || c->br.next == c->br.end);
	ZW_ASSERT(c->br.next >= c->in_begin && c->br.next <= c->br.end && c->br.count <= REFILL_MAX_BITS);
	s->hold = c->br.hold;
	s->hold_count = (uint8_t)c->br.count;
	if (zw_window_end_call(s, c, keeps_history(s, c)))
		keep_made(s, c);
}

static enum zw_result call_result(const struct zw_inflate *s, const struct zw_inflate_call *c)
{
	switch ((enum zw_inflate_mode)s->mode) {
	case ZW_INFLATE_DICT:      return ZW_NEED_DICTIONARY;
	case ZW_INFLATE_DONE:      return ZW_STREAM_DONE;
	case ZW_INFLATE_BAD:       return ZW_BAD_DATA;
	case ZW_INFLATE_NO_WINDOW: return ZW_NO_MEMORY;
	case ZW_INFLATE_SYNC:      return ZW_BAD_CALL;
	default:                   break;
	}
	if (c->flush == ZW_FLUSH_FINISH || (!c->made_bytes && c->br.next == c->in_begin))
		return ZW_NO_PROGRESS;
	return ZW_OK;
}

/* What waits fills the room and there is nothing to decide: most calls with a byte of room, M14. */
static bool only_delivers(const struct zw_inflate *s, const struct zw_inflate_call *c)
{
	return (size_t)(s->out - s->emit) > c->out.left_bytes && s->mode == ZW_INFLATE_SYMBOLS && !s->surplus_distance;
}

enum zw_result zw_inflate_run(struct zw_inflate *s, struct zw_inflate_call *c)
{
	enum zw_step step = ZW_STEP_GO;

	if (s->mode == ZW_INFLATE_SYNC)
		return ZW_BAD_CALL;
	if (only_delivers(s, c)) {
		c->in_begin = c->br.next;
		c->made_bytes = 0;
		c->in_first_window = false;
		zw_window_deliver(s, c);
		if (c->made_bytes)
			keep_made(s, c);
		return call_result(s, c);
	}
	begin_call(s, c);
	while (step == ZW_STEP_GO)
		step = advance(s, c);
	end_call(s, c, step);
	return call_result(s, c);
}
