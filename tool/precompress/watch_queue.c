/* SPDX-License-Identifier: Zlib */
/* watch_queue.c - files that wait to be looked at while the tree is watched, and the threads that do it.
 * Takes: names, from the thread that reads events.  Gives: twins.
 * Never: builds while a twin that may be stale waits to be read.
 *
 * A check reads a twin's file and removes the twin if it holds something else.  When a check's deadline passes before a
 * thread has come to it, the twin goes unread: what is removed in vain is built again, what is served in vain is wrong. */
#include "precompress/watch.h"

#include "common/tool.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#define SETTLE_MS 50                             /* a file that was written is built when nothing has happened to it for so long */
#define BUILD_NICE 5
#define TELL_NS 1000000000                       /* twins that were stale for too long are told of once in this time */

static uint64_t hash_wait(const struct zw_twin_dir *dir, const char *name)
{
	uint64_t hash = 0xcbf29ce484222325 ^ (uint64_t)(uintptr_t)dir;   /* FNV-1a */

	for (; *name; name++)
		hash = (hash ^ (uint8_t)*name) * 0x100000001b3;
	return hash ^ hash >> 29;
}

static struct zw_watch_wait **find_chain(struct zw_watch_queue *queue, const struct zw_twin_dir *dir, const char *name, uint64_t hash)
{
	struct zw_watch_wait **place = &queue->buckets[hash % WATCH_BUCKET_COUNT];

	while (*place && ((*place)->hash != hash || (*place)->dir != dir || strcmp((*place)->name, name) != 0))
		place = &(*place)->chain;
	return place;
}

static void unlink_wait(struct zw_watch_list *list, struct zw_watch_wait *wait)
{
	*(wait->previous ? &wait->previous->next : &list->head) = wait->next;
	*(wait->next ? &wait->next->previous : &list->tail) = wait->previous;
}

static void append_wait(struct zw_watch_list *list, struct zw_watch_wait *wait)
{
	wait->next = NULL;
	wait->previous = list->tail;
	*(list->tail ? &list->tail->next : &list->head) = wait;
	list->tail = wait;
}

static void prepend_wait(struct zw_watch_list *list, struct zw_watch_wait *wait)
{
	wait->previous = NULL;
	wait->next = list->head;
	*(list->head ? &list->head->previous : &list->tail) = wait;
	list->head = wait;
}

static struct zw_watch_wait *new_wait(struct zw_twin_dir *dir, const char *name)
{
	struct zw_watch_wait *wait = zw_tool_alloc(sizeof *wait + strlen(name) + 1);

	atomic_fetch_add(&dir->users, 1);
	wait->dir = dir;
	strcpy(wait->name, name);
	return wait;
}

static void free_wait(struct zw_watch_wait *wait)
{
	zw_twin_dir_release(wait->dir);
	free(wait);
}

/* Looks at it when it has been still; if it waits already, from now on. */
void zw_watch_build_later(struct zw_watch_queue *queue, struct zw_twin_dir *dir, const char *name)
{
	uint64_t hash = hash_wait(dir, name);
	struct zw_watch_wait **place, *wait;

	pthread_mutex_lock(&queue->lock);
	place = find_chain(queue, dir, name, hash);
	wait = *place;
	if (wait) {
		unlink_wait(&queue->builds, wait);
	} else {
		wait = new_wait(dir, name);
		wait->hash = hash;
		*place = wait;
	}
	wait->due_ns = zw_clock_ns() + (int64_t)SETTLE_MS * 1000000;
	append_wait(&queue->builds, wait);
	pthread_cond_signal(&queue->has_work);
	pthread_mutex_unlock(&queue->lock);
}

/* Reads it before anything is built.  INT64_MAX: it is not known to be stale, so it stays until it has been read.  Those
 * with a deadline stand at the head. */
void zw_watch_check_now(struct zw_watch_queue *queue, struct zw_twin_dir *dir, const char *name, int64_t deadline_ns)
{
	struct zw_watch_wait *wait = new_wait(dir, name);

	wait->due_ns = deadline_ns;
	pthread_mutex_lock(&queue->lock);
	if (deadline_ns == INT64_MAX)
		append_wait(&queue->checks, wait);
	else
		prepend_wait(&queue->checks, wait);
	pthread_cond_signal(&queue->has_work);
	pthread_mutex_unlock(&queue->lock);
}

