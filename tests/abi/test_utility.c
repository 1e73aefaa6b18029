/* SPDX-License-Identifier: Zlib */
/* test_utility.c - compress*() and uncompress*(), ours and the system's. */
#include "zlib.h"

#include "lib/cmocka_all.h"
#include "lib/corpus.h"
#include "lib/guard.h"
#include "lib/peer.h"
#include "lib/rng.h"

#include <string.h>

static const struct peer_zlib *subjects[PEER_SUBJECTS_MAX];
static size_t subject_count;

static int find_subjects(void **state)
{
	(void)state;
	subject_count = peer_subjects(subjects);
	return 0;
}

/* Some calls changed in 1.3.2; older systems are not held to them. */
static bool is_1_3_2(const struct peer_zlib *z)
{
	return z->compress_z != NULL;
}

static const size_t sizes[] = { 0, 1, 2, 3, 7, 8, 64, 255, 256, 1000, 4096, 65535, 65536, 100000 };
#define SIZE_COUNT (sizeof sizes / sizeof sizes[0])

/* Packs with one library into a buffer of exactly compressBound() bytes, unpacks with each into one of the exact size. */
static void round_trip(const struct peer_zlib *from, const struct test_bytes *body, int level)
{
	struct guard_buffer packed = guard_before_end(from->compressBound(body->len_bytes));
	uLongf packed_bytes = packed.len_bytes;

	assert_int_equal(from->compress2(packed.data, &packed_bytes, body->data, body->len_bytes, level), Z_OK);
	assert_true(packed_bytes <= packed.len_bytes);
	for (size_t i = 0; i < subject_count; i++) {
		struct guard_buffer out = guard_before_end(body->len_bytes);
		uLongf out_bytes = out.len_bytes;
		uLong in_bytes = packed_bytes;

		assert_int_equal(subjects[i]->uncompress2(out.data, &out_bytes, packed.data, &in_bytes), Z_OK);
		assert_int_equal(out_bytes, body->len_bytes);
		assert_int_equal(in_bytes, packed_bytes);
		if (body->len_bytes)
			assert_memory_equal(out.data, body->data, body->len_bytes);
		guard_free(&out);
	}
	guard_free(&packed);
}

static void a_body_does_not_come_back(void **state)
{
	(void)state;
	for (size_t i = 0; i < subject_count; i++) {
		for (int kind = 0; kind < CORPUS_KIND_COUNT; kind++) {
			for (size_t s = 0; s < SIZE_COUNT; s++) {
				struct test_bytes body = { 0 };

				corpus_make((enum corpus_kind)kind, s, sizes[s], &body);
				bytes_reserve(&body, 1);
				round_trip(subjects[i], &body, (int)(s + (unsigned)kind) % 11 - 1);
				bytes_free(&body);
			}
		}
	}
}

static void a_bound_is_not_zlibs(void **state)
{
	const struct peer_zlib *system = peer_system_or_skip();
	struct rng rng = rng_seed(21);

	(void)state;
	for (unsigned i = 0; i < 10000; i++) {
		uLong len = (uLong)(rng_next(&rng) >> rng_between(&rng, 66 - 8 * (int)sizeof len, 63));

		assert_int_equal(compressBound(len), system->compressBound(len));
		assert_int_equal(compressBound_z(len), system->compressBound(len));
	}
}

static void a_bound_wraps_around(void **state)
{
	(void)state;
	assert_int_equal(compressBound((uLong)-1), (uLong)-1);
	assert_int_equal(compressBound((uLong)-1 - ((uLong)-1 >> 13)), (uLong)-1);
	assert_int_equal(compressBound_z((z_size_t)-1), (z_size_t)-1);
	assert_int_equal(compressBound(0), 13);
}

/* One byte less than needed, at every level; nothing may be written beyond. */
static void a_short_destination_is_not_reported(void **state)
{
	struct test_bytes body = { 0 };

	(void)state;
	corpus_make(CORPUS_HTML, 3, 3000, &body);
	for (size_t i = 0; i < subject_count; i++) {
		for (int level = 0; level <= 9; level++) {
			Bytef packed[4000];
			uLongf need = sizeof packed;

			assert_int_equal(subjects[i]->compress2(packed, &need, body.data, body.len_bytes, level), Z_OK);
			for (uLong room = 1; room <= need; room += room < 20 || room + 20 > need ? 1 : 97) {
				struct guard_buffer out = guard_before_end(room);
				uLongf got = room;
				int result = subjects[i]->compress2(out.data, &got, body.data, body.len_bytes, level);

				assert_int_equal(result, room < need ? Z_BUF_ERROR : Z_OK);
				assert_int_equal(got, room);
				guard_free(&out);
			}
		}
	}
	bytes_free(&body);
}

