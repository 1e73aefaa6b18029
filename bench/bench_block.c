/* SPDX-License-Identifier: Zlib */
/* bench_block.c - what a block costs: plan, tables and header, and each token.
 * Blocks are synthetic: literals and matches of skewed random distributions over a given number of symbols.  Many different
 * blocks take turns, so branch predictors do not learn one of them.  Cycles are derived from the time of a chain of
 * operations of known latency, so they follow the clock that the core really runs at. */
#include "deflate/block_cost.h"
#include "deflate/block_split.h"
#include "deflate/block_write.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define BLOCKS 48
#define ROUNDS 25

static const struct { const char *name; unsigned literals, lengths, distances, tokens; } classes[] = {
	{ " 60 litlen,  6 dist,   280 tokens", 52,  7,  6,   280 },
	{ " 61 litlen, 14 dist,   200 tokens", 52,  8, 14,   200 },
	{ "100 litlen, 20 dist,   900 tokens", 82, 17, 20,   900 },
	{ "120 litlen, 28 dist,  5000 tokens", 95, 24, 28,  5000 },
	{ "128 litlen, 29 dist, 12500 tokens", 100, 27, 29, 12500 },
};

struct bench_block {
	uint32_t tokens[BLOCK_MAX_TOKENS];
	uint32_t count;
	struct zw_histogram freq, half;
	unsigned litlen_symbols, dist_symbols;
};

static uint32_t seed = 1;

static uint32_t next_random(void)
{
	seed = seed * 1664525u + 1013904223u;
	return seed >> 8;
}

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Nanoseconds of one cycle: a chain of additions and exclusive ors, one cycle each. */
static double cycle_ns(void)
{
	static volatile uint64_t sink;
	double best = 1e9;

	for (unsigned round = 0; round < 20; round++) {
		uint64_t start = now_ns(), x = sink + 12345;
		double ns;

		for (unsigned i = 0; i < 200000; i++)
			x ^= x + x;
		ns = (double)(now_ns() - start) / (2 * 200000.0);
		sink = x;
		best = ns < best ? ns : best;
	}
	return best;
}

/* A symbol below n, the low ones more often; each one is used sooner or later. */
static unsigned skewed(unsigned n)
{
	unsigned r = next_random() % n;

	return next_random() % 3 ? next_random() % (r + 1) : r;
}

static void make_block(struct bench_block *b, unsigned c)
{
	uint8_t alphabet[256];

	memset(b, 0, sizeof *b);
	for (unsigned i = 0; i < 256; i++)
		alphabet[i] = (uint8_t)i;
	for (unsigned i = 0; i < 96; i++) {      /* mostly printable, in random order of frequency */
		unsigned k = 32 + i, other = 32 + next_random() % 96;
		uint8_t t = alphabet[k];

		alphabet[k] = alphabet[other];
		alphabet[other] = t;
	}
	for (b->count = 0; b->count < classes[c].tokens; b->count++) {
		if (b->count == classes[c].tokens / 2)
			b->half = b->freq;
		if (next_random() % 2) {
			unsigned first = alphabet[(32 + skewed(classes[c].literals)) & 255];
			unsigned second = alphabet[(32 + skewed(classes[c].literals)) & 255];

			b->tokens[b->count] = zw_token_pair(first, second);
			b->freq.litlen[first]++;
			b->freq.litlen[second]++;
		} else {
			unsigned symbol = 257 + skewed(classes[c].lengths), extra = zw_length_extra_bits[symbol - 256];
			unsigned len = 3 + zw_length_base_less_3[symbol - 256] + (next_random() & ((1u << extra) - 1));
			unsigned dist = 29 - skewed(classes[c].distances);
			unsigned less_1 = zw_distance_base_less_1[dist] + (next_random() & ((1u << zw_distance_extra_bits[dist]) - 1));

			len = len > MATCH_MAX_BYTES ? MATCH_MAX_BYTES : len;
			b->tokens[b->count] = zw_token_match(len, dist, less_1);
			b->freq.litlen[TOKEN_LENGTH_BIAS + len]++;
			b->freq.dist[dist]++;
		}
	}
}

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(double *v, unsigned n)
{
	qsort(v, n, sizeof *v, ascending);
	return v[n / 2];
}

int main(void)
{
	static struct bench_block blocks[BLOCKS];
	static struct zw_block_writer writer;
	static uint8_t room[1 << 17];
	double ns_per_cycle = cycle_ns();
	unsigned splits = 0;

	printf("%.3f ns per cycle; medians of %d rounds over %d blocks, cycles\n", ns_per_cycle, ROUNDS, BLOCKS);
	printf("%-36s %8s %8s %8s %10s %8s\n", "", "plan", "begin", "both", "per token", "split");
	for (unsigned c = 0; c < sizeof classes / sizeof classes[0]; c++) {
		double plan_ns[ROUNDS], begin_ns[ROUNDS], token_ns[ROUNDS], split_ns[ROUNDS], both;

		for (unsigned i = 0; i < BLOCKS; i++)
			make_block(&blocks[i], c);
		for (unsigned round = 0; round < ROUNDS; round++) {
			uint64_t plan_sum = 0, begin_sum = 0, token_sum = 0, split_sum = 0;

			for (unsigned i = 0; i < BLOCKS; i++) {
				struct zw_block_plan plan;
				struct zw_out out = { room, sizeof room };
				uint64_t t0, t1, t2, t3;

				zw_writer_reset(&writer, false);
				t0 = now_ns();
				zw_block_plan_make(&plan, &blocks[i].freq, blocks[i].count, CODES_BEST);
				t1 = now_ns();
				zw_writer_begin_planned(&writer, &plan, blocks[i].tokens, blocks[i].count, false);
				t2 = now_ns();
				zw_writer_emit(&writer, &out);
				t3 = now_ns();
				splits += zw_block_should_split(&blocks[i].freq, &blocks[i].half, 400);
				split_sum += now_ns() - t3;
				plan_sum += t1 - t0;
				begin_sum += t2 - t1;
				token_sum += t3 - t2;
			}
			plan_ns[round] = (double)plan_sum / BLOCKS;
			begin_ns[round] = (double)begin_sum / BLOCKS;
			token_ns[round] = (double)token_sum / BLOCKS / classes[c].tokens;
			split_ns[round] = (double)split_sum / BLOCKS;
		}
		both = median(plan_ns, ROUNDS) + median(begin_ns, ROUNDS);
		printf("%-36s %8.0f %8.0f %8.0f %10.2f %8.0f\n", classes[c].name, median(plan_ns, ROUNDS) / ns_per_cycle,
		       median(begin_ns, ROUNDS) / ns_per_cycle, both / ns_per_cycle, median(token_ns, ROUNDS) / ns_per_cycle,
		       median(split_ns, ROUNDS) / ns_per_cycle);
	}
	printf("%u splits\n", splits);
	return 0;
}
