/* SPDX-License-Identifier: Zlib */
/* harness.h - the ways of calling a library, each a fresh stream from init to end. */
#ifndef ZW_TOOL_BENCH_HARNESS_H
#define ZW_TOOL_BENCH_HARNESS_H

#include "bench/library.h"
#include "bench/wire.h"

#include <stdint.h>

/* A body, the same compressed, and how much of the output buffer is for it, in either direction. */
struct zw_bench_slot {
	uint8_t *body;
	size_t   body_bytes, output_max_bytes;
	struct zw_bench_packed { uint8_t *data; size_t size_bytes; } packed[WIRE_FORMAT_COUNT];
	size_t   round_output_bytes;             /* of the last round of a mixed run, */
	int64_t  round_ns;                       /* and what it took */
};

/* What a worker holds: the library, the bodies, and room for the output of any of them. */
struct zw_bench_state {
	struct zw_libz libz;
	const struct zw_native *native;          /* called instead of libz; NULL for a libz */
	struct zw_bench_slot *slots, *slot;      /* all, and the chosen one */
	size_t   slot_count;
	uint8_t *output;
	size_t   output_room_bytes;              /* the most that a slot may have */
	size_t   output_bytes;                   /* of the last run */
	struct zw_wire_share *shares;            /* of the last mixed run, one for each slot */
	bool     nginx_assumes_large;            /* NGINX's flag; lives as long as this worker */
};

void zw_harness_run(struct zw_bench_state *state, const struct zw_wire_request *request, struct zw_wire_answer *answer_ret);
void zw_harness_run_mixed(struct zw_bench_state *state, const struct zw_wire_request *request, struct zw_wire_answer *answer_ret);
bool zw_harness_decode(struct zw_bench_state *state, enum zw_wire_format format, uint8_t *packed, size_t packed_bytes,
		       struct zw_wire_answer *answer_ret);
uint64_t zw_harness_hash(const uint8_t *data, size_t size_bytes);

#endif
