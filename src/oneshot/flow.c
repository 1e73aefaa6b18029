/* SPDX-License-Identifier: Zlib */
/* flow.c - input and output of whole-buffer compression.
 * Takes: memory or the caller's functions.  Gives: bytes on demand.  Then: oneshot.c */
#include "oneshot/flow.h"

#include "base/check.h"

size_t zw_flow_fill(struct zw_flow *f, uint8_t *to, size_t bytes)
{
	size_t have = 0;

	if (!f->read)
		return zw_in_take(&f->in, to, bytes);
	while (have < bytes) {
		size_t n = f->read(f->opaque, to + have, bytes - have);

		if (n > bytes - have)            /* FLOW_FAILED, or the caller's mistake */
			return FLOW_FAILED;
		if (!n)
			break;
		have += n;
		f->in_bytes += n;
	}
	return have;
}

bool zw_flow_empty(struct zw_flow *f)
{
	size_t n;

	if (!f->write)
		return false;
	n = (size_t)(f->out.next - f->buffer);
	if (n && f->write(f->opaque, f->buffer, n) != n)
		return false;
	f->out_bytes += n;
	f->out = (struct zw_out){ f->buffer, SINK_BUFFER_BYTES };
	return true;
}

bool zw_flow_put(struct zw_flow *f, const uint8_t *from, size_t n)
{
	for (;;) {
		size_t went = zw_out_put(&f->out, from, n);

		from += went;
		n -= went;
		if (!n)
			return true;
		if (!zw_flow_empty(f))
			return false;
	}
}

enum zw_flow_result zw_flow_full(const struct zw_flow *f)
{
	return f->write ? ZW_FLOW_WRITE_FAILED : ZW_FLOW_NO_ROOM;
}
