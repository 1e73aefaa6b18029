/* SPDX-License-Identifier: Zlib */
/* publish.c - temporary files, and the moment in which one becomes a twin.
 * Takes: bytes.  Gives: a twin, whole or not at all.
 * Never: writes into a file that has a name which a server serves.
 *
 * A temporary file has its own name and its maker's lock.  A run that finds one which nobody has locked removes it: its
 * maker is dead.  If that happens between making and locking, the maker's rename finds nothing, and it begins again. */
#include "precompress/precompress.h"

#include "common/tool.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/xattr.h>
#include <unistd.h>

#define TEMP_PREFIX ".zwire-twin-"
#define TEMP_SUFFIX ".tmp"
#define TEMP_DIGITS 16
#define TEMP_TRIES  8
#define XATTR_VALUE_MAX 65536                    /* XATTR_SIZE_MAX of Linux */

static void make_name(char name[static 64])
{
	uint64_t value = 0;

	if (getrandom(&value, sizeof value, 0) != sizeof value)
		value = (uint64_t)zw_clock_ns() * 0x9e3779b97f4a7c15 ^ (uint64_t)getpid() << 32;
	snprintf(name, 64, TEMP_PREFIX "%016llx" TEMP_SUFFIX, (unsigned long long)value);
}

bool zw_twin_is_temp(const char *name)
{
	size_t prefix = sizeof TEMP_PREFIX - 1;

	return strncmp(name, TEMP_PREFIX, prefix) == 0 && strspn(name + prefix, "0123456789abcdef") == TEMP_DIGITS &&
		strcmp(name + prefix + TEMP_DIGITS, TEMP_SUFFIX) == 0;
}

/* Removes a temporary file whose maker is dead; false if it lives, or this cannot be done. */
bool zw_twin_temp_clean(int dir_fd, const char *name)
{
	int fd = openat(dir_fd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	bool is_gone;

	is_gone = fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0 && unlinkat(dir_fd, name, 0) == 0;
	if (fd >= 0)
		close(fd);
	return is_gone;
}

int zw_twin_temp_make(const struct zw_twin_dir *dir, struct zw_twin_temp *temp)
{
	for (int i = 0; i < TEMP_TRIES; i++) {
		make_name(temp->name);
		temp->fd = openat(dir->fd, temp->name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
		if (temp->fd < 0 && errno == EEXIST)
			continue;
		if (temp->fd < 0)
			return errno;
		if (flock(temp->fd, LOCK_EX | LOCK_NB) == 0 || errno == ENOLCK || errno == ENOTSUP)
			return 0;
		close(temp->fd);                 /* a cleaner took it for abandoned, and removes it */
	}
	temp->fd = -1;
	return EBUSY;
}

void zw_twin_temp_drop(const struct zw_twin_dir *dir, struct zw_twin_temp *temp)
{
	if (temp->fd < 0)
		return;
	unlinkat(dir->fd, temp->name, 0);
	close(temp->fd);
	temp->fd = -1;
}

int zw_twin_write_all(int fd, const void *data, size_t bytes)
{
	const uint8_t *next = data;

	while (bytes) {
		ssize_t n = write(fd, next, bytes);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? errno : ENOSPC;
		next += n;
		bytes -= (size_t)n;
	}
	return 0;
}

/* Those that speak of the content's hash or give rights to a program are not the twin's. */
static bool is_to_be_copied(const char *name)
{
	return strcmp(name, "security.ima") != 0 && strcmp(name, "security.evm") != 0 && strcmp(name, "security.capability") != 0;
}

/* As far as the file systems and our rights allow: a label that cannot be copied is no reason to have no twin. */
static void copy_xattrs(int from_fd, int to_fd)
{
	ssize_t list_bytes = flistxattr(from_fd, NULL, 0);
	char *list, *value;

	if (list_bytes <= 0)
		return;
	list = zw_tool_alloc((size_t)list_bytes);
	value = zw_tool_alloc(XATTR_VALUE_MAX);
	list_bytes = flistxattr(from_fd, list, (size_t)list_bytes);
	for (ssize_t at = 0; at < list_bytes; at += (ssize_t)strlen(list + at) + 1) {
		ssize_t n = is_to_be_copied(list + at) ? fgetxattr(from_fd, list + at, value, XATTR_VALUE_MAX) : -1;

		if (n >= 0)
			fsetxattr(to_fd, list + at, value, (size_t)n, 0);
	}
	free(list);
	free(value);
}

static int copy_attributes(int fd, const struct stat *source)
{
	struct timespec times[2] = { source->st_mtim, source->st_mtim };
	struct stat now;

	if (fchown(fd, source->st_uid, source->st_gid) != 0 && fchown(fd, (uid_t)-1, source->st_gid) != 0 && errno != EPERM)
		return errno;
	if (fstat(fd, &now) != 0 || fchmod(fd, zw_twin_mode(source, now.st_gid)) != 0 || futimens(fd, times) != 0)
		return errno;
	return 0;
}

/* Gives the temporary file all that the twin will have, then its name.  0 or an errno; the temporary file is gone
 * either way.  ENOENT: a cleaner removed it, begin again.  EAGAIN: the source changed while the disk was waited for. */
int zw_twin_publish(const struct zw_twin_dir *dir, struct zw_twin_temp *temp, const char *twin_name,
		    const struct zw_twin_source *source, const char *source_name, bool sync)
{
	int error;

	copy_xattrs(source->fd, temp->fd);
	error = copy_attributes(temp->fd, &source->st);
	if (!error && sync && fsync(temp->fd) != 0)
		error = errno;
	if (!error && !zw_twin_source_is_same(source, dir, source_name))
		error = EAGAIN;
	if (!error && renameat(dir->fd, temp->name, dir->fd, twin_name) != 0)
		error = errno;
	if (error) {
		zw_twin_temp_drop(dir, temp);
		return error;
	}
	close(temp->fd);
	temp->fd = -1;
	return 0;
}

/* In place: the bytes stay.  EMLINK if the twin has other names, whose attributes are not ours to change. */
int zw_twin_adjust(const struct zw_twin_old *old, const struct zw_twin_source *source)
{
	if (old->st.st_nlink > 1)
		return EMLINK;
	return copy_attributes(old->fd, &source->st);
}

/* What is there goes first: in the moment between, a server sends the file.  So no link ever has another name, which would
 * stay when the process is killed: a link cannot be locked. */
int zw_twin_link(const struct zw_twin_dir *dir, const char *twin_name, const char *text)
{
	for (int i = 0; i < TEMP_TRIES; i++) {
		if (symlinkat(text, dir->fd, twin_name) == 0)
			return 0;
		if (errno != EEXIST)
			return errno;
		if (unlinkat(dir->fd, twin_name, 0) != 0 && errno != ENOENT)
			return errno;
	}
	return EBUSY;
}
