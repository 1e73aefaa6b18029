/* SPDX-License-Identifier: Zlib */
/* load.c - puts load on a server: wrk, ab for HTTP/1.0, h2load for HTTP/2.  They throw the bodies away undecoded and ask as fast as
 * they are answered; at a rate, wrk asks when a schedule says so.  load_output.c reads what they print. */
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
#define SCRIPT_END \
	"done = function(summary, latency, requests)\n" \
	"  local e, asked, late = summary.errors, 0, 0\n" \
	"  for _, thread in ipairs(threads or {}) do asked = asked + thread:get('asked'); late = late + thread:get('late') end\n" \
	"  io.write(string.format('zwire %.0f %.0f %.0f %.0f %.0f %.0f %.0f %.6f\\n', summary.requests, summary.duration,\n" \
	"    summary.bytes, e.connect + e.read + e.write + e.timeout + e.status,\n" \
	"    latency:percentile(50), latency:percentile(95), latency:percentile(99), asked > 0 and late / asked or 0))\n" \
	"end\n"

static const char script[] = SCRIPT_END;

/* A schedule of arrivals as independent clients make it: the times between them are exponential.  A connection that is free takes
 * the next one and waits for it.  One whose time is over when it is taken is late: no connection was free. */
static const char rate_script[] =
	"local ffi = require('ffi')\n"
	"ffi.cdef[[ typedef struct { long s, ns; } zwire_time; int clock_gettime(int, zwire_time *); ]]\n"
	"local time, mean_ms, due_ms = ffi.new('zwire_time')\n"
	"asked, late, threads = 0, 0, nil\n"
	"function setup(thread) threads = threads or {}; table.insert(threads, thread) end\n"
	"function init(args) mean_ms = 1000 / tonumber(args[1]); math.randomseed(1) end\n"
	"function delay()\n"
	"  ffi.C.clock_gettime(1, time)\n"
	"  local now_ms = tonumber(time.s) * 1e3 + tonumber(time.ns) / 1e6\n"
	"  due_ms = (due_ms or now_ms) - mean_ms * math.log(1 - math.random())\n"
	"  asked = asked + 1\n"
	"  if due_ms < now_ms then late = late + 1; return 0 end\n"
	"  return math.floor(due_ms - now_ms + 0.5)\n"
	"end\n" SCRIPT_END;

