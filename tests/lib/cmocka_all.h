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
	assert_between_at((unsigned long long)(value), (unsigned long long)(low), (unsigned long long)(high), #value, __FILE__, __LINE__)

static inline __attribute__((unused)) void assert_between_at(unsigned long long value, unsigned long long low,
							      unsigned long long high, const char *what, const char *file, int line)
{
	if (value >= low && value <= high)
		return;
	print_error("%s is %llu\n", what, value);
	_fail(file, line);
}

#endif
