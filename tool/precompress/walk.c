/* SPDX-License-Identifier: Zlib */
/* walk.c - goes through a tree, folder by folder in the order of names, and says what is to be looked at.
 * Takes: an open folder.  Gives: jobs.  Then: run.c
 * Never: follows a symbolic link, or keeps more than the names of the folders on its way in memory. */
#include "precompress/precompress.h"

#include "common/tool.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct entry { char *name; unsigned char type; };
struct listing { struct entry *list; size_t count, room; };

/* Which mount the folder is on, 0 if /proc does not tell.  A device number would not do: a bind mount has that of what it shows. */
static uint64_t find_mount(int fd)
{
	char path[64], line[128];
	uint64_t id = 0;
	FILE *info;

	snprintf(path, sizeof path, "/proc/self/fdinfo/%d", fd);
	info = fopen(path, "re");
	while (info && fgets(line, sizeof line, info))
		if (strncmp(line, "mnt_id:", 7) == 0)
			id = strtoull(line + 7, NULL, 10);
	if (info)
		fclose(info);
	return id;
}

static bool is_same_mount(const struct zw_twin_dir *dir, const struct stat *below, uint64_t below_mount_id)
{
	return below->st_dev == dir->device && (!dir->mount_id || !below_mount_id || dir->mount_id == below_mount_id);
}

struct zw_twin_dir *zw_twin_dir_open(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct zw_twin_dir *dir;
	struct stat st;

	if (fd < 0)
		return NULL;
	dir = zw_tool_alloc(sizeof *dir);
	dir->fd = fd;
	dir->device = fstat(fd, &st) == 0 ? st.st_dev : 0;
	dir->mount_id = find_mount(fd);
	atomic_init(&dir->users, 1);
	dir->path = zw_tool_format("%s", path);
	dir->inner = zw_tool_format("%s", "");
	dir->root_real = realpath(path, NULL);
	return dir;
}

void zw_twin_dir_release(struct zw_twin_dir *dir)
{
	if (atomic_fetch_sub(&dir->users, 1) != 1)
		return;
	close(dir->fd);
	if (!*dir->inner)
		free(dir->root_real);
	free(dir->path);
	free(dir->inner);
	free(dir);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct entry *)a)->name, ((const struct entry *)b)->name);
}

static unsigned char find_type(int dir_fd, const char *name, unsigned char type)
{
	struct stat st;

	if (type != DT_UNKNOWN)
		return type;
	return fstatat(dir_fd, name, &st, AT_SYMLINK_NOFOLLOW) == 0 ? (unsigned char)IFTODT(st.st_mode) : DT_UNKNOWN;
}

