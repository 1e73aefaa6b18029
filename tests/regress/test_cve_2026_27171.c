/* SPDX-License-Identifier: Zlib */
/* CVE-2026-27171: crc32_combine_gen64() of a negative length never returned.  Only ours is asked: the system's zlib may
 * be one that does not return. */
#include "lib/cmocka_all.h"
#include "lib/peer.h"

#include <unistd.h>

static void test_negative_length_hangs(void **state)
{
	const struct peer_zlib *p = peer_ours();
	static const z_off64_t lens[] = { -1, -2, -65521, (z_off64_t)1 << 63 };

	(void)state;
	alarm(10);
	for (size_t i = 0; i < sizeof lens / sizeof lens[0]; i++) {
		assert_int_equal(p->crc32_combine_gen64(lens[i]), 0);
		if ((z_off_t)lens[i] < 0)        /* where z_off_t has 32 bits, 0 is left of the last */
			assert_int_equal(p->crc32_combine_gen((z_off_t)lens[i]), 0);
		p->crc32_combine64(1, 2, lens[i]);
		p->adler32_combine64(1, 2, lens[i]);
	}
	alarm(0);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_negative_length_hangs) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
