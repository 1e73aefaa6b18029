/* SPDX-License-Identifier: Zlib */
/* watch.c - keeps twins right while files change.
 * Takes: open folders.  Gives: an exit code, when a signal comes.
 * Never: reads a file's bytes: this thread removes the twin of what has changed, others make the new one.
 *
 * A change of content is an event, and a twin older than that change goes at once.  How old both are is seen from their
 * ctime, which no program can set: a twin whose ctime is later, and whose time is the file's, was made of what is there.
 * A twin that is made meanwhile of what the file was before is removed by its maker, who looks at the file again after
 * the rename (one_file.c).
 *
 * Where events were lost (the kernel's queue is full) or there were none (a folder came), the names are walked: twins
 * that look older than their files are read, within half of --max-stale, or go unread.  Events are followed during the walk. */
#include "precompress/watch.h"

#include "common/tool.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

#define POLL_MS        200                       /* how soon a signal is seen at the latest */
#define EVENT_BYTES    ((size_t)256 << 10)
#define DRAIN_EVERY_NS 2000000                   /* events are read as often during a walk */
#define CONTENT_EVENTS (IN_CLOSE_WRITE | IN_MODIFY | IN_MOVED_TO | IN_CREATE)
#define GONE_EVENTS    (IN_MOVED_FROM | IN_DELETE)
#define FOLDER_MASK    (CONTENT_EVENTS | GONE_EVENTS | IN_ATTRIB | IN_ONLYDIR | IN_DONT_FOLLOW)

/* A folder that came, and is to be walked. */
struct arrival { struct arrival *next; struct zw_twin_dir *dir; char name[]; };

struct watch {
	const struct zw_twin_options *options;
	struct zw_watch_queue queue;
	int inotify_fd;
	char *events;
	struct zw_twin_dir **dirs;               /* by watch descriptor */
	size_t dir_room;
	bool is_first_walk;                      /* nothing is known yet: every twin is read, none goes unread */
	bool is_walk_due;                        /* events were lost */
	bool has_failed;
	int64_t deadline_ns;                     /* of the walk */
	int64_t drained_ns;
	struct arrival *arrivals, **arrivals_end;
};

