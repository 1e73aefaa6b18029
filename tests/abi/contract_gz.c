/* SPDX-License-Identifier: Zlib */
/* contract_gz.c - the gz functions, one promise a test, each library on its own files and on the others'.
 * Random calls in step, stalls and damage: test_gz_open.c, test_gz_read.c, test_gz_write.c, test_gz_seek.c. */
#include "abi/contract.h"
#include "abi/gz_files.h"

#include <errno.h>

#define BODY_BYTES 300000

static struct test_bytes body, packed;

static int prepare(void **state)
{
	corpus_make(CORPUS_HTML, 61, BODY_BYTES, &body);
	gz_pack(&packed, body.data, BODY_BYTES);
	return gz_make_dir(state);
}

static int clean_up(void **state)
{
	bytes_free(&body);
	bytes_free(&packed);
	return gz_remove_dir(state);
}

static gzFile open_file(const struct peer_zlib *p, const char *name, const char *mode)
{
	char path[GZ_PATH_BYTES];
	gzFile f = p->gzopen(gz_path(path, name), mode);

	EXPECT(p, f != NULL, 1);
	return f;
}

/* The content of a file as every library reads it. */
static void expect_content(const char *name, const void *want, size_t want_bytes)
{
	static Bytef out[BODY_BYTES * 2];

	EACH_ZLIB(p) {
		gzFile f = open_file(p, name, "r");

		EXPECT(p, p->gzread(f, out, sizeof out), want_bytes);
		if (want_bytes)
			assert_memory_equal(out, want, want_bytes);
		EXPECT(p, p->gzclose(f), Z_OK);
	}
}

static int error_of(const struct peer_zlib *p, gzFile f)
{
	int error = 99;

	(void)p->gzerror(f, &error);
	return error;
}

/* ---- writing --------------------------------------------------------------------------------------------------- */

static void all_ways_to_write(void **state)
{
	(void)state;
	EACH_ZLIB(p) {
		gzFile f = open_file(p, "ways", "w");

		EXPECT(p, p->gzwrite(f, "abc", 3), 3);
		EXPECT(p, p->gzwrite(f, "abc", 0), 0);
		EXPECT(p, p->gzfwrite("defghi", 2, 3, f), 3);
		EXPECT(p, p->gzfwrite("defghi", 0, 3, f), 0);
		EXPECT(p, p->gzfwrite("defghi", 2, 0, f), 0);
		EXPECT(p, p->gzputc(f, 'j'), 'j');
		EXPECT(p, p->gzputc(f, 0x1ff), 0xff);            /* as an unsigned char */
		EXPECT(p, p->gzputs(f, "kl"), 2);
		EXPECT(p, p->gzputs(f, ""), 0);
		EXPECT(p, p->gzprintf(f, "%d-%s", 42, "x"), 4);
		EXPECT(p, p->gzprintf(f, "%s", ""), 0);
		EXPECT(p, p->gztell(f), 17);
		EXPECT(p, p->gzdirect(f), 0);
		EXPECT(p, error_of(p, f), Z_OK);
		EXPECT(p, strcmp(p->gzerror(f, NULL), ""), 0);
		EXPECT(p, p->gzclose_w(f), Z_OK);
		expect_content("ways", "abcdefghij\377kl42-x", 17);
	}
}

/* "a" adds a member, or, with T, bytes; the position begins at 0, the offset at the end of what is there. */
static void appending_adds_to_the_file(void **state)
{
	(void)state;
	EACH_ZLIB(p) {
		char path[GZ_PATH_BYTES];
		struct test_bytes file = { 0 };
		gzFile f = open_file(p, "append", "w");

		EXPECT(p, p->gzputs(f, "one"), 3);
		EXPECT(p, p->gzclose(f), Z_OK);
		gz_take_file(gz_path(path, "append"), &file);
		f = open_file(p, "append", "a");
		EXPECT(p, p->gztell(f), 0);
		EXPECT(p, p->gzoffset(f), file.len_bytes);
		EXPECT(p, p->gzputs(f, "two"), 3);
		EXPECT(p, p->gzclose(f), Z_OK);
		expect_content("append", "onetwo", 6);
		bytes_free(&file);
	}
}

