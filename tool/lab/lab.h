/* SPDX-License-Identifier: Zlib */
/* lab.h - what zwire lab is asked to do, the pieces it does it with, and what it found. */
#ifndef ZW_TOOL_LAB_LAB_H
#define ZW_TOOL_LAB_LAB_H

#include "bench/payloads.h"
#include "bench/worker.h"
#include "common/probe.h"

#define LAB_ROUND_MAX_COUNT 100
#define LAB_ALERT_BYTES     160

#define LAB_REASON_BYTES    320

#define LAB_LEVEL_MAX 9
#define LAB_MIN_LENGTH_BYTES 20              /* gzip_min_length of our configuration, which is NGINX's default too */

#define LAB_WORKER_MAX_COUNT 64

enum zw_lab_arm_kind { LAB_ARM_OFF, LAB_ARM_LEVEL, LAB_ARM_GUNZIP, LAB_ARM_STATIC, LAB_ARM_MODULE };
enum zw_lab_client { LAB_CLIENT_WRK, LAB_CLIENT_WRK_CLOSE, LAB_CLIENT_AB, LAB_CLIENT_H2 };      /* ab speaks HTTP/1.0; HTTP/2 is over TLS */

/* What a body is there to show; arms name the roles that they are measured with. */
enum zw_lab_role { LAB_ROLE_MAIN = 1, LAB_ROLE_NOISE = 2, LAB_ROLE_SMALL = 4, LAB_ROLE_INDEX = 8, LAB_ROLE_MIX = 16 };

/* One way of serving a body; each is a location of the same server, which arms that differ in the client alone share. */
struct zw_lab_arm {
	enum zw_lab_arm_kind kind;
	enum zw_lab_client client;
	int  level;                              /* LAB_ARM_LEVEL: gzip_comp_level */
	bool takes_http10;                       /* gzip_http_version 1.0 */
	bool is_trap;                            /* shows a set-up that does not compress: its proof must fail */
	bool asks_gzip;                          /* the client sends Accept-Encoding: gzip */
	bool gives_gzip;                         /* and then the answer must be Content-Encoding: gzip */
	bool needs_library;                      /* NGINX calls the libz for each response */
	unsigned roles;                          /* of the bodies that it is measured with */
	char name[32], location[16];
};

#define LAB_ARM_MAX_COUNT 40

struct zw_lab_arms {
	struct zw_lab_arm list[LAB_ARM_MAX_COUNT];
	size_t count;
};

/* The NGINX that is installed (nginx_binary.c). */
struct zw_lab_nginx {
	char *path;
	char  version[64];                       /* nginx/1.22.1 */
	char *configure;                         /* everything that nginx -V prints */
	unsigned number;                         /* 1022001 for 1.22.1; 0 if it is not known */
	bool  has_gunzip, has_static, has_h2;    /* has_h2: TLS and HTTP/2 */
};

#define LAB_VERSION(major, minor, patch) ((major) * 1000000u + (minor) * 1000u + (patch))

struct zw_lab_plan;
void zw_lab_arms_make(struct zw_lab_plan *plan);
bool zw_lab_arm_expects_gzip(const struct zw_lab_plan *plan, const struct zw_lab_arm *arm, const struct zw_payload *payload);
struct zw_lab_arm *zw_lab_arms_add(struct zw_lab_arms *arms, enum zw_lab_arm_kind kind, int level);
struct zw_lab_arm *zw_lab_arms_add_client(struct zw_lab_arms *arms, size_t like, enum zw_lab_client client, unsigned roles);
bool zw_lab_nginx_find(struct zw_lab_nginx *nginx, const char *path);
void zw_lab_nginx_free(struct zw_lab_nginx *nginx);
char *zw_lab_find_program(const char *name);

/* One master with its workers on one libz (server.c). */
struct zw_lab_server {
	const struct zw_library *library;
	char *directory;                         /* all its files are in here */
	pid_t master, workers[LAB_WORKER_MAX_COUNT];
	unsigned worker_count;
	unsigned port, slow_port, tls_port;      /* slow_port: small buffers in the kernel, for slow.c; tls_port: 0 for none */
	char  broken[LAB_REASON_BYTES];          /* why it cannot be measured; empty if it can */
};

/* What all servers have in common. */
struct zw_lab_setup {
	const struct zw_lab_nginx *nginx;
	const struct zw_lab_arms  *arms;
	const char *lab_directory;
	const char *include_path;                /* a fragment for the server block; NULL for none */
	const char *article_config;              /* likewise, of --article; NULL for none */
	const char *module_path;                 /* NULL for none */
	const char *certificate_path, *key_path; /* NULL for no TLS */
	unsigned worker_count;
	struct zw_cpus cpus;
};

