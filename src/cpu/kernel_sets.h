/* SPDX-License-Identifier: Zlib */
/* kernel_sets.h - the complete sets, one file each; kernels.c puts them in order. */
#ifndef ZW_CPU_KERNEL_SETS_H
#define ZW_CPU_KERNEL_SETS_H

#include "cpu/kernels.h"

#include "base/arch.h"

extern const struct zw_kernels zw_kernels_portable;

#if ZW_ARCH_X86
extern const struct zw_kernels zw_kernels_x86_sse2;
extern const struct zw_kernels zw_kernels_x86_pclmul;
extern const struct zw_kernels zw_kernels_x86_avx2;
extern const struct zw_kernels zw_kernels_x86_vpclmul;
extern const struct zw_kernels zw_kernels_x86_avx512;
#endif

#if ZW_ARCH_ARM64
extern const struct zw_kernels zw_kernels_arm_neon;
extern const struct zw_kernels zw_kernels_arm_crc;
extern const struct zw_kernels zw_kernels_arm_pmull;
extern const struct zw_kernels zw_kernels_arm_dotprod;
#endif

#endif
