/* SPDX-License-Identifier: Zlib */
/* memory.h - the peak of a process's resident memory. */
#ifndef ZW_TOOL_COMMON_MEMORY_H
#define ZW_TOOL_COMMON_MEMORY_H

#include <sys/types.h>

void zw_peak_forget(pid_t pid);
long zw_peak_kb(pid_t pid);

#endif
