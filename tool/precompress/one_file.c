/* SPDX-License-Identifier: Zlib */
/* one_file.c - all that is done with one file: look, decide, act, and look again.
 * Takes: a job.  Gives: an outcome.  Then: report.c
 * Never: leaves a twin that it knows to be wrong; has a slot while it waits for the disk. */
#include "precompress/precompress.h"

#include "common/tool.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TRIES 5                                  /* for a file that changes while it is read */

static void conclude(struct zw_twin_look *look, enum zw_twin_action action, enum zw_twin_reason reason, bool is_problem)
{
	look->outcome.verdict = (struct zw_twin_verdict){ action, reason, is_problem };
}

static void fail(struct zw_twin_look *look, const char *doing, int error)
{
	conclude(look, ZW_TWIN_FAIL, ZW_WHY_ERROR, true);
	look->outcome.doing = doing;
	look->outcome.error = error;
}

static void remove_twin(struct zw_twin_look *look)
{
	if (!look->may_write)
		return;
	if (unlinkat(look->job.dir->fd, look->twin, 0) != 0 && errno != ENOENT)
		fail(look, "removing the twin", errno);
}

/* The name comes when the bytes are on the disk; meanwhile somebody else may compute, and nothing is left to be computed for this look. */
static int publish(struct zw_twin_look *look, struct zw_twin_temp *temp)
{
	zw_twin_gate_leave(look->worker);
	return zw_twin_publish(look->job.dir, temp, look->twin, &look->source, look->job.name, !look->worker->options->no_sync);
}

/* The same bytes under new attributes, for a twin that has other names too. */
static int republish(struct zw_twin_look *look)
{
	struct zw_twin_temp temp = { .fd = -1 };
	int error = zw_twin_temp_make(look->job.dir, &temp);
	uint64_t at = 0, end = (uint64_t)look->old.st.st_size;
	uint8_t piece[16384];

	while (!error && at < end) {
		ssize_t n = pread(look->old.fd, piece, sizeof piece, (off_t)at);

		error = n > 0 ? zw_twin_write_all(temp.fd, piece, (size_t)n) : EIO;
		at += n > 0 ? (uint64_t)n : 0;
	}
	if (error)
		zw_twin_temp_drop(look->job.dir, &temp);
	else
		error = publish(look, &temp);
	return error;
}

/* True: the file changed meanwhile, look again. */
static bool adjust_twin(struct zw_twin_look *look)
{
	int error = look->may_write ? zw_twin_adjust(&look->old, &look->source) : 0;

	if (error == EMLINK)
		error = republish(look);
	if (error && error != EAGAIN)
		fail(look, "giving the twin the file's time, mode and owner", error);
	return error == EAGAIN;
}

static bool is_source_same(const struct zw_twin_look *look)
{
	return zw_twin_source_is_same(&look->source, look->job.dir, look->job.name);
}

/* A twin could not be made.  What is there and wrong must not be served instead. */
static void give_up(struct zw_twin_look *look, const char *doing, int error)
{
	if (look->facts.twin != ZW_TWIN_ABSENT && look->facts.twin != ZW_TWIN_OTHER && !look->facts.is_right)
		remove_twin(look);
	fail(look, doing, error);
}

/* Does what is cheaper than making: what weighing has left.  True: look again. */
static bool do_small(struct zw_twin_look *look)
{
	switch (look->outcome.verdict.action) {
	case ZW_TWIN_ADJUST: return adjust_twin(look);
	case ZW_TWIN_REMOVE: look->outcome.twin_bytes = 0; remove_twin(look); return false;
	default: return false;
	}
}

/* Compresses and proves.  0, an errno, or EAGAIN if the source is no longer what was read. */
static int make_body(struct zw_twin_look *look, struct zw_twin_temp *temp, uint64_t *bytes_ret)
{
	int error = 0;

	if (look->may_write && !look->source.is_whole)
		error = zw_twin_temp_make(look->job.dir, temp);
	look->outcome.doing = "compressing";
	if (!error)
		error = zw_twin_compress(look->worker, &look->source, temp->fd, bytes_ret);
	if (!error && (look->source.is_whole || temp->fd >= 0)) {
		look->outcome.doing = "decoding what was compressed";
		error = zw_twin_prove(look->worker, &look->source, temp->fd, *bytes_ret);
	}
	if (!error && !is_source_same(look))
		error = EAGAIN;
	return error == EBADMSG && !is_source_same(look) ? EAGAIN : error;
}

