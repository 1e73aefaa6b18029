/* SPDX-License-Identifier: Zlib */
/* fast_x86_avx2.c - the inner loops with VEX encoding, BZHI and SHRX. */
#include "cpu/kernel_functions.h"

#include "inflate/length_body.h"
#include "inflate/symbol_body.h"
#include "inflate/table_body.h"

#if ZW_ARCH_X86
/* SPEED(M45): bodies of long matches are up to 4 % slower where the loop begins in the second half of a line. */
#define LOOP_TARGET ZW_TARGET("avx2,bmi,bmi2,lzcnt") ZW_ALIGNED(64)

LOOP_TARGET
static ZW_NOINLINE unsigned symbols_and_repeats_avx2(struct zw_symbol_run *run)
{
	return decode_symbols_body(run, true, true);
}

LOOP_TARGET
unsigned zw_inflate_symbols_avx2(struct zw_symbol_run *run)
{
	return run->repeats ? symbols_and_repeats_avx2(run) : decode_symbols_body(run, false, true);
}

ZW_TARGET("avx2,bmi,bmi2,lzcnt")
unsigned zw_inflate_lengths_avx2(struct zw_length_run *run)
{
	return read_lengths_body(run, true);
}

ZW_TARGET("avx2,bmi,bmi2,lzcnt")
unsigned zw_inflate_tables_avx2(const struct zw_code_rows *rows, unsigned litlen_count, struct zw_decode_tables *tables)
{
	return build_tables_body(rows, litlen_count, tables);
}
#endif
