/* SPDX-License-Identifier: Zlib */
/* bench_checksum.c - crc32() and adler32() of a libz against libdeflate's, from 64 bytes to 64 KB.
 * Both are loaded from the files named, called through their public functions, and take turns within each round.  Each call
 * starts from the result of the one before, as the pieces of a stream do, so calls cannot overlap.  Reported are medians of
 * the rounds in GB/s of CPU time, and the median of the ratios within a round with its median absolute deviation. */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define SIZE_MIN_BYTES  64
#define SIZE_MAX_BYTES  65536
#define ROUNDS          31
#define TURN_DEFAULT_US 1000
#define TURN_MAX_US     1000000

enum { EXIT_DIFFERENT = 1, EXIT_USAGE = 2, EXIT_CANNOT = 3 };

typedef unsigned long zlib_function(unsigned long start, const unsigned char *data, unsigned len);
typedef uint32_t libdeflate_function(uint32_t start, const void *data, size_t len);

static const struct { const char *title, *zlib_name, *libdeflate_name; uint32_t start; } kinds[] = {
	{ "crc32",   "crc32",   "libdeflate_crc32",   0 },
	{ "adler32", "adler32", "libdeflate_adler32", 1 },
};

/* One checksum in both libraries. */
struct pair { zlib_function *zlib; libdeflate_function *libdeflate; };

static double cpu_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static void *open_library(const char *path)
{
	void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);

	if (!handle) {
		fprintf(stderr, "bench_checksum: %s\n", dlerror());
		exit(EXIT_CANNOT);
	}
	return handle;
}

static void *find_function(void *handle, const char *path, const char *name)
{
	void *address = dlsym(handle, name);

	if (!address) {
		fprintf(stderr, "bench_checksum: %s has no %s\n", path, name);
		exit(EXIT_CANNOT);
	}
	return address;
}

static uint32_t run_zlib(zlib_function *call, uint32_t start, const unsigned char *data, unsigned len, unsigned long count)
{
	unsigned long value = start;

	while (count--)
		value = call(value, data, len);
	return (uint32_t)value;
}

static uint32_t run_libdeflate(libdeflate_function *call, uint32_t start, const unsigned char *data, unsigned len,
			       unsigned long count)
{
	while (count--)
		start = call(start, data, len);
	return start;
}

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(double *values)
{
	qsort(values, ROUNDS, sizeof *values, ascending);
	return values[ROUNDS / 2];
}

/* Exits if the libraries disagree on any size, also on sizes around the powers of two and at odd addresses. */
static void compare(const struct pair *pair, size_t kind, const unsigned char *data)
{
	for (unsigned size = 0; size <= SIZE_MAX_BYTES; size += size < 600 ? 1 : size / 3) {
		for (unsigned offset = 0; offset < 4; offset++) {
			uint32_t ours = run_zlib(pair->zlib, kinds[kind].start, data + offset, size, 3);
			uint32_t theirs = run_libdeflate(pair->libdeflate, kinds[kind].start, data + offset, size, 3);

			if (ours == theirs)
				continue;
			fprintf(stderr, "bench_checksum: %s of %u bytes is %08x in the one library and %08x in the other\n",
				kinds[kind].title, size, (unsigned)ours, (unsigned)theirs);
			exit(EXIT_DIFFERENT);
		}
	}
}

static void measure(const struct pair *pair, size_t kind, const unsigned char *data, unsigned size, double turn_ns)
{
	double zlib_gb[ROUNDS], libdeflate_gb[ROUNDS], ratios[ROUNDS], deviations[ROUNDS], begin, ratio;
	unsigned long count = 16;
	static volatile uint32_t sink;
	uint32_t mixed = sink;                   /* so that no call can be left out */

	do {                                     /* also the warm-up */
		count *= 2;
		begin = cpu_ns();
		mixed ^= run_libdeflate(pair->libdeflate, kinds[kind].start, data, size, count);
		mixed ^= run_zlib(pair->zlib, kinds[kind].start, data, size, count);
	} while (cpu_ns() - begin < turn_ns);
	for (unsigned round = 0; round < ROUNDS; round++) {
		double at[2] = { 0 };

		for (unsigned turn = 0; turn < 2; turn++) {
			unsigned which = (round + turn) % 2;                 /* who begins alternates, too */

			begin = cpu_ns();
			mixed ^= which ? run_libdeflate(pair->libdeflate, kinds[kind].start, data, size, count) :
					run_zlib(pair->zlib, kinds[kind].start, data, size, count);
			at[which] = cpu_ns() - begin;
		}
		zlib_gb[round] = (double)size * (double)count / at[0];
		libdeflate_gb[round] = (double)size * (double)count / at[1];
		ratios[round] = at[1] / at[0];
	}
	sink = mixed;
	ratio = median(ratios);
	for (unsigned round = 0; round < ROUNDS; round++)
		deviations[round] = ratios[round] < ratio ? ratio - ratios[round] : ratios[round] - ratio;
	printf("%-8s %6u %10.2f %12.2f %8.3f %6.1f%%\n", kinds[kind].title, size, median(zlib_gb), median(libdeflate_gb), ratio,
	       100 * median(deviations) / ratio);
}

int main(int argc, char **argv)
{
	static _Alignas(64) unsigned char data[SIZE_MAX_BYTES + 64];
	struct pair pairs[sizeof kinds / sizeof kinds[0]];
	unsigned turn_us = argc == 4 ? (unsigned)strtoul(argv[3], NULL, 10) : TURN_DEFAULT_US;
	uint32_t random = 1;
	void *zlib, *libdeflate;

	if (argc < 3 || argc > 4 || !turn_us || turn_us > TURN_MAX_US) {
		fprintf(stderr, "Usage: bench_checksum LIBZ LIBDEFLATE [MICROSECONDS]\n"
			"Files of the two libraries, and how long a turn of both lasts at least (1 to %d, default %d).\n"
			"Exit: 0 done, 1 the libraries disagree, 2 wrong usage, 3 could not run.\n", TURN_MAX_US, TURN_DEFAULT_US);
		return EXIT_USAGE;
	}
	zlib = open_library(argv[1]);
	libdeflate = open_library(argv[2]);
	for (size_t i = 0; i < sizeof data; i++) {
		random = random * 1664525u + 1013904223u;
		data[i] = (unsigned char)(random >> 24);
	}
	for (size_t kind = 0; kind < sizeof kinds / sizeof kinds[0]; kind++) {
		pairs[kind].zlib = (zlib_function *)find_function(zlib, argv[1], kinds[kind].zlib_name);
		pairs[kind].libdeflate = (libdeflate_function *)find_function(libdeflate, argv[2], kinds[kind].libdeflate_name);
		compare(&pairs[kind], kind, data);
	}
	printf("GB/s, medians of %d rounds, a turn of both at least %u us; A: %s, B: %s\n", ROUNDS, turn_us, argv[1], argv[2]);
	printf("%-8s %6s %10s %12s %8s %7s\n", "", "bytes", "A", "B", "A/B", "+-");
	for (size_t kind = 0; kind < sizeof kinds / sizeof kinds[0]; kind++)
		for (unsigned size = SIZE_MIN_BYTES; size <= SIZE_MAX_BYTES; size *= 2)
			measure(&pairs[kind], kind, data, size, turn_us * 1000.0);
	return 0;
}
