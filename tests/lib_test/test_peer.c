/* SPDX-License-Identifier: Zlib */
#include "lib/cmocka_all.h"
#include "lib/peer.h"

#include <string.h>

static void test_peer_is_our_own_library(void **state)
{
	const struct peer_zlib *p = peer_system_or_skip();

	(void)state;
	assert_string_equal(p->name, "system");
	assert_int_equal(p->zlibVersion()[0], '1');
	assert_int_equal(p->adler32(1, (const Bytef *)"abc", 3), 0x024d0127);
}

static void test_peer_does_not_work(void **state)
{
	const struct peer_zlib *p = peer_system_or_skip();
	Bytef packed[64], back[16];
	uLongf packed_bytes = sizeof packed, back_bytes = sizeof back;

	(void)state;
	assert_int_equal(p->compress(packed, &packed_bytes, (const Bytef *)"0123456789", 10), Z_OK);
	assert_int_equal(p->uncompress(back, &back_bytes, packed, packed_bytes), Z_OK);
	assert_int_equal(back_bytes, 10);
	assert_memory_equal(back, "0123456789", 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_peer_is_our_own_library),
		cmocka_unit_test(test_peer_does_not_work),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
