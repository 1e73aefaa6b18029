/* SPDX-License-Identifier: Zlib */
/* bench_gzread.c - gzread() beside inflate() of the same library, and beside other libraries: what the file layer costs.
 *   bench_gzread NAME=LIBZ [NAME=LIBZ...] FILE...
 * Packs FILE with the first library, level 6, into a temporary file, and reads it back in these ways, all libraries in turn,
 * round after round, in one process: inflate from memory, and from the file as it is read; gzread with requests of 4, 64 and
 * 1024 KB, and with gzbuffer(128 KB).
 * Prints MB/s of the body, the best round of each.  Alone on a CPU, or the numbers mean nothing. */
#include "bench_library.h"

#include "zlib.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define ROUNDS        15
#define ROUND_BYTES   (16u << 20)            /* as many repetitions as make this much body */

struct library {
	const char *name;
	__typeof__(inflateInit2_) *inflate_init;
	__typeof__(inflate) *inflate;
	__typeof__(inflateEnd) *inflate_end;
	__typeof__(gzopen) *open;
	__typeof__(gzbuffer) *buffer;
	__typeof__(gzread) *read;
	__typeof__(gzwrite) *write;
	__typeof__(gzclose) *close;
};

static struct library libraries[LIBRARIES_MAX];
static int library_count;
static char packed_path[] = "/tmp/bench-gzread-XXXXXX";
static unsigned char *body, *packed, *out;
static size_t body_bytes, packed_bytes;

static void remove_packed(void) { unlink(packed_path); }

static void load(char *argument)
{
	struct library *l = libraries + library_count;
	void *handle = load_library(argument, library_count++);

	l->name = argument;
	find(handle, "inflateInit2_", &l->inflate_init);
	find(handle, "inflate", &l->inflate);
	find(handle, "inflateEnd", &l->inflate_end);
	find(handle, "gzopen", &l->open);
	find(handle, "gzbuffer", &l->buffer);
	find(handle, "gzread", &l->read);
	find(handle, "gzwrite", &l->write);
	find(handle, "gzclose", &l->close);
}

static unsigned char *read_file(const char *path, size_t *bytes_ret)
{
	FILE *f = fopen(path, "rb");
	unsigned char *data;
	long size = 0;

	if (!f || fseek(f, 0, SEEK_END) || (size = ftell(f)) <= 0)
		stop(path, "cannot be read");
	rewind(f);
	data = malloc((size_t)size);
	if (!data || fread(data, 1, (size_t)size, f) != (size_t)size)
		stop(path, "cannot be read");
	fclose(f);
	*bytes_ret = (size_t)size;
	return data;
}

/* What gives the bytes: inflate() from memory, the same from a file that is opened and read for it, or gzread(). */
enum from { FROM_MEMORY, FROM_FILE, FROM_GZREAD };

struct way { const char *name; enum from from; unsigned request_bytes, buffer_bytes; };

static const struct way ways[] = {
	{ "inflate, 4 KB pieces", FROM_MEMORY, 4096, 0 }, { "open, read 8 KB, inflate", FROM_FILE, 4096, 8192 },
	{ "gzread 4 KB", FROM_GZREAD, 4096, 0 },
	{ "inflate, 64 KB pieces", FROM_MEMORY, 65536, 0 }, { "open, read 8 KB, inflate", FROM_FILE, 65536, 8192 },
	{ "gzread 64 KB", FROM_GZREAD, 65536, 0 }, { "gzread 1 MB", FROM_GZREAD, 1 << 20, 0 },
	{ "open, read 128 KB, inflate", FROM_FILE, 65536, 131072 },
	{ "gzread 64 KB, gzbuffer 128 KB", FROM_GZREAD, 65536, 131072 },
};
#define WAY_COUNT (sizeof ways / sizeof ways[0])

