/* SPDX-License-Identifier: Zlib */
/* test_gz_read.c - reading gzip files: random calls in step with the system's zlib, and files that are not as they
 * should be. */
#include "abi/gz_files.h"

#include "lib/corpus.h"
#include "lib/peer.h"
#include "lib/rng.h"

#include <errno.h>
#include <string.h>

#define BODY_BYTES 100000

static struct test_bytes body;               /* what every file of this program contains, whole or in part */
static struct test_bytes packed;             /* body as one member */

static int prepare(void **state)
{
	corpus_make(CORPUS_HTML, 31, BODY_BYTES, &body);
	gz_pack(&packed, body.data, body.len_bytes);
	return gz_make_dir(state);
}

static int clean_up(void **state)
{
	bytes_free(&body);
	bytes_free(&packed);
	return gz_remove_dir(state);
}

/* ---- random calls, both libraries ------------------------------------------------------------------------------ */

struct reader_pair { const struct peer_zlib *a, *b; gzFile fa, fb; };

static void compare_state(const struct reader_pair *p)
{
	int ea, eb;
	const char *ta = p->a->gzerror(p->fa, &ea), *tb = p->b->gzerror(p->fb, &eb);

	assert_int_equal(ea, eb);
	assert_string_equal(ta, tb);
	assert_int_equal(p->a->gzeof(p->fa), p->b->gzeof(p->fb));
	assert_int_equal(p->a->gztell(p->fa), p->b->gztell(p->fb));
	assert_int_equal(p->a->gztell64(p->fa), p->b->gztell64(p->fb));
}

static void read_in_step(const struct reader_pair *p, size_t len, bool items)
{
	static Bytef ba[BODY_BYTES * 3], bb[BODY_BYTES * 3];

	memset(ba, 1, len);
	memset(bb, 1, len);
	if (items)
		assert_int_equal(p->a->gzfread(ba, 7, len / 7, p->fa), p->b->gzfread(bb, 7, len / 7, p->fb));
	else
		assert_int_equal(p->a->gzread(p->fa, ba, (unsigned)len), p->b->gzread(p->fb, bb, (unsigned)len));
	assert_memory_equal(ba, bb, len);
}

static void get_line_in_step(const struct reader_pair *p, int room)
{
	char ba[600], bb[600];
	char *ra, *rb;

	memset(ba, 1, sizeof ba);
	memset(bb, 1, sizeof bb);
	ra = p->a->gzgets(p->fa, ba, room);
	rb = p->b->gzgets(p->fb, bb, room);
	assert_int_equal(ra == ba, rb == bb);
	assert_memory_equal(ba, bb, sizeof ba);
}

static void seek_in_step(const struct reader_pair *p, struct rng *rng)
{
	bool from_here = rng_one_in(rng, 2);
	z_off_t offset = from_here ? rng_between(rng, -30000, 30000) : rng_between(rng, -10, BODY_BYTES * 2);
	int whence = rng_one_in(rng, 20) ? SEEK_END : from_here ? SEEK_CUR : SEEK_SET;

	/* a seek that fails makes forget one that has not been carried out, which depends on what is buffered */
	if (!p->fa->have && (from_here ? p->a->gztell(p->fa) : 0) + offset < 0)
		return;
	if (rng_one_in(rng, 2))
		assert_int_equal(p->a->gzseek(p->fa, offset, whence), p->b->gzseek(p->fb, offset, whence));
	else
		assert_int_equal(p->a->gzseek64(p->fa, offset, whence), p->b->gzseek64(p->fb, offset, whence));
}

/* A byte is pushed back only where others wait: zlib's versions differ in what happens before the first read (until 1.3
 * the start of the file is lost) and after a seek beyond the end. */
