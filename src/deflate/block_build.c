/* SPDX-License-Identifier: Zlib */
/* block_build.c - decides what the blocks are: parsed or stored, and where each ends.
 * Takes: the window.  Gives: one begun block at a time.  Then: block_write.c
 * Never: copies input, allocates, knows a wrapper. */
#include "deflate/block_build.h"

#include "base/bytes.h"
#include "deflate/block_cost.h"
#include "deflate/block_split.h"

#include <string.h>

#define SPLIT_LAST_TOKENS    600u            /* a last part at least this long is looked at for a split, too */
#define PROBE_BYTES           64u            /* parsed of each segment that looks like noise while storing ... */
#define NOISE_LEAST_BYTES   1024u            /* a shorter segment is not judged */
#define FIRST_PROBE_BYTES   1024u            /* ... and of a block's first segment: chains are slow where nothing matches */
#define LEAST_ROOM_TOKENS (PARSE_SPARE_TOKENS + 16u)
#define STORED_HEADER_BITS    40u            /* padding aside: RFC 1951 3.2.4 */
#define RUN_PAID_BITS         48u            /* header and padding of a stored run: see deflate_bound.c */
#define FIXED_TOKEN_MAX_BITS  31u            /* of a match: 8 + 5 for its length, 5 + 13 for its distance; two literals: 18 */
#define BLOCK_FRAME_BITS      10u            /* of fixed codes: its header and the end of the block */
#define SURPLUS_LEAST_BITS (4u * SEGMENT_BYTES) /* a segment's fixed-code cost is at most 7 bits per 3 bytes above its bytes */

static_assert(7u * SEGMENT_BYTES / 3u <= SURPLUS_LEAST_BITS, "one segment cannot use up the surplus");
static_assert(FIRST_PROBE_BYTES <= SEGMENT_BYTES, "a probe is the beginning of a segment");

enum close_result { CLOSED_WRITING, CLOSED_JOINED, RUN_FIRST };

static bool raw_available(const struct zw_block_parts *p)
{
	return p->builder->block_bytes <= p->window->parsed;
}

static void restart_block(const struct zw_block_parts *p)
{
	p->tokens->count = 0;
	memset(&p->tokens->freq, 0, sizeof p->tokens->freq);
	p->builder->block_bytes = 0;
	p->builder->snapshot_count = 0;
}

void zw_blocks_reset(const struct zw_block_parts *p)
{
	struct zw_block_builder *b = p->builder;

	restart_block(p);
	b->run_bytes = 0;
	b->raw_ahead = 0;
	b->any_block = false;
	b->storing = false;
	b->last_written = false;
	b->closing = CLOSE_NOTHING;
	b->data_kind = DATA_UNKNOWN;
	b->moved_from = 0;
}

bool zw_blocks_empty(const struct zw_block_parts *p)
{
	return !p->tokens->count && !p->builder->run_bytes && p->window->parsed == p->window->end;
}

/* ---- closing -------------------------------------------------------------------------------------------------- */

/* Begins the stored run, whose bytes lie in front of the block's. */
static void begin_run(const struct zw_block_parts *p, bool last)
{
	struct zw_block_builder *b = p->builder;
	size_t start = p->window->parsed - (size_t)b->block_bytes - b->run_bytes;

	ZW_ASSERT(b->block_bytes + b->run_bytes <= p->window->parsed);
	zw_writer_begin_stored(p->writer, p->window->buf + start, b->run_bytes, last);
	b->run_bytes = 0;
	b->any_block = true;
	b->last_written = last;
}

/* Whether a block of cost_bits beats storing its raw_bytes.  The margins are what keeps zw_deflate_bound() true.
 * alone: it holds everything since the stream began or the last flush, and a flush or the end follows. */
static bool compressed_pays(uint64_t cost_bits, uint64_t raw_bytes, bool run_open, bool alone)
{
	uint64_t raw_bits = 8 * raw_bytes;

	if (alone)
		return cost_bits < raw_bits + STORED_HEADER_BITS;
	if (run_open)
		return cost_bits + RUN_PAID_BITS <= raw_bits;
	return cost_bits <= raw_bits;
}

/* zlib's rule for z_stream.data_type, from the literals of the first block: a control character that text never has
 * makes it binary. */
static enum zw_data_kind kind_of(const struct zw_histogram *freq)
{
	const uint32_t maybe_in_text = 0x7fu << 7 | 3u << 26; /* of bytes 0..31: 7..13, 26 and 27 */

