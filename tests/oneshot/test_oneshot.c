/* SPDX-License-Identifier: Zlib */
/* test_oneshot.c - whole streams of levels 10 to 12: right, bounded, the same from every machine and memory. */
#include "cpu/kernels.h"
#include "lib/guard.h"
#include "lib/parse_driver.h"
#include "lib/peer.h"
#include "lib/rng.h"
#include "oneshot/oneshot.h"
#include "oneshot/solution.h"

#define FORMATS 3

struct packed { uint8_t *data; size_t bytes; };

/* Compresses into exactly room bytes, with memory filled with fill and shifted; data is NULL when it does not fit. */
static struct packed pack_into(const uint8_t *in, size_t n, int level, enum zw_format format, size_t room, int fill, unsigned shift,
			       uint32_t position_limit)
{
	struct zw_oneshot_config c = { format, level, position_limit };
	size_t memory_bytes = zw_oneshot_memory_bytes(n);
	uint8_t *memory = test_array(memory_bytes + shift, 1), *data = test_array(room, 1);
	struct zw_flow flow = { .in = { in, n }, .out = { data, room } };
	enum zw_flow_result r;

	memset(memory, fill, memory_bytes + shift);
	r = zw_oneshot_run(&c, memory + shift, n, &flow);
	free(memory);
	if (r == ZW_FLOW_DONE)
		return (struct packed){ data, room - flow.out.left_bytes };
	assert_int_equal(r, ZW_FLOW_NO_ROOM);
	free(data);
	return (struct packed){ NULL, 0 };
}

static struct packed pack(const uint8_t *in, size_t n, int level, enum zw_format format)
{
	struct packed p = pack_into(in, n, level, format, zw_oneshot_bound(n, format), 0, 0, ONESHOT_POSITION_LIMIT);

	assert_non_null(p.data);
	return p;
}

/* Inflates with each library there is, and compares. */
static void check_back(const struct packed *p, enum zw_format format, const uint8_t *in, size_t n)
{
	static const int window_bits[FORMATS] = { [ZW_RAW] = -15, [ZW_ZLIB] = 15, [ZW_GZIP] = 31 };
	const struct peer_zlib *subjects[PEER_SUBJECTS_MAX];
	size_t count = peer_subjects(subjects);

	for (size_t k = 0; k < count; k++) {
		uint8_t *back = test_array(n, 1);
		z_stream s = { 0 };

		assert_int_equal(subjects[k]->inflateInit2_(&s, window_bits[format], ZLIB_VERSION, (int)sizeof s), Z_OK);
		s.next_in = p->data;
		s.avail_in = (uInt)p->bytes;
		s.next_out = back;
		s.avail_out = (uInt)n;
		assert_int_equal(subjects[k]->inflate(&s, Z_FINISH), Z_STREAM_END);
		assert_int_equal(s.total_out, n);
		assert_int_equal(s.avail_in, 0);
		if (n)
			assert_memory_equal(back, in, n);
		subjects[k]->inflateEnd(&s);
		free(back);
	}
}

static void a_size_does_not_come_back(void **state)
{
	struct test_bytes in = { 0 };

	(void)state;
	for (int kind = 0; kind < PARSE_INPUT_COUNT; kind++)
		for (size_t n = (size_t)kind % 5; n <= 300; n += kind == CORPUS_HTML || kind == CORPUS_SAME ? 1 : 9) {
			struct guard_buffer exact = guard_before_end(n); /* nothing is read beyond the input */

			parse_input(kind, n, n, &in);
			if (n)
				memcpy(exact.data, in.data, n);
			for (int level = ONESHOT_LEVEL_MIN; level <= ONESHOT_LEVEL_MAX; level++) {
				enum zw_format format = (enum zw_format)((n + (size_t)level) % FORMATS);
				struct packed p = pack(exact.data, n, level, format);

				check_back(&p, format, exact.data, n);
				free(p.data);
			}
			guard_free(&exact);
		}
	bytes_free(&in);
}

