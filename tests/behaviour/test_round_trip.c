/* SPDX-License-Identifier: Zlib */
/* test_round_trip.c - any data, any parameters, any cutting of input and output: what one library writes, every other
 * one reads back, and no call breaks a rule of the interface. */
#include "lib/cmocka_all.h"
#include "lib/corpus.h"
#include "lib/split.h"
#include "lib/streams.h"

struct round {
	uint64_t seed;
	struct deflate_parameters parameters;
	struct split_plan write_plan, read_plan;
	struct test_bytes plain;
};

static const int inflate_flushes[] = { Z_NO_FLUSH, Z_SYNC_FLUSH, Z_FINISH, Z_BLOCK, Z_TREES, Z_PARTIAL_FLUSH };

static void make_round(struct round *round, uint64_t seed, size_t len_max)
{
	struct rng random = rng_seed(seed);

	*round = (struct round){ .seed = seed, .parameters = streams_random_parameters(&random) };
	round->write_plan = split_plan_from_seed(rng_next(&random));
	round->read_plan = split_plan_from_seed(rng_next(&random));
	if (rng_one_in(&random, 2))
		round->write_plan.flush_one_in = (unsigned)rng_between(&random, 1, 20);
	round->read_plan.inflate_flush = inflate_flushes[rng_below(&random, 6)];
	corpus_make((enum corpus_kind)rng_below(&random, CORPUS_KIND_COUNT), rng_next(&random),
		    rng_size(&random, len_max) - 1, &round->plain);
}

static void describe(const struct round *r, const struct peer_zlib *writer, const struct peer_zlib *reader,
		     const struct split_result *result)
{
	print_error("seed %llu: level %d windowBits %d memLevel %d strategy %d, %zu bytes, written by %s in %zu/%zu, "
		    "read by %s in %zu/%zu flush %d: code %d (%s) %s\n", (unsigned long long)r->seed, r->parameters.level,
		    r->parameters.window_bits, r->parameters.mem_level, r->parameters.strategy, r->plain.len_bytes,
		    writer->name, r->write_plan.in_max_bytes, r->write_plan.out_max_bytes, reader ? reader->name : "-",
		    r->read_plan.in_max_bytes, r->read_plan.out_max_bytes, r->read_plan.inflate_flush, result->code,
		    result->msg, result->fault ? result->fault : "");
}

static void write_round(const struct peer_zlib *p, const struct round *r, struct test_bytes *packed)
{
	z_stream s = { 0 };
	struct split_result result;

	streams_begin_deflate(p, &s, &r->parameters);
	result = split_deflate(p, &s, r->plain.data, r->plain.len_bytes, &r->write_plan, packed);
	if (result.fault || result.code != Z_STREAM_END || result.in_bytes != r->plain.len_bytes) {
		describe(r, p, NULL, &result);
		fail_msg("%s cannot write it", p->name);
	}
	assert_int_equal(p->deflateEnd(&s), Z_OK);
}

static void read_round(const struct peer_zlib *writer, const struct peer_zlib *p, const struct round *r,
		       const struct test_bytes *packed)
{
	struct test_bytes back = { 0 };
	z_stream s = { 0 };
	struct split_result result;

	streams_begin_inflate(p, &s, streams_inflate_bits(&r->parameters));
	result = split_inflate(p, &s, packed->data, packed->len_bytes, &r->read_plan, r->plain.len_bytes, &back);
	if (result.fault || result.code != Z_STREAM_END || result.in_bytes != packed->len_bytes ||
	    back.len_bytes != r->plain.len_bytes ||
	    (back.len_bytes && memcmp(back.data, r->plain.data, back.len_bytes) != 0)) {
		describe(r, writer, p, &result);
		fail_msg("%s cannot read it", p->name);
	}
	assert_int_equal(p->inflateEnd(&s), Z_OK);
	bytes_free(&back);
}

static void run_round(uint64_t seed, size_t len_max)
{
	const struct peer_zlib *subjects[PEER_SUBJECTS_MAX];
	size_t count = peer_subjects(subjects);
	struct round round;

	make_round(&round, seed, len_max);
	for (size_t w = 0; w < count; w++) {
		struct test_bytes packed = { 0 };

		write_round(subjects[w], &round, &packed);
		for (size_t r = 0; r < count; r++)
			read_round(subjects[w], subjects[r], &round, &packed);
		bytes_free(&packed);
	}
	bytes_free(&round.plain);
}

static void test_small_bodies_come_back_changed(void **state)
{
	(void)state;
	for (uint64_t seed = 0; seed < streams_rounds(2000); seed++)
		run_round(seed, 600);
}

static void test_page_sized_bodies_come_back_changed(void **state)
{
	(void)state;
	for (uint64_t seed = 0; seed < streams_rounds(300); seed++)
		run_round(seed + 1000000, 40000);
}

static void test_large_bodies_come_back_changed(void **state)
{
	(void)state;
	for (uint64_t seed = 0; seed < streams_rounds(40); seed++)
		run_round(seed + 2000000, 600000);
}

/* Every level with every strategy, window and memLevel, each once, on one short and one long body. */
static void test_a_parameter_set_writes_wrong_bytes(void **state)
{
	const struct peer_zlib *subjects[PEER_SUBJECTS_MAX];
	size_t count = peer_subjects(subjects);
	struct test_bytes plain = { 0 };

	(void)state;
	corpus_make(CORPUS_MIXED, 11, 1500, &plain);
	for (size_t i = 0; i < count; i++)
		for (int set = 0; set < 10 * 5 * 7 * 9; set++) {
			struct deflate_parameters d = { set % 10, -(9 + set / 50 % 7), 1 + set / 350, set / 10 % 5 };
			struct test_bytes packed = { 0 };
			z_stream s = { 0 };

			streams_begin_deflate(subjects[i], &s, &d);
			assert_int_equal(streams_deflate(subjects[i], &s, plain.data, plain.len_bytes, Z_FINISH, &packed),
					 Z_STREAM_END);
			assert_int_equal(subjects[i]->deflateEnd(&s), Z_OK);
			streams_check_decodes_everywhere(d.window_bits, &packed, plain.data, plain.len_bytes);
			bytes_free(&packed);
		}
	bytes_free(&plain);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_small_bodies_come_back_changed),
		cmocka_unit_test(test_page_sized_bodies_come_back_changed),
		cmocka_unit_test(test_large_bodies_come_back_changed),
		cmocka_unit_test(test_a_parameter_set_writes_wrong_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
