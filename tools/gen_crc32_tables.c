/* SPDX-License-Identifier: Zlib */
/* gen_crc32_tables.c - prints src/checksum/crc32_tables.c: what CRC-32 (RFC 1952 section 8) needs, from its polynomial.
 * Build with any C compiler for the host; tools/check_generated compares its output with the file. */
#include <stdint.h>
#include <stdio.h>

#define POLYNOMIAL_REFLECTED UINT32_C(0xedb88320)
#define SLICE_COUNT 16
#define SQUARE_COUNT 32

static uint32_t slices[SLICE_COUNT][256];

/* One step: the value times x, modulo the polynomial; bit 31 is the coefficient of x^0. */
static uint32_t times_x(uint32_t v)
{
	return v >> 1 ^ (v & 1 ? POLYNOMIAL_REFLECTED : 0);
}

/* x^n modulo the polynomial. */
static uint32_t x_to_the(unsigned n)
{
	uint32_t v = UINT32_C(1) << 31;

	while (n--)
		v = times_x(v);
	return v;
}

static uint32_t multiply(uint32_t a, uint32_t b)
{
	uint32_t sum = 0;

	for (; a; a <<= 1, b = times_x(b))
		if (a & UINT32_C(1) << 31)
			sum ^= b;
	return sum;
}

/* floor(x^64 / P), 33 bits, reflected. */
static uint64_t barrett_quotient(void)
{
	uint64_t quotient = 0;
	uint64_t high = 1, low = 0;              /* the remainder, starting as x^64 */
	const uint64_t p = UINT64_C(0x104c11db7);

	for (int i = 32; i >= 0; i--) {
		uint64_t bit = i == 32 ? high & 1 : low >> (i + 32) & 1;

		if (bit) {
			low ^= p << i;
			if (i)
				high ^= p >> (64 - i);
			quotient |= UINT64_C(1) << (32 - i);
		}
	}
	return quotient;
}

static void fill_slices(void)
{
	for (uint32_t i = 0; i < 256; i++) {
		uint32_t v = i;

		for (int k = 0; k < 8; k++)
			v = times_x(v);
		slices[0][i] = v;
	}
	for (int s = 1; s < SLICE_COUNT; s++)
		for (int i = 0; i < 256; i++)
			slices[s][i] = slices[s - 1][i] >> 8 ^ slices[0][slices[s - 1][i] & 255];
}

static void print_fold(const char *name, unsigned distance_bits)
{
	printf("\t.%s = { UINT64_C(0x%09llx), UINT64_C(0x%09llx) },\n", name,
	       (unsigned long long)x_to_the(distance_bits + 32) << 1, (unsigned long long)x_to_the(distance_bits - 32) << 1);
}

int main(void)
{
	uint32_t square = x_to_the(1);

	fill_slices();
	printf("/* SPDX-License-Identifier: Zlib */\n"
	       "/* crc32_tables.c - printed by tools/gen_crc32_tables.c; do not edit. */\n"
	       "#include \"checksum/crc32_tables.h\"\n\n");
	printf("const uint32_t zw_crc32_slices[CRC32_SLICE_COUNT][256] = {");
	for (int s = 0; s < SLICE_COUNT; s++) {
		printf("\n\t{");
		for (int i = 0; i < 256; i++)
			printf("%s0x%08x%s", i % 8 ? " " : "\n\t\t", slices[s][i], i < 255 ? "," : "\n\t}");
		printf("%s", s < SLICE_COUNT - 1 ? "," : "\n};\n\n");
	}
	printf("const uint32_t zw_crc32_squares[CRC32_SQUARE_COUNT] = {");
	for (int k = 0; k < SQUARE_COUNT; k++, square = multiply(square, square))
		printf("%s0x%08x%s", k % 8 ? " " : "\n\t", square, k < SQUARE_COUNT - 1 ? "," : "\n};\n\n");
	printf("const struct zw_crc32_fold_constants zw_crc32_fold = {\n");
	print_fold("by_16_bytes", 16 * 8);
	print_fold("by_32_bytes", 32 * 8);
	print_fold("by_64_bytes", 64 * 8);
	print_fold("by_128_bytes", 128 * 8);
	printf("\t.by_8_bytes = { UINT64_C(0x%09llx), 0 },\n", (unsigned long long)x_to_the(64) << 1);
	printf("\t.barrett = { UINT64_C(0x%09llx), UINT64_C(0x%09llx) },\n};\n", (unsigned long long)barrett_quotient(),
	       (unsigned long long)POLYNOMIAL_REFLECTED << 1 | 1);
	return 0;
}
