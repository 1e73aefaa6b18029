/* SPDX-License-Identifier: Zlib */
/* decode_entry.h - what one table look-up answers, packed into 32 bits.
 *
 * litlen      bits 0..5   bits to drop: code and extra bits together
 *                  6      split: not all of the symbol is in this entry        7  not a literal
 *   literals       8..15  the byte   16..23  the second byte, if there is one   24..27  then: code bits of the first
 *                 30..31  how many bytes, 1 or 2
 *   match (7)      8..15  length - 3
 *                 16..19  where the distance's extra bits are, INDEX_SHIFT above the bits before them    24..27  how many there are
 *                 28..29  what stands above them in distance - 1
 *   length (6, 7)  8..15  length - 3 without extra bits
 *                 16..20  where its extra bits are, INDEX_SHIFT above the code bits    24..26  how many there are
 *   special (6, 7, 31):  8..11 index bits of the second table; 12 end of block; 13 invalid; 16..27 where the second table begins
 * distance    bits 0..5   bits to drop
 *                  8..11  code bits alone
 *                 14..15  what stands above the extra bits in distance - 1
 *                 16..30  distance before extra bits
 *                 31      special
 *   special:      30 set: invalid; clear: a second table as above (0..5 = DIST_ROOT_BITS)
 * precode     bits 0..7   bits to drop     8..15  repeat count before extra bits     16..18 code bits alone
 *                 24..27  all ones: the value is the previous one                    28..31 value
 *
 * Two literals, or a match with its distance's code, share an entry where their bits fit the root: see join_symbols.c.  Otherwise,
 * adding the code length times a _STEP to a symbol's constant gives its entry.  Symbols that must not occur and
 * unused codes are ordinary special entries, so strictness costs the hot loop nothing. */
#ifndef ZW_INFLATE_DECODE_ENTRY_H
#define ZW_INFLATE_DECODE_ENTRY_H

#include "base/arch.h"
#include "base/rfc.h"

#include "cpu/load_offset.h"

#include "inflate/bit_reader.h"

#define LITLEN_NOT_LITERAL  UINT32_C(0x80)
#define LITLEN_SPLIT        UINT32_C(0x40)
#define LITLEN_SPECIAL      UINT32_C(0x80000000)
#define LITLEN_ONE_BYTE     UINT32_C(0x40000000)
#define LITLEN_TWO_BYTES    UINT32_C(0x80000000)
#define LITLEN_END_OF_BLOCK UINT32_C(0x1000)
#define LITLEN_INVALID      UINT32_C(0x2000)
#define LITLEN_SECOND_TABLE (LITLEN_NOT_LITERAL | LITLEN_SPLIT | LITLEN_SPECIAL)
#define DIST_SPECIAL        UINT32_C(0x80000000)
#define DIST_INVALID        UINT32_C(0x40000000)
#define PRECODE_REPEAT      UINT32_C(0x1000000)

/* The symbol loop keeps what is unread this many bits higher: an index masked out of it is then an offset in bytes. */
#define INDEX_SHIFT 2u

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

#define LITLEN_INDEX_MASK ((1u << LITLEN_ROOT_BITS) - 1)
#define DIST_INDEX_MASK   ((1u << DIST_ROOT_BITS) - 1)

static_assert(LITLEN_ROOT_BITS + LENGTH_EXTRA_MAX_BITS            /* a length */
	      + DIST_ROOT_BITS + DIST_EXTRA_MAX_BITS              /* its distance */
	      + LITLEN_ROOT_BITS + INDEX_SHIFT <= REFILL_MIN_BITS, /* and the index of the next symbol */
	      "one fill is enough for a match without second tables");
