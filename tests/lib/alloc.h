/* SPDX-License-Identifier: Zlib */
/* alloc.h - allocators for z_stream: counting, failing, unaligned, full of garbage; and NGINX's budget allocator. */
#ifndef TESTS_LIB_ALLOC_H
#define TESTS_LIB_ALLOC_H

#include "zlib.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TEST_ALLOC_SHIFT_UNIT_BYTES 8        /* what malloc and zalloc promise on every machine: a pointer's alignment */
#define TEST_ALLOC_SHIFT_MAX        8

struct test_alloc {
	/* set by the test */
	unsigned fail_on_call;                   /* this call, counted from 1, and later ones return NULL; 0 never */
	unsigned shift;                          /* 0..8: results are 8 * shift bytes past a 128-byte boundary */
	bool     garbage;                        /* fill with bytes made from garbage_seed, else with zeros */
	uint64_t garbage_seed;
	bool     ignore_free;                    /* as NGINX does; memory goes back in test_alloc_close() */

	/* kept by the allocator */
	unsigned calls;
	unsigned frees;
	unsigned bad_frees;                      /* of pointers that never came from here, or twice */
	size_t   total_bytes;                    /* sum of items * size */
	size_t   live_bytes;
	struct test_block *blocks;
};

/* Makes s allocate from a; call before deflateInit() or inflateInit(). */
void test_alloc_use(struct test_alloc *a, z_stream *s);

/* Frees what is left and returns how many blocks that were. */
unsigned test_alloc_close(struct test_alloc *a);

/* NGINX's gzip filter hands the library one preallocated block; its size and its rounding changed over time. */
enum nginx_generation {
	NGINX_1_13_6,                            /* and older: one formula, no second mode */
	NGINX_1_13_7,
	NGINX_1_19_10,
	NGINX_1_23_4,
	NGINX_1_26_3,                            /* and 1.27.4 and newer */
	NGINX_GENERATION_COUNT
};

enum nginx_verdict { NGINX_FITS, NGINX_FLIPS_TO_ZLIB_NG_MODE, NGINX_ALERT };

struct nginx_alloc {
	enum nginx_generation generation;
	bool     assume_zlib_ng;                 /* the worker's memory of an earlier overflow; survives a response */
	bool     zlib_ng_mode;                   /* this response was given the larger budget */
	bool     state_allocated;
	bool     alerted;
	bool     flipped;
	size_t   budget_bytes;
	size_t   left_bytes;
	unsigned calls;
	uint8_t *block;
	uint8_t *next;
	struct test_alloc pool;                  /* the request pool, for what did not fit */
};

const char *nginx_generation_name(enum nginx_generation generation);

/* A worker that has just started. */
void nginx_worker_start(struct nginx_alloc *n, enum nginx_generation generation);

/* One response: NGINX's preallocation for these parameters, and s allocates from it. Give back with the other. */
void nginx_response_begin(struct nginx_alloc *n, z_stream *s, int level, int window_log2, int mem_level);
enum nginx_verdict nginx_response_end(struct nginx_alloc *n);

/* The windowBits and memLevel that NGINX uses for a body of content_length bytes; -1 when it is not known. */
void nginx_parameters(int64_t content_length, int *window_log2_ret, int *mem_level_ret);

#endif
