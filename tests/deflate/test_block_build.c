/* SPDX-License-Identifier: Zlib */
/* Which blocks are made: nothing expands beyond its bound, noise is stored and left again, blocks split where the content
 * changes, and the bytes do not depend on how input and output are cut. */
#include "lib/cmocka_all.h"

#include "deflate/deflate_bound.h"
#include "deflate/deflate_stream.h"
#include "lib/bytes_buffer.h"
#include "lib/corpus.h"
#include "lib/ref_inflate.h"
#include "lib/rng.h"

#include <string.h>

static struct zw_deflate *open_stream(const struct zw_deflate_config *c, void **block_ret)
{
	size_t bytes = zw_deflate_memory_bytes(c->window_log2, c->mem_level, sizeof(struct zw_deflate));
	void  *block = malloc(bytes);
	struct zw_deflate_parts parts;

	memset(block, 0xd7, bytes);              /* whatever malloc returned must not matter */
	parts = zw_deflate_memory_cut(block, c->window_log2, c->mem_level, sizeof(struct zw_deflate));
	zw_deflate_init(parts.state, &parts, c);
	*block_ret = block;
	return parts.state;
}

/* The whole stream of in; pieces of at most in_piece and out_piece bytes. */
static void compress_in_pieces(const struct zw_deflate_config *c, const struct test_bytes *in, size_t in_piece,
			       size_t out_piece, struct test_bytes *out)
{
	void *block;
	struct zw_deflate *d = open_stream(c, &block);
	enum zw_result r = ZW_OK;
	struct zw_in  i = { in->data, 0 };
	size_t given = 0;

	out->len_bytes = 0;
	while (r != ZW_STREAM_DONE) {
		struct zw_out o;

		if (!i.left_bytes) {
			i.left_bytes = in->len_bytes - given < in_piece ? in->len_bytes - given : in_piece;
			given += i.left_bytes;
		}
		do {
			bytes_reserve(out, out_piece);
			o = (struct zw_out){ out->data + out->len_bytes, out_piece };
			r = zw_deflate_run(d, &i, &o, given == in->len_bytes ? ZW_FLUSH_FINISH : ZW_FLUSH_NONE);
			out->len_bytes += out_piece - o.left_bytes;
			assert_true(r == ZW_OK || r == ZW_STREAM_DONE);
		} while (r == ZW_OK && !o.left_bytes);
	}
	free(block);
}

static void check_decodes(const struct test_bytes *in, const struct test_bytes *out)
{
	struct test_bytes back = { 0 };
	struct ref_output r;

	bytes_reserve(&back, in->len_bytes + 1);
	r = ref_inflate(out->data, out->len_bytes, NULL, 0, back.data, in->len_bytes + 1);
	assert_int_equal(r.result, REF_DONE);
	assert_int_equal(r.out_bytes, in->len_bytes);
	assert_int_equal((r.in_bits + 7) / 8, out->len_bytes);
	if (in->len_bytes)
		assert_memory_equal(back.data, in->data, in->len_bytes);
	bytes_free(&back);
}

/* Pieces that hardly compress next to pieces that do, of lengths around every limit of the code. */
static void make_hostile(struct rng *r, size_t limit_bytes, struct test_bytes *in)
{
	in->len_bytes = 0;
	while (in->len_bytes < limit_bytes) {
		static const size_t lengths[] = { 1, 3, 17, 100, 1000, 1024, 4090, 4096, 4100, 9000 };
		size_t n = lengths[rng_below(r, sizeof lengths / sizeof *lengths)], at = in->len_bytes;
		unsigned kind = (unsigned)rng_below(r, 4);

		if (kind == 0)
			corpus_make(CORPUS_HTML, rng_next(r), n, in);
		else
			corpus_make(CORPUS_RANDOM, rng_next(r), n, in);
		for (size_t i = at; kind > 1 && i < in->len_bytes; i++)  /* 7 bits, or high bytes only: dear in the fixed code */
			in->data[i] = (uint8_t)(kind == 2 ? in->data[i] & 0x7f : in->data[i] | 0x90);
	}
}

