/* SPDX-License-Identifier: Zlib */
/* sha256.c - SHA-256 as FIPS 180-4 describes it, in plain C: it is used on a few files for each run. */
#include "common/sha256.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define BLOCK_BYTES   64
#define ROUND_COUNT   64
#define LENGTH_BYTES   8                     /* of the bit count at the end of the last block */

struct constants { uint32_t first[8], round[ROUND_COUNT]; };

static bool is_prime(unsigned n)
{
	for (unsigned d = 2; d * d <= n; d++)
		if (n % d == 0)
			return false;
	return true;
}

/* The first 32 bits of the fraction of a root; a double has 52 bits, of which the whole part takes 5 at most. */
static uint32_t fraction_bits(double root)
{
	return (uint32_t)((root - floor(root)) * 4294967296.0);
}

/* 4.2.2 and 5.3.3: square roots of the first 8 primes, cube roots of the first 64. */
static void make_constants(struct constants *constants)
{
	unsigned prime = 2;

	for (size_t i = 0; i < ROUND_COUNT; prime++) {
		if (!is_prime(prime))
			continue;
		if (i < 8)
			constants->first[i] = fraction_bits(sqrt(prime));
		constants->round[i++] = fraction_bits(cbrt(prime));
	}
}

static uint32_t rotate(uint32_t value, unsigned bits)
{
	return value >> bits | value << (32 - bits);
}

static void mix_block(uint32_t state[static 8], const uint8_t *block, const uint32_t round_constants[static ROUND_COUNT])
{
	uint32_t words[ROUND_COUNT], v[8];

	for (size_t i = 0; i < 16; i++)
		words[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 | (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
	for (size_t i = 16; i < ROUND_COUNT; i++) {
		uint32_t a = words[i - 15], b = words[i - 2];

		words[i] = words[i - 16] + (rotate(a, 7) ^ rotate(a, 18) ^ a >> 3) + words[i - 7] + (rotate(b, 17) ^ rotate(b, 19) ^ b >> 10);
	}
	memcpy(v, state, sizeof v);
	for (size_t i = 0; i < ROUND_COUNT; i++) {
		uint32_t choice = (v[4] & v[5]) ^ (~v[4] & v[6]), majority = (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]);
		uint32_t one = v[7] + (rotate(v[4], 6) ^ rotate(v[4], 11) ^ rotate(v[4], 25)) + choice + round_constants[i] + words[i];
		uint32_t two = (rotate(v[0], 2) ^ rotate(v[0], 13) ^ rotate(v[0], 22)) + majority;

		memmove(v + 1, v, 7 * sizeof v[0]);
		v[4] += one;
		v[0] = one + two;
	}
	for (size_t i = 0; i < 8; i++)
		state[i] += v[i];
}

void zw_sha256_text(const void *data, size_t size_bytes, char text_ret[static SHA256_TEXT_BYTES])
{
	struct constants constants;
	uint8_t last[2 * BLOCK_BYTES] = { 0 };
	size_t rest_bytes = size_bytes % BLOCK_BYTES, whole_bytes = size_bytes - rest_bytes;
	size_t last_bytes = rest_bytes + 1 + LENGTH_BYTES <= BLOCK_BYTES ? BLOCK_BYTES : 2 * BLOCK_BYTES;
	uint64_t bits = (uint64_t)size_bytes * 8;
	uint32_t state[8];

	make_constants(&constants);
	memcpy(state, constants.first, sizeof state);
	for (size_t at = 0; at < whole_bytes; at += BLOCK_BYTES)
		mix_block(state, (const uint8_t *)data + at, constants.round);
	if (rest_bytes)
		memcpy(last, (const uint8_t *)data + whole_bytes, rest_bytes);
	last[rest_bytes] = 0x80;
	for (unsigned i = 0; i < LENGTH_BYTES; i++)
		last[last_bytes - 1 - i] = (uint8_t)(bits >> 8 * i);
	for (size_t at = 0; at < last_bytes; at += BLOCK_BYTES)
		mix_block(state, last + at, constants.round);
	for (size_t i = 0; i < 8; i++)
		snprintf(text_ret + 8 * i, 9, "%08x", (unsigned)state[i]);
}
