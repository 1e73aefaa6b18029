/* SPDX-License-Identifier: Zlib */
/* load.c - puts load on a server with wrk or ab, which ask as fast as they are answered and throw the bodies away. */
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
#define AB_REQUESTS_PER_S_MAX 100000         /* ab keeps a record for each, and ends early where there are more */

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
	loader->ab_path = zw_lab_find_program("ab");
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

static bool read_after(const char *text, const char *label, double *value_ret)
{
	const char *found = strstr(text, label);

	return found && sscanf(found + strlen(label), " %lf", value_ret) == 1;
}

/* What ab prints: counts, and percentiles in whole milliseconds.  False if it is not there. */
bool zw_lab_load_read_ab(const char *text, struct zw_lab_load *load_ret)
{
	double failed = 0, other_status = 0;

	if (!read_after(text, "Complete requests:", &load_ret->requests) ||
	    !read_after(text, "Time taken for tests:", &load_ret->seconds) || load_ret->seconds <= 0 ||
	    !read_after(text, "Total transferred:", &load_ret->bytes) || !read_after(text, "Failed requests:", &failed) ||
	    !read_after(text, "\n  50% ", &load_ret->p50_ms) || !read_after(text, "\n  95% ", &load_ret->p95_ms) ||
	    !read_after(text, "\n  99% ", &load_ret->p99_ms))
		return false;
	read_after(text, "Non-2xx responses:", &other_status);   /* a line that is there only if there were any */
	load_ret->error_count = (unsigned)(failed + other_status);
	return true;
}

/* Runs the generator to its end and keeps what it printed.  False, after a message, if that cannot be. */
static bool run_generator(const char *const *argv, int cpu, char text[static OUTPUT_MAX_BYTES], double *cpu_seconds_ret)
{
	struct zw_launch launch = { .argv = argv, .in_fd = -1, .cpu = cpu };
	struct rusage usage = { .ru_utime = { 0, 0 } };
	int pair[2];
	pid_t pid;

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
	*cpu_seconds_ret = cpu_seconds(&usage);
	return true;
}

/* False, after a message, if there was no measurement; errors that the generator counted are in load_ret. */
bool zw_lab_load_run(const struct zw_lab_loader *loader, const char *url, const struct zw_lab_arm *arm,
		     struct zw_lab_load *load_ret)
{
	bool is_ab = arm->client == LAB_CLIENT_AB;
	char *seconds = zw_tool_format("%u%s", loader->seconds, is_ab ? "" : "s");
	char *connections = zw_tool_format("%u", loader->connections);
	char *requests = zw_tool_format("%u", loader->seconds * AB_REQUESTS_PER_S_MAX);
	const char *accept = arm->asks_gzip ? "Accept-Encoding: gzip" : "Accept: */*";
	const char *const wrk[] = { loader->wrk_path, "-t1", "-c", connections, "-d", seconds, "--timeout", "10s", "-s",
				    loader->script_path, url, "-H", accept,
				    arm->client == LAB_CLIENT_WRK_CLOSE ? "-H" : NULL, "Connection: close", NULL };
	const char *const ab[] = { loader->ab_path, "-q", "-k", "-l", "-t", seconds, "-n", requests, "-c", connections, "-H",
				   accept, url, NULL };
	char text[OUTPUT_MAX_BYTES] = "";
	bool done;

	memset(load_ret, 0, sizeof *load_ret);
	done = run_generator(is_ab ? ab : wrk, loader->cpu, text, &load_ret->client_cpu_seconds);
	if (done) {
		done = is_ab ? zw_lab_load_read_ab(text, load_ret) : read_numbers(text, load_ret);
		if (!done)
			zw_tool_error("%s gave no numbers for %s; it said:\n%s", is_ab ? "ab" : "wrk", url, text);
	}
	free(seconds);
	free(connections);
	free(requests);
	return done;
}

void zw_lab_loader_free(struct zw_lab_loader *loader)
{
	free(loader->wrk_path);
	free(loader->ab_path);
	free(loader->script_path);
	loader->wrk_path = NULL;
	loader->ab_path = NULL;
	loader->script_path = NULL;
}
