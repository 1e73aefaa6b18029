/* SPDX-License-Identifier: Zlib */
/* lab.h - what zwire lab is asked to do, the pieces it does it with, and what it found. */
#ifndef ZW_TOOL_LAB_LAB_H
#define ZW_TOOL_LAB_LAB_H

#include "bench/payloads.h"
#include "bench/worker.h"

#define LAB_ROUND_MAX_COUNT 100
#define LAB_ALERT_BYTES     160

#define LAB_LEVEL_MAX 9

enum zw_lab_arm_kind { LAB_ARM_OFF, LAB_ARM_LEVEL, LAB_ARM_GUNZIP, LAB_ARM_STATIC };

/* One way of serving a body; each is a location of the same server. */
struct zw_lab_arm {
	enum zw_lab_arm_kind kind;
	int  level;                              /* LAB_ARM_LEVEL: gzip_comp_level */
	char name[16], location[16];
	bool asks_gzip;                          /* the client sends Accept-Encoding: gzip */
	bool gives_gzip;                         /* and then the answer must be Content-Encoding: gzip */
	bool needs_library;                      /* NGINX calls the libz for each response */
	bool is_for_incompressible;
};

struct zw_lab_arms {
	struct zw_lab_arm list[LAB_LEVEL_MAX + 3];
	size_t count;
};

/* The NGINX that is installed (nginx_binary.c). */
struct zw_lab_nginx {
	char *path;
	char  version[64];                       /* nginx/1.22.1 */
	char *configure;                         /* everything that nginx -V prints */
	bool  takes_error_log;                   /* -e, since 1.19.5 */
	bool  has_gunzip, has_static;
};

void zw_lab_arms_make(struct zw_lab_arms *arms, const struct zw_lab_nginx *nginx, const bool levels[LAB_LEVEL_MAX + 1]);
bool zw_lab_nginx_find(struct zw_lab_nginx *nginx, const char *path);
void zw_lab_nginx_free(struct zw_lab_nginx *nginx);
char *zw_lab_find_program(const char *name);

/* One master with one worker on one libz (server.c). */
struct zw_lab_server {
	const struct zw_library *library;
	char *directory;                         /* all its files are in here */
	pid_t master, worker;
	unsigned port;
};

bool zw_lab_server_start(struct zw_lab_server *server, const struct zw_lab_nginx *nginx, const struct zw_lab_arms *arms,
			 const struct zw_library *library, const char *lab_directory, int cpu);
void zw_lab_server_stop(struct zw_lab_server *server);
unsigned zw_lab_server_alerts(const struct zw_lab_server *server, char first_ret[static LAB_ALERT_BYTES]);
int64_t zw_lab_server_cpu_ns(const struct zw_lab_server *server);
char *zw_lab_server_url(const struct zw_lab_server *server, const struct zw_lab_arm *arm, const char *body_name);

/* One request with every byte looked at (probe.c). */
struct zw_lab_answer {
	long status;
	char content_encoding[32], vary[64], content_type[64];
	struct zw_blob body;                     /* as it came: not decoded */
	size_t header_bytes;
};

bool zw_lab_probe(const char *url, bool asks_gzip, struct zw_lab_answer *answer_ret);

/* Many requests (load.c). */
struct zw_lab_load {
	double   requests, seconds, bytes;
	unsigned error_count;                    /* connections, reads, writes, timeouts, and statuses other than 2xx and 3xx */
	double   p50_ms, p95_ms, p99_ms;
	double   client_cpu_seconds;
};

struct zw_lab_loader { char *wrk_path, *script_path; unsigned seconds, connections; int cpu; };

bool zw_lab_loader_make(struct zw_lab_loader *loader, const char *lab_directory);
bool zw_lab_load_run(const struct zw_lab_loader *loader, const char *url, bool asks_gzip, struct zw_lab_load *load_ret);
void zw_lab_loader_free(struct zw_lab_loader *loader);

struct zw_lab_plan {
	struct zw_libraries libraries;
	struct zw_payloads  payloads;
	struct zw_lab_nginx nginx;
	struct zw_lab_arms  arms;
	bool     levels[LAB_LEVEL_MAX + 1];
	bool     is_quick;
	unsigned seconds, round_count, connections;     /* 0 rounds or seconds: as is_quick wants */
};

/* What is measured in each round. */
enum zw_lab_series { LAB_REQUESTS_PER_S, LAB_CPU_US, LAB_P50_MS, LAB_P95_MS, LAB_P99_MS, LAB_SERVER_BUSY, LAB_CLIENT_BUSY,
		     LAB_SERIES_COUNT };

/* One arm, one body, one library. */
struct zw_lab_cell {
	size_t  arm, payload, library;
	size_t  body_bytes;                      /* on the wire, without header and chunk sizes */
	char    content_encoding[32], vary[64];
	size_t  round_count;
	double *series[LAB_SERIES_COUNT];        /* round_count values each */
};

struct zw_lab_result {
	struct zw_lab_cell *cells;               /* libraries of one body and arm lie side by side */
	size_t   count;
	struct zw_cpus cpus;
	unsigned alerts[LIBRARY_MAX_COUNT];
	char     first_alerts[LIBRARY_MAX_COUNT][LAB_ALERT_BYTES];
	char     versions[LIBRARY_MAX_COUNT][96];
	unsigned seconds, round_count, connections;
};

int  zw_lab_run(const struct zw_lab_plan *plan, struct zw_lab_result *result_ret);
void zw_lab_print(const struct zw_lab_plan *plan, const struct zw_lab_result *result);
bool zw_lab_save(const struct zw_lab_plan *plan, const struct zw_lab_result *result, const char *path);
void zw_lab_result_free(struct zw_lab_result *result);

#endif