	for (unsigned c = 0; c < 32; c++)
		if (freq->litlen[c] && !(maybe_in_text >> c & 1))
			return DATA_BINARY;
	if (freq->litlen['\t'] || freq->litlen['\n'] || freq->litlen['\r'])
		return DATA_TEXT;
	for (unsigned c = 32; c < 256; c++)
		if (freq->litlen[c])
			return DATA_TEXT;
	return DATA_BINARY;
}

/* Levels 1 to 3 do not spend on codes what these save. */
static enum zw_block_codes codes_of(const struct zw_block_parts *p)
{
	if (p->fixed_only)
		return CODES_FIXED;
	return p->match->params.parser >= ZW_PARSE_FAST1 && p->match->params.parser <= ZW_PARSE_FAST3 ? CODES_QUICK : CODES_BEST;
}

/* Begins the block of the first count tokens, or joins their bytes to the stored run, or begins the run in front: then
 * call again. */
static enum close_result close_tokens(const struct zw_block_parts *p, const struct zw_histogram *freq, uint32_t count,
				      uint64_t bytes, bool last, bool alone)
{
	struct zw_block_builder *b = p->builder;
	struct zw_block_plan plan;

	if (b->data_kind == DATA_UNKNOWN)
		b->data_kind = (uint8_t)kind_of(freq);
	zw_block_plan_make(&plan, freq, count, codes_of(p));
	if (!raw_available(p) || compressed_pays(plan.cost_bits, bytes, b->run_bytes != 0, alone)) {
		if (b->run_bytes) {
			begin_run(p, false);
			return RUN_FIRST;
		}
		zw_writer_begin_planned(p->writer, &plan, p->tokens->buf, count, last);
		b->block_bytes -= bytes;
		b->any_block = true;
		b->last_written = last;
		return CLOSED_WRITING;
	}
	b->run_bytes += (uint32_t)bytes;
	b->block_bytes -= bytes;
	return CLOSED_JOINED;
}

static void take_snapshot(const struct zw_block_parts *p)
{
	p->builder->snapshot = p->tokens->freq;
	p->builder->snapshot_count = p->tokens->count;
	p->builder->snapshot_bytes = p->builder->block_bytes;
}

/* After a split the counts since the snapshot are the next block's; its tokens move when the writer is done. */
static void keep_rest(const struct zw_block_parts *p)
{
	struct zw_block_builder *b = p->builder;
	struct zw_histogram *f = &p->tokens->freq;

	for (unsigned i = 0; i < TOKEN_INDEX_COUNT; i++)
		f->litlen[i] = (uint16_t)(f->litlen[i] - b->snapshot.litlen[i]);
	for (unsigned i = 0; i < DIST_CODE_COUNT; i++)
		f->dist[i] = (uint16_t)(f->dist[i] - b->snapshot.dist[i]);
	b->moved_from = b->snapshot_count;
}

static void move_tokens(const struct zw_block_parts *p)
{
	struct zw_block_builder *b = p->builder;
	uint32_t rest = p->tokens->count - b->moved_from;

	memmove(p->tokens->buf, p->tokens->buf + b->moved_from, rest * sizeof *p->tokens->buf);
	p->tokens->count = rest;
	b->moved_from = 0;
	take_snapshot(p);
}

static void continue_closing(const struct zw_block_parts *p)
{
	struct zw_block_builder *b = p->builder;

	switch ((enum zw_closing)b->closing) {
	case CLOSE_BLOCK:
		if (close_tokens(p, &p->tokens->freq, p->tokens->count, b->block_bytes, false, false) == RUN_FIRST)
			return;
		restart_block(p);
		break;
	case CLOSE_SPLIT:
		if (close_tokens(p, &b->snapshot, b->snapshot_count, b->snapshot_bytes, false, false) == RUN_FIRST)
			return;
		keep_rest(p);
		break;
	case CLOSE_RUN:
		begin_run(p, false);
		break;
	case CLOSE_NOTHING:
		break;
	}
	b->closing = CLOSE_NOTHING;
}

/* ---- parsing -------------------------------------------------------------------------------------------------- */

/* True when 256 bytes sampled from p[0..n) are spread like noise: the sum of squared counts is 511 for a uniform draw and
 * above 3000 for text.  The first 64 samples settle it for nearly every text: 80 for a uniform draw, above 200 for text.
 * n >= 256. */
