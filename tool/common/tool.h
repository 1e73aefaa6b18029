/* SPDX-License-Identifier: Zlib */
/* tool.h - what every command shares: exit codes, error lines, files, processes, statistics. */
#ifndef ZW_TOOL_COMMON_TOOL_H
#define ZW_TOOL_COMMON_TOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum zw_exit {
	ZW_EXIT_DONE   = 0,
	ZW_EXIT_FOUND  = 1,                      /* a check failed, or something was found */
	ZW_EXIT_USAGE  = 2,
	ZW_EXIT_CANNOT = 3                       /* something that the command needs is missing */
};

/* ---- messages (message.c): what happened, where, and what to do, on stderr ---- */
void zw_tool_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
int  zw_tool_wrong_usage(const char *command, const char *format, ...) __attribute__((format(printf, 2, 3)));
void zw_tool_progress(const char *format, ...) __attribute__((format(printf, 1, 2)));
void zw_tool_progress_end(void);
char *zw_tool_format(const char *format, ...) __attribute__((format(printf, 1, 2), malloc));
void *zw_tool_alloc(size_t bytes);
void *zw_tool_grow(void *old, size_t bytes);
bool  zw_tool_number(const char *text, unsigned min, unsigned max, unsigned *value_ret);
bool  zw_tool_numbers(const char *list, unsigned min, unsigned max, bool *wanted_ret);
const char *zw_tool_thousands(uint64_t value, char text[static 32]);

/* ---- files (files.c) ---- */
struct zw_blob { uint8_t *data; size_t size_bytes; };

bool  zw_file_read(const char *path, struct zw_blob *blob_ret);
bool  zw_file_write(const char *path, const void *data, size_t size_bytes);
bool  zw_file_is_same(const char *path, dev_t device, ino_t inode);
char *zw_temp_dir_make(const char *purpose);
void  zw_tree_remove(const char *path);
uint32_t zw_blob_crc32(const void *data, size_t size_bytes);

/* ---- statistics (statistics.c) ---- */
struct zw_spread {
	double median, mad;                      /* mad: median of the absolute deviations from the median */
	double low, high;                        /* the true median is between them with 95 %; with fewer than 6 values, all are */
};

struct zw_spread zw_spread_of(const double *values, size_t count);
void zw_doubles_sort(double *values, size_t count);

/* ---- processes (process.c) ---- */
struct zw_launch {
	const char *const *argv;                 /* ends with NULL */
	const char *library_dir;                 /* put in front of LD_LIBRARY_PATH; NULL to leave it alone */
	int in_fd, out_fd, error_fd;             /* become 0, 1, 2; -1: /dev/null for 0, inherited for 1 and 2 */
	int cpu;                                 /* pin to this one; -1 for none */
	unsigned cpu_count;                      /* and to the allowed ones after it, so many in all; 0 is 1 */
};

/* The first CPU of each side, and how many it has from there on; -1 and 0 where there is nothing to choose from. */
struct zw_cpus { int server, client; unsigned server_count, client_count; };

void  zw_interrupt_catch(void);                /* SIGINT, SIGTERM, SIGHUP set the flag; nothing is killed */
bool  zw_interrupted(void);
pid_t zw_process_start(const struct zw_launch *launch);
bool  zw_process_stop(pid_t pid, int signal, unsigned patience_ms);
bool  zw_process_wait(pid_t pid, unsigned patience_ms, int *status_ret);
struct zw_cpus zw_cpus_choose(unsigned server_count);
int64_t zw_clock_ns(void);

#endif
