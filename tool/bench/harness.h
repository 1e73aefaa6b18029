/* SPDX-License-Identifier: Zlib */
/* harness.h - the ways of calling a library, each a fresh stream from init to end. */
#ifndef ZW_TOOL_BENCH_HARNESS_H
#define ZW_TOOL_BENCH_HARNESS_H

#include "bench/library.h"
#include "bench/wire.h"

#include <stdint.h>

/* What a worker holds: the library, the body, the same compressed, and room for the output of either direction. */
struct zw_bench_state {
	struct zw_libz libz;
	const struct zw_native *native;          /* called instead of libz; NULL for a libz */
	struct zw_bench_packed { uint8_t *data; size_t size_bytes; } packed[WIRE_FORMAT_COUNT];
	uint8_t *body, *output;
	size_t   body_bytes, output_max_bytes;
	size_t   output_bytes;                   /* of the last run */
	bool     nginx_assumes_large;            /* NGINX's flag; lives as long as this worker */
};

void zw_harness_run(struct zw_bench_state *state, const struct zw_wire_request *request, struct zw_wire_answer *answer_ret);
bool zw_harness_decode(struct zw_bench_state *state, enum zw_wire_format format, uint8_t *packed, size_t packed_bytes,
		       struct zw_wire_answer *answer_ret);
uint64_t zw_harness_hash(const uint8_t *data, size_t size_bytes);

#endif
