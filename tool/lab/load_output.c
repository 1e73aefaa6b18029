/* SPDX-License-Identifier: Zlib */
/* load_output.c - the figures in what wrk, ab and h2load print.  False where one of them is not there. */
#include "lab/lab.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The line that our script for wrk writes. */
bool zw_lab_load_read_wrk(const char *text, struct zw_lab_load *load_ret)
{
	const char *line = strstr(text, "\nzwire ");
	double duration_us, errors, p50_us, p95_us, p99_us;

	if (!line || sscanf(line, "\nzwire %lf %lf %lf %lf %lf %lf %lf %lf", &load_ret->requests, &duration_us, &load_ret->bytes,
			    &errors, &p50_us, &p95_us, &p99_us, &load_ret->late_share) != 8 || duration_us <= 0)
		return false;
	load_ret->seconds = duration_us / 1e6;
	load_ret->error_count = (unsigned)errors;
	load_ret->p50_ms = p50_us / 1e3;
	load_ret->p95_ms = p95_us / 1e3;
	load_ret->p99_ms = p99_us / 1e3;
	return true;
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

/* "requests: T total, S started, D done, U succeeded, F failed, E errored, O timeout", "status codes: ...", and the bytes of
 * data in "traffic: ... data". */
bool zw_lab_load_read_h2load(const char *text, struct zw_lab_load *load_ret)
{
	const char *requests = strstr(text, "\nrequests: "), *codes = strstr(text, "\nstatus codes: "), *traffic = strstr(text, "\ntraffic: ");
	const char *data = traffic ? strstr(traffic, "(space savings") : NULL;
	double succeeded, failed, errored, timeouts, ok, moved, client_errors, server_errors;

	data = data ? strstr(data, "), ") : NULL;
	data = data ? strchr(data + 2, '(') : NULL;
	if (!requests || !codes || !data ||
	    sscanf(requests, "\nrequests: %*f total, %*f started, %*f done, %lf succeeded, %lf failed, %lf errored, %lf timeout", &succeeded,
		   &failed, &errored, &timeouts) != 4 ||
	    sscanf(codes, "\nstatus codes: %lf 2xx, %lf 3xx, %lf 4xx, %lf 5xx", &ok, &moved, &client_errors, &server_errors) != 4 ||
	    sscanf(data, "(%lf) data", &load_ret->bytes) != 1)
		return false;
	load_ret->requests = succeeded;
	load_ret->error_count = (unsigned)(failed + errored + timeouts + client_errors + server_errors);
	return true;
}

/* h2load's log, a line for each response: its start, its status, its microseconds.  The percentiles of the last. */
bool zw_lab_load_read_log(const char *path, struct zw_lab_load *load_ret)
{
	FILE *file = fopen(path, "re");
	double *us = NULL;
	size_t count = 0, room = 0;
	double one;

	while (file && fscanf(file, "%*f %*f %lf%*[^\n]", &one) == 1) {
		if (count == room) {
			room = room ? 2 * room : 4096;
			us = zw_tool_grow(us, room * sizeof *us);
		}
		us[count++] = one;
	}
	if (file)
		fclose(file);
	if (count) {
		zw_doubles_sort(us, count);
		load_ret->p50_ms = us[count * 50 / 100] / 1e3;
		load_ret->p95_ms = us[count * 95 / 100] / 1e3;
		load_ret->p99_ms = us[count * 99 / 100] / 1e3;
	}
	free(us);
	return count > 0;
}
