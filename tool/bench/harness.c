/* SPDX-License-Identifier: Zlib */
/* harness.c - compresses or decompresses one body again and again, or all bodies in turns, the way one kind of caller would.
 * Takes: the bodies, a mode, a level, a time.  Gives: iterations, nanoseconds, and the last output or its hash.
 * Never: looks at the output inside the timed part, or keeps a stream from one iteration to the next. */
#include "bench/counters.h"
#include "bench/harness.h"
#include "bench/nginx_shape.h"
#include "common/memory.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define SMALL_IN_BYTES (8u * 1024)

static const int window_bits[WIRE_FORMAT_COUNT] = {
	[ZW_FORMAT_GZIP] = NGINX_WINDOW_LOG2 + NGINX_GZIP_FORMAT,
	[ZW_FORMAT_ZLIB] = NGINX_WINDOW_LOG2,
	[ZW_FORMAT_RAW]  = -NGINX_WINDOW_LOG2
};

/* One iteration's numbers beside the output's size. */
struct pass { size_t output_bytes, asked_bytes, budget_bytes; unsigned alert_count; struct zw_nginx_memory memory; };

static int64_t clock_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static bool fail(struct zw_wire_answer *answer, const char *call, int code, const z_stream *stream)
{
	answer->failed = 1;
	snprintf(answer->text, sizeof answer->text, "%s returned %d%s%.200s", call, code, stream->msg ? ": " : "",
		 stream->msg ? stream->msg : "");
	return false;
}

/* Feeds input in pieces of in_bytes and takes the output in pieces of out_bytes, as NGINX's filters loop.  Returns the
 * last code: Z_STREAM_END, an error, or Z_BUF_ERROR once two calls in a row have moved nothing. */
static int run_pieces(int (*call)(z_streamp, int), z_stream *stream, const uint8_t *input, size_t input_bytes,
		      struct zw_bench_state *state, size_t in_bytes, size_t out_bytes)
{
	size_t taken_bytes = 0, given_bytes = 0;
	int flush = Z_NO_FLUSH, code = Z_OK;
	unsigned idle_count = 0;

	while ((code == Z_OK || code == Z_BUF_ERROR) && idle_count < 2) {
		if (!stream->avail_in && flush != Z_FINISH) {
			size_t left_bytes = input_bytes - taken_bytes;
			size_t piece_bytes = left_bytes < in_bytes ? left_bytes : in_bytes;

			stream->next_in = (z_const Bytef *)(uintptr_t)(input + taken_bytes);
			stream->avail_in = (uInt)piece_bytes;
			taken_bytes += piece_bytes;
			flush = taken_bytes == input_bytes ? Z_FINISH : Z_NO_FLUSH;
		}
		if (!stream->avail_out) {
			size_t room_bytes = state->slot->output_max_bytes - given_bytes;

			if (!room_bytes)
				return Z_BUF_ERROR;
			stream->next_out = state->output + given_bytes;
			stream->avail_out = (uInt)(room_bytes < out_bytes ? room_bytes : out_bytes);
			given_bytes += stream->avail_out;
		}
		uInt before_in = stream->avail_in, before_out = stream->avail_out;

		code = call(stream, flush);
		idle_count = before_in == stream->avail_in && before_out == stream->avail_out ? idle_count + 1 : 0;
	}
	return idle_count < 2 ? code : Z_BUF_ERROR;
}

static size_t or_else(uint32_t value, size_t other)
{
	return value ? value : other;
}

/* Window and memLevel as NGINX would choose them, or as they were given. */
static struct zw_nginx_plan plan_of(const struct zw_bench_state *state, const struct zw_wire_request *request, enum zw_nginx_age age)
{
	struct zw_nginx_plan plan = zw_nginx_plan((int64_t)state->slot->body_bytes, request->level, age);
	const struct zw_wire_shape *shape = &request->shape;

