/* SPDX-License-Identifier: Zlib */
/* test_gz_open.c - opening, closing, buffer sizes and errors of gzip files. */
#include "abi/gz_files.h"

#include "lib/peer.h"

#include <errno.h>
#include <string.h>

/* before_1_3_2: what older zlibs do, where that differs; they do not know 'G' and 'N'. */
static const struct { const char *mode; bool opens; bool before_1_3_2; int direct; } modes[] = {
	{ "",      false, false, 0 }, { "r",     true,  true,  1 }, { "w",     true,  true,  0 }, { "a",     true,  true,  0 },
	{ "rw",    true,  true,  0 }, { "wr",    true,  true,  1 }, { "ar",    true,  true,  1 }, { "r+",    false, false, 0 },
	{ "w+",    false, false, 0 }, { "+",     false, false, 0 }, { "rT",    false, false, 0 }, { "wT",    true,  true,  1 },
	{ "aT",    true,  true,  1 }, { "rG",    true,  true,  0 }, { "wG",    false, true,  0 }, { "w9h",   true,  true,  0 },
	{ "wb1R",  true,  true,  0 }, { "w0F",   true,  true,  0 }, { "wf",    true,  true,  0 }, { "re",    true,  true,  1 },
	{ "rbzq!", true,  true,  1 }, { "b",     false, false, 0 }, { "9",     false, false, 0 }, { "rx",    true,  true,  1 },
	{ "rN",    true,  true,  1 }, { "wN",    true,  true,  0 },
};

static void a_mode_is_understood_differently(void **state)
{
	const struct peer_zlib *subjects[PEER_SUBJECTS_MAX];
	size_t count = peer_subjects(subjects);
	char path[GZ_PATH_BYTES];

	(void)state;
	gz_path(path, "mode");
	for (size_t z = 0; z < count; z++) {
		for (size_t m = 0; m < sizeof modes / sizeof modes[0]; m++) {
			bool opens = subjects[z]->compress_z ? modes[m].opens : modes[m].before_1_3_2;
			gzFile f;

			gz_put_file(path, "", 0);
			f = subjects[z]->gzopen(path, modes[m].mode);
			if ((f != NULL) != opens)
				fail_msg("%s: mode \"%s\"", subjects[z]->name, modes[m].mode);
			if (!f)
				continue;
			if (subjects[z]->compress_z)
				assert_int_equal(subjects[z]->gzdirect(f), modes[m].direct);
			(void)subjects[z]->gzclose(f);
		}
	}
}

static void a_missing_file_does_not_set_errno(void **state)
{
	char path[GZ_PATH_BYTES];

	(void)state;
	errno = 0;
	assert_null(gzopen(gz_path(path, "missing"), "r"));
	assert_int_equal(errno, ENOENT);
	assert_null(gzopen(NULL, "r"));
	assert_null(gzopen(path, NULL));
}

static void an_existing_file_is_overwritten_by_x(void **state)
{
	char path[GZ_PATH_BYTES];
	gzFile f;

	(void)state;
	gz_put_file(gz_path(path, "exclusive"), "keep", 4);
	errno = 0;
	assert_null(gzopen(path, "wx"));
	assert_int_equal(errno, EEXIST);
	assert_int_equal(unlink(path), 0);
	f = gzopen(path, "wx");
	assert_non_null(f);
	assert_int_equal(gzclose(f), Z_OK);
}

