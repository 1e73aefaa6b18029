/* SPDX-License-Identifier: Zlib */
/* worker.h - the tool's end of a worker: start it, ask it, stop it.  Every failure has been reported on return. */
#ifndef ZW_TOOL_BENCH_WORKER_H
#define ZW_TOOL_BENCH_WORKER_H

#include "bench/wire.h"
#include "common/libraries.h"
#include "common/tool.h"

struct zw_worker {
	const struct zw_library *library;
	pid_t pid;
	int   fd;
	char  version[96];                       /* what zlibVersion() says, or what is known of a native library */
	char  mapped[416];                       /* the file, from the worker's own maps */
	char  uncounted[160];                    /* why instructions are not counted; empty if they are */
	char  trouble[WIRE_TEXT_BYTES];          /* the last failure in words; empty if there was none */
};

/* One run.  time_ns 0: one response. */
struct zw_worker_job {
	enum zw_bench_mode  mode;
	enum zw_wire_format format;
	int     level;
	int64_t time_ns;
	bool    is_cold;                         /* caches are emptied before */
	struct zw_wire_shape shape;
};

bool zw_worker_start(struct zw_worker *worker, const struct zw_library *library, int cpu);
bool zw_worker_set_body(struct zw_worker *worker, size_t slot, const struct zw_blob *body);
bool zw_worker_choose(struct zw_worker *worker, size_t slot);
bool zw_worker_set_packed(struct zw_worker *worker, enum zw_wire_format format, const struct zw_blob *packed);
bool zw_worker_run(struct zw_worker *worker, const struct zw_worker_job *job, struct zw_wire_answer *answer_ret);
bool zw_worker_run_mixed(struct zw_worker *worker, const struct zw_worker_job *job, struct zw_wire_answer *answer_ret,
			 struct zw_wire_share *shares_ret, size_t slot_count);
bool zw_worker_output(struct zw_worker *worker, struct zw_blob *output_ret);
bool zw_worker_decodes(struct zw_worker *worker, enum zw_wire_format format, const struct zw_blob *packed, const char *whose);
void zw_worker_stop(struct zw_worker *worker);

#endif
