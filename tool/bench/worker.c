/* SPDX-License-Identifier: Zlib */
/* worker.c - starts a library's worker and asks it over a socket. */
#include "bench/worker.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define STOP_PATIENCE_MS 2000
#define LOST_PATIENCE_MS 2000

/* Where the worker's program may lie, seen from the tool. */
static const char *const worker_places[] = { "zwire-bench-worker", "../" ZWIRE_LIBEXECDIR "/zwire/zwire-bench-worker" };

static bool move_bytes(int fd, void *data, size_t size_bytes, bool is_send)
{
	uint8_t *next = data;

	while (size_bytes) {
		ssize_t n = is_send ? send(fd, next, size_bytes, MSG_NOSIGNAL) : recv(fd, next, size_bytes, 0);

		if (n < 0 && errno == EINTR && !zw_interrupted())
			continue;
		if (n <= 0)
			return false;
		next += n;
		size_bytes -= (size_t)n;
	}
	return true;
}

/* The worker is gone; how it ended is said. */
static bool lose(struct zw_worker *worker)
{
	int status = 0;

	if (zw_interrupted())
		return false;
	zw_process_wait(worker->pid, LOST_PATIENCE_MS, &status);
	if (WIFSIGNALED(status))
		snprintf(worker->trouble, sizeof worker->trouble, "it crashed: signal %d (%s)", WTERMSIG(status), strsignal(WTERMSIG(status)));
	else
		snprintf(worker->trouble, sizeof worker->trouble, "its worker ended, exit code %d", WEXITSTATUS(status));
	zw_tool_error("%s (%s): %s", worker->library->name, worker->library->path, worker->trouble);
	worker->pid = 0;
	return false;
}

/* One question and its answer; false, after a message, if there was none or it says that the work failed. */
static bool ask(struct zw_worker *worker, struct zw_wire_request *request, const void *data, struct zw_wire_answer *answer_ret)
{
	if (!move_bytes(worker->fd, request, sizeof *request, true) ||
	    !move_bytes(worker->fd, (void *)(uintptr_t)data, request->body_bytes, true) ||
	    !move_bytes(worker->fd, answer_ret, sizeof *answer_ret, false))
		return lose(worker);
	answer_ret->text[WIRE_TEXT_BYTES - 1] = 0;
	if (!answer_ret->failed)
		return true;
	memcpy(worker->trouble, answer_ret->text, sizeof worker->trouble);
	zw_tool_error("%s (%s): %s", worker->library->name, worker->library->path, answer_ret->text);
	return false;
}

static char *find_worker(void)
{
	char *dir = zw_tool_directory();
	char *found = NULL;

	for (size_t i = 0; i < sizeof worker_places / sizeof worker_places[0] && !found; i++) {
		found = zw_tool_format("%s/%s", dir, worker_places[i]);
		if (access(found, X_OK) != 0) {
			free(found);
			found = NULL;
		}
	}
	if (!found)
		zw_tool_error("zwire-bench-worker is not beside %s/zwire; build or install zwire again", dir);
	free(dir);
	return found;
}

static bool greet(struct zw_worker *worker)
{
	struct zw_wire_request request = { .call = ZW_CALL_HELLO };
	struct zw_wire_answer answer;
	char *newline, *third;

	if (!ask(worker, &request, NULL, &answer))
		return false;
	newline = strchr(answer.text, '\n');
	if (!newline)
		return lose(worker);
	*newline = 0;
	third = strchr(newline + 1, '\n');
	if (third) {
		*third = 0;
		snprintf(worker->uncounted, sizeof worker->uncounted, "%.159s", third + 1);
	}
	snprintf(worker->version, sizeof worker->version, "%.95s", answer.text);
	snprintf(worker->mapped, sizeof worker->mapped, "%.415s", newline + 1);
	return true;
}

