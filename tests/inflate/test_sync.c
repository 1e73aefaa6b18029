/* SPDX-License-Identifier: Zlib */
/* test_sync.c - inflateSync() at any byte of a stream, with checks turned off and on around it, beside the system's zlib.
 * Found by fuzz_inflate and fuzz_inflate_made: a sum that was turned on again behind a marker began anew, where zlib goes on with what
 * there was, be it the sum of a gzip header that ended halfway or was wrong. */
#include "lib/cmocka_all.h"

#include "inflate/make_stream.h"
#include "inflate/twin.h"

static struct test_bytes page, long_page;

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

struct sync_counts { unsigned found, went_on; };

/* Three bits of choices: checks around the marker.  The stream is tried with each number of bytes, every one of the first dense_bytes, before
 * the search. */
static void sync_everywhere(struct twin *t, const struct test_bytes *z, int window_bits, unsigned choices, size_t dense_bytes,
			    struct sync_counts *counts)
{
	for (size_t cut = 0; cut < z->len_bytes; cut += cut < dense_bytes ? 1 : 13) {
		struct test_bytes head = { z->data, cut, cut };
		size_t made;
		int held;

		twin_open(t, window_bits);
		twin_feed(t, &head, 50, 99, Z_NO_FLUSH);
		held = t->theirs.data_type & 63;
		if (choices & 4)
			TWIN_CALL(t, inflateValidate, choices & 1 ? 1 : 0);
		/* zlib before 1.3.1 searches the wrong bits of what it holds, unless they are whole bytes */
		if ((held >= 8 && held % 8) || sync_both(t, z, 1 + cut % 700) != Z_OK) {
			CHECK_TWIN(t);
			twin_close(t);
			continue;
		}
		counts->found++;
		TWIN_CALL(t, inflateValidate, choices & 2 ? 1 : 0);
		made = t->made.len_bytes;
		twin_feed(t, z, 70, 99, Z_NO_FLUSH);
		CHECK_TWIN(t);
		counts->went_on += t->made.len_bytes > made;
		twin_close(t);
	}
}

static void test_sync_and_validate_in_any_order(void **state)
{
	static const int windows[] = { 15, 31, 47, -15 };
	struct twin *t = &twins;
	struct sync_counts counts = { 0, 0 };

	(void)state;
	for (unsigned set = 0; set < 4 * 8; set++) {
		int window_bits = windows[set % 4];
		struct test_bytes z = compressed(t->system_zlib, page.data, 3000, window_bits == 47 ? 31 : window_bits, NULL, 0, Z_FULL_FLUSH);

		sync_everywhere(t, &z, window_bits, set / 4, 40, &counts);
		bytes_free(&z);
	}
	assert_true(counts.found > 100);
	assert_true(counts.went_on > 100);
}

/* A gzip header with all fields of these flags (RFC 1952 2.3.1), the given method, and its CRC or another. */
static void append_header(const struct peer_zlib *p, struct test_bytes *z, unsigned method, unsigned flags, bool wrong_crc)
{
	const uint8_t fixed[] = { 0x1f, 0x8b, (uint8_t)method, (uint8_t)flags, 1, 2, 3, 4, 0, 3 };
	uint8_t crc[2];
	uLong value;

	bytes_append(z, fixed, sizeof fixed);
	if (flags & 4)
		bytes_append(z, "\5\0extra", 7);
	if (flags & 8)
		bytes_append(z, "name", 5);
	if (flags & 16)
		bytes_append(z, "comment", 8);
	if (flags & 2) {
		value = p->crc32(0, z->data, (uInt)z->len_bytes) ^ (wrong_crc ? 1u : 0u);
		crc[0] = (uint8_t)value;
		crc[1] = (uint8_t)(value >> 8);
		bytes_append(z, crc, sizeof crc);
	}
}