bool zw_lab_loader_make(struct zw_lab_loader *loader, const struct zw_lab_plan *plan, const char *lab_directory)
{
	loader->wrk_path = zw_lab_find_program("wrk");
	if (!loader->wrk_path) {
		zw_tool_error("there is no wrk in PATH, which makes the load; install wrk");
		return false;
	}
	loader->ab_path = zw_lab_find_program("ab");
	loader->h2load_path = zw_lab_find_program("h2load");
	loader->script_path = zw_tool_format("%s/load.lua", lab_directory);
	loader->mix_path = zw_tool_format("%s/mix.lua", lab_directory);
	loader->rate_path = zw_tool_format("%s/rate.lua", lab_directory);
	loader->log_path = zw_tool_format("%s/h2load.log", lab_directory);
	return zw_file_write(loader->script_path, script, sizeof script - 1) && zw_lab_mix_write(plan, loader->mix_path, script) &&
	       zw_file_write(loader->rate_path, rate_script, sizeof rate_script - 1);
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

static double cpu_seconds(const struct rusage *usage)
{
	return (double)(usage->ru_utime.tv_sec + usage->ru_stime.tv_sec) +
	       (double)(usage->ru_utime.tv_usec + usage->ru_stime.tv_usec) / 1e6;
}

/* Runs the generator to its end and keeps what it printed.  False, after a message, if that cannot be. */
static bool run_generator(const char *const *argv, const struct zw_cpus *cpus, char text[static OUTPUT_MAX_BYTES],
			  double *cpu_seconds_ret)
{
	struct zw_launch launch = { .argv = argv, .in_fd = -1, .cpu = cpus->client, .cpu_count = cpus->client_count };
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

/* What the generators take in common, as text. */
struct words { char *seconds, *connections, *threads, *requests, *argument; };

static struct words words_of(const struct zw_lab_loader *loader, const struct zw_lab_target *target)
{
	bool is_ab = target->arm->client == LAB_CLIENT_AB;

	return (struct words){
		.seconds = zw_tool_format("%u%s", target->seconds, is_ab ? "" : "s"),
		.connections = zw_tool_format("%u", target->rate_per_s > 0 ? LAB_RATE_CONNECTIONS : loader->connections),
		.threads = zw_tool_format("%u", loader->thread_count),
		.requests = zw_tool_format("%u", target->seconds * AB_REQUESTS_PER_S_MAX),
		.argument = target->is_mix ? zw_tool_format("/%s/", target->arm->location) : zw_tool_format("%.3f", target->rate_per_s),
	};
}

static void free_words(struct words *words)
{
	free(words->seconds);
	free(words->connections);
	free(words->threads);
	free(words->requests);
	free(words->argument);
}

static bool run_wrk(const struct zw_lab_loader *loader, const struct zw_lab_target *target, const struct words *words,
		    char text[static OUTPUT_MAX_BYTES], struct zw_lab_load *load_ret)
{
	bool is_rate = target->rate_per_s > 0;
	const char *const argv[] = { loader->wrk_path, "-t", is_rate ? "1" : words->threads, "-c", words->connections,
				     "-d", words->seconds, "--timeout", "10s", "-s",
				     is_rate ? loader->rate_path : target->is_mix ? loader->mix_path : loader->script_path,
				     "-H", target->arm->asks_gzip ? "Accept-Encoding: gzip" : "Accept: */*",
				     "-H", target->arm->client == LAB_CLIENT_WRK_CLOSE ? "Connection: close" : "Accept: */*",
				     target->url, words->argument, NULL };

	return run_generator(argv, &loader->cpus, text, &load_ret->client_cpu_seconds) && zw_lab_load_read_wrk(text, load_ret);
}

static bool run_ab(const struct zw_lab_loader *loader, const struct zw_lab_target *target, const struct words *words,
		   char text[static OUTPUT_MAX_BYTES], struct zw_lab_load *load_ret)
{
	const char *const argv[] = { loader->ab_path, "-q", "-k", "-l", "-t", words->seconds, "-n", words->requests, "-c", words->connections,
				     "-H", target->arm->asks_gzip ? "Accept-Encoding: gzip" : "Accept: */*", target->url, NULL };

	return run_generator(argv, &loader->cpus, text, &load_ret->client_cpu_seconds) && zw_lab_load_read_ab(text, load_ret);
}

static bool run_h2load(const struct zw_lab_loader *loader, const struct zw_lab_target *target, const struct words *words,
		       char text[static OUTPUT_MAX_BYTES], struct zw_lab_load *load_ret)
{
	const char *const argv[] = { loader->h2load_path, "-t", words->threads, "-c", words->connections, "-D", words->seconds, "--log-file",
				     loader->log_path, "-H", target->arm->asks_gzip ? "accept-encoding: gzip" : "accept: */*", target->url, NULL };

	unlink(loader->log_path);                /* it would be appended to */
	if (!run_generator(argv, &loader->cpus, text, &load_ret->client_cpu_seconds) || !zw_lab_load_read_h2load(text, load_ret))
		return false;
	load_ret->seconds = target->seconds;
	return zw_lab_load_read_log(loader->log_path, load_ret);
}

/* False, after a message, if there was no measurement; errors that the generator counted are in load_ret. */
bool zw_lab_load_run(const struct zw_lab_loader *loader, const struct zw_lab_target *target, struct zw_lab_load *load_ret)
{
	static const char *const names[] = { [LAB_CLIENT_WRK] = "wrk", [LAB_CLIENT_WRK_CLOSE] = "wrk", [LAB_CLIENT_AB] = "ab",
					     [LAB_CLIENT_H2] = "h2load" };
	enum zw_lab_client client = target->arm->client;
	struct words words = words_of(loader, target);
	char text[OUTPUT_MAX_BYTES] = "";
	bool done;

	memset(load_ret, 0, sizeof *load_ret);
	done = client == LAB_CLIENT_AB ? run_ab(loader, target, &words, text, load_ret) :
	       client == LAB_CLIENT_H2 ? run_h2load(loader, target, &words, text, load_ret) :
					 run_wrk(loader, target, &words, text, load_ret);
	if (!done && !zw_interrupted())
		zw_tool_error("%s gave no numbers for %s; it said:\n%s", names[client], target->url, text);
	free_words(&words);
	return done;
}

void zw_lab_loader_free(struct zw_lab_loader *loader)
{
	free(loader->wrk_path);
	free(loader->ab_path);
	free(loader->h2load_path);
	free(loader->script_path);
	free(loader->mix_path);
	free(loader->rate_path);
	free(loader->log_path);
	memset(loader, 0, sizeof *loader);
}
