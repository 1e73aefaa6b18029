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

/* The loop's own copy of what a run carries. */
struct length_loop {
	uint64_t hold;
	unsigned count;
	uint32_t entry;                          /* precode entry of the bits in hold */
	unsigned at, limit, previous;
};

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

/* One item, l->entry.  Its symbols are appended to their row without a branch: eight are stored, those that are not meant are
 * overwritten by the next item of the row.  The next entry is looked up before the rows are touched; it is worth something only if
 * PRECODE_MAX_BITS are left.  True when the phase has ended. */
ZW_INLINE bool take_length_item(struct zw_length_run *run, struct length_loop *l, bool bmi2)
{
	uint32_t entry  = l->entry;
	uint32_t repeat = (entry >> 8 & 255) + (uint32_t)(zw_low_bits_by(bmi2, l->hold, entry) >> (entry >> 16 & 31));
	uint32_t value  = entry >> 28 | (l->previous & entry >> 24);
	uint32_t place  = run->rows.end[value];

	ZW_ASSERT(l->at <= ROW_ENTRIES - LENGTH_RUN_STORE && (entry & 63) <= l->count);
	ZW_ASSERT(place + LENGTH_RUN_STORE <= ROW_COUNT * ROW_ENTRIES + ZERO_ROW_EXTRA);
	l->hold >>= entry & 63;
	l->count -= entry & 63;
	l->entry = run->precode[l->hold & PRECODE_MASK];
	memcpy(run->rows.symbol + place, zw_count_up + l->at, LENGTH_RUN_STORE * sizeof run->rows.symbol[0]);
	run->rows.end[value] = (uint16_t)(place + repeat);
	l->previous = value;
	l->at += repeat;
	return l->at >= l->limit;
}

/* A repeat of the previous length as the very first item. */
ZW_INLINE bool repeats_nothing(const struct length_loop *l)
{
	return l->at == 0 && (l->entry & PRECODE_REPEAT);
}

/* Items while a fill is one load, to the end of the phase; ITEMS_PER_FILL of them a fill. */
ZW_INLINE void take_length_items(struct zw_length_run *run, struct length_loop *l, struct zw_bit_reader *br, bool bmi2)
{
	bool ended = false;

	while (!ended && zw_bits_left_bytes(br) >= REFILL_READ_BYTES) {
		l->hold |= zw_load_le64(br->next) << l->count;
		br->next += (REFILL_MAX_BITS - l->count) >> 3;
		l->count |= REFILL_MIN_BITS;
		l->entry = run->precode[l->hold & PRECODE_MASK];
		if (ZW_UNLIKELY(repeats_nothing(l)))
			return;
		ended = take_length_item(run, l, bmi2) || take_length_item(run, l, bmi2) || take_length_item(run, l, bmi2)
			|| take_length_item(run, l, bmi2);
	}
}

/* One item where the input ends.  ZW_LENGTHS_DONE: it is taken. */
ZW_INLINE unsigned take_last_length_item(struct zw_length_run *run, struct length_loop *l, struct zw_bit_reader *br, bool bmi2)
{
	br->hold = l->hold;
	br->count = l->count;
	zw_bits_fill(br);
	l->hold = br->hold;
	l->count = br->count;
	l->entry = run->precode[l->hold & PRECODE_MASK];
	if (l->count < (l->entry & 63))
		return ZW_LENGTHS_NEED_INPUT;
	if (repeats_nothing(l)) {
		l->hold >>= l->entry & 63;
		l->count -= l->entry & 63;
		return ZW_LENGTHS_BAD_REPEAT;
	}
	take_length_item(run, l, bmi2);
	return ZW_LENGTHS_DONE;
}

/* read_lengths() - items until every length is known.  Resumable: all state is in run.
 * Exit: bits of the last item taken; more bits than one item needs may stay in hold. */
ZW_INLINE unsigned read_lengths_body(struct zw_length_run *run, bool bmi2)
{
	struct zw_bit_reader br = run->br;
	struct length_loop l = { .hold = br.hold, .count = br.count, .at = run->at, .limit = run->limit, .previous = run->previous };
	unsigned stop = ZW_LENGTHS_DONE;
	bool all = false;

	while (!all && stop == ZW_LENGTHS_DONE) {
		if (l.at < l.limit)
			take_length_items(run, &l, &br, bmi2);
		if (l.at < l.limit)
			stop = take_last_length_item(run, &l, &br, bmi2);
		while (l.at >= l.limit && !all) {
			all = next_length_phase(run, l.at, l.previous);
			l.limit = run->limit;
		}
	}
	if (all && l.at > run->total_count)
		stop = ZW_LENGTHS_BAD_REPEAT;
	run->br.hold = l.hold;
	run->br.count = l.count;
	run->br.next = br.next;
	run->at = l.at;
	run->previous = l.previous;
	return stop;
}

#endif
