/* SPDX-License-Identifier: Zlib */
/* test_invalid.c - broken streams: rejected with the same code and message, at the same byte, after the same output as
 * by the system's zlib, however they are cut. */
#include "lib/bits.h"
#include "lib/cmocka_all.h"
#include "lib/corpus.h"
#include "lib/split.h"
#include "lib/streams.h"

#define OUT_LIMIT_BYTES 400000

struct verdict {
	struct split_result result;
	struct test_bytes out;
};

static struct verdict judge(const struct peer_zlib *p, int window_bits, const struct test_bytes *packed,
			    const struct split_plan *plan)
{
	struct verdict v = { .result = { 0 } };
	z_stream s = { 0 };

	streams_begin_inflate(p, &s, window_bits);
	v.result = split_inflate(p, &s, packed->data, packed->len_bytes, plan, OUT_LIMIT_BYTES, &v.out);
	assert_int_equal(p->inflateEnd(&s), Z_OK);
	return v;
}

static bool same(const struct verdict *a, const struct verdict *b)
{
	return a->result.code == b->result.code && a->result.in_bytes == b->result.in_bytes &&
	       strcmp(a->result.msg, b->result.msg) == 0 && a->out.len_bytes == b->out.len_bytes &&
	       (!a->out.len_bytes || memcmp(a->out.data, b->out.data, a->out.len_bytes) == 0);
}

static void print_verdict(const char *who, const struct verdict *v)
{
	print_error("  %s: code %d \"%s\" after %zu bytes in, %zu out; %s\n", who, v->result.code, v->result.msg,
		    v->result.in_bytes, v->out.len_bytes, v->result.fault ? v->result.fault : "no fault");
}

static void compare(const struct peer_zlib *p, const struct verdict *want, const struct verdict *got, int window_bits,
		    uint64_t seed, const struct split_plan *plan)
{
	if (!want->result.fault && !got->result.fault && same(want, got))
		return;
	print_error("seed %llu, windowBits %d, cut in %zu out %zu\n", (unsigned long long)seed, window_bits,
		    plan->in_max_bytes, plan->out_max_bytes);
	print_verdict("wanted", want);
	print_verdict(p->name, got);
	fail_msg("%s judges it differently", p->name);
}

/* Every library against the system's zlib with the same cutting; and every cutting against everything at once, but for
 * small windows, where zlib takes distances beyond the window as long as they stay in the call's output. */
static void check_verdicts(int window_bits, const struct test_bytes *packed, uint64_t seed)
{
	const struct peer_zlib *judge_zlib = peer_system_or_skip();
	bool full_window = window_bits == 15 || window_bits == 31 || window_bits == 47 || window_bits == -15;
	struct split_plan plan = { .out_max_bytes = OUT_LIMIT_BYTES, .inflate_flush = Z_SYNC_FLUSH };
	struct verdict whole = judge(judge_zlib, window_bits, packed, &plan);

	for (unsigned cut = 0; cut < 4; cut++) {
		struct verdict want;

		if (cut)
			plan = split_plan_from_seed(seed * 4 + cut);
		want = judge(judge_zlib, window_bits, packed, &plan);
		if (full_window)
			compare(judge_zlib, &whole, &want, window_bits, seed, &plan);
		FOR_EACH_SUBJECT(p) {
			struct verdict got = { .result = { 0 } };

			if (p == judge_zlib)
				continue;
			got = judge(p, window_bits, packed, &plan);
			compare(p, &want, &got, window_bits, seed, &plan);
			bytes_free(&got.out);
		}
		bytes_free(&want.out);
	}
	bytes_free(&whole.out);
}

static void write_stream(struct rng *r, const struct deflate_parameters *d, size_t len_max, struct test_bytes *packed)
{
	const struct peer_zlib *p = peer_system_or_skip();
	struct split_plan plan = { .seed = rng_next(r), .in_max_bytes = 2000, .out_max_bytes = 100000, .flush_one_in = 8 };
	struct test_bytes body = { 0 };
	z_stream s = { 0 };

	corpus_make((enum corpus_kind)rng_below(r, CORPUS_KIND_COUNT), rng_next(r), rng_size(r, len_max), &body);
	streams_begin_deflate(p, &s, d);
	assert_int_equal(split_deflate(p, &s, body.data, body.len_bytes, &plan, packed).code, Z_STREAM_END);
	p->deflateEnd(&s);
	bytes_free(&body);
}

static void mutate(struct rng *r, struct test_bytes *packed)
{
	for (int i = rng_between(r, 1, 3); i > 0; i--) {
		size_t at = rng_one_in(r, 3) ? rng_below(r, packed->len_bytes < 40 ? packed->len_bytes : 40)
					     : rng_below(r, packed->len_bytes);

		switch (rng_below(r, 4)) {
		case 0: packed->data[at] ^= (uint8_t)(1u << rng_below(r, 8)); break;
		case 1: packed->data[at] = (uint8_t)rng_next(r);              break;
		case 2: packed->len_bytes = at + 1;                           break;
		case 3: memmove(packed->data + at, packed->data + at + 1, packed->len_bytes - at - 1);
			packed->data[packed->len_bytes - 1] = 0x55;           break;
		}
	}
}

