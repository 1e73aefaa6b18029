/* SPDX-License-Identifier: Zlib */
/* precompress.h - zwire precompress: what its files share.
 *
 *   walk.c -> queue (run.c) -> one_file.c: facts.c, decide.c, body.c, publish.c -> report.c
 *
 * Every name is used relative to an open folder, and no symbolic link is followed on the way down, so a tree that changes
 * under the walk cannot lead it, or a write, out of the tree. */
#ifndef ZW_TOOL_PRECOMPRESS_PRECOMPRESS_H
#define ZW_TOOL_PRECOMPRESS_PRECOMPRESS_H

#include "precompress/decide.h"
#include "precompress/types.h"

#include "zwire.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/stat.h>

#define TWIN_SUFFIX ".gz"
#define TWIN_NAME_MAX 255                        /* NAME_MAX of every Linux file system that matters */
#define WHOLE_MAX_BYTES ((uint64_t)4 << 20)      /* larger files are compressed from and to the disk */
#define TWIN_THREAD_MAX 256
#define TWIN_ROOT_MAX 256

struct zw_twin_options {
	struct zw_twin_wishes wishes;
	struct zw_types types;
	int level;
	unsigned threads;
	unsigned shard, shard_count;             /* shard 1..shard_count */
	bool check, dry_run;                     /* neither writes */
	bool verbose, quiet;
	bool decode_all;                         /* --verify: decode twins that look right */
	bool no_sync, one_file_system;
	bool watch;
	int64_t max_stale_ns;                    /* --watch: how long a twin may be served after its file changed */
	const char *json_path;
};

/* An open folder; the last job that uses it closes it. */
struct zw_twin_dir {
	int fd;
	dev_t device;
	uint64_t mount_id;                       /* 0: not known, or nobody wants to know */
	atomic_uint users;
	char *path;                              /* as it is told to people: the argument and what is below it */
	char *inner;                             /* below the argument, "" or ending in '/': what shards are made of */
	char *root_real;                         /* the argument's absolute path, links resolved; borrowed */
};

enum zw_twin_job_kind { ZW_JOB_SOURCE, ZW_JOB_ORPHAN, ZW_JOB_LINK };

struct zw_twin_job {
	struct zw_twin_dir *dir;
	enum zw_twin_job_kind kind;
	bool has_brotli;                         /* NAME.br is there; it is left alone */
	char name[TWIN_NAME_MAX + 1];            /* the source's */
};

struct zw_twin_outcome {
	struct zw_twin_verdict verdict;
	uint64_t source_bytes, twin_bytes;       /* twin_bytes: after the act, or as it would be; 0: none */
	uint64_t old_bytes;                      /* of the twin that was there */
	uint32_t crc;
	bool has_crc;
	int error;                               /* errno, or 0 */
	const char *doing;                       /* what was being done when it failed */
	const char *format;                      /* of ZW_WHY_COMPRESSED */
	bool is_deferred;                        /* it is to be made, but worker->only_check was set */
};

struct zw_twin_counts {
	uint64_t files, action[ZW_TWIN_ACTION_COUNT], problems, failures;
	uint64_t source_bytes, twin_bytes;       /* of the files that have a twin now */
	uint64_t read_bytes;                     /* of everything that was looked at */
	uint64_t brotli;
	uint64_t done_files, done_units;         /* of the listed types; a unit: zw_twin_units() */
};

/* What NGINX sends uncompressed and would shrink, by extension. */
#define TWIN_UNCOVERED_MAX 128
struct zw_twin_uncovered { const char *extension, *type; uint64_t files, bytes; };

struct zw_twin_report {
	const struct zw_twin_options *options;
	pthread_mutex_t lock;
	struct zw_twin_counts counts;
	FILE *json;
	bool json_has_entry, json_failed;
	int64_t start_ns;
	struct zw_twin_uncovered uncovered[TWIN_UNCOVERED_MAX];
	size_t uncovered_count;
};

