/* SPDX-License-Identifier: Zlib */
/* oneshot.h - levels 10 to 12: an input compressed as small as it gets, with memory of its own.
 *
 * An input of any length is taken in segments; the 32 KB before a segment stay in reach of its matches. */
#ifndef ZW_ONESHOT_ONESHOT_H
#define ZW_ONESHOT_ONESHOT_H

#include "base/result.h"
#include "base/rfc.h"
#include "oneshot/flow.h"

#include <stddef.h>
#include <stdint.h>

#define ONESHOT_LEVEL_MIN 10
#define ONESHOT_LEVEL_MAX 12
#define SEGMENT_MAX_BYTES (8 * (size_t)STORED_MAX_BYTES) /* whole stored blocks, so that the bound has no remainder */
#define ONESHOT_POSITION_LIMIT (UINT32_C(1) << 31) /* where the tree is made anew, far below 2^32 */

struct zw_oneshot_config {
	enum zw_format format;
	int level;                               /* 10..12 */
	uint32_t position_limit;                 /* ONESHOT_POSITION_LIMIT; tests have a smaller one */
};

/* Bytes of the one block of memory for an input of input_bytes (SIZE_MAX: not known), any alignment.  Grows with the input up
 * to SEGMENT_MAX_BYTES. */
size_t zw_oneshot_memory_bytes(size_t input_bytes);

/* Most bytes that an input of input_bytes becomes, wrapper included; SIZE_MAX on overflow. */
size_t zw_oneshot_bound(size_t input_bytes, enum zw_format format);

/* Compresses all of the flow's input.  memory has zw_oneshot_memory_bytes(input_bytes); the input is not longer than that.
 * After anything but ZW_FLOW_DONE what was written is of no use. */
enum zw_flow_result zw_oneshot_run(const struct zw_oneshot_config *config, void *memory, size_t input_bytes, struct zw_flow *flow);

#endif
