/* SPDX-License-Identifier: Zlib */
/* cmocka.c - see cmocka.h. */
#include "cmocka.h"

enum cmocka_outcome { CMOCKA_PASSED, CMOCKA_FAILED, CMOCKA_SKIPPED };

static jmp_buf back;                         /* where a failing assertion goes */

static void leave(enum cmocka_outcome outcome) __attribute__((noreturn));

static void leave(enum cmocka_outcome outcome)
{
	longjmp(back, (int)outcome);
}

void cmocka_skip(void)
{
	leave(CMOCKA_SKIPPED);
}

void print_error(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
}

void _fail(const char *file, int line)
{
	print_error("%s:%d: failed\n", file, line);
	leave(CMOCKA_FAILED);
}

void cmocka_numbers(uint64_t a, uint64_t b, int wanted, const char *file, int line)
{
	if (wanted)
		return;
	print_error("%#llx, %#llx\n", (unsigned long long)a, (unsigned long long)b);
	_fail(file, line);
}

void cmocka_strings(const char *a, const char *b, int equal, const char *file, int line)
{
	if ((strcmp(a, b) == 0) == equal)
		return;
	print_error("\"%s\", \"%s\"\n", a, b);
	_fail(file, line);
}

void cmocka_memory(const void *a, const void *b, size_t bytes, int equal, const char *file, int line)
{
	if ((memcmp(a, b, bytes) == 0) == equal)
		return;
	print_error("%zu bytes\n", bytes);
	_fail(file, line);
}

void cmocka_int_equal(uint64_t a, uint64_t b, const char *file, int line)
{
	cmocka_numbers(a, b, a == b, file, line);
}

void cmocka_int_not_equal(uint64_t a, uint64_t b, const char *file, int line)
{
	cmocka_numbers(a, b, a != b, file, line);
}

int cmocka_run(const struct CMUnitTest *tests, size_t count, int (*set_up)(void **), int (*tear_down)(void **))
{
	static const char *const words[] = { "ok", "FAILED", "skipped" };
	static size_t failed, i;                 /* static: longjmp() comes back to this frame */
	static void *state;

	if (set_up && set_up(&state) != 0) {
		print_error("the set-up failed\n");
		return (int)count;
	}
	for (failed = i = 0; i < count; i++) {
		int outcome = setjmp(back);

		if (outcome == CMOCKA_PASSED)
			tests[i].body(&state);
		printf("%s: %s\n", tests[i].name, words[outcome]);
		failed += outcome == CMOCKA_FAILED;
	}
	if (tear_down && tear_down(&state) != 0)
		failed++;
	printf("%zu test(s), %zu failed\n", count, failed);
	return (int)failed;
}