static void one_call(const struct reader_pair *p, struct rng *rng)
{
	int c;

	switch (rng_below(rng, 11)) {
	case 0: read_in_step(p, rng_size(rng, 200), false); break;
	case 1: read_in_step(p, rng_size(rng, 60000), false); break;
	case 2: read_in_step(p, rng_size(rng, 30000), true); break;
	case 3: case 4: assert_int_equal(p->a->gzgetc(p->fa), p->b->gzgetc(p->fb)); break;
	case 5:
		c = rng_between(rng, -1, 255);
		if (p->fa->have)
			assert_int_equal(p->a->gzungetc(c, p->fa), p->b->gzungetc(c, p->fb));
		break;
	case 6: get_line_in_step(p, rng_between(rng, 0, 600)); break;
	case 7: case 8: seek_in_step(p, rng); break;
	case 9:
		if (rng_one_in(rng, 4))
			assert_int_equal(p->a->gzrewind(p->fa), p->b->gzrewind(p->fb));
		break;
	case 10: assert_int_equal(p->a->gzdirect(p->fa), p->b->gzdirect(p->fb)); break;
	}
}

static void read_same_file(const char *path, uint64_t seed)
{
	struct reader_pair p = { .a = peer_system_or_skip(), .b = peer_ours() };
	struct rng rng = rng_seed(seed);
	unsigned buffer = rng_one_in(&rng, 2) ? (unsigned)rng_size(&rng, 100000) + 7 : 0;

	if (p.a->compress_z)
		skip();                              /* zlib 1.3.2 itself answers differently at the end of a file; docs/abi.md */
	p.fa = p.a->gzopen(path, "rb");
	p.fb = p.b->gzopen64(path, "rb");
	assert_non_null(p.fa);
	assert_non_null(p.fb);
	if (buffer)
		assert_int_equal(p.a->gzbuffer(p.fa, buffer), p.b->gzbuffer(p.fb, buffer));
	read_in_step(&p, rng_one_in(&rng, 2) ? 10 : 4096 + rng_size(&rng, 20000), false); /* around our buffer from 4096 on */
	assert_int_equal(p.b->gzbuffer(p.fb, 1000), -1);
	for (unsigned i = 0; i < 120; i++) {
		one_call(&p, &rng);
		compare_state(&p);
	}
	assert_int_equal(p.a->gzclose(p.fa), p.b->gzclose(p.fb));
}

static void a_call_answers_differently(const void *bytes, size_t len_bytes)
{
	char path[GZ_PATH_BYTES];

	gz_put_file(gz_path(path, "step"), bytes, len_bytes);
	for (uint64_t seed = 0; seed < 60; seed++)
		read_same_file(path, seed);
}

static void one_member_is_read_differently(void **state)
{
	(void)state;
	a_call_answers_differently(packed.data, packed.len_bytes);
}

static void many_members_are_read_differently(void **state)
{
	struct test_bytes file = { 0 };
	struct rng rng = rng_seed(5);

	(void)state;
	for (size_t at = 0; at < body.len_bytes;) {
		size_t n = rng_size(&rng, 20000) - 1;        /* members may be empty */

		n = n < body.len_bytes - at ? n : body.len_bytes - at;
		gz_pack(&file, body.data + at, n);
		at += n;
	}
	bytes_append_text(&file, "garbage at the end");
	a_call_answers_differently(file.data, file.len_bytes);
	bytes_free(&file);
}

static void a_plain_file_is_read_differently(void **state)
{
	(void)state;
	a_call_answers_differently(body.data, body.len_bytes);
	a_call_answers_differently("short", 5);
	a_call_answers_differently("", 0);
}

/* ---- files that are not as they should be ---------------------------------------------------------------------- */

struct outcome { size_t got_bytes; int last, error, close; bool right; };

/* Reads to the end or the first error in pieces of step bytes. */
static struct outcome read_all(const struct peer_zlib *z, const char *path, const char *mode, unsigned step)
{
	static Bytef out[BODY_BYTES * 3];
	struct outcome o = { 0 };
	gzFile f = z->gzopen(path, mode);

	assert_non_null(f);
	do {
		o.last = z->gzread(f, out + o.got_bytes, step);
		o.got_bytes += o.last > 0 ? (size_t)o.last : 0;
	} while (o.last > 0);
	(void)z->gzerror(f, &o.error);
	o.right = !memcmp(out, body.data, o.got_bytes < body.len_bytes ? o.got_bytes : body.len_bytes);
	o.close = z->gzclose(f);
	return o;
}

