/* SPDX-License-Identifier: Zlib */
/* watch.c - keeps twins right while files change.
 * Takes: open folders.  Gives: an exit code, when a signal comes.
 * Never: compresses in the thread that reads events: it removes a stale twin at once, and others make the new one.
 *
 * A change is an event; a stale twin goes before anything else is done with it. The file is compressed when nothing has
 * happened to it for SETTLE_MS. A twin that was made meanwhile of what the file was before is removed by the event that
 * follows, or by its maker, who looks at the file once more after the rename (one_file.c). */
#include "precompress/watch.h"

#include "common/tool.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <time.h>
#include <unistd.h>

#define SETTLE_MS      50
#define POLL_MS        200                       /* how soon a signal is seen at the latest */
#define EVENT_BYTES    ((size_t)256 << 10)
#define BUCKET_COUNT   65536
#define DIRECTORY_MASK (IN_CLOSE_WRITE | IN_MODIFY | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_CREATE | IN_ATTRIB | IN_ONLYDIR | IN_DONT_FOLLOW)

/* A file that is to be looked at.  The oldest is at the head. */
struct wait {
	struct wait *next, *previous, *chain;
	struct zw_twin_dir *dir;
	int64_t due_ns;
	uint64_t hash;
	char name[];
};

struct watch {
	const struct zw_twin_options *options;
	struct zw_twin_gate gate;
	struct zw_twin_report report;
	struct zw_twin_worker looker;            /* the event thread's */
	int inotify_fd;
	struct zw_twin_dir **dirs;               /* by watch descriptor */
	size_t dir_room;
	bool look_first;                         /* while scanning: remove what is stale now */
	bool has_failed;
	struct wait *head, *tail, *buckets[BUCKET_COUNT];
	pthread_mutex_t lock;
	pthread_cond_t has_wait;
	bool is_closing;
};

static uint64_t hash_wait(const struct zw_twin_dir *dir, const char *name)
{
	uint64_t hash = 0xcbf29ce484222325 ^ (uint64_t)(uintptr_t)dir;   /* FNV-1a */

	for (; *name; name++)
		hash = (hash ^ (uint8_t)*name) * 0x100000001b3;
	return hash ^ hash >> 29;
}

static struct wait **find_chain(struct watch *watch, const struct zw_twin_dir *dir, const char *name, uint64_t hash)
{
	struct wait **place = &watch->buckets[hash % BUCKET_COUNT];

	while (*place && ((*place)->hash != hash || (*place)->dir != dir || strcmp((*place)->name, name) != 0))
		place = &(*place)->chain;
	return place;
}

static void unlink_wait(struct watch *watch, struct wait *wait)
{
	*(wait->previous ? &wait->previous->next : &watch->head) = wait->next;
	*(wait->next ? &wait->next->previous : &watch->tail) = wait->previous;
}

static void append_wait(struct watch *watch, struct wait *wait)
{
	wait->next = NULL;
	wait->previous = watch->tail;
	*(watch->tail ? &watch->tail->next : &watch->head) = wait;
	watch->tail = wait;
}

/* Looks at it later; if it waits already, from now on. */
static void look_later(struct watch *watch, struct zw_twin_dir *dir, const char *name)
{
	uint64_t hash = hash_wait(dir, name);
	struct wait **place, *wait;

	pthread_mutex_lock(&watch->lock);
	place = find_chain(watch, dir, name, hash);
	wait = *place;
	if (wait) {
		unlink_wait(watch, wait);
	} else {
		wait = zw_tool_alloc(sizeof *wait + strlen(name) + 1);
		atomic_fetch_add(&dir->users, 1);
		wait->dir = dir;
		wait->hash = hash;
		strcpy(wait->name, name);
		*place = wait;
	}
	wait->due_ns = zw_clock_ns() + (int64_t)SETTLE_MS * 1000000;
	append_wait(watch, wait);
	pthread_cond_signal(&watch->has_wait);
	pthread_mutex_unlock(&watch->lock);
}

