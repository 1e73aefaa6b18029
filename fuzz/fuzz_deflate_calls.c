/* SPDX-License-Identifier: Zlib */
/* fuzz_deflate_calls.c - any sequence of deflate calls: levels and strategies changed, every flush, dictionaries, copies,
 * resets, tiny buffers, the smallest windows and memory.  What comes out must decode to what went in. */
#include "exact_buffer.h"

#define STEPS_MAX 80
#define WINDOWS_OF_PLAIN 6                   /* after so much input, but SMALL_PLAIN_BYTES at least, the stream is ended */
#define SMALL_PLAIN_BYTES 6000

struct writer {
	const struct peer_zlib *p;
	z_stream streams[2];                     /* a copy has to stay where it was made */
	z_stream *s;
	int window_bits;
	size_t window_bytes;
	bool has_dictionary;
	bool finished;
	struct test_bytes plain, packed;
};

static const uint8_t dictionary[] = "server request response header body content-length <div class=\"</div>";

static bool trace(void)
{
	static int wanted = -1;

	if (wanted < 0)
		wanted = getenv("ZWIRE_FUZZ_TRACE") != NULL;
	return wanted;
}

/* Memory for streams out of blocks that are used again: mapping and clearing 270 KB for each took most of the time, and what
 * the last stream left there must not matter.  A copy needs a second block for a moment. */
#define POOL_BLOCKS 4
static struct exact_buffer pool[POOL_BLOCKS];

static voidpf pool_take(voidpf opaque, uInt items, uInt size)
{
	(void)opaque;
	for (int i = 0; i < POOL_BLOCKS; i++)
		if (!pool[i].open)
			return exact_open(pool + i, (size_t)items * size);
	return NULL;
}

static void pool_give(voidpf opaque, voidpf block)
{
	(void)opaque;
	for (int i = 0; i < POOL_BLOCKS; i++)
		if (pool[i].open == block) {
			exact_close(pool + i);
			return;
		}
	FUZZ_CHECK(block == NULL);               /* it was not given */
}

/* A size up to two windows, mostly small: what happens at the edges of a small window costs little to try. */
static size_t size_for(const struct writer *w, struct fuzz_input *in)
{
	uint8_t kind = fuzz_byte(in);

	if (kind < 160)
		return kind % 40;
	if (kind < 240)
		return (size_t)fuzz_byte(in) * 2;
	return (size_t)fuzz_byte(in) * (w->window_bytes / 120);
}

/* One deflate() with exactly in_bytes and room bytes around it. */
static int deflate_once(struct writer *w, const uint8_t *from, size_t in_bytes, size_t room, int flush)
{
	static struct exact_buffer in_buffer, out_buffer;
	uint8_t *in = exact_open(&in_buffer, in_bytes);
	uint8_t *out = exact_open_room(&out_buffer, room);
	int code;

	if (in_bytes)
		memcpy(in, from, in_bytes);
	w->s->next_in = in;
	w->s->avail_in = (uInt)in_bytes;
	w->s->next_out = out;
	w->s->avail_out = (uInt)room;
	code = w->p->deflate(w->s, flush);
	if (trace())
		fprintf(stderr, "deflate flush %d, %zu bytes in, room %zu: %d, %u and %u left, adler %lx\n", flush, in_bytes, room, code,
			w->s->avail_in, w->s->avail_out, w->s->adler);
	FUZZ_CHECK(w->s->avail_in <= in_bytes && w->s->avail_out <= room);
	FUZZ_CHECK(code == Z_OK || code == Z_STREAM_END || code == Z_BUF_ERROR || code == Z_STREAM_ERROR);
	FUZZ_CHECK(!w->s->avail_in || !w->s->avail_out || code != Z_OK || flush == Z_FINISH);
	bytes_append(&w->plain, in, in_bytes - w->s->avail_in);
	bytes_append(&w->packed, out, room - w->s->avail_out);
	exact_check_rest(&out_buffer, room - w->s->avail_out);
	FUZZ_CHECK(!in_bytes || memcmp(in, from, in_bytes) == 0);
	w->finished |= code == Z_STREAM_END;
	exact_close(&in_buffer);
	exact_close(&out_buffer);
	return code;
}

static void change_parameters(struct writer *w, struct fuzz_input *in)
{
	int level = fuzz_between(in, -1, 9);
	int strategy = fuzz_between(in, 0, 4);
	static struct exact_buffer out_buffer;
	size_t room = size_for(w, in);
	uint8_t *out = exact_open_room(&out_buffer, room);
	int code;

	w->s->next_in = NULL;
	w->s->avail_in = 0;
	w->s->next_out = out;
	w->s->avail_out = (uInt)room;
	code = w->p->deflateParams(w->s, level, strategy);
	FUZZ_CHECK(code == Z_OK || code == Z_BUF_ERROR || code == Z_STREAM_ERROR);
	bytes_append(&w->packed, out, room - w->s->avail_out);
	exact_check_rest(&out_buffer, room - w->s->avail_out);
	exact_close(&out_buffer);
}

static void replace_by_copy(struct writer *w)
{
	z_stream *copy = w->s == w->streams ? w->streams + 1 : w->streams;
	int code;

	FUZZ_CHECK(w->p->deflateCopy(copy, w->s) == Z_OK);
	code = w->p->deflateEnd(w->s);
	FUZZ_CHECK(code == Z_OK || code == Z_DATA_ERROR);
	w->s = copy;
}

static void reset_writer(struct writer *w)
{
	FUZZ_CHECK(w->p->deflateReset(w->s) == Z_OK);
	w->plain.len_bytes = w->packed.len_bytes = 0;
	w->has_dictionary = w->finished = false;
}

