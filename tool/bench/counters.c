/* SPDX-License-Identifier: Zlib */
/* counters.c - instructions by the kernel's perf events, page faults, and caches made empty. */
#include "bench/counters.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#define CACHE_LEAST_BYTES  (32l * 1024 * 1024)   /* where the system does not tell how large the last cache is */
#define CACHE_MOST_BYTES  (256l * 1024 * 1024)
#define CACHE_LINE_BYTES   64

static int counter_fd = -1;

/* text_ret is empty if instructions are counted, else the reason in words. */
void zw_instructions_open(char *text_ret, size_t text_bytes)
{
	struct perf_event_attr what;

	memset(&what, 0, sizeof what);
	what.size = sizeof what;
	what.type = PERF_TYPE_HARDWARE;
	what.config = PERF_COUNT_HW_INSTRUCTIONS;
	what.exclude_kernel = 1;                 /* so it needs no privilege up to perf_event_paranoid 2 */
	what.exclude_hv = 1;
	counter_fd = (int)syscall(SYS_perf_event_open, &what, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	*text_ret = 0;
	if (counter_fd >= 0)
		return;
	if (errno == EACCES || errno == EPERM)
		snprintf(text_ret, text_bytes, "the kernel does not allow it (perf_event_paranoid, or a container's filter): %s", strerror(errno));
	else
		snprintf(text_ret, text_bytes, "this CPU, or the virtual machine, has no counter: %s", strerror(errno));
}

/* Executed in user mode so far; 0 where they are not counted. */
uint64_t zw_instructions_read(void)
{
	uint64_t count = 0;

	if (counter_fd < 0 || read(counter_fd, &count, sizeof count) != sizeof count)
		return 0;
	return count;
}

uint64_t zw_faults_count(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return (uint64_t)(usage.ru_minflt + usage.ru_majflt);
}

/* Writes to twice as much memory as the last cache holds, so that nothing of before is in any of them. */
void zw_caches_empty(void)
{
	long bytes = 2 * sysconf(_SC_LEVEL3_CACHE_SIZE);
	volatile uint8_t *block;

	if (bytes < CACHE_LEAST_BYTES)
		bytes = CACHE_LEAST_BYTES;
	if (bytes > CACHE_MOST_BYTES)
		bytes = CACHE_MOST_BYTES;
	block = malloc((size_t)bytes);
	for (long at = 0; block && at < bytes; at += CACHE_LINE_BYTES)
		block[at] = (uint8_t)at;
	free((void *)(uintptr_t)block);
}
