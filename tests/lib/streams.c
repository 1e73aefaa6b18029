/* SPDX-License-Identifier: Zlib */
/* streams.c - see streams.h. */
#include "lib/streams.h"

#include "lib/cmocka_all.h"
#include "lib/ref_inflate.h"

struct deflate_parameters streams_random_parameters(struct rng *r)
{
	static const int wrappers[] = { 0, 16, -1 };                    /* zlib, gzip, raw */
	int wrapper = wrappers[rng_below(r, 3)];
	int window_log2 = rng_one_in(r, 3) ? 15 : rng_between(r, wrapper == 0 ? 8 : 9, 15);

	return (struct deflate_parameters){
		.level = rng_between(r, -1, 9),
		.window_bits = wrapper < 0 ? -window_log2 : window_log2 + wrapper,
		.mem_level = rng_between(r, 1, 9),
		.strategy = rng_one_in(r, 2) ? Z_DEFAULT_STRATEGY : rng_between(r, Z_FILTERED, Z_FIXED),
	};
}

int streams_inflate_bits(const struct deflate_parameters *d)
{
	return d->window_bits == 8 ? 9 : d->window_bits;                /* zlib writes such a stream with 9 */
}

void streams_begin_deflate(const struct peer_zlib *p, z_stream *s, const struct deflate_parameters *d)
{
	assert_int_equal(p->deflateInit2_(s, d->level, Z_DEFLATED, d->window_bits, d->mem_level, d->strategy, ZLIB_VERSION,
					  (int)sizeof *s), Z_OK);
}

void streams_begin_inflate(const struct peer_zlib *p, z_stream *s, int window_bits)
{
	assert_int_equal(p->inflateInit2_(s, window_bits, ZLIB_VERSION, (int)sizeof *s), Z_OK);
}

#define SPARE_BYTES 1000                     /* for headers, trailers and flush markers */

int streams_deflate(const struct peer_zlib *p, z_stream *s, const void *in, size_t in_bytes, int flush,
		    struct test_bytes *out)
{
	uLong before = s->total_out;
	int code;

	bytes_reserve(out, 200000 + 2 * in_bytes + SPARE_BYTES);        /* buffered input may come out as well */
	s->next_in = in;
	s->avail_in = (uInt)in_bytes;
	s->next_out = out->data + out->len_bytes;
	s->avail_out = (uInt)(out->room_bytes - out->len_bytes);
	code = p->deflate(s, flush);
	out->len_bytes += s->total_out - before;
	return code;
}

void streams_check_decodes(const struct peer_zlib *p, int window_bits, const struct test_bytes *packed,
			   const void *plain, size_t plain_bytes)
{
	struct test_bytes out = { 0 };
	z_stream s = { 0 };

	bytes_reserve(&out, plain_bytes + 1);
	streams_begin_inflate(p, &s, window_bits);
	s.next_in = packed->data;
	s.avail_in = (uInt)packed->len_bytes;
	s.next_out = out.data;
	s.avail_out = (uInt)plain_bytes + 1;
	assert_int_equal(p->inflate(&s, Z_FINISH), Z_STREAM_END);
	assert_int_equal(s.total_out, plain_bytes);
	assert_int_equal(s.avail_in, 0);
	if (plain_bytes)
		assert_memory_equal(out.data, plain, plain_bytes);
	assert_int_equal(p->inflateEnd(&s), Z_OK);
	bytes_free(&out);
}

static void check_reference(const struct test_bytes *packed, const void *plain, size_t plain_bytes)
{
	struct test_bytes out = { 0 };
	struct ref_output r;

	bytes_reserve(&out, plain_bytes + 1);
	r = ref_inflate(packed->data, packed->len_bytes, NULL, 0, out.data, plain_bytes + 1);
	assert_int_equal(r.result, REF_DONE);
	assert_int_equal(r.out_bytes, plain_bytes);
	assert_int_equal((r.in_bits + 7) / 8, packed->len_bytes);
	if (plain_bytes)
		assert_memory_equal(out.data, plain, plain_bytes);
	bytes_free(&out);
}

void streams_check_decodes_everywhere(int window_bits, const struct test_bytes *packed, const void *plain,
				      size_t plain_bytes)
{
	const struct peer_zlib *subjects[PEER_SUBJECTS_MAX];
	size_t count = peer_subjects(subjects);

	for (size_t i = 0; i < count; i++)
		streams_check_decodes(subjects[i], window_bits, packed, plain, plain_bytes);
	if (window_bits < 0)
		check_reference(packed, plain, plain_bytes);
}

unsigned streams_rounds(unsigned n)
{
	const char *percent = getenv("ZWIRE_TEST_PERCENT");
	unsigned long scaled = percent ? strtoul(percent, NULL, 10) * n / 100 : n;

	return scaled ? (unsigned)scaled : 1;
}