static bool is_same_time(struct timespec a, struct timespec b)
{
	return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

static bool is_later(struct timespec a, struct timespec b)
{
	return a.tv_sec != b.tv_sec ? a.tv_sec > b.tv_sec : a.tv_nsec > b.tv_nsec;
}

/* Whether there is a twin of ours, and it may be of what the file was before. */
static bool is_suspect(const struct watch *watch, const struct zw_twin_dir *dir, const char *name)
{
	char twin[TWIN_NAME_MAX + sizeof TWIN_SUFFIX];
	struct stat old, source;

	if (strlen(name) > TWIN_NAME_MAX || !zw_types_has(&watch->options->types, name))
		return false;
	snprintf(twin, sizeof twin, "%s" TWIN_SUFFIX, name);
	if (fstatat(dir->fd, twin, &old, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(old.st_mode))
		return false;
	if (fstatat(dir->fd, name, &source, AT_SYMLINK_NOFOLLOW) != 0 || S_ISDIR(source.st_mode))
		return false;
	if (is_same_time(old.st_mtim, source.st_mtim) && is_later(old.st_ctim, source.st_ctim))
		return false;
	return zw_twin_is_in_shard(watch->options, dir, name, S_ISLNK(source.st_mode));
}

static bool has_twin(const struct zw_twin_dir *dir, const char *name)
{
	char *twin = zw_tool_format("%s" TWIN_SUFFIX, name);
	struct stat st;
	bool has_it = fstatat(dir->fd, twin, &st, AT_SYMLINK_NOFOLLOW) == 0;

	free(twin);
	return has_it;
}

/* With --prune the twin of a file that is gone goes with it: NGINX would still send it. */
static void remove_orphan(struct watch *watch, struct zw_twin_dir *dir, const char *name)
{
	struct stat st;

	if (watch->options->wishes.prune && zw_types_has(&watch->options->types, name) &&
	    fstatat(dir->fd, name, &st, AT_SYMLINK_NOFOLLOW) != 0 && errno == ENOENT && zw_twin_is_in_shard(watch->options, dir, name, false))
		zw_watch_remove(&watch->queue, dir, name);
}

static void handle_name(struct watch *watch, struct zw_twin_dir *dir, const struct inotify_event *event)
{
	size_t length = strlen(event->name), suffix = sizeof TWIN_SUFFIX - 1;
	char *name;

	if (zw_twin_is_temp(event->name))
		return;
	if (length <= suffix || strcmp(event->name + length - suffix, TWIN_SUFFIX) != 0) {
		if (!zw_types_has(&watch->options->types, event->name) && !has_twin(dir, event->name))
			return;                  /* NAME.new, which is written before it is renamed */
		if ((event->mask & CONTENT_EVENTS) && is_suspect(watch, dir, event->name))
			zw_watch_remove(&watch->queue, dir, event->name);
		if (event->mask & GONE_EVENTS)
			remove_orphan(watch, dir, event->name);
		zw_watch_build_later(&watch->queue, dir, event->name);
		return;
	}
	if (event->mask & IN_ATTRIB)             /* ours, when attributes are mended */
		return;
	name = zw_tool_format("%.*s", (int)(length - suffix), event->name);
	if ((event->mask & CONTENT_EVENTS) && is_suspect(watch, dir, name))      /* somebody else's twin */
		zw_watch_check_now(&watch->queue, dir, name, zw_clock_ns() + watch->options->max_stale_ns / 2);
	else
		zw_watch_build_later(&watch->queue, dir, name);
	free(name);
}

static void drain_events(struct watch *watch);

static void take_job(void *opaque, const struct zw_twin_job *job)
{
	struct watch *watch = opaque;

	if (job->kind == ZW_JOB_SOURCE && watch->is_first_walk && has_twin(job->dir, job->name))
		zw_watch_check_now(&watch->queue, job->dir, job->name, INT64_MAX);
	else if (job->kind == ZW_JOB_SOURCE && !watch->is_first_walk && is_suspect(watch, job->dir, job->name))
		zw_watch_check_now(&watch->queue, job->dir, job->name, watch->deadline_ns);
	else
		zw_watch_build_later(&watch->queue, job->dir, job->name);
	if (zw_clock_ns() - watch->drained_ns > DRAIN_EVERY_NS)
		drain_events(watch);
}

static void note_trouble(void *opaque, const char *path, int error)
{
	zw_twin_report_trouble(&((struct watch *)opaque)->queue.report, path, error);
}

/* Before its names are read, so that nothing happens unseen between the two. */
static void enter_folder(void *opaque, struct zw_twin_dir *dir)
{
	struct watch *watch = opaque;
	char path[64];
	int wd;

	snprintf(path, sizeof path, "/proc/self/fd/%d/.", dir->fd);
	wd = inotify_add_watch(watch->inotify_fd, path, FOLDER_MASK);
	if (wd < 0 && *dir->inner && (errno == ENOENT || errno == ENOTDIR))
		return;                          /* it is gone already */
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

/* Walks all of the folder, or what is below one name in it. */
static void walk(struct watch *watch, struct zw_twin_dir *dir, const char *below)
{
	struct zw_twin_sink sink = { take_job, enter_folder, note_trouble, watch };
	struct zw_twin_dir *start = below ? zw_twin_dir_below(watch->options, dir, below, &sink) : dir;

	if (!start)
		return;
	watch->deadline_ns = zw_clock_ns() + watch->options->max_stale_ns / 2;
	zw_watch_scanning(&watch->queue, true);
	zw_twin_walk(watch->options, start, &sink);
	zw_watch_scanning(&watch->queue, false);
	if (below)
		zw_twin_dir_release(start);
}

/* A folder that was moved away takes its watches along, perhaps out of the tree; one that was removed stays on the disk
 * while it is open. */
static void forget_below(struct watch *watch, const struct zw_twin_dir *dir, const char *name)
{
	char *prefix = zw_tool_format("%s%s/", dir->inner, name);
	size_t length = strlen(prefix);

	for (size_t wd = 0; wd < watch->dir_room; wd++)
		if (watch->dirs[wd] && watch->dirs[wd]->root_real == dir->root_real && strncmp(watch->dirs[wd]->inner, prefix, length) == 0)
			inotify_rm_watch(watch->inotify_fd, (int)wd);    /* IN_IGNORED follows */
	free(prefix);
}

/* Later: this may be called within a walk. */
static void note_arrival(struct watch *watch, struct zw_twin_dir *dir, const char *name)
{
	struct arrival *arrival = zw_tool_alloc(sizeof *arrival + strlen(name) + 1);

	atomic_fetch_add(&dir->users, 1);
	arrival->dir = dir;
	strcpy(arrival->name, name);
	*watch->arrivals_end = arrival;
	watch->arrivals_end = &arrival->next;
}

static struct arrival *next_arrival(struct watch *watch)
{
	struct arrival *arrival = watch->arrivals;

	if (arrival) {
		watch->arrivals = arrival->next;
		if (!arrival->next)
			watch->arrivals_end = &watch->arrivals;
	}
	return arrival;
}

static void walk_arrivals(struct watch *watch)
{
	struct arrival *arrival;

	while (!zw_interrupted() && !watch->is_walk_due && (arrival = next_arrival(watch)) != NULL) {
		walk(watch, arrival->dir, arrival->name);
		zw_twin_dir_release(arrival->dir);
		free(arrival);
	}
}

static void handle_event(struct watch *watch, const struct inotify_event *event)
{
	struct zw_twin_dir *dir = event->wd >= 0 && (size_t)event->wd < watch->dir_room ? watch->dirs[event->wd] : NULL;

	if (event->mask & IN_Q_OVERFLOW)
		watch->is_walk_due = true;
	if (!dir)
		return;
	if (event->mask & IN_IGNORED) {
		watch->dirs[event->wd] = NULL;
		zw_twin_dir_release(dir);
	} else if (!(event->mask & IN_ISDIR)) {
		if (event->len)
			handle_name(watch, dir, event);
	} else if (event->mask & GONE_EVENTS) {
		forget_below(watch, dir, event->name);
	} else if (event->mask & (IN_CREATE | IN_MOVED_TO)) {
		note_arrival(watch, dir, event->name);
	}
}

/* All that is there. */
static void drain_events(struct watch *watch)
{
	ssize_t n;

	while (!zw_interrupted() && (n = read(watch->inotify_fd, watch->events, EVENT_BYTES)) > 0) {
		for (ssize_t at = 0; at < n;) {
			const struct inotify_event *event = (const void *)(watch->events + at);

			handle_event(watch, event);
			at += (ssize_t)(sizeof *event + event->len);
		}
	}
	zw_watch_expire(&watch->queue);
	watch->drained_ns = zw_clock_ns();
}

static int wait_ms(int64_t until_ns)
{
	int64_t left_ns = until_ns == INT64_MAX ? INT64_MAX : until_ns - zw_clock_ns();

	if (left_ns > (int64_t)POLL_MS * 1000000)
		return POLL_MS;
	return left_ns > 0 ? (int)(left_ns / 1000000) + 1 : 0;
}

/* True if there is nothing left to watch in one of the folders. */
static bool is_gone(struct zw_twin_dir **roots, size_t root_count)
{
	struct stat st;

	for (size_t i = 0; i < root_count; i++) {
		if (fstat(roots[i]->fd, &st) == 0 && st.st_nlink > 0)
			continue;
		zw_tool_error("%s is gone", roots[i]->path);
		return true;
	}
	return false;
}

static void follow_events(struct watch *watch, struct zw_twin_dir **roots, size_t root_count)
{
	struct pollfd readable = { .fd = watch->inotify_fd, .events = POLLIN };

	watch->is_first_walk = true;
	watch->is_walk_due = true;
	while (!zw_interrupted() && !watch->has_failed) {
		if (watch->is_walk_due) {
			watch->is_walk_due = false;
			for (size_t i = 0; i < root_count; i++)
				walk(watch, roots[i], NULL);
			watch->is_first_walk = false;
		}
		walk_arrivals(watch);
		poll(&readable, 1, watch->is_walk_due ? 0 : wait_ms(zw_watch_expire(&watch->queue)));
		drain_events(watch);
		watch->has_failed |= is_gone(roots, root_count);
	}
}

static void free_watch(struct watch *watch)
{
	struct arrival *arrival;

	while ((arrival = next_arrival(watch)) != NULL) {
		zw_twin_dir_release(arrival->dir);
		free(arrival);
	}
	for (size_t i = 0; i < watch->dir_room; i++)
		if (watch->dirs[i])
			zw_twin_dir_release(watch->dirs[i]);
	free(watch->dirs);
	free(watch->events);
	close(watch->inotify_fd);
	free(watch);
}

/* Until SIGINT, SIGTERM or SIGHUP, which are its usual end. */
int zw_twin_watch(const struct zw_twin_options *options, struct zw_twin_dir **roots, size_t root_count)
{
	struct watch *watch = zw_tool_alloc(sizeof *watch);
	int code;

	watch->options = options;
	watch->events = zw_tool_alloc(EVENT_BYTES);
	watch->arrivals_end = &watch->arrivals;
	watch->inotify_fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	if (watch->inotify_fd < 0) {
		zw_tool_error("cannot watch: %s (raise fs.inotify.max_user_instances)", strerror(errno));
		free(watch->events);
		free(watch);
		return ZW_EXIT_CANNOT;
	}
	if (zw_watch_queue_start(&watch->queue, options)) {
		follow_events(watch, roots, root_count);
	} else {
		zw_tool_error("cannot start a thread");
		watch->has_failed = true;
	}
	zw_watch_queue_end(&watch->queue);
	code = watch->has_failed ? ZW_EXIT_CANNOT : ZW_EXIT_DONE;
	free_watch(watch);
	return code;
}
