/* SPDX-License-Identifier: Zlib */
/* set_arm64.c - aarch64: NEON, which every processor has, and the CRC32, PMULL and dot product extensions. */
#include "cpu/kernel_sets.h"

#include "cpu/features.h"
#include "cpu/kernel_functions.h"

#if ZW_ARCH_ARM64
const struct zw_kernels zw_kernels_arm_neon = {
	.name         = "neon",
	.needs        = ZW_NEEDS_ARM_NEON,
	.adler32      = zw_adler32_neon,
	.crc32        = zw_crc32_portable,
	.adler32_copy = zw_adler32_copy_neon,
	.crc32_copy   = zw_crc32_copy_portable,
	.inflate_symbols = zw_inflate_symbols_portable,
	.inflate_lengths = zw_inflate_lengths_portable,
	.inflate_tables  = zw_inflate_tables_portable,
};

const struct zw_kernels zw_kernels_arm_crc = {
	.name         = "armcrc",
	.needs        = ZW_NEEDS_ARM_CRC,
	.adler32      = zw_adler32_neon,
	.crc32        = zw_crc32_arm_crc,
	.adler32_copy = zw_adler32_copy_neon,
	.crc32_copy   = zw_crc32_copy_arm_crc,
	.inflate_symbols = zw_inflate_symbols_portable,
	.inflate_lengths = zw_inflate_lengths_portable,
	.inflate_tables  = zw_inflate_tables_portable,
};

const struct zw_kernels zw_kernels_arm_pmull = {
	.name         = "pmull",
	.needs        = ZW_NEEDS_ARM_PMULL,
	.adler32      = zw_adler32_neon,
	.crc32        = zw_crc32_arm_pmull,
	.adler32_copy = zw_adler32_copy_neon,
	.crc32_copy   = zw_crc32_copy_arm_pmull,
	.inflate_symbols = zw_inflate_symbols_portable,
	.inflate_lengths = zw_inflate_lengths_portable,
	.inflate_tables  = zw_inflate_tables_portable,
};

const struct zw_kernels zw_kernels_arm_dotprod = {
	.name         = "dotprod",
	.needs        = ZW_NEEDS_ARM_DOTPROD,
	.adler32      = zw_adler32_dotprod,
	.crc32        = zw_crc32_arm_pmull,
	.adler32_copy = zw_adler32_copy_dotprod,
	.crc32_copy   = zw_crc32_copy_arm_pmull,
	.inflate_symbols = zw_inflate_symbols_portable,
	.inflate_lengths = zw_inflate_lengths_portable,
	.inflate_tables  = zw_inflate_tables_portable,
};
#endif
