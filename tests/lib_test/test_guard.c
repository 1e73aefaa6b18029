/* SPDX-License-Identifier: Zlib */
#include "lib/cmocka_all.h"
#include "lib/guard.h"
#include "lib/peer.h"

#include <stdio.h>
#include <stdlib.h>

static const size_t lens[] = { 0, 1, 15, 4095, 4096, 4097, 70000 };

static void test_byte_behind_the_end_is_accessible(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof lens / sizeof lens[0]; i++) {
		struct guard_buffer g = guard_before_end(lens[i]);

		for (size_t at = 0; at < lens[i]; at++)
			g.data[at] = (uint8_t)at;
		assert_true(guard_read_faults(g.data + lens[i]));
		assert_true(guard_write_faults(g.data + lens[i]));
		if (lens[i])
			assert_false(guard_write_faults(g.data + lens[i] - 1));
		guard_free(&g);
		assert_null(g.data);
	}
}

static void test_byte_before_the_start_is_accessible(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof lens / sizeof lens[0]; i++) {
		struct guard_buffer g = guard_after_start(lens[i]);

		for (size_t at = 0; at < lens[i]; at++)
			g.data[at] = (uint8_t)at;
		assert_true(guard_read_faults(g.data - 1));
		if (lens[i])
			assert_false(guard_write_faults(g.data));
		guard_free(&g);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_byte_behind_the_end_is_accessible),
		cmocka_unit_test(test_byte_before_the_start_is_accessible),
	};

	if (getenv("ZWIRE_TEST_EMULATED")) {
		fprintf(stderr, "skipped: an emulator does not come back from a fault in a forked child\n");
		return PEER_SKIP_CODE;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
