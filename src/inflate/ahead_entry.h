/* SPDX-License-Identifier: Zlib */
/* ahead_entry.h - the tables for looking ahead (ahead_body.h): one layout for literals, lengths and distances, so that nothing has to
 * be decided before the next look-up, and eight entries make a vector.
 *
 * symbol        bits 0..5   bits to drop: code and extra bits together
 *                    6..10  number of extra bits        11  clear
 *                   12      a length: the next look-up is in the table of distances, AHEAD_DIST_OFFSET bytes on
 *                   13      a distance      14  whose length is the entry before      15  clear
 *                   16..23  the byte; of length - 3 or distance - 1, what stands above the extra bits
 *                   24..31  how many bytes it makes: 1, or the length of a whole match; 0 where that is not in this entry
 * special (15)  bits 0..5   bits to drop: the code, or the root's index bits before a second table
 *                    8..11  index bits of the second table    16..27  where it begins
 *                   13      end of block    14  invalid       neither: a link to a second table
 *
 * Adding the code length to a symbol's constant gives its entry. */
#ifndef ZW_INFLATE_AHEAD_ENTRY_H
#define ZW_INFLATE_AHEAD_ENTRY_H

#include "inflate/decode_entry.h"

#define AHEAD_LENGTH       UINT32_C(0x1000)
#define AHEAD_DISTANCE     UINT32_C(0x2000)
#define AHEAD_SPLIT        UINT32_C(0x4000)
#define AHEAD_SPECIAL      UINT32_C(0x8000)
#define AHEAD_END_OF_BLOCK UINT32_C(0x2000)  /* with AHEAD_SPECIAL */
#define AHEAD_INVALID      UINT32_C(0x4000)  /* with AHEAD_SPECIAL */
#define AHEAD_STEP         UINT32_C(1)
#define AHEAD_ONE_BYTE     UINT32_C(0x1000000)

#define AHEAD_ROOT_BITS    10u               /* at most, and of both tables: an index is masked before it is known of which */
#define AHEAD_ROOT_ENTRIES (1u << AHEAD_ROOT_BITS)
#define AHEAD_DIST         AHEAD_ROOT_ENTRIES /* where the distances begin */
#define AHEAD_SECOND       (2 * AHEAD_ROOT_ENTRIES)
#define AHEAD_DIST_OFFSET  AHEAD_LENGTH      /* the same in bytes: the flag is what is added to the address */

/* Second tables: of litlen as in decode_entry.h, which has the same root; of distances no more than there, with a smaller root. */
#define AHEAD_ENTRIES (AHEAD_SECOND + (LITLEN_TABLE_ENTRIES - (1u << LITLEN_ROOT_BITS)) + (DIST_TABLE_ENTRIES - (1u << DIST_ROOT_BITS)))

/* Extra bits of the distance in a whole match: so that one fill is enough for any two look-ups and the index of a third. */
#define WHOLE_EXTRA_MAX_BITS 11u
#define WHOLE_LENGTH_MAX    255u              /* that fits eight bits */

static_assert(AHEAD_DIST * sizeof(uint32_t) == AHEAD_DIST_OFFSET, "the flag of a length leads to the distances");
static_assert(AHEAD_ROOT_BITS == LITLEN_ROOT_BITS && AHEAD_ROOT_BITS >= DIST_ROOT_BITS, "second tables are no larger than with decode_entry.h");
static_assert(sizeof(uint32_t) << AHEAD_ROOT_BITS <= LOAD_OFFSET_LIMIT, "the root is within reach of one load");
static_assert(AHEAD_ENTRIES < 1u << 12, "where a second table begins fits");
static_assert(AHEAD_ROOT_BITS + DIST_EXTRA_MAX_BITS + AHEAD_ROOT_BITS + WHOLE_EXTRA_MAX_BITS + AHEAD_ROOT_BITS + INDEX_SHIFT
	      <= REFILL_MIN_BITS, "a distance, a whole match and an index");
static_assert(2 * (AHEAD_ROOT_BITS + WHOLE_EXTRA_MAX_BITS) + AHEAD_ROOT_BITS + INDEX_SHIFT <= REFILL_MIN_BITS, "two whole matches");
static_assert(AHEAD_ROOT_BITS + LENGTH_EXTRA_MAX_BITS + AHEAD_ROOT_BITS + DIST_EXTRA_MAX_BITS + AHEAD_ROOT_BITS + INDEX_SHIFT
	      <= REFILL_MIN_BITS, "a length and its distance");
static_assert(LITLEN_CODE_MAX_BITS + LENGTH_EXTRA_MAX_BITS + INDEX_SHIFT <= 32 && DIST_CODE_MAX_BITS + DIST_EXTRA_MAX_BITS + INDEX_SHIFT <= 32,
	      "a symbol with all its extra bits fits 32 bits of hold");

struct zw_ahead_tables {
	uint16_t used_entries;
	uint16_t index_mask;                     /* of both roots: what the longest code needs, at most AHEAD_ROOT_ENTRIES - 1 */
	uint32_t entry[AHEAD_ENTRIES];           /* litlen | distances | second tables of both */
};

/* ahead_entries.c */
extern ZW_HIDDEN const uint32_t zw_ahead_litlen_constant[LITLEN_CONSTANTS];
extern ZW_HIDDEN const uint32_t zw_ahead_dist_constant[DIST_CONSTANTS];

ZW_INLINE bool zw_ahead_is_literal(uint32_t entry) { return !(entry & (AHEAD_SPECIAL | AHEAD_LENGTH | AHEAD_DISTANCE)); }
ZW_INLINE bool zw_ahead_is_link(uint32_t entry)
{
	return (entry & (AHEAD_SPECIAL | AHEAD_END_OF_BLOCK | AHEAD_INVALID)) == AHEAD_SPECIAL;
}
ZW_INLINE unsigned zw_ahead_extra_bits(uint32_t entry) { return entry >> 6 & 31; }
ZW_INLINE unsigned zw_ahead_whole_length(uint32_t entry) { return entry >> 24; }

/* The byte, length - 3 or distance - 1 of an entry; bits: from its code's first bit on. */
ZW_INLINE uint32_t zw_ahead_value(uint32_t entry, uint64_t bits)
{
	unsigned drop = zw_entry_bits(entry), extra = zw_ahead_extra_bits(entry);

	ZW_ASSERT(!(entry & AHEAD_SPECIAL) && extra <= drop && drop < 32);
	return (entry >> 16 & 255) << extra | (uint32_t)(zw_low_bits(bits, drop) >> (drop - extra));
}

#endif
