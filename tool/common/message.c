/* SPDX-License-Identifier: Zlib */
/* message.c - lines for people: errors and progress on stderr, numbers as text and back. */
#include "common/tool.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool progress_is_shown;

static void clear_progress(void)
{
	if (progress_is_shown)
		fputs("\r\033[K", stderr);
	progress_is_shown = false;
}

void zw_tool_error(const char *format, ...)
{
	va_list args;

	clear_progress();
	fputs("zwire: ", stderr);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
}

/* Says what is wrong and where help is; returns the exit code for wrong usage. */
int zw_tool_wrong_usage(const char *command, const char *format, ...)
{
	va_list args;

	clear_progress();
	fprintf(stderr, "zwire%s%s: ", *command ? " " : "", command);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fprintf(stderr, "\nTry: zwire%s%s --help\n", *command ? " " : "", command);
	return ZW_EXIT_USAGE;
}

/* One line that is written over; only where somebody watches. */
void zw_tool_progress(const char *format, ...)
{
	va_list args;

	if (!isatty(STDERR_FILENO))
		return;
	clear_progress();
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fflush(stderr);
	progress_is_shown = true;
}

void zw_tool_progress_end(void)
{
	clear_progress();
	fflush(stderr);
}

/* The tool has nothing useful to do without memory, so it says so and ends. */
static void *need_memory(void *memory)
{
	if (!memory) {
		zw_tool_error("out of memory");
		_exit(ZW_EXIT_CANNOT);
	}
	return memory;
}

void *zw_tool_alloc(size_t bytes)
{
	return need_memory(calloc(1, bytes ? bytes : 1));
}

void *zw_tool_grow(void *old, size_t bytes)
{
	return need_memory(realloc(old, bytes ? bytes : 1));
}

char *zw_tool_format(const char *format, ...)
{
	va_list args;
	char *text = NULL;
	int length;

	va_start(args, format);
	length = vasprintf(&text, format, args);
	va_end(args);
	return need_memory(length < 0 ? NULL : text);
}

/* A whole decimal number from min to max, and nothing after it. */
bool zw_tool_number(const char *text, unsigned min, unsigned max, unsigned *value_ret)
{
	char *end;
	unsigned long value;

	if (*text < '0' || *text > '9')
		return false;
	errno = 0;
	value = strtoul(text, &end, 10);
	if (errno || *end || value < min || value > max)
		return false;
	*value_ret = (unsigned)value;
	return true;
}

/* A list like 1,2,12: numbers from min to max with commas between them; wanted_ret, of max + 1 places, tells which are in it. */
bool zw_tool_numbers(const char *list, unsigned min, unsigned max, bool *wanted_ret)
{
	memset(wanted_ret, 0, (max + 1) * sizeof *wanted_ret);
	for (;;) {
		unsigned value = 0;

		if (*list < '0' || *list > '9')
			return false;
		for (; *list >= '0' && *list <= '9'; list++) {
			value = value * 10 + (unsigned)(*list - '0');
			if (value > max)
				return false;
		}
		if (value < min)
			return false;
		wanted_ret[value] = true;
		if (!*list)
			return true;
		if (*list++ != ',')
			return false;
	}
}

/* 602254 as "602,254". */
const char *zw_tool_thousands(uint64_t value, char text[static 32])
{
	char digits[24];
	int count = snprintf(digits, sizeof digits, "%llu", (unsigned long long)value);
	char *next = text;

	for (int i = 0; i < count; i++) {
		if (i && (count - i) % 3 == 0)
			*next++ = ',';
		*next++ = digits[i];
	}
	*next = 0;
	return text;
}
