/* SPDX-License-Identifier: Zlib */
/* test_native.c - zwire.h's compression as a caller sees it: every level and format, wrong arguments, memory, flows. */
#include "zwire.h"

#include "lib/cmocka_all.h"
#include "lib/corpus.h"
#include "lib/guard.h"
#include "lib/peer.h"
#include "lib/rng.h"

#include <stdlib.h>
#include <string.h>

#define FORMATS 3

/* An allocator that counts, and fails when told. */
struct counted { unsigned allocated, released; size_t bytes; int refuse; void *block; };

static void *counted_allocate(void *opaque, size_t bytes)
{
	struct counted *c = opaque;
	uint8_t *p;

	c->bytes += bytes;
	c->allocated++;
	if (c->refuse)
		return NULL;
	p = malloc(bytes);
	assert_non_null(p);
	return c->block = memset(p, 0xdb, bytes);
}

static void counted_release(void *opaque, void *block)
{
	struct counted *c = opaque;

	assert_ptr_equal(block, c->block);
	c->released++;
	free(block);
}

static void check_back(const struct peer_zlib *p, enum zwire_format format, const struct test_bytes *packed, const struct test_bytes *in)
{
	static const int window_bits[FORMATS] = { [ZWIRE_GZIP] = 31, [ZWIRE_ZLIB] = 15, [ZWIRE_RAW] = -15 };
	uint8_t *back = malloc(in->len_bytes + 1);
	z_stream s = { 0 };

	assert_non_null(back);
	assert_int_equal(p->inflateInit2_(&s, window_bits[format], ZLIB_VERSION, (int)sizeof s), Z_OK);
	s.next_in = packed->data;
	s.avail_in = (uInt)packed->len_bytes;
	s.next_out = back;
	s.avail_out = (uInt)in->len_bytes;
	assert_int_equal(p->inflate(&s, Z_FINISH), Z_STREAM_END);
	assert_int_equal(s.total_out, in->len_bytes);
	assert_int_equal(s.avail_in, 0);
	if (in->len_bytes)
		assert_memory_equal(back, in->data, in->len_bytes);
	p->inflateEnd(&s);
	free(back);
}

static void check_all_backs(enum zwire_format format, const struct test_bytes *packed, const struct test_bytes *in)
{
	const struct peer_zlib *subjects[PEER_SUBJECTS_MAX];
	size_t count = peer_subjects(subjects);

	for (size_t i = 0; i < count; i++)
		check_back(subjects[i], format, packed, in);
}

static void pack(int level, enum zwire_format format, const struct test_bytes *in, struct test_bytes *packed)
{
	packed->len_bytes = 0;
	bytes_reserve(packed, zwire_compress_bound(level, format, in->len_bytes));
	assert_int_equal(zwire_compress(level, format, in->data, in->len_bytes, packed->data, packed->room_bytes, &packed->len_bytes,
					NULL), ZWIRE_OK);
	assert_true(packed->len_bytes <= zwire_compress_bound(level, format, in->len_bytes));
}

static void a_level_or_format_does_not_come_back(void **state)
{
	static const size_t sizes[] = { 0, 1, 3, 300, 5000, 70000, 200000 };
	struct test_bytes in = { 0 }, packed = { 0 };

	(void)state;
	for (int level = 0; level <= ZWIRE_LEVEL_MAX; level++)
		for (int format = 0; format < FORMATS; format++)
			for (unsigned s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
				in.len_bytes = 0;
				corpus_make((enum corpus_kind)((s + (unsigned)level) % CORPUS_KIND_COUNT), s, sizes[s], &in);
				pack(level, (enum zwire_format)format, &in, &packed);
				check_all_backs((enum zwire_format)format, &packed, &in);
			}
	bytes_free(&in);
	bytes_free(&packed);
}

/* Levels 1 to 9 are deflate()'s: a program may take either way. */
static void a_low_level_differs_from_deflate(void **state)
{
	struct test_bytes in = { 0 }, packed = { 0 };
	uint8_t *stream = malloc(200000);

	(void)state;
	assert_non_null(stream);
	corpus_make(CORPUS_HTML, 1, 100000, &in);
	for (int level = 0; level <= 9; level++) {
		z_stream s = { 0 };

		pack(level, ZWIRE_RAW, &in, &packed);
		assert_int_equal(deflateInit2(&s, level, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY), Z_OK);
		s.next_in = in.data;
		s.avail_in = (uInt)in.len_bytes;
		s.next_out = stream;
		s.avail_out = (uInt)packed.room_bytes; /* level 0 cuts its blocks to the room */
		assert_int_equal(deflate(&s, Z_FINISH), Z_STREAM_END);
		assert_int_equal(s.total_out, packed.len_bytes);
		assert_memory_equal(stream, packed.data, packed.len_bytes);
		deflateEnd(&s);
	}
	free(stream);
	bytes_free(&in);
	bytes_free(&packed);
}

