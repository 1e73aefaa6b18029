/* SPDX-License-Identifier: Zlib */
/* fault_preload.c - makes one call to the file system fail, or kills the process before it, or lets something happen before
 * it. Built and preloaded by precompress_faults.py.
 *
 *   ZWIRE_FAULT_TREE   only calls on what is below this folder, or on the folder itself, count
 *   ZWIRE_FAULT_CALL   the name of the call, or "any"
 *   ZWIRE_FAULT_AT     which of them, 1 is the first
 *   ZWIRE_FAULT_DO     a number: it fails with this errno; "kill"; "run": the shell runs ZWIRE_FAULT_RUN, then the call is made
 *   ZWIRE_FAULT_HIT    a file that is made when it happens */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/xattr.h>
#include <unistd.h>

static atomic_ulong calls;

static bool is_below_tree(int fd, const char *tree)
{
	char link[64], path[PATH_MAX];
	long n;

	snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
	n = syscall(SYS_readlinkat, AT_FDCWD, link, path, sizeof path - 1);
	if (n <= 0)
		return false;
	path[n] = 0;
	return strncmp(path, tree, strlen(tree)) == 0;
}

static void note_hit(void)
{
	const char *path = getenv("ZWIRE_FAULT_HIT");
	long fd = path ? syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT, 0600) : -1;

	if (fd >= 0)
		close((int)fd);
}

static void run_command(void)
{
	const char *command = getenv("ZWIRE_FAULT_RUN");

	unsetenv("LD_PRELOAD");
	if (!command || system(command) != 0)
		abort();
}

/* True: the call is to fail; errno says how. */
static bool strikes(const char *call, int fd)
{
	const char *wanted = getenv("ZWIRE_FAULT_CALL"), *tree = getenv("ZWIRE_FAULT_TREE"), *what = getenv("ZWIRE_FAULT_DO");
	const char *at = getenv("ZWIRE_FAULT_AT");

	if (!wanted || !tree || !what || !at || (strcmp(wanted, "any") != 0 && strcmp(wanted, call) != 0) || !is_below_tree(fd, tree))
		return false;
	if (atomic_fetch_add(&calls, 1) + 1 != strtoul(at, NULL, 10))
		return false;
	note_hit();
	if (strcmp(what, "kill") == 0)
		kill(getpid(), SIGKILL);
	if (strcmp(what, "run") == 0) {
		run_command();
		return false;
	}
	errno = atoi(what);
	return true;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

int openat(int dir, const char *path, int flags, ...)
{
	va_list args;
	mode_t mode;

	va_start(args, flags);
	mode = flags & O_CREAT ? va_arg(args, mode_t) : 0;
	va_end(args);
	return strikes("openat", dir) ? -1 : REAL(openat)(dir, path, flags, mode);
}

ssize_t pread(int fd, void *to, size_t bytes, off_t at) { return strikes("pread", fd) ? -1 : REAL(pread)(fd, to, bytes, at); }
ssize_t write(int fd, const void *from, size_t bytes) { return strikes("write", fd) ? -1 : REAL(write)(fd, from, bytes); }
int fsync(int fd) { return strikes("fsync", fd) ? -1 : REAL(fsync)(fd); }
int fchmod(int fd, mode_t mode) { return strikes("fchmod", fd) ? -1 : REAL(fchmod)(fd, mode); }
int fchown(int fd, uid_t uid, gid_t gid) { return strikes("fchown", fd) ? -1 : REAL(fchown)(fd, uid, gid); }
int futimens(int fd, const struct timespec times[2]) { return strikes("futimens", fd) ? -1 : REAL(futimens)(fd, times); }
int flock(int fd, int how) { return strikes("flock", fd) ? -1 : REAL(flock)(fd, how); }
int fstat(int fd, struct stat *st) { return strikes("fstat", fd) ? -1 : REAL(fstat)(fd, st); }
int unlinkat(int dir, const char *path, int flags) { return strikes("unlinkat", dir) ? -1 : REAL(unlinkat)(dir, path, flags); }
DIR *fdopendir(int fd) { return strikes("fdopendir", fd) ? NULL : REAL(fdopendir)(fd); }
struct dirent *readdir(DIR *dir) { return strikes("readdir", dirfd(dir)) ? NULL : REAL(readdir)(dir); }
ssize_t flistxattr(int fd, char *list, size_t bytes) { return strikes("flistxattr", fd) ? -1 : REAL(flistxattr)(fd, list, bytes); }

int fstatat(int dir, const char *restrict path, struct stat *restrict st, int flags)
{
	return strikes("fstatat", dir) ? -1 : REAL(fstatat)(dir, path, st, flags);
}

int renameat(int old_dir, const char *old, int new_dir, const char *new)
{
	return strikes("renameat", old_dir) ? -1 : REAL(renameat)(old_dir, old, new_dir, new);
}

int symlinkat(const char *text, int dir, const char *path)
{
	return strikes("symlinkat", dir) ? -1 : REAL(symlinkat)(text, dir, path);
}

ssize_t readlinkat(int dir, const char *restrict path, char *restrict to, size_t bytes)
{
	return strikes("readlinkat", dir) ? -1 : REAL(readlinkat)(dir, path, to, bytes);
}
