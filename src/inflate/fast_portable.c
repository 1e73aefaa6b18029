/* SPDX-License-Identifier: Zlib */
/* fast_portable.c - the inner loops in plain C, for every machine (on x86-64 the compiler makes SSE2 of the copies). */
#include "cpu/kernel_functions.h"

#include "inflate/length_body.h"
#include "inflate/symbol_body.h"
#include "inflate/table_body.h"

static ZW_NOINLINE unsigned symbols_and_repeats_portable(struct zw_symbol_run *run)
{
	return decode_symbols_body(run, true, false);
}

unsigned zw_inflate_symbols_portable(struct zw_symbol_run *run)
{
	return run->repeats ? symbols_and_repeats_portable(run) : decode_symbols_body(run, false, false);
}

unsigned zw_inflate_lengths_portable(struct zw_length_run *run)
{
	return read_lengths_body(run, false);
}

unsigned zw_inflate_tables_portable(const struct zw_code_rows *rows, unsigned litlen_count, struct zw_decode_tables *tables)
{
	return build_tables_body(rows, litlen_count, tables);
}
