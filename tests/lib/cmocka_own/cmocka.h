/* SPDX-License-Identifier: Zlib */
/* cmocka.h - what of cmocka's interface these tests use, in a header of our own: for a C library that no distribution builds
 * cmocka for (musl).  cmake -DZWIRE_OWN_CMOCKA=ON takes it.  A failed assertion ends its test, as cmocka's does; nothing is
 * mocked, and there are no filters. */
#ifndef TESTS_LIB_CMOCKA_OWN_H
#define TESTS_LIB_CMOCKA_OWN_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct CMUnitTest {
	const char *name;
	void (*body)(void **state);
};

void print_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
void _fail(const char *file, int line) __attribute__((noreturn));
void cmocka_numbers(uint64_t a, uint64_t b, int wanted, const char *file, int line);
void cmocka_strings(const char *a, const char *b, int equal, const char *file, int line);
void cmocka_memory(const void *a, const void *b, size_t bytes, int equal, const char *file, int line);
void cmocka_int_equal(uint64_t a, uint64_t b, const char *file, int line);
void cmocka_int_not_equal(uint64_t a, uint64_t b, const char *file, int line);
int cmocka_run(const struct CMUnitTest *tests, size_t count, int (*set_up)(void **), int (*tear_down)(void **));
void cmocka_skip(void) __attribute__((noreturn));

#define print_message(...) print_error(__VA_ARGS__)

/* A number or a pointer as 64 bits; negative ones keep their sign. */
#define CMOCKA_NUMBER(v) ((uint64_t)(v))
#define CMOCKA_HOLDS(condition) ((condition) ? (void)0 : (print_error("%s\n", #condition), _fail(__FILE__, __LINE__)))

#define assert_true(v)            CMOCKA_HOLDS(v)
#define assert_false(v)           CMOCKA_HOLDS(!(v))
#define assert_null(p)            CMOCKA_HOLDS((p) == NULL)
#define assert_non_null(p)        CMOCKA_HOLDS((p) != NULL)
#define assert_ptr_equal(a, b)    CMOCKA_HOLDS((const void *)(a) == (const void *)(b))
#define assert_ptr_not_equal(a, b) CMOCKA_HOLDS((const void *)(a) != (const void *)(b))
#define assert_int_equal(a, b)     cmocka_int_equal(CMOCKA_NUMBER(a), CMOCKA_NUMBER(b), __FILE__, __LINE__)
#define assert_int_not_equal(a, b) cmocka_int_not_equal(CMOCKA_NUMBER(a), CMOCKA_NUMBER(b), __FILE__, __LINE__)
#define assert_string_equal(a, b)     cmocka_strings((a), (b), 1, __FILE__, __LINE__)
#define assert_string_not_equal(a, b) cmocka_strings((a), (b), 0, __FILE__, __LINE__)
#define assert_memory_equal(a, b, n)     cmocka_memory((a), (b), (n), 1, __FILE__, __LINE__)
#define assert_memory_not_equal(a, b, n) cmocka_memory((a), (b), (n), 0, __FILE__, __LINE__)
#define fail_msg(...) (print_error(__VA_ARGS__), print_error("\n"), _fail(__FILE__, __LINE__))
#define fail()        _fail(__FILE__, __LINE__)
#define skip()        cmocka_skip()

#define cmocka_unit_test(function) { #function, function }
#define cmocka_run_group_tests(tests, set_up, tear_down) \
	cmocka_run((tests), sizeof(tests) / sizeof (tests)[0], (set_up), (tear_down))

#endif