static const unsigned steps[] = { 1000, 16384, 50000, 250000 };
#define STEP_COUNT (sizeof steps / sizeof steps[0])

static void a_truncated_file_is_taken_for_whole(void **state)
{
	const struct peer_zlib *system = peer_system();
	char path[GZ_PATH_BYTES];

	(void)state;
	for (size_t len = 4; len < packed.len_bytes; len += len < 30 || len + 20 > packed.len_bytes ? 1 : 1009) {
		gz_put_file(gz_path(path, "truncated"), packed.data, len);
		for (size_t i = 0; i < STEP_COUNT; i++) {
			struct outcome o = read_all(peer_ours(), path, "r", steps[i]);

			assert_int_equal(o.last, 0);
			assert_int_equal(o.error, Z_BUF_ERROR);
			assert_int_equal(o.close, Z_BUF_ERROR);
			assert_true(o.right);
			if (system)
				assert_int_equal(o.got_bytes, read_all(system, path, "r", steps[i]).got_bytes);
		}
	}
}

/* All good bytes come before the error. */
static void a_wrong_checksum_or_length_is_accepted(void **state)
{
	struct test_bytes file = { 0 };
	char path[GZ_PATH_BYTES];

	(void)state;
	for (size_t back = 1; back <= 8; back++) {
		file.len_bytes = 0;
		bytes_append(&file, packed.data, packed.len_bytes);
		file.data[file.len_bytes - back] ^= 0x40;
		gz_put_file(gz_path(path, "check"), file.data, file.len_bytes);
		for (size_t i = 0; i < STEP_COUNT; i++) {
			struct outcome o = read_all(peer_ours(), path, "r", steps[i]);

			assert_int_equal(o.last, -1);
			assert_int_equal(o.error, Z_DATA_ERROR);
			assert_int_equal(o.got_bytes, body.len_bytes);
			assert_true(o.right);
			assert_int_equal(o.close, Z_OK);
		}
	}
	bytes_free(&file);
}

static void a_damaged_second_member_is_taken_for_garbage(void **state)
{
	struct test_bytes file = { 0 };
	char path[GZ_PATH_BYTES];
	struct outcome o;

	(void)state;
	bytes_append(&file, packed.data, packed.len_bytes);
	bytes_append(&file, packed.data, packed.len_bytes);
	file.data[packed.len_bytes + 10] |= 6;               /* its first block gets type 3 */
	gz_put_file(gz_path(path, "second"), file.data, file.len_bytes);
	o = read_all(peer_ours(), path, "r", 5000);
	assert_int_equal(o.last, -1);
	assert_int_equal(o.error, Z_DATA_ERROR);
	assert_int_equal(o.got_bytes, body.len_bytes);
	bytes_free(&file);
}

static const struct { const char *what; const char *bytes; size_t len_bytes; int error; } endings[] = {
	{ "one stray byte",                 "x", 1, Z_OK },
	{ "text",                           "garbage", 7, Z_OK },
	{ "zeros, as tar pads",             "\0\0\0\0\0\0\0\0", 8, Z_OK },
	{ "half a magic number",            "\x1f", 1, Z_OK },
	{ "magic number, another method",   "\x1f\x8b\x07zzzzzzzzz", 12, Z_OK },
	{ "magic number, unknown flags",    "\x1f\x8b\x08\xe0zzzzzzzzzzz", 15, Z_OK },
	{ "a header cut after its magic",   "\x1f\x8b", 2, Z_BUF_ERROR },
	{ "a header cut after its method",  "\x1f\x8b\x08", 3, Z_BUF_ERROR },
	{ "a header cut later",             "\x1f\x8b\x08\0\0\0", 6, Z_BUF_ERROR },
};

