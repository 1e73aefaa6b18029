/* SPDX-License-Identifier: Zlib */
/* flow.h - where whole inputs come from and go to: memory, or functions of the caller. */
#ifndef ZW_ONESHOT_FLOW_H
#define ZW_ONESHOT_FLOW_H

#include "base/span.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FLOW_FAILED   SIZE_MAX               /* what a read or write returns instead of a number of bytes */
#define SINK_BUFFER_BYTES ((size_t)1 << 16)

enum zw_flow_result { ZW_FLOW_DONE, ZW_FLOW_NO_ROOM, ZW_FLOW_READ_FAILED, ZW_FLOW_WRITE_FAILED };

struct zw_flow {
	struct zw_in in;                         /* when read is NULL, all of the input */
	size_t (*read)(void *opaque, void *to, size_t room_bytes); /* 1..room_bytes bytes, 0 at the end, or FLOW_FAILED */
	struct zw_out out;                       /* when write is NULL, all room there is; else the buffer that write empties */
	size_t (*write)(void *opaque, const void *from, size_t bytes); /* returns bytes, or FLOW_FAILED */
	void   *opaque;                          /* for read and write */
	uint8_t *buffer;                         /* SINK_BUFFER_BYTES when write is not NULL */
	uint64_t in_bytes, out_bytes;            /* read and written so far, where there are functions */
};

/* Fills to as far as the input goes; returns how much, or FLOW_FAILED. */
size_t zw_flow_fill(struct zw_flow *f, uint8_t *to, size_t bytes);

/* Makes room in out by writing what it holds; false when there is no writer, or it failed. */
bool zw_flow_empty(struct zw_flow *f);

/* All n bytes at from into out; false as zw_flow_empty(). */
bool zw_flow_put(struct zw_flow *f, const uint8_t *from, size_t n);

/* What false meant. */
enum zw_flow_result zw_flow_full(const struct zw_flow *f);

#endif