/* Every prefix of a stream: never Z_OK, and Z_DATA_ERROR when there is room for more. */
static void a_truncated_source_is_not_reported(void **state)
{
	struct test_bytes body = { 0 };
	Bytef packed[1000], out[600];
	uLongf packed_bytes = sizeof packed;

	(void)state;
	corpus_make(CORPUS_JSON, 4, 500, &body);
	assert_int_equal(compress(packed, &packed_bytes, body.data, body.len_bytes), Z_OK);
	for (size_t i = 0; i < subject_count; i++) {
		for (uLong len = 0; len < packed_bytes; len++) {
			struct guard_buffer in = guard_before_end(len);
			uLongf got = sizeof out;
			uLong used = len;

			if (len)
				memcpy(in.data, packed, len);
			assert_int_equal(subjects[i]->uncompress2(out, &got, in.data, &used), Z_DATA_ERROR);
			assert_int_equal(used, len);
			guard_free(&in);
		}
	}
	bytes_free(&body);
}

static void bytes_after_the_stream_are_used(void **state)
{
	Bytef packed[100], out[100];
	uLongf packed_bytes = sizeof packed;

	(void)state;
	assert_int_equal(compress(packed, &packed_bytes, (const Bytef *)"abcabcabc", 9), Z_OK);
	memset(packed + packed_bytes, 0xee, 20);
	for (size_t i = 0; i < subject_count; i++) {
		uLongf got = sizeof out;
		uLong used = packed_bytes + 20;

		assert_int_equal(subjects[i]->uncompress2(out, &got, packed, &used), Z_OK);
		assert_int_equal(used, packed_bytes);
		assert_int_equal(got, 9);
	}
}

static void a_small_output_buffer_is_not_reported(void **state)
{
	Bytef packed[100], out[10];
	uLongf packed_bytes = sizeof packed;

	(void)state;
	assert_int_equal(compress(packed, &packed_bytes, (const Bytef *)"abcdefghij", 10), Z_OK);
	for (size_t i = 0; i < subject_count; i++) {
		for (uLong room = 1; room < 10; room++) {
			uLongf got = room;

			memset(out, 0x5c, sizeof out);
			assert_int_equal(subjects[i]->uncompress(out, &got, packed, packed_bytes), Z_BUF_ERROR);
			assert_int_equal(got, room);
			assert_memory_equal(out, "abcdefghij", room);
			assert_int_equal(out[room], 0x5c);
		}
	}
}

static void no_room_at_all_is_told_wrongly(void **state)
{
	Bytef packed[100], empty[20], out[1] = { 0x5c };
	uLongf packed_bytes = sizeof packed, empty_bytes = sizeof empty, got;

	(void)state;
	assert_int_equal(compress(packed, &packed_bytes, (const Bytef *)"abcdefghij", 10), Z_OK);
	assert_int_equal(compress(empty, &empty_bytes, (const Bytef *)"", 0), Z_OK);
	for (size_t i = 0; i < subject_count; i++) {
		got = 0;
		assert_int_equal(subjects[i]->uncompress(out, &got, empty, empty_bytes), Z_OK);
		assert_int_equal(got, 0);
		got = 0;
		assert_int_equal(subjects[i]->uncompress(out, &got, empty, empty_bytes - 1), Z_DATA_ERROR);
		if (is_1_3_2(subjects[i])) {     /* older ones say Z_DATA_ERROR */
			got = 0;
			assert_int_equal(subjects[i]->uncompress(out, &got, packed, packed_bytes), Z_BUF_ERROR);
			assert_int_equal(got, 0);
			got = 0;
			assert_int_equal(subjects[i]->uncompress(NULL, &got, packed, packed_bytes), Z_BUF_ERROR);
		}
		assert_int_equal(out[0], 0x5c);
	}
}

