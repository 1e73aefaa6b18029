/* SPDX-License-Identifier: Zlib */
/* set_x86_pclmul.c - SSSE3, SSE4.1 and carry-less multiplication: processors since 2010. */
#include "cpu/kernel_sets.h"

#include "cpu/features.h"
#include "cpu/kernel_functions.h"

#if ZW_ARCH_X86
const struct zw_kernels zw_kernels_x86_pclmul = {
	.name         = "pclmul",
	.needs        = ZW_NEEDS_X86_PCLMUL,
	.adler32      = zw_adler32_ssse3,
	.crc32        = zw_crc32_pclmul,
	.adler32_copy = zw_adler32_copy_ssse3,
	.crc32_copy   = zw_crc32_copy_pclmul,
	.inflate_symbols = zw_inflate_symbols_portable,
	.inflate_lengths = zw_inflate_lengths_portable,
	.inflate_tables  = zw_inflate_tables_portable,
};
#endif
