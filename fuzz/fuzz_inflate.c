/* SPDX-License-Identifier: Zlib */
/* fuzz_inflate.c - any sequence of inflate calls on any bytes, ours beside the system's zlib: inflate_sides.h compares. */
#include "inflate_sides.h"

/* The first bytes decide, the rest is the stream: [n] [n decisions] [stream]. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len_bytes)
{
	static struct sides sides;
	struct fuzz_input in = { data, len_bytes };
	size_t decisions = fuzz_byte(&in);
	const uint8_t *stream;
	size_t stream_bytes;

	if (decisions > in.left_bytes)
		decisions = in.left_bytes;
	stream = in.next + decisions;
	stream_bytes = in.left_bytes - decisions;
	in.left_bytes = decisions;
	if (!sides_begin(&sides, fuzz_byte(&in) - 64, stream, stream_bytes))
		return 0;
	if (decisions % 2)
		ask_header(&sides);
	sides_run(&sides, &in);
	sides_end(&sides);
	return 0;
}
