/* SPDX-License-Identifier: Zlib */
/* test_differential.c - random streams, right and wrong, in random pieces: every call of ours against the system's zlib. */
#include "lib/cmocka_all.h"

#include "cpu/kernels.h"
#include "inflate/make_stream.h"
#include "inflate/twin.h"

#define DEFAULT_STREAMS 1500

static struct test_bytes corpus;

static size_t piece_bytes(struct rng *r, unsigned mode, size_t whole)
{
	switch (mode) {
	case 0:  return 1;
	case 1:  return stream_below(r, 4);
	case 2:  return stream_below(r, 100);
	case 3:  return 32768;
	case 4:  return whole;
	default: return stream_below(r, 9000);
	}
}

static int flush_of(struct rng *r, unsigned mode)
{
	static const int flushes[] = { Z_NO_FLUSH, Z_PARTIAL_FLUSH, Z_SYNC_FLUSH, Z_FULL_FLUSH, Z_FINISH, Z_BLOCK, Z_TREES };

	return mode < 7 ? flushes[mode] : mode < 10 ? Z_SYNC_FLUSH : flushes[stream_below(r, 7)];
}

/* Both streams are copied, the originals ended, and the copies used from here on. */
static void go_on_with_a_copy(struct twin *t)
{
	z_stream ours, theirs;

	twin_same(t, "inflateCopy", inflateCopy(&ours, &t->ours), t->system_zlib->inflateCopy(&theirs, &t->theirs));
	twin_close(t);
	twin_same(t, "inflate on an ended z_stream", inflate(&t->ours, Z_NO_FLUSH), t->system_zlib->inflate(&t->theirs, Z_NO_FLUSH));
	twin_same(t, "inflateCopy", inflateCopy(&t->ours, &ours), t->system_zlib->inflateCopy(&t->theirs, &theirs));
	twin_same(t, "inflateEnd", inflateEnd(&ours), t->system_zlib->inflateEnd(&theirs));
}

