/* SPDX-License-Identifier: Zlib */
/* counters.h - what the worker's own process costs beside time: instructions, page faults. */
#ifndef ZW_TOOL_BENCH_COUNTERS_H
#define ZW_TOOL_BENCH_COUNTERS_H

#include <stddef.h>
#include <stdint.h>

void     zw_instructions_open(char *text_ret, size_t text_bytes);
uint64_t zw_instructions_read(void);
uint64_t zw_faults_count(void);
void     zw_caches_empty(void);

#endif