void zw_watch_scanning(struct zw_watch_queue *queue, bool is_scanning)
{
	pthread_mutex_lock(&queue->lock);
	queue->is_scanning = is_scanning;
	pthread_cond_broadcast(&queue->has_work);
	pthread_mutex_unlock(&queue->lock);
}

static int64_t age_ns(struct timespec since)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return ((int64_t)now.tv_sec - since.tv_sec) * 1000000000 + now.tv_nsec - since.tv_nsec;
}

static void __attribute__((format(printf, 3, 4))) tell(const struct zw_twin_dir *dir, const char *name, const char *format, ...)
{
	char *path = zw_tool_format("%s/%s", dir->path, name), *shown = zw_twin_printable(path), *text = NULL;
	va_list args;

	va_start(args, format);
	if (vasprintf(&text, format, args) >= 0)
		zw_tool_error("%s: %s", shown, text);
	va_end(args);
	free(text);
	free(shown);
	free(path);
}

/* A promise that was not kept is told of, but not a thousand times. */
static void tell_of_delay(const struct zw_watch_queue *queue, const struct zw_twin_dir *dir, const char *name, int64_t stale_ns)
{
	static _Atomic int64_t told_ns;
	int64_t now_ns = zw_clock_ns(), before_ns = told_ns;

	if (stale_ns <= queue->options->max_stale_ns || now_ns - before_ns < TELL_NS ||
	    !atomic_compare_exchange_strong(&told_ns, &before_ns, now_ns))
		return;
	tell(dir, name, "changed %.1f s before its twin could be removed, longer than --max-stale", (double)stale_ns / 1e9);
}

/* Removes the twin of a file that has changed since. */
void zw_watch_remove(struct zw_watch_queue *queue, const struct zw_twin_dir *dir, const char *name)
{
	char *twin = zw_tool_format("%s" TWIN_SUFFIX, name);
	struct stat source, old;
	bool is_known = fstatat(dir->fd, name, &source, AT_SYMLINK_NOFOLLOW) == 0 && fstatat(dir->fd, twin, &old, AT_SYMLINK_NOFOLLOW) == 0;

	if (unlinkat(dir->fd, twin, 0) == 0) {
		if (is_known && age_ns(source.st_ctim) < age_ns(old.st_ctim))
			tell_of_delay(queue, dir, name, age_ns(source.st_ctim));
	} else if (errno != ENOENT) {
		tell(dir, twin, "the stale twin cannot be removed: %s", strerror(errno));
	}
	free(twin);
}

/* Checks whose time is over: their twins go unread, also of those that a thread has taken and not finished.  Returns when
 * the next one is over, INT64_MAX for never. */
int64_t zw_watch_expire(struct zw_watch_queue *queue)
{
	int64_t now_ns = zw_clock_ns(), next_ns = INT64_MAX;
	struct zw_watch_wait *wait, *next;

	pthread_mutex_lock(&queue->lock);
	for (wait = queue->checks.head; wait && wait->due_ns != INT64_MAX; wait = next) {
		next = wait->next;
		if (wait->is_expired)
			continue;
		if (wait->due_ns > now_ns) {
			next_ns = wait->due_ns < next_ns ? wait->due_ns : next_ns;
			continue;
		}
		zw_watch_remove(queue, wait->dir, wait->name);
		wait->is_expired = true;         /* the thread that takes it finds no twin, and leaves it to be built */
	}
	pthread_mutex_unlock(&queue->lock);
	return next_ns;
}

/* The lock is held. */
static struct zw_watch_wait *find_check(struct zw_watch_queue *queue)
{
	struct zw_watch_wait *wait = queue->checks.head;

	while (wait && wait->is_taken)
		wait = wait->next;
	return wait;
}

/* A check, or the first build that is due, taken out; NULL when closing.  The lock is held. */
static struct zw_watch_wait *take_wait(struct zw_watch_queue *queue, bool *is_check_ret)
{
	while (!queue->is_closing) {
		struct zw_watch_wait *wait = find_check(queue);
		bool may_build = !queue->is_scanning && !queue->checks.head;
		int64_t left_ns;
		struct timespec until;

		*is_check_ret = wait != NULL;
		if (wait) {
			wait->is_taken = true;
			return wait;
		}
		wait = may_build ? queue->builds.head : NULL;
		if (!wait) {
			pthread_cond_wait(&queue->has_work, &queue->lock);
			continue;
		}
		left_ns = wait->due_ns - zw_clock_ns();
		if (left_ns <= 0) {
			unlink_wait(&queue->builds, wait);
			*find_chain(queue, wait->dir, wait->name, wait->hash) = wait->chain;
			return wait;
		}
		clock_gettime(CLOCK_MONOTONIC, &until);
		until.tv_nsec += (long)left_ns;          /* below SETTLE_MS */
		until.tv_sec += until.tv_nsec / 1000000000;
		until.tv_nsec %= 1000000000;
		pthread_cond_timedwait(&queue->has_work, &queue->lock, &until);
	}
	return NULL;
}