	if (!shape->window_log2 && !shape->mem_level)
		return plan;
	return zw_nginx_plan_for(shape->window_log2 ? shape->window_log2 : plan.window_log2,
				 shape->mem_level ? shape->mem_level : plan.mem_level, request->level, age);
}

/* windowBits for a format; 0 for window_log2 is the usual window. */
static int window_bits_of(enum zw_wire_format format, int window_log2)
{
	if (!window_log2)
		return window_bits[format];
	return format == ZW_FORMAT_RAW ? -window_log2 : format == ZW_FORMAT_ZLIB ? window_log2 : window_log2 + NGINX_GZIP_FORMAT;
}

static bool deflate_pass(struct zw_bench_state *state, const struct zw_wire_request *request, struct pass *pass_ret,
			 struct zw_wire_answer *answer)
{
	const struct zw_libz *libz = &state->libz;
	bool is_nginx = request->mode == ZW_MODE_DEFLATE_NGINX;
	bool is_one_call = request->mode == ZW_MODE_DEFLATE_ONE;
	size_t in_bytes = is_one_call ? state->slot->body_bytes :
			  request->mode == ZW_MODE_DEFLATE_8K ? SMALL_IN_BYTES : or_else(request->shape.in_bytes, NGINX_IN_BYTES);
	size_t out_bytes = is_one_call ? state->slot->output_max_bytes :
			   or_else(request->shape.out_bytes, is_nginx ? NGINX_OUT_BYTES : state->slot->output_max_bytes);
	struct zw_nginx_plan plan = { NGINX_WINDOW_LOG2, NGINX_MEM_LEVEL, 0, 0 };
	struct zw_nginx_memory *memory = &pass_ret->memory;
	z_stream stream;
	int code, end_code;

	memset(&stream, 0, sizeof stream);
	if (is_nginx) {
		plan = plan_of(state, request, ZW_NGINX_1_22);
		if (!zw_nginx_memory_begin(memory, &plan, &state->nginx_assumes_large))
			return fail(answer, "malloc", 0, &stream);
		stream.zalloc = zw_nginx_memory_ask;
		stream.zfree = zw_nginx_memory_return;
		stream.opaque = memory;
	} else if (request->shape.mem_level) {
		plan.mem_level = request->shape.mem_level;
	}
	code = libz->deflate_init(&stream, request->level, Z_DEFLATED,
				  is_nginx ? plan.window_log2 + NGINX_GZIP_FORMAT :
					     window_bits_of((enum zw_wire_format)request->format, request->shape.window_log2),
				  plan.mem_level, Z_DEFAULT_STRATEGY, ZLIB_VERSION, (int)sizeof stream);
	if (code == Z_OK) {
		code = run_pieces(libz->deflate, &stream, state->slot->body, state->slot->body_bytes, state, in_bytes, out_bytes);
		end_code = libz->deflate_end(&stream);
		if (code == Z_STREAM_END && end_code != Z_OK)
			code = end_code;
	} else {
		code = code ? code : Z_STREAM_ERROR;
	}
	if (is_nginx) {
		pass_ret->asked_bytes = memory->asked_bytes;
		pass_ret->budget_bytes = plan.plain_budget_bytes;
		pass_ret->alert_count = memory->alert_count;
		zw_nginx_memory_end(memory);
	}
	pass_ret->output_bytes = stream.total_out;
	return code == Z_STREAM_END ? true : fail(answer, "deflate", code, &stream);
}

static bool inflate_pass(struct zw_bench_state *state, const struct zw_wire_request *request, struct pass *pass_ret,
			 struct zw_wire_answer *answer)
{
	const struct zw_libz *libz = &state->libz;
	const struct zw_bench_packed *packed = &state->slot->packed[request->format];
	bool is_nginx = request->mode == ZW_MODE_INFLATE_NGINX;
	static const struct zw_nginx_plan no_block = { NGINX_WINDOW_LOG2, NGINX_MEM_LEVEL, 1, 1 };
	struct zw_nginx_memory *memory = &pass_ret->memory;
	z_stream stream;
	int code, end_code;

