/* SPDX-License-Identifier: Zlib */
/* facts.c - reads a source and its twin.
 * Takes: an open folder and names.  Gives: zw_twin_source, zw_twin_old, zw_twin_facts.  Then: decide.c
 * Never: writes. */
#include "precompress/precompress.h"

#include "common/tool.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define PIECE_BYTES ((size_t)256 << 10)          /* of worker->slot->piece */
#define SETTLE_NS 20000000                       /* two ticks of the coarsest kernel clock: a write after it shows in the times */
#define GZIP_HEADER_BYTES 10                     /* RFC 1952 2.3 */
#define GZIP_TRAILER_BYTES 8

static bool is_same_time(struct timespec a, struct timespec b)
{
	return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

static bool is_same_state(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size &&
		is_same_time(a->st_mtim, b->st_mtim) && is_same_time(a->st_ctim, b->st_ctim);
}

/* A file that was written within the clock's last tick could be written again and keep its times; waits that out.  A
 * compressor may work meanwhile. */
static void let_settle(struct zw_twin_worker *worker, const struct stat *st)
{
	struct timespec now, pause = { 0, SETTLE_NS };
	int64_t age_ns;

	clock_gettime(CLOCK_REALTIME, &now);
	age_ns = ((int64_t)now.tv_sec - st->st_ctim.tv_sec) * 1000000000 + now.tv_nsec - st->st_ctim.tv_nsec;
	if (age_ns < 0 || age_ns >= SETTLE_NS)
		return;
	zw_twin_gate_leave(worker);
	nanosleep(&pause, NULL);
	zw_twin_gate_enter(worker);
}

/* 0, or an errno; ELOOP if it is a link and those are not to be followed.  source->fd is to be closed if it is not -1. */
int zw_twin_source_open(struct zw_twin_worker *worker, const struct zw_twin_dir *dir, const char *name, bool follow,
			struct zw_twin_source *source)
{
	memset(source, 0, sizeof *source);
	source->fd = openat(dir->fd, name, O_RDONLY | (follow ? 0 : O_NOFOLLOW) | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (source->fd < 0)
		return errno;
	if (fstat(source->fd, &source->st) != 0)
		return errno;
	if (S_ISREG(source->st.st_mode))
		let_settle(worker, &source->st);
	return 0;
}

static void need_room(uint8_t **buffer, size_t *room, size_t bytes)
{
	if (*room >= bytes)
		return;
	*buffer = zw_tool_grow(*buffer, bytes);
	*room = bytes;
}

/* Reads all of it for its check sum, and keeps it if it is small.  0, an errno, or EAGAIN if it changed meanwhile. */
int zw_twin_source_read(struct zw_twin_worker *worker, struct zw_twin_source *source, const char **format_ret)
{
	uint64_t size_bytes = (uint64_t)source->st.st_size, done = 0;
	struct zw_twin_slot *slot = worker->slot;
	struct stat now;

	*format_ret = NULL;
	source->is_whole = size_bytes <= WHOLE_MAX_BYTES;
	if (source->is_whole)
		need_room(&slot->in, &slot->in_room, (size_t)size_bytes + 1);
	else if (!slot->piece)
		slot->piece = zw_tool_alloc(PIECE_BYTES);
	source->crc = 0;
	while (done < size_bytes) {
		uint8_t *to = source->is_whole ? slot->in + done : slot->piece;
		size_t room = source->is_whole ? (size_t)(size_bytes - done) : PIECE_BYTES;
		ssize_t n;

		if (zw_interrupted())            /* a large file takes long */
			return EINTR;
		n = pread(source->fd, to, room, (off_t)done);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return errno;
		if (n == 0)
			return EAGAIN;
		if (done == 0)
			*format_ret = zw_type_compressed_as(to, (size_t)n);
		source->crc = (uint32_t)crc32_z(source->crc, to, (z_size_t)n);
		done += (uint64_t)n;
		if (done > size_bytes)
			return EAGAIN;
	}
	if (fstat(source->fd, &now) != 0)
		return errno;
	return is_same_state(&now, &source->st) ? 0 : EAGAIN;
}

/* Whether the name still stands for the file that was read, in the state in which it was read. */
bool zw_twin_source_is_same(const struct zw_twin_source *source, const struct zw_twin_dir *dir, const char *name)
{
	struct stat now;

	return fstatat(dir->fd, name, &now, AT_SYMLINK_NOFOLLOW) == 0 && is_same_state(&now, &source->st);
}

/* A twin of another group gives that group only what everybody has. */
mode_t zw_twin_mode(const struct stat *source, gid_t gid)
{
	mode_t mode = source->st_mode & 0777;

	if (gid != source->st_gid)
		mode = (mode & ~(mode_t)070) | (mode & 07) << 3;
	return mode;
}

/* All of it.  False with an errno, or with 0 if the file has ended. */
static bool read_at(int fd, uint8_t *to, size_t bytes, off_t at)
{
	ssize_t n;

	errno = 0;
	do
		n = pread(fd, to, bytes, at);
	while (n < 0 && errno == EINTR);
	return n == (ssize_t)bytes;
}

/* By its first and last bytes.  *broken_ret: it is no gzip file.  *error_ret: an errno if it cannot be read, else 0. */
static bool has_right_ends(int fd, uint64_t twin_bytes, const struct zw_twin_source *source, bool *broken_ret, int *error_ret)
{
	uint8_t head[GZIP_HEADER_BYTES], tail[GZIP_TRAILER_BYTES];
	uint32_t crc, size;

	*error_ret = 0;
	*broken_ret = twin_bytes < GZIP_HEADER_BYTES + GZIP_TRAILER_BYTES;
	if (*broken_ret)
		return false;
	if (!read_at(fd, head, sizeof head, 0) || !read_at(fd, tail, sizeof tail, (off_t)(twin_bytes - sizeof tail))) {
		*broken_ret = true;
		*error_ret = errno;
		return false;
	}
	*broken_ret = head[0] != 0x1f || head[1] != 0x8b || head[2] != 8;
	if (*broken_ret)
		return false;
	crc = (uint32_t)tail[0] | (uint32_t)tail[1] << 8 | (uint32_t)tail[2] << 16 | (uint32_t)tail[3] << 24;
	size = (uint32_t)tail[4] | (uint32_t)tail[5] << 8 | (uint32_t)tail[6] << 16 | (uint32_t)tail[7] << 24;
	return crc == source->crc && size == (uint32_t)source->st.st_size;
}

/* Whether the name, links followed, is a gzip file of the source's bytes by its trailer.  *error_ret: an errno if that
 * cannot be known, else 0. */
bool zw_twin_leads_right(const struct zw_twin_dir *dir, const char *name, const struct zw_twin_source *source, int *error_ret)
{
	int fd = openat(dir->fd, name, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	struct stat st;
	bool is_broken, is_right;

	*error_ret = 0;
	if (fd < 0) {
		if (errno != ENOENT && errno != ENOTDIR && errno != ELOOP && errno != ENXIO)
			*error_ret = errno;
		return false;
	}
	if (fstat(fd, &st) != 0) {
		*error_ret = errno;
		close(fd);
		return false;
	}
	is_right = S_ISREG(st.st_mode) && has_right_ends(fd, (uint64_t)st.st_size, source, &is_broken, error_ret);
	close(fd);
	return is_right;
}

/* Looks at the twin's name; source has been read.  old->fd is to be closed. */
void zw_twin_old_read(struct zw_twin_worker *worker, const struct zw_twin_dir *dir, const char *name, const struct zw_twin_source *source,
		      bool decode, struct zw_twin_old *old, struct zw_twin_facts *facts)
{
	int error;

	memset(old, 0, sizeof *old);
	facts->twin = ZW_TWIN_ABSENT;
	old->fd = openat(dir->fd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (old->fd < 0) {
		if (errno == ENOENT || errno == ENAMETOOLONG)
			return;
		if (fstatat(dir->fd, name, &old->st, AT_SYMLINK_NOFOLLOW) != 0)
			return;
		facts->twin = S_ISLNK(old->st.st_mode) ? ZW_TWIN_LINK : S_ISREG(old->st.st_mode) ? ZW_TWIN_DENIED : ZW_TWIN_OTHER;
		return;
	}
	if (fstat(old->fd, &old->st) != 0) {     /* nobody knows what it is, so it is not to be served */
		facts->twin = ZW_TWIN_DENIED;
		return;
	}
	if (!S_ISREG(old->st.st_mode)) {
		facts->twin = ZW_TWIN_OTHER;
		return;
	}
	facts->twin = ZW_TWIN_FILE;
	facts->is_right = has_right_ends(old->fd, (uint64_t)old->st.st_size, source, &facts->is_broken, &error); /* unreadable is broken: made again */
	if (facts->is_right && decode && zw_twin_prove(worker, source, old->fd, (uint64_t)old->st.st_size) != 0) {
		facts->is_right = false;
		facts->is_broken = true;
	}
	facts->is_readable = (zw_twin_mode(&source->st, old->st.st_gid) & 0444 & ~old->st.st_mode) == 0;
	facts->looks_alike = is_same_time(old->st.st_mtim, source->st.st_mtim) &&
		(old->st.st_mode & 0777) == zw_twin_mode(&source->st, old->st.st_gid) &&
		(geteuid() != 0 || (old->st.st_uid == source->st.st_uid && old->st.st_gid == source->st.st_gid));
}
