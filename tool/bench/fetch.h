/* SPDX-License-Identifier: Zlib */
/* fetch.h - bodies from the network. */
#ifndef ZW_TOOL_BENCH_FETCH_H
#define ZW_TOOL_BENCH_FETCH_H

#include "bench/payloads.h"

bool zw_fetch_body(struct zw_payloads *payloads, const char *url);

#endif
