/* SPDX-License-Identifier: Zlib */
/* decode_entry.h - what one table look-up answers, packed into 32 bits.
 *
 * litlen      bits 0..5   bits to drop: code and extra bits together
 *                  8..15  the byte, if it is a literal
 *                 16..19  code bits alone
 *                 22..29  length - 3
 *                 30      special        31  not a literal
 *   special (30 and 31):  0..5 bits to drop; 8..11 index bits of the second table; 12 end of block; 13 invalid;
 *                 16..27  where the second table begins
 * distance    bits 0..5   bits to drop
 *                  8..11  code bits alone
 *                 16..30  distance before extra bits
 *                 31      special
 *   special:      30 set: invalid; clear: a second table as above (0..5 = DIST_ROOT_BITS)
 * precode     bits 0..7   bits to drop     8..15  repeat count before extra bits     16..18 code bits alone
 *                 24..27  all ones: the value is the previous one                    28..31 value
 *
 * Adding the code length times a _STEP to a symbol's constant gives its entry.  Symbols that must not occur and unused
 * codes are ordinary special entries, so strictness costs the hot loop nothing. */
#ifndef ZW_INFLATE_DECODE_ENTRY_H
#define ZW_INFLATE_DECODE_ENTRY_H

#include "base/arch.h"
#include "base/rfc.h"

#include "inflate/bit_reader.h"

#define LITLEN_NOT_LITERAL  UINT32_C(0x80000000)
#define LITLEN_SPECIAL      UINT32_C(0x40000000)
#define LITLEN_END_OF_BLOCK UINT32_C(0x1000)
#define LITLEN_INVALID      UINT32_C(0x2000)
#define LITLEN_SECOND_TABLE (LITLEN_NOT_LITERAL | LITLEN_SPECIAL)
#define DIST_SPECIAL        UINT32_C(0x80000000)
#define DIST_INVALID        UINT32_C(0x40000000)
#define PRECODE_REPEAT      UINT32_C(0x1000000)

#define LITLEN_STEP   UINT32_C(0x10001)
#define DIST_STEP     UINT32_C(0x101)
#define PRECODE_STEP  UINT32_C(0x10001)

#define LITLEN_ROOT_BITS 10u
#define DIST_ROOT_BITS    8u
#define FIXED_LITLEN_BITS 9u                 /* RFC 1951 3.2.6: the longest fixed litlen code */
#define FIXED_DIST_BITS   5u

/* Entries that the worst complete code needs, second tables included: the maximum over all complete codes. */
#define LITLEN_TABLE_ENTRIES 1334u           /* 288 symbols, root 10, 15 bits */
#define DIST_TABLE_ENTRIES    402u           /* 32 symbols, root 8, 15 bits */
#define TABLE_COPY_ENTRIES      8u           /* doubling a table copies this many at a time */

static_assert(LITLEN_ROOT_BITS                                    /* a literal */
	      + LITLEN_ROOT_BITS + LENGTH_EXTRA_MAX_BITS          /* a length */
	      + DIST_ROOT_BITS + DIST_EXTRA_MAX_BITS              /* its distance */
	      + LITLEN_ROOT_BITS <= REFILL_MIN_BITS,              /* and the index of the next symbol */
	      "one fill is enough for a round of the symbol loop without second tables");

static_assert(LITLEN_CODE_MAX_BITS + LENGTH_EXTRA_MAX_BITS < 64 && DIST_CODE_MAX_BITS + DIST_EXTRA_MAX_BITS < 64, "bits to drop fit");
static_assert(LITLEN_TABLE_ENTRIES < 1u << 12 && DIST_TABLE_ENTRIES < 1u << 12, "where a second table begins fits");
static_assert(MATCH_MAX_BYTES - MATCH_MIN_BYTES <= 255, "a length fits eight bits");
static_assert(DISTANCE_MAX_BYTES >> DIST_EXTRA_MAX_BITS << DIST_EXTRA_MAX_BITS == DISTANCE_MAX_BYTES, "a distance base fits 15 bits");
static_assert(FIXED_LITLEN_BITS <= LITLEN_ROOT_BITS && FIXED_DIST_BITS <= DIST_ROOT_BITS, "the fixed code needs no second tables");

/* Building a table also looks at the symbol behind the last one of a length; what it finds is not used. */
#define LITLEN_CONSTANTS (LITLEN_SYMBOL_COUNT + DIST_SYMBOL_COUNT + 8) /* that may be a distance symbol */
#define DIST_CONSTANTS   (DIST_CODE_COUNT + 8)

struct zw_decode_tables {
	uint32_t litlen_mask;                    /* index bits of litlen[], as a mask */
	uint32_t used_entries;
	uint32_t dist[DIST_TABLE_ENTRIES + TABLE_COPY_ENTRIES];
	uint32_t litlen[LITLEN_TABLE_ENTRIES + TABLE_COPY_ENTRIES];
};

/* Symbol constants, to which the code length is added.  entries.c */
extern ZW_HIDDEN const uint32_t zw_litlen_constant[LITLEN_CONSTANTS];
extern ZW_HIDDEN const uint32_t zw_dist_constant[DIST_CONSTANTS];
extern ZW_HIDDEN const uint32_t zw_precode_constant[PRECODE_SYMBOL_COUNT];

/* The tables of the fixed code.  fixed_tables.c, made by tools/make_fixed_tables.py */
extern ZW_HIDDEN const struct zw_decode_tables zw_fixed_tables;

/* The entry that stands offset bytes behind the beginning of a table. */
ZW_INLINE uint32_t zw_load_entry(const uint32_t *table, uint64_t offset)
{
	uint32_t entry;

	ZW_ASSERT(offset % sizeof entry == 0);
	memcpy(&entry, (const uint8_t *)table + offset, sizeof entry);
	return entry;
}

ZW_INLINE unsigned zw_entry_bits(uint32_t entry)  { return entry & 63; }
ZW_INLINE bool     zw_is_literal(uint32_t entry)  { return !(entry & LITLEN_NOT_LITERAL); }
ZW_INLINE uint8_t  zw_literal(uint32_t entry)     { return (uint8_t)(entry >> 8); }

/* Bytes of a match.  low: as many bits as the entry drops, from the code's first one on; an entry's low byte is that count as it
 * stands.  The flag bits cancel against the constant. */
ZW_INLINE uint32_t zw_match_length(uint32_t entry, uint64_t low)
{
	return (entry >> 22) - ((LITLEN_NOT_LITERAL >> 22) - MATCH_MIN_BYTES) + (uint32_t)(low >> (entry >> 16 & 63));
}

ZW_INLINE uint32_t zw_match_distance(uint32_t entry, uint64_t low)
{
	return (entry >> 16) + (uint32_t)(low >> (entry >> 8 & 63));
}

/* Index of the entry that a second-table link and the bits behind the root lead to. */
ZW_INLINE size_t zw_second_index(uint32_t link, uint64_t bits)
{
	return (link >> 16 & 0xfff) + (size_t)zw_low_bits(bits, link >> 8 & 15);
}

#endif