bool zw_lab_config_write(const struct zw_lab_server *server, const struct zw_lab_setup *setup);
bool zw_lab_server_start(struct zw_lab_server *server, const struct zw_lab_setup *setup, const struct zw_library *library);
bool zw_lab_server_revive(struct zw_lab_server *server);
bool zw_lab_server_renew(struct zw_lab_server *server);
void zw_lab_server_stop(struct zw_lab_server *server);
unsigned zw_lab_server_alerts(const struct zw_lab_server *server, char first_ret[static LAB_ALERT_BYTES]);
char *zw_lab_url_escape(const char *name);
char *zw_lab_server_url(const struct zw_lab_server *server, const struct zw_lab_arm *arm, const char *body_name);
bool zw_lab_module_try(const struct zw_lab_nginx *nginx, const char *module_path, const char *lab_directory,
		       char reason_ret[static LAB_REASON_BYTES]);
bool zw_lab_certificate_make(const char *lab_directory, char **certificate_ret, char **key_ret);

/* What a process has used (usage.c). */
struct zw_lab_usage { int64_t cpu_ns, cpu_ticks; };

/* Of all workers together. */
bool zw_lab_usage_read(const struct zw_lab_server *server, struct zw_lab_usage *usage_ret);
void zw_lab_peak_forget(const struct zw_lab_server *server);
long zw_lab_peak_kb(const struct zw_lab_server *server);

/* Many requests (load.c). */
struct zw_lab_load {
	double   requests, seconds, bytes;
	unsigned error_count;                    /* connections, reads, writes, timeouts, and statuses other than 2xx and 3xx */
	double   p50_ms, p95_ms, p99_ms;
	double   client_cpu_seconds;
	double   late_share;                     /* at a rate: of the requests, those that no connection was free for when they were due */
};

struct zw_lab_loader {
	char *wrk_path, *ab_path, *h2load_path;  /* the last two: NULL if there is none */
	char *script_path, *mix_path, *rate_path, *log_path;
	unsigned seconds, connections, thread_count;
	struct zw_cpus cpus;
};

/* What is asked for: one URL, or the files of the mix under it in turns; as fast as it is answered, or at a rate. */
struct zw_lab_target {
	const char *url;
	const struct zw_lab_arm *arm;
	bool   is_mix;
	double rate_per_s;                       /* 0: as fast as it is answered */
	unsigned seconds;
};

bool zw_lab_loader_make(struct zw_lab_loader *loader, const struct zw_lab_plan *plan, const char *lab_directory);
bool zw_lab_load_run(const struct zw_lab_loader *loader, const struct zw_lab_target *target, struct zw_lab_load *load_ret);
bool zw_lab_load_read_ab(const char *text, struct zw_lab_load *load_ret);
bool zw_lab_load_read_wrk(const char *text, struct zw_lab_load *load_ret);
bool zw_lab_load_read_h2load(const char *text, struct zw_lab_load *load_ret);
bool zw_lab_load_read_log(const char *path, struct zw_lab_load *load_ret);
void zw_lab_loader_free(struct zw_lab_loader *loader);

/* Tidies up after a lab that was killed (janitor.c). */
struct zw_lab_janitor { pid_t pid; int fd; };

bool zw_lab_janitor_start(struct zw_lab_janitor *janitor, const char *directory);
void zw_lab_janitor_stop(struct zw_lab_janitor *janitor);

/* Clients that ask and do not read (slow.c). */
bool zw_lab_slow_run(const struct zw_lab_server *server, const char *url_path, unsigned client_count, long *idle_kb_ret,
		     long *peak_kb_ret);

#define LAB_NO_MIX ((size_t)-1)
#define LAB_ABSENT_MAX_COUNT 4

struct zw_lab_article;

struct zw_lab_plan {
	struct zw_libraries libraries;
	struct zw_payloads  payloads;            /* what is measured; the mix has no bytes of its own */
	struct zw_payloads  more;                /* what is in the mix only */
	size_t   mix;                            /* the mix among payloads, or LAB_NO_MIX */
	bool     is_own_content;
	const struct zw_lab_article *article;    /* NULL for none */
	char    *module_path;                    /* NULL for none */
	char    *absent[LAB_ABSENT_MAX_COUNT];   /* what is not measured here at all, and why */
	size_t   absent_count;
	unsigned worker_count;
	struct zw_lab_nginx nginx;
	struct zw_lab_arms  arms;
	char    *include_path;                   /* absolute; NULL for none */
	bool     levels[LAB_LEVEL_MAX + 1];
	bool     is_quick;
	unsigned seconds, round_count, connections;     /* 0 rounds or seconds: as is_quick wants */
	unsigned within_seconds;                 /* 0: as is_quick wants */
};

void zw_lab_plan_absent(struct zw_lab_plan *plan, char *what);

/* The files that are asked for in rotation (mix.c). */
void zw_lab_mix_add(struct zw_lab_plan *plan);
size_t zw_lab_mix_count(const struct zw_lab_plan *plan);
const struct zw_payload *zw_lab_mix_member(const struct zw_lab_plan *plan, size_t number);
bool zw_lab_mix_write(const struct zw_lab_plan *plan, const char *path, const char *tail);

