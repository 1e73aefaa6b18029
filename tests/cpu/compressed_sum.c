/* SPDX-License-Identifier: Zlib */
/* compressed_sum.c - prints one number of what every level and strategy makes of every kind of body, so that ./check sees
 * whether two machines compress to the same bytes. */
#include "zwire.h"

#include "lib/corpus.h"
#include "lib/rng.h"
#include "zlib.h"

#include <stdio.h>
#include <stdlib.h>

static uLong sum, sum_count;

static void add(const void *bytes, size_t count)
{
	sum = crc32_z(sum, bytes, count);
	sum_count++;
}

/* One stream, its input in pieces with a flush after some of them. */
static void stream(const struct test_bytes *body, int level, int window_bits, int mem_level, int strategy)
{
	static Bytef out[400000];
	z_stream s = { 0 };
	struct rng random = rng_seed((uint64_t)level);
	size_t at = 0;
	int code = deflateInit2(&s, level, Z_DEFLATED, window_bits, mem_level, strategy);

	s.next_out = out;
	s.avail_out = sizeof out;
	while (code == Z_OK) {
		size_t n = 1 + rng_below(&random, 40000), left = body->len_bytes - at;

		n = n < left ? n : left;
		s.next_in = body->data + at;
		s.avail_in = (uInt)n;
		at += n;
		code = deflate(&s, at == body->len_bytes ? Z_FINISH : rng_one_in(&random, 3) ? Z_SYNC_FLUSH : Z_NO_FLUSH);
	}
	if (code != Z_STREAM_END || deflateEnd(&s) != Z_OK)
		exit(1);
	add(out, s.total_out);
}

int main(void)
{
	for (int kind = 0; kind < CORPUS_KIND_COUNT; kind++) {
		struct test_bytes body = { 0 };
		struct rng random = rng_seed((uint64_t)kind);

		corpus_make((enum corpus_kind)kind, 5, 150000, &body);
		add(body.data, body.len_bytes);
		for (int level = 0; level <= 9; level++)
			stream(&body, level, 31, 8, Z_DEFAULT_STRATEGY);
		for (int strategy = Z_FILTERED; strategy <= Z_FIXED; strategy++) {
			int level = rng_between(&random, 1, 9), window_bits = rng_between(&random, 9, 15);

			stream(&body, level, -window_bits, rng_between(&random, 1, 9), strategy);
		}
		for (int level = 10; level <= 12; level++) {
			static Bytef out[400000];
			size_t got;

			if (zwire_compress(level, ZWIRE_GZIP, body.data, 50000, out, sizeof out, &got, NULL) != ZWIRE_OK)
				return 1;
			add(out, got);
		}
		bytes_free(&body);
	}
	printf("%08lx of %lu\n", sum & 0xffffffff, sum_count);
	return 0;
}
