/* SPDX-License-Identifier: Zlib */
/* set_portable.c - plain C: the set that runs anywhere and that the others are tested against. */
#include "cpu/kernel_sets.h"

#include "cpu/features.h"
#include "cpu/kernel_functions.h"

const struct zw_kernels zw_kernels_portable = {
	.name         = "portable",
	.needs        = 0,
	.adler32      = zw_adler32_portable,
	.crc32        = zw_crc32_portable,
	.adler32_copy = zw_adler32_copy_portable,
	.crc32_copy   = zw_crc32_copy_portable,
	.inflate_symbols = zw_inflate_symbols_portable,
	.inflate_lengths = zw_inflate_lengths_portable,
	.inflate_tables  = zw_inflate_tables_portable,
};