/* progress.c */
struct zw_twin_progress {
	struct zw_twin_report *report;           /* NULL: nobody watches */
	struct zw_twin_dir **roots;
	size_t root_count;
	struct zw_twin_options walk_options;
	pthread_t counter, shower;
	bool has_counter, has_shower;
	pthread_mutex_t lock;
	pthread_cond_t is_done;
	bool is_over, is_counted;
	uint64_t total_files, total_units;       /* once is_counted */
	uint64_t shown_units;
	int64_t shown_ns;
	double rate;                             /* units a second, of late */
};

/* Threads that wait for the disk need no CPU.  So there are TWIN_LANES of them for each CPU that may be used, and as many
 * slots as CPUs: whoever computes has one, with all memory that computing needs.  A run has threads of each kind: one that computes
 * hands on what is to be published, and keeps its CPU. */
#define TWIN_LANES 8

/* What is kept from file to file.  Allocated when it is first needed. */
struct zw_twin_slot {
	void *block;                             /* the compressor's */
	size_t block_bytes;
	bool is_lent;
	uint8_t *in, *out;                       /* a file as it is, and compressed */
	size_t in_room, out_room;
	uint8_t *piece;                          /* of a file that is read in pieces */
	uint8_t *proof;
};

struct zw_twin_gate {
	pthread_mutex_t lock;
	pthread_cond_t has_slot;
	struct zw_twin_slot slots[TWIN_THREAD_MAX];
	struct zw_twin_slot *idle[TWIN_THREAD_MAX];
	unsigned slot_count, idle_count;
};

/* One thread. */
struct zw_twin_worker {
	const struct zw_twin_options *options;
	struct zw_twin_gate *gate;
	struct zw_twin_slot *slot;               /* NULL while it waits for the disk */
	bool only_check;                         /* remove what is stale, and make nothing */
	struct zwire_allocator allocator;
};

/* The source as it was read. */
struct zw_twin_source {
	int fd;
	struct stat st;
	uint32_t crc;
	bool is_whole;                           /* all of it is in worker->slot->in */
};

/* The twin as it is there. */
struct zw_twin_old {
	int fd;                                  /* -1: none, or not to be read */
	struct stat st;
};

/* facts.c */
int  zw_twin_source_open(struct zw_twin_worker *worker, const struct zw_twin_dir *dir, const char *name, bool follow,
			 struct zw_twin_source *source);
int  zw_twin_source_read(struct zw_twin_worker *worker, struct zw_twin_source *source, const char **format_ret);
bool zw_twin_source_is_same(const struct zw_twin_source *source, const struct zw_twin_dir *dir, const char *name);
void zw_twin_old_read(struct zw_twin_worker *worker, const struct zw_twin_dir *dir, const char *name, const struct zw_twin_source *source,
		      bool decode, struct zw_twin_old *old, struct zw_twin_facts *facts);
bool zw_twin_leads_right(const struct zw_twin_dir *dir, const char *name, const struct zw_twin_source *source,
			 int *error_ret);
mode_t zw_twin_mode(const struct stat *source, gid_t gid);

/* body.c */
void zw_twin_worker_init(struct zw_twin_worker *worker, const struct zw_twin_options *options, struct zw_twin_gate *gate);
int  zw_twin_compress(struct zw_twin_worker *worker, const struct zw_twin_source *source, int to_fd, uint64_t *bytes_ret);
int  zw_twin_prove(struct zw_twin_worker *worker, const struct zw_twin_source *source, int twin_fd, uint64_t twin_bytes);

/* publish.c */
struct zw_twin_temp { int fd; char name[64]; };

int  zw_twin_temp_make(const struct zw_twin_dir *dir, struct zw_twin_temp *temp);
void zw_twin_temp_drop(const struct zw_twin_dir *dir, struct zw_twin_temp *temp);
int  zw_twin_publish(const struct zw_twin_dir *dir, struct zw_twin_temp *temp, const char *twin_name,
		     const struct zw_twin_source *source, const char *source_name, bool sync);
