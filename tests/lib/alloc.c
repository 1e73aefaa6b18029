/* SPDX-License-Identifier: Zlib */
/* alloc.c - see alloc.h. */
#include "lib/alloc.h"

#include "lib/rng.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ALIGN_BYTES 128

struct test_block {
	struct test_block *next;
	void    *raw;                            /* what malloc gave */
	uint8_t *user;                           /* what the stream got */
	size_t   len_bytes;
};

static void *must_allocate(size_t bytes)
{
	void *p = malloc(bytes ? bytes : 1);

	if (!p) {
		fprintf(stderr, "test allocator: out of memory\n");
		exit(1);
	}
	return p;
}

/* The user's bytes end where malloc's end, so that ASan and valgrind see an access behind them. */
static voidpf take_block(voidpf opaque, uInt items, uInt size)
{
	struct test_alloc *a = opaque;
	size_t bytes = (size_t)items * size;
	size_t shift_bytes = (size_t)TEST_ALLOC_SHIFT_UNIT_BYTES * a->shift;
	struct test_block *b;
	struct rng random = rng_seed(a->garbage_seed + a->calls);

	a->calls++;
	if (a->fail_on_call && a->calls >= a->fail_on_call)
		return NULL;
	b = must_allocate(sizeof *b);
	b->raw = aligned_alloc(ALIGN_BYTES, (bytes + shift_bytes + ALIGN_BYTES - 1) / ALIGN_BYTES * ALIGN_BYTES + ALIGN_BYTES);
	if (!b->raw) {
		fprintf(stderr, "test allocator: out of memory\n");
		exit(1);
	}
	b->user = (uint8_t *)b->raw + shift_bytes;
	b->len_bytes = bytes;
	b->next = a->blocks;
	a->blocks = b;
	a->total_bytes += bytes;
	a->live_bytes += bytes;
	if (a->garbage)
		rng_fill(&random, b->user, bytes);
	else
		memset(b->user, 0, bytes);
	return b->user;
}

static void release_block(struct test_alloc *a, struct test_block **link)
{
	struct test_block *b = *link;

	*link = b->next;
	a->live_bytes -= b->len_bytes;
	free(b->raw);
	free(b);
}

static void give_block(voidpf opaque, voidpf address)
{
	struct test_alloc *a = opaque;
	struct test_block **link = &a->blocks;

	a->frees++;
	while (*link && (*link)->user != address)
		link = &(*link)->next;
	if (!*link) {
		a->bad_frees++;
		return;
	}
	if (!a->ignore_free)
		release_block(a, link);
}

void test_alloc_use(struct test_alloc *a, z_stream *s)
{
	s->zalloc = take_block;
	s->zfree = give_block;
	s->opaque = a;
}

unsigned test_alloc_close(struct test_alloc *a)
{
	unsigned count = 0;

	for (; a->blocks; count++)
		release_block(a, &a->blocks);
	return count;
}

/* ---- NGINX ------------------------------------------------------------------------------------------------------ */

/* first budget: header + 4 * 2^w + 512 * 2^m.
 * second budget: 8208 + 4 * 2^w + hash_bytes(m) + extra, w at least 13 at level 1. */
static const struct {
	const char *name;
	size_t first_header_bytes;
	bool   has_second_mode;
	bool   hash_follows_mem_level;           /* 1.13.7 knew Intel's fork: its hash grows with memLevel */
	unsigned pending_factor, pending_shift;  /* pending_factor << (m + pending_shift) */
	size_t second_extra_bytes;
	bool   rounds_every_call;                /* else only the first that qualifies */
} generations[NGINX_GENERATION_COUNT] = {
	[NGINX_1_13_6]  = { "up to 1.13.6",     8192, false, false, 0, 0,   0, true  },
	[NGINX_1_13_7]  = { "1.13.7 - 1.19.9",  8192, true,  true,  1, 8,   0, true  },
	[NGINX_1_19_10] = { "1.19.10 - 1.23.3", 8208, true,  false, 1, 8,   0, true  },
	[NGINX_1_23_4]  = { "1.23.4 - 1.26.2",  8208, true,  false, 1, 8, 288, false },
	[NGINX_1_26_3]  = { "1.26.3, 1.27.4 -", 8208, true,  false, 5, 6, 288, false },
};

#define SECOND_HEADER_BYTES  8208
#define SECOND_HASH_BYTES  131072
#define LEVEL1_MIN_WINDOW_LOG2 13
#define ROUND_BELOW_BYTES    8192
#define ROUND_UNIT_BYTES      512

