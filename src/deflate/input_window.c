/* SPDX-License-Identifier: Zlib */
/* input_window.c - takes input in, keeps history, makes room.
 * Takes: the caller's bytes.  Gives: one contiguous buffer.  Then: match_finder.c, the parsers
 * Never: looks at what the bytes are. */
#include "deflate/input_window.h"

#include <string.h>

size_t zw_window_fill(struct zw_input_window *w, struct zw_in *in, zw_sum_copy_fn sum, uint32_t *check)
{
	size_t room = w->capacity - w->end;
	size_t n = in->left_bytes < room ? in->left_bytes : room;

	if (!n)                                  /* next may be NULL */
		return 0;
	if (sum)
		*check = sum(*check, w->buf + w->end, in->next, n);
	else
		memcpy(w->buf + w->end, in->next, n);
	in->next += n;
	in->left_bytes -= n;
	w->end += (uint32_t)n;
	return n;
}

void zw_window_define_slack(struct zw_input_window *w)
{
	memset(w->buf + w->end, 0, WINDOW_SLACK_BYTES); /* behind capacity there are as many bytes */
}

uint32_t zw_window_slide(struct zw_input_window *w)
{
	uint32_t shift = zw_window_slide_bytes(w);

	if (!shift)
		return 0;
	memmove(w->buf, w->buf + shift, w->end - shift);
	w->parsed -= shift;
	w->end -= shift;
	return shift;
}
