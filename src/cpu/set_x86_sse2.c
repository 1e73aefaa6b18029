/* SPDX-License-Identifier: Zlib */
/* set_x86_sse2.c - what every x86-64 processor has. */
#include "cpu/kernel_sets.h"

#include "cpu/features.h"
#include "cpu/kernel_functions.h"

#if ZW_ARCH_X86
const struct zw_kernels zw_kernels_x86_sse2 = {
	.name         = "sse2",
	.needs        = ZW_NEEDS_X86_SSE2,
	.adler32      = zw_adler32_sse2,
	.crc32        = zw_crc32_portable,
	.adler32_copy = zw_adler32_copy_sse2,
	.crc32_copy   = zw_crc32_copy_portable,
	.inflate_symbols = zw_inflate_symbols_portable,
	.inflate_lengths = zw_inflate_lengths_portable,
	.inflate_tables  = zw_inflate_tables_portable,
};
#endif