/* "T" writes what it is given, and such a file reads as it is. */
static void transparent_files(void **state)
{
	(void)state;
	EACH_ZLIB(p) {
		char path[GZ_PATH_BYTES];
		struct test_bytes file = { 0 };
		gzFile f = open_file(p, "plain", "wT");

		EXPECT(p, p->gzdirect(f), 1);
		EXPECT(p, p->gzputs(f, "plain"), 5);
		EXPECT(p, p->gzflush(f, Z_SYNC_FLUSH), Z_OK);
		EXPECT(p, p->gzputs(f, " text"), 5);
		EXPECT(p, p->gzclose(f), Z_OK);
		gz_take_file(gz_path(path, "plain"), &file);
		EXPECT(p, file.len_bytes, 10);
		assert_memory_equal(file.data, "plain text", 10);
		expect_content("plain", "plain text", 10);
		f = open_file(p, "plain", "r");
		EXPECT(p, p->gzdirect(f), 1);
		EXPECT(p, p->gzseek(f, 6, SEEK_SET), 6);
		EXPECT(p, p->gzgetc(f), 't');
		EXPECT(p, p->gzclose(f), Z_OK);
		bytes_free(&file);
	}
}

/* What is flushed can be read by others; gzflush() takes deflate's flushes but Z_BLOCK. */
static void what_is_flushed_is_in_the_file(void **state)
{
	static const int flushes[] = { Z_PARTIAL_FLUSH, Z_SYNC_FLUSH, Z_FULL_FLUSH, Z_FINISH };

	(void)state;
	EACH_ZLIB(p)
		for (size_t i = 0; i < 4; i++) {
			gzFile f = open_file(p, "flush", "w");
			Bytef out[10];
			gzFile r;

			EXPECT(p, p->gzputs(f, "seen"), 4);
			EXPECT(p, p->gzflush(f, 6), Z_STREAM_ERROR);
			EXPECT(p, p->gzflush(f, -1), Z_STREAM_ERROR);
			EXPECT(p, p->gzflush(f, flushes[i]), Z_OK);
			r = open_file(p, "flush", "r");
			EXPECT_AT(p, flushes[i], p->gzread(r, out, 4), 4);
			assert_memory_equal(out, "seen", 4);
			EXPECT_AT(p, flushes[i], p->gzclose(r), flushes[i] == Z_FINISH ? Z_OK : Z_BUF_ERROR);    /* within a member */
			EXPECT(p, p->gzputs(f, "more"), 4);
			EXPECT(p, p->gzclose(f), Z_OK);
			expect_content("flush", "seenmore", 8);
		}
}

static void parameters_change_on_the_way(void **state)
{
	(void)state;
	EACH_ZLIB(p) {
		gzFile f = open_file(p, "params", "w0");
		z_off_t stored;

		EXPECT(p, p->gzwrite(f, body.data, 100000), 100000);
		EXPECT(p, p->gzsetparams(f, 9, Z_DEFAULT_STRATEGY), Z_OK);
		EXPECT(p, p->gzflush(f, Z_SYNC_FLUSH), Z_OK);
		stored = p->gzoffset(f);
		assert_true(stored > 100000);
		EXPECT(p, p->gzwrite(f, body.data + 100000, 200000), 200000);
		EXPECT(p, p->gzsetparams(f, 9, Z_DEFAULT_STRATEGY), Z_OK);
		EXPECT(p, p->gzflush(f, Z_SYNC_FLUSH), Z_OK);
		assert_true(p->gzoffset(f) < stored + 100000);
		EXPECT(p, p->gzclose(f), Z_OK);
		expect_content("params", body.data, BODY_BYTES);
	}
}

/* A seek forward writes zeros, backward is refused; nothing has to follow it. */
static void a_gap_is_zeros(void **state)
{
	static Bytef want[50010];

	(void)state;
	memcpy(want, "begin", 5);
	memcpy(want + 20000, "end", 3);
	EACH_ZLIB(p) {
		gzFile f = open_file(p, "gap", "w");

		EXPECT(p, p->gzputs(f, "begin"), 5);
		EXPECT(p, p->gzseek(f, 4, SEEK_SET), -1);
		EXPECT(p, p->gzseek(f, -1, SEEK_CUR), -1);
		EXPECT(p, p->gzseek(f, 10, SEEK_END), -1);
		EXPECT(p, p->gzseek(f, 19995, SEEK_CUR), 20000);
		EXPECT(p, p->gzputs(f, "end"), 3);
		EXPECT(p, p->gzseek(f, 50010, SEEK_SET), 50010);
		EXPECT(p, p->gzrewind(f), -1);
		EXPECT(p, p->gzclose(f), Z_OK);
		expect_content("gap", want, sizeof want);
	}
}