static void garbage_after_a_member_is_told_wrongly(void **state)
{
	struct test_bytes file = { 0 };
	char path[GZ_PATH_BYTES];

	(void)state;
	for (size_t e = 0; e < sizeof endings / sizeof endings[0]; e++) {
		file.len_bytes = 0;
		bytes_append(&file, packed.data, packed.len_bytes);
		bytes_append(&file, endings[e].bytes, endings[e].len_bytes);
		gz_put_file(gz_path(path, "ending"), file.data, file.len_bytes);
		for (size_t i = 0; i < STEP_COUNT; i++) {
			struct outcome o = read_all(peer_ours(), path, "r", steps[i]);

			if (o.last || o.error != endings[e].error || o.close != endings[e].error ||
			    o.got_bytes != body.len_bytes || !o.right)
				fail_msg("%s: last %d, error %d, close %d", endings[e].what, o.last, o.error, o.close);
		}
	}
	bytes_free(&file);
}

/* What looks like a damaged header at the start of a file is a file of another kind, unless 'G' says it is gzip. */
static void a_file_that_is_not_gzip_is_refused(void **state)
{
	static const struct { const char *bytes; size_t len_bytes; } files[] = {
		{ "\x1f", 1 }, { "\x1f\x8b", 2 }, { "\x1f\x8b\x08", 3 }, { "\x1f\x8b\x07zzzzz", 8 }, { "plain text", 10 }
	};
	char path[GZ_PATH_BYTES];
	Bytef out[20];

	(void)state;
	for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
		gzFile f;

		gz_put_file(gz_path(path, "other"), files[i].bytes, files[i].len_bytes);
		f = gzopen(path, "r");
		assert_int_equal(gzread(f, out, sizeof out), files[i].len_bytes);
		assert_memory_equal(out, files[i].bytes, files[i].len_bytes);
		assert_int_equal(gzdirect(f), 1);
		assert_int_equal(gzclose(f), Z_OK);

		f = gzopen(path, "rG");
		assert_true(gzread(f, out, sizeof out) <= 0);
		assert_int_equal(gzdirect(f), 0);
		gzclose(f);
	}
}

/* A file that another process still writes: the rest can be read when it is there. */
static void a_growing_file_is_given_up(void **state)
{
	char path[GZ_PATH_BYTES];
	static Bytef out[BODY_BYTES + 1];
	size_t half = packed.len_bytes / 2;
	int fd, first, second;
	gzFile f;

	(void)state;
	gz_put_file(gz_path(path, "growing"), packed.data, half);
	f = gzopen(path, "r");
	first = gzread(f, out, sizeof out);
	assert_between(first, 1, BODY_BYTES - 1);
	fd = open(path, O_WRONLY | O_APPEND);
	assert_int_equal(write(fd, packed.data + half, packed.len_bytes - half), packed.len_bytes - half);
	close(fd);
	gzclearerr(f);
	second = gzread(f, out + first, (unsigned)(sizeof out - (size_t)first));
	assert_int_equal(first + second, BODY_BYTES);
	assert_memory_equal(out, body.data, BODY_BYTES);
	assert_int_equal(gzclose(f), Z_OK);
}

static void a_file_that_would_block_loses_bytes(void **state)
{
	static Bytef out[BODY_BYTES + 1];
	size_t sent = 0, got = 0;
	int ends[2], n;
	gzFile f;

	(void)state;
	assert_int_equal(pipe(ends), 0);
	f = gzdopen(ends[0], "rN");
	assert_non_null(f);
	errno = 0;
	assert_int_equal(gzread(f, out, 10), -1);
	assert_int_equal(errno, EAGAIN);
	while (sent < packed.len_bytes) {
		size_t piece = packed.len_bytes - sent < 3000 ? packed.len_bytes - sent : 3000;

		assert_int_equal(write(ends[1], packed.data + sent, piece), piece);
		sent += piece;
		while ((n = gzread(f, out + got, 700)) > 0)
			got += (size_t)n;
		if (got < BODY_BYTES) {
			assert_int_equal(n, -1);
			assert_int_equal(errno, EAGAIN);
			assert_int_equal(gzeof(f), 0);
		}
	}
	close(ends[1]);
	while ((n = gzread(f, out + got, 700)) > 0)
		got += (size_t)n;
	assert_int_equal(n, 0);
	assert_int_equal(got, BODY_BYTES);
	assert_memory_equal(out, body.data, BODY_BYTES);
	assert_int_equal(gzclose(f), Z_OK);
}

