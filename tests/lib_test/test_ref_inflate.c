/* SPDX-License-Identifier: Zlib */
/* test_ref_inflate.c - the reference inflate and the bit writer against the system's zlib, and against each other. */
#include "lib/bits.h"
#include "lib/cmocka_all.h"
#include "lib/corpus.h"
#include "lib/peer.h"
#include "lib/ref_inflate.h"
#include "lib/rng.h"

#define OUT_BYTES 70000

/* Raw deflate by the system's zlib. */
static void compress_raw(const struct peer_zlib *p, const struct test_bytes *in, int level, int strategy,
			 struct test_bytes *out)
{
	z_stream s = { 0 };

	assert_int_equal(p->deflateInit2_(&s, level, Z_DEFLATED, -15, 8, strategy, ZLIB_VERSION, (int)sizeof s), Z_OK);
	bytes_reserve(out, p->deflateBound(&s, (uLong)in->len_bytes));
	s.next_in = in->data;
	s.avail_in = (uInt)in->len_bytes;
	s.next_out = out->data;
	s.avail_out = (uInt)out->room_bytes;
	assert_int_equal(p->deflate(&s, Z_FINISH), Z_STREAM_END);
	out->len_bytes = s.total_out;
	assert_int_equal(p->deflateEnd(&s), Z_OK);
}

static void test_valid_streams_decode_to_other_bytes(void **state)
{
	const struct peer_zlib *p = peer_system_or_skip();
	static uint8_t out[OUT_BYTES];

	(void)state;
	for (int kind = 0; kind < CORPUS_KIND_COUNT; kind++) {
		for (int strategy = Z_DEFAULT_STRATEGY; strategy <= Z_FIXED; strategy++) {
			struct test_bytes plain = { 0 }, packed = { 0 };
			struct ref_output r;

			corpus_make((enum corpus_kind)kind, 1, strategy == Z_FIXED ? OUT_BYTES : 5000, &plain);
			compress_raw(p, &plain, strategy == Z_RLE ? 0 : 6, strategy, &packed);
			r = ref_inflate(packed.data, packed.len_bytes, NULL, 0, out, sizeof out);
			assert_int_equal(r.result, REF_DONE);
			assert_int_equal(r.out_bytes, plain.len_bytes);
			assert_memory_equal(out, plain.data, plain.len_bytes);
			assert_int_equal((r.in_bits + 7) / 8, packed.len_bytes);
			r = ref_inflate(packed.data, packed.len_bytes - 1, NULL, 0, out, sizeof out);
			assert_int_equal(r.result, REF_TRUNCATED);
			bytes_free(&plain);
			bytes_free(&packed);
		}
	}
}

/* What the system's zlib says about a raw stream given whole. */
static int peer_verdict(const struct peer_zlib *p, const uint8_t *in, size_t in_bytes, uint8_t *out, size_t *out_ret,
			const char **msg_ret)
{
	z_stream s = { 0 };
	int code;

	assert_int_equal(p->inflateInit2_(&s, -15, ZLIB_VERSION, (int)sizeof s), Z_OK);
	s.next_in = in;
	s.avail_in = (uInt)in_bytes;
	s.next_out = out;
	s.avail_out = OUT_BYTES;
	code = p->inflate(&s, Z_NO_FLUSH);
	*out_ret = s.total_out;
	*msg_ret = s.msg;
	p->inflateEnd(&s);
	return code;
}

static void compare_verdicts(const struct peer_zlib *p, const uint8_t *in, size_t in_bytes)
{
	static uint8_t ours[OUT_BYTES], theirs[OUT_BYTES];
	struct ref_output r = ref_inflate(in, in_bytes, NULL, 0, ours, sizeof ours);
	size_t out_bytes;
	const char *msg;
	int code = peer_verdict(p, in, in_bytes, theirs, &out_bytes, &msg);

	if (code == Z_DATA_ERROR && r.result == REF_TRUNCATED)
		return;                          /* zlib judges a table before it has read everything */
	if (r.result == REF_DONE)
		assert_int_equal(code, Z_STREAM_END);
	if (ref_message(r.result)) {
		assert_int_equal(code, Z_DATA_ERROR);
		assert_string_equal(msg, ref_message(r.result));
	}
	if (r.result == REF_TRUNCATED)
		assert_true(code == Z_OK || code == Z_BUF_ERROR);
	assert_int_equal(out_bytes, r.out_bytes);
	assert_memory_equal(ours, theirs, out_bytes);
}