int  zw_twin_adjust(const struct zw_twin_old *old, const struct zw_twin_source *source);
int  zw_twin_link(const struct zw_twin_dir *dir, const char *twin_name, const char *text);
int  zw_twin_write_all(int fd, const void *data, size_t bytes);
bool zw_twin_is_temp(const char *name);
bool zw_twin_temp_clean(int dir_fd, const char *name);

/* one_file.c */

/* All that is known of one file while it is dealt with.  For others: job, outcome. */
struct zw_twin_look {
	struct zw_twin_job job;
	struct zw_twin_outcome outcome;
	struct zw_twin_worker *worker;
	enum zw_twin_job_kind kind;              /* the job's, or what the file has become since */
	char twin[TWIN_NAME_MAX + sizeof TWIN_SUFFIX];
	struct zw_twin_facts facts;
	struct zw_twin_source source;
	struct zw_twin_old old;
	struct zw_twin_temp temp;                /* when is_pending: to be published */
	int  tries;
	bool may_write;
	bool is_pending;
	bool published;                          /* we made the twin that is there, in this or an earlier look */
};

bool zw_twin_begin(struct zw_twin_look *look, struct zw_twin_worker *worker, const struct zw_twin_job *job);
void zw_twin_finish(struct zw_twin_look *look, struct zw_twin_worker *worker);

/* walk.c */
struct zw_twin_sink {
	void (*take)(void *opaque, const struct zw_twin_job *job);
	void (*enter)(void *opaque, struct zw_twin_dir *dir);      /* before a folder's names are read; may be NULL */
	void (*fail)(void *opaque, const char *path, int error);
	void *opaque;
};

struct zw_twin_dir *zw_twin_dir_open(const char *path);
struct zw_twin_dir *zw_twin_dir_below(const struct zw_twin_options *options, struct zw_twin_dir *dir, const char *name,
				      const struct zw_twin_sink *sink);
void zw_twin_dir_release(struct zw_twin_dir *dir);
void zw_twin_walk(const struct zw_twin_options *options, struct zw_twin_dir *root, const struct zw_twin_sink *sink);
void zw_twin_walk_names(const struct zw_twin_options *options, struct zw_twin_dir *dir, const struct zw_twin_sink *sink);
bool zw_twin_is_in_shard(const struct zw_twin_options *options, const struct zw_twin_dir *dir, const char *name, bool is_link);

/* gate.c */
void zw_twin_gate_init(struct zw_twin_gate *gate, unsigned slots);
void zw_twin_gate_free(struct zw_twin_gate *gate);
void zw_twin_gate_enter(struct zw_twin_worker *worker);
void zw_twin_gate_leave(struct zw_twin_worker *worker);

/* progress.c */
uint64_t zw_twin_units(uint64_t bytes);
void zw_twin_progress_text(char *text, size_t room, const struct zw_twin_counts *counts, uint64_t total_files, double seconds, double left_s);
void zw_twin_progress_begin(struct zw_twin_progress *progress, struct zw_twin_report *report, struct zw_twin_dir **roots, size_t root_count);
void zw_twin_progress_end(struct zw_twin_progress *progress);

/* run.c */
int  zw_twin_run(const struct zw_twin_options *options, char **paths, size_t path_count);

/* report.c */
char *zw_twin_printable(const char *text);
bool zw_twin_report_begin(struct zw_twin_report *report, const struct zw_twin_options *options);
void zw_twin_report_one(struct zw_twin_report *report, const struct zw_twin_job *job, const struct zw_twin_outcome *outcome);
void zw_twin_report_trouble(struct zw_twin_report *report, const char *path, int error);
int  zw_twin_report_end(struct zw_twin_report *report);

#endif
