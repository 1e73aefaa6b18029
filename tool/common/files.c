/* SPDX-License-Identifier: Zlib */
/* files.c - whole files in and out, a private directory and its removal, and a check sum that is not libz's. */
#include "common/tool.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILE_MAX_BYTES ((off_t)1 << 30)      /* more than this is no web body */
#define TREE_OPEN_DIRS 16

static bool read_all(int fd, uint8_t *data, size_t size_bytes)
{
	while (size_bytes) {
		ssize_t n = read(fd, data, size_bytes);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		data += n;
		size_bytes -= (size_t)n;
	}
	return true;
}

/* Reads a regular file whole; says what is wrong and returns false if it cannot.  blob_ret->data is to be freed. */
bool zw_file_read(const char *path, struct zw_blob *blob_ret)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;
	bool done = false;

	if (fd < 0 || fstat(fd, &st) != 0) {
		zw_tool_error("cannot read %s: %s", path, strerror(errno));
	} else if (!S_ISREG(st.st_mode)) {
		zw_tool_error("cannot read %s: not a regular file", path);
	} else if (st.st_size > FILE_MAX_BYTES) {
		zw_tool_error("cannot read %s: larger than 1 GiB", path);
	} else {
		blob_ret->size_bytes = (size_t)st.st_size;
		blob_ret->data = zw_tool_alloc(blob_ret->size_bytes);
		done = read_all(fd, blob_ret->data, blob_ret->size_bytes);
		if (!done) {
			zw_tool_error("cannot read %s: it changed while it was read", path);
			free(blob_ret->data);
		}
	}
	if (fd >= 0)
		close(fd);
	return done;
}

bool zw_file_write(const char *path, const void *data, size_t size_bytes)
{
	FILE *file = fopen(path, "we");
	bool done = file && fwrite(data, 1, size_bytes, file) == size_bytes;

	if (file && fclose(file) != 0)
		done = false;
	if (!done)
		zw_tool_error("cannot write %s: %s", path, strerror(errno));
	return done;
}

bool zw_file_is_same(const char *path, dev_t device, ino_t inode)
{
	struct stat st;

	return stat(path, &st) == 0 && st.st_dev == device && st.st_ino == inode;
}

/* A new directory for this process alone, under $TMPDIR or /tmp.  To be freed, and removed with zw_tree_remove(). */
char *zw_temp_dir_make(const char *purpose)
{
	const char *parent = getenv("TMPDIR");
	char *path = zw_tool_format("%s/zwire-%s-XXXXXX", parent && *parent ? parent : "/tmp", purpose);
	char *real;

	if (!mkdtemp(path)) {
		zw_tool_error("cannot make a directory %s: %s (set TMPDIR to a place that can be written)", path,
			      strerror(errno));
		free(path);
		return NULL;
	}
	real = realpath(path, NULL);
	free(real ? path : NULL);
	return real ? real : path;
}

static int remove_entry(const char *path, const struct stat *st, int kind, struct FTW *where)
{
	(void)st;
	(void)kind;
	(void)where;
	remove(path);
	return 0;
}

void zw_tree_remove(const char *path)
{
	nftw(path, remove_entry, TREE_OPEN_DIRS, FTW_DEPTH | FTW_PHYS);
}

/* CRC-32 as in RFC 1952, bit by bit: only for knowing a payload again, so small matters more than fast. */
uint32_t zw_blob_crc32(const void *data, size_t size_bytes)
{
	const uint8_t *next = data;
	uint32_t crc = 0xffffffff;

	for (const uint8_t *end = next + size_bytes; next < end; next++) {
		crc ^= *next;
		for (int bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (0xedb88320 & (0 - (crc & 1)));
	}
	return ~crc;
}
