/* SPDX-License-Identifier: Zlib */
/* run.c - one walker, threads that compute, threads that publish, and a short queue before each kind.
 * Takes: paths.  Gives: an exit code.
 * Never: has more jobs waiting than QUEUE_JOBS, or more to publish than QUEUE_LOOKS: memory and open files do not grow with the tree. */
#include "precompress/precompress.h"
#include "precompress/watch.h"

#include "common/tool.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#define QUEUE_JOBS 128
#define QUEUE_LOOKS 32                           /* three open files each */
#define LINK_ROUNDS 16                           /* a chain of links needs a round for each of its links at worst */

enum pass { PASS_FILES, PASS_LINKS };

/* Links that an earlier round has dealt with, by hash of their path. */
struct done_links { uint64_t *list; size_t count, sorted_count, room; };

struct run {
	const struct zw_twin_options *options;
	struct zw_twin_report report;
	struct zw_twin_progress progress;
	struct zw_twin_gate gate;
	struct zw_twin_job jobs[QUEUE_JOBS];
	size_t first, count, busy;               /* busy: taken, and not yet reported */
	struct zw_twin_look *looks[QUEUE_LOOKS]; /* to be published */
	size_t first_look, look_count;
	unsigned publishers;
	bool is_closing;
	enum pass pass;
	bool is_last_round;                      /* what needs nothing is reported now */
	uint64_t links_seen, links_changed;
	struct done_links done;
	pthread_mutex_t lock;
	pthread_cond_t has_job, has_room, has_look, is_idle;
};

static uint64_t link_key(const struct zw_twin_job *job)
{
	uint64_t hash = 0xcbf29ce484222325;      /* FNV-1a */

	for (const char *c = job->dir->path; *c; c++)
		hash = (hash ^ (uint8_t)*c) * 0x100000001b3;
	hash = (hash ^ '/') * 0x100000001b3;
	for (const char *c = job->name; *c; c++)
		hash = (hash ^ (uint8_t)*c) * 0x100000001b3;
	return hash;
}

static int by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static bool was_done(const struct done_links *done, uint64_t key)
{
	return done->sorted_count && bsearch(&key, done->list, done->sorted_count, sizeof key, by_value) != NULL;
}

static void note_done(struct done_links *done, uint64_t key)
{
	if (done->count == done->room) {
		done->room = done->room ? 2 * done->room : 64;
		done->list = zw_tool_grow(done->list, done->room * sizeof *done->list);
	}
	done->list[done->count++] = key;
}

/* A link's outcome counts once: when something was done, or in the last round. */
static bool is_to_be_reported(struct run *run, const struct zw_twin_job *job, const struct zw_twin_outcome *outcome)
{
	bool is_change = outcome->verdict.action == ZW_TWIN_LINK_IT || outcome->verdict.action == ZW_TWIN_REMOVE;
	uint64_t key;

	if (job->kind != ZW_JOB_LINK)
		return true;
	key = link_key(job);
	if (was_done(&run->done, key))
		return false;
	if (run->is_last_round)
		return true;
	if (is_change) {
		run->links_changed++;
		note_done(&run->done, key);
	}
	return is_change;
}

/* The lock is held, before and after. */
static void settle(struct run *run, const struct zw_twin_job *job, const struct zw_twin_outcome *outcome)
{
	bool tell = !zw_interrupted() && is_to_be_reported(run, job, outcome);

	pthread_mutex_unlock(&run->lock);
	if (tell)
		zw_twin_report_one(&run->report, job, outcome);
	zw_twin_dir_release(job->dir);
	pthread_mutex_lock(&run->lock);
	if (--run->busy == 0 && !run->count)
		pthread_cond_broadcast(&run->is_idle);
}

/* Leaves it to those who publish; false if there is none, or they have enough to do.  The lock is held. */
static bool hand_on(struct run *run, struct zw_twin_look *look)
{
	if (!run->publishers || run->look_count == QUEUE_LOOKS)
		return false;
	run->looks[(run->first_look + run->look_count++) % QUEUE_LOOKS] = look;
	pthread_cond_signal(&run->has_look);
	return true;
}