/* The first that is due, taken out; NULL when closing.  The lock is held. */
static struct wait *take_wait(struct watch *watch)
{
	while (!watch->is_closing) {
		struct wait *wait = watch->head;
		int64_t left_ns = wait ? wait->due_ns - zw_clock_ns() : 0;
		struct timespec until;

		if (wait && left_ns <= 0) {
			unlink_wait(watch, wait);
			*find_chain(watch, wait->dir, wait->name, wait->hash) = wait->chain;
			return wait;
		}
		if (!wait) {
			pthread_cond_wait(&watch->has_wait, &watch->lock);
			continue;
		}
		clock_gettime(CLOCK_MONOTONIC, &until);
		until.tv_nsec += (long)left_ns;          /* below SETTLE_MS */
		until.tv_sec += until.tv_nsec / 1000000000;
		until.tv_nsec %= 1000000000;
		pthread_cond_timedwait(&watch->has_wait, &watch->lock, &until);
	}
	return NULL;
}

static void look_now(struct watch *watch, struct zw_twin_worker *worker, const struct wait *wait)
{
	struct zw_twin_job job = { .dir = wait->dir, .kind = ZW_JOB_ORPHAN };
	struct zw_twin_outcome outcome;
	struct stat st;

	if (strlen(wait->name) > TWIN_NAME_MAX)
		return;
	strcpy(job.name, wait->name);
	if (fstatat(wait->dir->fd, wait->name, &st, AT_SYMLINK_NOFOLLOW) == 0) {
		if (!S_ISREG(st.st_mode) && !S_ISLNK(st.st_mode))
			return;
		job.kind = S_ISLNK(st.st_mode) ? ZW_JOB_LINK : ZW_JOB_SOURCE;
	}
	if (!zw_twin_is_in_shard(watch->options, wait->dir, wait->name, job.kind == ZW_JOB_LINK))
		return;
	zw_twin_do(worker, &job, &outcome);
	if (outcome.verdict.reason == ZW_WHY_CHANGING)
		look_later(watch, wait->dir, wait->name);
	else if (outcome.verdict.reason != ZW_WHY_VANISHED)
		zw_twin_report_one(&watch->report, &job, &outcome);
	fflush(stdout);
}

static void *build(void *opaque)
{
	struct watch *watch = opaque;
	struct zw_twin_worker worker;
	struct wait *wait;

	zw_twin_worker_init(&worker, watch->options, &watch->gate);
	pthread_mutex_lock(&watch->lock);
	while ((wait = take_wait(watch)) != NULL) {
		pthread_mutex_unlock(&watch->lock);
		look_now(watch, &worker, wait);
		zw_twin_dir_release(wait->dir);
		free(wait);
		pthread_mutex_lock(&watch->lock);
	}
	pthread_mutex_unlock(&watch->lock);
	zw_twin_worker_free(&worker);
	return NULL;
}

/* Whether the twin that is there holds what the file holds now.  A large file is not read for that: it has changed. */
static bool is_still_right(struct watch *watch, struct zw_twin_dir *dir, const char *name, const char *twin)
{
	struct zw_twin_source source;
	const char *format;
	bool is_right = false;

	if (zw_twin_source_open(dir, name, true, &source) == 0 && S_ISREG(source.st.st_mode) &&
	    (uint64_t)source.st.st_size <= WHOLE_MAX_BYTES && zw_twin_source_read(&watch->looker, &source, &format) == 0)
		is_right = zw_twin_leads_right(dir, twin, &source);
	if (source.fd >= 0)
		close(source.fd);
	return is_right;
}