static bool spread_evenly(const uint8_t *p, size_t n)
{
	uint16_t count[256] = { 0 };
	size_t   step = n / 256;
	unsigned sum = 0;

	for (size_t i = 0; i < 256; i += 4)
		sum += 2u * count[p[i * step]]++ + 1;
	if (sum >= 140)
		return false;
	for (size_t i = 0; i < 256; i++)
		if (i % 4)
			sum += 2u * count[p[i * step]]++ + 1;
	return sum < 700;
}

/* Whether p[0..n) is noise, by samples; ASCII is known by fewer.  n >= 256. */
static bool looks_flat(const uint8_t *p, size_t n)
{
	uint64_t bits = 0;

	for (size_t i = 0; i < 8; i++)
		bits |= zw_load_le64(p + i * (n / 8));
	return (bits & UINT64_C(0x8080808080808080)) && spread_evenly(p, n);
}

/* Takes the tokens from from on out of the block again. */
static void take_back(struct zw_tokens *t, uint32_t from)
{
	for (uint32_t i = from; i < t->count; i++) {
		uint32_t second = t->buf[i] >> TOKEN_LITLEN_BITS & TOKEN_INDEX_MASK;

		t->freq.litlen[t->buf[i] & TOKEN_INDEX_MASK]--;
		if (second >= TOKEN_SECOND_LITERAL)
			t->freq.litlen[second - TOKEN_SECOND_LITERAL]--;
		else if (second < DIST_SYMBOL_COUNT)
			t->freq.dist[second]--;
	}
	t->count = from;
}

static void prepare_tables(const struct zw_block_parts *p, bool whole)
{
	struct zw_input_window *w = p->window;

	if (p->match->prepared == p->match->params.parser)
		return;
	p->match->content = zw_content_sample(w->buf + w->parsed, w->end - w->parsed);
	zw_match_prepare(p->match, whole ? w->end : SIZE_MAX);
	if (w->parsed)
		zw_match_insert_history(p->match, w->buf, w->buf + w->parsed);
}

/* Whether the tokens from from on say that len bytes at at do not compress: nearly all of them pairs of literals. */
static bool barely_matched(const struct zw_tokens *t, uint32_t from, size_t len)
{
	return t->count - from >= len * 15 / 32;
}

static void look_for_split(const struct zw_block_parts *p, uint32_t least_tokens, bool snapshot)
{
	struct zw_block_builder *b = p->builder;
	struct zw_tokens *t = p->tokens;

	if (!p->match->params.split_bits || t->count - b->snapshot_count < least_tokens)
		return;
	if (b->snapshot_count && zw_block_should_split(&t->freq, &b->snapshot, p->match->params.split_bits))
		b->closing = CLOSE_SPLIT;
	else if (snapshot)
		take_snapshot(p);
}

/* Whether the fixed code alone already makes the block so small that losing sight of its bytes is safe.  Where the longest
 * token for each says so, nothing is counted. */
static bool surplus(const struct zw_block_parts *p)
{
	if (8 * p->builder->block_bytes >= (uint64_t)p->tokens->count * FIXED_TOKEN_MAX_BITS + BLOCK_FRAME_BITS + SURPLUS_LEAST_BITS)
		return true;
	return 8 * p->builder->block_bytes >= zw_block_fixed_bits(&p->tokens->freq) + SURPLUS_LEAST_BITS;
}