	memset(&stream, 0, sizeof stream);
	if (is_nginx) {
		if (!zw_nginx_memory_begin(memory, &no_block, &state->nginx_assumes_large))
			return fail(answer, "malloc", 0, &stream);
		stream.zalloc = zw_nginx_pool_ask;
		stream.zfree = zw_nginx_memory_return;
		stream.opaque = memory;
	}
	code = libz->inflate_init(&stream, window_bits[request->format], ZLIB_VERSION, (int)sizeof stream);
	if (code == Z_OK) {
		code = run_pieces(libz->inflate, &stream, packed->data, packed->size_bytes, state,
				  is_nginx ? or_else(request->shape.in_bytes, NGINX_IN_BYTES) : packed->size_bytes,
				  is_nginx ? or_else(request->shape.out_bytes, NGINX_OUT_BYTES) : state->slot->output_max_bytes);
		end_code = libz->inflate_end(&stream);
		if (code == Z_STREAM_END && end_code != Z_OK)
			code = end_code;
	}
	if (is_nginx) {
		pass_ret->asked_bytes = memory->asked_bytes;
		zw_nginx_memory_end(memory);
	}
	pass_ret->output_bytes = stream.total_out;
	return code == Z_STREAM_END ? true : fail(answer, "inflate", code, &stream);
}

static bool is_inflate(uint32_t mode)
{
	return mode == ZW_MODE_INFLATE_ONE || mode == ZW_MODE_INFLATE_NGINX;
}

static bool native_pass(struct zw_bench_state *state, const struct zw_wire_request *request, struct pass *pass_ret,
			struct zw_wire_answer *answer)
{
	enum zw_wire_format format = (enum zw_wire_format)request->format;
	const struct zw_bench_packed *packed = &state->slot->packed[format];

	if (request->mode == ZW_MODE_DEFLATE_ONE)
		pass_ret->output_bytes = state->native->pack(request->level, format, state->slot->body, state->slot->body_bytes, state->output,
							     state->slot->output_max_bytes);
	else if (request->mode == ZW_MODE_INFLATE_ONE)
		pass_ret->output_bytes = state->native->unpack(format, packed->data, packed->size_bytes, state->output,
							       state->slot->output_max_bytes);
	if (pass_ret->output_bytes)
		return true;
	answer->failed = 1;
	snprintf(answer->text, sizeof answer->text, "%s failed",
		 request->mode == ZW_MODE_DEFLATE_ONE ? "compression" : "decompression");
	return false;
}

/* FNV-1a, 64 bits: tells one output from another, nothing more. */
uint64_t zw_harness_hash(const uint8_t *data, size_t size_bytes)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < size_bytes; i++)
		hash = (hash ^ data[i]) * UINT64_C(0x100000001b3);
	return hash;
}

static void compare_with_body(const struct zw_bench_state *state, struct zw_wire_answer *answer)
{
	if (state->output_bytes == state->slot->body_bytes && memcmp(state->output, state->slot->body, state->slot->body_bytes) == 0)
		return;
	answer->failed = 1;
	snprintf(answer->text, sizeof answer->text, "inflate gave %zu bytes that are not the body of %zu", state->output_bytes,
		 state->slot->body_bytes);
}

typedef bool (*pass_call)(struct zw_bench_state *, const struct zw_wire_request *, struct pass *, struct zw_wire_answer *);

static pass_call pass_of(const struct zw_bench_state *state, const struct zw_wire_request *request)
{
	return state->native ? native_pass : is_inflate(request->mode) ? inflate_pass : deflate_pass;
}

static bool fail_sizes(struct zw_wire_answer *answer, size_t before_bytes, size_t now_bytes)
{
	answer->failed = 1;
	snprintf(answer->text, sizeof answer->text, "one call gave %zu bytes, the next %zu", before_bytes, now_bytes);
	return false;
}

