/* SPDX-License-Identifier: Zlib */
/* inflate_sync.c - finds the marker of an empty stored block, 00 00 FF FF, after damaged data. */
#include "inflate/inflate_state.h"

#define MARKER_BYTES 4u

/* How much of the marker is matched after one more byte.  Zeros may be the marker's own two, however many there are. */
static unsigned match_marker(unsigned matched, uint8_t byte)
{
	if (byte == (matched < 2 ? 0x00 : 0xff))
		return matched + 1;
	if (byte)
		return 0;
	return MARKER_BYTES - matched;           /* after 00 00: two again; after 00 00 FF: one */
}

/* ZW_OK: found, in stands behind it, and the stream begins a block.  ZW_BAD_DATA: not in this input.
 * ZW_NO_PROGRESS: nothing to search. */
enum zw_result zw_inflate_sync(struct zw_inflate *s, struct zw_in *in)
{
	enum zw_format format = (enum zw_format)s->format;
	bool header_seen = s->header_seen;
	uint32_t check = s->check;

	if (!in->left_bytes && s->hold_count < 8)
		return ZW_NO_PROGRESS;
	if (s->mode != ZW_INFLATE_SYNC) {
		s->mode = ZW_INFLATE_SYNC;
		s->sync_matched = 0;
		s->hold >>= s->hold_count & 7;
		for (unsigned bytes = s->hold_count >> 3; bytes && s->sync_matched < MARKER_BYTES; bytes--) {
			s->sync_matched = (uint8_t)match_marker(s->sync_matched, (uint8_t)s->hold);
			s->hold >>= 8;
		}
		s->hold = 0;
		s->hold_count = 0;
	}
	while (in->left_bytes && s->sync_matched < MARKER_BYTES) {
		s->sync_matched = (uint8_t)match_marker(s->sync_matched, *in->next++);
		in->left_bytes--;
	}
	if (s->sync_matched < MARKER_BYTES)
		return ZW_BAD_DATA;

	if (header_seen)
		s->wrap &= (uint8_t)~ZW_WRAP_CHECK; /* part of the data is lost: no checksum can be right */
	else
		s->wrap = 0;
	zw_inflate_reset(s);
	s->format = (uint8_t)format;
	s->header_seen = header_seen;
	s->check = check;                        /* KEEP-STOCK: goes on if inflateValidate() asks for checks again */
	s->mode = ZW_INFLATE_BLOCK_STOP;
	return ZW_OK;
}
