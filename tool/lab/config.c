/* SPDX-License-Identifier: Zlib */
/* config.c - the nginx.conf of one server: the same for all libraries but for ports and directories. */
#include "lab/lab.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SLOW_SEND_BYTES  16384               /* where the kernel keeps more, a slow client is none: all of a body is in there */

/* Temp paths that NGINX makes at its start, each only if the module is built in. */
static const char *const temp_modules[] = { "proxy", "fastcgi", "uwsgi", "scgi" };

static void write_head(FILE *file, const struct zw_lab_server *server, const struct zw_lab_setup *setup)
{
	fprintf(file, "daemon off;\nmaster_process on;\nworker_processes %u;\npid %s/nginx.pid;\nerror_log %s/error.log warn;\n",
		setup->worker_count, server->directory, server->directory);
	if (setup->module_path)
		fprintf(file, "load_module %s;\n", setup->module_path);
	if (geteuid() == 0)
		fputs("user root root;  # the lab's files are private to who started it; it listens on loopback only\n", file);
	fputs("events { worker_connections 1024; }\nhttp {\n  access_log off;\n", file);
	fprintf(file, "  client_body_temp_path %s/temp_body;\n", server->directory);
	for (size_t i = 0; i < sizeof temp_modules / sizeof temp_modules[0]; i++) {
		char *without = zw_tool_format("--without-http_%s_module", temp_modules[i]);

		if (!strstr(setup->nginx->configure, without))
			fprintf(file, "  %s_temp_path %s/temp_%s;\n", temp_modules[i], server->directory, temp_modules[i]);
		free(without);
	}
	if (setup->module_path)
		fputs("  zwire_zone lab 64m;\n", file);
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
	case LAB_ARM_MODULE:
		fprintf(file, "alias %s/plain/; gzip off; zwire on;", lab_directory);
		break;
	}
	fputs(" }\n", file);
}

static void write_locations(FILE *file, const struct zw_lab_setup *setup)
{
	for (size_t i = 0; i < setup->arms->count; i++) {
		size_t same = 0;

		if (setup->arms->list[i].kind == LAB_ARM_MODULE && !setup->module_path)
			continue;
		while (strcmp(setup->arms->list[same].location, setup->arms->list[i].location) != 0)
			same++;
		if (same == i)                   /* arms that differ in their client share it */
			write_location(file, &setup->arms->list[i], setup->lab_directory);
	}
}

/* HTTP/2 over TLS; older versions close a connection after http2_max_requests, newer ones warn where it is named with listen. */
static void write_tls(FILE *file, const struct zw_lab_server *server, const struct zw_lab_setup *setup)
{
	bool is_directive = setup->nginx->number >= LAB_VERSION(1, 25, 1);

	if (!server->tls_port)
		return;
	fprintf(file, "    listen 127.0.0.1:%u ssl%s;\n%s    ssl_certificate %s;\n    ssl_certificate_key %s;\n", server->tls_port,
		is_directive ? "" : " http2", is_directive ? "    http2 on;\n" : "", setup->certificate_path, setup->key_path);
	if (setup->nginx->number && setup->nginx->number < LAB_VERSION(1, 19, 7))
		fputs("    http2_max_requests 1000000000;\n", file);
}

/* Writes nginx.conf into the server's directory; false after a message. */
bool zw_lab_config_write(const struct zw_lab_server *server, const struct zw_lab_setup *setup)
{
	char *path = zw_tool_format("%s/nginx.conf", server->directory);
	FILE *file = fopen(path, "we");
	bool done;

	if (!file) {
		zw_tool_error("cannot write %s: %s", path, strerror(errno));
		free(path);
		return false;
	}
	write_head(file, server, setup);
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
	write_tls(file, server, setup);
	if (setup->article_config)
		fputs(setup->article_config, file);
	if (setup->include_path)
		fprintf(file, "    include %s;\n", setup->include_path);
	write_locations(file, setup);
	fputs("  }\n}\n", file);
	done = fclose(file) == 0;
	free(path);
	return done;
}
