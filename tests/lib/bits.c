/* SPDX-License-Identifier: Zlib */
/* bits.c - see bits.h. */
#include "lib/bits.h"

void bits_put(struct bits *b, uint32_t value, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		b->hold |= (value >> i & 1) << b->hold_count;
		if (++b->hold_count == 8) {
			bytes_append_byte(&b->bytes, (uint8_t)b->hold);
			b->hold = 0;
			b->hold_count = 0;
		}
	}
}

void bits_put_word(struct bits *b, uint32_t word, unsigned count)
{
	while (count)
		bits_put(b, word >> --count & 1, 1);
}

void bits_align(struct bits *b)
{
	while (b->hold_count)
		bits_put(b, 0, 1);
}

void bits_put_bytes(struct bits *b, const void *from, size_t len_bytes)
{
	const uint8_t *p = from;

	for (size_t i = 0; i < len_bytes; i++)
		bits_put(b, p[i], 8);
}

struct test_bytes *bits_end(struct bits *b)
{
	bits_align(b);
	bytes_reserve(&b->bytes, 1);             /* data is not NULL even when nothing was written */
	return &b->bytes;
}

void bits_free(struct bits *b)
{
	bytes_free(&b->bytes);
	*b = (struct bits){ 0 };
}

void bits_make_code(struct bits_code *c, const uint8_t *lens, unsigned symbol_count)
{
	uint16_t next = 0;

	*c = (struct bits_code){ .symbol_count = symbol_count };
	for (unsigned len = 1; len <= LITLEN_CODE_MAX_BITS; len++) {
		next = (uint16_t)(next << 1);
		for (unsigned symbol = 0; symbol < symbol_count; symbol++) {
			if (lens[symbol] != len)
				continue;
			c->word[symbol] = next++;
			c->len_bits[symbol] = (uint8_t)len;
		}
	}
}

void bits_make_fixed_litlen(struct bits_code *c)
{
	uint8_t lens[LITLEN_CODE_COUNT];

	for (unsigned symbol = 0; symbol < LITLEN_CODE_COUNT; symbol++)
		lens[symbol] = symbol < 144 ? 8 : symbol < 256 ? 9 : symbol < 280 ? 7 : 8;
	bits_make_code(c, lens, LITLEN_CODE_COUNT);
}

void bits_make_fixed_dist(struct bits_code *c)
{
	uint8_t lens[DIST_CODE_COUNT];

	memset(lens, 5, sizeof lens);
	bits_make_code(c, lens, DIST_CODE_COUNT);
}

void bits_put_symbol(struct bits *b, const struct bits_code *c, unsigned symbol)
{
	bits_put_word(b, c->word[symbol], c->len_bits[symbol]);
}

void bits_put_block_start(struct bits *b, bool last, unsigned type)
{
	bits_put(b, last, 1);
	bits_put(b, type, 2);
}

void bits_put_stored(struct bits *b, bool last, const void *from, uint16_t len_bytes)
{
	bits_put_block_start(b, last, BLOCK_STORED);
	bits_align(b);
	bits_put(b, len_bytes, 16);
	bits_put(b, len_bytes ^ 0xffffu, 16);
	bits_put_bytes(b, from, len_bytes);
}

/* Lengths 0..15 with 4 bits each make a complete precode; 16, 17 and 18 are left out. */
#define PRECODE_HEADER_COUNT PRECODE_SYMBOL_COUNT

void bits_put_dynamic_header(struct bits *b, bool last, const uint8_t *litlen_lens, unsigned litlen_count,
			     const uint8_t *dist_lens, unsigned dist_count)
{
	bits_put_block_start(b, last, BLOCK_DYNAMIC);
	bits_put(b, litlen_count - 257, 5);
	bits_put(b, dist_count - 1, 5);
	bits_put(b, PRECODE_HEADER_COUNT - 4, 4);
	for (unsigned i = 0; i < PRECODE_HEADER_COUNT; i++)
		bits_put(b, i < 3 ? 0 : 4, 3);   /* the order of RFC 1951 3.2.7 begins with 16, 17, 18 */
	for (unsigned i = 0; i < litlen_count; i++)
		bits_put_word(b, litlen_lens[i], 4);
	for (unsigned i = 0; i < dist_count; i++)
		bits_put_word(b, dist_lens[i], 4);
}

