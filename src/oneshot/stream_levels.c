/* SPDX-License-Identifier: Zlib */
/* stream_levels.c - a whole input through the streaming engine.
 * Takes: the input.  Gives: the whole stream. */
#include "oneshot/stream_levels.h"

#include "base/arena.h"
#include "base/check.h"
#include "deflate/deflate_bound.h"
#include "deflate/deflate_stream.h"

#define MEM_LEVEL      8u                    /* as deflateInit() */
#define READ_BYTES     ((size_t)1 << 16)
#define BLOCK_ALIGN_LOG2 6u

static size_t deflate_bytes(void) { return zw_deflate_memory_bytes(WINDOW_MAX_LOG2, MEM_LEVEL, sizeof(struct zw_deflate)); }

size_t zw_stream_levels_memory_bytes(void) { return deflate_bytes() + READ_BYTES; }

size_t zw_stream_levels_bound(size_t input_bytes, enum zw_format format)
{
	size_t wrapper_bytes = format == ZW_GZIP ? GZIP_HEADER_BYTES + GZIP_TRAILER_BYTES :
			       format == ZW_ZLIB ? ZLIB_HEADER_BYTES + ZLIB_TRAILER_BYTES : 0;

	return zw_deflate_bound(input_bytes, WINDOW_MAX_LOG2, MEM_LEVEL, STREAM_LEVEL_MAX, wrapper_bytes);
}

/* Deflates in; at the end finishes.  False when there is no room for what comes out. */
static bool run(struct zw_deflate *d, struct zw_in *in, bool end, struct zw_flow *flow)
{
	for (;;) {
		enum zw_result r = zw_deflate_run(d, in, &flow->out, end ? ZW_FLUSH_FINISH : ZW_FLUSH_NONE);

		if (r == ZW_STREAM_DONE || (!end && !in->left_bytes))
			return true;
		if (!zw_flow_empty(flow))
			return false;
	}
}

enum zw_flow_result zw_stream_levels_run(enum zw_format format, int level, void *memory, struct zw_flow *flow)
{
	struct zw_deflate_config c = { format, WINDOW_MAX_LOG2, MEM_LEVEL, level, ZW_DEFAULT_STRATEGY };
	struct zw_deflate_parts parts = zw_deflate_memory_cut(memory, c.window_log2, c.mem_level, sizeof(struct zw_deflate));
	uint8_t *piece = (uint8_t *)memory + deflate_bytes();
	struct zw_deflate *d = parts.state;
	size_t n;

	ZW_ASSERT(level >= 0 && level <= STREAM_LEVEL_MAX);
	zw_deflate_init(d, &parts, &c);
	if (!flow->read)
		return run(d, &flow->in, true, flow) ? ZW_FLOW_DONE : zw_flow_full(flow);
	do {
		struct zw_in in = { piece, 0 };

		n = zw_flow_fill(flow, piece, READ_BYTES);
		if (n == FLOW_FAILED)
			return ZW_FLOW_READ_FAILED;
		in.left_bytes = n;
		if (!run(d, &in, n < READ_BYTES, flow))
			return zw_flow_full(flow);
	} while (n == READ_BYTES);
	return ZW_FLOW_DONE;
}
