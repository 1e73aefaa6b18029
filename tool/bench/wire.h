/* SPDX-License-Identifier: Zlib */
/* wire.h - what the tool and a library's worker say to each other over one socket.
 * A request is its struct and then body_bytes of data; the answer likewise.  One is answered before the next is sent.
 * Both ends come from one build, so structs travel as they are. */
#ifndef ZW_TOOL_BENCH_WIRE_H
#define ZW_TOOL_BENCH_WIRE_H

#include <stdint.h>

#define WIRE_TEXT_BYTES 768

enum zw_bench_mode {
	ZW_MODE_DEFLATE_ONE,                     /* whole body in one deflate(Z_FINISH) */
	ZW_MODE_DEFLATE_32K,                     /* 32 KB pieces, Z_FINISH on the last */
	ZW_MODE_DEFLATE_8K,
	ZW_MODE_DEFLATE_NGINX,                   /* 32 KB in, 4 KB out, window and memory by Content-Length */
	ZW_MODE_INFLATE_ONE,
	ZW_MODE_INFLATE_NGINX                    /* 32 KB in, 4 KB out */
};

/* What is around the deflate stream.  NGINX's modes and pieces are always gzip. */
enum zw_wire_format { ZW_FORMAT_GZIP, ZW_FORMAT_ZLIB, ZW_FORMAT_RAW };

#define WIRE_FORMAT_COUNT 3

enum zw_wire_call {
	ZW_CALL_HELLO,                           /* text: the version, a newline, the file that is mapped; in another line why
						  * instructions are not counted, empty where they are */
	ZW_CALL_BODY,                            /* data: the body to compress, kept in this slot, which is then the chosen one */
	ZW_CALL_CHOOSE,                          /* the slot that all other calls, but the mixed run, are about */
	ZW_CALL_PACKED,                          /* data: the body compressed, in this format, for the inflate modes */
	ZW_CALL_RUN,                             /* mode, level, time_ns: repeats a fresh stream for that long */
	ZW_CALL_RUN_MIXED,                       /* the same, but all slots' bodies in turns; data: a struct zw_wire_share for each */
	ZW_CALL_OUTPUT,                          /* answers with the last run's output as data */
	ZW_CALL_DECODE                           /* data: what must decode to the body, in this format */
};

/* What a caller may set that is otherwise the harness's own; 0: the harness's. */
struct zw_wire_shape {
	uint32_t in_bytes, out_bytes;            /* of a piece of input, of an output buffer; not where all is one call */
	int32_t  window_log2, mem_level;         /* of deflate; NGINX's mode then has the budget for these */
};

#define WIRE_NGINX_AGE_COUNT 4

struct zw_wire_request {
	uint32_t call;                           /* enum zw_wire_call */
	uint32_t mode;                           /* enum zw_bench_mode */
	int32_t  level;
	uint32_t format;                         /* enum zw_wire_format */
	int64_t  time_ns;
	uint64_t body_bytes;
	uint32_t slot;
	uint32_t is_cold;                        /* the CPU's caches are emptied before the run */
	struct zw_wire_shape shape;
};

struct zw_wire_answer {
	uint32_t failed;                         /* then text says why */
	uint32_t reserved;
	uint64_t iteration_count;
	int64_t  used_ns, cpu_ns;                /* by the clock on the wall, and of the worker's own CPU time */
	uint64_t output_bytes;                   /* of each iteration; the same for all, or it is a failure */
	uint64_t output_hash;
	uint64_t asked_bytes;                    /* NGINX modes: the sum of what one stream asked zalloc for */
	uint64_t budget_bytes;                   /* deflate, NGINX mode: what NGINX had prepared at first */
	uint64_t alert_count;                    /* deflate, NGINX mode: what error.log would have got, all iterations */
	uint64_t fault_count;                    /* page faults while it ran */
	uint64_t instruction_count;              /* in user mode, of one response; 0 where they cannot be counted */
	int64_t  peak_kb;                        /* resident memory at its highest during the run */
	uint8_t  verdicts[WIRE_NGINX_AGE_COUNT]; /* deflate, NGINX mode: enum zw_nginx_verdict for each generation */
	uint32_t verdict_count;                  /* 0 in other modes */
	uint64_t body_bytes;
	char     text[WIRE_TEXT_BYTES];
};

/* One slot's part of a mixed run; what all slots have in common is in the answer. */
struct zw_wire_share {
	uint64_t output_hash, alert_count;
	double   cpu_ns;                         /* of all its streams: its time by the clock on the wall, less what the process did not have */
};

#endif
