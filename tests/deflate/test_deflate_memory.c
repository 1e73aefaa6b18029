/* SPDX-License-Identifier: Zlib */
/* The one allocation: inside NGINX's first budget for every windowBits and memLevel, parts disjoint and aligned. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "deflate/deflate_memory.h"
#include "deflate/deflate_state.h"
#include "deflate/input_window.h"

#include <stdlib.h>

static void test_total_exceeds_nginx_first_budget(void **unused)
{
	(void)unused;
	for (unsigned w = 9; w <= 15; w++)
		for (unsigned m = 1; m <= 9; m++) {
			size_t budget = 8192 + ((size_t)4 << w) + ((size_t)512 << m);

			assert_true(zw_deflate_memory_bytes(w, m, sizeof(struct zw_deflate) + 64) <= budget);
		}
}

static void check_part(const void *part, size_t bytes, const uint8_t *block, size_t block_bytes, unsigned align)
{
	const uint8_t *p = part;

	assert_true(p >= block && p + bytes <= block + block_bytes);
	assert_int_equal((uintptr_t)p % align, 0);
}

static void test_parts_overlap_or_leave_the_block(void **unused)
{
	const size_t state = sizeof(struct zw_deflate);

	(void)unused;
	for (unsigned w = 9; w <= 15; w += 2)
		for (unsigned m = 1; m <= 9; m += 4)
			for (size_t off = 0; off < 64; off += 7) {
				size_t   bytes = zw_deflate_memory_bytes(w, m, state);
				uint8_t *raw = malloc(bytes + 64), *block = raw + off;
				struct zw_deflate_parts p = zw_deflate_memory_cut(block, w, m, state);

				check_part(p.state, state, block, bytes, 64);
				check_part(p.window, ((size_t)2 << w) + WINDOW_SLACK_BYTES, block, bytes, 16);
				check_part(p.prev, (size_t)2 << w, block, bytes, 16);
				check_part(p.head, (size_t)256 << m, block, bytes, 16);
				check_part(p.tokens, (size_t)256 << m, block, bytes, 16);
				assert_true((uint8_t *)p.state + state <= p.window);
				assert_true(p.window + ((size_t)2 << w) + WINDOW_SLACK_BYTES <= (uint8_t *)p.prev);
				assert_true((uint8_t *)p.prev + ((size_t)2 << w) <= (uint8_t *)p.head);
				assert_true((uint8_t *)p.head + ((size_t)256 << m) <= (uint8_t *)p.tokens);
				free(raw);
			}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_total_exceeds_nginx_first_budget),
		cmocka_unit_test(test_parts_overlap_or_leave_the_block),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