/* What is measured in each round. */
enum zw_lab_series { LAB_REQUESTS_PER_S, LAB_CPU_US, LAB_CPU_TICKS_US, LAB_PEAK_KB, LAB_P50_MS, LAB_P95_MS, LAB_P99_MS, LAB_SERVER_BUSY, LAB_CLIENT_BUSY,
		     LAB_SERIES_COUNT };

/* One arm, one body, one library. */
struct zw_lab_cell {
	size_t  arm, payload, library;
	char    refused[LAB_REASON_BYTES];       /* why it was not measured; empty if it was */
	size_t  body_bytes;                      /* on the wire, without header and chunk sizes */
	char    content_encoding[32], content_type[64], vary[64];
	size_t  round_count;
	double *series[LAB_SERIES_COUNT];        /* round_count values each */
};

/* The memory of a worker that many slow clients keep waiting. */
struct zw_lab_memory { size_t arm, library; unsigned client_count; long idle_kb, peak_kb; };

/* Latency at a rate that every library of the group can serve. */
enum zw_lab_rate_series { LAB_RATE_ACHIEVED, LAB_RATE_P50_MS, LAB_RATE_P95_MS, LAB_RATE_P99_MS, LAB_RATE_CPU_US, LAB_RATE_LATE,
			  LAB_RATE_SERIES_COUNT };

#define LAB_RATE_ROUND_COUNT 2
#define LAB_RATE_CONNECTIONS 64u             /* so many may be under way before one is late */

struct zw_lab_rate {
	size_t cell;                             /* whose arm, body and library it is */
	double rate_per_s;
	size_t round_count;
	double series[LAB_RATE_SERIES_COUNT][LAB_RATE_ROUND_COUNT];
	char   refused[LAB_REASON_BYTES];
};

extern const char *const zw_lab_rate_names[LAB_RATE_SERIES_COUNT];

struct zw_lab_result {
	struct zw_lab_cell *cells;               /* libraries of one body and arm lie side by side */
	size_t   count;
	struct zw_lab_memory *memory;
	size_t   memory_count, slow_body;
	struct zw_lab_rate *rates;
	size_t   rate_count;
	double   noise[2][LAB_SERIES_COUNT], ratio_noise[2][LAB_SERIES_COUNT];      /* figures.c */
	char     module_state[LAB_REASON_BYTES];
	struct zw_cpus cpus;
	unsigned alerts[LIBRARY_MAX_COUNT];
	char     first_alerts[LIBRARY_MAX_COUNT][LAB_ALERT_BYTES];
	char     versions[LIBRARY_MAX_COUNT][96];
	char     broken[LIBRARY_MAX_COUNT][LAB_REASON_BYTES];    /* why a library could not be measured at all */
	char     mapped[LIBRARY_MAX_COUNT][LAB_REASON_BYTES];    /* what its NGINX worker had mapped */
	unsigned seconds, round_count, connections, worker_count;
};

/* The proofs (proof.c).  workers: NULL pid where there is none. */
bool zw_lab_prove(const struct zw_lab_plan *plan, struct zw_worker *workers, const struct zw_lab_server *server,
		  struct zw_lab_cell *cell);
enum zw_lab_role zw_lab_role_of(const struct zw_lab_plan *plan, size_t payload);

/* The user's own bodies (own_bodies.c). */
bool zw_lab_is_packed(const char *name);
bool zw_lab_fetch(struct zw_payloads *payloads, const char *list_path);
bool zw_lab_take_root(struct zw_lab_plan *plan, const char *root);
bool zw_lab_keep_largest(struct zw_lab_plan *plan, size_t count_max);

bool zw_lab_content_put(const char *directory, const struct zw_lab_plan *plan, struct zw_worker *maker);

extern const char *const zw_lab_series_names[LAB_SERIES_COUNT];
bool zw_lab_is_measured(const struct zw_lab_cell *cell);
void zw_lab_noise_find(const struct zw_lab_plan *plan, struct zw_lab_result *result);
struct zw_spread zw_lab_spread(const struct zw_lab_plan *plan, const struct zw_lab_result *result, const struct zw_lab_cell *cell,
			       enum zw_lab_series series);
double zw_lab_median(const struct zw_lab_cell *cell, enum zw_lab_series series);
const struct zw_lab_cell *zw_lab_first_of(const struct zw_lab_result *result, const struct zw_lab_cell *cell);
struct zw_spread zw_lab_ratio_spread(const struct zw_lab_plan *plan, const struct zw_lab_result *result,
				     const struct zw_lab_cell *cell, enum zw_lab_series series);
double zw_lab_ratio_to_first(const struct zw_lab_result *result, const struct zw_lab_cell *cell, enum zw_lab_series series);
const char *zw_lab_limit_of(const struct zw_lab_cell *cell);

int  zw_lab_run(const struct zw_lab_plan *plan, struct zw_lab_result *result_ret);
void zw_lab_print(const struct zw_lab_plan *plan, const struct zw_lab_result *result);
void zw_lab_result_free(struct zw_lab_result *result);

#endif
