/* SPDX-License-Identifier: Zlib */
/* kernels.h - the functions that exist once per instruction set, each with its contract.
 * Kernels differ in speed only: for the same arguments every set gives the same bytes. */
#ifndef ZW_CPU_KERNELS_H
#define ZW_CPU_KERNELS_H

#include "base/arch.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

struct zw_symbol_run;
struct zw_length_run;
struct zw_code_rows;
struct zw_decode_tables;
struct zw_ahead_tables;

struct zw_kernels {
	const char *name;                        /* also the value of ZWIRE_KERNELS= */
	uint32_t    needs;                       /* ZW_CPU_* bits; 0 for portable */

	/* Checksums over len_bytes at p (p may be NULL when len_bytes is 0); the first argument is the value so far,
	 * in the form zlib's adler32() and crc32() take and return it. */
	uint32_t (*adler32)(uint32_t adler, const uint8_t *p, size_t len_bytes);
	uint32_t (*crc32)(uint32_t crc, const uint8_t *p, size_t len_bytes);

	/* The same while copying from src to dst, which must not overlap. Nothing is written beyond dst + len_bytes. */
	uint32_t (*adler32_copy)(uint32_t adler, uint8_t *dst, const uint8_t *src, size_t len_bytes);
	uint32_t (*crc32_copy)(uint32_t crc, uint8_t *dst, const uint8_t *src, size_t len_bytes);

	/* Inflate's inner loops; the contracts are in src/inflate/: symbol_body.h, length_body.h, table_body.h, ahead_body.h. */
	unsigned (*inflate_symbols)(struct zw_symbol_run *run);
	unsigned (*inflate_lengths)(struct zw_length_run *run);
	unsigned (*inflate_tables)(const struct zw_code_rows *rows, unsigned litlen_count, struct zw_decode_tables *tables);
	unsigned (*inflate_ahead)(struct zw_symbol_run *run);        /* NULL: only the others, as the next */
	unsigned (*inflate_ahead_tables)(const struct zw_code_rows *rows, unsigned litlen_count, struct zw_ahead_tables *tables);
};

/* The set in use, or NULL before the first choice; and the choice, which stores it.  Any thread may choose; all store the same. */
extern _Atomic(const struct zw_kernels *) zw_kernels_active ZW_HIDDEN;
const struct zw_kernels *zw_kernels_choose(void);

ZW_INLINE const struct zw_kernels *zw_kernels_chosen(void)
{
	return atomic_load_explicit(&zw_kernels_active, memory_order_acquire);
}

/* The set for this process: chosen once from the CPU and ZWIRE_KERNELS, race-free.  A stream stores the pointer at init. */
ZW_INLINE const struct zw_kernels *zw_kernels_get(void)
{
	const struct zw_kernels *k = zw_kernels_chosen();

	return ZW_LIKELY(k) ? k : zw_kernels_choose();
}

/* Every set that this CPU can run, best first; *count_ret receives how many.  For tests and benchmarks. */
const struct zw_kernels *const *zw_kernels_all(size_t *count_ret);

/* Makes k the set for streams initialised from now on; NULL goes back to choosing.  For tests and benchmarks. */
void zw_kernels_force(const struct zw_kernels *k);

#endif
