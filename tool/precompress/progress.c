/* SPDX-License-Identifier: Zlib */
/* progress.c - what somebody at a terminal sees while a run lasts: how far it is, and how long it will take.
 * Takes: the report's counts.  Gives: one line that is written over.
 * Never: delays a run: it is a thread of its own, which first walks the tree to know how much there is. */
#include "precompress/precompress.h"

#include "common/tool.h"

#include <fcntl.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#define AFTER_NS  1000000000                     /* shorter work needs no progress */
#define EVERY_NS  250000000
#define RATE_NS   5000000000                     /* the rate that the time left is made of is that of about so long */

/* What a file costs beside its bytes, in bytes: opening, fsync, rename. */
#define FILE_UNITS 2048

uint64_t zw_twin_units(uint64_t bytes) { return bytes + FILE_UNITS; }

/* h:mm:ss or m:ss */
static void put_duration(char text[static 32], double seconds)
{
	unsigned long left = seconds < 1e7 ? (unsigned long)(seconds + 0.5) : 9999999;

	if (left >= 3600)
		snprintf(text, 32, "%lu:%02lu:%02lu", left / 3600, left / 60 % 60, left % 60);
	else
		snprintf(text, 32, "%lu:%02lu", left / 60, left % 60);
}

/* Pure.  The text without an end: what it says about the total and the time left only if those are known (0: not). */
void zw_twin_progress_text(char *text, size_t room, const struct zw_twin_counts *counts, uint64_t total_files, double seconds, double left_s)
{
	char files[32], total[48] = "", from[32], to[32], left[48] = "", duration[32];
	double saved = counts->source_bytes ? 100 - 100 * (double)counts->twin_bytes / (double)counts->source_bytes : 0;

	if (total_files) {
		zw_tool_thousands(total_files, files);
		snprintf(total, sizeof total, " of %s", files);
	}
	if (left_s > 0) {
		put_duration(duration, left_s);
		snprintf(left, sizeof left, ", %s left", duration);
	}
	snprintf(text, room, "%s%s files, %s -> %s bytes (%.1f %% saved), %.1f MB/s%s", zw_tool_thousands(counts->done_files, files), total,
		 zw_tool_thousands(counts->source_bytes, from), zw_tool_thousands(counts->twin_bytes, to), saved,
		 seconds > 0 ? (double)counts->read_bytes / 1e6 / seconds : 0, left);
}

static void count_job(void *opaque, const struct zw_twin_job *job)
{
	struct zw_twin_progress *progress = opaque;
	struct stat st;

	if (job->kind != ZW_JOB_SOURCE || !zw_types_has(&progress->report->options->types, job->name) ||
	    fstatat(job->dir->fd, job->name, &st, AT_SYMLINK_NOFOLLOW) != 0)
		return;
	progress->total_files++;
	progress->total_units += zw_twin_units((uint64_t)st.st_size);
}

static void ignore_trouble(void *opaque, const char *path, int error)
{
	(void)opaque, (void)path, (void)error;           /* the run itself tells of it */
}

static void fit_terminal(char *text)
{
	struct winsize size;

	if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 && strlen(text) >= size.ws_col)
		text[size.ws_col - 1] = 0;
}

/* The rate falls off with time, so that a part of the tree that was right already does not promise too much. */
static void show(struct zw_twin_progress *progress)
{
	struct zw_twin_report *report = progress->report;
	int64_t now_ns = zw_clock_ns(), since_ns = now_ns - progress->shown_ns;
	double seconds = (double)(now_ns - report->start_ns) / 1e9, left_s = 0, weight;
	uint64_t done = report->counts.done_units;
	char text[256];

	if (now_ns - report->start_ns < AFTER_NS)
		return;
	if (!progress->shown_ns || progress->rate <= 0) {
		progress->rate = (double)done / seconds;
	} else {
		weight = (double)since_ns / RATE_NS;
		progress->rate += (weight < 1 ? weight : 1) * ((double)(done - progress->shown_units) * 1e9 / (double)since_ns - progress->rate);
	}
	progress->shown_ns = now_ns;
	progress->shown_units = done;
	if (progress->is_counted && progress->total_units > done && progress->rate > 0)
		left_s = (double)(progress->total_units - done) / progress->rate;
	zw_twin_progress_text(text, sizeof text, &report->counts, progress->is_counted ? progress->total_files : 0, seconds, left_s);
	fit_terminal(text);
	zw_tool_progress("%s", text);
}

/* Counts, and then shows until the end; what is shown before it has counted has no total. */
static void *follow(void *opaque)
{
	struct zw_twin_progress *progress = opaque;
	struct timespec until;

	pthread_mutex_lock(&progress->lock);
	while (!progress->is_over) {
		clock_gettime(CLOCK_REALTIME, &until);
		until.tv_nsec += EVERY_NS;
		until.tv_sec += until.tv_nsec / 1000000000;
		until.tv_nsec %= 1000000000;
		pthread_cond_timedwait(&progress->is_done, &progress->lock, &until);
		pthread_mutex_lock(&progress->report->lock);
		if (!progress->is_over)
			show(progress);
		pthread_mutex_unlock(&progress->report->lock);
	}
	pthread_mutex_unlock(&progress->lock);
	return NULL;
}

static void *count(void *opaque)
{
	struct zw_twin_progress *progress = opaque;
	struct zw_twin_sink sink = { .take = count_job, .fail = ignore_trouble, .opaque = progress };

	for (size_t i = 0; i < progress->root_count && !zw_interrupted(); i++)
		zw_twin_walk(&progress->walk_options, progress->roots[i], &sink);
	pthread_mutex_lock(&progress->lock);
	progress->is_counted = true;
	pthread_mutex_unlock(&progress->lock);
	return NULL;
}

void zw_twin_progress_begin(struct zw_twin_progress *progress, struct zw_twin_report *report, struct zw_twin_dir **roots, size_t root_count)
{
	memset(progress, 0, sizeof *progress);
	if (report->options->quiet || !isatty(STDERR_FILENO))
		return;
	progress->report = report;
	progress->roots = roots;
	progress->root_count = root_count;
	progress->walk_options = *report->options;
	progress->walk_options.dry_run = true;   /* temporary files that were left are the run's business */
	pthread_mutex_init(&progress->lock, NULL);
	pthread_cond_init(&progress->is_done, NULL);
	progress->has_counter = pthread_create(&progress->counter, NULL, count, progress) == 0;
	progress->has_shower = pthread_create(&progress->shower, NULL, follow, progress) == 0;
}

void zw_twin_progress_end(struct zw_twin_progress *progress)
{
	if (!progress->report)
		return;
	pthread_mutex_lock(&progress->lock);
	progress->is_over = true;
	pthread_cond_signal(&progress->is_done);
	pthread_mutex_unlock(&progress->lock);
	if (progress->has_counter)
		pthread_join(progress->counter, NULL);
	if (progress->has_shower)
		pthread_join(progress->shower, NULL);
	pthread_cond_destroy(&progress->is_done);
	pthread_mutex_destroy(&progress->lock);
	progress->report = NULL;
}