/* What the library asked for, as each generation of NGINX would have met it. */
static void judge_memory(const struct zw_bench_state *state, const struct zw_wire_request *request, const struct pass *pass,
			 struct zw_wire_answer *answer)
{
	static_assert(WIRE_NGINX_AGE_COUNT == NGINX_AGE_COUNT, "one verdict for each generation");
	if (request->mode != ZW_MODE_DEFLATE_NGINX || state->native)
		return;
	for (int age = 0; age < NGINX_AGE_COUNT; age++) {
		struct zw_nginx_plan plan = plan_of(state, request, (enum zw_nginx_age)age);

		answer->verdicts[age] = (uint8_t)zw_nginx_judge(&pass->memory, &plan);
	}
	answer->verdict_count = NGINX_AGE_COUNT;
}

/* Once more, untimed, where instructions are counted at all. */
static void count_instructions(struct zw_bench_state *state, const struct zw_wire_request *request, struct zw_wire_answer *answer)
{
	uint64_t before = zw_instructions_read();
	struct pass pass = { .output_bytes = 0 };

	if (before && pass_of(state, request)(state, request, &pass, answer))
		answer->instruction_count = zw_instructions_read() - before;
}

/* Repeats the mode with the chosen body until time_ns have passed, at least once. */
void zw_harness_run(struct zw_bench_state *state, const struct zw_wire_request *request, struct zw_wire_answer *answer_ret)
{
	pass_call run = pass_of(state, request);
	struct pass pass = { .output_bytes = 0 };
	int64_t start_cpu_ns, start_ns;
	uint64_t start_faults;

	state->output_bytes = 0;
	if (request->is_cold)
		zw_caches_empty();
	zw_peak_forget(getpid());
	start_faults = zw_faults_count();
	start_cpu_ns = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
	start_ns = clock_ns(CLOCK_MONOTONIC);
	do {
		if (!run(state, request, &pass, answer_ret))
			return;
		if (answer_ret->iteration_count && pass.output_bytes != state->output_bytes) {
			fail_sizes(answer_ret, state->output_bytes, pass.output_bytes);
			return;
		}
		state->output_bytes = pass.output_bytes;
		answer_ret->alert_count += pass.alert_count;
		answer_ret->iteration_count++;
		answer_ret->used_ns = clock_ns(CLOCK_MONOTONIC) - start_ns;
	} while (answer_ret->used_ns < request->time_ns);
	answer_ret->cpu_ns = clock_ns(CLOCK_PROCESS_CPUTIME_ID) - start_cpu_ns;
	answer_ret->fault_count = zw_faults_count() - start_faults;
	answer_ret->peak_kb = zw_peak_kb(getpid());
	answer_ret->output_bytes = state->output_bytes;
	answer_ret->output_hash = zw_harness_hash(state->output, state->output_bytes);
	answer_ret->asked_bytes = pass.asked_bytes;
	answer_ret->budget_bytes = pass.budget_bytes;
	judge_memory(state, request, &pass, answer_ret);
	if (request->call == ZW_CALL_RUN && request->time_ns)
		count_instructions(state, request, answer_ret);
	if (is_inflate(request->mode))
		compare_with_body(state, answer_ret);
}

/* ---- bodies in turns --------------------------------------------------------------------------------------------- */

#define CLOCK_PROBE_COUNT 1000u

/* What two readings of the clock with nothing between them are apart. */
static int64_t clock_cost_ns(void)
{
	int64_t least_ns = INT64_MAX;

	for (unsigned i = 0; i < CLOCK_PROBE_COUNT; i++) {
		int64_t start_ns = clock_ns(CLOCK_MONOTONIC), cost_ns = clock_ns(CLOCK_MONOTONIC) - start_ns;

		least_ns = cost_ns < least_ns ? cost_ns : least_ns;
	}
	return least_ns;
}

/* Each body once.  Its time is taken by the clock on the wall, which costs 25 ns where the clock of the process needs the kernel;
 * of a round's times each loses the same part if the process did not have the CPU all the time. */