bool zw_worker_start(struct zw_worker *worker, const struct zw_library *library, int cpu)
{
	char *program = find_worker();
	int pair[2];

	memset(worker, 0, sizeof *worker);
	worker->library = library;
	worker->fd = -1;
	if (!program)
		return false;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) {
		zw_tool_error("cannot make a socket pair: %s", strerror(errno));
		free(program);
		return false;
	}
	const char *const argv[] = { program, zw_library_apis[library->api].name, library->path, NULL };
	struct zw_launch launch = { .argv = argv, .in_fd = pair[1], .out_fd = -1, .error_fd = -1, .cpu = cpu };

	worker->pid = zw_process_start(&launch);
	worker->fd = pair[0];
	close(pair[1]);
	free(program);
	if (worker->pid > 0 && greet(worker))
		return true;
	zw_worker_stop(worker);
	return false;
}

static bool give(struct zw_worker *worker, enum zw_wire_call call, size_t slot, enum zw_wire_format format, const struct zw_blob *blob)
{
	struct zw_wire_request request = { .call = call, .format = format, .slot = (uint32_t)slot, .body_bytes = blob->size_bytes };
	struct zw_wire_answer answer;

	return ask(worker, &request, blob->data, &answer);
}

/* The body is then the chosen one. */
bool zw_worker_set_body(struct zw_worker *worker, size_t slot, const struct zw_blob *body)
{
	return give(worker, ZW_CALL_BODY, slot, ZW_FORMAT_GZIP, body);
}

bool zw_worker_choose(struct zw_worker *worker, size_t slot)
{
	struct zw_wire_request request = { .call = ZW_CALL_CHOOSE, .slot = (uint32_t)slot };
	struct zw_wire_answer answer;

	return ask(worker, &request, NULL, &answer);
}

bool zw_worker_set_packed(struct zw_worker *worker, enum zw_wire_format format, const struct zw_blob *packed)
{
	return give(worker, ZW_CALL_PACKED, 0, format, packed);
}

static struct zw_wire_request request_of(enum zw_wire_call call, const struct zw_worker_job *job)
{
	return (struct zw_wire_request){ .call = call, .mode = job->mode, .format = job->format, .level = job->level,
					 .time_ns = job->time_ns, .is_cold = job->is_cold, .shape = job->shape };
}

bool zw_worker_run(struct zw_worker *worker, const struct zw_worker_job *job, struct zw_wire_answer *answer_ret)
{
	struct zw_wire_request request = request_of(ZW_CALL_RUN, job);

	return ask(worker, &request, NULL, answer_ret);
}

/* All slots' bodies in turns; shares_ret has slot_count entries. */
bool zw_worker_run_mixed(struct zw_worker *worker, const struct zw_worker_job *job, struct zw_wire_answer *answer_ret,
			 struct zw_wire_share *shares_ret, size_t slot_count)
{
	struct zw_wire_request request = request_of(ZW_CALL_RUN_MIXED, job);

	if (!ask(worker, &request, NULL, answer_ret))
		return false;
	if (answer_ret->body_bytes != slot_count * sizeof *shares_ret ||
	    !move_bytes(worker->fd, shares_ret, slot_count * sizeof *shares_ret, false))
		return lose(worker);
	return true;
}

/* The last run's output; output_ret->data is to be freed. */
bool zw_worker_output(struct zw_worker *worker, struct zw_blob *output_ret)
{
	struct zw_wire_request request = { .call = ZW_CALL_OUTPUT };
	struct zw_wire_answer answer;

	if (!ask(worker, &request, NULL, &answer))
		return false;
	output_ret->size_bytes = answer.body_bytes;
	output_ret->data = zw_tool_alloc(answer.body_bytes);
	if (move_bytes(worker->fd, output_ret->data, answer.body_bytes, false))
		return true;
	free(output_ret->data);
	return lose(worker);
}

/* True if the worker decodes packed to the chosen body. */
bool zw_worker_decodes(struct zw_worker *worker, enum zw_wire_format format, const struct zw_blob *packed, const char *whose)
{
	if (give(worker, ZW_CALL_DECODE, 0, format, packed))
		return true;
	if (!zw_interrupted())
		zw_tool_error("%s could not decode what %s wrote", worker->library->name, whose);
	return false;
}

void zw_worker_stop(struct zw_worker *worker)
{
	if (worker->fd >= 0)
		close(worker->fd);
	zw_process_stop(worker->pid, SIGTERM, STOP_PATIENCE_MS);
	worker->fd = -1;
	worker->pid = 0;
}
