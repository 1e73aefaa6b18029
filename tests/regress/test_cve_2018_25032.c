/* SPDX-License-Identifier: Zlib */
/* CVE-2018-25032: many far matches with long extra bits, the fixed code and little memory made zlib's output overwrite
 * the symbols that it was made from.  Shape: three random bytes that occurred about 32 KB before, again and again. */
#include "lib/cmocka_all.h"
#include "lib/streams.h"

static void make_far_triples(uint64_t seed, size_t len_bytes, struct test_bytes *out)
{
	struct rng random = rng_seed(seed);

	while (out->len_bytes < 32768)
		bytes_append_byte(out, (uint8_t)rng_next(&random));
	while (out->len_bytes < len_bytes) {
		size_t distance = (size_t)rng_between(&random, 24577, 32500);
		uint8_t triple[3];

		memcpy(triple, out->data + out->len_bytes - distance, 3);
		bytes_append(out, triple, 3);
	}
}

static void test_far_matches_overwrite_their_symbols(void **state)
{
	struct test_bytes body = { 0 };

	(void)state;
	make_far_triples(1, 150000, &body);
	FOR_EACH_SUBJECT(p)
		for (int set = 0; set < 9 * 9 * 2; set++) {
			const struct deflate_parameters d = { 1 + set % 9, -15, 1 + set / 9 % 9, set / 81 ? Z_FIXED : Z_DEFAULT_STRATEGY };
			struct test_bytes packed = { 0 };
			z_stream s = { 0 };

			streams_begin_deflate(p, &s, &d);
			assert_int_equal(streams_deflate(p, &s, body.data, body.len_bytes, Z_FINISH, &packed), Z_STREAM_END);
			assert_int_equal(p->deflateEnd(&s), Z_OK);
			streams_check_decodes(p, -15, &packed, body.data, body.len_bytes);
			bytes_free(&packed);
		}
	bytes_free(&body);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_far_matches_overwrite_their_symbols) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
