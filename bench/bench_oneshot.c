/* SPDX-License-Identifier: Zlib */
/* bench_oneshot.c - the smallest sizes: zwire_compress() at levels 9 to 12 against libdeflate 9 to 12 (when libdeflate.so.0 is
 * there) and the programs zopfli and pigz (when they are).  usage: bench_oneshot FILE...
 * Each file goes through each of them in turn; every result is decoded and compared.  Times are CPU time, that of a program with
 * its start and end.  Sizes are gzip. */
#include "zwire.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct body { const char *path; uint8_t *data; size_t bytes; };

struct codec {
	const char *name;
	int level;                               /* of zwire or libdeflate */
	const char *program;                     /* of a program, with its options */
	const char *options[4];
	bool   is_libdeflate, missing;
	double seconds, log_ratio;               /* log of the size against the first codec's, summed over files */
	size_t bytes;
};

static struct codec codecs[] = {
	{ .name = "zopfli --i15", .program = "zopfli", .options = { "-c", "--i15" } },
	{ .name = "pigz -11", .program = "pigz", .options = { "-11", "-c", "-n", "-p1" } },
	{ .name = "libdeflate 9", .level = 9, .is_libdeflate = true },
	{ .name = "libdeflate 10", .level = 10, .is_libdeflate = true },
	{ .name = "libdeflate 11", .level = 11, .is_libdeflate = true },
	{ .name = "libdeflate 12", .level = 12, .is_libdeflate = true },
	{ .name = "zwire 9", .level = 9 },
	{ .name = "zwire 10", .level = 10 },
	{ .name = "zwire 11", .level = 11 },
	{ .name = "zwire 12", .level = 12 },
};

#define CODEC_COUNT (sizeof codecs / sizeof codecs[0])

static struct {
	void *(*alloc_compressor)(int level);
	size_t (*gzip_compress)(void *compressor, const void *in, size_t in_bytes, void *out, size_t out_bytes);
	void (*free_compressor)(void *compressor);
} libdeflate;

static void stop(const char *what, const char *which)
{
	fprintf(stderr, "bench_oneshot: %s: %s\n", which, what);
	exit(1);
}

static void find_libdeflate(void)
{
	void *library = dlopen("libdeflate.so.0", RTLD_NOW | RTLD_LOCAL);

	if (!library)
		return;
	*(void **)&libdeflate.alloc_compressor = dlsym(library, "libdeflate_alloc_compressor");
	*(void **)&libdeflate.gzip_compress = dlsym(library, "libdeflate_gzip_compress");
	*(void **)&libdeflate.free_compressor = dlsym(library, "libdeflate_free_compressor");
}

static double seconds_of(int who)
{
	struct rusage u;

	getrusage(who, &u);
	return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) + 1e-6 * (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

/* Runs program on path with its output in a pipe; returns bytes, or 0 when there is no such program. */
static size_t run_program(const struct codec *c, const char *path, uint8_t *out, size_t room)
{
	const char *argv[8] = { c->program };
	size_t n = 0, got;
	int pipe_ends[2], status, count = 1;
	pid_t child;

	for (int i = 0; i < 4 && c->options[i]; i++)
		argv[count++] = c->options[i];
	argv[count] = path;
	if (pipe(pipe_ends) != 0)
		stop("cannot make a pipe", c->name);
	child = fork();
	if (child < 0)
		stop("cannot start a process", c->name);
	if (child == 0) {
		dup2(pipe_ends[1], STDOUT_FILENO);
		close(pipe_ends[0]);
		close(pipe_ends[1]);
		execvp(c->program, (char *const *)(uintptr_t)argv);
		_exit(127);
	}
	close(pipe_ends[1]);
	while ((got = (size_t)read(pipe_ends[0], out + n, room - n)) > 0 && got <= room - n)
		n += got;
	close(pipe_ends[0]);
	if (waitpid(child, &status, 0) != child || !WIFEXITED(status))
		stop("did not end well", c->name);
	return WEXITSTATUS(status) == 0 ? n : 0;
}

static size_t run_library(const struct codec *c, const struct body *b, uint8_t *out, size_t room)
{
	size_t n = 0;

	if (c->is_libdeflate) {
		void *compressor = libdeflate.alloc_compressor(c->level);

		n = libdeflate.gzip_compress(compressor, b->data, b->bytes, out, room);
		libdeflate.free_compressor(compressor);
		return n;
	}
	if (zwire_compress(c->level, ZWIRE_GZIP, b->data, b->bytes, out, room, &n, NULL) != ZWIRE_OK)
		return 0;
	return n;
}

static void check(const struct codec *c, const struct body *b, const uint8_t *packed, size_t packed_bytes)
{
	uint8_t *back = malloc(b->bytes + 1);
	z_stream s = { 0 };

	if (!back || inflateInit2(&s, 31) != Z_OK)
		stop("no memory", c->name);
	s.next_in = packed;
	s.avail_in = (uInt)packed_bytes;
	s.next_out = back;
	s.avail_out = (uInt)b->bytes;
	if (inflate(&s, Z_FINISH) != Z_STREAM_END || s.total_out != b->bytes || memcmp(back, b->data, b->bytes) != 0)
		stop("gave something else", c->name);
	inflateEnd(&s);
	free(back);
}

static struct body read_body(const char *path)
{
	struct body b = { .path = path };
	struct stat st;
	int fd = open(path, O_RDONLY);

	if (fd < 0 || fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))
		stop("cannot be read", path);
	b.bytes = (size_t)st.st_size;
	b.data = malloc(b.bytes + 1);
	if (!b.data || read(fd, b.data, b.bytes) != st.st_size)
		stop("cannot be read", path);
	close(fd);
	return b;
}

int main(int argc, char **argv)
{
	size_t total = 0;

	if (argc < 2) {
		fprintf(stderr, "usage: bench_oneshot FILE...\n");
		return 2;
	}
	find_libdeflate();
	for (int f = 1; f < argc; f++) {
		struct body b = read_body(argv[f]);
		size_t room = b.bytes + b.bytes / 8 + 4096, first = 0;
		uint8_t *out = malloc(room);

		if (!out)
			stop("no memory", b.path);
		total += b.bytes;
		for (size_t i = 0; i < CODEC_COUNT; i++) {
			struct codec *c = codecs + i;
			int who = c->program ? RUSAGE_CHILDREN : RUSAGE_SELF;
			double before = seconds_of(who);
			size_t n = 0;

			if (c->program)
				n = run_program(c, b.path, out, room);
			else if (!c->is_libdeflate || libdeflate.alloc_compressor)
				n = run_library(c, &b, out, room);
			if (!n) {
				c->missing = true;
				continue;
			}
			c->seconds += seconds_of(who) - before;
			c->bytes += n;
			first = first ? first : n;
			c->log_ratio += log((double)n / (double)first);
			check(c, &b, out, n);
		}
		free(out);
		free(b.data);
	}
	printf("%d files, %zu bytes\n%-14s %12s %10s %10s %10s\n", argc - 1, total, "", "bytes", "sum", "geo. mean", "MB/s");
	for (size_t i = 0; i < CODEC_COUNT; i++) {
		const struct codec *c = codecs + i;

		if (c->missing)
			printf("%-14s is not there\n", c->name);
		else
			printf("%-14s %12zu %10.5f %10.5f %10.3f\n", c->name, c->bytes, (double)c->bytes / (double)codecs[0].bytes,
			       exp(c->log_ratio / (argc - 1)), 1e-6 * (double)total / c->seconds);
	}
	return 0;
}