/* What was written did not become a twin.  True: the file, its folder or the temporary file is another or gone, look again. */
static bool miss_twin(struct zw_twin_look *look, int error)
{
	if (error == ENOENT || error == EAGAIN)
		return true;
	give_up(look, "writing the twin", error);
	return false;
}

/* Makes look->temp, which is then to be published, or does what turns out to be better.  True: it changed meanwhile, look again. */
static bool make_twin(struct zw_twin_look *look)
{
	struct zw_twin_temp temp = { .fd = -1 };
	struct zw_twin_verdict before = look->outcome.verdict;
	uint64_t new_bytes = 0, old_bytes = look->facts.is_right ? (uint64_t)look->old.st.st_size : 0;
	int error = make_body(look, &temp, &new_bytes);

	if (error) {
		zw_twin_temp_drop(look->job.dir, &temp);
		if (zw_interrupted())            /* nothing is known of it */
			fail(look, look->outcome.doing, EINTR);
		else if (error != EAGAIN)
			give_up(look, look->outcome.doing, error);
		return error == EAGAIN && !zw_interrupted();
	}
	look->outcome.verdict = zw_twin_weigh(&look->facts, &look->worker->options->wishes, before, old_bytes, new_bytes);
	look->outcome.twin_bytes = old_bytes && old_bytes <= new_bytes ? old_bytes : new_bytes;
	if (look->outcome.verdict.action == ZW_TWIN_SKIP)
		look->outcome.twin_bytes = 0;
	if (look->outcome.verdict.action != ZW_TWIN_MAKE || !look->may_write) {
		zw_twin_temp_drop(look->job.dir, &temp);
		return do_small(look);
	}
	if (temp.fd < 0) {
		error = zw_twin_temp_make(look->job.dir, &temp);
		if (!error)
			error = zw_twin_write_all(temp.fd, look->worker->slot->out, (size_t)new_bytes);
	}
	if (error) {
		zw_twin_temp_drop(look->job.dir, &temp);
		return miss_twin(look, error);
	}
	look->temp = temp;
	look->is_pending = true;
	return false;
}

/* True: it changed meanwhile, look again. */
static bool publish_twin(struct zw_twin_look *look)
{
	int error = publish(look, &look->temp);

	look->is_pending = false;
	if (error)
		return miss_twin(look, error);
	look->published = true;
	if (is_source_same(look))
		return false;
	remove_twin(look);                       /* it changed in that moment: nobody shall get this until the next is made */
	return true;
}

static void look_at_orphan(struct zw_twin_look *look)
{
	struct stat st;

	look->facts.source = ZW_TWIN_ABSENT;
	look->facts.type = zw_types_has(&look->worker->options->types, look->job.name) ? ZW_TYPE_WANTED : ZW_TYPE_UNLISTED;
	if (fstatat(look->job.dir->fd, look->twin, &st, AT_SYMLINK_NOFOLLOW) == 0)
		look->facts.twin = S_ISREG(st.st_mode) ? ZW_TWIN_FILE : S_ISLNK(st.st_mode) ? ZW_TWIN_LINK : ZW_TWIN_OTHER;
	look->outcome.verdict = zw_twin_decide(&look->facts, &look->worker->options->wishes);
	if (look->published && look->facts.twin == ZW_TWIN_FILE)
		conclude(look, ZW_TWIN_REMOVE, ZW_WHY_ORPHAN, true);
	if (look->outcome.verdict.action == ZW_TWIN_REMOVE)
		remove_twin(look);
}