static bool run_round(struct zw_bench_state *state, const struct zw_wire_request *request, int64_t clock_cost,
		      struct zw_wire_answer *answer)
{
	int64_t start_cpu_ns = clock_ns(CLOCK_PROCESS_CPUTIME_ID), start_ns = clock_ns(CLOCK_MONOTONIC), used_ns, cpu_ns;
	pass_call run = pass_of(state, request);
	double had_part;

	for (size_t i = 0; i < state->slot_count; i++) {
		struct pass pass = { .output_bytes = 0 };
		int64_t body_start_ns;
		bool done;

		state->slot = &state->slots[i];
		body_start_ns = clock_ns(CLOCK_MONOTONIC);
		done = run(state, request, &pass, answer);
		state->slot->round_ns = clock_ns(CLOCK_MONOTONIC) - body_start_ns - clock_cost;
		if (!done)
			return false;
		if (answer->iteration_count && pass.output_bytes != state->slot->round_output_bytes)
			return fail_sizes(answer, state->slot->round_output_bytes, pass.output_bytes);
		state->slot->round_output_bytes = pass.output_bytes;
		state->shares[i].alert_count += pass.alert_count;
	}
	used_ns = clock_ns(CLOCK_MONOTONIC) - start_ns;
	cpu_ns = clock_ns(CLOCK_PROCESS_CPUTIME_ID) - start_cpu_ns;
	had_part = cpu_ns < used_ns ? (double)cpu_ns / (double)used_ns : 1;
	for (size_t i = 0; i < state->slot_count; i++)
		state->shares[i].cpu_ns += (double)state->slots[i].round_ns * had_part;
	answer->used_ns += used_ns;
	answer->cpu_ns += cpu_ns;
	answer->iteration_count++;
	return true;
}

/* All bodies once more, untimed, to look at what comes out. */
static bool look_at_outputs(struct zw_bench_state *state, const struct zw_wire_request *request, struct zw_wire_answer *answer)
{
	pass_call run = pass_of(state, request);

	for (size_t i = 0; i < state->slot_count && !answer->failed; i++) {
		struct pass pass = { .output_bytes = 0 };

		state->slot = &state->slots[i];
		if (!run(state, request, &pass, answer))
			return false;
		if (pass.output_bytes != state->slot->round_output_bytes)
			return fail_sizes(answer, state->slot->round_output_bytes, pass.output_bytes);
		state->output_bytes = pass.output_bytes;
		state->shares[i].output_hash = zw_harness_hash(state->output, state->output_bytes);
		if (is_inflate(request->mode))
			compare_with_body(state, answer);
	}
	return !answer->failed;
}

/* Repeats the mode with all bodies, one after the other, until time_ns have passed, at least once.  state->shares tells of each. */
void zw_harness_run_mixed(struct zw_bench_state *state, const struct zw_wire_request *request, struct zw_wire_answer *answer_ret)
{
	int64_t clock_cost = clock_cost_ns();
	uint64_t start_faults = zw_faults_count();

	memset(state->shares, 0, state->slot_count * sizeof *state->shares);
	do {
		if (!run_round(state, request, clock_cost, answer_ret))
			return;
	} while (answer_ret->used_ns < request->time_ns);
	answer_ret->fault_count = zw_faults_count() - start_faults;
	look_at_outputs(state, request, answer_ret);
}

/* Decodes another library's output and compares it with the body.  The state's own output is gone afterwards. */
bool zw_harness_decode(struct zw_bench_state *state, enum zw_wire_format format, uint8_t *packed, size_t packed_bytes,
		       struct zw_wire_answer *answer_ret)
{
	struct zw_wire_request request = { .call = ZW_CALL_RUN, .mode = ZW_MODE_INFLATE_ONE, .format = format };
	struct zw_bench_packed kept = state->slot->packed[format];

	state->slot->packed[format] = (struct zw_bench_packed){ packed, packed_bytes };
	zw_harness_run(state, &request, answer_ret);
	state->slot->packed[format] = kept;
	return !answer_ret->failed;
}