static void test_expands_beyond_the_bound(void **unused)
{
	struct rng r = rng_seed(7);
	struct test_bytes in = { 0 }, out = { 0 };

	(void)unused;
	for (unsigned round = 0; round < 220; round++) {
		struct zw_deflate_config c = { .format = ZW_RAW, .window_log2 = (unsigned)rng_between(&r, 9, 15),
			.mem_level = (unsigned)rng_between(&r, 1, 9), .level = rng_between(&r, 0, 9),
			.strategy = (enum zw_strategy)rng_below(&r, 5) };
		size_t bound;

		if (round % 2) {
			c.window_log2 = 15;
			c.mem_level = 8;
		}
		make_hostile(&r, rng_size(&r, 150000), &in);
		compress_in_pieces(&c, &in, in.len_bytes, in.len_bytes + 65536, &out);
		bound = zw_deflate_bound(in.len_bytes, c.window_log2, c.mem_level, c.level, 0);
		assert_true(out.len_bytes <= bound);
		assert_true(out.len_bytes <= zw_deflate_bound_any(in.len_bytes, 0));
		check_decodes(&in, &out);
	}
	for (size_t n = 0; n < 600; n++) {       /* every small length of the dearest bytes */
		const struct zw_deflate_config c = { .format = ZW_RAW, .window_log2 = 15, .mem_level = 8, .level = 1 + (int)(n % 9) };

		in.len_bytes = 0;
		corpus_make(CORPUS_RANDOM, n, n, &in);
		for (size_t i = 0; i < n; i++)
			in.data[i] |= 0x90;
		bytes_reserve(&in, 1);
		compress_in_pieces(&c, &in, n, n + 1000, &out);
		assert_true(out.len_bytes <= zw_deflate_bound(n, 15, 8, c.level, 0));
		check_decodes(&in, &out);
	}
	bytes_free(&in);
	bytes_free(&out);
}

static void test_noise_is_not_stored_or_text_behind_it_is(void **unused)
{
	struct test_bytes in = { 0 }, out = { 0 };

	(void)unused;
	for (int level = 1; level <= 9; level++) {
		const struct zw_deflate_config c = { .format = ZW_RAW, .window_log2 = 15, .mem_level = 8, .level = level };

		in.len_bytes = 0;
		corpus_make(CORPUS_RANDOM, 1, 1000000, &in);
		compress_in_pieces(&c, &in, 32768, 4096, &out);
		assert_true(out.len_bytes <= in.len_bytes + in.len_bytes / 2500); /* 0.04 % */
		check_decodes(&in, &out);

		in.len_bytes = 100000;
		corpus_make(CORPUS_HTML, 2, 100000, &in);
		compress_in_pieces(&c, &in, 32768, 4096, &out);
		assert_true(out.len_bytes < 100000 + 50000);
		check_decodes(&in, &out);
	}
	bytes_free(&in);
	bytes_free(&out);
}

static void test_bytes_depend_on_how_input_or_output_was_cut(void **unused)
{
	struct rng r = rng_seed(11);
	struct test_bytes in = { 0 }, want = { 0 }, got = { 0 };

	(void)unused;
	for (unsigned round = 0; round < 60; round++) {
		struct zw_deflate_config c = { .format = ZW_RAW, .window_log2 = (unsigned)rng_between(&r, 9, 15),
			.mem_level = (unsigned)rng_between(&r, 1, 9), .level = rng_between(&r, 0, 9) };

		in.len_bytes = 0;
		corpus_make(CORPUS_MIXED, rng_next(&r), rng_size(&r, 200000), &in);
		compress_in_pieces(&c, &in, in.len_bytes, in.len_bytes + 65536, &want);
		compress_in_pieces(&c, &in, rng_size(&r, 70000), rng_size(&r, 5000), &got);
		assert_int_equal(got.len_bytes, want.len_bytes);
		assert_memory_equal(got.data, want.data, want.len_bytes);
		check_decodes(&in, &got);
	}
	bytes_free(&in);
	bytes_free(&want);
	bytes_free(&got);
}

static void test_change_of_content_does_not_split_the_block(void **unused)
{
	struct test_bytes both = { 0 }, one = { 0 }, other = { 0 }, out = { 0 };
	const struct zw_deflate_config c = { .format = ZW_RAW, .window_log2 = 15, .mem_level = 8, .level = 6 };
	size_t together, apart;

	(void)unused;
	corpus_make(CORPUS_DE_BRUIJN, 1, 30000, &one);
	corpus_make(CORPUS_HTML, 2, 30000, &other);
	bytes_append(&both, one.data, one.len_bytes);
	bytes_append(&both, other.data, other.len_bytes);
	compress_in_pieces(&c, &one, one.len_bytes, 65536, &out);
	apart = out.len_bytes;
	compress_in_pieces(&c, &other, other.len_bytes, 65536, &out);
	apart += out.len_bytes;
	compress_in_pieces(&c, &both, both.len_bytes, 65536, &out);
	together = out.len_bytes;
	check_decodes(&both, &out);
	assert_true(together <= apart + apart / 50);
	bytes_free(&both);
	bytes_free(&one);
	bytes_free(&other);
	bytes_free(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_expands_beyond_the_bound),
		cmocka_unit_test(test_noise_is_not_stored_or_text_behind_it_is),
		cmocka_unit_test(test_bytes_depend_on_how_input_or_output_was_cut),
		cmocka_unit_test(test_change_of_content_does_not_split_the_block),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
