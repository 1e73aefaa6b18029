/* SPDX-License-Identifier: Zlib */
/* features.h - what this processor, and the operating system for it, can do. */
#ifndef ZW_CPU_FEATURES_H
#define ZW_CPU_FEATURES_H

#include <stdint.h>

/* x86-64; every AVX bit also says that the operating system saves the ymm registers */
#define ZW_CPU_SSSE3      (UINT32_C(1) << 0)
#define ZW_CPU_SSE41      (UINT32_C(1) << 1)
#define ZW_CPU_PCLMUL     (UINT32_C(1) << 2)
#define ZW_CPU_POPCNT     (UINT32_C(1) << 3)
#define ZW_CPU_BMI1       (UINT32_C(1) << 4)
#define ZW_CPU_BMI2       (UINT32_C(1) << 5)
#define ZW_CPU_LZCNT      (UINT32_C(1) << 6)
#define ZW_CPU_AVX2       (UINT32_C(1) << 7)
#define ZW_CPU_VPCLMUL    (UINT32_C(1) << 8)
#define ZW_CPU_AVX512     (UINT32_C(1) << 9) /* F, BW, VL, VNNI, and zmm and mask registers saved by the operating system */
#define ZW_CPU_FAST_ZMM   (UINT32_C(1) << 10) /* 512-bit registers do not lower the clock */

/* aarch64 */
#define ZW_CPU_ARM_CRC32  (UINT32_C(1) << 16)
#define ZW_CPU_ARM_PMULL  (UINT32_C(1) << 17)
#define ZW_CPU_ARM_DOTPROD (UINT32_C(1) << 18)

/* What each kernel set needs: exactly the features its functions are compiled for.  Each line contains the one above
 * it, so the sets that a processor can run are always a tail of the list in kernels.c. */
#define ZW_NEEDS_X86_SSE2    UINT32_C(0)
#define ZW_NEEDS_X86_PCLMUL  (ZW_NEEDS_X86_SSE2 | ZW_CPU_SSSE3 | ZW_CPU_SSE41 | ZW_CPU_PCLMUL)
#define ZW_NEEDS_X86_AVX2    (ZW_NEEDS_X86_PCLMUL | ZW_CPU_POPCNT | ZW_CPU_BMI1 | ZW_CPU_BMI2 | ZW_CPU_LZCNT | ZW_CPU_AVX2)
#define ZW_NEEDS_X86_VPCLMUL (ZW_NEEDS_X86_AVX2 | ZW_CPU_VPCLMUL)
#define ZW_NEEDS_X86_AVX512  (ZW_NEEDS_X86_VPCLMUL | ZW_CPU_AVX512 | ZW_CPU_FAST_ZMM)
#define ZW_NEEDS_ARM_NEON    UINT32_C(0)
#define ZW_NEEDS_ARM_CRC     (ZW_NEEDS_ARM_NEON | ZW_CPU_ARM_CRC32)
#define ZW_NEEDS_ARM_PMULL   (ZW_NEEDS_ARM_CRC | ZW_CPU_ARM_PMULL)
#define ZW_NEEDS_ARM_DOTPROD (ZW_NEEDS_ARM_PMULL | ZW_CPU_ARM_DOTPROD)

/* The ZW_CPU_* bits of this machine.  Pure: no memory, no lock, no file, no signal; any thread, at any time, also
 * before the C library has finished starting. */
uint32_t zw_cpu_features(void);

#endif
