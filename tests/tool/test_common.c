/* SPDX-License-Identifier: Zlib */
/* test_common.c - the small things that every command relies on. */
#include "common/libraries.h"
#include "common/tool.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void the_middle_of_an_even_number_is_one_of_them(void **state)
{
	static const double odd[] = { 9, 1, 5 }, even[] = { 4, 1, 100, 2 };

	(void)state;
	assert_true(zw_spread_of(odd, 3).median == 5);
	assert_true(zw_spread_of(odd, 3).mad == 4);
	assert_true(zw_spread_of(even, 4).median == 3);
	assert_true(zw_spread_of(even, 4).mad == 1.5);
	assert_true(zw_spread_of(even, 0).median == 0);
	assert_true(zw_spread_of(even, 0).high == 0);
}

static void a_number_with_something_after_it_passes(void **state)
{
	static const char *const bad[] = { "", "x", "1x", "-1", "+1", " 1", "0", "101", "99999999999999999999" };
	unsigned value = 7;

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		assert_false(zw_tool_number(bad[i], 1, 100, &value));
	assert_int_equal(value, 7);
	assert_true(zw_tool_number("100", 1, 100, &value));
	assert_int_equal(value, 100);
}

/* The ranks are those of tables for the sign test: 95 % and no less. */
static void an_interval_leaves_out_too_much(void **state)
{
	static const struct { size_t count, beyond; } ranks[] = {
		{ 1, 0 }, { 2, 0 }, { 5, 0 }, { 6, 0 }, { 8, 0 }, { 9, 1 }, { 11, 1 }, { 12, 2 }, { 15, 3 }, { 20, 5 }, { 25, 7 },
		{ 30, 9 }, { 40, 13 }, { 100, 39 }, { 1000, 468 },
	};
	double values[1000];

	(void)state;
	for (size_t i = 0; i < sizeof ranks / sizeof ranks[0]; i++) {
		size_t count = ranks[i].count;
		struct zw_spread spread;

		for (size_t k = 0; k < count; k++)           /* 0 .. count - 1, not in order */
			values[k * 7 % count] = (double)(k * 7 % count);
		spread = zw_spread_of(values, count);
		assert_true(spread.low == (double)ranks[i].beyond);
		assert_true(spread.high == (double)(count - 1 - ranks[i].beyond));
	}
}

static void a_list_with_a_hole_passes(void **state)
{
	static const char *const bad[] = { "", ",", "1,", ",1", "1,,2", "12", "1;2", "0", "x" };
	bool wanted[10];

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		assert_false(zw_tool_numbers(bad[i], 1, 9, wanted));
	assert_true(zw_tool_numbers("9,1,1", 1, 9, wanted));
	for (int i = 0; i < 10; i++)
		assert_int_equal(wanted[i], i == 1 || i == 9);
}

static void a_number_of_two_digits_is_taken_for_two(void **state)
{
	static const char *const bad[] = { "13", "1,13", "012345678901234567890", "1,,12", "12,", "4294967297" };
	bool wanted[13];

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		assert_false(zw_tool_numbers(bad[i], 0, 12, wanted));
	assert_true(zw_tool_numbers("12,0,7", 0, 12, wanted));
	for (int i = 0; i < 13; i++)
		assert_int_equal(wanted[i], i == 0 || i == 7 || i == 12);
}

static void thousands_are_cut_at_the_wrong_place(void **state)
{
	char text[32];

	(void)state;
	assert_string_equal(zw_tool_thousands(0, text), "0");
	assert_string_equal(zw_tool_thousands(999, text), "999");
	assert_string_equal(zw_tool_thousands(1000, text), "1,000");
	assert_string_equal(zw_tool_thousands(UINT64_MAX, text), "18,446,744,073,709,551,615");
}

static void the_checksum_is_not_gzips(void **state)
{
	(void)state;
	assert_int_equal(zw_blob_crc32("123456789", 9), 0xcbf43926);
	assert_int_equal(zw_blob_crc32("", 0), 0);
}

static void a_bad_library_argument_is_taken(void **state)
{
	static const char *const bad[] = { "", "=", "x", "=/lib/x", "x=", "a b=/x", "a/b=/x", "abcdefghijklmnopqrstuvwxyz=/x" };
	struct zw_libraries libs = { .count = 0 };

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		assert_int_equal(zw_libraries_add(&libs, "bench", bad[i]), ZW_EXIT_USAGE);
	assert_int_equal(zw_libraries_add(&libs, "bench", "x=/does/not/exist"), ZW_EXIT_CANNOT);
	assert_int_equal(zw_libraries_add(&libs, "bench", "x=/dev"), ZW_EXIT_CANNOT);
	assert_int_equal(libs.count, 0);
	assert_int_equal(zw_libraries_add(&libs, "bench", "x=/proc/self/exe"), ZW_EXIT_DONE);
	assert_int_equal(zw_libraries_add(&libs, "bench", "x=/proc/self/exe"), ZW_EXIT_USAGE);
	assert_int_equal(libs.count, 1);
	zw_libraries_free(&libs);
}

