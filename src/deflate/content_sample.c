/* SPDX-License-Identifier: Zlib */
/* content_sample.c - digits and white space among 32 words of 8 bytes, spread over an input.
 * Takes: what the window holds when parsing begins.  Gives: two counts.  Then: match_finder.c
 * Never: looks at a byte behind n. */
#include "deflate/content_sample.h"

#include "base/bytes.h"

#define BYTES_OF(c) (UINT64_C(0x0101010101010101) * (c))
#define WORDS (CONTENT_SAMPLE_BYTES / 8)

/* 1 in each byte that has its high bit clear in v. */
ZW_INLINE uint64_t high_bit_clear(uint64_t v) { return ~v >> 7 & BYTES_OF(1); }

/* 1 in each byte of v below limit, which is at most 128. */
ZW_INLINE uint64_t bytes_below(uint64_t v, unsigned limit)
{
	return high_bit_clear(((v & BYTES_OF(0x7f)) + BYTES_OF(128 - limit)) | v);
}

/* Sum of the bytes of v. */
ZW_INLINE uint16_t sum_bytes(uint64_t v)
{
	v = (v & UINT64_C(0x00ff00ff00ff00ff)) + (v >> 8 & UINT64_C(0x00ff00ff00ff00ff));
	return (uint16_t)(v * UINT64_C(0x0001000100010001) >> 48);
}

struct zw_content zw_content_sample(const uint8_t *p, size_t n)
{
	uint64_t digits = 0, blanks = 0;         /* a count in each byte: at most WORDS */

	if (n < CONTENT_LEAST_BYTES)
		return (struct zw_content){ 0, 0 };
	for (size_t i = 0; i < WORDS; i++) {
		uint64_t v = zw_load_le64(p + i * (n / WORDS));

		digits += bytes_below(v ^ BYTES_OF('0'), 10); /* '0' ^ c is 0 to 9 for '0' to '9' alone */
		blanks += bytes_below(v, ' ' + 1);
	}
	return (struct zw_content){ sum_bytes(digits), sum_bytes(blanks) };
}
