/* SPDX-License-Identifier: Zlib */
/* guard.c - see guard.h. */
#include "lib/guard.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static size_t page_bytes(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

/* A mapping with room for len_bytes and one more page. */
static struct guard_buffer map_with_guard(size_t len_bytes)
{
	size_t page = page_bytes();
	struct guard_buffer g = { .len_bytes = len_bytes, .map_bytes = (len_bytes + page - 1) / page * page + page };

	g.map = mmap(NULL, g.map_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (g.map == MAP_FAILED) {
		perror("guard: mmap");
		exit(1);
	}
	return g;
}

static void protect_page(uint8_t *page)
{
	if (mprotect(page, page_bytes(), PROT_NONE) != 0) {
		perror("guard: mprotect");
		exit(1);
	}
}

struct guard_buffer guard_before_end(size_t len_bytes)
{
	struct guard_buffer g = map_with_guard(len_bytes);
	uint8_t *guard_page = (uint8_t *)g.map + g.map_bytes - page_bytes();

	protect_page(guard_page);
	g.data = guard_page - len_bytes;
	return g;
}

struct guard_buffer guard_after_start(size_t len_bytes)
{
	struct guard_buffer g = map_with_guard(len_bytes);

	protect_page(g.map);
	g.data = (uint8_t *)g.map + page_bytes();
	return g;
}

void guard_free(struct guard_buffer *g)
{
	if (g->map)
		munmap(g->map, g->map_bytes);
	*g = (struct guard_buffer){ 0 };
}

static bool access_faults(uint8_t *p, bool write_it)
{
	int status = 0;
	pid_t child = fork();

	if (child == 0) {
		volatile uint8_t *byte = p;

		signal(SIGSEGV, SIG_DFL);        /* a sanitizer's handler would report it as a bug */
		signal(SIGBUS, SIG_DFL);
		if (write_it)
			*byte = 1;
		_exit(*byte == 0 ? 0 : 2);
	}
	if (child < 0 || waitpid(child, &status, 0) != child) {
		perror("guard: fork");
		exit(1);
	}
	return WIFSIGNALED(status) && (WTERMSIG(status) == SIGSEGV || WTERMSIG(status) == SIGBUS);
}

bool guard_read_faults(const uint8_t *p)
{
	return access_faults((uint8_t *)(uintptr_t)p, false);
}

bool guard_write_faults(uint8_t *p)
{
	return access_faults(p, true);
}
