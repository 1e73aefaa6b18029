/* SPDX-License-Identifier: Zlib */
/* load.c - puts load on a server with wrk, which asks as fast as it is answered and throws the bodies away. */
#include "lab/lab.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define OUTPUT_MAX_BYTES 8192
#define STOP_PATIENCE_MS 2000

/* Only done() is defined, so requests are still made by wrk's own code. */
static const char script[] =
	"done = function(summary, latency, requests)\n"
	"  local e = summary.errors\n"
	"  io.write(string.format('zwire %.0f %.0f %.0f %.0f %.0f %.0f %.0f\\n', summary.requests, summary.duration,\n"
	"    summary.bytes, e.connect + e.read + e.write + e.timeout + e.status,\n"
	"    latency:percentile(50), latency:percentile(95), latency:percentile(99)))\n"
	"end\n";

bool zw_lab_loader_make(struct zw_lab_loader *loader, const char *lab_directory)
{
	loader->wrk_path = zw_lab_find_program("wrk");
	if (!loader->wrk_path) {
		zw_tool_error("there is no wrk in PATH, which makes the load; install wrk");
		return false;
	}
	loader->script_path = zw_tool_format("%s/load.lua", lab_directory);
	return zw_file_write(loader->script_path, script, sizeof script - 1);
}

/* Reads until the other end closes; stops early when the user interrupts. */
static void read_output(int fd, char text[static OUTPUT_MAX_BYTES])
{
	size_t used_bytes = 0;

	while (used_bytes < OUTPUT_MAX_BYTES - 1 && !zw_interrupted()) {
		ssize_t n = read(fd, text + used_bytes, OUTPUT_MAX_BYTES - 1 - used_bytes);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		used_bytes += (size_t)n;
	}
	text[used_bytes] = 0;
}

static bool read_numbers(const char *text, struct zw_lab_load *load_ret)
{
	const char *line = strstr(text, "\nzwire ");
	double duration_us, errors, p50_us, p95_us, p99_us;

	if (!line || sscanf(line, "\nzwire %lf %lf %lf %lf %lf %lf %lf", &load_ret->requests, &duration_us, &load_ret->bytes,
			    &errors, &p50_us, &p95_us, &p99_us) != 7 || duration_us <= 0)
		return false;
	load_ret->seconds = duration_us / 1e6;
	load_ret->error_count = (unsigned)errors;
	load_ret->p50_ms = p50_us / 1e3;
	load_ret->p95_ms = p95_us / 1e3;
	load_ret->p99_ms = p99_us / 1e3;
	return true;
}

static double cpu_seconds(const struct rusage *usage)
{
	return (double)(usage->ru_utime.tv_sec + usage->ru_stime.tv_sec) +
	       (double)(usage->ru_utime.tv_usec + usage->ru_stime.tv_usec) / 1e6;
}

/* False, after a message, if there was no measurement; errors that wrk counted are in load_ret. */
bool zw_lab_load_run(const struct zw_lab_loader *loader, const char *url, bool asks_gzip, struct zw_lab_load *load_ret)
{
	char seconds[16], connections[16], text[OUTPUT_MAX_BYTES];
	const char *const argv[] = { loader->wrk_path, "-t1", "-c", connections, "-d", seconds, "--timeout", "10s", "-s",
				     loader->script_path, url, asks_gzip ? "-H" : NULL, "Accept-Encoding: gzip", NULL };
	struct zw_launch launch = { argv, NULL, -1, -1, -1, loader->cpu };
	struct rusage usage = { .ru_utime = { 0, 0 } };
	int pair[2];
	pid_t pid;

	memset(load_ret, 0, sizeof *load_ret);
	snprintf(seconds, sizeof seconds, "%us", loader->seconds);
	snprintf(connections, sizeof connections, "%u", loader->connections);
	if (pipe2(pair, O_CLOEXEC) != 0) {
		zw_tool_error("cannot make a pipe: %s", strerror(errno));
		return false;
	}
	launch.out_fd = pair[1];
	launch.error_fd = pair[1];
	pid = zw_process_start(&launch);
	close(pair[1]);
	if (pid > 0)
		read_output(pair[0], text);
	close(pair[0]);
	if (pid <= 0)
		return false;
	if (zw_interrupted()) {
		zw_process_stop(pid, SIGTERM, STOP_PATIENCE_MS);
		return false;
	}
	while (wait4(pid, NULL, 0, &usage) < 0 && errno == EINTR && !zw_interrupted())
		;
	load_ret->client_cpu_seconds = cpu_seconds(&usage);
	if (read_numbers(text, load_ret))
		return true;
	zw_tool_error("wrk gave no numbers for %s; it said:\n%s", url, text);
	return false;
}

void zw_lab_loader_free(struct zw_lab_loader *loader)
{
	free(loader->wrk_path);
	free(loader->script_path);
	loader->wrk_path = NULL;
	loader->script_path = NULL;
}