static_assert(LITLEN_ROOT_BITS + DIST_EXTRA_MAX_BITS + LITLEN_ROOT_BITS + INDEX_SHIFT <= REFILL_MIN_BITS, "and for one in one entry");
static_assert(sizeof(uint32_t) << LITLEN_ROOT_BITS <= LOAD_OFFSET_LIMIT, "the root is within reach of one load");
static_assert(LITLEN_ROOT_BITS <= 15 && LITLEN_ROOT_BITS + INDEX_SHIFT <= 15, "code bits of entries in two parts fit");
static_assert(LITLEN_CODE_MAX_BITS + LENGTH_EXTRA_MAX_BITS < 64 && DIST_CODE_MAX_BITS + DIST_EXTRA_MAX_BITS < 64, "bits to drop fit");
static_assert(LITLEN_TABLE_ENTRIES < 1u << 12 && DIST_TABLE_ENTRIES < 1u << 12, "where a second table begins fits");
static_assert(MATCH_MAX_BYTES - MATCH_MIN_BYTES <= 255, "a length fits eight bits");
static_assert(DISTANCE_MAX_BYTES >> DIST_EXTRA_MAX_BITS << DIST_EXTRA_MAX_BITS == DISTANCE_MAX_BYTES, "a distance base fits 15 bits");
static_assert(FIXED_LITLEN_BITS <= LITLEN_ROOT_BITS && FIXED_DIST_BITS <= DIST_ROOT_BITS, "the fixed code needs no second tables");

/* Building a table also looks at the symbol behind the last one of a length; what it finds is not used. */
#define LITLEN_CONSTANTS (LITLEN_SYMBOL_COUNT + DIST_SYMBOL_COUNT + 8) /* that may be a distance symbol */
#define DIST_CONSTANTS   (DIST_CODE_COUNT + 8)

struct zw_decode_tables {
	uint16_t used_entries;
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
	ZW_ASSERT(offset % sizeof *table == 0);
	return zw_load_offset(table, offset);
}

ZW_INLINE unsigned zw_entry_bits(uint32_t entry)  { return entry & 63; }
ZW_INLINE bool     zw_is_literal(uint32_t entry)  { return !(entry & LITLEN_NOT_LITERAL); }
ZW_INLINE uint16_t zw_literals(uint32_t entry)      { return (uint16_t)(entry >> 8); } /* one, and whatever, or two */
ZW_INLINE unsigned zw_literal_count(uint32_t entry) { return entry >> 30; }
ZW_INLINE unsigned zw_first_literal_bits(uint32_t entry)
{
	return entry & LITLEN_TWO_BYTES ? entry >> 24 & 15 : zw_entry_bits(entry);
}

/* Bytes of a match.  bits: from the code's first bit on, INDEX_SHIFT bits higher. */
ZW_INLINE size_t zw_match_length(bool bmi, uint32_t entry, uint64_t bits)
{
	return (size_t)(entry >> 8 & 255) + MATCH_MIN_BYTES + (size_t)zw_bit_field_by(bmi, bits, entry >> 16);
}

/* A match that is one entry.  bits as above. */
ZW_INLINE bool     zw_is_whole_match(uint32_t entry) { return (entry & (LITLEN_NOT_LITERAL | LITLEN_SPLIT)) == LITLEN_NOT_LITERAL; }
ZW_INLINE size_t zw_whole_length(uint32_t entry) { return (size_t)(entry >> 8 & 255) + MATCH_MIN_BYTES; }

ZW_INLINE size_t zw_whole_distance(bool bmi, uint32_t entry, uint64_t bits)
{
	uint32_t field = entry >> 16 & 0xfff;

	return ((size_t)(entry >> 28) << (field >> 8)) + 1 + (size_t)zw_bit_field_by(bmi, bits, field);
}

/* low: as many bits as the entry drops, from the code's first one on; an entry's low byte is that count as it stands. */
ZW_INLINE size_t zw_match_distance(uint32_t entry, uint64_t low)
{
	return (size_t)(entry >> 16) + (size_t)(low >> (entry >> 8 & 63));
}

/* How many symbols an item gives a length.  low: as above. */
ZW_INLINE uint32_t zw_precode_repeat(uint32_t entry, uint64_t low)
{
	return (entry >> 8 & 255) + (uint32_t)(low >> (entry >> 16 & 63));
}

ZW_INLINE uint32_t zw_precode_value(uint32_t entry, uint32_t previous)
{
	return entry >> 28 | (previous & entry >> 24);
}

/* Index of the entry that a second-table link and the bits behind the root lead to. */
ZW_INLINE size_t zw_second_index(uint32_t link, uint64_t bits)
{
	return (link >> 16 & 0xfff) + (size_t)zw_low_bits(bits, link >> 8 & 15);
}

#endif
