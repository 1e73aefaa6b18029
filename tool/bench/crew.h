/* SPDX-License-Identifier: Zlib */
/* crew.h - one worker for each library, with all bodies; one that fails is mended or left out, and the others go on. */
#ifndef ZW_TOOL_BENCH_CREW_H
#define ZW_TOOL_BENCH_CREW_H

#include "bench/bench.h"

struct zw_crew {
	const struct zw_bench_plan *plan;
	struct zw_bench_result *result;
	struct zw_worker workers[LIBRARY_MAX_COUNT];
	struct zw_blob *packed[WIRE_FORMAT_COUNT];   /* each body as it is given to inflate; NULL where no mode wants the format */
	int  cpu;
	bool has_trouble;                        /* some library failed at something */
};

bool zw_crew_start(struct zw_crew *crew, const struct zw_bench_plan *plan, struct zw_bench_result *result);
bool zw_crew_prepare(struct zw_crew *crew);
bool zw_crew_is_out(const struct zw_crew *crew, size_t library);
void zw_crew_mend(struct zw_crew *crew, size_t library);
bool zw_crew_choose(struct zw_crew *crew, size_t library, size_t payload);
bool zw_crew_prove(struct zw_crew *crew, size_t library, size_t payload, enum zw_wire_format format);
void zw_crew_stop(struct zw_crew *crew);

enum zw_wire_format zw_bench_format_of(const struct zw_bench_plan *plan, enum zw_bench_mode mode);

#endif
