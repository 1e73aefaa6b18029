/* SPDX-License-Identifier: Zlib */
/* adler32_combine.c - Adler-32 of two strings in a row.
 * The second string starts from a = a1 instead of 1, so every value of a in it is a1 - 1 larger. */
#include "checksum/combine.h"

#include "checksum/adler32_inline.h"

static struct zw_adler_sums split_and_reduce(uint32_t adler)
{
	struct zw_adler_sums s = { adler & 0xffff, adler >> 16 };

	zw_adler_reduce(&s);
	return s;
}

uint32_t zw_adler32_combine(uint32_t first, uint32_t second, uint64_t second_bytes)
{
	struct zw_adler_sums s1 = split_and_reduce(first), s2 = split_and_reduce(second);
	uint32_t more = (s1.a + ADLER_BASE - 1) % ADLER_BASE;
	struct zw_adler_sums sum;

	sum.a = (more + s2.a) % ADLER_BASE;
	sum.b = (uint32_t)((second_bytes % ADLER_BASE * more + s1.b + s2.b) % ADLER_BASE);
	return zw_adler_join(sum);
}