static void *publish_looks(void *opaque)
{
	struct run *run = opaque;
	struct zw_twin_worker worker;
	struct zw_twin_look *look;

	zw_twin_worker_init(&worker, run->options, &run->gate);
	pthread_mutex_lock(&run->lock);
	for (;;) {
		while (!run->look_count && !run->is_closing)
			pthread_cond_wait(&run->has_look, &run->lock);
		if (!run->look_count)
			break;
		look = run->looks[run->first_look];
		run->first_look = (run->first_look + 1) % QUEUE_LOOKS;
		run->look_count--;
		pthread_mutex_unlock(&run->lock);
		zw_twin_finish(look, &worker);
		pthread_mutex_lock(&run->lock);
		settle(run, &look->job, &look->outcome);
		free(look);
	}
	pthread_mutex_unlock(&run->lock);
	return NULL;
}

static void *work(void *opaque)
{
	struct run *run = opaque;
	struct zw_twin_worker worker;
	struct zw_twin_look *look = zw_tool_alloc(sizeof *look);
	struct zw_twin_job job;
	bool is_pending;

	zw_twin_worker_init(&worker, run->options, &run->gate);
	pthread_mutex_lock(&run->lock);
	for (;;) {
		while (!run->count && !run->is_closing)
			pthread_cond_wait(&run->has_job, &run->lock);
		if (!run->count)
			break;
		job = run->jobs[run->first];
		run->first = (run->first + 1) % QUEUE_JOBS;
		run->count--;
		run->busy++;
		pthread_cond_signal(&run->has_room);
		pthread_mutex_unlock(&run->lock);
		is_pending = !zw_interrupted() && zw_twin_begin(look, &worker, &job);
		pthread_mutex_lock(&run->lock);
		if (is_pending && hand_on(run, look)) {
			look = zw_tool_alloc(sizeof *look);
			continue;
		}
		if (is_pending) {
			pthread_mutex_unlock(&run->lock);
			zw_twin_finish(look, &worker);
			pthread_mutex_lock(&run->lock);
		}
		settle(run, &job, &look->outcome);
	}
	pthread_mutex_unlock(&run->lock);
	free(look);
	return NULL;
}

static void take_job(void *opaque, const struct zw_twin_job *job)
{
	struct run *run = opaque;

	if (job->kind == ZW_JOB_LINK)
		run->links_seen++;
	if ((job->kind == ZW_JOB_LINK) != (run->pass == PASS_LINKS))
		return;
	atomic_fetch_add(&job->dir->users, 1);
	pthread_mutex_lock(&run->lock);
	while (run->count == QUEUE_JOBS)
		pthread_cond_wait(&run->has_room, &run->lock);
	run->jobs[(run->first + run->count++) % QUEUE_JOBS] = *job;
	pthread_cond_signal(&run->has_job);
	pthread_mutex_unlock(&run->lock);
}

static void note_trouble(void *opaque, const char *path, int error)
{
	struct run *run = opaque;

	if (run->pass == PASS_FILES)
		zw_twin_report_trouble(&run->report, path, error);
}

static void wait_for_idle(struct run *run)
{
	pthread_mutex_lock(&run->lock);
	while (run->count || run->busy)
		pthread_cond_wait(&run->is_idle, &run->lock);
	pthread_mutex_unlock(&run->lock);
}

static void walk_all(struct run *run, struct zw_twin_dir **roots, size_t root_count)
{
	struct zw_twin_sink sink = { .take = take_job, .fail = note_trouble, .opaque = run };

	for (size_t i = 0; i < root_count && !zw_interrupted(); i++)
		zw_twin_walk(run->options, roots[i], &sink);
	wait_for_idle(run);
}

