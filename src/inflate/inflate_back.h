/* SPDX-License-Identifier: Zlib */
/* inflate_back.h - raw inflate that calls for its input and hands out its window. */
#ifndef ZW_INFLATE_INFLATE_BACK_H
#define ZW_INFLATE_INFLATE_BACK_H

#include "inflate/inflate_state.h"

struct zw_back_io {
	unsigned (*pull)(void *owner, const uint8_t **next_ret);       /* 0: no more input */
	void *pull_owner;
	int (*push)(void *owner, uint8_t *from, unsigned bytes);       /* not 0: stop */
	void *push_owner;
	struct zw_bit_reader br;                 /* next is NULL when pull() had nothing */
	uint8_t *window;                         /* exactly 2^window_log2 bytes, history and output at once */
	size_t   window_bytes;
	size_t   at;                             /* where the next byte goes */
	bool     wrapped;                        /* the whole window is history */
};

/* Decodes one raw stream.  ZW_NO_PROGRESS: pull() or push() gave up. */
enum zw_result zw_inflate_back(struct zw_inflate *s, struct zw_back_io *io);

#endif