static void a_bad_argument_is_accepted(void **state)
{
	Bytef packed[100], out[100];
	uLongf got;
	uLong used;
	z_size_t size;

	(void)state;
	for (size_t i = 0; i < subject_count; i++) {
		const struct peer_zlib *z = subjects[i];

		got = sizeof packed;
		assert_int_equal(z->compress2(packed, &got, (const Bytef *)"aaaa", 4, 10), Z_STREAM_ERROR);
		got = sizeof packed;
		assert_int_equal(z->compress2(packed, &got, (const Bytef *)"aaaa", 4, -2), Z_STREAM_ERROR);
		got = 5;
		assert_int_equal(z->compress(packed, &got, NULL, 11), Z_STREAM_ERROR);
		got = 5;
		assert_int_equal(z->compress(NULL, &got, (const Bytef *)"aaaa", 4), Z_STREAM_ERROR);
		got = 5;
		used = 4;
		assert_int_equal(z->uncompress2(out, &got, NULL, &used), Z_STREAM_ERROR);
		got = 5;
		used = 0;
		assert_int_equal(z->uncompress2(out, &got, NULL, &used), Z_DATA_ERROR);
	}
	size = 5;
	assert_int_equal(compress_z(packed, NULL, (const Bytef *)"aaaa", 4), Z_STREAM_ERROR);
	assert_int_equal(uncompress2_z(out, &size, packed, NULL), Z_STREAM_ERROR);
	assert_int_equal(uncompress2_z(out, NULL, packed, &size), Z_STREAM_ERROR);
}

static void a_size_t_variant_differs(void **state)
{
	struct test_bytes body = { 0 };
	Bytef packed[2][3000], out[3000];
	uLongf narrow = sizeof packed[0];
	z_size_t wide = sizeof packed[1], got = sizeof out, used;

	(void)state;
	corpus_make(CORPUS_CSS, 5, 2000, &body);
	assert_int_equal(compress2(packed[0], &narrow, body.data, body.len_bytes, 6), Z_OK);
	assert_int_equal(compress2_z(packed[1], &wide, body.data, body.len_bytes, 6), Z_OK);
	assert_int_equal(narrow, wide);
	assert_memory_equal(packed[0], packed[1], wide);
	wide = sizeof packed[1];
	assert_int_equal(compress_z(packed[1], &wide, body.data, body.len_bytes), Z_OK);
	assert_int_equal(narrow, wide);
	used = wide;
	assert_int_equal(uncompress2_z(out, &got, packed[1], &used), Z_OK);
	assert_int_equal(got, body.len_bytes);
	assert_int_equal(used, wide);
	got = sizeof out;
	assert_int_equal(uncompress_z(out, &got, packed[1], wide), Z_OK);
	assert_memory_equal(out, body.data, got);
	bytes_free(&body);
}

static void a_dictionary_is_not_refused(void **state)
{
	z_stream s = { 0 };
	Bytef packed[100], out[100];

	(void)state;
	assert_int_equal(deflateInit(&s, 6), Z_OK);
	assert_int_equal(deflateSetDictionary(&s, (const Bytef *)"abc", 3), Z_OK);
	s.next_in = (const Bytef *)"abcabc";
	s.avail_in = 6;
	s.next_out = packed;
	s.avail_out = sizeof packed;
	assert_int_equal(deflate(&s, Z_FINISH), Z_STREAM_END);
	for (size_t i = 0; i < subject_count; i++) {
		uLongf got = sizeof out;

		assert_int_equal(subjects[i]->uncompress(out, &got, packed, s.total_out), Z_DATA_ERROR);
	}
	assert_int_equal(deflateEnd(&s), Z_OK);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_body_does_not_come_back),
		cmocka_unit_test(a_bound_wraps_around),
		cmocka_unit_test(a_short_destination_is_not_reported),
		cmocka_unit_test(a_truncated_source_is_not_reported),
		cmocka_unit_test(bytes_after_the_stream_are_used),
		cmocka_unit_test(a_small_output_buffer_is_not_reported),
		cmocka_unit_test(no_room_at_all_is_told_wrongly),
		cmocka_unit_test(a_bad_argument_is_accepted),
		cmocka_unit_test(a_size_t_variant_differs),
		cmocka_unit_test(a_dictionary_is_not_refused),
		cmocka_unit_test(a_bound_is_not_zlibs),
	};

	return cmocka_run_group_tests(tests, find_subjects, NULL);
}