static void mutated_round(uint64_t seed, size_t len_max)
{
	static const int detect[] = { 47, 32 + 9, 0, 15, 31, 9, -9 };
	struct rng random = rng_seed(seed);
	struct deflate_parameters d = streams_random_parameters(&random);
	struct test_bytes packed = { 0 };
	int window_bits = streams_inflate_bits(&d);

	write_stream(&random, &d, len_max, &packed);
	if (!rng_one_in(&random, 10))
		mutate(&random, &packed);
	if (rng_one_in(&random, 5))
		window_bits = detect[rng_below(&random, sizeof detect / sizeof detect[0])];
	check_verdicts(window_bits, &packed, seed);
	bytes_free(&packed);
}

static void test_mutated_small_streams_get_another_verdict(void **state)
{
	(void)state;
	for (uint64_t seed = 0; seed < streams_rounds(6000); seed++)
		mutated_round(seed, 400);
}

static void test_mutated_streams_get_another_verdict(void **state)
{
	(void)state;
	for (uint64_t seed = 0; seed < streams_rounds(800); seed++)
		mutated_round(seed + 1000000, 60000);
}

/* Random bits as a raw stream: mostly short, mostly wrong, and every error there is. */
static void test_random_bits_get_another_verdict(void **state)
{
	(void)state;
	for (uint64_t seed = 0; seed < streams_rounds(10000); seed++) {
		struct rng random = rng_seed(seed);
		struct test_bytes packed = { 0 };

		corpus_make(CORPUS_RANDOM, seed, 1 + rng_below(&random, 120), &packed);
		if (rng_one_in(&random, 2))
			packed.data[0] = (uint8_t)(packed.data[0] & 0xf8) | 4;       /* a dynamic block */
		check_verdicts(-15, &packed, seed);
		bytes_free(&packed);
	}
}

/* A dynamic header that is valid but for one thing, and codes of every shape. */
static void test_random_headers_get_another_verdict(void **state)
{
	(void)state;
	for (uint64_t seed = 0; seed < streams_rounds(6000); seed++) {
		struct rng random = rng_seed(seed);
		uint8_t litlen[288] = { 0 }, dist[32] = { 0 };
		unsigned litlen_count = (unsigned)rng_between(&random, 257, rng_one_in(&random, 20) ? 288 : 286);
		unsigned dist_count = (unsigned)rng_between(&random, 1, rng_one_in(&random, 20) ? 32 : 30);
		unsigned space = 1u << 15;
		struct bits b = { .hold = 0 };

		litlen[256] = (uint8_t)(rng_one_in(&random, 30) ? 0 : rng_between(&random, 1, 9));
		space -= litlen[256] ? 1u << (15 - litlen[256]) : 0;
		for (unsigned i = 0; i < 200 && space; i++) {    /* fills the code space, more or less */
			unsigned len = (unsigned)rng_between(&random, 1, 15);
			unsigned symbol = (unsigned)rng_below(&random, litlen_count);

			if (litlen[symbol] || (1u << (15 - len)) > space)
				continue;
			litlen[symbol] = (uint8_t)len;
			space -= 1u << (15 - len);
		}
		for (unsigned symbol = 0; symbol < litlen_count && space && !rng_one_in(&random, 50); symbol++) {
			unsigned len = 15;

			while (len > 1 && 1u << (15 - len + 1) <= space)
				len--;
			if (!litlen[symbol]) {
				litlen[symbol] = (uint8_t)len;
				space -= 1u << (15 - len);
			}
		}
		switch (rng_below(&random, 4)) {
		case 0: memset(dist, 5, dist_count); break;
		case 1: dist[rng_below(&random, dist_count)] = (uint8_t)rng_between(&random, 1, 2); break;
		case 2: dist[0] = dist[dist_count - 1] = 1; break;
		case 3: break;
		}
		bits_put_dynamic_header(&b, rng_one_in(&random, 2), litlen, litlen_count, dist, dist_count);
		for (int i = rng_between(&random, 0, 60); i > 0; i--)
			bits_put(&b, (uint32_t)rng_next(&random), 8);
		check_verdicts(-15, bits_end(&b), seed);
		bits_free(&b);
	}
}

/* After an error, every further call says the same and moves nothing. */
static void test_error_is_forgotten(void **state)
{
	static const uint8_t bad[] = { 0x78, 0x9c, 0x07, 1, 2, 3, 4, 5, 6 };     /* block type 3 */

	(void)state;
	FOR_EACH_SUBJECT(p) {
		z_stream s = { 0 };
		uint8_t out[10];

		streams_begin_inflate(p, &s, 15);
		s.next_in = bad;
		s.avail_in = sizeof bad;
		s.next_out = out;
		s.avail_out = sizeof out;
		assert_int_equal(p->inflate(&s, Z_NO_FLUSH), Z_DATA_ERROR);
		assert_string_equal(s.msg, "invalid block type");
		assert_int_equal(s.avail_in, 6);
		assert_int_equal(p->inflate(&s, Z_NO_FLUSH), Z_DATA_ERROR);
		assert_int_equal(s.avail_in, 6);
		assert_int_equal(p->inflateReset(&s), Z_OK);
		s.next_in = bad;
		s.avail_in = 2;
		assert_int_equal(p->inflate(&s, Z_NO_FLUSH), Z_OK);
		assert_int_equal(p->inflateEnd(&s), Z_OK);
		assert_int_equal(p->inflate(&s, Z_NO_FLUSH), Z_STREAM_ERROR);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_mutated_small_streams_get_another_verdict),
		cmocka_unit_test(test_mutated_streams_get_another_verdict),
		cmocka_unit_test(test_random_bits_get_another_verdict),
		cmocka_unit_test(test_random_headers_get_another_verdict),
		cmocka_unit_test(test_error_is_forgotten),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
