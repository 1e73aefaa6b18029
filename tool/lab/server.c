/* SPDX-License-Identifier: Zlib */
/* server.c - one real NGINX master with one worker, on one libz, inside one directory.
 * Takes: the binary, the library, the lab's directory with its plain/, packed/ and twins/.  Gives: a port that answers.
 * Never: touches a file outside its directory, or an NGINX that it did not start. */
#include "common/maps.h"
#include "lab/lab.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define START_PATIENCE_MS 5000
#define STOP_PATIENCE_MS  3000
#define POLL_MS             20
#define PORT_TRY_COUNT       3
#define SLOW_SEND_BYTES  16384               /* where the kernel keeps more, a slow client is none: all of a body is in there */

/* Temp paths that NGINX makes at its start, each only if the module is built in. */
static const char *const temp_modules[] = { "proxy", "fastcgi", "uwsgi", "scgi" };

static unsigned find_free_port(void)
{
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t length = sizeof address;
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	unsigned port = 0;

	if (fd >= 0 && bind(fd, (struct sockaddr *)&address, length) == 0 &&
	    getsockname(fd, (struct sockaddr *)&address, &length) == 0)
		port = ntohs(address.sin_port);
	if (fd >= 0)
		close(fd);
	return port;
}

static void write_head(FILE *file, const struct zw_lab_server *server, const struct zw_lab_nginx *nginx)
{
	fprintf(file, "daemon off;\nmaster_process on;\nworker_processes 1;\npid %s/nginx.pid;\nerror_log %s/error.log warn;\n",
		server->directory, server->directory);
	if (geteuid() == 0)
		fputs("user root root;  # the lab's files are private to who started it; it listens on loopback only\n", file);
	fputs("events { worker_connections 256; }\nhttp {\n  access_log off;\n", file);
	fprintf(file, "  client_body_temp_path %s/temp_body;\n", server->directory);
	for (size_t i = 0; i < sizeof temp_modules / sizeof temp_modules[0]; i++) {
		char *without = zw_tool_format("--without-http_%s_module", temp_modules[i]);

		if (!strstr(nginx->configure, without))
			fprintf(file, "  %s_temp_path %s/temp_%s;\n", temp_modules[i], server->directory, temp_modules[i]);
		free(without);
	}
}

static void write_location(FILE *file, const struct zw_lab_arm *arm, const char *lab_directory)
{
	fprintf(file, "    location /%s/ { ", arm->location);
	if (arm->takes_http10)
		fputs("gzip_http_version 1.0; ", file);
	switch (arm->kind) {
	case LAB_ARM_OFF:
		fprintf(file, "alias %s/plain/; gzip off;", lab_directory);
		break;
	case LAB_ARM_LEVEL:
		fprintf(file, "alias %s/plain/; gzip on; gzip_comp_level %d;", lab_directory, arm->level);
		break;
	case LAB_ARM_GUNZIP:
		fprintf(file, "alias %s/packed/; gzip_static always; gunzip on;", lab_directory);
		break;
	case LAB_ARM_STATIC:
		fprintf(file, "alias %s/twins/; gzip_static on;", lab_directory);
		break;
	}
	fputs(" }\n", file);
}

static void write_locations(FILE *file, const struct zw_lab_setup *setup)
{
	for (size_t i = 0; i < setup->arms->count; i++) {
		size_t same = 0;

		while (strcmp(setup->arms->list[same].location, setup->arms->list[i].location) != 0)
			same++;
		if (same == i)                   /* arms that differ in their client share it */
			write_location(file, &setup->arms->list[i], setup->lab_directory);
	}
}

static bool write_config(const struct zw_lab_server *server, const struct zw_lab_setup *setup)
{
	char *path = zw_tool_format("%s/nginx.conf", server->directory);
	FILE *file = fopen(path, "we");
	bool done;

	if (!file) {
		zw_tool_error("cannot write %s: %s", path, strerror(errno));
		free(path);
		return false;
	}
	write_head(file, server, setup->nginx);
	fprintf(file,
		"  types { text/html html htm; text/css css; application/javascript js mjs; application/json json map;\n"
		"    text/plain txt md; text/xml xml rss; image/svg+xml svg; application/wasm wasm; image/png png;\n"
		"    image/jpeg jpg jpeg; image/webp webp; image/gif gif; image/x-icon ico; font/woff woff; font/woff2 woff2;\n"
		"    application/pdf pdf; audio/mpeg mp3; video/mp4 mp4; video/webm webm;\n"
		"    application/zip zip gz br xz zst; application/octet-stream bin; }\n"
		"  default_type application/octet-stream;\n"
		"  sendfile on;\n  tcp_nopush on;\n  keepalive_timeout 60;\n  keepalive_requests 1000000000;\n"
		"  gzip_types text/css application/javascript application/json text/plain text/xml image/svg+xml application/wasm\n"
		"    application/octet-stream;\n"
		"  gzip_min_length %d;\n  gzip_http_version 1.1;\n  gzip_proxied any;\n  gzip_vary on;\n"
		"  server {\n    listen 127.0.0.1:%u;\n    listen 127.0.0.1:%u sndbuf=%d;\n"
		"    server_name localhost;\n", LAB_MIN_LENGTH_BYTES, server->port, server->slow_port, SLOW_SEND_BYTES);
	if (setup->include_path)
		fprintf(file, "    include %s;\n", setup->include_path);
	write_locations(file, setup);
	fputs("  }\n}\n", file);
	done = fclose(file) == 0;
	free(path);
	return done;
}

