/* SPDX-License-Identifier: Zlib */
/* set_x86_avx2.c - AVX2, BMI and LZCNT: processors since 2013. */
#include "cpu/kernel_sets.h"

#include "cpu/features.h"
#include "cpu/kernel_functions.h"

#if ZW_ARCH_X86
const struct zw_kernels zw_kernels_x86_avx2 = {
	.name         = "avx2",
	.needs        = ZW_NEEDS_X86_AVX2,
	.adler32      = zw_adler32_avx2,
	.crc32        = zw_crc32_pclmul,
	.adler32_copy = zw_adler32_copy_avx2,
	.crc32_copy   = zw_crc32_copy_pclmul,
	.inflate_symbols = zw_inflate_symbols_avx2,
	.inflate_lengths = zw_inflate_lengths_avx2,
	.inflate_tables  = zw_inflate_tables_avx2,
	.inflate_ahead   = zw_inflate_ahead_avx2,
	.inflate_ahead_tables = zw_inflate_ahead_tables_avx2,
};
#endif
