/* SPDX-License-Identifier: Zlib */
/* worker_main.c - zwire-bench-worker API FILE: runs one library for the tool, which talks to it over standard input.
 * A program of its own, since the tool is linked with libcurl and so has the system's libz in its process. */
#include "bench/counters.h"
#include "bench/harness.h"

#include <errno.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SOCKET_FD 0
#define OUTPUT_SLACK_BYTES (64u * 1024)
#define HEAP_KEPT_BYTES (256 * 1024 * 1024)
#define HEAP_PIECE_MAX_BYTES (32 * 1024 * 1024)   /* the most that M_MMAP_THRESHOLD takes */

static bool receive(void *data, size_t size_bytes)
{
	uint8_t *next = data;

	while (size_bytes) {
		ssize_t n = read(SOCKET_FD, next, size_bytes);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		next += n;
		size_bytes -= (size_t)n;
	}
	return true;
}

static bool deliver(const void *data, size_t size_bytes)
{
	const uint8_t *next = data;

	while (size_bytes) {
		ssize_t n = write(SOCKET_FD, next, size_bytes);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		next += n;
		size_bytes -= (size_t)n;
	}
	return true;
}

/* The chosen slot, which is made, with all before it, if it is new. */
static bool choose_slot(struct zw_bench_state *state, size_t slot)
{
	if (slot >= state->slot_count) {
		struct zw_bench_slot *slots = realloc(state->slots, (slot + 1) * sizeof *slots);
		struct zw_wire_share *shares = realloc(state->shares, (slot + 1) * sizeof *shares);

		state->slots = slots ? slots : state->slots;
		state->shares = shares ? shares : state->shares;
		if (!slots || !shares)
			return false;
		memset(slots + state->slot_count, 0, (slot + 1 - state->slot_count) * sizeof *slots);
		state->slot_count = slot + 1;
	}
	state->slot = &state->slots[slot];
	return true;
}

/* A new body: the output has room for it and for any expansion that is not a defect. */
static bool take_body(struct zw_bench_state *state, size_t slot, uint8_t *data, size_t size_bytes)
{
	if (!choose_slot(state, slot))
		return false;
	free(state->slot->body);
	state->slot->body = data;
	state->slot->body_bytes = size_bytes;
	state->slot->output_max_bytes = size_bytes + size_bytes / 8 + OUTPUT_SLACK_BYTES;
	if (state->slot->output_max_bytes > state->output_room_bytes) {
		free(state->output);
		state->output_bytes = 0;
		state->output_room_bytes = state->slot->output_max_bytes;
		state->output = calloc(1, state->output_room_bytes);
	}
	return state->output != NULL;
}

static void take_packed(struct zw_bench_state *state, uint32_t format, uint8_t *data, size_t size_bytes)
{
	free(state->slot->packed[format].data);
	state->slot->packed[format] = (struct zw_bench_packed){ data, size_bytes };
}

static bool load(struct zw_bench_state *state, const char *api, const char *path, char *text_ret, size_t text_bytes)
{
	if (strcmp(api, "zlib") == 0)
		return zw_libz_load(path, &state->libz, text_ret, text_bytes);
	state->native = zw_native_find(api, text_ret, text_bytes);
	return state->native && zw_native_load(path, state->native, text_ret, text_bytes);
}

/* Does what is asked; owns data.  False if there is no memory to go on with. */
static bool serve(struct zw_bench_state *state, const struct zw_wire_request *request, uint8_t *data,
		  struct zw_wire_answer *answer)
{
	switch ((enum zw_wire_call)request->call) {
	case ZW_CALL_HELLO:
		break;
	case ZW_CALL_BODY:
		return take_body(state, request->slot, data, request->body_bytes);
	case ZW_CALL_CHOOSE:
		return choose_slot(state, request->slot);
	case ZW_CALL_PACKED:
		take_packed(state, request->format, data, request->body_bytes);
		return true;
	case ZW_CALL_RUN:
		zw_harness_run(state, request, answer);
		break;
	case ZW_CALL_RUN_MIXED:
		zw_harness_run_mixed(state, request, answer);
		answer->body_bytes = answer->failed ? 0 : state->slot_count * sizeof *state->shares;
		break;
	case ZW_CALL_OUTPUT:
		answer->body_bytes = state->output_bytes;
		break;
	case ZW_CALL_DECODE:
		zw_harness_decode(state, (enum zw_wire_format)request->format, data, request->body_bytes, answer);
		break;
	}
	free(data);
	return true;
}

/* What a stream has freed stays in the process, as in a server whose heap has other things above it.  Left to itself malloc()
 * gives it back after each stream or not, by where it happened to lie, and the page faults halve the speed on small bodies. M11. */
static void keep_freed_memory(void)
{
	mallopt(M_TRIM_THRESHOLD, HEAP_KEPT_BYTES);
	mallopt(M_MMAP_THRESHOLD, HEAP_PIECE_MAX_BYTES);
}

int main(int argc, char **argv)
{
	struct zw_bench_state state;
	struct zw_wire_request request;
	char hello[WIRE_TEXT_BYTES];
	bool loaded;

	if (argc != 3) {
		fputs("zwire-bench-worker is started by zwire bench and zwire lab, not by hand\n", stderr);
		return 2;
	}
	keep_freed_memory();
	memset(&state, 0, sizeof state);
	loaded = load(&state, argv[1], argv[2], hello, sizeof hello);
	if (loaded) {
		size_t used = strlen(hello);

		hello[used] = '\n';
		zw_instructions_open(hello + used + 1, sizeof hello - used - 1);
	}
	while (receive(&request, sizeof request)) {
		struct zw_wire_answer answer;
		uint8_t *data = NULL;

		memset(&answer, 0, sizeof answer);
		if (request.body_bytes) {
			data = malloc(request.body_bytes);
			if (!data || !receive(data, request.body_bytes))
				return 3;
		}
		if (request.call == ZW_CALL_HELLO) {
			answer.failed = !loaded;
			memcpy(answer.text, hello, sizeof hello);
		}
		if (request.call != ZW_CALL_HELLO && (!loaded || (!state.slot && request.call != ZW_CALL_BODY)))
			return 3;
		if (!serve(&state, &request, data, &answer))
			return 3;
		const void *more = request.call == ZW_CALL_RUN_MIXED ? (const void *)state.shares : state.output;

		if (!deliver(&answer, sizeof answer) || !deliver(more, answer.body_bytes))
			return 3;
	}
	return 0;
}
