/* SPDX-License-Identifier: Zlib */
/* test_block_split.c - the decision against the same entropies computed with libm. */
#include "deflate/block_split.h"
#include "lib/cmocka_all.h"
#include "lib/rng.h"

#include <math.h>
#include <string.h>

/* An entropy is the total times its logarithm less the same of each symbol, a logarithm is off by up to 59 / 65536, and the
 * counts of both parts add up to those of all. */
#define ERROR_BITS(total) (1 + (total) * 4 * 59 / 65536)

static struct rng rng;

static uint32_t next_random(void) { return (uint32_t)(rng_next(&rng) >> 40); }

static double n_log_n(double n) { return n > 0 ? n * log2(n) : 0; }

/* Ideal bits of both alphabets for now less before, lengths grouped by RFC 1951 3.2.5, one end-of-block. */
static double reference_bits(const struct zw_histogram *now, const struct zw_histogram *before)
{
	double litlen[286] = { 0 }, dist[30] = { 0 }, bits = 0, total = 0;

	litlen[256] = 1;
	for (unsigned i = 0; i < TOKEN_INDEX_COUNT; i++) {
		unsigned symbol = i, count = (unsigned)now->litlen[i] - before->litlen[i];

		if (i == 511)
			symbol = 285;
		else if (i >= 256)
			for (symbol = 284; zw_length_base_less_3[symbol - 256] > i - 256 || symbol == 256; symbol--)
				;
		litlen[symbol] += count;
	}
	for (unsigned i = 0; i < 286; i++) {
		total += litlen[i];
		bits -= n_log_n(litlen[i]);
	}
	bits += n_log_n(total);
	total = 0;
	for (unsigned i = 0; i < 30; i++) {
		dist[i] = (unsigned)now->dist[i] - before->dist[i];
		total += dist[i];
		bits -= n_log_n(dist[i]);
	}
	return bits + n_log_n(total);
}

/* What splitting gains, from the definition. */
static double reference_gain(const struct zw_histogram *all, const struct zw_histogram *older)
{
	static const struct zw_histogram none;

	return reference_bits(all, &none) - reference_bits(older, &none) - reference_bits(all, older);
}

/* The threshold around which the answer changes must be the gain, but for rounding. */
static void check_gain(const struct zw_histogram *all, const struct zw_histogram *older, unsigned error_bits)
{
	double gain = reference_gain(all, older);

	if (gain > error_bits)
		assert_true(zw_block_should_split(all, older, (unsigned)gain - error_bits));
	assert_false(zw_block_should_split(all, older, (unsigned)(gain > 0 ? gain : 0) + 1 + error_bits));
}

static void a_logarithm_is_wrong(void **state)
{
	struct zw_histogram all, older;

	(void)state;
	memset(&all, 0, sizeof all);
	memset(&older, 0, sizeof older);
	for (unsigned n = 1; n < 32768 - 4096; n++) {
		all.litlen['a'] = older.litlen['a'] = (uint16_t)n;
		all.litlen['b'] = 4096;              /* came since */
		check_gain(&all, &older, ERROR_BITS(n + 4097));
	}
}

static void random_histograms_are_judged_wrongly(void **state)
{
	(void)state;
	for (unsigned round = 0; round < 3000; round++) {
		struct zw_histogram all, older;
		unsigned total = 0, used = 1 + next_random() % 200;

		memset(&all, 0, sizeof all);
		memset(&older, 0, sizeof older);
		for (unsigned i = 0; i < used; i++) {
			unsigned at = next_random() % TOKEN_INDEX_COUNT, symbol = next_random() % 30;
			unsigned old_count = next_random() % 100, new_count = next_random() % 100 >> next_random() % 7;

			older.litlen[at] = (uint16_t)(older.litlen[at] + old_count);
			all.litlen[at] = (uint16_t)(all.litlen[at] + old_count + new_count);
			older.dist[symbol] = (uint16_t)(older.dist[symbol] + old_count);
			all.dist[symbol] = (uint16_t)(all.dist[symbol] + old_count + new_count);
			total += old_count + new_count;
		}
		check_gain(&all, &older, ERROR_BITS(2 * total));
	}
}

static void equal_parts_are_split(void **state)
{
	struct zw_histogram all, older;

	(void)state;
	memset(&all, 0, sizeof all);
	memset(&older, 0, sizeof older);
	assert_false(zw_block_should_split(&all, &older, 0)); /* nothing at all */
	for (unsigned i = 0; i < 60; i++) {
		older.litlen[i * 8] = (uint16_t)(i * i % 90);
		all.litlen[i * 8] = (uint16_t)(2 * older.litlen[i * 8]);
	}
	assert_false(zw_block_should_split(&all, &older, 8)); /* the same mixture twice gains no more than its second end */
}

static void different_parts_are_joined(void **state)
{
	struct zw_histogram all, older;

	(void)state;
	memset(&all, 0, sizeof all);
	memset(&older, 0, sizeof older);
	for (unsigned i = 0; i < 64; i++) {
		older.litlen[i] = all.litlen[i] = 64;
		all.litlen[128 + i] = 32;
	}
	assert_true(zw_block_should_split(&all, &older, 400));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_logarithm_is_wrong),
		cmocka_unit_test(random_histograms_are_judged_wrongly),
		cmocka_unit_test(equal_parts_are_split),
		cmocka_unit_test(different_parts_are_joined),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