/* The source could not be opened or read. */
static bool have_no_source(struct zw_twin_look *look, int error)
{
	if (error == EAGAIN)
		return true;
	if (error == ENOENT) {
		look_at_orphan(look);
	} else if (error == ELOOP && look->kind == ZW_JOB_SOURCE) {      /* a link by now */
		look->kind = ZW_JOB_LINK;
		return true;
	} else if (error == EINVAL && look->kind == ZW_JOB_LINK) {       /* a link no more */
		look->kind = ZW_JOB_SOURCE;
		return true;
	} else if (error == ELOOP) {
		conclude(look, ZW_TWIN_SKIP, ZW_WHY_SPECIAL, false);
	} else if (error == ENXIO || error == ENODEV) {   /* a socket, or a device without a driver */
		conclude(look, ZW_TWIN_SKIP, ZW_WHY_SPECIAL, false);
	} else {
		fail(look, "reading the file", error);
		look->outcome.verdict.reason = ZW_WHY_SOURCE_DENIED;
	}
	return false;
}

static void close_look(struct zw_twin_look *look)
{
	if (look->source.fd >= 0)
		close(look->source.fd);
	if (look->old.fd >= 0)
		close(look->old.fd);
}

/* A file that is not to be read at all: nobody wants a twin of it, and there is none. */
static bool is_beside_the_point(const struct zw_twin_look *look)
{
	struct stat st;

	return look->facts.type == ZW_TYPE_UNLISTED && fstatat(look->job.dir->fd, look->twin, &st, AT_SYMLINK_NOFOLLOW) != 0;
}

static bool look_at_file(struct zw_twin_look *look)
{
	const struct zw_twin_options *options = look->worker->options;
	struct zw_twin_outcome *outcome = &look->outcome;
	int error = zw_twin_source_open(look->worker, look->job.dir, look->job.name, false, &look->source);

	if (error)
		return have_no_source(look, error);
	look->facts.source = S_ISREG(look->source.st.st_mode) ? ZW_TWIN_FILE : ZW_TWIN_OTHER;
	look->facts.type = zw_types_has(&options->types, look->job.name) ? ZW_TYPE_WANTED : ZW_TYPE_UNLISTED;
	look->facts.source_bytes = outcome->source_bytes = (uint64_t)look->source.st.st_size;
	if (look->facts.source == ZW_TWIN_FILE && !is_beside_the_point(look)) {
		error = zw_twin_source_read(look->worker, &look->source, &outcome->format);
		if (error)
			return have_no_source(look, error);
		outcome->crc = look->source.crc;
		outcome->has_crc = true;
		if (outcome->format && look->facts.type == ZW_TYPE_WANTED)
			look->facts.type = ZW_TYPE_COMPRESSED;
		zw_twin_old_read(look->worker, look->job.dir, look->twin, &look->source, options->check || options->decode_all,
				 &look->old, &look->facts);
		if (zw_interrupted()) {
			fail(look, "reading the twin", EINTR);
			return false;
		}
		if (!is_source_same(look))
			return true;
		outcome->old_bytes = look->facts.twin == ZW_TWIN_FILE ? (uint64_t)look->old.st.st_size : 0;
		outcome->twin_bytes = outcome->old_bytes;
	}
	outcome->verdict = zw_twin_decide(&look->facts, &options->wishes);
	if (options->watch && outcome->verdict.action == ZW_TWIN_MAKE && look->facts.twin != ZW_TWIN_ABSENT)
		remove_twin(look);               /* first remove, then rebuild */
	outcome->is_deferred = look->worker->only_check && outcome->verdict.action == ZW_TWIN_MAKE;
	if (outcome->verdict.action == ZW_TWIN_MAKE && !outcome->is_deferred)
		return make_twin(look);
	return do_small(look);
}

/* What the link says, if .gz fits behind it.  0 or an errno. */
static int read_text(const struct zw_twin_look *look, const char *name, char text[static PATH_MAX])
{
	ssize_t n = readlinkat(look->job.dir->fd, name, text, PATH_MAX - sizeof TWIN_SUFFIX);

	if (n < 0)
		return errno;
	if (n == 0 || n >= (ssize_t)(PATH_MAX - sizeof TWIN_SUFFIX))
		return ENAMETOOLONG;
	text[n] = 0;
	return 0;
}