/* Links come after files, since they lead to twins of files; and again until nothing changes, since they lead to links. */
static void walk_links(struct run *run, struct zw_twin_dir **roots, size_t root_count)
{
	if (!run->links_seen)
		return;
	run->pass = PASS_LINKS;
	for (int round = 0; round < LINK_ROUNDS && !zw_interrupted() && !run->options->check && !run->options->dry_run; round++) {
		run->links_changed = 0;
		walk_all(run, roots, root_count);
		if (run->done.count)
			qsort(run->done.list, run->done.count, sizeof *run->done.list, by_value);
		run->done.sorted_count = run->done.count;
		if (!run->links_changed)
			break;
	}
	run->is_last_round = true;
	walk_all(run, roots, root_count);
}

static void raise_file_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
		limit.rlim_cur = limit.rlim_max;
		setrlimit(RLIMIT_NOFILE, &limit);
	}
}

/* As many as can be had. */
static unsigned start_threads(pthread_t *threads, unsigned wanted, void *(*body)(void *), struct run *run)
{
	unsigned started = 0;

	while (started < wanted && started < TWIN_THREAD_MAX && pthread_create(&threads[started], NULL, body, run) == 0)
		started++;
	return started;
}

static int run_with_threads(struct run *run, struct zw_twin_dir **roots, size_t root_count)
{
	const struct zw_twin_options *options = run->options;
	const bool waits_for_disk = !options->check && !options->dry_run && !options->no_sync;
	pthread_t workers[TWIN_THREAD_MAX], publishers[TWIN_THREAD_MAX];
	unsigned started;

	pthread_mutex_lock(&run->lock);          /* they begin when it is known who publishes */
	started = start_threads(workers, options->threads, work, run);
	run->publishers = waits_for_disk ? start_threads(publishers, started * TWIN_LANES, publish_looks, run) : 0;
	pthread_mutex_unlock(&run->lock);
	if (started) {
		zw_twin_progress_begin(&run->progress, &run->report, roots, root_count);
		walk_all(run, roots, root_count);
		walk_links(run, roots, root_count);
		zw_twin_progress_end(&run->progress);
	}
	pthread_mutex_lock(&run->lock);
	run->is_closing = true;
	pthread_cond_broadcast(&run->has_job);
	pthread_cond_broadcast(&run->has_look);
	pthread_mutex_unlock(&run->lock);
	for (unsigned i = 0; i < started; i++)
		pthread_join(workers[i], NULL);
	for (unsigned i = 0; i < run->publishers; i++)
		pthread_join(publishers[i], NULL);
	if (started)
		return zw_twin_report_end(&run->report);
	zw_tool_error("cannot start a thread: try --threads 1, or raise the limit of processes");
	return ZW_EXIT_CANNOT;
}

static int run_once(const struct zw_twin_options *options, struct zw_twin_dir **roots, size_t root_count)
{
	struct run *run = zw_tool_alloc(sizeof *run);
	int code = ZW_EXIT_CANNOT;

	run->options = options;
	zw_twin_gate_init(&run->gate, options->threads);
	pthread_mutex_init(&run->lock, NULL);
	pthread_cond_init(&run->has_job, NULL);
	pthread_cond_init(&run->has_room, NULL);
	pthread_cond_init(&run->has_look, NULL);
	pthread_cond_init(&run->is_idle, NULL);
	if (zw_twin_report_begin(&run->report, options))
		code = run_with_threads(run, roots, root_count);
	zw_twin_gate_free(&run->gate);
	free(run->done.list);
	free(run);
	return code;
}

int zw_twin_run(const struct zw_twin_options *options, char **paths, size_t path_count)
{
	struct zw_twin_dir *roots[TWIN_ROOT_MAX];
	size_t count = 0;
	int code = ZW_EXIT_DONE;

	raise_file_limit();
	for (; count < path_count; count++) {
		roots[count] = zw_twin_dir_open(paths[count]);
		if (!roots[count]) {
			zw_tool_error("cannot open the folder %s: %s", paths[count], strerror(errno));
			code = ZW_EXIT_CANNOT;
			break;
		}
	}
	if (code == ZW_EXIT_DONE && options->watch)
		code = zw_twin_watch(options, roots, count);
	else if (code == ZW_EXIT_DONE)
		code = run_once(options, roots, count);
	while (count)
		zw_twin_dir_release(roots[--count]);
	return code;
}
