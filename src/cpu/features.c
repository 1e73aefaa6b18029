/* SPDX-License-Identifier: Zlib */
/* features.c - asks the processor (CPUID and XGETBV) or the kernel (the auxiliary vector) what may be used.
 * Never: reads /proc, probes with signals, allocates; sandboxes and early loading allow none of these. */
#include "cpu/features.h"

#include "base/arch.h"

#if ZW_ARCH_X86
#include <cpuid.h>

/* CPUID leaf 1, ecx */
#define LEAF1_ECX_PCLMUL  (1u << 1)
#define LEAF1_ECX_SSSE3   (1u << 9)
#define LEAF1_ECX_SSE41   (1u << 19)
#define LEAF1_ECX_POPCNT  (1u << 23)
#define LEAF1_ECX_OSXSAVE (1u << 27)
#define LEAF1_ECX_AVX     (1u << 28)
/* leaf 7, subleaf 0 */
#define LEAF7_EBX_BMI1    (1u << 3)
#define LEAF7_EBX_AVX2    (1u << 5)
#define LEAF7_EBX_BMI2    (1u << 8)
#define LEAF7_ECX_VPCLMUL (1u << 10)
#define LEAF7_EBX_AVX512  (1u << 16 | 1u << 30 | 1u << 31)    /* F, BW, VL */
#define LEAF7_ECX_VNNI    (1u << 11)
#define LEAF7_EDX_AVX512_FP16 (1u << 23)
/* leaf 0: the vendor is spelled in ebx, edx, ecx; the first four letters tell */
#define LEAF0_EBX_INTEL   0x756e6547u        /* "Genu" */
/* leaf 0x80000001, ecx */
#define EXTENDED_LEAF     0x80000001u
#define EXTENDED_ECX_LZCNT (1u << 5)
/* XCR0: the operating system saves xmm and ymm */
#define XCR0_XMM_YMM      0x6u
#define XCR0_ZMM_MASKS    0xe0u              /* and the mask and zmm registers */

static uint32_t bit_if(unsigned word, unsigned mask, uint32_t feature)
{
	return word & mask ? feature : 0;
}

/* XCR0; may only be called when OSXSAVE is set. */
static uint32_t read_xcr0(void)
{
	uint32_t low, high;

	__asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
	return low;
}

/* What leaf 7 says of AVX.  Intel's first processors with all of these features (Ice, Tiger and Rocket Lake) lower their clock for
 * 512-bit registers; those after them are known by AVX512-FP16.  docs/dispatch.md. */
static uint32_t find_avx(uint32_t xcr0, unsigned vendor, unsigned ebx, unsigned ecx, unsigned edx)
{
	uint32_t found = 0;

	if ((xcr0 & XCR0_XMM_YMM) != XCR0_XMM_YMM)
		return 0;
	found = bit_if(ebx, LEAF7_EBX_AVX2, ZW_CPU_AVX2) | bit_if(ecx, LEAF7_ECX_VPCLMUL, ZW_CPU_VPCLMUL);
	if ((xcr0 & XCR0_ZMM_MASKS) != XCR0_ZMM_MASKS || (ebx & LEAF7_EBX_AVX512) != LEAF7_EBX_AVX512 || !(ecx & LEAF7_ECX_VNNI))
		return found;
	found |= ZW_CPU_AVX512;
	if (vendor != LEAF0_EBX_INTEL || (edx & LEAF7_EDX_AVX512_FP16))
		found |= ZW_CPU_FAST_ZMM;
	return found;
}

uint32_t zw_cpu_features(void)
{
	unsigned eax, ebx, ecx, edx, vendor;
	uint32_t found, xcr0 = 0;

	if (!__get_cpuid(0, &eax, &vendor, &ecx, &edx) || !__get_cpuid(1, &eax, &ebx, &ecx, &edx))
		return 0;
	found = bit_if(ecx, LEAF1_ECX_PCLMUL, ZW_CPU_PCLMUL) | bit_if(ecx, LEAF1_ECX_SSSE3, ZW_CPU_SSSE3) |
		bit_if(ecx, LEAF1_ECX_SSE41, ZW_CPU_SSE41) | bit_if(ecx, LEAF1_ECX_POPCNT, ZW_CPU_POPCNT);
	if ((ecx & LEAF1_ECX_OSXSAVE) && (ecx & LEAF1_ECX_AVX))
		xcr0 = read_xcr0();
	if (__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx))
		found |= bit_if(ebx, LEAF7_EBX_BMI1, ZW_CPU_BMI1) | bit_if(ebx, LEAF7_EBX_BMI2, ZW_CPU_BMI2) |
			 find_avx(xcr0, vendor, ebx, ecx, edx);
	if (__get_cpuid(EXTENDED_LEAF, &eax, &ebx, &ecx, &edx))
		found |= bit_if(ecx, EXTENDED_ECX_LZCNT, ZW_CPU_LZCNT);
	return found;
}

#elif ZW_ARCH_ARM64 && defined(__linux__)
#include <sys/auxv.h>

#define HWCAP_BIT_PMULL (1ul << 4)           /* the kernel's arm64 ELF hwcaps */
#define HWCAP_BIT_CRC32 (1ul << 7)
#define HWCAP_BIT_ASIMDDP (1ul << 20)

uint32_t zw_cpu_features(void)
{
	unsigned long caps = getauxval(AT_HWCAP);

	return (caps & HWCAP_BIT_CRC32 ? ZW_CPU_ARM_CRC32 : 0) | (caps & HWCAP_BIT_PMULL ? ZW_CPU_ARM_PMULL : 0) |
	       (caps & HWCAP_BIT_ASIMDDP ? ZW_CPU_ARM_DOTPROD : 0);
}

#else

uint32_t zw_cpu_features(void)
{
	return 0;                                /* the base set is all we know of */
}

#endif