static void a_kind_does_not_come_back(void **state)
{
	static const size_t sizes[] = { 1000, 4097, 33000, 65536, 120000 };
	struct test_bytes in = { 0 };

	(void)state;
	for (int kind = 0; kind < PARSE_INPUT_COUNT; kind++)
		for (unsigned s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
			parse_input(kind, s + 1, sizes[s], &in);
			for (int level = ONESHOT_LEVEL_MIN; level <= ONESHOT_LEVEL_MAX; level++)
				for (int format = 0; format < FORMATS; format++) {
					struct packed p;

					if (s > 1 && format != (int)(s + (unsigned)level) % FORMATS)
						continue;
					p = pack(in.data, in.len_bytes, level, (enum zw_format)format);
					check_back(&p, (enum zw_format)format, in.data, in.len_bytes);
					free(p.data);
				}
		}
	bytes_free(&in);
}

/* Segments, history in front of them, and a tree that is made anew for each. */
static void a_segment_does_not_know_what_came_before(void **state)
{
	static const size_t sizes[] = { SEGMENT_MAX_BYTES, SEGMENT_MAX_BYTES + 1, SEGMENT_MAX_BYTES + 267, 2 * SEGMENT_MAX_BYTES + 7777 };
	struct test_bytes in = { 0 };

	(void)state;
	for (unsigned s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
		int kind = (int)s % 3 == 0 ? CORPUS_JSON : (int)s % 3 == 1 ? CORPUS_MIXED : CORPUS_FAR;
		struct packed p, anew;
		size_t bound;

		parse_input(kind, s, sizes[s], &in);
		bound = zw_oneshot_bound(in.len_bytes, ZW_GZIP);
		p = pack(in.data, in.len_bytes, 10, ZW_GZIP);
		check_back(&p, ZW_GZIP, in.data, in.len_bytes);
		anew = pack_into(in.data, in.len_bytes, 10, ZW_GZIP, bound, 0, 0, POSITION_FIRST + 1);
		check_back(&anew, ZW_GZIP, in.data, in.len_bytes);
		assert_between(anew.bytes, p.bytes - p.bytes / 200, p.bytes + p.bytes / 200);
		free(p.data);
		free(anew.data);
	}
	bytes_free(&in);
}

/* A repeat of what lies 20000 bytes before a border costs as little behind it as in front. */
static void matches_end_at_a_segment(void **state)
{
	struct test_bytes in = { 0 }, piece = { 0 };
	struct packed p;

	(void)state;
	corpus_make(CORPUS_RANDOM, 1, 20000, &piece);
	while (in.len_bytes < SEGMENT_MAX_BYTES + 100000)
		bytes_append(&in, piece.data, piece.len_bytes);
	p = pack(in.data, in.len_bytes, 12, ZW_RAW);
	assert_true(p.bytes < 20000 + 5000);     /* 2,400 matches of 1 + 1 + 13 bits */
	check_back(&p, ZW_RAW, in.data, in.len_bytes);
	free(p.data);
	bytes_free(&in);
	bytes_free(&piece);
}

