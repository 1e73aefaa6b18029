/* SPDX-License-Identifier: Zlib */
/* nginx_binary.c - finds the installed NGINX and reads what it was built with. */
#include "lab/lab.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define OUTPUT_MAX_BYTES 16384

/* The first of the name in PATH, then in the places for servers; NULL if there is none.  To be freed. */
char *zw_lab_find_program(const char *name)
{
	const char *path = getenv("PATH");
	char *places = zw_tool_format("%s:/usr/local/nginx/sbin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
				      path ? path : "");
	char *rest = places, *place, *found = NULL;

	while (!found && (place = strsep(&rest, ":"))) {
		if (!*place)
			continue;
		found = zw_tool_format("%s/%s", place, name);
		if (access(found, X_OK) != 0) {
			free(found);
			found = NULL;
		}
	}
	free(places);
	return found;
}

/* What nginx -V prints, on standard error; NULL after a message. */
static char *read_configure(const char *path)
{
	const char *const argv[] = { path, "-V", NULL };
	char *output = zw_tool_alloc(OUTPUT_MAX_BYTES);
	size_t used_bytes = 0;
	struct zw_launch launch = { .argv = argv, .in_fd = -1, .cpu = -1 };
	int pair[2];
	ssize_t n;
	pid_t pid;

	if (pipe(pair) != 0) {
		free(output);
		return NULL;
	}
	launch.out_fd = pair[1];
	launch.error_fd = pair[1];
	pid = zw_process_start(&launch);
	close(pair[1]);
	while (pid > 0 && used_bytes < OUTPUT_MAX_BYTES - 1 &&
	       (n = read(pair[0], output + used_bytes, OUTPUT_MAX_BYTES - 1 - used_bytes)) > 0)
		used_bytes += (size_t)n;
	close(pair[0]);
	zw_process_stop(pid, 0, 2000);
	return output;
}

static bool read_version(struct zw_lab_nginx *nginx)
{
	const char *found = strstr(nginx->configure, "nginx version: ");
	unsigned major_number, minor_number, patch;

	if (!found || sscanf(found, "nginx version: %63[^ \n]", nginx->version) != 1)
		return false;
	if (sscanf(nginx->version, "%*[^/]/%u.%u.%u", &major_number, &minor_number, &patch) == 3)
		nginx->number = LAB_VERSION(major_number, minor_number, patch);
	return true;
}

/* False, after a message, if there is no NGINX that can gzip.  path: NULL to search. */
bool zw_lab_nginx_find(struct zw_lab_nginx *nginx, const char *path)
{
	memset(nginx, 0, sizeof *nginx);
	nginx->path = path ? zw_tool_format("%s", path) : zw_lab_find_program("nginx");
	if (!nginx->path || access(nginx->path, X_OK) != 0) {
		zw_tool_error("there is no nginx%s%s; install it, or name it with --nginx PATH", path ? " at " : " in PATH",
			      path ? path : "");
		return false;
	}
	nginx->configure = read_configure(nginx->path);
	if (!nginx->configure || !read_version(nginx)) {
		zw_tool_error("%s -V does not answer like NGINX", nginx->path);
		return false;
	}
	if (strstr(nginx->configure, "--without-http_gzip_module")) {
		zw_tool_error("%s was built without gzip (--without-http_gzip_module)", nginx->path);
		return false;
	}
	nginx->has_gunzip = strstr(nginx->configure, "--with-http_gunzip_module") != NULL;
	nginx->has_h2 = strstr(nginx->configure, "--with-http_ssl_module") && strstr(nginx->configure, "--with-http_v2_module");
	nginx->has_static = strstr(nginx->configure, "--with-http_gzip_static_module") != NULL;
	return true;
}

void zw_lab_nginx_free(struct zw_lab_nginx *nginx)
{
	free(nginx->path);
	free(nginx->configure);
	memset(nginx, 0, sizeof *nginx);
}
