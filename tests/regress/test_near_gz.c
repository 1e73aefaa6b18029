/* SPDX-License-Identifier: Zlib */
/* Faults that some gz functions had and that got no CVE: README.md has the list.  Two of them crash zlibs before 1.3, so only
 * ours is asked. */
#include "lib/cmocka_all.h"
#include "lib/peer.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char path[] = "/tmp/zwire-near-gz-XXXXXX";

static int make_file(void **state)
{
	int fd = mkstemp(path);

	(void)state;
	return fd < 0 ? -1 : close(fd);
}

static int remove_file(void **state)
{
	(void)state;
	return unlink(path);
}

/* Before the first read there is no buffer to push back into. */
static void test_ungetc_before_the_first_read_crashes(void **state)
{
	const struct peer_zlib *p = peer_ours();

	(void)state;
	for (unsigned buffer = 0; buffer < 40; buffer += 8)
		for (int plain = 0; plain < 2; plain++) {
			gzFile f = p->gzopen(path, plain ? "wT" : "w");
			char got[10] = { 0 };

			assert_int_equal(p->gzputs(f, "body"), 4);
			assert_int_equal(p->gzclose(f), Z_OK);
			f = p->gzopen(path, "r");
			if (buffer)
				assert_int_equal(p->gzbuffer(f, buffer), 0);
			assert_int_equal(p->gzungetc('<', f), '<');
			assert_int_equal(p->gzread(f, got, 9), 5);
			assert_string_equal(got, "<body");
			assert_int_equal(p->gzclose(f), Z_OK);
		}
}

/* A transparent write has no deflate stream whose level could be changed. */
static void test_setparams_of_a_plain_file_crashes(void **state)
{
	const struct peer_zlib *p = peer_ours();
	gzFile f = p->gzopen(path, "wT");
	char got[20] = { 0 };

	(void)state;
	assert_int_equal(p->gzputs(f, "before "), 7);
	assert_int_equal(p->gzsetparams(f, 9, Z_FILTERED), Z_STREAM_ERROR);
	assert_int_equal(p->gzputs(f, "behind"), 6);
	assert_int_equal(p->gzclose(f), Z_OK);
	f = p->gzopen(path, "r");
	assert_int_equal(p->gzread(f, got, 19), 13);
	assert_string_equal(got, "before behind");
	assert_int_equal(p->gzclose(f), Z_OK);
}

/* A flush marker is longer than the smallest buffer. */
static void test_flush_into_a_tiny_buffer_repeats_its_marker(void **state)
{
	const struct peer_zlib *p = peer_ours();

	(void)state;
	for (unsigned buffer = 1; buffer < 20; buffer++)
		for (int flush = Z_PARTIAL_FLUSH; flush <= Z_FINISH; flush++) {
			gzFile f = p->gzopen(path, "w");
			char got[200] = { 0 };
			long size;

			assert_int_equal(p->gzbuffer(f, buffer), 0);
			for (unsigned i = 0; i < 10; i++) {
				assert_int_equal(p->gzputs(f, "0123456789"), 10);
				assert_int_equal(p->gzflush(f, flush), Z_OK);
				assert_int_equal(p->gzflush(f, flush), Z_OK);
			}
			assert_int_equal(p->gzclose(f), Z_OK);
			f = p->gzopen(path, "r");
			assert_int_equal(p->gzread(f, got, 199), 100);
			for (unsigned i = 0; i < 100; i++)
				assert_int_equal(got[i], '0' + i % 10);
			size = (long)p->gzoffset(f);
			assert_true(size < 20 + 10 * 60);        /* not a marker for each byte of room */
			assert_int_equal(p->gzclose(f), Z_OK);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ungetc_before_the_first_read_crashes),
		cmocka_unit_test(test_setparams_of_a_plain_file_crashes),
		cmocka_unit_test(test_flush_into_a_tiny_buffer_repeats_its_marker),
	};

	return cmocka_run_group_tests(tests, make_file, remove_file);
}
