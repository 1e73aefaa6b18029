/* SPDX-License-Identifier: Zlib */
/* gen_crc32_tables.c - prints src/checksum/crc32_tables.c: what CRC-32 (RFC 1952 section 8) needs, from its polynomial.
 * Build with any C compiler for the host; tools/check_generated compares its output with the file. */
#include <stdint.h>
#include <stdio.h>

#define POLYNOMIAL_REFLECTED UINT32_C(0xedb88320)
#define SLICE_COUNT 16
#define SQUARE_COUNT 32
#define END_WORDS 8                          /* 8-byte words of the block of 64 bytes that a message ends in */
#define END_COLUMNS 16
#define START_BLOCKS 32
#define STRIPE_BYTES 256                     /* CRC32_STRIPE_BYTES */

static uint32_t slices[SLICE_COUNT][256];

/* One step: the value times x, modulo the polynomial; bit 31 is the coefficient of x^0. */
static uint32_t times_x(uint32_t v)
{
	return v >> 1 ^ (v & 1 ? POLYNOMIAL_REFLECTED : 0);
}

/* The value divided by x: the step before; the highest bit tells whether times_x() added the polynomial. */
static uint32_t by_x(uint32_t v)
{
	return v >> 31 ? (v ^ POLYNOMIAL_REFLECTED) << 1 | 1 : v << 1;
}

/* x^n modulo the polynomial; n may be negative. */
static uint32_t x_to_the(int n)
{
	uint32_t v = UINT32_C(1) << 31;

	for (; n > 0; n--)
		v = times_x(v);
	for (; n < 0; n++)
		v = by_x(v);
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

/* floor(x^95 / P), 64 bits, reflected: long division, one bit of the quotient a step. */
static uint64_t barrett_quotient(void)
{
	uint64_t quotient = 0;
	uint32_t rest = x_to_the(31);            /* x^31: not yet divisible */

	for (int degree = 63; degree >= 0; degree--) {
		quotient |= (uint64_t)(rest & 1) << (63 - degree);   /* bit 0 is x^31; times x it is divisible once */
		rest = times_x(rest);
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

static void print_pair(const char *before, int distance_bits)
{
	printf("%s{ UINT64_C(0x%09llx), UINT64_C(0x%09llx) },\n", before,
	       (unsigned long long)x_to_the(distance_bits + 32) << 1, (unsigned long long)x_to_the(distance_bits - 32) << 1);
}

static void print_fold(const char *name, int distance_bits)
{
	printf("\t.%s = ", name);
	print_pair("", distance_bits);
}

static void print_starts(void)
{
	printf("const uint64_t zw_crc32_starts[CRC32_START_BLOCKS] = {");
	for (int n = 0; n < START_BLOCKS; n++)
		printf("%sUINT64_C(0x%09llx)%s", n % 16 ? " " : "\n\t", (unsigned long long)x_to_the(n * 64 * 8 + 32) << 1,
		       n < START_BLOCKS - 1 ? "," : "\n};\n\n");
}

/* Products of x^distance with each bit of a word. */
static void print_shifts(void)
{
	printf("const uint32_t zw_crc32_shifts[2][32] = {");
	for (int k = 0; k < 2; k++) {
		uint32_t factor = x_to_the((k + 1) * STRIPE_BYTES * 8);

		printf("%s", k ? ", {" : "\n\t{");
		for (int bit = 0; bit < 32; bit++)
			printf("%s0x%08x%s", bit % 16 ? " " : "\n\t\t", multiply(UINT32_C(1) << bit, factor), bit < 31 ? "," : "\n\t}");
	}
	printf("\n};\n\n");
}

static void print_ends(void)
{
	printf("const uint64_t zw_crc32_ends[CRC32_END_ROWS][CRC32_END_COLUMNS] = {");
	for (int pad = 0; pad < 8; pad++) {
		printf("%s", pad ? ", {" : "\n\t{");
		for (int column = 0; column < END_COLUMNS; column++)
			printf("%s0x%08x%s", column % 8 ? " " : "\n\t\t", x_to_the(31 + 64 * (END_WORDS - 1 - column) - 8 * pad),
			       column < END_COLUMNS - 1 ? "," : "\n\t}");
		printf("%s", pad < 7 ? "" : "\n};\n");
	}
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
		printf("%s", s ? ", {" : "\n\t{");
		for (int i = 0; i < 256; i++)
			printf("%s0x%08x%s", i % 8 ? " " : "\n\t\t", slices[s][i], i < 255 ? "," : "\n\t}");
		printf("%s", s < SLICE_COUNT - 1 ? "" : "\n};\n\n");
	}
	printf("const uint32_t zw_crc32_squares[CRC32_SQUARE_COUNT] = {");
	for (int k = 0; k < SQUARE_COUNT; k++, square = multiply(square, square))
		printf("%s0x%08x%s", k % 16 ? " " : "\n\t", square, k < SQUARE_COUNT - 1 ? "," : "\n};\n\n");
	printf("const struct zw_crc32_fold_constants zw_crc32_fold = {\n");
	print_fold("by_16_bytes", 16 * 8);
	print_fold("by_32_bytes", 32 * 8);
	print_fold("by_64_bytes", 64 * 8);
	print_fold("by_128_bytes", 128 * 8);
	printf("\t.by_blocks = {\n");
	for (int i = 0; i < 7; i++)
		print_pair("\t\t", (4 - i % 4) * 64 * 8);
	printf("\t},\n");
	printf("\t.barrett = { UINT64_C(0x%016llx), UINT64_C(0x%09llx) },\n};\n\n", (unsigned long long)barrett_quotient(),
	       (unsigned long long)POLYNOMIAL_REFLECTED << 1 | 1);
	print_starts();
	print_shifts();
	print_ends();
	return 0;
}
