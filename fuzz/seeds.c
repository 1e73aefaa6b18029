/* SPDX-License-Identifier: Zlib */
/* seeds.c - writes the fuzzers' first inputs: fuzz_seeds DIRECTORY makes DIRECTORY/<target>/ for each. */
#include "fuzz_input.h"

#include "lib/rng.h"

#include <errno.h>
#include <sys/stat.h>

#define SEED_COUNT 60

static void write_seed(const char *directory, const char *target, unsigned number, const struct test_bytes *b)
{
	char path[4096];
	FILE *f;

	snprintf(path, sizeof path, "%s/%s", directory, target);
	if (mkdir(path, 0777) != 0 && errno != EEXIST) {
		perror(path);
		exit(1);
	}
	snprintf(path, sizeof path, "%s/%s/seed%03u", directory, target, number);
	f = fopen(path, "wb");
	if (!f || fwrite(b->data, 1, b->len_bytes, f) != b->len_bytes || fclose(f) != 0) {
		perror(path);
		exit(1);
	}
}

static void compress_body(struct rng *r, int window_bits, struct test_bytes *packed)
{
	const struct peer_zlib *p = fuzz_judge();
	struct test_bytes body = { 0 };
	z_stream s = { 0 };

	corpus_make((enum corpus_kind)rng_below(r, CORPUS_KIND_COUNT), rng_next(r), rng_size(r, 3000), &body);
	p->deflateInit2_(&s, rng_between(r, 0, 9), Z_DEFLATED, window_bits, 8, rng_between(r, 0, 4), ZLIB_VERSION,
			 (int)sizeof s);
	bytes_reserve(packed, p->deflateBound(&s, (uLong)body.len_bytes));
	s.next_in = body.data;
	s.avail_in = (uInt)body.len_bytes;
	s.next_out = packed->data + packed->len_bytes;
	s.avail_out = (uInt)(packed->room_bytes - packed->len_bytes);
	p->deflate(&s, Z_FINISH);
	packed->len_bytes += s.total_out;
	p->deflateEnd(&s);
	bytes_free(&body);
}

int main(int argc, char **argv)
{
	static const int windows[] = { 15, 31, -15, 9, -9, 25 };

	if (argc != 2) {
		fprintf(stderr, "usage: fuzz_seeds DIRECTORY\n");
		return 2;
	}
	for (unsigned i = 0; i < SEED_COUNT; i++) {
		struct rng random = rng_seed(i);
		struct test_bytes b = { 0 };
		int window_bits = windows[i % 6];
		uint8_t decisions[40];

		bytes_append_byte(&b, sizeof decisions);                 /* fuzz_inflate: decisions, then a stream */
		rng_fill(&random, decisions, sizeof decisions);
		decisions[0] = (uint8_t)(64 + (i % 5 ? window_bits : 47));
		bytes_append(&b, decisions, sizeof decisions);
		compress_body(&random, window_bits, &b);
		write_seed(argv[1], "fuzz_inflate", i, &b);

		b.len_bytes = 0;
		rng_fill(&random, decisions, sizeof decisions);
		decisions[3] = 0;
		bytes_append(&b, decisions, 4);
		compress_body(&random, -15, &b);
		write_seed(argv[1], "fuzz_inflate_back", i, &b);

		b.len_bytes = 0;
		corpus_make(CORPUS_RANDOM, i, 20 + i * 5, &b);
		write_seed(argv[1], "fuzz_deflate_calls", i, &b);
		write_seed(argv[1], "fuzz_gz", i, &b);
		b.data[0] %= 12;                                         /* few calls, then the plan of a stream */
		write_seed(argv[1], "fuzz_inflate_made", i, &b);

		b.len_bytes = 0;
		corpus_make((enum corpus_kind)(i % CORPUS_KIND_COUNT), i, rng_size(&random, 3000), &b);
		write_seed(argv[1], "fuzz_roundtrip", i, &b);
		if (i % 2) {                                             /* decisions that grow a body */
			b.len_bytes = 0;
			corpus_make(CORPUS_RANDOM, i, 20 + i * 5, &b);
		}
		write_seed(argv[1], "fuzz_oneshot", i, &b);
		bytes_free(&b);
	}
	return 0;
}