static int list_names(int dir_fd, struct listing *names)
{
	int fd = openat(dir_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *stream = fd >= 0 ? fdopendir(fd) : NULL;
	struct dirent *found;
	int error = errno;

	if (!stream) {
		if (fd >= 0)
			close(fd);
		return error;
	}
	while (errno = 0, (found = readdir(stream)) != NULL) {
		if (strcmp(found->d_name, ".") == 0 || strcmp(found->d_name, "..") == 0)
			continue;
		if (names->count == names->room) {
			names->room = names->room ? 2 * names->room : 64;
			names->list = zw_tool_grow(names->list, names->room * sizeof *names->list);
		}
		names->list[names->count++] = (struct entry){ zw_tool_format("%s", found->d_name),
			find_type(fd, found->d_name, found->d_type) };
	}
	error = errno;
	closedir(stream);
	if (names->count)
		qsort(names->list, names->count, sizeof *names->list, by_name);
	return error;
}

static void free_names(struct listing *names)
{
	for (size_t i = 0; i < names->count; i++)
		free(names->list[i].name);
	free(names->list);
}

static const struct entry *find_name(const struct listing *names, const char *text, size_t length)
{
	size_t low = 0, high = names->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order = strncmp(names->list[middle].name, text, length);

		if (order == 0 && names->list[middle].name[length])
			order = 1;
		if (order == 0)
			return &names->list[middle];
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

static uint64_t hash_of(const char *first, const char *second)
{
	uint64_t hash = 0xcbf29ce484222325;      /* FNV-1a */

	for (; *first; first++)
		hash = (hash ^ (uint8_t)*first) * 0x100000001b3;
	for (; *second; second++)
		hash = (hash ^ (uint8_t)*second) * 0x100000001b3;
	hash ^= hash >> 32;                      /* its low bits are weak */
	hash *= 0x9e3779b97f4a7c15;
	return hash >> 32;
}

/* Where a link leads, below the argument; NULL if out of it or nowhere.  To be freed. */
static char *find_target(const struct zw_twin_dir *dir, const char *name)
{
	int fd = dir->root_real ? openat(dir->fd, name, O_PATH | O_CLOEXEC) : -1;
	char link[64], path[PATH_MAX];
	size_t root;
	ssize_t n;

	if (fd < 0)
		return NULL;
	snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
	n = readlink(link, path, sizeof path - 1);
	close(fd);
	if (n <= 0)
		return NULL;
	path[n] = 0;
	root = strlen(dir->root_real);
	if (strncmp(path, dir->root_real, root) != 0 || path[root] != '/')
		return NULL;
	return zw_tool_format("%s", path + root + 1);
}

/* By the path below the argument, so that it is the same wherever the tree is mounted.  A link belongs to the shard of
 * what it leads to, whose twin must be there first. */
bool zw_twin_is_in_shard(const struct zw_twin_options *options, const struct zw_twin_dir *dir, const char *name, bool is_link)
{
	char *target;
	uint64_t hash;

	if (options->shard_count <= 1)
		return true;
	target = is_link ? find_target(dir, name) : NULL;
	hash = target ? hash_of(target, "") : hash_of(dir->inner, name);
	free(target);
	return hash % options->shard_count == options->shard - 1;
}

/* The folder of that name, or NULL: it is none (any more), it is not to be entered, or it cannot be and the sink was told. */
struct zw_twin_dir *zw_twin_dir_below(const struct zw_twin_options *options, struct zw_twin_dir *dir, const char *name,
				      const struct zw_twin_sink *sink)
{
	int fd = openat(dir->fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	char *path = zw_tool_format("%s%s%s", dir->path, dir->path[strlen(dir->path) - 1] == '/' ? "" : "/", name);
	uint64_t mount_id = options->one_file_system && fd >= 0 ? find_mount(fd) : 0;
	struct zw_twin_dir *below = NULL;
	struct stat st;

	if (fd < 0) {
		if (errno != ENOENT && errno != ELOOP && errno != ENOTDIR)       /* it may have gone, or be something else now */
			sink->fail(sink->opaque, path, errno);
	} else if (fstat(fd, &st) != 0) {
		sink->fail(sink->opaque, path, errno);
	} else if (!(options->one_file_system && !is_same_mount(dir, &st, mount_id))) {
		below = zw_tool_alloc(sizeof *below);
		*below = (struct zw_twin_dir){ .fd = fd, .device = st.st_dev, .mount_id = mount_id, .path = path, .root_real = dir->root_real };
		atomic_init(&below->users, 1);
		below->inner = zw_tool_format("%s%s/", dir->inner, name);
		return below;
	}
	if (fd >= 0)
		close(fd);
	free(path);
	return NULL;
}

static void send_job(const struct zw_twin_sink *sink, struct zw_twin_dir *dir, enum zw_twin_job_kind kind, const char *name,
		     size_t length, const struct listing *names)
{
	struct zw_twin_job job = { .dir = dir, .kind = kind };
	char brotli[TWIN_NAME_MAX + 8];

	if (length > TWIN_NAME_MAX)
		return;
	memcpy(job.name, name, length);
	snprintf(brotli, sizeof brotli, "%s.br", job.name);
	job.has_brotli = kind != ZW_JOB_ORPHAN && find_name(names, brotli, strlen(brotli)) != NULL;
	sink->take(sink->opaque, &job);
}

/* What one name asks for.  A twin is looked at with its source, or as an orphan if it has none. */
static void take_name(const struct zw_twin_options *options, struct zw_twin_dir *dir, const struct entry *entry,
		      const struct listing *names, const struct zw_twin_sink *sink)
{
	size_t length = strlen(entry->name), suffix = sizeof TWIN_SUFFIX - 1;
	const struct entry *source;
	enum zw_twin_job_kind kind = entry->type == DT_LNK ? ZW_JOB_LINK : ZW_JOB_SOURCE;

	if (zw_twin_is_temp(entry->name)) {
		if (!options->check && !options->dry_run)
			zw_twin_temp_clean(dir->fd, entry->name);
		return;
	}
	if (entry->type != DT_REG && entry->type != DT_LNK)
		return;
	if (length > suffix && strcmp(entry->name + length - suffix, TWIN_SUFFIX) == 0) {
		length -= suffix;
		source = find_name(names, entry->name, length);
		if (source && (source->type == DT_REG || source->type == DT_LNK))
			return;
		kind = ZW_JOB_ORPHAN;
	}
	char *name = zw_tool_format("%.*s", (int)length, entry->name);
	if (zw_twin_is_in_shard(options, dir, name, kind == ZW_JOB_LINK))
		send_job(sink, dir, kind, name, length, names);
	free(name);
}

static void walk_below(const struct zw_twin_options *options, struct zw_twin_dir *dir, const struct zw_twin_sink *sink, bool deep)
{
	struct listing names = { 0 };
	int error;

	if (sink->enter)
		sink->enter(sink->opaque, dir);
	error = list_names(dir->fd, &names);
	if (error)
		sink->fail(sink->opaque, dir->path, error);
	for (size_t i = 0; i < names.count && !zw_interrupted(); i++)
		take_name(options, dir, &names.list[i], &names, sink);
	for (size_t i = 0; deep && i < names.count && !zw_interrupted(); i++) {
		struct zw_twin_dir *below = names.list[i].type == DT_DIR ? zw_twin_dir_below(options, dir, names.list[i].name, sink)
			: NULL;

		if (below) {
			walk_below(options, below, sink, true);
			zw_twin_dir_release(below);
		}
	}
	free_names(&names);
}

void zw_twin_walk(const struct zw_twin_options *options, struct zw_twin_dir *root, const struct zw_twin_sink *sink)
{
	walk_below(options, root, sink, true);
}

void zw_twin_walk_names(const struct zw_twin_options *options, struct zw_twin_dir *dir, const struct zw_twin_sink *sink)
{
	walk_below(options, dir, sink, false);
}
