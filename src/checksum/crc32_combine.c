/* SPDX-License-Identifier: Zlib */
/* crc32_combine.c - CRC-32 of two strings in a row.
 * Appending n bytes multiplies the first string's polynomial by x^(8n), so its CRC too; then the second's is added. */
#include "checksum/combine.h"

#include "checksum/crc32_tables.h"

#define POLYNOMIAL_REFLECTED UINT32_C(0xedb88320)
#define BITS_PER_BYTE_LOG2   3

/* a * b modulo the polynomial. */
static uint32_t multiply_modulo(uint32_t a, uint32_t b)
{
	uint32_t product = 0;

	for (; a; a <<= 1) {                     /* the highest bit of a is the coefficient of x^0 */
		product ^= b & (0 - (a >> 31));
		b = b >> 1 ^ (POLYNOMIAL_REFLECTED & (0 - (b & 1)));
	}
	return product;
}

uint32_t zw_crc32_operator(uint64_t second_bytes)
{
	uint32_t operator = UINT32_C(1) << 31;   /* x^0 */

	for (unsigned k = BITS_PER_BYTE_LOG2; second_bytes; second_bytes >>= 1, k++)
		if (second_bytes & 1)
			operator = multiply_modulo(zw_crc32_squares[k % CRC32_SQUARE_COUNT], operator);
	return operator;
}

uint32_t zw_crc32_combine(uint32_t first, uint32_t second, uint32_t operator)
{
	return multiply_modulo(operator, first) ^ second;
}