static void other_call(struct writer *w, struct fuzz_input *in)
{
	static uint8_t back[32768];
	unsigned pending;
	int bits, argument = fuzz_byte(in), which = fuzz_between(in, 0, 6);
	uInt back_bytes;

	if (trace())
		fprintf(stderr, "other call %d\n", which);
	switch (which) {
	case 0: change_parameters(w, in); break;
	case 1: replace_by_copy(w); break;
	case 2: reset_writer(w); break;
	case 3: w->p->deflateTune(w->s, argument, fuzz_byte(in), fuzz_byte(in) * 2, fuzz_byte(in) * 20); break;
	case 4:
		FUZZ_CHECK(w->p->deflatePending(w->s, &pending, &bits) == Z_OK);
		FUZZ_CHECK(bits >= 0 && bits <= 7);
		break;
	case 5:
		FUZZ_CHECK(w->p->deflateGetDictionary(w->s, back, &back_bytes) == Z_OK);
		if (!w->has_dictionary)
			FUZZ_CHECK(back_bytes <= w->plain.len_bytes);
		if (!w->has_dictionary && back_bytes)
			FUZZ_CHECK(memcmp(back, w->plain.data + w->plain.len_bytes - back_bytes, back_bytes) == 0);
		break;
	case 6:
		if (!w->has_dictionary && w->s->total_in == 0 && w->s->total_out == 0 && !w->plain.len_bytes &&
		    w->p->deflateSetDictionary(w->s, dictionary, sizeof dictionary) == Z_OK)
			w->has_dictionary = true;
		break;
	}
}

/* The whole stream through the judge. */
static void check_stream(const struct writer *w)
{
	const struct peer_zlib *judge = fuzz_judge();
	struct test_bytes back = { 0 };
	z_stream s = { 0 };
	int code;

	bytes_reserve(&back, w->plain.len_bytes + 1);
	FUZZ_CHECK(judge->inflateInit2_(&s, w->window_bits == 8 ? 9 : w->window_bits, ZLIB_VERSION, (int)sizeof s) == Z_OK);
	if (w->window_bits < 0 && w->has_dictionary)
		FUZZ_CHECK(judge->inflateSetDictionary(&s, dictionary, sizeof dictionary) == Z_OK);
	s.next_in = w->packed.data;
	s.avail_in = (uInt)w->packed.len_bytes;
	s.next_out = back.data;
	s.avail_out = (uInt)w->plain.len_bytes + 1;
	code = judge->inflate(&s, Z_FINISH);
	if (code == Z_NEED_DICT) {
		FUZZ_CHECK(w->has_dictionary);
		FUZZ_CHECK(judge->inflateSetDictionary(&s, dictionary, sizeof dictionary) == Z_OK);
		code = judge->inflate(&s, Z_FINISH);
	}
	FUZZ_CHECK(code == Z_STREAM_END);
	FUZZ_CHECK(s.avail_in == 0 && s.total_out == w->plain.len_bytes);
	FUZZ_CHECK(!w->plain.len_bytes || memcmp(back.data, w->plain.data, w->plain.len_bytes) == 0);
	judge->inflateEnd(&s);
	bytes_free(&back);
}

/* windowBits 8 (made 9) and memLevel 1 come up often: that is where the buffers are smallest. */
static int begin_writer(struct writer *w, struct fuzz_input *in)
{
	static const int windows[] = { 8, 9, 15, -9, -10, -15, 9 + 16, 15 + 16, 12, -12 };
	int mem_level = fuzz_between(in, 0, 12);

	*w = (struct writer){ .p = fuzz_subject(), .window_bits = windows[fuzz_byte(in) % 10], .plain = w->plain, .packed = w->packed };
	w->plain.len_bytes = w->packed.len_bytes = 0;
	w->window_bytes = (size_t)1 << (w->window_bits < 0 ? -w->window_bits : w->window_bits & 15);
	w->s = w->streams;
	w->s->zalloc = pool_take;
	w->s->zfree = pool_give;
	if (mem_level < 1 || mem_level > 9)
		mem_level = 1;
	return w->p->deflateInit2_(w->s, fuzz_between(in, -1, 9), Z_DEFLATED, w->window_bits, mem_level,
				   fuzz_between(in, 0, 4), ZLIB_VERSION, (int)sizeof *w->s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len_bytes)
{
	static struct writer w;                  /* its buffers live on */
	struct fuzz_input in = { data, len_bytes };
	size_t plain_max;
	int code;

	FUZZ_CHECK(begin_writer(&w, &in) == Z_OK);
	plain_max = SMALL_PLAIN_BYTES + w.window_bytes * WINDOWS_OF_PLAIN;
	for (int step = 0; step < STEPS_MAX && in.left_bytes && w.plain.len_bytes < plain_max; step++) {
		size_t in_bytes;

		if (fuzz_byte(&in) < 48) {
			other_call(&w, &in);
			continue;
		}
		in_bytes = size_for(&w, &in);
		deflate_once(&w, fuzz_source(&in, in_bytes), in_bytes, size_for(&w, &in), fuzz_between(&in, 0, Z_TREES));
	}
	for (code = Z_OK; !w.finished; ) {
		code = deflate_once(&w, data, 0, 100000, Z_FINISH);
		FUZZ_CHECK(code == Z_OK || code == Z_STREAM_END);
	}
	check_stream(&w);
	FUZZ_CHECK(w.p->deflateEnd(w.s) == Z_OK);
	for (int i = 0; i < POOL_BLOCKS; i++)
		FUZZ_CHECK(!pool[i].open);
	return 0;
}