/* ---- reading --------------------------------------------------------------------------------------------------- */

static void all_ways_to_read(void **state)
{
	static const char text[] = "abcdefghij\nline two\nthe last";
	char path[GZ_PATH_BYTES];
	struct test_bytes file = { 0 };

	(void)state;
	gz_pack(&file, text, sizeof text - 1);
	gz_put_file(gz_path(path, "read"), file.data, file.len_bytes);
	EACH_ZLIB(p) {
		gzFile f = open_file(p, "read", "r");
		char out[100];

		EXPECT(p, p->gzread(f, out, 0), 0);
		EXPECT(p, p->gzread(f, out, 2), 2);
		EXPECT(p, p->gzfread(out, 2, 2, f), 2);
		EXPECT(p, p->gzfread(out, 0, 2, f), 0);
		assert_memory_equal(out, "cdef", 4);
		EXPECT(p, p->gzgetc(f), 'g');
		EXPECT(p, p->gzungetc('G', f), 'G');
		EXPECT(p, p->gzungetc(-1, f), -1);
		EXPECT(p, p->gztell(f), 6);
		EXPECT(p, p->gzgets(f, out, 3) == out, 1);
		EXPECT(p, strcmp(out, "Gh"), 0);
		EXPECT(p, p->gzgets(f, out, 100) == out, 1);
		EXPECT(p, strcmp(out, "ij\n"), 0);
		EXPECT(p, p->gzgets(f, out, 0) == NULL, 1);
		EXPECT(p, p->gzgets(f, NULL, 5) == NULL, 1);
		EXPECT(p, p->gzgets(f, out, 100) == out, 1);
		EXPECT(p, strcmp(out, "line two\n"), 0);
		EXPECT(p, p->gzeof(f), 0);
		EXPECT(p, p->gzgets(f, out, 100) == out, 1);
		EXPECT(p, strcmp(out, "the last"), 0);
		EXPECT(p, p->gzeof(f), 1);
		EXPECT(p, p->gzgets(f, out, 100) == NULL, 1);
		EXPECT(p, p->gzgetc(f), -1);
		EXPECT(p, p->gzread(f, out, 5), 0);
		EXPECT(p, error_of(p, f), Z_OK);
		EXPECT(p, p->gzclose_r(f), Z_OK);
	}
	bytes_free(&file);
}

/* The end is known when a read came up short, not before; going back or pushing a byte takes it away. */
static void the_end_of_the_file(void **state)
{
	char path[GZ_PATH_BYTES];
	struct test_bytes file = { 0 };

	(void)state;
	gz_pack(&file, "12345", 5);
	gz_put_file(gz_path(path, "eof"), file.data, file.len_bytes);
	EACH_ZLIB(p) {
		gzFile f = open_file(p, "eof", "r");
		char out[10];

		EXPECT(p, p->gzread(f, out, 5), 5);
		EXPECT(p, p->gzeof(f), 0);
		EXPECT(p, p->gzread(f, out, 1), 0);
		EXPECT(p, p->gzeof(f), 1);
		EXPECT(p, p->gzungetc('5', f), '5');
		EXPECT(p, p->gzeof(f), 0);
		EXPECT(p, p->gzread(f, out, 10), 1);
		EXPECT(p, p->gzeof(f), 1);
		EXPECT(p, p->gzrewind(f), 0);
		EXPECT(p, p->gzeof(f), 0);
		EXPECT(p, p->gztell(f), 0);
		EXPECT(p, p->gzread(f, out, 10), 5);
		p->gzclearerr(f);
		EXPECT(p, p->gzeof(f), 0);
		EXPECT(p, p->gzclose(f), Z_OK);
	}
	bytes_free(&file);
}