static void random_bytes_exceed_the_bound(void **state)
{
	static const size_t sizes[] = { 0, 1, 10, 4096, 65535, 65536, 300000 };
	struct test_bytes in = { 0 }, packed = { 0 };

	(void)state;
	for (int level = 0; level <= ZWIRE_LEVEL_MAX; level++)
		for (unsigned s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
			size_t bound = zwire_compress_bound(level, ZWIRE_GZIP, sizes[s]), length = 99;
			struct guard_buffer out = guard_before_end(bound);

			in.len_bytes = 0;
			corpus_make(CORPUS_RANDOM, s, sizes[s], &in);
			assert_int_equal(zwire_compress(level, ZWIRE_GZIP, in.data, in.len_bytes, out.data, bound, &length, NULL), ZWIRE_OK);
			packed.len_bytes = 0;
			bytes_append(&packed, out.data, length);
			check_all_backs(ZWIRE_GZIP, &packed, &in);
			guard_free(&out);
		}
	bytes_free(&in);
	bytes_free(&packed);
}

static void no_room_is_not_said_or_overrun(void **state)
{
	struct test_bytes in = { 0 }, packed = { 0 };

	(void)state;
	corpus_make(CORPUS_JS, 1, 900, &in);
	for (int level = 0; level <= ZWIRE_LEVEL_MAX; level++) {
		pack(level, ZWIRE_GZIP, &in, &packed);
		for (size_t room = 0; room <= packed.len_bytes; room++) {
			struct guard_buffer out = guard_before_end(room);
			size_t length = 99;
			int r = zwire_compress(level, ZWIRE_GZIP, in.data, in.len_bytes, room ? out.data : NULL, room, &length, NULL);

			if (level > 0 || room == packed.len_bytes || r != ZWIRE_OK) {
				assert_int_equal(r, room < packed.len_bytes ? ZWIRE_NO_ROOM : ZWIRE_OK);
				assert_int_equal(length, room < packed.len_bytes ? 0 : packed.len_bytes);
			}
			guard_free(&out);
		}
	}
	bytes_free(&in);
	bytes_free(&packed);
}

static size_t read_nothing(void *opaque, void *to, size_t room)
{
	(void)opaque;
	(void)to;
	(void)room;
	return 0;
}

static size_t write_anything(void *opaque, const void *from, size_t bytes)
{
	(void)opaque;
	(void)from;
	return bytes;
}