static void test_sync_out_of_a_gzip_header(void **state)
{
	static const struct { unsigned method, flags; bool wrong_crc; } headers[] = {
		{ 8, 2 + 4 + 8 + 16, false }, { 8, 2 + 4 + 8 + 16, true }, { 8, 2, true }, { 8, 4 + 8 + 16, false },
		{ 8, 0x20 + 2, false }, { 7, 2, false }, { 8, 0, false }
	};
	struct twin *t = &twins;
	struct sync_counts counts = { 0, 0 };
	struct test_bytes raw = compressed(t->system_zlib, page.data, 3000, -15, NULL, 0, Z_FULL_FLUSH);

	(void)state;
	for (unsigned set = 0; set < 2 * 8; set++)
		for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) {
			struct test_bytes z = { 0 };

			append_header(t->system_zlib, &z, headers[i].method, headers[i].flags, headers[i].wrong_crc);
			bytes_append(&z, raw.data, raw.len_bytes);
			bytes_append(&z, "trailers", 8);
			sync_everywhere(t, &z, set % 2 ? 47 : 31, set / 2, 60, &counts);
			bytes_free(&z);
		}
	bytes_free(&raw);
	assert_true(counts.found > 100);
	assert_true(counts.went_on > 100);
}

/* zlib keeps the size of a window that a header asked for and it refused, through inflateSync() and inflateReset(), and its
 * inflateGetDictionary() then gives up to 8 MB to callers who brought the 32768 bytes of zlib.h.  Found by fuzz_inflate, which did. */
static void check_refused_window(struct twin *t, const struct test_bytes *z, int wrap, bool reset)
{
	Bytef history[32768 + 1];
	uInt history_bytes = 0;

	twin_open(t, wrap);
	twin_feed(t, &(struct test_bytes){ z->data, 2, 2 }, 2, 99, Z_NO_FLUSH);
	assert_string_equal(t->ours.msg, "invalid window size");
	if (reset)
		assert_int_equal(TWIN_CALL_0(t, inflateReset), Z_OK);
	else
		assert_int_equal(sync_both(t, z, 4), Z_OK);
	twin_feed(t, z, 4000, 9000, Z_NO_FLUSH);
	CHECK_TWIN(t);
	assert_int_equal(t->made.len_bytes, long_page.len_bytes);
	history[32768] = TWIN_SENTINEL;
	assert_int_equal(inflateGetDictionary(&t->ours, history, &history_bytes), Z_OK);
	assert_int_equal(history_bytes, 32768);
	assert_int_equal(history[32768], TWIN_SENTINEL);
	assert_memory_equal(history, long_page.data + long_page.len_bytes - 32768, 32768);
	twin_close(t);
}

static void test_history_behind_a_refused_window(void **state)
{
	struct twin *t = &twins;
	struct test_bytes good = compressed(t->system_zlib, long_page.data, long_page.len_bytes, 15, NULL, 0, Z_NO_FLUSH);
	struct test_bytes raw = compressed(t->system_zlib, long_page.data, long_page.len_bytes, -15, NULL, 0, Z_FULL_FLUSH);

	(void)state;
	for (unsigned method = 0x88; method <= 0xf8; method += 0x10)
		for (int way = 0; way < 4; way++) {
			const uint8_t refused[] = { (uint8_t)method, (uint8_t)(31 - method * 256 % 31), 0, 0, 0xff, 0xff };
			const bool reset = way % 2;
			const struct test_bytes *rest = reset ? &good : &raw;
			struct test_bytes z = { 0 };

			bytes_append(&z, refused, reset ? 2 : sizeof refused);
			bytes_append(&z, rest->data, rest->len_bytes);
			check_refused_window(t, &z, way / 2 * 32, reset);
			bytes_free(&z);
		}
	bytes_free(&good);
	bytes_free(&raw);
}

static int setup(void **state)
{
	twins_begin(state);
	corpus_make(CORPUS_HTML, 21, 3000, &page);
	corpus_make(CORPUS_HTML, 22, 90000, &long_page);
	return 0;
}

static int teardown(void **state)
{
	bytes_free(&page);
	bytes_free(&long_page);
	return twins_end(state);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sync_and_validate_in_any_order),
		cmocka_unit_test(test_sync_out_of_a_gzip_header),
		cmocka_unit_test(test_history_behind_a_refused_window)
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