/* Members one after the other are one content; garbage behind the last is ignored, before the first it is a plain file. */
static void members_and_garbage(void **state)
{
	char path[GZ_PATH_BYTES];
	struct test_bytes file = { 0 };

	(void)state;
	gz_pack(&file, "one", 3);
	gz_pack(&file, "", 0);
	gz_pack(&file, "two", 3);
	gz_put_file(gz_path(path, "members"), file.data, file.len_bytes);
	expect_content("members", "onetwo", 6);
	bytes_append_text(&file, "garbage");
	gz_put_file(path, file.data, file.len_bytes);
	expect_content("members", "onetwo", 6);
	gz_put_file(path, "garbage", 7);
	expect_content("members", "garbage", 7);
	gz_put_file(path, "", 0);
	expect_content("members", "", 0);
	EACH_ZLIB(p) {
		gzFile f = open_file(p, "members", "r");

		EXPECT(p, p->gzdirect(f), 1);    /* an empty file is no gzip file */
		EXPECT(p, p->gzclose(f), Z_OK);
	}
	bytes_free(&file);
}

/* Any order of positions gives the byte that is there, in both directions, and over a whole file. */
static void seeking_both_ways(void **state)
{
	static const z_off_t places[] = { 0, 299999, 1, 150000, 149999, 8192, 8191, 299998, 16384, 0 };
	char path[GZ_PATH_BYTES];

	(void)state;
	gz_put_file(gz_path(path, "seek"), packed.data, packed.len_bytes);
	EACH_ZLIB(p) {
		gzFile f = open_file(p, "seek", "r");
		z_off_t at = 0;

		for (size_t i = 0; i < 10; i++) {
			EXPECT_AT(p, places[i], i & 1 ? p->gzseek64(f, places[i], SEEK_SET) : p->gzseek(f, places[i] - at, SEEK_CUR), places[i]);
			EXPECT(p, p->gztell(f), places[i]);
			EXPECT_AT(p, places[i], p->gzgetc(f), body.data[places[i]]);
			at = places[i] + 1;
		}
		EXPECT(p, p->gzseek(f, 0, SEEK_END), -1);
		EXPECT(p, p->gzseek(f, -1, SEEK_SET), -1);
		EXPECT(p, p->gzseek(f, -100, SEEK_CUR), -1);
		EXPECT(p, p->gzseek(f, BODY_BYTES + 10, SEEK_SET), BODY_BYTES + 10);
		EXPECT(p, p->gzgetc(f), -1);
		EXPECT(p, p->gzeof(f), 1);
		EXPECT(p, p->gzclose(f), Z_OK);
	}
}

/* A descriptor in the middle of a file: positions count from there, offsets from the file's start; close closes it. */
static void a_descriptor_in_the_middle(void **state)
{
	char path[GZ_PATH_BYTES];
	struct test_bytes file = { 0 };

	(void)state;
	bytes_append_text(&file, "some other header");
	gz_pack(&file, "inside", 6);
	gz_put_file(gz_path(path, "fd"), file.data, file.len_bytes);
	EACH_ZLIB(p) {
		char out[10];
		int fd = open(path, O_RDONLY);
		gzFile f;

		EXPECT(p, lseek(fd, 17, SEEK_SET), 17);
		f = p->gzdopen(fd, "r");
		EXPECT(p, p->gztell(f), 0);
		EXPECT(p, p->gzoffset(f), 17);
		EXPECT(p, p->gzread(f, out, 10), 6);
		EXPECT(p, p->gzoffset(f), file.len_bytes);
		EXPECT(p, p->gzrewind(f), 0);
		EXPECT(p, p->gzread(f, out, 10), 6);
		assert_memory_equal(out, "inside", 6);
		EXPECT(p, p->gzclose(f), Z_OK);
		EXPECT(p, fcntl(fd, F_GETFD), -1);
		EXPECT(p, p->gzdopen(-1, "r") == NULL, 1);
	}
	bytes_free(&file);
}

/* ---- what goes wrong ------------------------------------------------------------------------------------------- */

