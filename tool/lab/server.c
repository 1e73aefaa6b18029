/* SPDX-License-Identifier: Zlib */
/* server.c - one real NGINX master with its workers, on one libz, inside one directory.
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
#define ERROR_LOG_OPTION_SINCE LAB_VERSION(1, 19, 5)

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

static pid_t launch_master(const struct zw_lab_server *server, const struct zw_lab_setup *setup)
{
	char *config = zw_tool_format("%s/nginx.conf", server->directory);
	char *log = zw_tool_format("%s/error.log", server->directory);
	char *prefix = zw_tool_format("%s/", server->directory);
	char *output = zw_tool_format("%s/output", server->directory);
	char *library_dir = make_library_dir(server);
	const char *const argv[] = { setup->nginx->path, "-p", prefix, "-c", config,
				     setup->nginx->number >= ERROR_LOG_OPTION_SINCE ? "-e" : NULL, log, NULL };
	int fd = open(output, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
	struct zw_launch launch = { .argv = argv, .library_dir = library_dir, .in_fd = -1, .out_fd = fd, .error_fd = fd,
				    .cpu = setup->cpus.server, .cpu_count = setup->cpus.server_count };
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

/* The workers that a master has now; at most LAB_WORKER_MAX_COUNT. */
static unsigned find_workers(pid_t master, pid_t workers_ret[static LAB_WORKER_MAX_COUNT])
{
	DIR *processes = opendir("/proc");
	struct dirent *entry;
	unsigned count = 0;

	while (processes && count < LAB_WORKER_MAX_COUNT && (entry = readdir(processes))) {
		pid_t pid = isdigit((unsigned char)entry->d_name[0]) ? (pid_t)atoi(entry->d_name) : 0;

		if (pid && parent_of(pid) == master)
			workers_ret[count++] = pid;
	}
	if (processes)
		closedir(processes);
	return count;
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

/* Waits until the master has its workers and the port answers; false if the master ended or time is up. */
static bool wait_until_up(struct zw_lab_server *server)
{
	struct timespec pause = { 0, POLL_MS * 1000000L };

	for (unsigned waited_ms = 0; waited_ms < START_PATIENCE_MS && !zw_interrupted(); waited_ms += POLL_MS) {
		if (waitpid(server->master, NULL, WNOHANG) == server->master) {
			server->master = 0;
			return false;
		}
		if (find_workers(server->master, server->workers) == server->worker_count && answers(server->port))
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

/* Every worker has the library mapped, and no other libz. */
static bool is_proved(const struct zw_lab_server *server, char text_ret[static LAB_REASON_BYTES])
{
	for (unsigned i = 0; i < server->worker_count; i++)
		if (!zw_maps_prove(server->workers[i], server->library->path, text_ret, LAB_REASON_BYTES))
			return false;
	return true;
}

/* Starts a master whose workers provably run on the library; false after a message, and server->broken says why. */
bool zw_lab_server_start(struct zw_lab_server *server, const struct zw_lab_setup *setup, const struct zw_library *library)
{
	const char *binary = setup->nginx->path;
	bool is_up = false;

	memset(server, 0, sizeof *server);
	server->library = library;
	server->worker_count = setup->worker_count;
	server->directory = zw_tool_format("%s/nginx-%s", setup->lab_directory, library->name);
	if (mkdir(server->directory, 0755) != 0) {
		zw_tool_error("cannot make %s: %s", server->directory, strerror(errno));
		return false;
	}
	for (unsigned try_number = 0; try_number < PORT_TRY_COUNT && !is_up && !zw_interrupted(); try_number++) {
		server->port = find_free_port();   /* may be taken before NGINX has it, hence the tries */
		server->slow_port = find_free_port();
		server->tls_port = setup->certificate_path ? find_free_port() : 0;
		if (!zw_lab_config_write(server, setup))
			return false;
		server->master = launch_master(server, setup);
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
	if (is_proved(server, server->broken)) {
		server->broken[0] = 0;
		return true;
	}
	zw_tool_error("the NGINX workers for %s: %s", library->name, server->broken);
	zw_tool_error("if no libz is mapped, zlib is linked into %s itself, and no library can be put in its place", binary);
	return false;
}

/* The workers again after the master had to start a new one; false if there are none on the right library. */
bool zw_lab_server_revive(struct zw_lab_server *server)
{
	char text[LAB_REASON_BYTES];

	return server->master > 0 && wait_until_up(server) && is_proved(server, text);
}

/* Fresh workers on the same libz: what the old ones' allocators kept is gone.  False if none come up. */
bool zw_lab_server_renew(struct zw_lab_server *server)
{
	struct timespec pause = { 0, POLL_MS * 1000000L };
	pid_t old[LAB_WORKER_MAX_COUNT];
	unsigned waited_ms = 0;

	memcpy(old, server->workers, sizeof old);
	if (server->master <= 0 || kill(server->master, SIGHUP) != 0)
		return false;
	for (unsigned i = 0; i < server->worker_count; i++)
		for (; waited_ms < START_PATIENCE_MS && parent_of(old[i]) == server->master; waited_ms += POLL_MS)
			nanosleep(&pause, NULL);
	return waited_ms < START_PATIENCE_MS && zw_lab_server_revive(server);
}

void zw_lab_server_stop(struct zw_lab_server *server)
{
	if (server->master > 0 && !zw_process_stop(server->master, SIGTERM, STOP_PATIENCE_MS))
		for (unsigned i = 0; i < server->worker_count; i++)
			if (server->workers[i] > 0)
				kill(server->workers[i], SIGKILL);   /* the master had to be killed, so nobody else ends its workers */
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
	bool is_h2 = arm->client == LAB_CLIENT_H2;
	char *url = zw_tool_format("http%s://127.0.0.1:%u/%s/%s", is_h2 ? "s" : "", is_h2 ? server->tls_port : server->port, arm->location,
				   escaped);

	free(escaped);
	return url;
}
