/* SPDX-License-Identifier: Zlib */
/* test_stack_i386.c - callers on i386 that align the stack to 4 bytes, as the older ABI and programs under Wine do: code that
 * keeps vectors on the stack faults there unless it aligns the stack itself (-mstackrealign in CMakeLists.txt).  On other
 * machines nothing is tested. */
#include "zlib.h"

#include "lib/cmocka_all.h"
#include "lib/corpus.h"

#include <string.h>

#define BODY_BYTES 100000u

#if defined(__i386__)
#define FOUR_BYTE_STACK 1
#define PLAIN __attribute__((noinline, target("general-regs-only"))) /* does not mind the stack itself */

/* Calls f(arg) with the stack so many bytes below an address that is a multiple of 16. */
static void call_with_stack(void (*f)(void *), void *arg, unsigned below)
{
	__asm__ volatile("movl %%esp, %%ebx\n\t"
			 "subl $256, %%esp\n\t"
			 "andl $-16, %%esp\n\t"
			 "subl %2, %%esp\n\t"
			 "pushl %1\n\t"
			 "call *%0\n\t"
			 "movl %%ebx, %%esp"
			 : : "S"(f), "D"(arg), "a"(below) : "ebx", "ecx", "edx", "memory", "cc");
}
#else
#define FOUR_BYTE_STACK 0
#define PLAIN
static void call_with_stack(void (*f)(void *), void *arg, unsigned below) { (void)below; f(arg); }
#endif

struct stack_round {
	int level;
	const Bytef *body;
	Bytef packed[BODY_BYTES + 100], back[BODY_BYTES];
	int results[6];
	uLong sums[2];
};

PLAIN static void round_trip_there(void *arg)
{
	struct stack_round *r = arg;
	z_stream s;

	memset(&s, 0, sizeof s);
	r->results[0] = deflateInit2(&s, r->level, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY);
	s.next_in = r->body;
	s.avail_in = BODY_BYTES;
	s.next_out = r->packed;
	s.avail_out = sizeof r->packed;
	r->results[1] = deflate(&s, Z_FINISH);
	r->results[2] = deflateEnd(&s);
	r->results[3] = inflateInit2(&s, 47);
	s.next_in = r->packed;
	s.avail_in = sizeof r->packed;
	s.next_out = r->back;
	s.avail_out = sizeof r->back;
	r->results[4] = inflate(&s, Z_FINISH);
	r->results[5] = inflateEnd(&s);
	r->sums[0] = crc32(0, r->back, BODY_BYTES);
	r->sums[1] = adler32(1, r->back, BODY_BYTES);
}

static void a_stack_of_four_bytes_faults(void **state)
{
	static const int wanted[6] = { Z_OK, Z_STREAM_END, Z_OK, Z_OK, Z_STREAM_END, Z_OK };
	static struct stack_round r;
	struct test_bytes body = { 0 };

	(void)state;
	if (!FOUR_BYTE_STACK)
		skip();                          /* the ABI of every other machine aligns the stack */
	corpus_make(CORPUS_MIXED, 4, BODY_BYTES, &body);
	r.body = body.data;
	for (r.level = 0; r.level <= 9; r.level++)
		for (unsigned below = 0; below < 16; below += 4) {
			memset(r.back, 0, sizeof r.back);
			call_with_stack(round_trip_there, &r, below);
			assert_memory_equal(r.results, wanted, sizeof wanted);
			assert_memory_equal(r.back, body.data, BODY_BYTES);
			assert_int_equal(r.sums[0], crc32(0, body.data, BODY_BYTES));
			assert_int_equal(r.sums[1], adler32(1, body.data, BODY_BYTES));
		}
	bytes_free(&body);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(a_stack_of_four_bytes_faults) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
