/* SPDX-License-Identifier: Zlib */
/* test_kernels.c - the choice of a kernel set: complete, possible on this machine, overridable, free of races. */
#include "cpu/kernels.h"

#include "cpu/features.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define THREAD_COUNT 8
#define ROUND_COUNT 50

static void a_set_needs_what_this_machine_lacks(void **state)
{
	size_t count;
	const struct zw_kernels *const *sets = zw_kernels_all(&count);

	(void)state;
	assert_true(count >= 1);
	for (size_t s = 0; s < count; s++)
		assert_int_equal(sets[s]->needs & ~zw_cpu_features(), 0);
	assert_string_equal(sets[count - 1]->name, "portable");
	assert_int_equal(sets[count - 1]->needs, 0);
}

/* A set is nothing but its name, its needs and pointers to functions: none may be NULL but the two for looking ahead, together. */
static void a_function_is_missing_in_a_set(void **state)
{
	size_t count;
	const struct zw_kernels *const *sets = zw_kernels_all(&count);

	(void)state;
	for (size_t s = 0; s < count; s++) {
		const unsigned char *at = (const unsigned char *)sets[s] + offsetof(struct zw_kernels, adler32);

		assert_int_equal(!sets[s]->inflate_ahead, !sets[s]->inflate_ahead_tables);
		for (; at < (const unsigned char *)&sets[s]->inflate_ahead; at += sizeof(void (*)(void))) {
			void (*function)(void);

			memcpy(&function, at, sizeof function);
			if (!function)
				fail_msg("%s: a member is NULL", sets[s]->name);
		}
	}
}

static void two_sets_have_one_name(void **state)
{
	size_t count;
	const struct zw_kernels *const *sets = zw_kernels_all(&count);

	(void)state;
	for (size_t s = 0; s < count; s++)
		for (size_t t = 0; t < s; t++)
			assert_string_not_equal(sets[s]->name, sets[t]->name);
}

static void forcing_a_set_has_no_effect(void **state)
{
	size_t count;
	const struct zw_kernels *const *sets = zw_kernels_all(&count);

	(void)state;
	for (size_t s = 0; s < count; s++) {
		zw_kernels_force(sets[s]);
		assert_ptr_equal(zw_kernels_get(), sets[s]);
	}
	unsetenv("ZWIRE_KERNELS");
	zw_kernels_force(NULL);
	assert_ptr_equal(zw_kernels_get(), sets[0]);
}

static void the_environment_is_not_followed(void **state)
{
	size_t count;
	const struct zw_kernels *const *sets = zw_kernels_all(&count);

	(void)state;
	for (size_t s = 0; s < count; s++) {
		setenv("ZWIRE_KERNELS", sets[s]->name, 1);
		zw_kernels_force(NULL);
		assert_ptr_equal(zw_kernels_get(), sets[s]);
	}
	setenv("ZWIRE_KERNELS", "no such set", 1);
	zw_kernels_force(NULL);
	assert_ptr_equal(zw_kernels_get(), sets[0]);
	unsetenv("ZWIRE_KERNELS");
	zw_kernels_force(NULL);
}

static const struct zw_kernels *chosen[THREAD_COUNT];
static pthread_barrier_t start_line;

static void *choose_in_thread(void *slot)
{
	static const uint8_t text[] = "123456789";
	const struct zw_kernels *k;

	pthread_barrier_wait(&start_line);
	k = zw_kernels_get();
	if (k->crc32(0, text, 9) == 0xcbf43926)
		*(const struct zw_kernels **)slot = k;
	return NULL;
}

static void *return_at_once(void *argument)
{
	return argument;
}

/* qemu-user 7.2 hangs in pthread_create() on some kernels.  Where the build says that tests are emulated, a child process tries: it makes
 * one thread, and ten seconds decide. */
static bool threads_work(void)
{
	const struct timespec tick = { 0, 10000000 };
	int status = 0;
	pid_t child;

	if (!getenv("ZWIRE_TEST_EMULATED"))
		return true;
	child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		pthread_t thread;

		_exit(pthread_create(&thread, NULL, return_at_once, NULL) != 0 || pthread_join(thread, NULL) != 0);
	}
	for (unsigned i = 0; i < 1000; i++) {
		if (waitpid(child, &status, WNOHANG) == child)
			return WIFEXITED(status) && WEXITSTATUS(status) == 0;
		nanosleep(&tick, NULL);
	}
	kill(child, SIGKILL);
	assert_int_equal(waitpid(child, &status, 0), child);
	return false;
}

/* Where the emulator has no threads that work: the choice is made as often, one after the other. */
static void choose_without_threads(void)
{
	size_t count;
	const struct zw_kernels *const *sets = zw_kernels_all(&count);

	print_message("this emulator hangs in pthread_create(): chosen in one thread\n");
	assert_int_equal(pthread_barrier_init(&start_line, NULL, 1), 0);
	for (unsigned i = 0; i < ROUND_COUNT * THREAD_COUNT; i++) {
		zw_kernels_force(NULL);
		chosen[0] = NULL;
		choose_in_thread(&chosen[0]);
		assert_ptr_equal(chosen[0], sets[0]);
	}
	pthread_barrier_destroy(&start_line);
}

/* All threads meet an undecided process at once.  Run under the thread sanitizer it also proves there is no race. */
static void two_threads_choose_differently(void **state)
{
	size_t count;
	const struct zw_kernels *const *sets = zw_kernels_all(&count);

	(void)state;
	unsetenv("ZWIRE_KERNELS");
	if (!threads_work()) {
		choose_without_threads();
		return;
	}
	for (unsigned round = 0; round < ROUND_COUNT; round++) {
		pthread_t threads[THREAD_COUNT];

		zw_kernels_force(NULL);
		memset(chosen, 0, sizeof chosen);
		assert_int_equal(pthread_barrier_init(&start_line, NULL, THREAD_COUNT), 0);
		for (unsigned t = 0; t < THREAD_COUNT; t++)
			assert_int_equal(pthread_create(&threads[t], NULL, choose_in_thread, &chosen[t]), 0);
		for (unsigned t = 0; t < THREAD_COUNT; t++) {
			assert_int_equal(pthread_join(threads[t], NULL), 0);
			assert_ptr_equal(chosen[t], sets[0]);
		}
		pthread_barrier_destroy(&start_line);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_set_needs_what_this_machine_lacks),
		cmocka_unit_test(a_function_is_missing_in_a_set),
		cmocka_unit_test(two_sets_have_one_name),
		cmocka_unit_test(forcing_a_set_has_no_effect),
		cmocka_unit_test(the_environment_is_not_followed),
		cmocka_unit_test(two_threads_choose_differently),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