static void look_now(struct zw_watch_queue *queue, struct zw_twin_worker *worker, const struct zw_watch_wait *wait)
{
	struct zw_twin_job job = { .dir = wait->dir, .kind = ZW_JOB_ORPHAN };
	struct zw_twin_look look;
	struct stat st;

	if (strlen(wait->name) > TWIN_NAME_MAX)
		return;
	strcpy(job.name, wait->name);
	if (fstatat(wait->dir->fd, wait->name, &st, AT_SYMLINK_NOFOLLOW) == 0) {
		if (!S_ISREG(st.st_mode) && !S_ISLNK(st.st_mode))
			return;
		job.kind = S_ISLNK(st.st_mode) ? ZW_JOB_LINK : ZW_JOB_SOURCE;
	}
	if (!zw_twin_is_in_shard(queue->options, wait->dir, wait->name, job.kind == ZW_JOB_LINK))
		return;
	if (zw_twin_begin(&look, worker, &job))
		zw_twin_finish(&look, worker);
	if (look.outcome.is_deferred || look.outcome.verdict.reason == ZW_WHY_CHANGING)
		zw_watch_build_later(queue, wait->dir, wait->name);
	else if (look.outcome.verdict.reason != ZW_WHY_VANISHED)
		zw_twin_report_one(&queue->report, &job, &look.outcome);
	fflush(stdout);
}

static void *work(void *opaque)
{
	struct zw_watch_queue *queue = opaque;
	struct zw_twin_worker worker;
	struct zw_watch_wait *wait;
	bool is_check;

	setpriority(PRIO_PROCESS, 0, getpriority(PRIO_PROCESS, 0) + BUILD_NICE); /* of this thread: removing and serving go first */
	zw_twin_worker_init(&worker, queue->options, &queue->gate);
	pthread_mutex_lock(&queue->lock);
	while ((wait = take_wait(queue, &is_check)) != NULL) {
		pthread_mutex_unlock(&queue->lock);
		worker.only_check = is_check;
		look_now(queue, &worker, wait);
		pthread_mutex_lock(&queue->lock);
		if (is_check) {
			unlink_wait(&queue->checks, wait);
			if (!queue->checks.head)
				pthread_cond_broadcast(&queue->has_work);
		}
		free_wait(wait);
	}
	pthread_mutex_unlock(&queue->lock);
	return NULL;
}

bool zw_watch_queue_start(struct zw_watch_queue *queue, const struct zw_twin_options *options)
{
	unsigned lanes = options->threads * TWIN_LANES;
	pthread_condattr_t monotonic;

	queue->options = options;
	pthread_mutex_init(&queue->lock, NULL);
	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_cond_init(&queue->has_work, &monotonic);
	pthread_condattr_destroy(&monotonic);
	zw_twin_gate_init(&queue->gate, options->threads);
	zw_twin_report_begin(&queue->report, options);
	while (queue->started < lanes && queue->started < TWIN_THREAD_MAX &&
	       pthread_create(&queue->threads[queue->started], NULL, work, queue) == 0)
		queue->started++;
	return queue->started > 0;
}

static void free_list(struct zw_watch_list *list)
{
	while (list->head) {
		struct zw_watch_wait *wait = list->head;

		unlink_wait(list, wait);
		free_wait(wait);
	}
}

/* What is being done is finished, what waits is dropped. */
void zw_watch_queue_end(struct zw_watch_queue *queue)
{
	pthread_mutex_lock(&queue->lock);
	queue->is_closing = true;
	pthread_cond_broadcast(&queue->has_work);
	pthread_mutex_unlock(&queue->lock);
	while (queue->started)
		pthread_join(queue->threads[--queue->started], NULL);
	free_list(&queue->checks);
	free_list(&queue->builds);
	zw_twin_gate_free(&queue->gate);
}
