/* SPDX-License-Identifier: Zlib */
/* watch.h - keeps twins right while files change.
 *
 *   watch.c: events, and walks when events are not enough -> watch_queue.c: what waits, and the threads that do it */
#ifndef ZW_TOOL_PRECOMPRESS_WATCH_H
#define ZW_TOOL_PRECOMPRESS_WATCH_H

#include "precompress/precompress.h"

#define WATCH_BUCKET_COUNT 65536

/* A file that is to be looked at. */
struct zw_watch_wait {
	struct zw_watch_wait *next, *previous, *chain;
	struct zw_twin_dir *dir;
	int64_t due_ns;                          /* to be built: not before; to be checked: its twin goes unread after */
	uint64_t hash;
	bool is_taken, is_expired;               /* of a check */
	char name[];
};

struct zw_watch_list { struct zw_watch_wait *head, *tail; };

struct zw_watch_queue {
	const struct zw_twin_options *options;
	struct zw_twin_gate gate;
	struct zw_twin_report report;
	pthread_mutex_t lock;
	pthread_cond_t has_work;
	struct zw_watch_list checks;             /* twins that may be stale: read before anything is built */
	struct zw_watch_list builds;             /* the rest, the oldest first */
	struct zw_watch_wait *buckets[WATCH_BUCKET_COUNT];       /* of the builds */
	bool is_scanning;                        /* nothing is built: there may be more to check */
	bool is_closing;
	pthread_t threads[TWIN_THREAD_MAX];
	unsigned started;
};

/* watch_queue.c */
bool zw_watch_queue_start(struct zw_watch_queue *queue, const struct zw_twin_options *options);
void zw_watch_queue_end(struct zw_watch_queue *queue);
void zw_watch_build_later(struct zw_watch_queue *queue, struct zw_twin_dir *dir, const char *name);
void zw_watch_check_now(struct zw_watch_queue *queue, struct zw_twin_dir *dir, const char *name, int64_t deadline_ns);
int64_t zw_watch_expire(struct zw_watch_queue *queue);
void zw_watch_scanning(struct zw_watch_queue *queue, bool is_scanning);
void zw_watch_remove(struct zw_watch_queue *queue, const struct zw_twin_dir *dir, const char *name);

/* watch.c */
int zw_twin_watch(const struct zw_twin_options *options, struct zw_twin_dir **roots, size_t root_count);

#endif
