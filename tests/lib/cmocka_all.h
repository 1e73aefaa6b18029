/* SPDX-License-Identifier: Zlib */
/* cmocka_all.h - cmocka with the headers that it needs before it. */
#ifndef TESTS_LIB_CMOCKA_ALL_H
#define TESTS_LIB_CMOCKA_ALL_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* cmocka 2 gives its assert_in_range() up for one of each sign; no number here is negative. */
#define assert_between(value, low, high) \
	do { \
		const unsigned long long value_ = (unsigned long long)(value); \
		if (value_ < (unsigned long long)(low) || value_ > (unsigned long long)(high)) \
			fail_msg("%s is %llu", #value, value_); \
	} while (0)

#endif
