/* SPDX-License-Identifier: Zlib */
/* gz_files.h - a directory for the files of one test program, removed when it ends; files made and read whole. */
#ifndef TESTS_ABI_GZ_FILES_H
#define TESTS_ABI_GZ_FILES_H

#include "zlib.h"

#include "lib/bytes_buffer.h"
#include "lib/cmocka_all.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static char gz_dir[] = "/tmp/zwire-gz-XXXXXX";

#define GZ_PATH_BYTES 128

ZW_INLINE const char *gz_path(char path[GZ_PATH_BYTES], const char *name)
{
	snprintf(path, GZ_PATH_BYTES, "%s/%s", gz_dir, name);
	return path;
}

ZW_INLINE int gz_make_dir(void **state)
{
	(void)state;
	return mkdtemp(gz_dir) ? 0 : -1;
}

ZW_INLINE int gz_remove_dir(void **state)
{
	DIR *dir = opendir(gz_dir);
	struct dirent *entry;
	char path[GZ_PATH_BYTES + 256];

	(void)state;
	if (!dir)
		return -1;
	while ((entry = readdir(dir)) != NULL) {
		snprintf(path, sizeof path, "%s/%s", gz_dir, entry->d_name);
		(void)unlink(path);
	}
	closedir(dir);
	return rmdir(gz_dir);
}

ZW_INLINE void gz_put_file(const char *path, const void *from, size_t len_bytes)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, from, len_bytes), len_bytes);
	assert_int_equal(close(fd), 0);
}

ZW_INLINE void gz_take_file(const char *path, struct test_bytes *to)
{
	int fd = open(path, O_RDONLY);
	ssize_t n;

	assert_true(fd >= 0);
	do {
		bytes_reserve(to, 65536);
		n = read(fd, to->data + to->len_bytes, 65536);
		assert_true(n >= 0);
		to->len_bytes += (size_t)n;
	} while (n);
	assert_int_equal(close(fd), 0);
}

/* Appends body as one gzip member. */
ZW_INLINE void gz_pack(struct test_bytes *to, const void *body, size_t len_bytes)
{
	z_stream s = { 0 };

	assert_int_equal(deflateInit2(&s, 6, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY), Z_OK);
	bytes_reserve(to, deflateBound(&s, (uLong)len_bytes));
	s.next_in = body;
	s.avail_in = (uInt)len_bytes;
	s.next_out = to->data + to->len_bytes;
	s.avail_out = (uInt)(to->room_bytes - to->len_bytes);
	assert_int_equal(deflate(&s, Z_FINISH), Z_STREAM_END);
	to->len_bytes += s.total_out;
	assert_int_equal(deflateEnd(&s), Z_OK);
}

#endif