/* The descriptor's flags, found by its number: gzopen() takes the lowest free one. */
static void e_does_not_close_on_exec(void **state)
{
	char path[GZ_PATH_BYTES];
	int fd;
	gzFile f;

	(void)state;
	gz_put_file(gz_path(path, "exec"), "x", 1);
	fd = open(path, O_RDONLY);
	close(fd);
	f = gzopen(path, "re");
	assert_int_equal(fcntl(fd, F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
	assert_int_equal(gzclose(f), Z_OK);
	f = gzopen(path, "r");
	assert_int_equal(fcntl(fd, F_GETFD) & FD_CLOEXEC, 0);
	assert_int_equal(gzclose(f), Z_OK);
	fd = open(path, O_RDONLY);
	f = gzdopen(fd, "reN");
	assert_int_equal(fcntl(fd, F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
	assert_int_equal(fcntl(fd, F_GETFL) & O_NONBLOCK, O_NONBLOCK);
	assert_int_equal(gzclose(f), Z_OK);
	assert_int_equal(fcntl(fd, F_GETFD), -1);                /* closed with the file */
}

static void a_bad_descriptor_is_noticed_too_late(void **state)
{
	char byte;
	int error;
	gzFile f;

	(void)state;
	assert_null(gzdopen(-1, "r"));
	f = gzdopen(9999, "r");
	assert_non_null(f);
	assert_int_equal(gzread(f, &byte, 1), -1);
	assert_string_equal(gzerror(f, &error), "<fd:9999>: Bad file descriptor");
	assert_int_equal(error, Z_ERRNO);
	assert_int_equal(gzclose(f), Z_ERRNO);
}

static void a_directory_can_be_read(void **state)
{
	char byte;
	gzFile f = gzopen(gz_dir, "r");

	(void)state;
	assert_non_null(f);
	assert_int_equal(gzread(f, &byte, 1), -1);
	assert_non_null(strstr(gzerror(f, NULL), "Is a directory"));
	assert_int_equal(gzclose(f), Z_OK);
}

/* Calls on NULL, and on a file that was opened for the other direction. */
static void a_wrong_file_is_accepted(void **state)
{
	const struct peer_zlib *subjects[PEER_SUBJECTS_MAX];
	size_t count = peer_subjects(subjects);
	char path[GZ_PATH_BYTES], buffer[8] = "unused";

	(void)state;
	gz_path(path, "wrong");
	for (size_t i = 0; i < count; i++) {
		const struct peer_zlib *z = subjects[i];
		gzFile w = z->gzopen(path, "w"), r;

		assert_int_equal(z->gzread(w, buffer, 1), -1);
		assert_int_equal(z->gzfread(buffer, 1, 1, w), 0);
		assert_int_equal(z->gzgetc(w), -1);
		assert_int_equal(z->gzungetc('x', w), -1);
		assert_null(z->gzgets(w, buffer, 8));
		assert_int_equal(z->gzrewind(w), -1);
		assert_int_equal(z->gzeof(w), 0);
		assert_int_equal(z->gzclose_r(w), Z_STREAM_ERROR);
		assert_int_equal(z->gzclose_w(w), Z_OK);

		r = z->gzopen(path, "r");
		assert_int_equal(z->gzwrite(r, "x", 1), 0);
		assert_int_equal(z->gzfwrite("x", 1, 1, r), 0);
		assert_int_equal(z->gzputc(r, 'x'), -1);
		assert_int_equal(z->gzputs(r, "x"), -1);
		assert_int_equal(z->gzprintf(r, "x"), Z_STREAM_ERROR);
		assert_int_equal(z->gzflush(r, Z_SYNC_FLUSH), Z_STREAM_ERROR);
		assert_int_equal(z->gzsetparams(r, 1, 0), Z_STREAM_ERROR);
		assert_int_equal(z->gzclose_w(r), Z_STREAM_ERROR);
		assert_int_equal(z->gzclose_r(r), Z_OK);

		assert_int_equal(z->gzread(NULL, buffer, 1), -1);
		assert_int_equal(z->gzwrite(NULL, "x", 1), 0);
		assert_int_equal(z->gzgetc(NULL), -1);
		assert_int_equal(z->gzungetc('x', NULL), -1);
		assert_int_equal(z->gzputc(NULL, 'x'), -1);
		assert_int_equal(z->gzputs(NULL, "x"), -1);
		assert_null(z->gzgets(NULL, buffer, 8));
		assert_int_equal(z->gzprintf(NULL, "x"), Z_STREAM_ERROR);
		assert_int_equal(z->gzflush(NULL, 0), Z_STREAM_ERROR);
		assert_int_equal(z->gzsetparams(NULL, 1, 0), Z_STREAM_ERROR);
		assert_int_equal(z->gzbuffer(NULL, 100), -1);
		assert_int_equal(z->gzseek(NULL, 0, SEEK_SET), -1);
		assert_int_equal(z->gztell(NULL), -1);
		assert_int_equal(z->gzoffset(NULL), -1);
		assert_int_equal(z->gzrewind(NULL), -1);
		assert_int_equal(z->gzeof(NULL), 0);
		assert_int_equal(z->gzdirect(NULL), 0);
		assert_null(z->gzerror(NULL, NULL));
		z->gzclearerr(NULL);
		assert_int_equal(z->gzclose(NULL), Z_STREAM_ERROR);
		assert_int_equal(z->gzclose_r(NULL), Z_STREAM_ERROR);
		assert_int_equal(z->gzclose_w(NULL), Z_STREAM_ERROR);
	}
}

static void a_buffer_size_is_taken_wrongly(void **state)
{
	static const struct { unsigned size; int result; } sizes[] = {
		{ 0, 0 }, { 1, 0 }, { 8, 0 }, { 100000, 0 }, { 0x7fffffff, 0 }, { 0x80000000u, -1 }, { 0xffffffffu, -1 }
	};
	char path[GZ_PATH_BYTES], buffer[8];

	(void)state;
	gz_path(path, "buffer");
	for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
		gzFile f = gzopen(path, "w");

		assert_int_equal(gzbuffer(f, sizes[i].size), sizes[i].result);
		assert_int_equal(gzbuffer(f, 64), 0);            /* the last one before the first write counts */
		assert_int_equal(gzputs(f, "text"), 4);
		assert_int_equal(gzbuffer(f, 64), -1);
		assert_int_equal(gzclose(f), Z_OK);
		f = gzopen(path, "r");
		assert_int_equal(gzbuffer(f, 1), 0);
		assert_int_equal(gzread(f, buffer, 8), 4);
		assert_int_equal(gzbuffer(f, 64), -1);
		assert_int_equal(gzclose(f), Z_OK);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_mode_is_understood_differently),
		cmocka_unit_test(a_missing_file_does_not_set_errno),
		cmocka_unit_test(an_existing_file_is_overwritten_by_x),
		cmocka_unit_test(e_does_not_close_on_exec),
		cmocka_unit_test(a_bad_descriptor_is_noticed_too_late),
		cmocka_unit_test(a_directory_can_be_read),
		cmocka_unit_test(a_wrong_file_is_accepted),
		cmocka_unit_test(a_buffer_size_is_taken_wrongly),
	};

	return cmocka_run_group_tests(tests, gz_make_dir, gz_remove_dir);
}
