/* SPDX-License-Identifier: Zlib */
/* low_bits.h - the lowest n bits of a word, in one instruction where a kernel may use it. */
#ifndef ZW_CPU_LOW_BITS_H
#define ZW_CPU_LOW_BITS_H

#include "base/arch.h"
#include "base/check.h"

#include <stdbool.h>
#include <stdint.h>

/* n is the low byte of what is given, and below 64. */
ZW_INLINE uint64_t zw_low_bits(uint64_t v, uint32_t n)
{
	ZW_ASSERT((n & 255) < 64);
	return v & ((UINT64_C(1) << (uint8_t)n) - 1);
}

#if ZW_ARCH_X86
/* The same by BZHI if bmi2, a constant, says that the kernel has it.  As an instruction by name because gcc 12 hoists half of the
 * expression above out of a loop and is left with two instructions on the longest chain. */
ZW_INLINE uint64_t zw_low_bits_by(bool bmi2, uint64_t v, uint32_t n)
{
	uint64_t low;

	if (!bmi2)
		return zw_low_bits(v, n);
	ZW_ASSERT((n & 255) < 64);
	__asm__("bzhi %q2, %1, %0" : "=r"(low) : "r"(v), "r"(n));
	return low;
}

/* field >> 8 bits (below 64) of v from bit field & 255 (below 64) on: BEXTR if bmi, a constant, says so. */
ZW_INLINE uint64_t zw_bit_field_by(bool bmi, uint64_t v, uint32_t field)
{
	uint64_t bits;

	if (!bmi)
		return v >> (field & 63) & ((UINT64_C(1) << (field >> 8 & 63)) - 1);
	__asm__("bextr %q2, %1, %0" : "=r"(bits) : "r"(v), "r"(field));
	return bits;
}

/* v shifted left by the low six bits of n. */
ZW_INLINE uint64_t zw_shift_left_by(bool bmi2, uint64_t v, uint32_t n)
{
	uint64_t shifted;

	if (!bmi2)
		return v << (n & 63);
	__asm__("shlx %q2, %1, %0" : "=r"(shifted) : "rm"(v), "r"(n));
	return shifted;
}
#else
ZW_INLINE uint64_t zw_shift_left_by(bool bmi2, uint64_t v, uint32_t n)
{
	(void)bmi2;
	return v << (n & 63);
}

ZW_INLINE uint64_t zw_bit_field_by(bool bmi, uint64_t v, uint32_t field)
{
	(void)bmi;
	return v >> (field & 63) & ((UINT64_C(1) << (field >> 8 & 63)) - 1);
}

ZW_INLINE uint64_t zw_low_bits_by(bool bmi2, uint64_t v, uint32_t n)
{
	(void)bmi2;
	return zw_low_bits(v, n);
}
#endif

#endif
