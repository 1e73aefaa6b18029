/* SPDX-License-Identifier: Zlib */
/* CVE-2003-0107: gzprintf() formatted into a buffer of fixed size without asking how long the text gets. */
#include "lib/cmocka_all.h"
#include "lib/streams.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void check_width(const struct peer_zlib *p, const char *path, unsigned buffer_bytes, int width)
{
	static char back[20000];
	gzFile f = p->gzopen(path, "wb");
	int written, got;

	assert_non_null(f);
	if (buffer_bytes)
		assert_int_equal(p->gzbuffer(f, buffer_bytes), 0);
	assert_int_equal(p->gzprintf(f, "%s-", "start"), 6);
	written = p->gzprintf(f, "%*s", width, "x");
	assert_true(written == width || written <= 0);          /* all of it, or nothing and an error */
	p->gzclose(f);
	f = p->gzopen(path, "rb");
	assert_non_null(f);
	got = p->gzread(f, back, sizeof back);
	assert_int_equal(got, written > 0 ? 6 + written : 6);
	assert_memory_equal(back, "start-", 6);
	for (int i = 6; i < got; i++)
		assert_int_equal(back[i], i == got - 1 ? 'x' : ' ');
	assert_int_equal(p->gzclose(f), Z_OK);
}

static void test_long_format_overruns(void **state)
{
	static const int widths[] = { 1, 100, 4090, 4096, 8191, 8192, 8193, 10240, 16384 };
	static const unsigned buffers[] = { 0, 8, 100, 4096 };
	char path[] = "/tmp/zwire-gzprintf-XXXXXX";
	int fd = mkstemp(path);

	(void)state;
	assert_true(fd >= 0);
	close(fd);
	FOR_EACH_SUBJECT(p)
		for (size_t w = 0; w < sizeof widths / sizeof widths[0]; w++)
			for (size_t b = 0; b < sizeof buffers / sizeof buffers[0]; b++)
				check_width(p, path, buffers[b], widths[w]);
	unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_long_format_overruns) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