static void a_wrong_argument_is_taken(void **state)
{
	const struct zwire_allocator no_allocate = { NULL, counted_release, NULL }, no_release = { counted_allocate, NULL, NULL };
	const struct zwire_flow flow = { read_nothing, write_anything, NULL }, no_read = { NULL, write_anything, NULL },
				no_write = { read_nothing, NULL, NULL };
	uint8_t in[10] = { 0 }, out[100];
	size_t n = 7;

	(void)state;
	assert_int_equal(zwire_compress(-1, ZWIRE_GZIP, in, 10, out, 100, &n, NULL), ZWIRE_BAD_CALL);
	assert_int_equal(n, 0);
	assert_int_equal(zwire_compress(13, ZWIRE_GZIP, in, 10, out, 100, &n, NULL), ZWIRE_BAD_CALL);
	assert_int_equal(zwire_compress(6, (enum zwire_format)3, in, 10, out, 100, &n, NULL), ZWIRE_BAD_CALL);
	assert_int_equal(zwire_compress(6, ZWIRE_GZIP, NULL, 10, out, 100, &n, NULL), ZWIRE_BAD_CALL);
	assert_int_equal(zwire_compress(6, ZWIRE_GZIP, in, 10, NULL, 100, &n, NULL), ZWIRE_BAD_CALL);
	assert_int_equal(zwire_compress(6, ZWIRE_GZIP, in, 10, out, 100, NULL, NULL), ZWIRE_BAD_CALL);
	assert_int_equal(zwire_compress(6, ZWIRE_GZIP, in, 10, out, 100, &n, &no_allocate), ZWIRE_BAD_CALL);
	assert_int_equal(zwire_compress(12, ZWIRE_GZIP, in, 10, out, 100, &n, &no_release), ZWIRE_BAD_CALL);
	for (int level = 0; level <= ZWIRE_LEVEL_MAX; level++) {
		assert_int_equal(zwire_compress(level, ZWIRE_RAW, NULL, 0, out, 100, &n, NULL), ZWIRE_OK);
		assert_between(n, 2, 5);
		assert_int_equal(zwire_compress_flow(level, ZWIRE_ZLIB, &flow, NULL, NULL, NULL), ZWIRE_OK);
		assert_int_equal(zwire_compress_flow(level, ZWIRE_ZLIB, NULL, NULL, NULL, NULL), ZWIRE_BAD_CALL);
		assert_int_equal(zwire_compress_flow(level, ZWIRE_ZLIB, &no_read, NULL, NULL, NULL), ZWIRE_BAD_CALL);
		assert_int_equal(zwire_compress_flow(level, ZWIRE_ZLIB, &no_write, NULL, NULL, NULL), ZWIRE_BAD_CALL);
		assert_int_equal(zwire_compress_flow(level, (enum zwire_format)9, &flow, NULL, NULL, NULL), ZWIRE_BAD_CALL);
		assert_int_equal(zwire_compress_bound(level, ZWIRE_RAW, SIZE_MAX), SIZE_MAX);
		assert_int_equal(zwire_compress_bound(level, (enum zwire_format)9, 1), 0);
	}
	assert_int_equal(zwire_compress_flow(13, ZWIRE_GZIP, &flow, NULL, NULL, NULL), ZWIRE_BAD_CALL);
	assert_int_equal(zwire_compress_bound(13, ZWIRE_GZIP, 1), 0);
	assert_int_equal(zwire_compress_bound(12, ZWIRE_GZIP, 65536), 65536 + 10 + 18);
	assert_int_equal(zwire_compress_memory(-1, 1), 0);
	assert_int_equal(zwire_compress_memory(13, 1), 0);
}

static void memory_is_not_what_was_announced(void **state)
{
	struct test_bytes in = { 0 }, packed = { 0 }, want = { 0 };

	(void)state;
	corpus_make(CORPUS_JSON, 1, 30000, &in);
	for (int level = 0; level <= ZWIRE_LEVEL_MAX; level++) {
		struct counted c = { 0 };
		const struct zwire_allocator a = { counted_allocate, counted_release, &c };
		size_t length;

		pack(level, ZWIRE_GZIP, &in, &want);
		bytes_reserve(&packed, want.room_bytes);
		assert_int_equal(zwire_compress(level, ZWIRE_GZIP, in.data, in.len_bytes, packed.data, want.room_bytes, &length, &a), ZWIRE_OK);
		assert_int_equal(length, want.len_bytes);
		assert_memory_equal(packed.data, want.data, length);
		assert_int_equal(c.allocated, 1);
		assert_int_equal(c.released, 1);
		assert_int_equal(c.bytes, zwire_compress_memory(level, in.len_bytes));
		assert_int_equal(zwire_compress(level, ZWIRE_GZIP, in.data, in.len_bytes, packed.data, 20, &length, &a), ZWIRE_NO_ROOM);
		assert_int_equal(c.released, 2);
		c.refuse = 1;
		assert_int_equal(zwire_compress(level, ZWIRE_GZIP, in.data, in.len_bytes, packed.data, 20, &length, &a), ZWIRE_NO_MEMORY);
		assert_int_equal(length, 0);
		assert_int_equal(c.released, 2);
	}
	for (int level = 10; level <= ZWIRE_LEVEL_MAX; level++) /* as zwire.h says */
		for (size_t n = 0; n < 4000000; n = n + n / 7 + 1) {
			assert_true(zwire_compress_memory(level, n) <= 20000 + 650 * n);
			assert_true(zwire_compress_memory(level, n) <= 1100000 + 75 * n);
			assert_true(zwire_compress_memory(level, n) <= zwire_compress_memory(level, SIZE_MAX));
		}
	assert_true(zwire_compress_memory(12, SIZE_MAX) <= 21600000);
	bytes_free(&in);
	bytes_free(&packed);
	bytes_free(&want);
}

/* Reads in random pieces; either end fails after so many bytes. */
struct test_flow {
	const struct test_bytes *in;
	struct test_bytes out;
	size_t at, read_fails_at, write_fails_at;
	struct rng rng;
};

