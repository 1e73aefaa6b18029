/* SPDX-License-Identifier: Zlib */
/* oneshot.c - wrapper, segments, trailer.
 * Takes: the input.  Gives: the whole stream.
 *
 *   memory:  state | window: history, segment, lookahead | tree | match list | costs | choices | prices | tokens, blocks: twice
 *
 * The bound: a segment whose blocks are no shorter than storing it is stored.  Let the stream so far end in byte B, its last
 * bits included.  Stored blocks of n bytes in k pieces, appended behind any number of bits, end in byte B + n + 5 k or
 * before: the 3 header bits and the padding take what is left of the last byte and at most one more, LEN and NLEN take 4.  All
 * segments but the last are whole pieces.  So n bytes become at most n + 5 * max(1, ceil(n / 65535)). */
#include "oneshot/oneshot.h"

#include "base/arena.h"
#include "base/check.h"
#include "cpu/features.h"
#include "cpu/kernels.h"
#include "deflate/block_cost.h"
#include "deflate/block_write.h"
#include "oneshot/block_choice.h"
#include "oneshot/segment.h"
#include "wrap/gzip_write.h"
#include "wrap/zlib_write.h"

#include <string.h>

#define ENTRIES_PER_BYTE 4u                  /* of the match list: text has 1 to 3 */
#define STORED_HEADER_MAX_BYTES 5u
#define SKIP_NEVER (MATCH_MAX_BYTES + 1)
#define PART_ALIGN_LOG2 6u
#define XFL_SMALLEST 2u                      /* RFC 1952 2.3.1 */
#define FLEVEL_SMALLEST 3u                   /* RFC 1950 2.2 */

/* The numbers: docs/measurements.md M16. */
static const struct zw_effort efforts[] = {
	/*                           depth  skip        passes  fine   full */
	[10 - ONESHOT_LEVEL_MIN] = {    24, 64,         1,      false, 1 },
	[11 - ONESHOT_LEVEL_MIN] = {    40, 128,        2,      false, 1 },
	[12 - ONESHOT_LEVEL_MIN] = {   200, SKIP_NEVER, 4,      true,  2 },
};

struct oneshot {
	enum zw_format format;
	const struct zw_effort *effort;
	const struct zw_kernels *kernels;
	uint8_t *window;                         /* history, the segment, what was read beyond it, zeros */
	size_t   window_bytes;                   /* room without the zeros */
	size_t   history_bytes, ahead_bytes;     /* in front of the segment, and read beyond it */
	uint32_t position, position_limit;       /* of the segment's first byte in the tree */
	uint32_t check;
	uint64_t total_bytes;
	struct zw_match_tree tree;
	struct zw_segment segment;
	struct zw_block_writer writer;
};

static size_t segment_bytes_for(size_t input_bytes)
{
	size_t n = input_bytes < SEGMENT_MAX_BYTES ? input_bytes : SEGMENT_MAX_BYTES;

	return n ? n : 1;
}

/* Cuts the parts out of a, or measures them. */
static struct oneshot *cut(struct zw_arena *a, size_t input_bytes)
{
	size_t n = segment_bytes_for(input_bytes), history = input_bytes > SEGMENT_MAX_BYTES ? DISTANCE_MAX_BYTES : 0;
	struct zw_match_tree_sizes sizes = zw_match_tree_sizes(input_bytes);
	size_t blocks = zw_split_capacity(n);
	struct oneshot *o = zw_arena_take(a, sizeof *o, PART_ALIGN_LOG2);
	struct oneshot measured, *to = o ? o : &measured;
	struct zw_segment *seg = &to->segment;

	to->window_bytes = history + n + TREE_LOOKAHEAD_BYTES;
	to->window = zw_arena_take(a, to->window_bytes + TREE_LOOKAHEAD_BYTES, PART_ALIGN_LOG2);
	to->tree.heads = zw_arena_take(a, sizes.heads * sizeof(uint32_t), PART_ALIGN_LOG2);
	to->tree.heads3 = zw_arena_take(a, sizes.heads3 * sizeof(uint32_t), PART_ALIGN_LOG2);
	to->tree.children = zw_arena_take(a, sizes.children * sizeof(uint32_t), PART_ALIGN_LOG2);
	seg->list.counts = zw_arena_take(a, n, PART_ALIGN_LOG2);
	seg->list.entries = zw_arena_take(a, n * ENTRIES_PER_BYTE * sizeof(uint32_t), PART_ALIGN_LOG2);
	seg->cost = zw_arena_take(a, (n + COST_SLACK) * sizeof(uint32_t), PART_ALIGN_LOG2);
	seg->choice = zw_arena_take(a, n * sizeof(uint16_t), PART_ALIGN_LOG2);
	seg->prices = zw_arena_take(a, blocks * sizeof(struct zw_parse_prices), PART_ALIGN_LOG2);
	seg->now.tokens = zw_arena_take(a, n * sizeof(uint32_t), PART_ALIGN_LOG2);
	seg->best.tokens = zw_arena_take(a, n * sizeof(uint32_t), PART_ALIGN_LOG2);
	seg->now.split.blocks = zw_arena_take(a, blocks * sizeof(struct zw_split_block), PART_ALIGN_LOG2);
	seg->best.split.blocks = zw_arena_take(a, blocks * sizeof(struct zw_split_block), PART_ALIGN_LOG2);
	return o;
}

