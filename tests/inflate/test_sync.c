/* SPDX-License-Identifier: Zlib */
/* test_sync.c - inflateSync() at any byte of a stream, with checks turned off and on around it, beside the system's zlib.
 * Found by fuzz_inflate: a sum that was turned on again behind a marker began anew. */
#include "lib/cmocka_all.h"

#include "inflate/make_stream.h"
#include "inflate/twin.h"

static struct twin twins;
static struct test_bytes page;

/* From the byte where the stream stands. */
static int sync_both(struct twin *t, const struct test_bytes *z, size_t bytes)
{
	size_t left = z->len_bytes - t->used_bytes, given = left < bytes ? left : bytes;
	int code;

	t->theirs.next_in = z->data + t->used_bytes;
	t->theirs.avail_in = (uInt)given;
	t->ours.next_in = t->theirs.next_in;
	t->ours.avail_in = (uInt)given;
	code = TWIN_CALL_0(t, inflateSync);
	twin_same(t, "avail_in after inflateSync", (long)t->ours.avail_in, (long)t->theirs.avail_in);
	t->used_bytes += given - t->ours.avail_in;
	return code;
}

static void test_sync_and_validate_in_any_order(void **state)
{
	static const int windows[] = { 15, 31, 47, -15 };
	struct twin *t = &twins;
	unsigned found = 0, went_on = 0;

	(void)state;
	for (unsigned set = 0; set < 4 * 4 * 2; set++) {
		int window_bits = windows[set % 4];
		struct test_bytes z = compressed(t->system_zlib, page.data, 3000, window_bits == 47 ? 31 : window_bits, NULL, 0, Z_FULL_FLUSH);

		for (size_t cut = 0; cut < z.len_bytes; cut += cut < 40 ? 1 : 13) {
			struct test_bytes head = { z.data, cut, cut };
			size_t made;

			twin_open(t, window_bits);
			twin_feed(t, &head, 50, 99, Z_NO_FLUSH);
			if (set & 16)
				TWIN_CALL(t, inflateValidate, set & 4 ? 1 : 0);
			/* zlib before 1.3.1 searches the wrong bits of what it holds */
			if ((t->theirs.data_type & 63) >= 8 || sync_both(t, &z, 1 + cut % 700) != Z_OK) {
				CHECK_TWIN(t);
				twin_close(t);
				continue;
			}
			found++;
			TWIN_CALL(t, inflateValidate, set & 8 ? 1 : 0);
			made = t->made.len_bytes;
			twin_feed(t, &z, 70, 99, Z_NO_FLUSH);
			CHECK_TWIN(t);
			went_on += t->made.len_bytes > made;
			twin_close(t);
		}
		bytes_free(&z);
	}
	assert_true(found > 100);
	assert_true(went_on > 100);
}

static int setup(void **state)
{
	(void)state;
	twin_begin(&twins);
	corpus_make(CORPUS_HTML, 21, 3000, &page);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	twin_end(&twins);
	bytes_free(&page);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_sync_and_validate_in_any_order) };

	return cmocka_run_group_tests(tests, setup, teardown);
}
