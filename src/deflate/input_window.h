/* SPDX-License-Identifier: Zlib */
/* input_window.h - the bytes a stream has taken in: history, then bytes not yet parsed.
 *
 *   buf                parsed              end        capacity            capacity + WINDOW_SLACK_BYTES
 *    | history          | to be parsed      | free     | always readable   |
 *
 * Everything is an offset, so a copied stream needs no repair. */
#ifndef ZW_DEFLATE_INPUT_WINDOW_H
#define ZW_DEFLATE_INPUT_WINDOW_H

#include "base/check.h"
#include "base/span.h"

#include <stdint.h>

#define WINDOW_SLACK_BYTES 64u               /* readable behind the buffer: parsers look ahead */

struct zw_input_window {
	uint8_t *buf;                            /* arena: capacity + WINDOW_SLACK_BYTES bytes */
	uint32_t capacity;                       /* 2 << window_log2 */
	uint32_t history_max;                    /* 1 << window_log2: how far back a match may reach */
	uint32_t parsed;                         /* tokens or a stored run cover everything before */
	uint32_t end;                            /* taken from the caller so far */
};

/* Copies input behind end until the window is full; returns how many bytes came, checksummed by sum (NULL: none):
 * sum copies and returns the new value of check. */
typedef uint32_t (*zw_sum_copy_fn)(uint32_t check, uint8_t *dst, const uint8_t *src, size_t len_bytes);
size_t zw_window_fill(struct zw_input_window *w, struct zw_in *in, zw_sum_copy_fn sum, uint32_t *check);

/* Makes the bytes behind end defined, so that looking ahead cannot make output depend on old contents. */
void zw_window_define_slack(struct zw_input_window *w);

/* How far zw_window_slide() would move: all but history_max bytes before parsed. */
ZW_INLINE uint32_t zw_window_slide_bytes(const struct zw_input_window *w)
{
	ZW_ASSERT(w->parsed <= w->end && w->end <= w->capacity);
	return w->parsed > w->history_max ? w->parsed - w->history_max : 0;
}

/* Drops the first zw_window_slide_bytes() bytes and returns how many those were. */
uint32_t zw_window_slide(struct zw_input_window *w);

#endif
