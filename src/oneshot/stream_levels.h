/* SPDX-License-Identifier: Zlib */
/* stream_levels.h - levels 0 to 9 for whole inputs: the streaming engine with its largest window. */
#ifndef ZW_ONESHOT_STREAM_LEVELS_H
#define ZW_ONESHOT_STREAM_LEVELS_H

#include "base/result.h"
#include "oneshot/flow.h"

#include <stddef.h>
#include <stdint.h>

#define STREAM_LEVEL_MAX 9

/* Bytes of the one block of memory, any alignment. */
size_t zw_stream_levels_memory_bytes(void);

/* Most bytes that an input of input_bytes becomes, wrapper included; SIZE_MAX on overflow. */
size_t zw_stream_levels_bound(size_t input_bytes, enum zw_format format);

/* Compresses all of the flow's input at level 0..9. */
enum zw_flow_result zw_stream_levels_run(enum zw_format format, int level, void *memory, struct zw_flow *flow);

#endif
