/* SPDX-License-Identifier: Zlib */
/* contract_alloc.c - zalloc, zfree and opaque: who is called, with what, and what follows when there is no memory. */
#include "abi/contract.h"

/* An allocator that notes what it was asked. */
struct witness {
	unsigned allocations, frees, wrong_opaque, fail_from;
	void    *live[16];
	unsigned unknown_frees;
};

static struct witness *expected_witness;

static voidpf witness_alloc(voidpf opaque, uInt items, uInt size)
{
	struct witness *w = expected_witness;
	void *p = NULL;

	w->wrong_opaque += opaque != w;
	w->allocations++;
	if (w->fail_from && w->allocations >= w->fail_from)
		return NULL;
	p = malloc((size_t)items * size);
	for (unsigned i = 0; i < 16; i++)
		if (!w->live[i]) {
			w->live[i] = p;
			return p;
		}
	fail_msg("more than 16 blocks");
	return NULL;
}

static void witness_free(voidpf opaque, voidpf address)
{
	struct witness *w = expected_witness;

	w->wrong_opaque += opaque != w;
	w->frees++;
	for (unsigned i = 0; i < 16; i++)
		if (w->live[i] == address) {
			w->live[i] = NULL;
			free(address);
			return;
		}
	w->unknown_frees++;
}

static unsigned live_blocks(const struct witness *w)
{
	unsigned n = 0;

	for (unsigned i = 0; i < 16; i++)
		n += w->live[i] != NULL;
	return n;
}

static z_stream witnessed(struct witness *w)
{
	z_stream s = { 0 };

	expected_witness = w;
	s.zalloc = witness_alloc;
	s.zfree = witness_free;
	s.opaque = w;
	return s;
}

static void expect_all_given_back(const struct peer_zlib *p, const struct witness *w)
{
	EXPECT(p, w->wrong_opaque, 0);
	EXPECT(p, w->unknown_frees, 0);
	EXPECT(p, live_blocks(w), 0);
}

/* What a program does with a stream, as far as there is memory; the first code that is not the one of success. */
static int use_deflate(const struct peer_zlib *p, z_stream *s, int window_bits)
{
	static Bytef in[60000], out[70000];
	z_stream copy = { 0 };
	int code = p->deflateInit2_(s, 6, 8, window_bits, 8, 0, ZLIB_VERSION, (int)sizeof *s);

	if (code != Z_OK)
		return code;
	contract_input(s, in, sizeof in);
	contract_output(s, out, sizeof out);
	EXPECT(p, p->deflate(s, Z_SYNC_FLUSH), Z_OK);
	code = p->deflateCopy(&copy, s);
	if (code == Z_OK) {
		EXPECT(p, p->deflate(&copy, Z_FINISH), Z_STREAM_END);
		EXPECT(p, p->deflateEnd(&copy), Z_OK);
		EXPECT(p, p->deflateReset(s), Z_OK);
	}
	(void)p->deflateEnd(s);
	return code;
}

static int use_inflate(const struct peer_zlib *p, z_stream *s, int window_bits, const struct test_bytes *packed)
{
	static Bytef out[70000];
	z_stream copy = { 0 };
	int code = p->inflateInit2_(s, window_bits, ZLIB_VERSION, (int)sizeof *s);

	if (code != Z_OK)
		return code;
	contract_input(s, packed->data, packed->len_bytes / 2);
	contract_output(s, out, 20000);
	code = p->inflate(s, Z_NO_FLUSH);
	if (code == Z_OK) {
		code = p->inflateCopy(&copy, s);
		if (code == Z_OK)
			EXPECT(p, p->inflateEnd(&copy), Z_OK);
	}
	EXPECT(p, p->inflateEnd(s), Z_OK);
	return code;
}

/* Every allocation in turn is the first to fail: Z_MEM_ERROR, and all that was taken is given back, once, to the same opaque. */
static void a_deflate_without_memory(void **state)
{
	static const int bits[] = { 15, 31, -15, 9 };

	(void)state;
	EACH_ZLIB(p)
		for (size_t k = 0; k < 4; k++) {
			unsigned fail_from = 0, needed = 0;

			do {
				struct witness w = { .fail_from = fail_from };
				z_stream s = witnessed(&w);
				int code = use_deflate(p, &s, bits[k]);

				expect_all_given_back(p, &w);
				EXPECT_AT(p, fail_from, code, fail_from ? Z_MEM_ERROR : Z_OK);
				needed = fail_from ? needed : w.allocations;
			} while (++fail_from <= needed);
			assert_true(needed >= 2);        /* one for Init, one for Copy at least */
		}
}

static void an_inflate_without_memory(void **state)
{
	static const int bits[] = { 15, 31, -15, 47 };
	struct test_bytes body = { 0 };

	(void)state;
	corpus_make(CORPUS_HTML, 9, 60000, &body);
	EACH_ZLIB(p)
		for (size_t k = 0; k < 4; k++) {
			struct test_bytes packed = { 0 };
			unsigned fail_from = 0, needed = 0;

			contract_pack(p, 6, bits[k] == 47 ? 31 : bits[k], body.data, body.len_bytes, &packed);
			do {
				struct witness w = { .fail_from = fail_from };
				z_stream s = witnessed(&w);
				int code = use_inflate(p, &s, bits[k], &packed);

				expect_all_given_back(p, &w);
				EXPECT_AT(p, fail_from, code, fail_from ? Z_MEM_ERROR : Z_OK);
				needed = fail_from ? needed : w.allocations;
			} while (++fail_from <= needed);
			assert_true(needed >= 4);        /* state and window, and a copy of both */
			bytes_free(&packed);
		}
	bytes_free(&body);
}

