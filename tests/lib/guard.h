/* SPDX-License-Identifier: Zlib */
/* guard.h - buffers that touch an inaccessible page, so that one byte too many is a crash at once. */
#ifndef TESTS_LIB_GUARD_H
#define TESTS_LIB_GUARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct guard_buffer {
	uint8_t *data;
	size_t   len_bytes;
	void    *map;                            /* the whole mapping, guard page included */
	size_t   map_bytes;
};

/* data[len_bytes] is inaccessible; len_bytes may be 0. Ends the program if there is no memory. */
struct guard_buffer guard_before_end(size_t len_bytes);

/* data[-1] is inaccessible. */
struct guard_buffer guard_after_start(size_t len_bytes);

void guard_free(struct guard_buffer *g);

/* True if reading p[0] raises SIGSEGV or SIGBUS (asked in a child process). */
bool guard_read_faults(const uint8_t *p);
bool guard_write_faults(uint8_t *p);

#endif
