/* SPDX-License-Identifier: Zlib */
/* test_version.c - what the library says about itself, beside what the system's zlib says. */
#include "zwire.h"

#include "lib/cmocka_all.h"
#include "lib/peer.h"

#include <string.h>

static void the_version_is_not_plain_zlib(void **state)
{
	(void)state;
	assert_string_equal(zlibVersion(), "1.3.2");
	assert_string_equal(zlib_version, ZLIB_VERSION);
	assert_int_equal(ZLIB_VERNUM, ZLIB_VER_MAJOR << 12 | ZLIB_VER_MINOR << 8 | ZLIB_VER_REVISION << 4 | ZLIB_VER_SUBREVISION);
}

static void our_own_version_is_missing(void **state)
{
	(void)state;
	assert_string_equal(zwire_version(), ZWIRE_VERSION);
}

/* Bits above the four sizes say that something is missing or unsafe. */
static void the_flags_are_not_those_of_a_full_build(void **state)
{
	uLong flags = zlibCompileFlags();

	(void)state;
	assert_int_equal(flags >> 8, 0);
	assert_int_equal(flags & 3, 1);                                           /* uInt: 32 bits */
	assert_int_equal(flags >> 2 & 3, sizeof(uLong) == 8 ? 2 : 1);
	assert_int_equal(flags >> 4 & 3, sizeof(void *) == 8 ? 2 : 1);
	assert_int_equal(flags >> 6 & 3, sizeof(z_off_t) == 8 ? 2 : 1);
}

static void an_error_has_another_name_than_in_zlib(void **state)
{
	const struct peer_zlib *system = peer_system_or_skip();

	(void)state;
	for (int err = Z_VERSION_ERROR; err <= Z_NEED_DICT; err++)
		assert_string_equal(zError(err), system->zError(err));
	assert_int_equal(zlibCompileFlags() & 0xff, system->zlibCompileFlags() & 0xff);
}

static void an_unknown_error_has_no_name(void **state)
{
	static const int unknown[] = { 3, -7, 1000, -1000, 2147483647, -2147483647 - 1 };

	(void)state;
	for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++)
		assert_string_equal(zError(unknown[i]), "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_version_is_not_plain_zlib),
		cmocka_unit_test(our_own_version_is_missing),
		cmocka_unit_test(the_flags_are_not_those_of_a_full_build),
		cmocka_unit_test(an_unknown_error_has_no_name),
		cmocka_unit_test(an_error_has_another_name_than_in_zlib),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