static void a_request_that_is_too_large_is_served(void **state)
{
	char path[GZ_PATH_BYTES];
	Bytef out[10];
	int error;
	gzFile f;

	(void)state;
	gz_put_file(gz_path(path, "large"), packed.data, packed.len_bytes);
	f = gzopen(path, "r");
	assert_int_equal(gzread(f, out, 0x80000001u), -1);
	(void)gzerror(f, &error);
	assert_int_equal(error, Z_STREAM_ERROR);
	assert_int_equal(gzread(f, out, 4), -1);
	gzclearerr(f);
	assert_int_equal(gzread(f, out, 4), 4);
	assert_int_equal(gzfread(out, (size_t)-1 / 2, 3, f), 0);
	(void)gzerror(f, &error);
	assert_int_equal(error, Z_STREAM_ERROR);
	assert_int_equal(gzclose(f), Z_OK);
}

/* As many bytes as the buffer holds can be pushed back, also before anything was read, and come out last first. */
static void pushed_back_bytes_are_lost(void **state)
{
	char path[GZ_PATH_BYTES];
	int error, pushed = 0;
	gzFile f;

	(void)state;
	gz_put_file(gz_path(path, "push"), packed.data, packed.len_bytes);
	f = gzopen(path, "r");
	assert_int_equal(gzbuffer(f, 16), 0);
	while (pushed < 32 && gzungetc(pushed, f) == pushed)
		pushed++;
	assert_int_equal(pushed, 32);
	assert_int_equal(gztell(f), -32);
	for (int want = 31; want >= 0; want--)
		assert_int_equal(gzgetc(f), want);
	assert_int_equal(gzgetc(f), body.data[0]);
	while (gzungetc('x', f) == 'x')
		pushed++;
	(void)gzerror(f, &error);
	assert_int_equal(error, Z_DATA_ERROR);
	assert_int_equal(gzclose(f), Z_OK);
}

static void the_gzgetc_macro_and_the_function_disagree(void **state)
{
	char path[GZ_PATH_BYTES];
	gzFile f;

	(void)state;
	gz_put_file(gz_path(path, "getc"), packed.data, packed.len_bytes);
	f = gzopen(path, "r");
	for (size_t i = 0; i < body.len_bytes; i++) {
		int c = i % 3 == 0 ? f->have ? (f->have--, f->pos++, *f->next++) : gzgetc(f) : i % 3 == 1 ? gzgetc(f) : gzgetc_(f);

		assert_int_equal(c, body.data[i]);
	}
	assert_int_equal(gzgetc(f), -1);
	assert_int_equal(gztell(f), BODY_BYTES);
	assert_int_equal(gzclose(f), Z_OK);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_truncated_file_is_taken_for_whole),
		cmocka_unit_test(a_wrong_checksum_or_length_is_accepted),
		cmocka_unit_test(a_damaged_second_member_is_taken_for_garbage),
		cmocka_unit_test(garbage_after_a_member_is_told_wrongly),
		cmocka_unit_test(a_file_that_is_not_gzip_is_refused),
		cmocka_unit_test(a_growing_file_is_given_up),
		cmocka_unit_test(a_file_that_would_block_loses_bytes),
		cmocka_unit_test(a_request_that_is_too_large_is_served),
		cmocka_unit_test(pushed_back_bytes_are_lost),
		cmocka_unit_test(the_gzgetc_macro_and_the_function_disagree),
		cmocka_unit_test(one_member_is_read_differently),
		cmocka_unit_test(many_members_are_read_differently),
		cmocka_unit_test(a_plain_file_is_read_differently),
	};

	return cmocka_run_group_tests(tests, prepare, clean_up);
}
