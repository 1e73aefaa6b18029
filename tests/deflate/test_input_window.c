/* SPDX-License-Identifier: Zlib */
/* The input window: fills to the brim, keeps enough history when it slides, checksums what it copies. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "cpu/kernels.h"
#include "deflate/input_window.h"

#include <string.h>

#define LOG2 9
#define HISTORY (1u << LOG2)
#define CAPACITY (2u << LOG2)

static uint8_t buf[CAPACITY + WINDOW_SLACK_BYTES];
static uint8_t data[8 * CAPACITY];

static struct zw_input_window fresh(void)
{
	for (size_t i = 0; i < sizeof data; i++)
		data[i] = (uint8_t)(i * 31 + (i >> 7));
	memset(buf, 0xaa, sizeof buf);
	return (struct zw_input_window){ .buf = buf, .capacity = CAPACITY, .history_max = HISTORY };
}

static void test_fill_overruns_or_stops_early(void **unused)
{
	struct zw_input_window w = fresh();
	struct zw_in in = { data, CAPACITY + 100 };
	uint32_t crc = 0;
	const struct zw_kernels *k = zw_kernels_get();

	(void)unused;
	assert_int_equal(zw_window_fill(&w, &in, k->crc32_copy, &crc), CAPACITY);
	assert_int_equal(in.left_bytes, 100);
	assert_ptr_equal(in.next, data + CAPACITY);
	assert_memory_equal(buf, data, CAPACITY);
	assert_int_equal(buf[CAPACITY], 0xaa);
	assert_int_equal(crc, k->crc32(0, data, CAPACITY));
	assert_int_equal(zw_window_fill(&w, &in, k->crc32_copy, &crc), 0);
	in = (struct zw_in){ NULL, 0 };
	assert_int_equal(zw_window_fill(&w, &in, NULL, NULL), 0);
}

static void test_slide_loses_history_or_unparsed_bytes(void **unused)
{
	struct zw_input_window w = fresh();
	struct zw_in in = { data, sizeof data };
	size_t at = 0;                           /* stream offset of buf[0] */

	(void)unused;
	while (in.left_bytes) {
		zw_window_fill(&w, &in, NULL, NULL);
		w.parsed = w.end > 100 ? w.end - 100 : 0;
		at += zw_window_slide(&w);
		assert_true(w.parsed == HISTORY || at == 0);
		assert_int_equal(w.end - w.parsed, 100);
		assert_memory_equal(buf, data + at, w.end);
	}
	w.parsed = 10;
	assert_int_equal(zw_window_slide(&w), 0);
}

static void test_slack_stays_undefined(void **unused)
{
	struct zw_input_window w = fresh();
	static const uint8_t zero[WINDOW_SLACK_BYTES];

	(void)unused;
	w.end = 5;
	zw_window_define_slack(&w);
	assert_memory_equal(buf + 5, zero, sizeof zero);
	w.end = CAPACITY;
	zw_window_define_slack(&w);
	assert_memory_equal(buf + CAPACITY, zero, sizeof zero);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fill_overruns_or_stops_early),
		cmocka_unit_test(test_slide_loses_history_or_unparsed_bytes),
		cmocka_unit_test(test_slack_stays_undefined),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
