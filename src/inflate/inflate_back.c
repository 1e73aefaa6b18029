/* SPDX-License-Identifier: Zlib */
/* inflate_back.c - inflateBack(): one symbol at a time into the caller's window.
 * Takes: bits by pull().  Gives: the window by push() whenever it is full, and at the end.
 * Never: touches a byte outside the window's 2^n, reads ahead of what pull() gave. */
#include "inflate/inflate_back.h"

/* A full window goes out before the next byte comes in; false: push() gave up. */
static bool make_window_room(struct zw_back_io *io)
{
	if (io->at < io->window_bytes)
		return true;
	io->at = 0;
	io->wrapped = true;
	return io->push(io->push_owner, io->window, (unsigned)io->window_bytes) == 0;
}

static enum zw_step back_block(struct zw_inflate *s, struct zw_back_io *io)
{
	if (s->last_block) {
		zw_bits_align(&io->br);
		s->mode = ZW_INFLATE_DONE;
		return ZW_STEP_GO;
	}
	if (!zw_bits_need(&io->br, 3))
		return ZW_STEP_NEED_INPUT;
	s->last_block = zw_bits_take(&io->br, 1) != 0;
	switch (zw_bits_take(&io->br, 2)) {
	case BLOCK_STORED:
		zw_bits_align(&io->br);
		s->mode = ZW_INFLATE_STORED;
		return ZW_STEP_GO;
	case BLOCK_FIXED:
		s->tables = &zw_fixed_tables;
		s->mode = ZW_INFLATE_SYMBOLS;
		return ZW_STEP_GO;
	case BLOCK_DYNAMIC:
		s->mode = ZW_INFLATE_COUNTS;
		return ZW_STEP_GO;
	}
	return zw_inflate_fail(s, ZW_ERROR_BLOCK_TYPE);
}

static enum zw_step back_stored_lengths(struct zw_inflate *s, struct zw_back_io *io)
{
	if (!zw_bits_need(&io->br, 32))
		return ZW_STEP_NEED_INPUT;
	s->stored_left = zw_bits_take(&io->br, 16);
	if (s->stored_left != (zw_bits_take(&io->br, 16) ^ 0xffff))
		return zw_inflate_fail(s, ZW_ERROR_STORED_LENGTHS);
	zw_bits_give_back(&io->br);
	s->mode = ZW_INFLATE_COPY;
	return ZW_STEP_GO;
}

static enum zw_step back_stored(struct zw_inflate *s, struct zw_back_io *io)
{
	size_t n = s->stored_left;

	if (!n) {
		s->mode = ZW_INFLATE_BLOCK;
		return ZW_STEP_GO;
	}
	if (!zw_bits_left_bytes(&io->br))
		return ZW_STEP_NEED_INPUT;
	if (!make_window_room(io))
		return ZW_STEP_NEED_OUTPUT;
	if (n > zw_bits_left_bytes(&io->br))
		n = zw_bits_left_bytes(&io->br);
	if (n > io->window_bytes - io->at)
		n = io->window_bytes - io->at;
	memcpy(io->window + io->at, io->br.next, n);
	io->at += n;
	io->br.next += n;
	s->stored_left -= (uint32_t)n;
	return ZW_STEP_GO;
}

/* Byte by byte, round the end of the window; the distance is inside what the window holds. */
static enum zw_step back_match(struct zw_back_io *io, const struct zw_symbol *symbol)
{
	size_t mask = io->window_bytes - 1;

	ZW_ASSERT((io->window_bytes & mask) == 0 && symbol->distance <= io->window_bytes);
	for (uint32_t left = symbol->length; left; left--) {
		if (!make_window_room(io))
			return ZW_STEP_NEED_OUTPUT;
		io->window[io->at] = io->window[(io->at - symbol->distance) & mask];
		io->at++;
	}
	return ZW_STEP_GO;
}

static enum zw_step back_symbol(struct zw_inflate *s, struct zw_back_io *io)
{
	struct zw_symbol symbol;

	switch (zw_decode_symbol(&io->br, s->tables, &symbol)) {
	case ZW_SYMBOLS_BOUND:
		break;
	case ZW_SYMBOLS_END_OF_BLOCK:
		s->mode = ZW_INFLATE_BLOCK;
		return ZW_STEP_GO;
	case ZW_SYMBOLS_BAD_LITLEN:
		return zw_inflate_fail(s, ZW_ERROR_LITLEN);
	case ZW_SYMBOLS_BAD_DISTANCE:
		return zw_inflate_fail(s, ZW_ERROR_DISTANCE);
	case ZW_SYMBOLS_TOO_FAR:
		return ZW_STEP_BAD;
	case ZW_SYMBOLS_NEED_INPUT:
		return ZW_STEP_NEED_INPUT;
	}
	if (!symbol.length) {
		if (!make_window_room(io))
			return ZW_STEP_NEED_OUTPUT;
		io->window[io->at++] = symbol.literal;
		return ZW_STEP_GO;
	}
	if (symbol.distance > (io->wrapped ? io->window_bytes : io->at))
		return zw_inflate_fail(s, ZW_ERROR_TOO_FAR);
	return back_match(io, &symbol);
}

static enum zw_step back_advance(struct zw_inflate *s, struct zw_back_io *io)
{
	switch ((enum zw_inflate_mode)s->mode) {
	case ZW_INFLATE_BLOCK:        return back_block(s, io);
	case ZW_INFLATE_STORED:       return back_stored_lengths(s, io);
	case ZW_INFLATE_COPY:         return back_stored(s, io);
	case ZW_INFLATE_COUNTS:       return zw_block_read_counts(s, &io->br);
	case ZW_INFLATE_PRECODE:      return zw_block_read_precode(s, &io->br);
	case ZW_INFLATE_LENGTHS:      return zw_block_read_lengths(s, &io->br);
	case ZW_INFLATE_SYMBOLS_STOP:
	case ZW_INFLATE_SYMBOLS:      return back_symbol(s, io);
	case ZW_INFLATE_DONE:         return ZW_STEP_DONE;
	default:                      return ZW_STEP_BAD;
	}
}

static bool pull_input(struct zw_back_io *io)
{
	const uint8_t *next = NULL;
	unsigned bytes = io->pull(io->pull_owner, &next);

	ZW_ASSERT(zw_bits_left_bytes(&io->br) == 0);
	io->br.start = io->br.next = bytes ? next : NULL;
	io->br.end = bytes ? next + bytes : NULL;
	return bytes != 0;
}

enum zw_result zw_inflate_back(struct zw_inflate *s, struct zw_back_io *io)
{
	enum zw_result result = ZW_OK;

	s->mode = ZW_INFLATE_BLOCK;
	s->last_block = false;
	s->tables = &zw_fixed_tables;
	s->may_look_ahead = s->looks_ahead = false;
	while (result == ZW_OK) {
		switch (back_advance(s, io)) {
		case ZW_STEP_GO:          break;
		case ZW_STEP_NEED_INPUT:  result = pull_input(io) ? ZW_OK : ZW_NO_PROGRESS; break;
		case ZW_STEP_NEED_OUTPUT: result = ZW_NO_PROGRESS; break;
		case ZW_STEP_DONE:        result = ZW_STREAM_DONE; break;
		case ZW_STEP_BAD:         result = ZW_BAD_DATA;    break;
		}
	}
	if (io->at && io->push(io->push_owner, io->window, (unsigned)io->at) && result == ZW_STREAM_DONE)
		result = ZW_NO_PROGRESS;
	zw_bits_give_back(&io->br);
	return result;
}