/* The symbol of the group that holds value: groups of 2^(symbol_bits) symbols share a number of extra bits, RFC 1951
 * 3.2.5.  value counts from 0; *extra_bits_ret and *extra_ret receive the rest. */
static unsigned split_value(unsigned value, unsigned symbol_bits, unsigned *extra_bits_ret, unsigned *extra_ret)
{
	unsigned log2 = 0;
	unsigned extra_bits;

	while (value >> log2 > 1)
		log2++;
	extra_bits = log2 > symbol_bits ? log2 - symbol_bits : 0;
	*extra_bits_ret = extra_bits;
	*extra_ret = value & ((1u << extra_bits) - 1);
	return (extra_bits << symbol_bits) + (value >> extra_bits);
}

void bits_put_match(struct bits *b, const struct bits_code *litlen, const struct bits_code *dist, unsigned len,
		    unsigned distance)
{
	unsigned extra_bits = 0;
	unsigned extra = 0;
	unsigned symbol = len == MATCH_MAX_BYTES ? LITLEN_SYMBOL_COUNT - 1
		: SYMBOL_LENGTH_FIRST + split_value(len - MATCH_MIN_BYTES, 2, &extra_bits, &extra);

	bits_put_symbol(b, litlen, symbol);
	bits_put(b, extra, extra_bits);
	symbol = split_value(distance - 1, 1, &extra_bits, &extra);
	bits_put_symbol(b, dist, symbol);
	bits_put(b, extra, extra_bits);
}

void bits_put_zlib_header(struct bits *b, unsigned window_log2, bool dictionary)
{
	unsigned first = ZLIB_METHOD_DEFLATE | (window_log2 - 8) << 4;
	unsigned flags = 2u << 6 | (dictionary ? ZLIB_FLAG_DICTIONARY : 0);

	flags |= 31 - (first << 8 | flags) % 31;
	bits_put(b, first, 8);
	bits_put(b, flags, 8);
}

void bits_put_gzip_header(struct bits *b, uint8_t flags)
{
	const uint8_t fixed[GZIP_HEADER_BYTES] = { GZIP_MAGIC_1, GZIP_MAGIC_2, 8, flags, 0, 0, 0, 0, 0, GZIP_OS_UNIX };

	bits_put_bytes(b, fixed, sizeof fixed);
}

void bits_put_le32(struct bits *b, uint32_t value)
{
	bits_align(b);
	bits_put(b, value, 32);
}

void bits_put_be32(struct bits *b, uint32_t value)
{
	bits_align(b);
	for (int shift = 24; shift >= 0; shift -= 8)
		bits_put(b, value >> shift & 0xff, 8);
}

uint32_t bits_crc32(uint32_t crc, const uint8_t *p, size_t len_bytes)
{
	crc = ~crc;
	for (size_t i = 0; i < len_bytes; i++) {
		crc ^= p[i];
		for (int bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? UINT32_C(0xedb88320) : 0);   /* RFC 1952 8: the polynomial */
	}
	return ~crc;
}

uint32_t bits_adler32(uint32_t adler, const uint8_t *p, size_t len_bytes)
{
	uint32_t a = adler & 0xffff;
	uint32_t s = adler >> 16;

	for (size_t i = 0; i < len_bytes; i++) {
		a = (a + p[i]) % 65521;          /* RFC 1950 8.2: the largest prime below 65536 */
		s = (s + a) % 65521;
	}
	return s << 16 | a;
}