size_t zw_oneshot_memory_bytes(size_t input_bytes)
{
	struct zw_arena a = { NULL, 0 };

	cut(&a, input_bytes);
	return a.used_bytes + (1u << PART_ALIGN_LOG2);
}

static size_t wrapper_bytes(enum zw_format format)
{
	switch (format) {
	case ZW_RAW:  return 0;
	case ZW_ZLIB: return ZLIB_HEADER_BYTES + ZLIB_TRAILER_BYTES;
	case ZW_GZIP: return GZIP_HEADER_BYTES + GZIP_TRAILER_BYTES;
	}
	return 0;
}

size_t zw_oneshot_bound(size_t input_bytes, enum zw_format format)
{
	size_t pieces = input_bytes ? (input_bytes - 1) / STORED_MAX_BYTES + 1 : 1;
	size_t more = STORED_HEADER_MAX_BYTES * pieces + wrapper_bytes(format);

	return input_bytes + more < input_bytes ? SIZE_MAX : input_bytes + more;
}

/* ---- wrapper ----------------------------------------------------------------------------------------------------- */

static bool put_header(const struct oneshot *o, struct zw_flow *flow)
{
	static const struct zw_gzip_fields fields = { .os = GZIP_OS_UNIX };
	struct zw_gzip_writer gzip = { 0 };
	uint8_t header[GZIP_HEADER_BYTES];
	struct zw_out out = { header, sizeof header };

	switch (o->format) {
	case ZW_RAW:
		return true;
	case ZW_ZLIB:
		return zw_flow_put(flow, header, zw_zlib_header(header, WINDOW_MAX_LOG2, FLEVEL_SMALLEST, NULL));
	case ZW_GZIP:
		zw_gzip_write_header(&gzip, &fields, XFL_SMALLEST, o->kernels, &out);
		return zw_flow_put(flow, header, sizeof header);
	}
	return false;
}

static bool put_trailer(const struct oneshot *o, struct zw_flow *flow)
{
	uint8_t trailer[GZIP_TRAILER_BYTES];

	switch (o->format) {
	case ZW_RAW:
		return true;
	case ZW_ZLIB:
		zw_store_be32(trailer, o->check);
		return zw_flow_put(flow, trailer, ZLIB_TRAILER_BYTES);
	case ZW_GZIP:
		zw_gzip_trailer(trailer, o->check, o->total_bytes);
		return zw_flow_put(flow, trailer, GZIP_TRAILER_BYTES);
	}
	return false;
}

static_assert(GZIP_HEADER_BYTES >= ZLIB_HEADER_MAX_BYTES, "one array for either header");

/* ---- blocks ------------------------------------------------------------------------------------------------------ */

/* All of the block that was begun. */
static bool emit(struct oneshot *o, struct zw_flow *flow)
{
	while (!zw_writer_emit(&o->writer, &flow->out))
		if (!zw_flow_empty(flow))
			return false;
	return true;
}

static bool write_stored(struct oneshot *o, size_t start, size_t count, bool last, struct zw_flow *flow)
{
	zw_writer_begin_stored(&o->writer, o->segment.bytes + start, count, last);
	return emit(o, flow);
}

/* Writes the segment's best blocks, each the cheapest of its kinds; neighbours that are stored share their headers.  If storing
 * everything is no longer, that is done. */
static bool write_segment(struct oneshot *o, bool last, struct zw_flow *flow)
{
	const struct zw_segment *seg = &o->segment;
	const struct zw_solution *s = &seg->best;
	size_t run_start = 0, run_bytes = 0;     /* stored blocks that are not written yet */

	if (s->bits >= zw_block_stored_bits(seg->count, o->writer.hold_bits))
		return write_stored(o, 0, seg->count, last, flow);
	for (unsigned i = 0; i < s->split.count; i++) {
		const struct zw_split_block *b = s->split.blocks + i;
		size_t end = i + 1 < s->split.count ? b[1].start : seg->count;
		bool is_last = last && i + 1 == s->split.count;
		struct zw_block_plan plan;

		zw_block_choose(&plan, &b->counts);
		if (plan.cost_bits >= zw_block_stored_bits(end - b->start, run_bytes ? 0 : o->writer.hold_bits)) {
			run_start = run_bytes ? run_start : b->start;
			run_bytes += end - b->start;
			if (is_last)
				return write_stored(o, run_start, run_bytes, true, flow);
			continue;
		}
		if (run_bytes && !write_stored(o, run_start, run_bytes, false, flow))
			return false;
		run_bytes = 0;
		zw_writer_begin_planned(&o->writer, &plan, s->tokens + b->first_token, b->token_count, is_last);
		if (!emit(o, flow))
			return false;
	}
	return !run_bytes || write_stored(o, run_start, run_bytes, false, flow);
}