/* One stream from one seed; false and a line on stderr when anything differs. */
static bool run_stream(struct twin *t, uint64_t seed, unsigned *ends)
{
	struct rng r = rng_seed(seed);
	enum stream_wrap wrap = (enum stream_wrap)stream_below(&r, 3);
	struct bits b = { 0 };
	unsigned window_log2 = stream_make(&r, t->system_zlib, wrap, &corpus, &b), calls = 0, idle = 0;
	unsigned in_mode = stream_below(&r, 6), out_mode = stream_below(&r, 6), flush_mode = stream_below(&r, 12);
	int window_bits = wrap == STREAM_RAW ? -(int)window_log2 : wrap == STREAM_ZLIB ? (int)window_log2 : 16 + (int)window_log2;
	size_t count, offered = 0, quiet_from = SIZE_MAX;
	const struct zw_kernels *const *sets = zw_kernels_all(&count);

	if (wrap != STREAM_ZLIB && rng_one_in(&r, 8)) { /* smaller than the distances */
		window_log2 = 8 + stream_below(&r, 8);
		window_bits = wrap == STREAM_RAW ? -(int)window_log2 : 16 + (int)window_log2;
	}
	zw_kernels_force(sets[rng_below(&r, count)]);
	if (wrap != STREAM_RAW && rng_one_in(&r, 3))
		window_bits = rng_one_in(&r, 2) ? 32 + 15 : wrap == STREAM_ZLIB ? 0 : 16;
	twin_open(t, window_bits);
	while (!t->fault) {
		size_t room = piece_bytes(&r, out_mode, 200000);
		size_t before = t->used_bytes + t->made.len_bytes;

		if (in_mode < 2 && room > 700)
			room = 700;
		if (++calls > 1500)
			room = 40000;
		if (offered == t->used_bytes || rng_one_in(&r, 8))
			offered += calls > 1500 ? 40000 : piece_bytes(&r, in_mode, b.bytes.len_bytes);
		if (offered > b.bytes.len_bytes)
			offered = b.bytes.len_bytes;
		twin_inflate(t, b.bytes.data + t->used_bytes, offered - t->used_bytes, room, flush_of(&r, flush_mode));
		if (rng_one_in(&r, 16)) {
			long mark = t->system_zlib->inflateMark(&t->theirs);

			if (mark < 0 && t->code >= Z_OK) /* outside of a block, or in a stored one */
				twin_same(t, "inflateMark", inflateMark(&t->ours), mark);
			/* behind a checksum zlib has forgotten the last call's output, and we have not */
			if (wrap == STREAM_RAW)
				twin_compare_history(t);
			else if (t->code != Z_STREAM_END && quiet_from == SIZE_MAX && twin_history_differs(t))
				quiet_from = t->made.len_bytes;
			twin_same(t, "inflateSyncPoint", inflateSyncPoint(&t->ours), t->system_zlib->inflateSyncPoint(&t->theirs));
		}
		if (rng_one_in(&r, 200) || (calls < 3 && rng_one_in(&r, 20)))
			go_on_with_a_copy(t);
		if (t->code != Z_OK && t->code != Z_BUF_ERROR)
			break;
		idle = t->used_bytes + t->made.len_bytes == before ? idle + 1 : 0;
		if (idle > 20 && offered == b.bytes.len_bytes)
			break;
	}
	if (!t->fault && quiet_from != SIZE_MAX && t->made.len_bytes != quiet_from)
		twin_fault(t, "history differed before the end", (long)t->made.len_bytes, (long)quiet_from);
	ends[t->code == Z_STREAM_END ? 0 : t->code < Z_OK && t->code != Z_BUF_ERROR ? 1 : 2]++;
	if (!t->fault && t->code != Z_OK)        /* the last word stays the last word */
		twin_inflate(t, b.bytes.data + t->used_bytes, b.bytes.len_bytes - t->used_bytes, 100, Z_NO_FLUSH);
	twin_close(t);
	bits_free(&b);
	if (t->fault)
		fprintf(stderr, "seed %llu, wrap %d, window bits %d, call %u, kernels %s, at in %zu out %zu: %s\n",
			(unsigned long long)seed, (int)wrap, window_bits, calls, zw_kernels_get()->name, t->used_bytes, t->made.len_bytes, t->text);
	zw_kernels_force(NULL);
	return !t->fault;
}

/* ZWIRE_TEST_SEED: one stream.  ZWIRE_TEST_STREAMS: how many; the first seed is then ZWIRE_TEST_FIRST. */
static void test_every_call_is_what_the_system_does(void **state)
{
	const char *one = getenv("ZWIRE_TEST_SEED"), *many = getenv("ZWIRE_TEST_STREAMS"), *first = getenv("ZWIRE_TEST_FIRST");
	uint64_t seed = one ? strtoull(one, NULL, 0) : first ? strtoull(first, NULL, 0) : 1;
	uint64_t end = seed + (one ? 1 : many ? strtoull(many, NULL, 0) : DEFAULT_STREAMS);
	unsigned ends[3] = { 0 }, failures = 0;
	struct twin t;

	(void)state;
	twin_begin(&t);
	corpus_make(CORPUS_HTML, 1, 150000, &corpus);
	corpus_make(CORPUS_JSON, 2, 150000, &corpus);
	corpus_make(CORPUS_MIXED, 3, 200000, &corpus);
	for (; seed < end && failures < 5; seed++)
		failures += !run_stream(&t, seed, ends);
	print_message("%u ended, %u rejected, %u cut\n", ends[0], ends[1], ends[2]);
	assert_int_equal(failures, 0);
	if (!one) {                              /* the generator makes all three kinds */
		assert_true(ends[0] > 0);
		assert_true(ends[1] > 0);
		assert_true(ends[2] > 0);
	}
	twin_end(&t);
	bytes_free(&corpus);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_every_call_is_what_the_system_does) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
