/* SPDX-License-Identifier: Zlib */
/* adversarial_bodies.h - bodies of bench_adversarial.c in which deflate's search has most to do.  Each appends to an empty b. */
#ifndef ZW_BENCH_ADVERSARIAL_BODIES_H
#define ZW_BENCH_ADVERSARIAL_BODIES_H

#include "lib/corpus.h"
#include "lib/rng.h"

#define CASE_BYTES    200000                 /* of the side that counts: input of inflate or of deflate */

/* Blocks of 64 bytes that are all the same but for one byte. */
static void near_matches(struct test_bytes *b, unsigned block)
{
	struct rng random = rng_seed(2);
	uint8_t one[64];

	rng_fill(&random, one, sizeof one);
	while (b->len_bytes < CASE_BYTES) {
		size_t at = b->len_bytes + rng_below(&random, block);

		bytes_append(b, one, block);
		b->data[at] = (uint8_t)rng_next(&random);
	}
}

/* Noise in which four bytes of the last 32 KB come again now and then. */
static void sparse_repeats(struct test_bytes *b)
{
	struct rng random = rng_seed(3);

	while (b->len_bytes < CASE_BYTES) {
		for (unsigned i = 0; i < 28; i++)
			bytes_append_byte(b, (uint8_t)rng_next(&random));
		for (unsigned i = 0, distance = 1000 + (unsigned)rng_below(&random, 31000); i < 4 && b->len_bytes > 32000; i++)
			bytes_append_byte(b, b->data[b->len_bytes - distance]);
	}
}

static void periodic(struct test_bytes *b, size_t period)
{
	struct rng random = rng_seed(period);

	while (b->len_bytes < CASE_BYTES)
		bytes_append_byte(b, b->len_bytes < period ? (uint8_t)rng_next(&random) : b->data[b->len_bytes - period]);
}

/* Many places with the same three bytes and nothing more in common: each chain is as long as may be. */
static void same_triples(struct test_bytes *b)
{
	struct rng random = rng_seed(4);

	while (b->len_bytes < CASE_BYTES) {
		bytes_append_text(b, "abc");
		bytes_append_byte(b, (uint8_t)rng_next(&random));
		bytes_append_byte(b, (uint8_t)rng_next(&random));
	}
}

/* Letters of a genome: random ones, now and then a stretch from before, of which one in 16 has changed. */
static void genome(struct test_bytes *b)
{
	struct rng random = rng_seed(5);

	while (b->len_bytes < CASE_BYTES) {
		size_t len = 20 + rng_below(&random, 300), back = 1 + rng_below(&random, 30000);
		bool copy = b->len_bytes > 30000 && rng_below(&random, 2);

		for (size_t i = 0; i < len; i++)
			bytes_append_byte(b, copy && rng_below(&random, 16) ? b->data[b->len_bytes - back]
									     : (uint8_t)"ACGT"[rng_below(&random, 4)]);
	}
}

/* One line again and again with one byte changed. */
static void near_copies(struct test_bytes *b)
{
	struct rng random = rng_seed(6);
	char line[120];

	for (unsigned i = 0; i < sizeof line; i++)
		line[i] = (char)('a' + rng_below(&random, 26));
	while (b->len_bytes < CASE_BYTES) {
		line[rng_below(&random, sizeof line)] = (char)('a' + rng_below(&random, 26));
		bytes_append(b, (const uint8_t *)line, sizeof line);
	}
}

/* White space of every length, a letter between: chains of four equal bytes. */
static void indented(struct test_bytes *b)
{
	struct rng random = rng_seed(7);

	while (b->len_bytes < CASE_BYTES) {
		for (size_t i = rng_below(&random, 80); i; i--)
			bytes_append_byte(b, ' ');
		bytes_append_byte(b, (uint8_t)('a' + rng_below(&random, 4)));
	}
}

#endif