/* A file that ends within a member: all that can be decoded comes, then the end with Z_BUF_ERROR, also from gzclose(). */
static void a_file_that_was_cut(void **state)
{
	static Bytef out[BODY_BYTES];
	char path[GZ_PATH_BYTES];

	(void)state;
	gz_put_file(gz_path(path, "cut"), packed.data, packed.len_bytes / 2);
	EACH_ZLIB(p) {
		gzFile f = open_file(p, "cut", "r");
		int n = p->gzread(f, out, sizeof out);

		assert_between(n, 1000, BODY_BYTES - 1);
		assert_memory_equal(out, body.data, (size_t)n);
		EXPECT(p, error_of(p, f), Z_BUF_ERROR);
		assert_non_null(strstr(p->gzerror(f, NULL), "unexpected end of file"));
		assert_non_null(strstr(p->gzerror(f, NULL), "/cut: "));          /* the text begins with the name */
		EXPECT(p, p->gzclose(f), Z_BUF_ERROR);
	}
}

/* docs/abi.md, gz 1: ours keeps this error until gzclearerr() or gzrewind(). */
static void on_purpose_a_cut_stays_an_error(void **state)
{
	const struct peer_zlib *p = peer_ours();
	static Bytef out[BODY_BYTES];
	char path[GZ_PATH_BYTES];
	gzFile f;

	(void)state;
	gz_put_file(gz_path(path, "cut"), packed.data, packed.len_bytes / 2);
	f = open_file(p, "cut", "r");
	for (int i = 0; i < 3; i++) {
		(void)p->gzread(f, out, sizeof out);
		EXPECT(p, error_of(p, f), Z_BUF_ERROR);
	}
	p->gzclearerr(f);
	EXPECT(p, error_of(p, f), Z_OK);
	EXPECT(p, p->gzrewind(f), 0);
	EXPECT(p, p->gzclose(f), Z_OK);
}

/* Damage: gzread() is -1, the error Z_DATA_ERROR with inflate's text, and stays; gzrewind() begins anew. */
static void a_file_that_was_damaged(void **state)
{
	static Bytef out[BODY_BYTES];
	char path[GZ_PATH_BYTES];
	struct test_bytes file = { 0 };

	(void)state;
	bytes_append(&file, packed.data, packed.len_bytes);
	file.data[file.len_bytes - 8] ^= 1;
	gz_put_file(gz_path(path, "damaged"), file.data, file.len_bytes);
	EACH_ZLIB(p) {
		gzFile f = open_file(p, "damaged", "r");
		int n;

		do {
			n = p->gzread(f, out, 1000);
		} while (n > 0);
		EXPECT(p, n, -1);
		EXPECT(p, error_of(p, f), Z_DATA_ERROR);
		assert_non_null(strstr(p->gzerror(f, NULL), "incorrect data check"));
		EXPECT(p, p->gzread(f, out, 1000), -1);
		EXPECT(p, p->gzgetc(f), -1);
		EXPECT(p, p->gzseek(f, 0, SEEK_SET), -1);
		EXPECT(p, p->gzrewind(f), -1);           /* not out of this error */
		p->gzclearerr(f);
		EXPECT(p, p->gzrewind(f), 0);
		EXPECT(p, p->gzread(f, out, 1000), 1000);
		assert_memory_equal(out, body.data, 1000);
		EXPECT(p, p->gzclose(f), Z_OK);
	}
	bytes_free(&file);
}

/* docs/abi.md, gz 5: a second Z_FINISH adds no empty member, and neither does gzclose() behind one.  Here ours does as zlib up to
 * 1.3.1 does; 1.3.2 writes them. */
static void on_purpose_finishing_twice_adds_nothing(void **state)
{
	(void)state;
	EACH_ZLIB(p) {
		gzFile f = open_file(p, "twice", "w");
		struct test_bytes file = { 0 };
		char path[GZ_PATH_BYTES];
		z_off_t once;

		EXPECT(p, p->gzputs(f, "x"), 1);
		EXPECT(p, p->gzflush(f, Z_FINISH), Z_OK);
		once = p->gzoffset(f);
		EXPECT(p, p->gzflush(f, Z_FINISH), Z_OK);
		EXPECT(p, p->gzoffset(f) > once, has_1_3_2(p) && !is_ours(p));
		EXPECT(p, p->gzclose(f), Z_OK);
		expect_content("twice", "x", 1);
		gz_take_file(gz_path(path, "twice"), &file);
		EXPECT(p, file.len_bytes > (size_t)once, has_1_3_2(p) && !is_ours(p));
		bytes_free(&file);
	}
}

