/* SPDX-License-Identifier: Zlib */
/* set_x86_vpclmul.c - AVX2 with 256-bit carry-less multiplication: processors since 2019. */
#include "cpu/kernel_sets.h"

#include "cpu/features.h"
#include "cpu/kernel_functions.h"

#if ZW_ARCH_X86
const struct zw_kernels zw_kernels_x86_vpclmul = {
	.name         = "vpclmul",
	.needs        = ZW_NEEDS_X86_VPCLMUL,
	.adler32      = zw_adler32_avx2,
	.crc32        = zw_crc32_vpclmul,
	.adler32_copy = zw_adler32_copy_avx2,
	.crc32_copy   = zw_crc32_copy_vpclmul,
	.inflate_symbols = zw_inflate_symbols_avx2,
	.inflate_lengths = zw_inflate_lengths_avx2,
	.inflate_tables  = zw_inflate_tables_avx2,
	.inflate_ahead   = zw_inflate_ahead_avx2,
	.inflate_ahead_tables = zw_inflate_ahead_tables_avx2,
};
#endif