static void test_broken_streams_get_another_verdict(void **state)
{
	const struct peer_zlib *p = peer_system_or_skip();
	struct rng random = rng_seed(3);

	(void)state;
	for (int round = 0; round < 4000; round++) {
		struct test_bytes plain = { 0 }, packed = { 0 };

		corpus_make((enum corpus_kind)rng_below(&random, CORPUS_KIND_COUNT), rng_next(&random),
			    rng_size(&random, 900), &plain);
		compress_raw(p, &plain, rng_between(&random, 0, 9), rng_between(&random, 0, 4), &packed);
		for (int flips = rng_between(&random, 1, 3); flips > 0; flips--)
			packed.data[rng_below(&random, packed.len_bytes)] ^= (uint8_t)(1u << rng_below(&random, 8));
		compare_verdicts(p, packed.data, packed.len_bytes);
		bytes_free(&plain);
		bytes_free(&packed);
	}
}

static void test_written_matches_decode_to_other_bytes(void **state)
{
	struct bits b = { .hold = 0 };
	struct bits_code litlen, dist;
	static uint8_t history[32768], out[OUT_BYTES];
	struct rng random = rng_seed(9);
	struct ref_output r;
	size_t at = 0;

	(void)state;
	rng_fill(&random, history, sizeof history);
	bits_make_fixed_litlen(&litlen);
	bits_make_fixed_dist(&dist);
	bits_put_stored(&b, false, "abc", 3);
	bits_put_block_start(&b, true, BLOCK_FIXED);
	for (unsigned len = 3; len <= 258; len++)
		bits_put_match(&b, &litlen, &dist, len, 1 + len * 127);
	bits_put_symbol(&b, &litlen, SYMBOL_END_OF_BLOCK);
	bits_end(&b);
	r = ref_inflate(b.bytes.data, b.bytes.len_bytes, history, sizeof history, out, sizeof out);
	assert_int_equal(r.result, REF_DONE);
	assert_memory_equal(out, "abc", 3);
	at = 3;
	for (unsigned len = 3; len <= 258; len++) {
		for (unsigned i = 0; i < len; i++, at++) {
			size_t d = 1 + len * 127;

			assert_int_equal(out[at], d <= at ? out[at - d] : history[sizeof history + at - d]);
		}
	}
	assert_int_equal(r.out_bytes, at);
	bits_free(&b);
}

static void test_written_dynamic_block_is_not_readable(void **state)
{
	struct bits b = { .hold = 0 };
	struct bits_code litlen, dist;
	uint8_t litlen_lens[286] = { 0 }, dist_lens[1] = { 1 }, out[16];
	struct ref_output r;

	(void)state;
	litlen_lens['x'] = 1;
	litlen_lens[SYMBOL_END_OF_BLOCK] = 2;
	litlen_lens[257] = 2;
	bits_put_dynamic_header(&b, true, litlen_lens, 286, dist_lens, 1);
	bits_make_code(&litlen, litlen_lens, 286);
	bits_make_code(&dist, dist_lens, 1);
	bits_put_symbol(&b, &litlen, 'x');
	bits_put_match(&b, &litlen, &dist, 3, 1);
	bits_put_symbol(&b, &litlen, SYMBOL_END_OF_BLOCK);
	bits_end(&b);
	r = ref_inflate(b.bytes.data, b.bytes.len_bytes, NULL, 0, out, sizeof out);
	assert_int_equal(r.result, REF_DONE);
	assert_int_equal(r.out_bytes, 4);
	assert_memory_equal(out, "xxxx", 4);
	bits_free(&b);
}

static void test_check_values_differ(void **state)
{
	const struct peer_zlib *p = peer_system_or_skip();
	struct test_bytes b = { 0 };

	(void)state;
	corpus_make(CORPUS_MIXED, 4, 20000, &b);
	assert_int_equal(bits_crc32(0, b.data, b.len_bytes), p->crc32(0, b.data, (uInt)b.len_bytes));
	assert_int_equal(bits_adler32(1, b.data, b.len_bytes), p->adler32(1, b.data, (uInt)b.len_bytes));
	bytes_free(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_valid_streams_decode_to_other_bytes),
		cmocka_unit_test(test_broken_streams_get_another_verdict),
		cmocka_unit_test(test_written_matches_decode_to_other_bytes),
		cmocka_unit_test(test_written_dynamic_block_is_not_readable),
		cmocka_unit_test(test_check_values_differ),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
