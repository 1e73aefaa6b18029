/* SPDX-License-Identifier: Zlib */
/* nginx_shape.h - how NGINX's gzip filter calls the library: window and memory by Content-Length, the block it
 * allocates in advance, and what it does when the library asks for more. */
#ifndef ZW_TOOL_BENCH_NGINX_SHAPE_H
#define ZW_TOOL_BENCH_NGINX_SHAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NGINX_IN_BYTES   (32u * 1024)        /* output_buffers 2 32k */
#define NGINX_OUT_BYTES  (4u * 1024)         /* gzip_buffers 32 4k, gunzip_buffers 32 4k */
#define NGINX_WINDOW_LOG2 15
#define NGINX_MEM_LEVEL    8
#define NGINX_GZIP_FORMAT 16                 /* added to windowBits */

/* The generations of the filter's arithmetic. */
enum zw_nginx_age {
	ZW_NGINX_1_13,                           /* 1.13.7 - 1.19.9 */
	ZW_NGINX_1_22,                           /* 1.19.10 - 1.23.3 */
	ZW_NGINX_1_24,                           /* 1.23.4 - 1.26.2, 1.27.0 - 1.27.3 */
	ZW_NGINX_1_28                            /* 1.26.3, 1.27.4 and later */
};

#define NGINX_AGE_COUNT 4

extern const char *const zw_nginx_ages[NGINX_AGE_COUNT];      /* in words, by enum zw_nginx_age */

/* What a generation does with a library's requests. */
enum zw_nginx_verdict {
	ZW_NGINX_FITS,                           /* all of them are in the block that it allocates at first */
	ZW_NGINX_LARGER,                         /* not the first response's; the block is larger from then on, for the worker's life */
	ZW_NGINX_ALERTS                          /* not in the larger one either: an alert in error.log for every response */
};

struct zw_nginx_plan {
	int window_log2, mem_level;
	size_t plain_budget_bytes;               /* while the filter believes in stock zlib */
	size_t large_budget_bytes;               /* once it has seen a library that asks for more */
};

/* content_length: of the uncompressed body; negative where it is not known (chunked). */
struct zw_nginx_plan zw_nginx_plan(int64_t content_length, int level, enum zw_nginx_age age);
struct zw_nginx_plan zw_nginx_plan_for(int window_log2, int mem_level, int level, enum zw_nginx_age age);

#define NGINX_ASKED_MAX_COUNT 32

/* One response's memory.  assumes_large is the filter's process-wide flag: it lives as long as the worker. */
struct zw_nginx_memory {
	uint8_t *block, *next;
	size_t   left_bytes;
	size_t   asked_bytes;                    /* the sum of items x size */
	bool     was_large;                      /* assumes_large when the response began */
	bool    *assumes_large;
	unsigned alert_count;                    /* "gzip filter failed to use preallocated memory" */
	void    *more[64];
	unsigned more_count;
	struct { unsigned items, size; } asked[NGINX_ASKED_MAX_COUNT];
	unsigned asked_count;
};

bool  zw_nginx_memory_begin(struct zw_nginx_memory *memory, const struct zw_nginx_plan *plan, bool *assumes_large);
void *zw_nginx_memory_ask(void *memory, unsigned items, unsigned size);
void  zw_nginx_memory_return(void *memory, void *address);
void  zw_nginx_memory_end(struct zw_nginx_memory *memory);

enum zw_nginx_verdict zw_nginx_judge(const struct zw_nginx_memory *memory, const struct zw_nginx_plan *plan);

/* The gunzip filter's memory: every request comes from the response's pool and stays until its end. */
void *zw_nginx_pool_ask(void *memory, unsigned items, unsigned size);

#endif
