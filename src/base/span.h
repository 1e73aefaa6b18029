/* SPDX-License-Identifier: Zlib */
/* span.h - byte cursors: the only way bytes pass between stages.  next may be NULL while left_bytes is 0. */
#ifndef ZW_BASE_SPAN_H
#define ZW_BASE_SPAN_H

#include "base/arch.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct zw_in  { const uint8_t *next; size_t left_bytes; };
struct zw_out { uint8_t *next; size_t left_bytes; };

/* Copies up to n bytes into out and moves it on; returns how many went. */
ZW_INLINE size_t zw_out_put(struct zw_out *out, const uint8_t *from, size_t n)
{
	if (n > out->left_bytes)
		n = out->left_bytes;
	if (n) {                                 /* next may be NULL when nothing is left */
		memcpy(out->next, from, n);
		out->next += n;
		out->left_bytes -= n;
	}
	return n;
}

/* Copies up to n bytes out of in and moves it on; returns how many came. */
ZW_INLINE size_t zw_in_take(struct zw_in *in, uint8_t *to, size_t n)
{
	if (n > in->left_bytes)
		n = in->left_bytes;
	if (n) {
		memcpy(to, in->next, n);
		in->next += n;
		in->left_bytes -= n;
	}
	return n;
}

#endif
