/* SPDX-License-Identifier: Zlib */
/* ahead_x86_avx2.c - looking ahead with vectors of eight entries. */
#include "cpu/kernel_functions.h"

#include "inflate/ahead_take.h"
#include "inflate/ahead_body.h"
#include "inflate/table_body.h"

#if ZW_ARCH_X86
AHEAD_TARGET
unsigned zw_inflate_ahead_avx2(struct zw_symbol_run *run)
{
	return decode_ahead_body(run);
}

AHEAD_TARGET
unsigned zw_inflate_ahead_tables_avx2(const struct zw_code_rows *rows, unsigned litlen_count, struct zw_ahead_tables *tables)
{
	return build_ahead_tables_body(rows, litlen_count, tables);
}
#endif