static void a_failed_init_leaves_no_stream(void **state)
{
	(void)state;
	EACH_ZLIB(p) {
		struct witness w = { .fail_from = 1 };
		z_stream s = witnessed(&w);
		static Bytef window[32768];

		EXPECT(p, contract_deflate_init(p, &s, 6, 15), Z_MEM_ERROR);
		EXPECT(p, p->deflateEnd(&s), Z_STREAM_ERROR);
		EXPECT(p, contract_inflate_init(p, &s, 15), Z_MEM_ERROR);
		EXPECT(p, p->inflateEnd(&s), Z_STREAM_ERROR);
		EXPECT(p, p->inflateBackInit_(&s, 15, window, ZLIB_VERSION, (int)sizeof s), Z_MEM_ERROR);
		w.fail_from = 0;                 /* and a second try is a first one */
		EXPECT(p, contract_deflate_init(p, &s, 6, 15), Z_OK);
		EXPECT(p, p->deflateEnd(&s), Z_OK);
		expect_all_given_back(p, &w);
	}
}

/* Z_NULL stands for the library's own; each of the two on its own, and opaque is then not the caller's. */
static void null_stands_for_the_librarys_own(void **state)
{
	(void)state;
	EACH_ZLIB(p) {
		int mark;
		z_stream s = { .opaque = &mark };

		EXPECT(p, contract_deflate_init(p, &s, 6, 15), Z_OK);
		EXPECT(p, s.zalloc != NULL && s.zfree != NULL, 1);
		EXPECT(p, s.opaque == NULL, 1);
		EXPECT(p, p->deflateEnd(&s), Z_OK);
		s = (z_stream){ .opaque = &mark };
		EXPECT(p, contract_inflate_init(p, &s, 15), Z_OK);
		EXPECT(p, s.zalloc != NULL && s.zfree != NULL, 1);
		EXPECT(p, s.opaque == NULL, 1);
		EXPECT(p, p->inflateEnd(&s), Z_OK);
	}
}

/* Programs that set their own functions only after Init exist; what Init took goes back to whoever is named at the end. */
static void the_allocator_of_the_moment_is_used(void **state)
{
	(void)state;
	EACH_ZLIB(p) {
		struct witness first = { 0 }, second = { 0 };
		z_stream s = witnessed(&first);
		unsigned taken;

		EXPECT(p, contract_deflate_init(p, &s, 6, 15), Z_OK);
		taken = first.allocations;
		memcpy(second.live, first.live, sizeof second.live);
		expected_witness = &second;
		s.opaque = &second;
		EXPECT(p, p->deflateEnd(&s), Z_OK);
		EXPECT(p, second.frees, taken);
		expect_all_given_back(p, &second);
		EXPECT(p, first.frees, 0);
	}
}

/* Memory full of anything, and at any address that a pointer may have. */
static void contents_and_alignment_of_memory_do_not_matter(void **state)
{
	struct test_bytes body = { 0 };

	(void)state;
	corpus_make(CORPUS_MIXED, 3, 80000, &body);
	EACH_ZLIB(p)
		for (unsigned shift = 0; shift <= TEST_ALLOC_SHIFT_MAX; shift++) {
			struct test_alloc a = { .shift = is_ours(p) ? shift : 0, .garbage = true, .garbage_seed = shift + 1 };
			struct test_bytes packed = { 0 };
			static Bytef back[80000];
			z_stream s = { 0 };

			test_alloc_use(&a, &s);
			EXPECT(p, contract_deflate_init(p, &s, 6, 15), Z_OK);
			EXPECT(p, streams_deflate(p, &s, body.data, body.len_bytes, Z_FINISH, &packed), Z_STREAM_END);
			EXPECT(p, p->deflateEnd(&s), Z_OK);
			EXPECT(p, contract_inflate_init(p, &s, 15), Z_OK);
			contract_input(&s, packed.data, packed.len_bytes);
			for (size_t at = 0; at < sizeof back; at += 8000) {
				contract_output(&s, back + at, 8000);
				(void)p->inflate(&s, Z_NO_FLUSH);
			}
			EXPECT(p, s.total_out, sizeof back);
			EXPECT(p, p->inflateEnd(&s), Z_OK);
			assert_memory_equal(back, body.data, sizeof back);
			EXPECT(p, a.bad_frees, 0);
			EXPECT(p, test_alloc_close(&a), 0);
			bytes_free(&packed);
		}
	bytes_free(&body);
}

/* docs/abi.md, deflate 11: one block where stock takes five. */
static void on_purpose_deflate_takes_one_block(void **state)
{
	struct witness w = { 0 };
	z_stream s = witnessed(&w);
	const struct peer_zlib *p = peer_ours();

	(void)state;
	EXPECT(p, contract_deflate_init(p, &s, 9, 31), Z_OK);
	EXPECT(p, w.allocations, 1);
	EXPECT(p, p->deflateEnd(&s), Z_OK);
	expect_all_given_back(p, &w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_deflate_without_memory),
		cmocka_unit_test(an_inflate_without_memory),
		cmocka_unit_test(a_failed_init_leaves_no_stream),
		cmocka_unit_test(null_stands_for_the_librarys_own),
		cmocka_unit_test(the_allocator_of_the_moment_is_used),
		cmocka_unit_test(contents_and_alignment_of_memory_do_not_matter),
		cmocka_unit_test(on_purpose_deflate_takes_one_block),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
