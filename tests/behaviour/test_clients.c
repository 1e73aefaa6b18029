/* SPDX-License-Identifier: Zlib */
/* test_clients.c - calls that real programs make and that tests/clients cannot reach: HAProxy's pools, where Debian builds it
 * without zlib; and a dictionary set again at every call, as Tcl does. */
#include "lib/cmocka_all.h"
#include "lib/corpus.h"
#include "lib/streams.h"

#include <stdlib.h>

/* HAProxy takes the n-th allocation of a stream from the n-th of five pools, counting on through all streams of the process,
 * and a pool has the size of its first request.  A request that is larger than its pool's would overflow there. */
#define POOL_COUNT     5
#define STREAM_COUNT  23                         /* open at the same time; prime to the number of pools */

struct haproxy {
	size_t   pool_bytes[POOL_COUNT];         /* 0: not made yet */
	unsigned round;
	unsigned calls;
	bool     overflow;
};

static voidpf haproxy_alloc(voidpf opaque, uInt items, uInt size)
{
	struct haproxy *h = opaque;
	size_t need = (size_t)items * size;
	size_t *pool = &h->pool_bytes[h->round++ % POOL_COUNT];

	h->calls++;
	if (!*pool)
		*pool = need;
	if (need > *pool)
		h->overflow = true;
	return malloc(need > *pool ? need : *pool);
}

static void haproxy_free(voidpf opaque, voidpf address)
{
	(void)opaque;
	free(address);
}

/* Streams of one window and memLevel, started at different levels as HAProxy does under load, and changed at each flush. */
static void one_configuration(const struct peer_zlib *p, int window_bits, int mem_level, const struct test_bytes *body)
{
	struct haproxy h = { 0 };
	z_stream streams[STREAM_COUNT] = { 0 };

	for (unsigned i = 0; i < STREAM_COUNT; i++) {
		const struct deflate_parameters d = { (int)(i % 10), window_bits, mem_level, Z_DEFAULT_STRATEGY };

		streams[i].zalloc = haproxy_alloc;
		streams[i].zfree = haproxy_free;
		streams[i].opaque = &h;
		streams_begin_deflate(p, &streams[i], &d);
	}
	for (unsigned i = 0; i < STREAM_COUNT; i++) {
		struct test_bytes packed = { 0 };
		size_t half = body->len_bytes / 2;
		unsigned calls = h.calls;

		assert_int_equal(streams_deflate(p, &streams[i], body->data, half, Z_SYNC_FLUSH, &packed), Z_OK);
		assert_int_equal(p->deflateParams(&streams[i], (int)(9 - i % 10), Z_DEFAULT_STRATEGY), Z_OK);
		assert_int_equal(streams_deflate(p, &streams[i], body->data + half, body->len_bytes - half, Z_FINISH, &packed),
				 Z_STREAM_END);
		assert_int_equal(h.calls, calls);        /* nothing is allocated after init */
		streams_check_decodes_everywhere(window_bits, &packed, body->data, body->len_bytes);
		assert_int_equal(p->deflateEnd(&streams[i]), Z_OK);
		bytes_free(&packed);
	}
	assert_false(h.overflow);
}

static void haproxys_pools_overflow(void **state)
{
	struct test_bytes body = { 0 };

	(void)state;
	corpus_make(CORPUS_HTML, 3, 12000, &body);
	FOR_EACH_SUBJECT(p)
		for (int window_bits = 10; window_bits <= 15; window_bits += 5)
			for (int mem_level = 1; mem_level <= 9; mem_level += 4) {
				one_configuration(p, window_bits + 16, mem_level, &body);
				one_configuration(p, -window_bits, mem_level, &body);
			}
	bytes_free(&body);
}

/* Raw data: accepted after a flush.  While input is held the answer is an error and nothing of the input gets lost; stock
 * zlib accepts it at level 0, where it forgets what it holds, so this is ours only. */
static void a_dictionary_set_again_loses_input(void **state)
{
	static const unsigned char dictionary[] = "the server ", text[] = "the server response of the server";
	const struct peer_zlib *p = peer_ours();

	(void)state;
	for (int level = 0; level <= 9; level++) {
		const struct deflate_parameters d = { level, -15, 8, Z_DEFAULT_STRATEGY };
		struct test_bytes packed = { 0 };
		unsigned char back[200];
		z_stream s = { 0 }, i = { 0 };

		streams_begin_deflate(p, &s, &d);
		assert_int_equal(p->deflateSetDictionary(&s, dictionary, sizeof dictionary - 1), Z_OK);
		assert_int_equal(streams_deflate(p, &s, text, sizeof text, Z_NO_FLUSH, &packed), Z_OK);
		assert_int_equal(p->deflateSetDictionary(&s, dictionary, sizeof dictionary - 1), Z_STREAM_ERROR);
		assert_int_equal(streams_deflate(p, &s, text, sizeof text, Z_FINISH, &packed), Z_STREAM_END);
		p->deflateEnd(&s);

		streams_begin_inflate(p, &i, -15);
		assert_int_equal(p->inflateSetDictionary(&i, dictionary, sizeof dictionary - 1), Z_OK);
		i.next_in = packed.data;
		i.avail_in = (uInt)packed.len_bytes;
		i.next_out = back;
		i.avail_out = sizeof back;
		assert_int_equal(p->inflate(&i, Z_FINISH), Z_STREAM_END);
		assert_int_equal(i.total_out, 2 * sizeof text);
		assert_memory_equal(back, text, sizeof text);
		assert_memory_equal(back + sizeof text, text, sizeof text);
		p->inflateEnd(&i);
		bytes_free(&packed);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(haproxys_pools_overflow),
		cmocka_unit_test(a_dictionary_set_again_loses_input),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
