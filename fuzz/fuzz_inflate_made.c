/* SPDX-License-Identifier: Zlib */
/* fuzz_inflate_made.c - inflate calls on streams that are built from the fuzzer's bytes (made_stream.h), so that it reaches deep
 * into blocks: ours beside the system's zlib, and a valid stream beside the output that it was built for. */
#include "inflate_sides.h"
#include "made_stream.h"

#define CALLS_MAX 400

static struct made made;

/* In pieces of both buffers; no library but ours. */
static void check_plain(int window_bits, size_t given, size_t room)
{
	static struct exact_buffer in, out;
	const struct peer_zlib *p = fuzz_subject();
	size_t used = 0, done = 0;
	z_stream s = { 0 };
	int code;

	FUZZ_CHECK(p->inflateInit2_(&s, window_bits, ZLIB_VERSION, (int)sizeof s) == Z_OK);
	do {
		size_t n = made.stream_bytes - used < given ? made.stream_bytes - used : given;

		s.next_in = memcpy(exact_open(&in, n), made.stream + used, n);
		s.avail_in = (uInt)n;
		s.next_out = exact_open_room(&out, room);
		s.avail_out = (uInt)room;
		code = p->inflate(&s, Z_NO_FLUSH);
		FUZZ_CHECK(code == Z_OK || code == Z_STREAM_END);
		FUZZ_CHECK(room - s.avail_out <= made.plain_bytes - done);
		FUZZ_CHECK(memcmp(out.open, made.plain + done, room - s.avail_out) == 0);
		exact_check_rest(&out, room - s.avail_out);
		used += n - s.avail_in;
		done += room - s.avail_out;
		exact_close(&in);
		exact_close(&out);
		if (code == Z_STREAM_END && used < made.stream_bytes) {
			FUZZ_CHECK(p->inflateReset(&s) == Z_OK);
			code = Z_OK;
		}
	} while (code == Z_OK);
	FUZZ_CHECK(used == made.stream_bytes && done == made.plain_bytes);
	FUZZ_CHECK(p->inflateEnd(&s) == Z_OK);
}

/* [n] [n decisions] [plan]. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len_bytes)
{
	static const int window_bits[3][6] = {
		{ -15, -15, -15, -15, -12, -8 }, { 15, 15, 47, 0, 15, 40 }, { 31, 31, 47, 16, 25, 31 }
	};
	static struct sides sides;
	struct fuzz_input plan = { data, len_bytes }, decisions;
	size_t count = fuzz_byte(&plan);
	unsigned shape = fuzz_byte(&plan), given = fuzz_byte(&plan), room = fuzz_byte(&plan);
	enum made_wrap wrap = (enum made_wrap)(shape % 3);
	int bits = window_bits[wrap][shape / 3 % 6];

	if (count > plan.left_bytes)
		count = plan.left_bytes;
	decisions = (struct fuzz_input){ plan.next, count };
	plan.next += count;
	plan.left_bytes -= count;
	made_stream(&made, &plan, wrap);
	if (made.valid && made.plain_bytes && (bits == -15 || bits == 15 || bits >= 31 || !bits || bits == 16) && bits != 40)
		check_plain(bits, made.stream_bytes / CALLS_MAX + (given < 16 ? given + 1u : (size_t)given * given),
			    made.plain_bytes / CALLS_MAX + (room < 4 ? room + 1u : (size_t)room * room + 1));
	FUZZ_CHECK(sides_begin(&sides, bits, made.stream, made.stream_bytes));
	if (shape & 128)
		ask_header(&sides);
	sides_run(&sides, &decisions);
	sides_end(&sides);
	return 0;
}
