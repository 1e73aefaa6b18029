/* SPDX-License-Identifier: Zlib */
/* contract_process.c - threads, fork(), and more than one zlib in a process: this program is linked with our static library,
 * and loads our shared one and the system's beside it. */
#include "abi/contract.h"

#include <dlfcn.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#define THREADS 8
#define BODY_BYTES 120000

static struct test_bytes body;
static pthread_barrier_t start;

static int make_body(void **state)
{
	(void)state;
	corpus_make(CORPUS_HTML, 17, BODY_BYTES, &body); /* needs no function of the library: the threads below are the first */
	return 0;
}

static int free_body(void **state)
{
	(void)state;
	bytes_free(&body);
	return 0;
}

/* ---- threads --------------------------------------------------------------------------------------------------- */

struct worker {
	pthread_t thread;
	int       number;
	bool      right;
	uLong     crc, adler, packed_crc;
};

/* The first calls of the process in every thread at once: the choice of kernels; then streams of its own. */
static void *work(void *argument)
{
	static const int bits[] = { -15, 15, 31, -9 };
	struct worker *w = argument;
	Bytef *packed = malloc(2 * BODY_BYTES), *back = malloc(BODY_BYTES);
	bool right = packed && back;

	pthread_barrier_wait(&start);
	w->crc = crc32(0, body.data, BODY_BYTES);
	w->adler = adler32(1, body.data, BODY_BYTES);
	for (int round = 0; round < 5 && right; round++) {
		z_stream s = { 0 };
		uLong packed_bytes;
		int level = (w->number + round) % 10, window = bits[(w->number + round) % 4];

		right &= deflateInit2_(&s, level, 8, window, 8, 0, ZLIB_VERSION, (int)sizeof s) == Z_OK;
		contract_input(&s, body.data, BODY_BYTES);
		contract_output(&s, packed, 2 * BODY_BYTES);
		right &= deflate(&s, Z_FINISH) == Z_STREAM_END;
		packed_bytes = s.total_out;
		right &= deflateEnd(&s) == Z_OK;
		right &= inflateInit2_(&s, window, ZLIB_VERSION, (int)sizeof s) == Z_OK;
		contract_input(&s, packed, packed_bytes);
		for (size_t at = 0; at < BODY_BYTES; at += 10000) {
			contract_output(&s, back + at, 10000);
			right &= inflate(&s, Z_NO_FLUSH) >= Z_OK;
		}
		right &= s.total_out == BODY_BYTES && memcmp(back, body.data, BODY_BYTES) == 0;
		right &= inflateEnd(&s) == Z_OK;
	}
	if (right) {
		uLong n = 2 * BODY_BYTES;

		right &= compress2(packed, &n, body.data, BODY_BYTES, 6) == Z_OK;
		w->packed_crc = crc32(0, packed, (uInt)n);
	}
	free(packed);
	free(back);
	w->right = right;
	return NULL;
}

