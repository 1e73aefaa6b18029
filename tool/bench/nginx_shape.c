/* SPDX-License-Identifier: Zlib */
/* nginx_shape.c - NGINX's arithmetic for windowBits, memLevel and the block it allocates in advance, and a memory that
 * behaves like its gzip filter's: requests are cut from the block one after the other, nothing is freed before the end.
 * Takes: a Content-Length and a level.  Gives: the arguments of deflateInit2() and an allocator that keeps count. */
#include "bench/nginx_shape.h"

#include <stdlib.h>
#include <string.h>

#define STATE_BYTES        8192u             /* what the filter leaves for the library's state */
#define STATE_MORE_BYTES     16u             /* since 1.19.10 */
#define LARGE_HEAD_BYTES 131072u
#define LARGE_LITTLE_BYTES (4u * (64 + 8))   /* since 1.23.4 */
#define LARGE_LEVEL1_WINDOW_LOG2 13
#define LOOKAHEAD_BYTES     262              /* zlib's MIN_LOOKAHEAD: 258 + 3 + 1 */
#define ROUND_UNDER_BYTES  8192u
#define ROUND_EXCEPT_BYTES  512u

const char *const zw_nginx_ages[NGINX_AGE_COUNT] = {
	[ZW_NGINX_1_13] = "1.13.7 to 1.19.9", [ZW_NGINX_1_22] = "1.19.10 to 1.23.3",
	[ZW_NGINX_1_24] = "1.23.4 to 1.26.2 and 1.27.3", [ZW_NGINX_1_28] = "1.26.3, 1.27.4 and later",
};

static size_t large_budget(int window_log2, int mem_level, int level, enum zw_nginx_age age)
{
	if (level == 1 && window_log2 < LARGE_LEVEL1_WINDOW_LOG2)
		window_log2 = LARGE_LEVEL1_WINDOW_LOG2;

	size_t window_bytes = (size_t)4 << window_log2;
	size_t base_bytes = STATE_BYTES + STATE_MORE_BYTES + window_bytes;

	switch (age) {
	case ZW_NGINX_1_13:
		return base_bytes + ((size_t)1 << ((mem_level > 8 ? mem_level : 8) + 8)) + ((size_t)1 << (mem_level + 8));
	case ZW_NGINX_1_22:
		return base_bytes + LARGE_HEAD_BYTES + ((size_t)1 << (mem_level + 8));
	case ZW_NGINX_1_24:
		return base_bytes + LARGE_HEAD_BYTES + ((size_t)1 << (mem_level + 8)) + LARGE_LITTLE_BYTES;
	case ZW_NGINX_1_28:
		return base_bytes + LARGE_HEAD_BYTES + ((size_t)5 << (mem_level + 6)) + LARGE_LITTLE_BYTES;
	}
	return 0;                                /* not reached: every age is above */
}

/* The same for a window and a memLevel that are given. */
struct zw_nginx_plan zw_nginx_plan_for(int window_log2, int mem_level, int level, enum zw_nginx_age age)
{
	struct zw_nginx_plan plan = { window_log2, mem_level, 0, 0 };

	plan.plain_budget_bytes = STATE_BYTES + (age == ZW_NGINX_1_13 ? 0 : STATE_MORE_BYTES) +
				  ((size_t)4 << window_log2) + ((size_t)512 << mem_level);
	plan.large_budget_bytes = large_budget(window_log2, mem_level, level, age);
	return plan;
}

struct zw_nginx_plan zw_nginx_plan(int64_t content_length, int level, enum zw_nginx_age age)
{
	int window_log2 = NGINX_WINDOW_LOG2, mem_level = NGINX_MEM_LEVEL;

	if (content_length > 0) {
		while (content_length < ((int64_t)1 << (window_log2 - 1)) - LOOKAHEAD_BYTES) {
			window_log2--;
			mem_level--;
		}
		if (mem_level < 1)
			mem_level = 1;
	}
	return zw_nginx_plan_for(window_log2, mem_level, level, age);
}

