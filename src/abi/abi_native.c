/* SPDX-License-Identifier: Zlib */
/* abi_native.c - zwire.h's functions: argument checks, memory, codes out.  No algorithm.
 * What each function does for its caller stands in include/zwire.h. */
#include "zwire.h"

#include "base/check.h"
#include "oneshot/oneshot.h"
#include "oneshot/stream_levels.h"

#include <stdbool.h>
#include <stdlib.h>

static_assert(ZWIRE_LEVEL_MAX == ONESHOT_LEVEL_MAX && STREAM_LEVEL_MAX + 1 == ONESHOT_LEVEL_MIN, "every level has an engine");
static_assert(ZWIRE_FLOW_FAILED == FLOW_FAILED, "a failure has one name");

static void *allocate_default(void *opaque, size_t bytes)
{
	(void)opaque;
	return malloc(bytes);
}

static void release_default(void *opaque, void *block)
{
	(void)opaque;
	free(block);
}

static const struct zwire_allocator default_allocator = { allocate_default, release_default, NULL };

static bool level_is_known(int level) { return level >= 0 && level <= ZWIRE_LEVEL_MAX; }

static bool to_format(enum zwire_format format, enum zw_format *to)
{
	switch (format) {
	case ZWIRE_GZIP: *to = ZW_GZIP; return true;
	case ZWIRE_ZLIB: *to = ZW_ZLIB; return true;
	case ZWIRE_RAW:  *to = ZW_RAW;  return true;
	}
	return false;
}

static int to_result(enum zw_flow_result r)
{
	switch (r) {
	case ZW_FLOW_DONE:         return ZWIRE_OK;
	case ZW_FLOW_NO_ROOM:      return ZWIRE_NO_ROOM;
	case ZW_FLOW_READ_FAILED:  return ZWIRE_READ_FAILED;
	case ZW_FLOW_WRITE_FAILED: return ZWIRE_WRITE_FAILED;
	}
	return ZWIRE_BAD_CALL;                   /* not reached: every case is above */
}

size_t ZEXPORT zwire_compress_bound(int level, enum zwire_format format, size_t in_bytes)
{
	enum zw_format f;

	if (!level_is_known(level) || !to_format(format, &f))
		return 0;
	return level >= ONESHOT_LEVEL_MIN ? zw_oneshot_bound(in_bytes, f) : zw_stream_levels_bound(in_bytes, f);
}

size_t ZEXPORT zwire_compress_memory(int level, size_t in_bytes)
{
	if (!level_is_known(level))
		return 0;
	return level >= ONESHOT_LEVEL_MIN ? zw_oneshot_memory_bytes(in_bytes) : zw_stream_levels_memory_bytes();
}

static enum zw_flow_result run(int level, enum zw_format format, void *memory, size_t in_bytes, struct zw_flow *flow)
{
	struct zw_oneshot_config c = { format, level, ONESHOT_POSITION_LIMIT };

	if (level < ONESHOT_LEVEL_MIN)
		return zw_stream_levels_run(format, level, memory, flow);
	return zw_oneshot_run(&c, memory, in_bytes, flow);
}

static bool allocator_is_complete(const struct zwire_allocator *a) { return !a || (a->allocate && a->release); }

int ZEXPORT zwire_compress(int level, enum zwire_format format, const void *in, size_t in_bytes, void *out, size_t out_capacity,
			   size_t *out_bytes_ret, const struct zwire_allocator *allocator)
{
	uint8_t nowhere[1];                      /* the engines want a pointer even where there is no room */
	struct zw_flow flow = { .in = { in, in_bytes }, .out = { out ? out : nowhere, out_capacity } };
	enum zw_flow_result r;
	enum zw_format f;
	void *memory;

	if (!out_bytes_ret)
		return ZWIRE_BAD_CALL;
	*out_bytes_ret = 0;
	if (!level_is_known(level) || !to_format(format, &f) || (!in && in_bytes) || (!out && out_capacity) ||
	    !allocator_is_complete(allocator))
		return ZWIRE_BAD_CALL;
	if (!allocator)
		allocator = &default_allocator;
	memory = allocator->allocate(allocator->opaque, zwire_compress_memory(level, in_bytes));
	if (!memory)
		return ZWIRE_NO_MEMORY;
	r = run(level, f, memory, in_bytes, &flow);
	allocator->release(allocator->opaque, memory);
	if (r == ZW_FLOW_DONE)
		*out_bytes_ret = out_capacity - flow.out.left_bytes;
	return to_result(r);
}

int ZEXPORT zwire_compress_flow(int level, enum zwire_format format, const struct zwire_flow *flow, uint64_t *in_bytes_ret,
				uint64_t *out_bytes_ret, const struct zwire_allocator *allocator)
{
	struct zw_flow to = { .read = NULL };
	enum zw_flow_result r;
	enum zw_format f;
	size_t memory_bytes;
	uint8_t *memory;

	if (in_bytes_ret)
		*in_bytes_ret = 0;
	if (out_bytes_ret)
		*out_bytes_ret = 0;
	if (!level_is_known(level) || !to_format(format, &f) || !flow || !flow->read || !flow->write ||
	    !allocator_is_complete(allocator))
		return ZWIRE_BAD_CALL;
	if (!allocator)
		allocator = &default_allocator;
	memory_bytes = zwire_compress_memory(level, SIZE_MAX);
	memory = allocator->allocate(allocator->opaque, memory_bytes + SINK_BUFFER_BYTES);
	if (!memory)
		return ZWIRE_NO_MEMORY;
	to.read = flow->read;
	to.write = flow->write;
	to.opaque = flow->opaque;
	to.buffer = memory + memory_bytes;
	to.out = (struct zw_out){ to.buffer, SINK_BUFFER_BYTES };
	r = run(level, f, memory, SIZE_MAX, &to);
	if (r == ZW_FLOW_DONE && !zw_flow_empty(&to))
		r = ZW_FLOW_WRITE_FAILED;
	allocator->release(allocator->opaque, memory);
	if (in_bytes_ret)
		*in_bytes_ret = to.in_bytes;
	if (out_bytes_ret)
		*out_bytes_ret = to.out_bytes;
	return to_result(r);
}
