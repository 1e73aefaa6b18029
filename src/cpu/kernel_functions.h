/* SPDX-License-Identifier: Zlib */
/* kernel_functions.h - the functions that the kernel sets are made of, by instruction set.  Their contracts are in
 * kernels.h; nobody but the sets and the file that defines one calls them by name. */
#ifndef ZW_CPU_KERNEL_FUNCTIONS_H
#define ZW_CPU_KERNEL_FUNCTIONS_H

#include "base/arch.h"

#include <stddef.h>
#include <stdint.h>

#define ZW_CHECKSUM(name)      uint32_t name(uint32_t sum, const uint8_t *p, size_t len_bytes)
#define ZW_CHECKSUM_COPY(name) uint32_t name(uint32_t sum, uint8_t *dst, const uint8_t *src, size_t len_bytes)

ZW_CHECKSUM(zw_adler32_portable);
ZW_CHECKSUM(zw_crc32_portable);
ZW_CHECKSUM_COPY(zw_adler32_copy_portable);
ZW_CHECKSUM_COPY(zw_crc32_copy_portable);

#if ZW_ARCH_X86
ZW_CHECKSUM(zw_adler32_sse2);
ZW_CHECKSUM_COPY(zw_adler32_copy_sse2);
ZW_CHECKSUM(zw_adler32_ssse3);
ZW_CHECKSUM_COPY(zw_adler32_copy_ssse3);
ZW_CHECKSUM(zw_adler32_avx2);
ZW_CHECKSUM_COPY(zw_adler32_copy_avx2);
ZW_CHECKSUM(zw_crc32_pclmul);
ZW_CHECKSUM_COPY(zw_crc32_copy_pclmul);
ZW_CHECKSUM(zw_crc32_vpclmul);
ZW_CHECKSUM_COPY(zw_crc32_copy_vpclmul);
ZW_CHECKSUM(zw_adler32_avx512);
ZW_CHECKSUM_COPY(zw_adler32_copy_avx512);
ZW_CHECKSUM(zw_crc32_avx512);
ZW_CHECKSUM_COPY(zw_crc32_copy_avx512);
#endif

#if ZW_ARCH_ARM64
ZW_CHECKSUM(zw_adler32_neon);
ZW_CHECKSUM_COPY(zw_adler32_copy_neon);
ZW_CHECKSUM(zw_crc32_arm_crc);
ZW_CHECKSUM_COPY(zw_crc32_copy_arm_crc);
ZW_CHECKSUM(zw_crc32_arm_pmull);
ZW_CHECKSUM_COPY(zw_crc32_copy_arm_pmull);
ZW_CHECKSUM(zw_adler32_dotprod);
ZW_CHECKSUM_COPY(zw_adler32_copy_dotprod);
#endif

struct zw_symbol_run;
struct zw_length_run;
struct zw_code_rows;
struct zw_decode_tables;
struct zw_ahead_tables;

unsigned zw_inflate_symbols_portable(struct zw_symbol_run *run);
unsigned zw_inflate_lengths_portable(struct zw_length_run *run);
unsigned zw_inflate_tables_portable(const struct zw_code_rows *rows, unsigned litlen_count, struct zw_decode_tables *tables);

#if ZW_ARCH_X86
unsigned zw_inflate_symbols_avx2(struct zw_symbol_run *run);
unsigned zw_inflate_lengths_avx2(struct zw_length_run *run);
unsigned zw_inflate_tables_avx2(const struct zw_code_rows *rows, unsigned litlen_count, struct zw_decode_tables *tables);
unsigned zw_inflate_ahead_avx2(struct zw_symbol_run *run);
unsigned zw_inflate_ahead_tables_avx2(const struct zw_code_rows *rows, unsigned litlen_count, struct zw_ahead_tables *tables);
#endif

#endif
