/* SPDX-License-Identifier: Zlib */
/* test_inflate_back.c - inflateBack() on a window of exactly 2^n bytes with inaccessible pages on either side: results, messages,
 * unused input and every call of the callbacks against the system's zlib. */
#include "lib/cmocka_all.h"

#include "inflate/make_stream.h"
#include "lib/guard.h"

#define STREAMS 1500

/* One side of the comparison: where input comes from, what was handed out, and a record of every call. */
struct side {
	const uint8_t *z;
	size_t   left_bytes;
	uint64_t pieces_seed;
	unsigned pieces_mode;
	unsigned out_calls_max;                  /* out() gives up after so many; 0: never */
	struct rng pieces;
	struct guard_buffer in;
	struct test_bytes made;
	struct test_bytes record;                /* 'i' or 'o' and the count, of each call */
	unsigned out_calls;
	uint8_t *window;
	size_t   window_bytes;
	bool     strayed;                        /* out() was handed memory outside the window */
};

static void note(struct side *s, uint8_t what, unsigned n)
{
	uint8_t line[5] = { what, (uint8_t)n, (uint8_t)(n >> 8), (uint8_t)(n >> 16), (uint8_t)(n >> 24) };

	bytes_append(&s->record, line, sizeof line);
}

static unsigned give_piece(void *owner, z_const unsigned char **next_ret)
{
	struct side *s = owner;
	size_t n = s->pieces_mode == 0 ? 1 : s->pieces_mode == 1 ? 1 + stream_below(&s->pieces, 60) : 1 + stream_below(&s->pieces, 20000);

	if (n > s->left_bytes)
		n = s->left_bytes;
	note(s, 'i', (unsigned)n);
	if (!n)
		return 0;
	memcpy(s->in.data + s->in.len_bytes - n, s->z, n); /* ends at the guard page */
	*next_ret = s->in.data + s->in.len_bytes - n;
	s->z += n;
	s->left_bytes -= n;
	return (unsigned)n;
}

static int take_output(void *owner, unsigned char *from, unsigned n)
{
	struct side *s = owner;

	note(s, 'o', n);
	if (from < s->window || from + n > s->window + s->window_bytes)
		s->strayed = true;
	bytes_append(&s->made, from, n);
	return ++s->out_calls == s->out_calls_max;
}

static void side_begin(struct side *s, const struct test_bytes *z, uint64_t seed, unsigned mode, unsigned out_calls_max)
{
	s->z = z->data;
	s->left_bytes = z->len_bytes;
	s->pieces = rng_seed(seed);
	s->pieces_mode = mode;
	s->out_calls_max = out_calls_max;
	s->made.len_bytes = s->record.len_bytes = 0;
	bytes_reserve(&s->made, 1);
	bytes_reserve(&s->record, 1);
	s->out_calls = 0;
	s->strayed = false;
}

/* How much the system's inflate() makes of a raw stream before it says "too far back"; SIZE_MAX if it does not. */
static size_t bytes_before_too_far(const struct peer_zlib *p, const struct test_bytes *z)
{
	static Bytef out[4096];
	z_stream s;
	size_t made;
	int code;

	memset(&s, 0, sizeof s);
	p->inflateInit2_(&s, -15, "1.2.11", (int)sizeof s);
	s.next_in = z->data;
	s.avail_in = (uInt)z->len_bytes;
	do {
		s.next_out = out;
		s.avail_out = sizeof out;
		code = p->inflate(&s, Z_NO_FLUSH);
	} while (code == Z_OK);
	made = code == Z_DATA_ERROR && strcmp(s.msg, "invalid distance too far back") == 0 ? s.total_out : SIZE_MAX;
	p->inflateEnd(&s);
	return made;
}