static bool write_empty(struct oneshot *o, struct zw_flow *flow)
{
	static const struct zw_symbol_counts none;
	struct zw_block_plan plan;

	zw_block_choose(&plan, &none);
	zw_writer_begin_planned(&o->writer, &plan, NULL, 0, true);
	return emit(o, flow);
}

/* ---- segments ---------------------------------------------------------------------------------------------------- */

/* Moves what matches may still refer to and what was read ahead to the front of the window, and reads on.  Sets the segment, of
 * 0 bytes at the end of the input.  False when reading failed. */
static bool take_segment(struct oneshot *o, struct zw_flow *flow)
{
	size_t behind = o->history_bytes + o->segment.count; /* the end of what is compressed */
	size_t history = behind < DISTANCE_MAX_BYTES ? behind : DISTANCE_MAX_BYTES;
	size_t have = history + o->ahead_bytes, n;

	if (behind > history)
		memmove(o->window, o->window + behind - history, have);
	n = zw_flow_fill(flow, o->window + have, o->window_bytes - have);
	if (n == FLOW_FAILED)
		return false;
	have += n;
	memset(o->window + have, 0, TREE_LOOKAHEAD_BYTES);
	n = have - history;
	o->history_bytes = history;
	o->segment.bytes = o->window + history;
	o->segment.count = n < SEGMENT_MAX_BYTES ? n : SEGMENT_MAX_BYTES;
	o->ahead_bytes = n - o->segment.count;
	return true;
}

/* Empties the tree and puts the history in.  Table sizes follow the input's length: it is known when there is no history and
 * nothing was read ahead, and they are the largest otherwise.  So the same input gives the same bytes, memory or flow. */
static void begin_tree(struct oneshot *o)
{
	bool whole = !o->history_bytes && !o->ahead_bytes;

	zw_match_tree_reset(&o->tree, whole ? o->segment.count : SEGMENT_MAX_BYTES);
	zw_match_tree_insert(&o->tree, o->window, POSITION_FIRST, o->history_bytes);
	o->position = (uint32_t)(POSITION_FIRST + o->history_bytes);
}

/* Fills the match list. */
static void find_matches(struct oneshot *o)
{
	struct zw_segment *seg = &o->segment;

	if (!o->history_bytes || o->position >= o->position_limit)
		begin_tree(o);
	seg->list.entry_capacity = (uint32_t)(seg->count * ENTRIES_PER_BYTE);
	zw_match_tree_find(&o->tree, seg->bytes, o->position, seg->count, &seg->list);
	o->position += (uint32_t)seg->count;
}

static void start(struct oneshot *o, const struct zw_oneshot_config *config)
{
	ZW_ASSERT(config->level >= ONESHOT_LEVEL_MIN && config->level <= ONESHOT_LEVEL_MAX);
	o->format = config->format;
	o->effort = &efforts[config->level - ONESHOT_LEVEL_MIN];
	o->kernels = zw_kernels_get();
	o->history_bytes = o->ahead_bytes = 0;
	o->position_limit = config->position_limit;
	o->check = config->format == ZW_ZLIB;
	o->total_bytes = 0;
	o->segment.count = 0;
	o->tree.depth_max = o->effort->depth_max;
	o->tree.skip_bytes = o->effort->skip_bytes;
	zw_writer_reset(&o->writer, (o->kernels->needs & ZW_NEEDS_X86_AVX2) == ZW_NEEDS_X86_AVX2);
}

enum zw_flow_result zw_oneshot_run(const struct zw_oneshot_config *config, void *memory, size_t input_bytes, struct zw_flow *flow)
{
	struct zw_arena a = { zw_align_up(memory, PART_ALIGN_LOG2), 0 };
	struct oneshot *o = cut(&a, input_bytes);
	const struct zw_segment *seg = &o->segment;
	bool last;

	start(o, config);
	if (!put_header(o, flow))
		return zw_flow_full(flow);
	do {
		if (!take_segment(o, flow))
			return ZW_FLOW_READ_FAILED;
		last = !o->ahead_bytes;
		if (o->format == ZW_GZIP)
			o->check = o->kernels->crc32(o->check, seg->bytes, seg->count);
		if (o->format == ZW_ZLIB)
			o->check = o->kernels->adler32(o->check, seg->bytes, seg->count);
		o->total_bytes += seg->count;
		if (seg->count) {
			find_matches(o);
			zw_segment_solve(&o->segment, o->effort);
		}
		if (!(seg->count ? write_segment(o, last, flow) : write_empty(o, flow)))
			return zw_flow_full(flow);
	} while (!last);
	return put_trailer(o, flow) ? ZW_FLOW_DONE : zw_flow_full(flow);
}
