/* SPDX-License-Identifier: Zlib */
/* test_gz_seek.c - positions in gzip files, compressed and plain. */
#include "abi/gz_files.h"

#include "lib/corpus.h"
#include "lib/peer.h"
#include "lib/rng.h"

#include <string.h>

#define BODY_BYTES 200000

static struct test_bytes body, packed;

static int prepare(void **state)
{
	corpus_make(CORPUS_MIXED, 51, BODY_BYTES, &body);
	gz_pack(&packed, body.data, BODY_BYTES / 3);
	gz_pack(&packed, body.data + BODY_BYTES / 3, BODY_BYTES - BODY_BYTES / 3);
	return gz_make_dir(state);
}

static int clean_up(void **state)
{
	bytes_free(&body);
	bytes_free(&packed);
	return gz_remove_dir(state);
}

/* After every seek the byte there, and the position after it, are right. */
static void wander(const struct peer_zlib *z, const char *path, unsigned buffer)
{
	gzFile f = z->gzopen(path, "r");
	struct rng rng = rng_seed(buffer);
	z_off_t at = 0;

	assert_int_equal(z->gzbuffer(f, buffer), 0);
	for (unsigned i = 0; i < 150; i++) {
		z_off_t to = (z_off_t)rng_below(&rng, BODY_BYTES);

		if (rng_one_in(&rng, 2))
			assert_int_equal(z->gzseek(f, to, SEEK_SET), to);
		else
			assert_int_equal(z->gzseek64(f, to - at, SEEK_CUR), to);
		assert_int_equal(z->gztell(f), to);
		assert_int_equal(z->gzgetc(f), body.data[to]);
		at = to + 1;
		assert_int_equal(z->gztell64(f), at);
		assert_int_equal(z->gzeof(f), 0);
	}
	assert_int_equal(z->gzrewind(f), 0);
	assert_int_equal(z->gztell(f), 0);
	assert_int_equal(z->gzgetc(f), body.data[0]);
	assert_int_equal(z->gzclose(f), Z_OK);
}

static void a_seek_arrives_elsewhere(void **state)
{
	static const unsigned buffers[] = { 8, 100, 8192, 100000 };
	const struct peer_zlib *subjects[PEER_SUBJECTS_MAX];
	size_t count = peer_subjects(subjects);
	char compressed[GZ_PATH_BYTES], plain[GZ_PATH_BYTES];

	(void)state;
	gz_put_file(gz_path(compressed, "compressed"), packed.data, packed.len_bytes);
	gz_put_file(gz_path(plain, "plain"), body.data, body.len_bytes);
	for (size_t z = 0; z < count; z++) {
		for (size_t b = 0; b < sizeof buffers / sizeof buffers[0]; b++) {
			wander(subjects[z], compressed, buffers[b]);
			wander(subjects[z], plain, buffers[b]);
		}
	}
}

static void a_seek_before_the_start_succeeds(void **state)
{
	char path[GZ_PATH_BYTES];
	gzFile f;

	(void)state;
	gz_put_file(gz_path(path, "start"), packed.data, packed.len_bytes);
	f = gzopen(path, "r");
	assert_int_equal(gzseek(f, -1, SEEK_SET), -1);
	assert_int_equal(gzseek(f, 100, SEEK_SET), 100);
	assert_int_equal(gzgetc(f), body.data[100]);
	assert_int_equal(gzseek(f, -102, SEEK_CUR), -1);
	assert_int_equal(gzseek(f, -101, SEEK_CUR), 0);
	assert_int_equal(gzgetc(f), body.data[0]);
	assert_int_equal(gzseek(f, 0, SEEK_END), -1);
	assert_int_equal(gzseek(f, 0, 77), -1);
	assert_int_equal(gzclose(f), Z_OK);
}

static void a_seek_beyond_the_end_is_an_error(void **state)
{
	char path[GZ_PATH_BYTES];
	gzFile f;
	int error;

	(void)state;
	gz_put_file(gz_path(path, "end"), packed.data, packed.len_bytes);
	f = gzopen(path, "r");
	assert_int_equal(gzseek64(f, 0x7fffffffffff, SEEK_SET), 0x7fffffffffff);
	assert_int_equal(gzgetc(f), -1);
	assert_int_equal(gzeof(f), 1);
	(void)gzerror(f, &error);
	assert_int_equal(error, Z_OK);
	assert_int_equal(gztell(f), BODY_BYTES);
	assert_int_equal(gzseek(f, BODY_BYTES - 1, SEEK_SET), BODY_BYTES - 1);
	assert_int_equal(gzgetc(f), body.data[BODY_BYTES - 1]);
	assert_int_equal(gzclose(f), Z_OK);
}