static bool look_at_link(struct zw_twin_look *look)
{
	char text[PATH_MAX], twin_text[PATH_MAX];
	int error;

	look->facts.source = ZW_TWIN_LINK;
	error = read_text(look, look->job.name, text);
	if (error)
		return have_no_source(look, error);
	strcat(text, TWIN_SUFFIX);
	error = zw_twin_source_open(look->worker, look->job.dir, look->job.name, true, &look->source);
	if (error)
		return have_no_source(look, error);
	if (!S_ISREG(look->source.st.st_mode)) {
		conclude(look, ZW_TWIN_SKIP, ZW_WHY_SPECIAL, false);
		return false;
	}
	look->outcome.source_bytes = look->facts.source_bytes = (uint64_t)look->source.st.st_size;
	error = zw_twin_source_read(look->worker, &look->source, &look->outcome.format);
	if (error)
		return have_no_source(look, error);
	zw_twin_old_read(look->worker, look->job.dir, look->twin, &look->source, false, &look->old, &look->facts);
	look->facts.is_made_link = look->facts.twin == ZW_TWIN_LINK && read_text(look, look->twin, twin_text) == 0 && strcmp(text, twin_text) == 0;
	look->facts.target_is_right = zw_twin_leads_right(look->job.dir, text, &look->source, &error);
	if (error) {
		fail(look, "reading the twin of what it leads to", error);
		return false;
	}
	look->outcome.verdict = zw_twin_decide(&look->facts, &look->worker->options->wishes);
	if (look->outcome.verdict.action == ZW_TWIN_LINK_IT && look->may_write) {
		error = zw_twin_link(look->job.dir, look->twin, text);
		if (error)
			give_up(look, "making a link", error);
	}
	return do_small(look);
}

static bool look_once(struct zw_twin_look *look)
{
	bool again = false;

	memset(&look->facts, 0, sizeof look->facts);
	memset(&look->outcome, 0, sizeof look->outcome);
	look->source.fd = look->old.fd = -1;
	switch (look->kind) {
	case ZW_JOB_SOURCE: again = look_at_file(look); break;
	case ZW_JOB_LINK:   again = look_at_link(look); break;
	case ZW_JOB_ORPHAN: look_at_orphan(look); break;
	}
	if (!look->is_pending)
		close_look(look);
	return again;
}

/* Looks until it has held still, or there is something to be published: true. */
static bool look_on(struct zw_twin_look *look)
{
	bool again = true;

	for (; look->tries < TRIES && again; look->tries++) {
		zw_twin_gate_enter(look->worker);
		again = look_once(look);
	}
	zw_twin_gate_leave(look->worker);
	if (again) {                             /* it never did: whatever twin is there is of a state that has passed */
		look->outcome.twin_bytes = 0;
		conclude(look, ZW_TWIN_FAIL, ZW_WHY_CHANGING, true);
		remove_twin(look);
	}
	return look->is_pending;
}

/* All of a job that needs a slot.  True: zw_twin_finish() has to follow, by any thread; false: look->outcome is there. */
bool zw_twin_begin(struct zw_twin_look *look, struct zw_twin_worker *worker, const struct zw_twin_job *job)
{
	memset(look, 0, sizeof *look);
	look->worker = worker;
	look->job = *job;
	look->kind = job->kind;
	look->may_write = !worker->options->check && !worker->options->dry_run;
	if (strlen(job->name) + sizeof TWIN_SUFFIX > TWIN_NAME_MAX + 1) {
		if (job->kind == ZW_JOB_SOURCE && zw_types_has(&worker->options->types, job->name))
			conclude(look, ZW_TWIN_REPORT, ZW_WHY_LONG_NAME, false);
		else
			conclude(look, ZW_TWIN_SKIP, ZW_WHY_LONG_NAME, false);
		return false;
	}
	snprintf(look->twin, sizeof look->twin, "%s" TWIN_SUFFIX, job->name);
	return look_on(look);
}

/* Waits for the disk, and for a slot if the file has changed. */
void zw_twin_finish(struct zw_twin_look *look, struct zw_twin_worker *worker)
{
	bool is_pending = true;

	look->worker = worker;
	while (is_pending) {
		bool again = publish_twin(look);

		close_look(look);
		is_pending = again && look_on(look);
	}
}
