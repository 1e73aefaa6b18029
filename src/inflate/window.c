/* SPDX-License-Identifier: Zlib */
/* window.c - history and work space in one piece of memory, and the way out of it.
 * Takes: decoded bytes.  Gives: the caller's bytes, copied and checksummed in one pass.  Stored bytes pass it by.
 * Never: writes to the caller's buffer more than is delivered; splits a match at a wrap, because there is none; takes memory for a
 * small stream that ends in its first call. */
#include "inflate/copy_bytes.h"
#include "inflate/inflate_state.h"

bool zw_window_open(struct zw_inflate *s, struct zw_memory memory)
{
	if (s->window)
		return true;
	s->window = memory.take(memory.owner, WINDOW_BYTES);
	if (!s->window)
		return false;
	s->out = s->emit = s->window;
	return true;
}

/* The next n bytes of the output. */
static void give(struct zw_inflate *s, struct zw_inflate_call *c, const uint8_t *from, size_t n)
{
	if (!(s->wrap & ZW_WRAP_CHECK))
		zw_copy_bytes(c->out.next, from, n);
	else if (s->format == ZW_GZIP)
		s->shown_check = s->check = s->kernels->crc32_copy(s->check, c->out.next, from, n);
	else
		s->shown_check = s->check = s->kernels->adler32_copy(s->check, c->out.next, from, n);
	c->out.next += n;
	c->out.left_bytes -= n;
	c->made_bytes += n;
	s->total_out += n;
}

void zw_window_deliver(struct zw_inflate *s, struct zw_inflate_call *c)
{
	size_t n = (size_t)(s->out - s->emit);

	ZW_ASSERT(s->out >= s->emit && (!n || s->out <= (c->in_first_window ? c->first_window + sizeof c->first_window
										  : s->window + WINDOW_BYTES)));
	if (n > c->out.left_bytes)
		n = c->out.left_bytes;
	if (!n)
		return;
	give(s, c, s->emit, n);
	s->emit += n;
}

/* The last WINDOW_HISTORY_BYTES move to the beginning. */
static void slide(struct zw_inflate *s, struct zw_inflate_call *c)
{
	size_t by = (size_t)(s->out - s->window) - WINDOW_HISTORY_BYTES;

	ZW_ASSERT(s->out == s->emit && by >= WINDOW_HISTORY_BYTES);
	zw_copy_bytes(s->window, s->window + by, WINDOW_HISTORY_BYTES);
	s->out = s->emit = s->window + WINDOW_HISTORY_BYTES;
	c->reach = (size_t)(c->reach - s->window) > by ? c->reach - by : s->window;
}

/* A true window, with what is in the first one; false: no memory, and nothing is left. */
static bool leave_first_window(struct zw_inflate *s, struct zw_inflate_call *c)
{
	size_t bytes = (size_t)(s->out - c->first_window), surplus = (size_t)(s->out - s->emit);

	ZW_ASSERT(c->in_first_window && !s->window && bytes <= sizeof c->first_window);
	c->in_first_window = false;
	s->out = s->emit = NULL;
	if (!zw_window_open(s, c->memory)) {
		s->mode = ZW_INFLATE_NO_WINDOW;
		return false;
	}
	memcpy(s->window, c->first_window, bytes);
	s->out = s->window + bytes;
	s->emit = s->out - surplus;
	c->reach = s->window;
	return true;
}

static bool find_true_window(struct zw_inflate *s, struct zw_inflate_call *c)
{
	if (s->window)
		return true;
	if (!zw_window_open(s, c->memory)) {
		s->mode = ZW_INFLATE_NO_WINDOW;
		return false;
	}
	c->reach = s->window;
	return true;
}

static bool find_window(struct zw_inflate *s, struct zw_inflate_call *c)
{
	if (s->window || c->in_first_window)
		return true;
	if (zw_bits_left_bytes(&c->br) <= FIRST_INPUT_MAX_BYTES) {
		c->in_first_window = true;
		c->reach = s->out = s->emit = c->first_window;
		return true;
	}
	return find_true_window(s, c);
}

static bool is_full(const struct zw_inflate *s, const struct zw_inflate_call *c)
{
	return c->in_first_window ? s->out >= c->first_window + FIRST_WINDOW_BYTES
				  : s->out > s->window + WINDOW_END_BYTES - WINDOW_SLIDE_BYTES;
}

/* SPEED(M36): what waits since the last call goes out with what this one makes, if there is room for both: the start and the end of
 * a checksum cost as much as 1 KB of it. */