/* Two seeks in a row: the second counts from where the first one would have gone. */
static void a_pending_seek_is_forgotten(void **state)
{
	char path[GZ_PATH_BYTES];
	gzFile f;

	(void)state;
	gz_put_file(gz_path(path, "pending"), packed.data, packed.len_bytes);
	f = gzopen(path, "r");
	assert_int_equal(gzseek(f, 50000, SEEK_CUR), 50000);
	assert_int_equal(gzseek(f, 50000, SEEK_CUR), 100000);
	assert_int_equal(gzseek(f, -30000, SEEK_CUR), 70000);
	assert_int_equal(gztell(f), 70000);
	assert_int_equal(gzgetc(f), body.data[70000]);
	assert_int_equal(gzseek64(f, 0x7fffffffffffffff, SEEK_CUR), -1);       /* the sum does not fit */
	assert_int_equal(gzseek64(f, 5, SEEK_CUR), 70006);
	assert_int_equal(gzclose(f), Z_OK);
}

static void gzoffset_is_not_the_place_in_the_file(void **state)
{
	char path[GZ_PATH_BYTES];
	Bytef out[1000];
	z_off_t before = 0;
	gzFile f;

	(void)state;
	gz_put_file(gz_path(path, "offset"), packed.data, packed.len_bytes);
	f = gzopen(path, "r");
	assert_int_equal(gzoffset(f), 0);
	while (gzread(f, out, sizeof out) > 0) {
		assert_true(gzoffset(f) >= before);
		assert_int_equal(gzoffset(f), gzoffset64(f));
		before = gzoffset(f);
	}
	assert_int_equal(before, packed.len_bytes);
	assert_int_equal(gzclose(f), Z_OK);
}

/* A reader that was given a descriptor rewinds to where it was then, not to the start of the file. */
static void rewinding_goes_too_far(void **state)
{
	char path[GZ_PATH_BYTES];
	struct test_bytes file = { 0 };
	int fd;
	gzFile f;

	(void)state;
	bytes_append_text(&file, "a header of another kind");
	bytes_append(&file, packed.data, packed.len_bytes);
	gz_put_file(gz_path(path, "inside"), file.data, file.len_bytes);
	fd = open(path, O_RDONLY);
	assert_int_equal(lseek(fd, 24, SEEK_SET), 24);
	f = gzdopen(fd, "r");
	for (int i = 0; i < 3; i++) {
		assert_int_equal(gzgetc(f), body.data[0]);
		assert_int_equal(gzseek(f, BODY_BYTES / 2, SEEK_SET), BODY_BYTES / 2);
		assert_int_equal(gzgetc(f), body.data[BODY_BYTES / 2]);
		assert_int_equal(gzrewind(f), 0);
	}
	assert_int_equal(gzclose(f), Z_OK);
	bytes_free(&file);
}

static void a_pipe_can_be_rewound(void **state)
{
	int ends[2];
	gzFile f;

	(void)state;
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(write(ends[1], "plain", 5), 5);
	close(ends[1]);
	f = gzdopen(ends[0], "r");
	assert_int_equal(gzgetc(f), 'p');
	assert_int_equal(gzrewind(f), -1);
	assert_int_equal(gzgetc(f), 'l');
	assert_int_equal(gzclose(f), Z_OK);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_seek_arrives_elsewhere),
		cmocka_unit_test(a_seek_before_the_start_succeeds),
		cmocka_unit_test(a_seek_beyond_the_end_is_an_error),
		cmocka_unit_test(a_pending_seek_is_forgotten),
		cmocka_unit_test(gzoffset_is_not_the_place_in_the_file),
		cmocka_unit_test(rewinding_goes_too_far),
		cmocka_unit_test(a_pipe_can_be_rewound),
	};

	return cmocka_run_group_tests(tests, prepare, clean_up);
}
