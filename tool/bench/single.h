/* SPDX-License-Identifier: Zlib */
/* single.h - what one response by itself takes, first and later in a process's life. */
#ifndef ZW_TOOL_BENCH_SINGLE_H
#define ZW_TOOL_BENCH_SINGLE_H

#include "bench/crew.h"

void zw_bench_measure_single(struct zw_crew *crew, struct zw_bench_cell *cells, size_t count, const uint64_t *hashes);

#endif