static size_t flow_read(void *opaque, void *to, size_t room)
{
	struct test_flow *f = opaque;
	size_t left = f->in->len_bytes - f->at, n = rng_size(&f->rng, room);

	n = n < left ? n : left;
	if (f->at + n > f->read_fails_at)
		return ZWIRE_FLOW_FAILED;
	if (n)
		memcpy(to, f->in->data + f->at, n);
	f->at += n;
	return n;
}

static size_t flow_write(void *opaque, const void *from, size_t bytes)
{
	struct test_flow *f = opaque;

	assert_true(bytes > 0);
	if (f->out.len_bytes + bytes > f->write_fails_at)
		return f->rng.state & 1 ? ZWIRE_FLOW_FAILED : bytes - 1;
	bytes_append(&f->out, from, bytes);
	return bytes;
}

static void a_flow_gives_other_bytes(void **state)
{
	static const size_t sizes[] = { 0, 1, 250, 65535, 65536, 65537, 131072, 300000, 524279, 524280, 524281, 900000 };
	struct test_bytes in = { 0 }, want = { 0 };

	(void)state;
	for (unsigned s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
		for (int level = 0; level <= ZWIRE_LEVEL_MAX; level += level == 0 ? 1 : level < 10 ? 3 : 1) {
			struct test_flow f = { .in = &in, .read_fails_at = SIZE_MAX, .write_fails_at = SIZE_MAX, .rng = rng_seed(s) };
			const struct zwire_flow flow = { flow_read, flow_write, &f };
			uint64_t in_bytes = 99, out_bytes = 99;

			if (sizes[s] > 400000 && level > 10)
				continue;
			in.len_bytes = 0;
			corpus_make(s % 2 ? CORPUS_HTML : CORPUS_MIXED, s, sizes[s], &in);
			pack(level, ZWIRE_GZIP, &in, &want);
			assert_int_equal(zwire_compress_flow(level, ZWIRE_GZIP, &flow, &in_bytes, &out_bytes, NULL), ZWIRE_OK);
			assert_int_equal(in_bytes, in.len_bytes);
			assert_int_equal(out_bytes, f.out.len_bytes);
			if (level > 0) {             /* stored blocks are cut to the room there is */
				assert_int_equal(f.out.len_bytes, want.len_bytes);
				assert_memory_equal(f.out.data, want.data, want.len_bytes);
			}
			check_all_backs(ZWIRE_GZIP, &f.out, &in);
			bytes_free(&f.out);
		}
	bytes_free(&in);
	bytes_free(&want);
}

static void a_failing_flow_is_not_noticed(void **state)
{
	struct test_bytes in = { 0 };

	(void)state;
	corpus_make(CORPUS_RANDOM, 1, 200000, &in);
	for (int level = 0; level <= ZWIRE_LEVEL_MAX; level += 2)
		for (size_t at = 0; at <= 180000; at += 45000) {
			struct counted c = { 0 };
			const struct zwire_allocator a = { counted_allocate, counted_release, &c };
			struct test_flow f = { .in = &in, .read_fails_at = at, .write_fails_at = SIZE_MAX, .rng = rng_seed(at) };
			const struct zwire_flow flow = { flow_read, flow_write, &f };
			uint64_t out_bytes;

			assert_int_equal(zwire_compress_flow(level, ZWIRE_ZLIB, &flow, NULL, &out_bytes, &a), ZWIRE_READ_FAILED);
			assert_int_equal(out_bytes, f.out.len_bytes);
			assert_int_equal(c.released, 1);
			bytes_free(&f.out);
			f = (struct test_flow){ .in = &in, .read_fails_at = SIZE_MAX, .write_fails_at = at, .rng = rng_seed(at / 45000) };
			assert_int_equal(zwire_compress_flow(level, ZWIRE_ZLIB, &flow, NULL, NULL, &a), ZWIRE_WRITE_FAILED);
			assert_int_equal(c.released, 2);
			bytes_free(&f.out);
			c.refuse = 1;
			assert_int_equal(zwire_compress_flow(level, ZWIRE_ZLIB, &flow, NULL, NULL, &a), ZWIRE_NO_MEMORY);
		}
	bytes_free(&in);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_level_or_format_does_not_come_back),
		cmocka_unit_test(a_low_level_differs_from_deflate),
		cmocka_unit_test(random_bytes_exceed_the_bound),
		cmocka_unit_test(no_room_is_not_said_or_overrun),
		cmocka_unit_test(a_wrong_argument_is_taken),
		cmocka_unit_test(memory_is_not_what_was_announced),
		cmocka_unit_test(a_flow_gives_other_bytes),
		cmocka_unit_test(a_failing_flow_is_not_noticed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
