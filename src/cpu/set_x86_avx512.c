/* SPDX-License-Identifier: Zlib */
/* set_x86_avx512.c - AVX-512 checksums, where 512-bit registers do not slow the rest down: processors since 2022. */
#include "cpu/kernel_sets.h"

#include "cpu/features.h"
#include "cpu/kernel_functions.h"

#if ZW_ARCH_X86
const struct zw_kernels zw_kernels_x86_avx512 = {
	.name         = "avx512",
	.needs        = ZW_NEEDS_X86_AVX512,
	.adler32      = zw_adler32_avx512,
	.crc32        = zw_crc32_avx512,
	.adler32_copy = zw_adler32_copy_avx512,
	.crc32_copy   = zw_crc32_copy_avx512,
	.inflate_symbols = zw_inflate_symbols_avx2,
	.inflate_lengths = zw_inflate_lengths_avx2,
	.inflate_tables  = zw_inflate_tables_avx2,
	.inflate_ahead   = zw_inflate_ahead_avx2,
	.inflate_ahead_tables = zw_inflate_ahead_tables_avx2,
};
#endif
