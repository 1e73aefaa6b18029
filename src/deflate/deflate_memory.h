/* SPDX-License-Identifier: Zlib */
/* deflate_memory.h - how many bytes a deflate stream needs and where its parts lie.
 *
 * NGINX hands every stream a block of 8192 + 4 * 2^w + 512 * 2^m bytes (w: windowBits, m: memLevel) and logs an alert for
 * each response that asks for more.  So the sum is a function of w and m alone and stays below that for every w and m:
 *
 *   state, alignment, slack <= 8192 | window 2 * 2^w | prev 2 * 2^w | head 256 * 2^m | tokens 256 * 2^m
 */
#ifndef ZW_DEFLATE_DEFLATE_MEMORY_H
#define ZW_DEFLATE_DEFLATE_MEMORY_H

#include <stddef.h>
#include <stdint.h>

#define MEM_LEVEL_MIN 1
#define MEM_LEVEL_MAX 9
#define BUDGET_FIXED_BYTES 8192u             /* NGINX's allowance beside window and memLevel terms */
#define MEMORY_ALIGN_LOG2  6u                /* parts start on cache lines */

struct zw_deflate_parts {
	void     *state;
	uint8_t  *window;
	uint16_t *prev;
	uint16_t *head;
	uint32_t *tokens;
};

/* Bytes for one allocation: state_bytes for the state, the rest as drawn above; alignment slack included. */
size_t zw_deflate_memory_bytes(unsigned window_log2, unsigned mem_level, size_t state_bytes);

/* Cuts block, of zw_deflate_memory_bytes() bytes and any alignment, into its parts. */
struct zw_deflate_parts zw_deflate_memory_cut(void *block, unsigned window_log2, unsigned mem_level, size_t state_bytes);

#endif