/* libz.so.1 in a directory of its own, leading to the library; to be freed. */
static char *make_library_dir(const struct zw_lab_server *server)
{
	char *directory = zw_tool_format("%s/lib", server->directory);
	char *link_path = zw_tool_format("%s/libz.so.1", directory);
	bool done = (mkdir(directory, 0755) == 0 || errno == EEXIST) &&
		    (symlink(server->library->path, link_path) == 0 || errno == EEXIST);

	free(link_path);
	if (done)
		return directory;
	zw_tool_error("cannot make %s: %s", directory, strerror(errno));
	free(directory);
	return NULL;
}

static pid_t launch_master(const struct zw_lab_server *server, const struct zw_lab_nginx *nginx, int cpu)
{
	char *config = zw_tool_format("%s/nginx.conf", server->directory);
	char *log = zw_tool_format("%s/error.log", server->directory);
	char *prefix = zw_tool_format("%s/", server->directory);
	char *output = zw_tool_format("%s/output", server->directory);
	char *library_dir = make_library_dir(server);
	const char *const argv[] = { nginx->path, "-p", prefix, "-c", config, nginx->takes_error_log ? "-e" : NULL, log, NULL };
	int fd = open(output, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
	struct zw_launch launch = { .argv = argv, .library_dir = library_dir, .in_fd = -1, .out_fd = fd, .error_fd = fd, .cpu = cpu };
	pid_t pid = library_dir && fd >= 0 ? zw_process_start(&launch) : -1;

	if (fd >= 0)
		close(fd);
	free(config);
	free(log);
	free(prefix);
	free(output);
	free(library_dir);
	return pid;
}

/* The parent of a process, 0 if it is gone. */
static pid_t parent_of(pid_t pid)
{
	char path[40], text[512];
	FILE *file;
	char *end = NULL;
	int parent = 0;

	snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
	file = fopen(path, "re");
	if (file && fgets(text, sizeof text, file))
		end = strrchr(text, ')');        /* the name before it may hold anything */
	if (end && sscanf(end + 1, " %*c %d", &parent) != 1)
		parent = 0;
	if (file)
		fclose(file);
	return parent;
}

static pid_t find_child(pid_t parent)
{
	DIR *processes = opendir("/proc");
	struct dirent *entry;
	pid_t child = 0;

	while (processes && !child && (entry = readdir(processes))) {
		pid_t pid = isdigit((unsigned char)entry->d_name[0]) ? (pid_t)atoi(entry->d_name) : 0;

		if (pid && parent_of(pid) == parent)
			child = pid;
	}
	if (processes)
		closedir(processes);
	return child;
}

static bool answers(unsigned port)
{
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons((uint16_t)port),
				       .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	bool done = fd >= 0 && connect(fd, (struct sockaddr *)&address, sizeof address) == 0;

	if (fd >= 0)
		close(fd);
	return done;
}

/* Waits until the master has its worker and the port answers; false if the master ended or time is up. */
static bool wait_until_up(struct zw_lab_server *server)
{
	struct timespec pause = { 0, POLL_MS * 1000000L };

	for (unsigned waited_ms = 0; waited_ms < START_PATIENCE_MS && !zw_interrupted(); waited_ms += POLL_MS) {
		if (waitpid(server->master, NULL, WNOHANG) == server->master) {
			server->master = 0;
			return false;
		}
		server->worker = find_child(server->master);
		if (server->worker && answers(server->port))
			return true;
		nanosleep(&pause, NULL);
	}
	return false;
}

/* What NGINX itself said: all of it on standard error, the first line that tells of trouble in reason_ret. */
static void show_output(const struct zw_lab_server *server, char reason_ret[static LAB_REASON_BYTES])
{
	static const char *const names[] = { "output", "error.log" };

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		char *path = zw_tool_format("%s/%s", server->directory, names[i]);
		FILE *file = fopen(path, "re");
		char line[1024];

		while (file && fgets(line, sizeof line, file)) {
			size_t used = strlen(reason_ret);

			fprintf(stderr, "  %s", line);
			line[strcspn(line, "\n")] = 0;
			if (!strchr(reason_ret, ':') && used < LAB_REASON_BYTES - 3)
				snprintf(reason_ret + used, LAB_REASON_BYTES - used, ": %.*s", (int)(LAB_REASON_BYTES - used - 3), line);
		}
		if (file)
			fclose(file);
		free(path);
	}
}