/* A request whose length no int can say. */
static void requests_that_are_too_large(void **state)
{
	char path[GZ_PATH_BYTES];
	Bytef out[10];

	(void)state;
	gz_put_file(gz_path(path, "large"), packed.data, packed.len_bytes);
	EACH_ZLIB(p) {
		gzFile f = open_file(p, "large", "r");

		EXPECT(p, p->gzread(f, out, 0x80000000u), -1);
		EXPECT(p, error_of(p, f), Z_STREAM_ERROR);
		p->gzclearerr(f);
		EXPECT(p, p->gzfread(out, (size_t)-1, 2, f), 0);
		EXPECT(p, error_of(p, f), Z_STREAM_ERROR);
		EXPECT(p, p->gzclose(f), Z_OK);
		f = open_file(p, "large-out", "w");
		EXPECT(p, p->gzwrite(f, out, 0x80000000u), 0);
		EXPECT(p, error_of(p, f), Z_DATA_ERROR);
		p->gzclearerr(f);
		EXPECT(p, p->gzfwrite(out, (size_t)-1, 2, f), 0);
		EXPECT(p, error_of(p, f), Z_STREAM_ERROR);
		(void)p->gzclose(f);
	}
}

/* gzclose() of a file whose descriptor is gone. */
static void a_close_that_fails(void **state)
{
	char path[GZ_PATH_BYTES];

	(void)state;
	gz_put_file(gz_path(path, "closed"), packed.data, packed.len_bytes);
	EACH_ZLIB(p) {
		int fd = open(path, O_RDONLY);
		gzFile f = p->gzdopen(fd, "r");

		EXPECT(p, close(fd), 0);
		EXPECT(p, p->gzclose(f), Z_ERRNO);
		EXPECT(p, errno, EBADF);
	}
}

/* Every buffer size gives the same content, in both directions. */
static void buffers_of_every_size(void **state)
{
	static const unsigned sizes[] = { 0, 1, 7, 8, 13, 1000, 8192, 100000, 1000000 };

	(void)state;
	EACH_ZLIB(p)
		for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
			static Bytef out[BODY_BYTES];
			gzFile f = open_file(p, "sizes", "w");
			size_t at = 0;
			int n;

			EXPECT(p, p->gzbuffer(f, sizes[i]), 0);
			while (at < 20000) {
				EXPECT(p, p->gzwrite(f, body.data + at, 777), 777);
				at += 777;
			}
			EXPECT(p, p->gzbuffer(f, 100), -1);
			EXPECT(p, p->gzclose(f), Z_OK);
			f = open_file(p, "sizes", "r");
			EXPECT(p, p->gzbuffer(f, sizes[i]), 0);
			at = 0;
			while ((n = p->gzread(f, out + at, 999)) > 0)
				at += (size_t)n;
			EXPECT(p, n, 0);
			EXPECT_AT(p, sizes[i], at, 20202);
			assert_memory_equal(out, body.data, at);
			EXPECT(p, p->gzclose(f), Z_OK);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_ways_to_write),
		cmocka_unit_test(appending_adds_to_the_file),
		cmocka_unit_test(transparent_files),
		cmocka_unit_test(what_is_flushed_is_in_the_file),
		cmocka_unit_test(parameters_change_on_the_way),
		cmocka_unit_test(a_gap_is_zeros),
		cmocka_unit_test(all_ways_to_read),
		cmocka_unit_test(the_end_of_the_file),
		cmocka_unit_test(members_and_garbage),
		cmocka_unit_test(seeking_both_ways),
		cmocka_unit_test(a_descriptor_in_the_middle),
		cmocka_unit_test(a_file_that_was_cut),
		cmocka_unit_test(on_purpose_a_cut_stays_an_error),
		cmocka_unit_test(a_file_that_was_damaged),
		cmocka_unit_test(on_purpose_finishing_twice_adds_nothing),
		cmocka_unit_test(requests_that_are_too_large),
		cmocka_unit_test(a_close_that_fails),
		cmocka_unit_test(buffers_of_every_size),
	};

	return cmocka_run_group_tests(tests, prepare, clean_up);
}
