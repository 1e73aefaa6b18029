/* SPDX-License-Identifier: Zlib */
/* slow.c - many clients at once that ask and do not read: what a worker keeps for each of them shows as memory. */
#include "lab/lab.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define CLIENT_MAX_COUNT 200                 /* below worker_connections */
#define RECEIVE_BYTES   4096                 /* asked of the kernel, so that little lies between worker and client */
#define SETTLE_STEP_MS    50
#define SETTLE_STEPS_MAX  60

static int ask_and_wait(unsigned port, const char *request)
{
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons((uint16_t)port),
				       .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	int receive_bytes = RECEIVE_BYTES;
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	ssize_t length = (ssize_t)strlen(request);

	if (fd < 0)
		return -1;
	setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &receive_bytes, sizeof receive_bytes);
	if (connect(fd, (struct sockaddr *)&address, sizeof address) == 0 && send(fd, request, (size_t)length, MSG_NOSIGNAL) == length)
		return fd;
	close(fd);
	return -1;
}

/* Until the worker has done what it can for those who do not read, its CPU time grows. */
static bool wait_until_idle(const struct zw_lab_server *server)
{
	struct timespec pause = { 0, SETTLE_STEP_MS * 1000000L };
	struct zw_lab_usage before, now = { 0, 0 };

	if (!zw_lab_usage_read(server, &before))
		return false;
	for (int step = 0; step < SETTLE_STEPS_MAX && !zw_interrupted(); step++) {
		nanosleep(&pause, NULL);
		if (!zw_lab_usage_read(server, &now))
			return false;
		if (step && now.cpu_ns == before.cpu_ns && now.cpu_ticks == before.cpu_ticks)
			break;
		before = now;
	}
	return true;
}

/* client_count at once for one body; peak and before of the worker's memory in KiB.  False, after a message, if it failed. */
bool zw_lab_slow_run(const struct zw_lab_server *server, const char *url_path, unsigned client_count, long *idle_kb_ret,
		     long *peak_kb_ret)
{
	char *request = zw_tool_format("GET %s HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n\r\n", url_path);
	int clients[CLIENT_MAX_COUNT];
	unsigned count = 0;
	bool done;

	zw_lab_peak_forget(server);
	*idle_kb_ret = zw_lab_peak_kb(server);
	while (count < client_count && count < CLIENT_MAX_COUNT && (clients[count] = ask_and_wait(server->slow_port, request)) >= 0)
		count++;
	done = count == client_count && wait_until_idle(server);
	*peak_kb_ret = zw_lab_peak_kb(server);
	if (!done)
		zw_tool_error("%u of %u slow clients for %s on %s", count, client_count, url_path, server->library->name);
	while (count)
		close(clients[--count]);
	if (done)
		wait_until_idle(server);
	free(request);
	return done;
}