static void inflate_once(const struct library *l, const struct way *w)
{
	unsigned char *in = w->from == FROM_FILE ? malloc(w->buffer_bytes) : packed;
	int fd = w->from == FROM_FILE ? open(packed_path, O_RDONLY | O_CLOEXEC) : -1;
	z_stream s = { 0 };
	int code = l->inflate_init(&s, 31, ZLIB_VERSION, (int)sizeof s);

	s.next_in = in;
	s.avail_in = fd < 0 ? (uInt)packed_bytes : 0;
	while (code == Z_OK) {
		size_t left = body_bytes - s.total_out;

		if (!s.avail_in && fd >= 0) {
			s.next_in = in;
			s.avail_in = (uInt)read(fd, in, w->buffer_bytes);
		}
		s.next_out = out + s.total_out;
		s.avail_out = left < w->request_bytes ? (uInt)left : w->request_bytes;
		code = l->inflate(&s, Z_NO_FLUSH);
	}
	if (code != Z_STREAM_END || s.total_out != body_bytes)
		stop(l->name, "inflate did not give the body");
	l->inflate_end(&s);
	if (fd >= 0) {
		free(in);
		close(fd);
	}
}

static void gzread_once(const struct library *l, const struct way *w)
{
	gzFile f = l->open(packed_path, "rb");
	size_t at = 0;
	int n;

	if (!f || (w->buffer_bytes && l->buffer(f, w->buffer_bytes)))
		stop(l->name, "gzopen");
	while ((n = l->read(f, out + at, w->request_bytes)) > 0)
		at += (size_t)n;
	if (n < 0 || at != body_bytes || l->close(f) != Z_OK)
		stop(l->name, "gzread did not give the body");
}

static double seconds_of(const struct library *l, const struct way *w, unsigned times)
{
	struct timespec a, b;

	clock_gettime(CLOCK_MONOTONIC, &a);
	for (unsigned i = 0; i < times; i++) {
		if (w->from == FROM_GZREAD)
			gzread_once(l, w);
		else
			inflate_once(l, w);
	}
	clock_gettime(CLOCK_MONOTONIC, &b);
	return (double)(b.tv_sec - a.tv_sec) + (double)(b.tv_nsec - a.tv_nsec) * 1e-9;
}

static void measure(const char *path)
{
	double best[LIBRARIES_MAX][WAY_COUNT] = { { 0 } };
	unsigned times;
	gzFile f;

	body = read_file(path, &body_bytes);
	out = malloc(body_bytes + (1 << 20));
	f = libraries[0].open(packed_path, "wb6");
	if (!out || !f || libraries[0].write(f, body, (unsigned)body_bytes) != (int)body_bytes || libraries[0].close(f) != Z_OK)
		stop(packed_path, "cannot be written");
	packed = read_file(packed_path, &packed_bytes);
	times = (unsigned)(ROUND_BYTES / body_bytes) + 1;
	for (int round = 0; round < ROUNDS; round++)
		for (size_t w = 0; w < WAY_COUNT; w++)
			for (int l = 0; l < library_count; l++) {
				double rate = (double)body_bytes * times / seconds_of(libraries + l, ways + w, times) / 1e6;

				if (memcmp(out, body, body_bytes) != 0)
					stop(libraries[l].name, "wrong bytes");
				best[l][w] = rate > best[l][w] ? rate : best[l][w];
			}
	printf("%s, %zu bytes, packed %zu\n%-32s", path, body_bytes, packed_bytes, "MB/s");
	for (int l = 0; l < library_count; l++)
		printf(" %10s", libraries[l].name);
	for (size_t w = 0; w < WAY_COUNT; w++) {
		printf("\n%-32s", ways[w].name);
		for (int l = 0; l < library_count; l++)
			printf(" %10.0f", best[l][w]);
	}
	printf("\n\n");
	free(body);
	free(packed);
	free(out);
}

int main(int argc, char **argv)
{
	int at = 1, fd;

	for (; at < argc && strchr(argv[at], '='); at++)
		load(argv[at]);
	if (!library_count || at == argc) {
		fprintf(stderr, "usage: bench_gzread NAME=LIBZ [NAME=LIBZ...] FILE...\n");
		return 2;
	}
	fd = mkstemp(packed_path);
	if (fd < 0)
		stop(packed_path, "cannot be made");
	close(fd);
	atexit(remove_packed);
	for (; at < argc; at++)
		measure(argv[at]);
	return 0;
}