static void test_back_is_what_the_system_does(void **state)
{
	const struct peer_zlib *p = peer_system_or_skip();
	struct side ours = { 0 }, theirs = { 0 };
	struct test_bytes corpus = { 0 };
	unsigned ended = 0, rejected = 0, gave_up = 0;

	(void)state;
	corpus_make(CORPUS_HTML, 11, 200000, &corpus);
	corpus_make(CORPUS_MIXED, 12, 200000, &corpus);
	ours.in = guard_before_end(20000);
	theirs.in = guard_before_end(20000);
	for (uint64_t seed = 1; seed <= STREAMS; seed++) {
		struct rng r = rng_seed(seed * 77);
		struct bits b = { 0 };
		unsigned window_log2 = stream_make(&r, p, STREAM_RAW, &corpus, &b);
		struct guard_buffer window;
		z_stream os, ts;
		int our_code, their_code;
		unsigned mode = stream_below(&r, 3), stop = rng_one_in(&r, 10) ? 1 + stream_below(&r, 3) : 0, first;

		if (rng_one_in(&r, 6))
			window_log2 = 8 + stream_below(&r, 8);
		window = rng_one_in(&r, 2) ? guard_before_end((size_t)1 << window_log2) : guard_after_start((size_t)1 << window_log2);
		rng_fill(&r, window.data, window.len_bytes); /* old contents must not show */
		ours.window = window.data;
		theirs.window = malloc(window.len_bytes);
		rng_fill(&r, theirs.window, window.len_bytes);
		ours.window_bytes = theirs.window_bytes = window.len_bytes;
		memset(&os, 0, sizeof os);
		memset(&ts, 0, sizeof ts);
		assert_int_equal(inflateBackInit_(&os, (int)window_log2, ours.window, ZLIB_VERSION, (int)sizeof os), Z_OK);
		assert_int_equal(p->inflateBackInit_(&ts, (int)window_log2, theirs.window, "1.2.11", (int)sizeof ts), Z_OK);
		for (unsigned round = 0; round < 2; round++) { /* the same state again */
			side_begin(&ours, &b.bytes, seed, mode, stop);
			side_begin(&theirs, &b.bytes, seed, mode, stop);
			first = stream_below(&r, 30);
			first = first < b.bytes.len_bytes ? first : (unsigned)b.bytes.len_bytes;
			os.next_in = ts.next_in = rng_one_in(&r, 3) ? NULL : b.bytes.data;
			os.avail_in = ts.avail_in = first;
			if (os.next_in) {
				ours.z = theirs.z = b.bytes.data + first;
				ours.left_bytes = theirs.left_bytes = b.bytes.len_bytes - first;
			}
			our_code = inflateBack(&os, give_piece, &ours, take_output, &ours);
			their_code = p->inflateBack(&ts, give_piece, &theirs, take_output, &theirs);
			/* the fast loop behind zlib's inflateBack() lets some distances pass that lead nowhere; its inflate() does not */
			if (our_code == Z_DATA_ERROR && strcmp(os.msg, "invalid distance too far back") == 0) {
				assert_true(ours.made.len_bytes <= theirs.made.len_bytes);
				assert_memory_equal(ours.made.data, theirs.made.data, ours.made.len_bytes);
				if (window_log2 == 15)
					assert_int_equal(bytes_before_too_far(p, &b.bytes), ours.made.len_bytes);
				break;
			}
			if (our_code != their_code || strcmp(os.msg ? os.msg : "", ts.msg ? ts.msg : "") != 0 || os.avail_in != ts.avail_in
			    || (os.next_in == NULL) != (ts.next_in == NULL) || ours.left_bytes != theirs.left_bytes || ours.strayed
			    || ours.made.len_bytes != theirs.made.len_bytes || ours.record.len_bytes != theirs.record.len_bytes
			    || memcmp(ours.made.data, theirs.made.data, ours.made.len_bytes) != 0
			    || memcmp(ours.record.data, theirs.record.data, ours.record.len_bytes) != 0)
				fail_msg("seed %u round %u window %u mode %u: code %d/%d msg %s/%s avail_in %u/%u made %zu/%zu calls %zu/%zu",
					 (unsigned)seed, round, window_log2, mode, our_code, their_code, os.msg ? os.msg : "", ts.msg ? ts.msg : "",
					 os.avail_in, ts.avail_in, ours.made.len_bytes, theirs.made.len_bytes, ours.record.len_bytes,
					 theirs.record.len_bytes);
		}
		ended += our_code == Z_STREAM_END;
		rejected += our_code == Z_DATA_ERROR;
		gave_up += our_code == Z_BUF_ERROR;
		assert_int_equal(inflateEnd(&os), Z_STREAM_ERROR); /* the window is not ours to free */
		assert_int_equal(inflateBackEnd(&os), Z_OK);
		assert_int_equal(inflateBackEnd(&os), Z_STREAM_ERROR);
		p->inflateBackEnd(&ts);
		guard_free(&window);
		free(theirs.window);
		bits_free(&b);
	}
	print_message("%u ended, %u rejected, %u gave up\n", ended, rejected, gave_up);
	assert_true(ended > 0);
	assert_true(rejected > 0);
	assert_true(gave_up > 0);
	guard_free(&ours.in);
	guard_free(&theirs.in);
	bytes_free(&ours.made);
	bytes_free(&ours.record);
	bytes_free(&theirs.made);
	bytes_free(&theirs.record);
	bytes_free(&corpus);
}

static void test_back_arguments(void **state)
{
	static unsigned char window[32768];
	z_stream s;

	(void)state;
	memset(&s, 0, sizeof s);
	assert_int_equal(inflateBackInit_(NULL, 15, window, ZLIB_VERSION, (int)sizeof s), Z_STREAM_ERROR);
	assert_int_equal(inflateBackInit_(&s, 15, NULL, ZLIB_VERSION, (int)sizeof s), Z_STREAM_ERROR);
	assert_int_equal(inflateBackInit_(&s, 7, window, ZLIB_VERSION, (int)sizeof s), Z_STREAM_ERROR);
	assert_int_equal(inflateBackInit_(&s, 16, window, ZLIB_VERSION, (int)sizeof s), Z_STREAM_ERROR);
	assert_int_equal(inflateBackInit_(&s, -15, window, ZLIB_VERSION, (int)sizeof s), Z_STREAM_ERROR);
	assert_int_equal(inflateBackInit_(&s, 15, window, NULL, (int)sizeof s), Z_VERSION_ERROR);
	assert_int_equal(inflateBackInit_(&s, 15, window, ZLIB_VERSION, 1), Z_VERSION_ERROR);
	assert_int_equal(inflateBack(NULL, give_piece, NULL, take_output, NULL), Z_STREAM_ERROR);
	assert_int_equal(inflateBack(&s, give_piece, NULL, take_output, NULL), Z_STREAM_ERROR);
	assert_int_equal(inflateBackEnd(NULL), Z_STREAM_ERROR);
	assert_int_equal(inflateBackEnd(&s), Z_STREAM_ERROR);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_back_is_what_the_system_does),
		cmocka_unit_test(test_back_arguments),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