bool zw_window_make_room(struct zw_inflate *s, struct zw_inflate_call *c)
{
	const uint8_t *end;
	size_t waiting, room;
	bool full;

	if (!zw_window_recall(s, c) || !find_window(s, c))
		return false;
	waiting = (size_t)(s->out - s->emit);
	if (waiting > c->out.left_bytes) {
		zw_window_deliver(s, c);
		return false;
	}
	s->surplus_distance = 0;
	full = is_full(s, c);
	if (full || waiting >= WINDOW_WORK_BYTES) {
		zw_window_deliver(s, c);
		waiting = 0;
	}
	if (full && c->in_first_window) {
		if (!leave_first_window(s, c))
			return false;
	} else if (full) {
		slide(s, c);
	}
	end = c->in_first_window ? c->first_window + FIRST_WINDOW_BYTES : s->window + WINDOW_END_BYTES;
	room = (size_t)(end - s->out);
	if (room > WINDOW_WORK_BYTES - waiting)
		room = WINDOW_WORK_BYTES - waiting;
	if (room > c->out.left_bytes - waiting)
		room = c->out.left_bytes - waiting;
	c->stop = s->out + room;
	ZW_ASSERT(c->stop <= end && c->reach <= s->out && (size_t)(c->stop - s->emit) <= c->out.left_bytes);
	ZW_ASSERT(c->reach >= (c->in_first_window ? c->first_window : s->window));
	return true;
}

/* Bytes of a stored block.  They are history only when somebody asks for it: the caller's buffer has them until the call ends. */
void zw_window_pass(struct zw_inflate *s, struct zw_inflate_call *c, size_t bytes)
{
	ZW_ASSERT(s->out == s->emit && bytes <= c->out.left_bytes && bytes <= zw_bits_left_bytes(&c->br));
	give(s, c, c->br.next, bytes);
	c->br.next += bytes;
	c->passed_bytes += bytes;
	c->stop = s->out;                        /* whoever decodes next has to make room, and recalls them */
}

bool zw_window_recall_passed(struct zw_inflate *s, struct zw_inflate_call *c)
{
	size_t n = c->passed_bytes < WINDOW_HISTORY_BYTES ? c->passed_bytes : WINDOW_HISTORY_BYTES;
	bool first_window_holds = c->in_first_window && n <= sizeof c->first_window - (size_t)(s->out - c->first_window);

	ZW_ASSERT(s->out == s->emit && n);
	c->passed_bytes = 0;
	if (c->in_first_window && !first_window_holds && !leave_first_window(s, c))
		return false;
	if (!first_window_holds) {
		if (!find_true_window(s, c))
			return false;
		if (n == WINDOW_HISTORY_BYTES)
			c->reach = s->out = s->window;
		else if ((size_t)(s->out - s->window) + n > WINDOW_END_BYTES)
			slide(s, c);
	}
	zw_copy_bytes(s->out, c->out.next - n, n);
	c->stop = s->emit = s->out += n;
	return true;
}

bool zw_window_end_call(struct zw_inflate *s, struct zw_inflate_call *c, bool keep_history)
{
	if (keep_history && !zw_window_recall(s, c))
		return false;
	if (!c->in_first_window)
		return keep_history;
	if (keep_history || s->out > s->emit)
		return leave_first_window(s, c) && keep_history;
	s->out = s->emit = NULL;
	return false;
}

/* Entry: the window is open.  The dictionary becomes the end of the history, before what is decoded but not delivered. */
void zw_window_add_dictionary(struct zw_inflate *s, const uint8_t *dictionary, size_t bytes)
{
	uint8_t surplus[SYMBOL_ROUND_OUT_BYTES];
	size_t surplus_bytes = (size_t)(s->out - s->emit);
	size_t limit = (size_t)1 << s->window_log2;
	size_t add = bytes < limit ? bytes : limit;
	size_t keep = s->history_bytes < limit - add ? s->history_bytes : limit - add;

	ZW_ASSERT(surplus_bytes <= sizeof surplus && s->window && s->window_log2 <= WINDOW_MAX_LOG2);
	ZW_ASSERT(s->history_bytes <= (size_t)(s->emit - s->window));
	memcpy(surplus, s->emit, surplus_bytes);
	memmove(s->window, s->emit - keep, keep);
	if (add)
		memcpy(s->window + keep, dictionary + (bytes - add), add);
	s->emit = s->window + keep + add;
	memcpy(s->emit, surplus, surplus_bytes);
	s->out = s->emit + surplus_bytes;
	s->history_bytes = (uint32_t)(keep + add);
	s->history_kept = true;
}

void zw_window_copy(struct zw_inflate *to, uint8_t *window, const struct zw_inflate *from)
{
	*to = *from;
	if (from->tables == &from->dynamic)
		to->tables = &to->dynamic;
	if (!from->window)
		return;
	memcpy(window, from->window, (size_t)(from->out - from->window));
	to->window = window;
	to->out = window + (from->out - from->window);
	to->emit = window + (from->emit - from->window);
}
