/* SPDX-License-Identifier: Zlib */
/* load_offset.h - a table look-up by an offset in bytes, on the shortest way the CPU has. */
#ifndef ZW_CPU_LOAD_OFFSET_H
#define ZW_CPU_LOAD_OFFSET_H

#include "base/arch.h"

#include <stdint.h>
#include <string.h>

#define LOAD_OFFSET_LIMIT 4096               /* offsets are below this */

#if ZW_ARCH_X86
/* The 32-bit word offset bytes behind base.
 * SPEED(M12): Zen 4 needs 4 cycles for base + index, 5 as soon as the address has a scale or a displacement, and RBP and R13 as
 * base always have one.  So the offset is the base, in one of the registers A to D. */
ZW_INLINE uint32_t zw_load_offset(const void *base, uint64_t offset)
{
	uint32_t word;

	__asm__("movl (%2,%1), %0" : "=r"(word) : "r"(base), "Q"(offset), "m"(*(const char (*)[LOAD_OFFSET_LIMIT])base));
	return word;
}
#else
ZW_INLINE uint32_t zw_load_offset(const void *base, uint64_t offset)
{
	uint32_t word;

	memcpy(&word, (const uint8_t *)base + offset, sizeof word);
	return word;
}
#endif

#endif
