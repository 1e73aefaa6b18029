/* SPDX-License-Identifier: Zlib */
/* test_silence.c - nothing is ever printed, whatever goes wrong: zlib-rs wrote of a bad windowBits on stderr.  That the library
 * does not even import what prints or aborts is checked by tools/check_symbols. */
#include "zlib.h"
#include "zwire.h"

#include "abi/gz_files.h"
#include "lib/cmocka_all.h"
#include "lib/corpus.h"

#include <limits.h>
#include <string.h>

static Bytef in[3000], out[5000];

static void fail_in_every_way(void)
{
	static const int bits[] = { INT_MIN, -99, -16, -8, -1, 0, 1, 7, 8, 16, 24, 48, 64, 1000, INT_MAX };
	uLong got;
	size_t size = 10;
	z_stream s;

	for (size_t i = 0; i < sizeof bits / sizeof bits[0]; i++) {
		memset(&s, 0, sizeof s);
		if (deflateInit2(&s, 6, Z_DEFLATED, bits[i], 8, 0) == Z_OK)
			deflateEnd(&s);
		memset(&s, 0, sizeof s);
		if (inflateInit2(&s, bits[i]) == Z_OK)
			inflateEnd(&s);
		memset(&s, 0, sizeof s);
		if (inflateBackInit(&s, bits[i], out) == Z_OK)
			inflateBackEnd(&s);
	}
	for (int level = -5; level < 15; level++) {
		got = 10;
		(void)compress2(out, &got, in, sizeof in, level);
		(void)zwire_compress(level, ZWIRE_GZIP, in, sizeof in, out, 3, &size, NULL);
	}
	for (unsigned seed = 0; seed < 300; seed++) {
		struct test_bytes noise = { 0 };

		corpus_make(CORPUS_RANDOM, seed, 40, &noise);
		noise.data[0] = 0x78;
		noise.data[1] = 0x9c;
		got = sizeof out;
		(void)uncompress(out, &got, noise.data, 40);
		bytes_free(&noise);
	}
	(void)deflate(NULL, 0);
	(void)inflate(NULL, 0);
	(void)deflateEnd(NULL);
	(void)inflateEnd(NULL);
	(void)zError(99);
	(void)inflateSync(NULL);
	(void)crc32_combine(1, 2, -3);
}

static void fail_with_files(void)
{
	char path[GZ_PATH_BYTES];
	gzFile f;

	(void)gzopen("/nowhere/at/all", "r");
	(void)gzopen(NULL, NULL);
	(void)gzdopen(-1, "r");
	gz_put_file(gz_path(path, "bad"), "\x1f\x8b\x08\0\0\0\0\0\0\3garbage and more of it", 32);
	f = gzopen(path, "r");
	(void)gzread(f, out, sizeof out);
	(void)gzwrite(f, in, 10);
	(void)gzseek(f, -5, SEEK_END);
	(void)gzungetc(-7, f);
	(void)gzclose(f);
	f = gzopen("/dev/full", "w");
	(void)gzwrite(f, in, sizeof in);
	(void)gzputs(f, "text");
	(void)gzflush(f, Z_FINISH);
	(void)gzflush(f, 77);
	(void)gzsetparams(f, 77, 77);
	(void)gzclose(f);
	(void)gzclose(NULL);
}

/* Both descriptors lead into a pipe meanwhile; what stdio holds back is written out too. */
static void something_is_printed(void **state)
{
	int ends[2], old_out, old_err;
	char said[200];
	ssize_t n;

	(void)state;
	fflush(stdout);
	fflush(stderr);
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(fcntl(ends[0], F_SETFL, O_NONBLOCK), 0);
	old_out = dup(1);
	old_err = dup(2);
	dup2(ends[1], 1);
	dup2(ends[1], 2);
	fail_in_every_way();
	fail_with_files();
	fflush(stdout);
	fflush(stderr);
	dup2(old_out, 1);
	dup2(old_err, 2);
	close(old_out);
	close(old_err);
	close(ends[1]);
	n = read(ends[0], said, sizeof said - 1);
	close(ends[0]);
	if (n > 0) {
		said[n] = '\0';
		fail_msg("printed: %s", said);
	}
	assert_int_equal(n, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(something_is_printed) };

	return cmocka_run_group_tests(tests, gz_make_dir, gz_remove_dir);
}