static void noise_grows_by_more_than_stored_blocks(void **state)
{
	static const size_t sizes[] = { 0, 1, 2, 5, 100, 65534, 65535, 65536, 131070, 131071, SEGMENT_MAX_BYTES - 1, SEGMENT_MAX_BYTES,
					SEGMENT_MAX_BYTES + 1, SEGMENT_MAX_BYTES + 65536 };
	struct test_bytes in = { 0 };

	(void)state;
	for (unsigned s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
		for (int level = ONESHOT_LEVEL_MIN; level <= ONESHOT_LEVEL_MAX; level += 2) {
			struct packed p;

			in.len_bytes = 0;
			corpus_make(CORPUS_RANDOM, s, sizes[s], &in);
			p = pack(in.data, in.len_bytes, level, ZW_RAW);
			assert_true(p.bytes <= sizes[s] + 5 * (sizes[s] / 65535 + (sizes[s] % 65535 != 0) + !sizes[s]));
			check_back(&p, ZW_RAW, in.data, in.len_bytes);
			free(p.data);
		}
	bytes_free(&in);
}

/* Noise and text in turns, in pieces that do not fit blocks: stored runs in front of, behind and between others. */
static void a_mixture_exceeds_the_bound(void **state)
{
	struct rng rng = rng_seed(7);
	struct test_bytes in = { 0 };

	(void)state;
	for (unsigned round = 0; round < 12; round++) {
		struct packed p;

		in.len_bytes = 0;
		for (unsigned piece = 0; piece < 12; piece++)
			corpus_make(rng_one_in(&rng, 2) ? CORPUS_RANDOM : (enum corpus_kind)rng_below(&rng, CORPUS_KIND_COUNT),
				    rng_next(&rng), rng_size(&rng, 60000), &in);
		p = pack(in.data, in.len_bytes, 10 + (int)round % 3, ZW_ZLIB);
		check_back(&p, ZW_ZLIB, in.data, in.len_bytes);
		free(p.data);
	}
	bytes_free(&in);
}

static void a_byte_is_written_beyond_the_capacity(void **state)
{
	struct test_bytes in = { 0 };

	(void)state;
	for (int kind = 0; kind < CORPUS_KIND_COUNT; kind += 2) {
		struct packed want;

		parse_input(kind, 1, 3000, &in);
		want = pack(in.data, in.len_bytes, 11, ZW_GZIP);
		for (size_t room = 0; room <= want.bytes; room += want.bytes > 200 && room > 40 && room + 40 < want.bytes ? 17 : 1) {
			struct packed p = pack_into(in.data, in.len_bytes, 11, ZW_GZIP, room, 0, 0, ONESHOT_POSITION_LIMIT);

			if (room < want.bytes) {     /* that nothing is written beyond is what the sanitizer sees */
				assert_null(p.data);
				continue;
			}
			assert_non_null(p.data);
			assert_memory_equal(p.data, want.data, want.bytes);
			free(p.data);
		}
		free(want.data);
	}
	bytes_free(&in);
}

static void bytes_depend_on_memory_or_machine(void **state)
{
	static const int fills[] = { 0, 0xff, 0x55 };
	size_t set_count;
	const struct zw_kernels *const *sets = zw_kernels_all(&set_count);
	struct test_bytes in = { 0 };

	(void)state;
	for (int kind = 0; kind < PARSE_INPUT_COUNT; kind++)
		for (int level = ONESHOT_LEVEL_MIN; level <= ONESHOT_LEVEL_MAX; level++) {
			struct packed want;
			size_t bound;

			parse_input(kind, 3, level == 10 ? 70000 : 20000, &in);
			want = pack(in.data, in.len_bytes, level, ZW_GZIP);
			bound = zw_oneshot_bound(in.len_bytes, ZW_GZIP);
			for (unsigned k = 0; k < 3 + set_count; k++) {
				struct packed p;

				zw_kernels_force(k < 3 ? NULL : sets[k - 3]);
				p = pack_into(in.data, in.len_bytes, level, ZW_GZIP, bound, fills[k % 3], k, ONESHOT_POSITION_LIMIT);
				zw_kernels_force(NULL);
				assert_int_equal(p.bytes, want.bytes);
				assert_memory_equal(p.data, want.data, want.bytes);
				free(p.data);
			}
			free(want.data);
		}
	bytes_free(&in);
}

/* On what web servers send; a level of more effort that gives more bytes is a mistake in one of its numbers. */
static void a_higher_level_is_larger(void **state)
{
	struct test_bytes in = { 0 };

	(void)state;
	for (int kind = CORPUS_HTML; kind <= CORPUS_CSS; kind++) {
		size_t sum[3] = { 0 };

		for (uint64_t seed = 0; seed < 4; seed++) {
			parse_input(kind, seed, seed == 3 ? 60000 : 30000, &in);
			for (unsigned k = 0; k < 3; k++) {
				struct packed p = pack(in.data, in.len_bytes, 10 + (int)k, ZW_RAW);

				sum[k] += p.bytes;
				free(p.data);
			}
		}
		assert_true(sum[1] <= sum[0] + sum[0] / 1000);
		assert_true(sum[2] <= sum[1] + sum[1] / 1000);
	}
	bytes_free(&in);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_size_does_not_come_back),
		cmocka_unit_test(a_kind_does_not_come_back),
		cmocka_unit_test(a_segment_does_not_know_what_came_before),
		cmocka_unit_test(matches_end_at_a_segment),
		cmocka_unit_test(noise_grows_by_more_than_stored_blocks),
		cmocka_unit_test(a_mixture_exceeds_the_bound),
		cmocka_unit_test(a_byte_is_written_beyond_the_capacity),
		cmocka_unit_test(bytes_depend_on_memory_or_machine),
		cmocka_unit_test(a_higher_level_is_larger),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