static void a_bad_native_argument_is_taken(void **state)
{
	static const char *const bad[] = { "", "=", "zlib", "zwire", "zlib=/proc/self/exe", "libdeflate=", "libdeflat", "isal2", "isal =/x" };
	struct zw_libraries libs = { .count = 0 };

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		assert_int_equal(zw_libraries_add_native(&libs, "bench", bad[i]), ZW_EXIT_USAGE);
	assert_int_equal(zw_libraries_add_native(&libs, "bench", "isal=/does/not/exist"), ZW_EXIT_CANNOT);
	assert_int_equal(zw_libraries_add_native(&libs, "bench", "isal=/proc/self/exe"), ZW_EXIT_DONE);
	assert_int_equal(zw_libraries_add_native(&libs, "bench", "isal=/proc/self/exe"), ZW_EXIT_USAGE);
	assert_int_equal(zw_libraries_add_native(&libs, "bench", "libdeflate=/proc/self/exe"), ZW_EXIT_DONE);
	assert_int_equal(libs.count, 2);
	assert_int_equal(libs.list[0].api, ZW_API_ISAL);
	assert_int_equal(libs.list[1].api, ZW_API_LIBDEFLATE);
	assert_string_equal(libs.list[1].name, "libdeflate");
	zw_libraries_free(&libs);
}

/* Texts that end in each part of a block; the sums are those of sha256sum. */
static void a_sum_is_not_sha256s(void **state)
{
	static const struct { size_t length; const char *sum; } texts[] = {
		{ 0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" },
		{ 55, "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318" },
		{ 56, "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a" },
		{ 64, "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb" },
		{ 1000, "41edece42d63e8d9bf515a9ba6932e1c20cbc9f5a5d134645adb5db1b9737ea3" },
	};
	char text[1000], sum[SHA256_TEXT_BYTES];

	(void)state;
	memset(text, 'a', sizeof text);
	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
		zw_sha256_text(text, texts[i].length, sum);
		assert_string_equal(sum, texts[i].sum);
	}
}

/* Made of whole sections that are then cut off, a byte at a time: nothing beyond the end is read (the sanitizers look). */
static void a_cut_file_is_read_beyond_its_end(void **state)
{
	struct zw_identity whole, cut;
	char path[] = "/tmp/zwire-test-XXXXXX";
	struct zw_blob file;
	int fd = mkstemp(path);

	(void)state;
	assert_true(fd >= 0);
	close(fd);
	assert_true(zw_identity_read("/proc/self/exe", &whole));
	assert_true(zw_file_read("/proc/self/exe", &file));
	assert_int_equal(strlen(whole.sha256), 64);
	for (size_t length = 0; length < 1200 && length < file.size_bytes; length += 7) {
		assert_true(zw_file_write(path, file.data, length));
		assert_true(zw_identity_read(path, &cut));
		assert_string_not_equal(cut.sha256, whole.sha256);
		assert_string_equal(cut.soname, "");
	}
	unlink(path);
	free(file.data);
}

static void a_deaf_child_is_left_behind(void **state)
{
	static const char *const deaf[] = { "sh", "-c", "trap '' TERM; while :; do sleep 1; done", NULL };
	static const char *const tame[] = { "sleep", "60", NULL };
	struct zw_launch launch = { .argv = deaf, .in_fd = -1, .out_fd = -1, .error_fd = -1, .cpu = -1 };
	pid_t pid = zw_process_start(&launch);

	(void)state;
	assert_true(pid > 0);
	struct zw_launch second = { .argv = tame, .in_fd = -1, .out_fd = -1, .error_fd = -1, .cpu = -1 };
	pid_t other = zw_process_start(&second);

	assert_true(zw_process_stop(other, SIGTERM, 5000));
	zw_process_stop(pid, SIGTERM, 300);
	assert_int_equal(waitpid(pid, NULL, WNOHANG), -1);
	assert_int_equal(kill(pid, 0), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_middle_of_an_even_number_is_one_of_them),
		cmocka_unit_test(a_number_with_something_after_it_passes),
		cmocka_unit_test(an_interval_leaves_out_too_much),
		cmocka_unit_test(a_list_with_a_hole_passes),
		cmocka_unit_test(a_number_of_two_digits_is_taken_for_two),
		cmocka_unit_test(thousands_are_cut_at_the_wrong_place),
		cmocka_unit_test(the_checksum_is_not_gzips),
		cmocka_unit_test(a_bad_library_argument_is_taken),
		cmocka_unit_test(a_bad_native_argument_is_taken),
		cmocka_unit_test(a_sum_is_not_sha256s),
		cmocka_unit_test(a_cut_file_is_read_beyond_its_end),
		cmocka_unit_test(a_deaf_child_is_left_behind),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
