/* SPDX-License-Identifier: Zlib */
/* fuzz_inflate_back.c - inflateBack() on any bytes, or on a stream made from them, with a window of exactly 2^n bytes, beside the
 * system's zlib. */
#include "exact_buffer.h"
#include "made_stream.h"

struct feed {
	const uint8_t *next;
	size_t left_bytes;
	size_t piece_bytes;
	struct test_bytes out;
	size_t out_stop_bytes;                   /* out() refuses what goes beyond */
	struct exact_buffer *piece, *window;     /* poisoned around what is lent; the piece only until the next one */
};

static struct exact_buffer piece_buffer, window_buffer;

/* n bytes of the input, in a place of their own. */
static const uint8_t *lend(struct feed *f, size_t n)
{
	const uint8_t *from = f->next;

	f->next += n;
	f->left_bytes -= n;
	if (f->piece->open)
		exact_close(f->piece);
	exact_open(f->piece, n);
	return n ? memcpy(f->piece->open, from, n) : f->piece->open;
}

static unsigned feed_in(void *desc, z_const unsigned char **buf)
{
	struct feed *f = desc;
	size_t n = f->left_bytes < f->piece_bytes ? f->left_bytes : f->piece_bytes;

	*buf = (z_const unsigned char *)(uintptr_t)lend(f, n);
	return (unsigned)n;
}

static int feed_out(void *desc, unsigned char *buf, unsigned len)
{
	struct feed *f = desc;

	FUZZ_CHECK(buf >= f->window->open && buf + len <= f->window->open + f->window->open_bytes);
	bytes_append(&f->out, buf, len);
	return f->out.len_bytes > f->out_stop_bytes;
}

struct answer { int code; size_t unused_bytes; const char *msg; bool in_null; };

static struct answer run(const struct peer_zlib *p, int window_log2, struct feed *f, size_t first_bytes)
{
	struct answer answer;
	uint8_t *window = exact_open(f->window, (size_t)1 << window_log2);   /* with what the last run left there */
	z_stream s = { 0 };

	FUZZ_CHECK(p->inflateBackInit_(&s, window_log2, window, ZLIB_VERSION, (int)sizeof s) == Z_OK);
	if (first_bytes > f->left_bytes)
		first_bytes = f->left_bytes;
	s.next_in = first_bytes ? lend(f, first_bytes) : NULL;
	s.avail_in = (uInt)first_bytes;
	answer.code = p->inflateBack(&s, feed_in, f, feed_out, f);
	answer.unused_bytes = s.avail_in + f->left_bytes;
	answer.msg = s.msg;
	answer.in_null = s.next_in == NULL;
	FUZZ_CHECK(p->inflateBackEnd(&s) == Z_OK);
	exact_close(f->window);
	if (f->piece->open)
		exact_close(f->piece);
	return answer;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len_bytes)
{
	struct fuzz_input in = { data, len_bytes };
	static struct made made;
	unsigned shape = fuzz_byte(&in);
	int window_log2 = 8 + (int)shape % 8;
	size_t first = fuzz_byte(&in), piece = (size_t)fuzz_byte(&in) + 1;
	size_t stop = fuzz_byte(&in) < 230 ? SIZE_MAX / 2 : 1000;
	struct feed ours = { in.next, in.left_bytes, piece, { 0 }, stop, &piece_buffer, &window_buffer }, theirs;
	struct answer a, b;

	if (shape & 128) {
		made_stream(&made, &in, MADE_RAW);
		ours.next = made.stream;
		ours.left_bytes = made.stream_bytes;
		ours.piece_bytes += made.stream_bytes / 1000;
	}
	theirs = ours;
	a = run(fuzz_subject(), window_log2, &ours, first);
	b = run(fuzz_judge(), window_log2, &theirs, first);

	if (getenv("ZWIRE_FUZZ_TRACE"))
		fprintf(stderr, "ours %d %s, %zu left, %zu out; theirs %d %s, %zu left, %zu out\n", a.code, a.msg ? a.msg : "",
			a.unused_bytes, ours.out.len_bytes, b.code, b.msg ? b.msg : "", b.unused_bytes, theirs.out.len_bytes);
	/* zlib's fast loop takes a distance up to twice of what the window holds, and copies whatever is there. */
	if (a.code == Z_DATA_ERROR && strcmp(a.msg, "invalid distance too far back") == 0) {
		FUZZ_CHECK(ours.out.len_bytes <= theirs.out.len_bytes);
		theirs.out.len_bytes = ours.out.len_bytes;
		b = a;
	}
	FUZZ_CHECK(a.code == b.code);
	FUZZ_CHECK(a.code != Z_BUF_ERROR || a.in_null == b.in_null);
	FUZZ_CHECK(ours.out.len_bytes == theirs.out.len_bytes);
	FUZZ_CHECK(!ours.out.len_bytes || memcmp(ours.out.data, theirs.out.data, ours.out.len_bytes) == 0);
	if (a.code == Z_DATA_ERROR)
		FUZZ_CHECK(a.msg && strcmp(a.msg, b.msg) == 0);
	if (a.code == Z_STREAM_END)
		FUZZ_CHECK(a.unused_bytes == b.unused_bytes);
	bytes_free(&ours.out);
	bytes_free(&theirs.out);
	return 0;
}
