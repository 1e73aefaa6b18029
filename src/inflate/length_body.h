/* SPDX-License-Identifier: Zlib */
/* length_body.h - the code lengths of a dynamic block (RFC 1951 3.2.7), sorted by length while they are read.
 * Takes: bits, the precode table.  Gives: the rows.  Then: table_body.h. */
#ifndef ZW_INFLATE_LENGTH_BODY_H
#define ZW_INFLATE_LENGTH_BODY_H

#include "inflate/symbol_run.h"

#define PRECODE_ITEM_MAX_BITS (PRECODE_MAX_BITS + 7)       /* a code and the 7 extra bits of symbol 18 */
#define PRECODE_MASK          ((1u << PRECODE_MAX_BITS) - 1)

#define ITEMS_PER_FILL        4u
static_assert(ITEMS_PER_FILL * PRECODE_ITEM_MAX_BITS <= REFILL_MIN_BITS, "these many items need no second fill");

/* The end of a phase: symbol 256 has its length, the litlen lengths are complete, or all are.  True when all are. */
ZW_INLINE bool next_length_phase(struct zw_length_run *run, unsigned at, unsigned previous)
{
	switch (run->phase) {
	case ZW_LENGTHS_TO_256:
		run->end_of_block_bits = previous;
		run->phase = ZW_LENGTHS_TO_LITLEN_END;
		run->limit = run->litlen_count;
		return false;
	case ZW_LENGTHS_TO_LITLEN_END:
		memcpy(run->rows.litlen_end, run->rows.end, sizeof run->rows.end);
		run->rows.litlen_end[previous] = (uint16_t)(run->rows.litlen_end[previous] - (at - run->litlen_count));
		run->phase = ZW_LENGTHS_TO_END;      /* a run may have gone on into the distances: taken off again */
		run->limit = run->total_count;
		return false;
	case ZW_LENGTHS_TO_END:
		return true;
	}
	return true;
}

/* One item: its symbols are appended to their row without a branch.  Eight are stored, those that are not meant are overwritten
 * by the next item of the row. */
ZW_INLINE void put_length_item(struct zw_code_rows *rows, uint32_t entry, uint64_t hold, unsigned *at, unsigned *previous)
{
	uint32_t value  = entry >> 28 | (*previous & entry >> 24);
	uint32_t repeat = (entry >> 8 & 255) + (uint32_t)(zw_low_bits(hold, entry & 63) >> (entry >> 16 & 31));
	uint32_t place  = rows->end[value];

	ZW_ASSERT(*at <= ROW_ENTRIES - LENGTH_RUN_STORE);
	memcpy(rows->symbol + place, zw_count_up + *at, LENGTH_RUN_STORE * sizeof rows->symbol[0]);
	rows->end[value] = (uint16_t)(place + repeat);
	*previous = value;
	*at += repeat;
}

/* A repeat of the previous length as the very first item. */
ZW_INLINE bool repeats_nothing(uint32_t entry, unsigned at)
{
	return at == 0 && (entry & PRECODE_REPEAT);
}

/* read_lengths() - items until every length is known.  Resumable: all state is in run.
 * Exit: bits of the last item taken; more bits than one item needs may stay in hold. */
ZW_INLINE unsigned read_lengths_body(struct zw_length_run *run)
{
	struct zw_bit_reader br = run->br;
	unsigned at = run->at, previous = run->previous;
	unsigned stop = ZW_LENGTHS_DONE;
	uint32_t entry;

	for (;;) {
		while (at >= run->limit) {
			if (next_length_phase(run, at, previous)) {
				if (at > run->total_count)
					stop = ZW_LENGTHS_BAD_REPEAT;
				goto out;
			}
		}
		zw_bits_fill(&br);
		entry = run->precode[br.hold & PRECODE_MASK];
		if (br.count < (entry & 63)) {
			stop = ZW_LENGTHS_NEED_INPUT;
			goto out;
		}
		if (repeats_nothing(entry, at)) {
			zw_bits_drop(&br, entry & 63);
			stop = ZW_LENGTHS_BAD_REPEAT;
			goto out;
		}
		if (br.count >= ITEMS_PER_FILL * PRECODE_ITEM_MAX_BITS) {
			for (unsigned i = 0; i < ITEMS_PER_FILL && at < run->limit; i++) {
				uint64_t hold = br.hold;
				uint32_t following;

				zw_bits_drop(&br, entry & 63);
				following = run->precode[br.hold & PRECODE_MASK]; /* looked up before the rows are touched */
				put_length_item(&run->rows, entry, hold, &at, &previous);
				entry = following;
			}
		} else {
			put_length_item(&run->rows, entry, br.hold, &at, &previous);
			zw_bits_drop(&br, entry & 63);
		}
	}
out:
	run->br = br;
	run->at = at;
	run->previous = previous;
	return stop;
}

#endif