static void parse_segment(const struct zw_block_parts *p, uint32_t limit, bool all)
{
	struct zw_block_builder *b = p->builder;
	struct zw_input_window *w = p->window;
	struct zw_tokens *t = p->tokens;
	const uint8_t *from = w->buf + w->parsed, *end = w->buf + w->end, *next;
	uint32_t count = t->count, room = t->capacity - count, len = limit - w->parsed, full = len;

	if (room < SEGMENT_BYTES / 2 + PARSE_SPARE_TOKENS && (room < LEAST_ROOM_TOKENS || t->capacity > 2 * SEGMENT_BYTES)) {
		b->closing = CLOSE_BLOCK;
		return;
	}
	if (len > SEGMENT_BYTES + (all ? PARSE_LOOKAHEAD_BYTES : 0)) /* a last one takes the rest, too, or matches end in between */
		len = full = SEGMENT_BYTES;
	if (len > 2 * (room - PARSE_SPARE_TOKENS))
		len = full = 2 * (room - PARSE_SPARE_TOKENS);
	if ((b->storing || !b->block_bytes) && full >= NOISE_LEAST_BYTES && looks_flat(from, full))
		len = b->storing ? PROBE_BYTES : FIRST_PROBE_BYTES;
	if (all)
		zw_window_define_slack(w);
	if (end - (from + len) < (ptrdiff_t)PARSE_LOOKAHEAD_BYTES) /* few tokens left before a flush: parse as if it ended here */
		end = from + len;
	next = zw_parser_get(p->match)(p->match, t, from, from + len, end);
	ZW_ASSERT(next >= from + len && next <= end && t->count <= t->capacity);

	if (full >= NOISE_LEAST_BYTES && barely_matched(t, count, len) && (len < full || looks_flat(from, full))) {
		take_back(t, count);
		b->raw_ahead = (uint32_t)(next - from);
		if (len < full) {
			zw_match_insert_sparse(p->match, next, from + full);
			b->raw_ahead = full;
		}
		return;
	}
	b->storing = false;
	w->parsed += (uint32_t)(next - from);
	b->block_bytes += (uint64_t)(next - from);
	if (!raw_available(p) && !surplus(p))
		b->closing = CLOSE_BLOCK;
	else
		look_for_split(p, p->match->params.split_tokens, true);
}

static void take_raw(const struct zw_block_parts *p)
{
	struct zw_block_builder *b = p->builder;

	if (p->tokens->count) {
		b->closing = CLOSE_BLOCK;
		return;
	}
	b->run_bytes += b->raw_ahead;
	p->window->parsed += b->raw_ahead;
	b->raw_ahead = 0;
	b->storing = true;
}

bool zw_blocks_step(const struct zw_block_parts *p, bool all, bool whole)
{
	struct zw_block_builder *b = p->builder;
	struct zw_input_window *w = p->window;
	uint32_t limit = all ? w->end : w->end > PARSE_LOOKAHEAD_BYTES ? w->end - PARSE_LOOKAHEAD_BYTES : 0;

	if (b->moved_from)
		move_tokens(p);
	if (b->closing != CLOSE_NOTHING) {
		continue_closing(p);
		return true;
	}
	if (b->raw_ahead) {
		take_raw(p);
		return true;
	}
	if (p->match->params.parser == ZW_PARSE_STORED) {
		b->raw_ahead = w->end - w->parsed;
		return b->raw_ahead != 0;
	}
	if (w->parsed >= limit)
		return false;
	prepare_tables(p, whole);
	parse_segment(p, limit, all);
	return true;
}

bool zw_blocks_slide(const struct zw_block_parts *p)
{
	struct zw_block_builder *b = p->builder;
	struct zw_input_window *w = p->window;
	uint32_t shift = zw_window_slide_bytes(w);

	ZW_ASSERT(b->closing == CLOSE_NOTHING && !b->moved_from && !b->raw_ahead);
	if (b->run_bytes && w->parsed - b->block_bytes - b->run_bytes < shift) {
		b->closing = CLOSE_RUN;
		return false;
	}
	if (b->block_bytes && raw_available(p) && w->parsed - b->block_bytes < shift && !surplus(p)) {
		b->closing = CLOSE_BLOCK;
		return false;
	}
	zw_match_slide(p->match, zw_window_slide(w));
	return true;
}

/* ---- flushing ------------------------------------------------------------------------------------------------- */

bool zw_blocks_finish(const struct zw_block_parts *p, bool last)
{
	struct zw_block_builder *b = p->builder;

	if (b->moved_from)
		move_tokens(p);
	if (b->closing == CLOSE_NOTHING && p->tokens->count)
		look_for_split(p, SPLIT_LAST_TOKENS, false);
	if (b->closing != CLOSE_NOTHING) {
		continue_closing(p);
		return true;
	}
	if (p->tokens->count) {
		enum close_result r = close_tokens(p, &p->tokens->freq, p->tokens->count, b->block_bytes, last,
						   !b->any_block && !b->run_bytes);

		if (r == RUN_FIRST)
			return true;
		restart_block(p);
		if (r == CLOSED_WRITING)
			return true;
	}
	if (b->run_bytes) {
		begin_run(p, last);
		return true;
	}
	if (last && !b->last_written) {          /* an empty block of fixed codes: BFINAL 1, BTYPE 01, end of block */
		zw_writer_put_bits(p->writer, 1 | BLOCK_FIXED << 1, 3 + 7);
		zw_writer_align(p->writer);
		b->last_written = true;
		return true;
	}
	b->any_block = false;
	return false;
}