static size_t first_budget(enum nginx_generation g, int window_log2, int mem_level)
{
	return generations[g].first_header_bytes + ((size_t)1 << (window_log2 + 2)) + ((size_t)1 << (mem_level + 9));
}

static size_t second_budget(enum nginx_generation g, int level, int window_log2, int mem_level)
{
	int w = level == 1 && window_log2 < LEVEL1_MIN_WINDOW_LOG2 ? LEVEL1_MIN_WINDOW_LOG2 : window_log2;
	int hash_level = mem_level < 8 ? 8 : mem_level;
	size_t hash_bytes = generations[g].hash_follows_mem_level ? (size_t)1 << (hash_level + 8) : SECOND_HASH_BYTES;
	size_t pending_bytes = (size_t)generations[g].pending_factor << (mem_level + (int)generations[g].pending_shift);

	return SECOND_HEADER_BYTES + ((size_t)1 << (w + 2)) + hash_bytes + pending_bytes + generations[g].second_extra_bytes;
}

static bool rounds_up(struct nginx_alloc *n, uInt items, size_t bytes)
{
	if (items != 1 || bytes % ROUND_UNIT_BYTES == 0 || bytes >= ROUND_BELOW_BYTES)
		return false;
	if (!generations[n->generation].rounds_every_call && n->state_allocated)
		return false;
	n->state_allocated = true;
	return true;
}

static voidpf carve_block(voidpf opaque, uInt items, uInt size)
{
	struct nginx_alloc *n = opaque;
	size_t bytes = (size_t)items * size;
	size_t charged = rounds_up(n, items, bytes) ? ROUND_BELOW_BYTES : bytes;
	uint8_t *p = n->next;

	n->calls++;
	if (charged <= n->left_bytes) {
		n->next += charged;
		n->left_bytes -= charged;
		return p;
	}
	if (n->zlib_ng_mode || !generations[n->generation].has_second_mode) {
		n->alerted = true;
	} else {
		n->flipped = true;
		n->assume_zlib_ng = true;
	}
	return take_block(&n->pool, items, size);
}

static void keep_block(voidpf opaque, voidpf address)
{
	(void)opaque;
	(void)address;
}

const char *nginx_generation_name(enum nginx_generation generation)
{
	return generations[generation].name;
}

void nginx_worker_start(struct nginx_alloc *n, enum nginx_generation generation)
{
	*n = (struct nginx_alloc){ .generation = generation };
}

void nginx_response_begin(struct nginx_alloc *n, z_stream *s, int level, int window_log2, int mem_level)
{
	struct rng random = rng_seed((uint64_t)window_log2 * 16 + (uint64_t)mem_level);

	n->zlib_ng_mode = n->assume_zlib_ng;
	n->budget_bytes = n->zlib_ng_mode ? second_budget(n->generation, level, window_log2, mem_level)
					  : first_budget(n->generation, window_log2, mem_level);
	n->left_bytes = n->budget_bytes;
	n->state_allocated = n->alerted = n->flipped = false;
	n->calls = 0;
	n->block = must_allocate(n->budget_bytes);
	rng_fill(&random, n->block, n->budget_bytes);
	n->next = n->block;
	n->pool = (struct test_alloc){ .garbage = true, .ignore_free = true };
	s->zalloc = carve_block;
	s->zfree = keep_block;
	s->opaque = n;
}

enum nginx_verdict nginx_response_end(struct nginx_alloc *n)
{
	free(n->block);
	n->block = n->next = NULL;
	test_alloc_close(&n->pool);
	if (n->alerted)
		return NGINX_ALERT;
	return n->flipped ? NGINX_FLIPS_TO_ZLIB_NG_MODE : NGINX_FITS;
}

#define NGINX_WINDOW_LOG2 15
#define NGINX_MEM_LEVEL    8
#define NGINX_LOOKAHEAD_BYTES 262

void nginx_parameters(int64_t content_length, int *window_log2_ret, int *mem_level_ret)
{
	int w = NGINX_WINDOW_LOG2;
	int m = NGINX_MEM_LEVEL;

	if (content_length > 0) {
		while (content_length < (1 << (w - 1)) - NGINX_LOOKAHEAD_BYTES) {
			w--;
			m--;
		}
		if (m < 1)
			m = 1;
	}
	*window_log2_ret = w;
	*mem_level_ret = m;
}