static bool is_proved(struct zw_lab_server *server)
{
	return zw_maps_prove(server->worker, server->library->path, server->broken, sizeof server->broken);
}

/* Starts a master whose worker provably runs on the library; false after a message, and server->broken says why. */
bool zw_lab_server_start(struct zw_lab_server *server, const struct zw_lab_setup *setup, const struct zw_library *library)
{
	const char *binary = setup->nginx->path;
	bool is_up = false;

	memset(server, 0, sizeof *server);
	server->library = library;
	server->directory = zw_tool_format("%s/nginx-%s", setup->lab_directory, library->name);
	if (mkdir(server->directory, 0755) != 0) {
		zw_tool_error("cannot make %s: %s", server->directory, strerror(errno));
		return false;
	}
	for (unsigned try_number = 0; try_number < PORT_TRY_COUNT && !is_up && !zw_interrupted(); try_number++) {
		server->port = find_free_port();   /* may be taken before NGINX has it, hence the tries */
		server->slow_port = find_free_port();
		if (!write_config(server, setup))
			return false;
		server->master = launch_master(server, setup->nginx, setup->cpu);
		is_up = server->master > 0 && wait_until_up(server);
		if (!is_up) {
			zw_process_stop(server->master, SIGTERM, STOP_PATIENCE_MS);
			server->master = 0;
		}
	}
	if (!is_up && !zw_interrupted()) {
		zw_tool_error("%s does not start on %s (%s):", binary, library->name, library->path);
		snprintf(server->broken, sizeof server->broken, "NGINX does not start on it");
		show_output(server, server->broken);
	}
	if (!is_up)
		return false;
	if (is_proved(server)) {
		server->broken[0] = 0;
		return true;
	}
	zw_tool_error("the NGINX worker for %s: %s", library->name, server->broken);
	zw_tool_error("if no libz is mapped, zlib is linked into %s itself, and no library can be put in its place", binary);
	return false;
}

/* The worker again after the master had to start a new one; false if there is none on the right library. */
bool zw_lab_server_revive(struct zw_lab_server *server)
{
	char text[LAB_REASON_BYTES];

	return server->master > 0 && wait_until_up(server) &&
	       zw_maps_prove(server->worker, server->library->path, text, sizeof text);
}

/* A fresh worker on the same libz: what the old one's allocator kept is gone.  False if none comes up. */
bool zw_lab_server_renew(struct zw_lab_server *server)
{
	struct timespec pause = { 0, POLL_MS * 1000000L };
	pid_t old = server->worker;

	if (server->master <= 0 || kill(server->master, SIGHUP) != 0)
		return false;
	for (unsigned waited_ms = 0; waited_ms < START_PATIENCE_MS && parent_of(old) == server->master; waited_ms += POLL_MS)
		nanosleep(&pause, NULL);
	return zw_lab_server_revive(server) && server->worker != old;
}

void zw_lab_server_stop(struct zw_lab_server *server)
{
	if (server->master > 0 && !zw_process_stop(server->master, SIGTERM, STOP_PATIENCE_MS) && server->worker > 0)
		kill(server->worker, SIGKILL);   /* the master had to be killed, so nobody else ends its worker */
	free(server->directory);
	memset(server, 0, sizeof *server);
}

/* Lines at alert level, and the two other levels that mean trouble; the first one's text in first_ret. */
unsigned zw_lab_server_alerts(const struct zw_lab_server *server, char first_ret[static LAB_ALERT_BYTES])
{
	char *path = zw_tool_format("%s/error.log", server->directory);
	FILE *file = fopen(path, "re");
	char line[2048];
	unsigned count = 0;

	*first_ret = 0;
	while (file && fgets(line, sizeof line, file)) {
		const char *found = strstr(line, "[alert] ");

		found = found ? found : strstr(line, "[emerg] ");
		found = found ? found : strstr(line, "[crit] ");
		if (found && !count++) {
			const char *context = strstr(found, " while ");
			size_t length = context ? (size_t)(context - found) : strcspn(found, "\n");

			snprintf(first_ret, LAB_ALERT_BYTES, "%.*s", (int)length, found);
		}
	}
	if (file)
		fclose(file);
	free(path);
	return count;
}

/* A file's name as it stands in a URL; slashes stay.  To be freed. */
char *zw_lab_url_escape(const char *name)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/";
	char *escaped = zw_tool_alloc(3 * strlen(name) + 1), *next = escaped;

	for (; *name; name++) {
		if (strchr(plain, *name))
			*next++ = *name;
		else
			next += sprintf(next, "%%%02X", (unsigned)(unsigned char)*name);
	}
	*next = 0;
	return escaped;
}

char *zw_lab_server_url(const struct zw_lab_server *server, const struct zw_lab_arm *arm, const char *body_name)
{
	char *escaped = zw_lab_url_escape(body_name);
	char *url = zw_tool_format("http://127.0.0.1:%u/%s/%s", server->port, arm->location, escaped);

	free(escaped);
	return url;
}