bool zw_nginx_memory_begin(struct zw_nginx_memory *memory, const struct zw_nginx_plan *plan, bool *assumes_large)
{
	memory->was_large = *assumes_large;
	memory->assumes_large = assumes_large;
	memory->left_bytes = memory->was_large ? plan->large_budget_bytes : plan->plain_budget_bytes;
	memory->block = malloc(memory->left_bytes);
	memory->next = memory->block;
	memory->asked_bytes = 0;
	memory->alert_count = 0;
	memory->more_count = 0;
	memory->asked_count = 0;
	return memory->block != NULL;
}

/* zalloc of the gunzip filter: nothing prepared, every request on its own. */
void *zw_nginx_pool_ask(void *opaque, unsigned items, unsigned size)
{
	struct zw_nginx_memory *memory = opaque;
	void *address;

	memory->asked_bytes += (size_t)items * size;
	if (memory->more_count == sizeof memory->more / sizeof memory->more[0])
		return NULL;
	address = malloc((size_t)items * size);
	if (address)
		memory->more[memory->more_count++] = address;
	return address;
}

/* A single object that is not a multiple of ROUND_EXCEPT_BYTES is taken for the state and charged ROUND_UNDER_BYTES. */
static size_t charge_of(unsigned items, unsigned size)
{
	size_t bytes = (size_t)items * size;

	return items == 1 && bytes % ROUND_EXCEPT_BYTES && bytes < ROUND_UNDER_BYTES ? ROUND_UNDER_BYTES : bytes;
}

static bool holds_all(const struct zw_nginx_memory *memory, size_t left_bytes)
{
	for (unsigned i = 0; i < memory->asked_count; i++) {
		size_t charged_bytes = charge_of(memory->asked[i].items, memory->asked[i].size);

		if (charged_bytes > left_bytes)
			return false;
		left_bytes -= charged_bytes;
	}
	return memory->asked_count < NGINX_ASKED_MAX_COUNT;       /* what was not written down is not known to fit */
}

/* What NGINX of the plan's generation would do with the requests of this response. */
enum zw_nginx_verdict zw_nginx_judge(const struct zw_nginx_memory *memory, const struct zw_nginx_plan *plan)
{
	if (holds_all(memory, plan->plain_budget_bytes))
		return ZW_NGINX_FITS;
	return holds_all(memory, plan->large_budget_bytes) ? ZW_NGINX_LARGER : ZW_NGINX_ALERTS;
}

/* zalloc of the gzip filter.  What does not fit turns the flag on, or, if it is on already, is an alert in error.log. */
void *zw_nginx_memory_ask(void *opaque, unsigned items, unsigned size)
{
	struct zw_nginx_memory *memory = opaque;
	size_t bytes = (size_t)items * size;
	size_t charged_bytes = charge_of(items, size);

	if (memory->asked_count < NGINX_ASKED_MAX_COUNT) {
		memory->asked[memory->asked_count].items = items;
		memory->asked[memory->asked_count++].size = size;
	}
	if (charged_bytes <= memory->left_bytes) {
		void *address = memory->next;

		memory->next += charged_bytes;
		memory->left_bytes -= charged_bytes;
		memory->asked_bytes += bytes;
		return address;
	}
	if (memory->was_large)
		memory->alert_count++;
	else
		*memory->assumes_large = true;
	return zw_nginx_pool_ask(memory, items, size);
}

void zw_nginx_memory_return(void *opaque, void *address)
{
	(void)opaque;                            /* as in NGINX: freed with the response, not before */
	(void)address;
}

void zw_nginx_memory_end(struct zw_nginx_memory *memory)
{
	free(memory->block);
	for (unsigned i = 0; i < memory->more_count; i++)
		free(memory->more[i]);
}