static void threads_do_not_see_each_other(void **state)
{
	struct worker workers[THREADS];

	(void)state;
	assert_int_equal(pthread_barrier_init(&start, NULL, THREADS), 0);
	for (int i = 0; i < THREADS; i++) {
		workers[i] = (struct worker){ .number = i };
		assert_int_equal(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
	}
	for (int i = 0; i < THREADS; i++)
		assert_int_equal(pthread_join(workers[i].thread, NULL), 0);
	for (int i = 0; i < THREADS; i++) {
		assert_true(workers[i].right);
		assert_int_equal(workers[i].crc, workers[0].crc);
		assert_int_equal(workers[i].adler, workers[0].adler);
		assert_int_equal(workers[i].packed_crc, workers[0].packed_crc);
	}
	pthread_barrier_destroy(&start);
}

/* One thread begins a stream, another ends it. */
static void *finish_elsewhere(void *argument)
{
	z_stream *s = argument;

	return (void *)(intptr_t)(deflate(s, Z_FINISH) == Z_STREAM_END && deflateEnd(s) == Z_OK);
}

static void a_stream_may_change_its_thread(void **state)
{
	static Bytef packed[2 * BODY_BYTES], back[BODY_BYTES];
	uLong n = sizeof back;
	z_stream s = { 0 };
	pthread_t thread;
	void *result;

	(void)state;
	assert_int_equal(deflateInit(&s, 6), Z_OK);
	contract_input(&s, body.data, 70000);
	contract_output(&s, packed, sizeof packed);
	assert_int_equal(deflate(&s, Z_NO_FLUSH), Z_OK);
	contract_input(&s, body.data + 70000, BODY_BYTES - 70000);
	assert_int_equal(pthread_create(&thread, NULL, finish_elsewhere, &s), 0);
	assert_int_equal(pthread_join(thread, &result), 0);
	assert_true(result != NULL);
	assert_int_equal(uncompress(back, &n, packed, s.total_out), Z_OK);
	assert_int_equal(n, BODY_BYTES);
	assert_memory_equal(back, body.data, BODY_BYTES);
}

/* ---- fork() ---------------------------------------------------------------------------------------------------- */

/* A stream in the middle goes on in both processes, with the same bytes. */
static void a_stream_goes_on_after_fork(void **state)
{
	(void)state;
	EACH_ZLIB(p) {
		struct test_bytes packed = { 0 };
		z_stream s = { 0 };
		uLong ours, childs = 0;
		int ends[2], status;
		pid_t child;

		EXPECT(p, contract_deflate_init(p, &s, 6, 15), Z_OK);
		EXPECT(p, streams_deflate(p, &s, body.data, 70000, Z_NO_FLUSH, &packed), Z_OK);
		assert_int_equal(pipe(ends), 0);
		child = fork();
		assert_true(child >= 0);
		if (!child) {
			bool good = streams_deflate(p, &s, body.data + 70000, BODY_BYTES - 70000, Z_FINISH, &packed) == Z_STREAM_END;
			uLong sum = p->crc32(0, packed.data, (uInt)packed.len_bytes);

			good &= write(ends[1], &sum, sizeof sum) == (ssize_t)sizeof sum;
			_exit(good ? 0 : 1);
		}
		EXPECT(p, streams_deflate(p, &s, body.data + 70000, BODY_BYTES - 70000, Z_FINISH, &packed), Z_STREAM_END);
		ours = p->crc32(0, packed.data, (uInt)packed.len_bytes);
		EXPECT(p, read(ends[0], &childs, sizeof childs), sizeof childs);
		EXPECT(p, waitpid(child, &status, 0), child);
		EXPECT(p, status, 0);
		EXPECT(p, childs, ours);
		close(ends[0]);
		close(ends[1]);
		EXPECT(p, p->deflateEnd(&s), Z_OK);
		streams_check_decodes(p, 15, &packed, body.data, BODY_BYTES);
		bytes_free(&packed);
	}
}

/* ---- several libraries ----------------------------------------------------------------------------------------- */

struct loaded {
	void *handle;
	__typeof__(zlibVersion) *version;
	__typeof__(deflateInit2_) *deflate_init;
	__typeof__(deflate) *deflate;
	__typeof__(deflateEnd) *deflate_end;
	__typeof__(inflateInit2_) *inflate_init;
	__typeof__(inflate) *inflate;
	__typeof__(inflateEnd) *inflate_end;
	__typeof__(compress) *compress;
	__typeof__(crc32) *crc32;
};

static void find(void *handle, const char *name, void *to)
{
	void *symbol = dlsym(handle, name);

	if (!symbol)
		fail_msg("%s: %s", name, dlerror());
	memcpy(to, &symbol, sizeof symbol);
}

static struct loaded load(const char *file, int flags)
{
	struct loaded l = { .handle = dlopen(file, RTLD_NOW | flags) };

	if (!l.handle)
		fail_msg("%s", dlerror());
	find(l.handle, "zlibVersion", &l.version);
	find(l.handle, "deflateInit2_", &l.deflate_init);
	find(l.handle, "deflate", &l.deflate);
	find(l.handle, "deflateEnd", &l.deflate_end);
	find(l.handle, "inflateInit2_", &l.inflate_init);
	find(l.handle, "inflate", &l.inflate);
	find(l.handle, "inflateEnd", &l.inflate_end);
	find(l.handle, "compress", &l.compress);
	find(l.handle, "crc32", &l.crc32);
	return l;
}

/* The object that an address belongs to. */
static void *object_of(const void *address)
{
	Dl_info info;

	assert_true(dladdr(address, &info) != 0);
	return info.dli_fbase;
}

static const void *address_of_alloc(alloc_func f)
{
	const void *address;

	memcpy(&address, &f, sizeof address);
	return address;
}

static bool round_trip(const struct loaded *l)
{
	static Bytef packed[2 * BODY_BYTES], back[BODY_BYTES];
	z_stream s = { 0 };
	bool right = l->deflate_init(&s, 6, 8, 31, 8, 0, ZLIB_VERSION, (int)sizeof s) == Z_OK;
	uLong n;

	contract_input(&s, body.data, BODY_BYTES);
	contract_output(&s, packed, sizeof packed);
	right = right && l->deflate(&s, Z_FINISH) == Z_STREAM_END;
	n = s.total_out;
	right = right && l->deflate_end(&s) == Z_OK && l->inflate_init(&s, 31, ZLIB_VERSION, (int)sizeof s) == Z_OK;
	contract_input(&s, packed, n);
	contract_output(&s, back, sizeof back);
	return right && l->inflate(&s, Z_FINISH) == Z_STREAM_END && l->inflate_end(&s) == Z_OK &&
	       memcmp(back, body.data, BODY_BYTES) == 0;
}

/* Ours as a shared library calls itself, although another zlib's names are global and come first; -Bsymbolic does that.  Debian's
 * zlib, which is linked without it, does not start a stream in a program that exports the names of a static zlib. */
static void the_shared_library_keeps_to_itself(void **state)
{
	static Bytef want[2 * BODY_BYTES], got[2 * BODY_BYTES];
	/* skipped where there is no other zlib: nothing could then stand beside ours */
	struct loaded theirs = load(peer_system_or_skip()->path, RTLD_GLOBAL), ours = load(ZWIRE_TEST_LIBRARY, RTLD_LOCAL);
	uLong want_bytes = sizeof want, got_bytes = sizeof got;
	const void *version;
	z_stream s = { 0 };

	(void)state;
	memcpy(&version, &ours.version, sizeof version);
	assert_int_equal(ours.deflate_init(&s, 6, 8, 15, 8, 0, ZLIB_VERSION, (int)sizeof s), Z_OK);
	assert_ptr_equal(object_of(address_of_alloc(s.zalloc)), object_of(version));
	assert_int_equal(ours.deflate_end(&s), Z_OK);
	s = (z_stream){ 0 };
	assert_int_equal(deflateInit(&s, 6), Z_OK);              /* the one that this program is linked with */
	assert_ptr_not_equal(object_of(address_of_alloc(s.zalloc)), object_of(version));
	assert_int_equal(deflateEnd(&s), Z_OK);
	/* compress() goes through the stream functions: the bytes say whose they were */
	assert_int_equal(compress(want, &want_bytes, body.data, BODY_BYTES), Z_OK);
	assert_int_equal(ours.compress(got, &got_bytes, body.data, BODY_BYTES), Z_OK);
	assert_int_equal(got_bytes, want_bytes);
	assert_memory_equal(got, want, want_bytes);
	got_bytes = sizeof got;
	assert_int_equal(theirs.compress(got, &got_bytes, body.data, BODY_BYTES), Z_OK);
	assert_int_not_equal(got_bytes, want_bytes);             /* or the lines above would have shown nothing */
	assert_true(round_trip(&ours));
	assert_true(round_trip(&theirs));
	assert_int_equal(dlclose(ours.handle), 0);
	assert_int_equal(dlclose(theirs.handle), 0);
}

/* In and out many times, the system's beside it in each order: nothing stays behind that the next would trip over. */
static void loading_and_unloading_again_and_again(void **state)
{
	(void)state;
	(void)peer_system_or_skip();             /* it is loaded by name below; where there is none nothing can stand beside ours */
	for (int i = 0; i < 30; i++) {
		struct loaded ours, theirs;

		if (i & 1) {
			ours = load(ZWIRE_TEST_LIBRARY, RTLD_LOCAL);
			theirs = load(peer_system()->path, RTLD_LOCAL);
		} else {
			theirs = load(peer_system()->path, RTLD_LOCAL);
			ours = load(ZWIRE_TEST_LIBRARY, RTLD_LOCAL);
		}
		assert_string_equal(ours.version(), "1.3.2");
		assert_string_equal(theirs.version(), peer_system()->zlibVersion());
		assert_non_null(dlsym(ours.handle, "zwire_version"));
		assert_null(dlsym(theirs.handle, "zwire_version"));
		assert_true(round_trip(&ours));
		assert_true(round_trip(&theirs));
		assert_int_equal(ours.crc32(0, body.data, BODY_BYTES), theirs.crc32(0, body.data, BODY_BYTES));
		assert_int_equal(dlclose(i & 2 ? ours.handle : theirs.handle), 0);
		assert_true(round_trip(i & 2 ? &theirs : &ours));
		assert_int_equal(dlclose(i & 2 ? theirs.handle : ours.handle), 0);
	}
}

/* A stream of one is refused by the other, not followed. */
static void a_stream_of_another_library_is_refused(void **state)
{
	struct loaded l = load(ZWIRE_TEST_LIBRARY, RTLD_LOCAL);
	const struct peer_zlib *system = peer_system_or_skip();
	Bytef out[100];
	z_stream s = { 0 };

	(void)state;
	assert_int_equal(contract_deflate_init(system, &s, 6, 15), Z_OK);
	contract_input(&s, "abc", 3);
	contract_output(&s, out, sizeof out);
	assert_int_equal(l.deflate(&s, Z_FINISH), Z_STREAM_ERROR);
	assert_int_equal(l.deflate_end(&s), Z_STREAM_ERROR);
	assert_int_equal(l.inflate(&s, Z_FINISH), Z_STREAM_ERROR);
	assert_int_equal(system->deflate(&s, Z_FINISH), Z_STREAM_END);
	assert_int_equal(system->deflateEnd(&s), Z_OK);
	assert_int_equal(dlclose(l.handle), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(threads_do_not_see_each_other),         /* first: nothing has chosen kernels yet */
		cmocka_unit_test(a_stream_may_change_its_thread),
		cmocka_unit_test(a_stream_goes_on_after_fork),
		cmocka_unit_test(loading_and_unloading_again_and_again),
		cmocka_unit_test(a_stream_of_another_library_is_refused),
		cmocka_unit_test(the_shared_library_keeps_to_itself),    /* last: the names of another stay global */
	};

	return cmocka_run_group_tests(tests, make_body, free_body);
}