/* First remove, then rebuild.  A twin without a file is left to the makers, who know about --prune. */
static void remove_if_stale(struct watch *watch, struct zw_twin_dir *dir, const char *name, bool has_changed)
{
	char twin[TWIN_NAME_MAX + sizeof TWIN_SUFFIX];
	struct stat st;

	if (!zw_types_has(&watch->options->types, name) || strlen(name) > TWIN_NAME_MAX)
		return;
	snprintf(twin, sizeof twin, "%s" TWIN_SUFFIX, name);
	if (fstatat(dir->fd, twin, &st, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(st.st_mode))
		return;
	if (fstatat(dir->fd, name, &st, AT_SYMLINK_NOFOLLOW) != 0 || S_ISDIR(st.st_mode))
		return;
	if (!zw_twin_is_in_shard(watch->options, dir, name, S_ISLNK(st.st_mode)))
		return;
	if (has_changed || !is_still_right(watch, dir, name, twin))
		unlinkat(dir->fd, twin, 0);
}

static void take_job(void *opaque, const struct zw_twin_job *job)
{
	struct watch *watch = opaque;

	if (watch->look_first)
		remove_if_stale(watch, job->dir, job->name, false);
	look_later(watch, job->dir, job->name);
}

static void note_trouble(void *opaque, const char *path, int error)
{
	zw_twin_report_trouble(&((struct watch *)opaque)->report, path, error);
}

/* Before its names are read, so that nothing happens unseen between the two. */
static void enter_folder(void *opaque, struct zw_twin_dir *dir)
{
	struct watch *watch = opaque;
	char path[64];
	int wd;

	snprintf(path, sizeof path, "/proc/self/fd/%d/.", dir->fd);
	wd = inotify_add_watch(watch->inotify_fd, path, DIRECTORY_MASK);
	if (wd < 0) {
		zw_tool_error("cannot watch %s: %s%s", dir->path, strerror(errno),
			      errno == ENOSPC ? " (raise fs.inotify.max_user_watches)" : "");
		watch->has_failed = true;
		return;
	}
	if ((size_t)wd >= watch->dir_room) {
		size_t room = 2 * (size_t)wd + 64;

		watch->dirs = zw_tool_grow(watch->dirs, room * sizeof *watch->dirs);
		memset(watch->dirs + watch->dir_room, 0, (room - watch->dir_room) * sizeof *watch->dirs);
		watch->dir_room = room;
	}
	atomic_fetch_add(&dir->users, 1);
	if (watch->dirs[wd])                     /* watched already, perhaps under another name */
		zw_twin_dir_release(watch->dirs[wd]);
	watch->dirs[wd] = dir;
}

static void scan(struct watch *watch, struct zw_twin_dir **roots, size_t root_count)
{
	struct zw_twin_sink sink = { take_job, enter_folder, note_trouble, watch };

	for (size_t i = 0; i < root_count; i++)
		zw_twin_walk(watch->options, roots[i], &sink);
}

static void handle_name(struct watch *watch, struct zw_twin_dir *dir, const struct inotify_event *event)
{
	size_t length = strlen(event->name), suffix = sizeof TWIN_SUFFIX - 1;
	char *name;

	if (zw_twin_is_temp(event->name))
		return;
	if (length <= suffix || strcmp(event->name + length - suffix, TWIN_SUFFIX) != 0) {
		remove_if_stale(watch, dir, event->name, (event->mask & IN_MODIFY) != 0);
		look_later(watch, dir, event->name);
		return;
	}
	if (event->mask & IN_ATTRIB)             /* ours, when attributes are mended */
		return;
	name = zw_tool_format("%.*s", (int)(length - suffix), event->name);
	remove_if_stale(watch, dir, name, false);
	look_later(watch, dir, name);
	free(name);
}

/* True: the tree must be scanned again. */
static bool handle_event(struct watch *watch, const struct inotify_event *event)
{
	struct zw_twin_dir *dir = event->wd >= 0 && (size_t)event->wd < watch->dir_room ? watch->dirs[event->wd] : NULL;

	if (event->mask & IN_Q_OVERFLOW)
		return true;
	if (!dir)
		return false;
	if (event->mask & IN_IGNORED) {
		watch->dirs[event->wd] = NULL;
		zw_twin_dir_release(dir);
		return false;
	}
	if (event->mask & IN_ISDIR)              /* a folder came, or has another name now */
		return (event->mask & (IN_CREATE | IN_MOVED_TO)) != 0;
	if (event->len)
		handle_name(watch, dir, event);
	return false;
}

static void follow_events(struct watch *watch, struct zw_twin_dir **roots, size_t root_count)
{
	char *events = zw_tool_alloc(EVENT_BYTES);
	struct pollfd readable = { .fd = watch->inotify_fd, .events = POLLIN };

	watch->look_first = true;
	while (!zw_interrupted() && !watch->has_failed) {
		bool is_scan_due = false;
		ssize_t n;

		if (poll(&readable, 1, POLL_MS) <= 0)
			continue;
		n = read(watch->inotify_fd, events, EVENT_BYTES);
		for (ssize_t at = 0; at < n;) {
			const struct inotify_event *event = (const void *)(events + at);

			is_scan_due |= handle_event(watch, event);
			at += (ssize_t)(sizeof *event + event->len);
		}
		if (is_scan_due)
			scan(watch, roots, root_count);
	}
	free(events);
}

static void free_watch(struct watch *watch)
{
	while (watch->head) {
		struct wait *wait = watch->head;

		unlink_wait(watch, wait);
		zw_twin_dir_release(wait->dir);
		free(wait);
	}
	for (size_t i = 0; i < watch->dir_room; i++)
		if (watch->dirs[i])
			zw_twin_dir_release(watch->dirs[i]);
	free(watch->dirs);
	zw_twin_worker_free(&watch->looker);
	zw_twin_gate_free(&watch->gate);
	close(watch->inotify_fd);
	free(watch);
}

static void run_builders(struct watch *watch, struct zw_twin_dir **roots, size_t root_count)
{
	pthread_t threads[TWIN_THREAD_MAX];
	unsigned started = 0, lanes = watch->options->threads * TWIN_LANES;

	while (started < lanes && started < TWIN_THREAD_MAX && pthread_create(&threads[started], NULL, build, watch) == 0)
		started++;
	if (started) {
		scan(watch, roots, root_count);
		follow_events(watch, roots, root_count);
	} else {
		zw_tool_error("cannot start a thread");
		watch->has_failed = true;
	}
	pthread_mutex_lock(&watch->lock);
	watch->is_closing = true;
	pthread_cond_broadcast(&watch->has_wait);
	pthread_mutex_unlock(&watch->lock);
	while (started)
		pthread_join(threads[--started], NULL);
}

/* Until SIGINT, SIGTERM or SIGHUP, which are its usual end. */
int zw_twin_watch(const struct zw_twin_options *options, struct zw_twin_dir **roots, size_t root_count)
{
	struct watch *watch = zw_tool_alloc(sizeof *watch);
	pthread_condattr_t monotonic;
	int code;

	watch->options = options;
	watch->inotify_fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	if (watch->inotify_fd < 0) {
		zw_tool_error("cannot watch: %s (raise fs.inotify.max_user_instances)", strerror(errno));
		free(watch);
		return ZW_EXIT_CANNOT;
	}
	pthread_mutex_init(&watch->lock, NULL);
	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_cond_init(&watch->has_wait, &monotonic);
	pthread_condattr_destroy(&monotonic);
	zw_twin_gate_init(&watch->gate, options->threads);
	zw_twin_worker_init(&watch->looker, options, &watch->gate);
	zw_twin_report_begin(&watch->report, options);
	run_builders(watch, roots, root_count);
	code = watch->has_failed ? ZW_EXIT_CANNOT : ZW_EXIT_DONE;
	free_watch(watch);
	return code;
}
