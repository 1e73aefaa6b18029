/* SPDX-License-Identifier: Zlib */
/* length_body.h - the code lengths of a dynamic block (RFC 1951 3.2.7), sorted by length while they are read.
 * Takes: bits, the precode table.  Gives: the rows.  Then: table_body.h. */
#ifndef ZW_INFLATE_LENGTH_BODY_H
#define ZW_INFLATE_LENGTH_BODY_H

#include "inflate/precode_body.h"

#define PRECODE_ITEM_MAX_BITS (PRECODE_MAX_BITS + 7)       /* a code and the 7 extra bits of symbol 18 */

/* The loop keeps this many bits that are done with at the low end of hold: what its mask leaves is then the offset of an entry in
 * bytes, and a load without a scaled index is a cycle shorter on some machines (M12, M17). */
#define SPENT_BITS            2u
static_assert(1u << SPENT_BITS == sizeof(uint32_t), "an index becomes an offset");

#define ITEMS_PER_FILL        3u
static_assert(SPENT_BITS + ITEMS_PER_FILL * PRECODE_ITEM_MAX_BITS + PRECODE_MAX_BITS <= 64,
	      "these many items and one more index need no second fill, because a fill leaves all 64 bits of hold valid");

/* The loop's own copy of what a run carries. */
struct length_loop {
	uint64_t hold;                           /* with SPENT_BITS */
	uint32_t count;                          /* those too; garbage above bit 5, because entries are subtracted whole */
	uint32_t entry;                          /* precode entry of the bits in hold */
	const uint8_t  *next;                    /* the byte that the next fill begins with */
	const uint16_t *at, *limit;              /* in zw_count_up: the number of the next symbol */
	uint32_t previous;
};

enum length_phase { LENGTHS_TO_256, LENGTHS_TO_LITLEN_END, LENGTHS_TO_END };

/* What is to be noted at the end of a phase, whose last length is previous; returns where the next one ends. */
ZW_INLINE unsigned end_length_phase(struct zw_length_run *run, enum length_phase phase, unsigned at, unsigned previous)
{
	if (phase == LENGTHS_TO_256) {
		run->end_of_block_bits = previous;
		return run->litlen_count;
	}
	memcpy(run->rows.litlen_end, run->rows.end, sizeof run->rows.end);
	run->rows.litlen_end[previous] = (uint16_t)(run->rows.litlen_end[previous] - (at - run->litlen_count));
	return run->total_count;                 /* a run may have gone on into the distances: taken off again */
}

/* The symbols of one item are appended to their row without a branch: eight are stored, those that are not meant are overwritten
 * by the next item of the row.  bits begins with the item.  True when the phase has ended. */
ZW_INLINE bool append_item(struct zw_length_run *run, struct length_loop *l, uint32_t entry, uint64_t bits, bool bmi2)
{
	uint32_t repeat = zw_precode_repeat(entry, zw_low_bits_by(bmi2, bits, entry));
	size_t   value  = zw_precode_value(entry, l->previous);
	size_t   place  = run->rows.end[value];

	ZW_ASSERT(l->at <= zw_count_up + ROW_ENTRIES - LENGTH_RUN_STORE);
	ZW_ASSERT(place + LENGTH_RUN_STORE <= ROW_COUNT * ROW_ENTRIES + ZERO_ROW_EXTRA);
	memcpy(run->rows.symbol + place, l->at, LENGTH_RUN_STORE * sizeof run->rows.symbol[0]);
	run->rows.end[value] = (uint16_t)(place + repeat);
	l->previous = (uint32_t)value;
	l->at += repeat;
	return l->at >= l->limit;
}

/* A repeat of the previous length as the very first item. */
ZW_INLINE bool repeats_nothing(const struct length_loop *l, uint32_t entry)
{
	return l->at == zw_count_up && (entry & PRECODE_REPEAT);
}

/* The item of l->entry; the next entry is looked up before the rows are touched, and is worth something only if PRECODE_MAX_BITS
 * are left. */
ZW_INLINE bool take_length_item(struct zw_length_run *run, struct length_loop *l, uint64_t mask, bool bmi2)
{
	uint32_t entry = l->entry;
	uint64_t bits = l->hold >> SPENT_BITS;

	ZW_ASSERT((entry & 63) <= (l->count & 63) - SPENT_BITS);
	l->hold >>= entry & 63;
	l->count -= entry;
	l->entry = zw_load_entry(run->precode, l->hold & mask);
	return append_item(run, l, entry, bits, bmi2);
}

ZW_INLINE void fill_length_loop(struct length_loop *l)
{
	l->hold |= zw_load_le64(l->next) << (l->count & 63);
	l->next += 7 ^ (l->count >> 3 & 7);      /* (63 - count) / 8 */
	l->count |= REFILL_MIN_BITS;
}

/* Items while a fill is one load, to the end of the phase. */
ZW_INLINE void take_length_items(struct zw_length_run *run, struct length_loop *l, struct zw_bit_reader *br, bool bmi2)
{
	const uint64_t mask = (uint64_t)run->precode_mask << SPENT_BITS;
	const uint8_t *last;

	if (zw_bits_left_bytes(br) < REFILL_READ_BYTES || br->count > REFILL_MAX_BITS - SPENT_BITS)
		return;
	last = br->end - REFILL_READ_BYTES;
	l->hold = br->hold << SPENT_BITS;
	l->count = br->count + SPENT_BITS;
	l->next = br->next;
	fill_length_loop(l);
	l->entry = zw_load_entry(run->precode, l->hold & mask);
	if (ZW_LIKELY(!repeats_nothing(l, l->entry)))
		while (!take_length_item(run, l, mask, bmi2) && !take_length_item(run, l, mask, bmi2)
		       && !take_length_item(run, l, mask, bmi2) && l->next <= last)
			fill_length_loop(l);
	br->next = l->next;
	br->hold = l->hold >> SPENT_BITS;
	br->count = (l->count & 63) - SPENT_BITS;
}

/* One item where the input ends.  ZW_LENGTHS_DONE: it is taken. */
ZW_INLINE unsigned take_last_length_item(struct zw_length_run *run, struct length_loop *l, struct zw_bit_reader *br, bool bmi2)
{
	uint64_t bits;
	uint32_t entry;

	zw_bits_fill(br);
	bits = br->hold;
	entry = run->precode[bits & run->precode_mask];
	if (br->count < (entry & 63))
		return ZW_LENGTHS_NEED_INPUT;
	zw_bits_drop(br, entry & 63);
	if (repeats_nothing(l, entry))
		return ZW_LENGTHS_BAD_REPEAT;
	append_item(run, l, entry, bits, bmi2);
	return ZW_LENGTHS_DONE;
}

/* read_lengths() - items until every length is known or the input ends.
 * Exit: bits of the last item taken; more bits than one item needs may stay in hold. */
ZW_INLINE unsigned read_lengths_body(struct zw_length_run *run, bool bmi2)
{
	struct zw_bit_reader br = run->br;
	struct length_loop l = { .at = zw_count_up, .limit = zw_count_up + SYMBOL_END_OF_BLOCK + 1 };
	enum length_phase phase = LENGTHS_TO_256;
	unsigned stop = ZW_LENGTHS_DONE;

	if (!build_precode_body(run->precode, run->precode_fields, &run->precode_mask))
		return ZW_LENGTHS_BAD_PRECODE;
	for (;;) {
		take_length_items(run, &l, &br, bmi2);
		while (l.at < l.limit && stop == ZW_LENGTHS_DONE)
			stop = take_last_length_item(run, &l, &br, bmi2);
		if (stop != ZW_LENGTHS_DONE)
			break;
		while (l.at >= l.limit && phase < LENGTHS_TO_END) {
			unsigned limit = end_length_phase(run, phase++, (unsigned)(l.at - zw_count_up), l.previous);

			l.limit = zw_count_up + limit;
		}
		if (l.at >= l.limit)
			break;
	}
	if (stop == ZW_LENGTHS_DONE && l.at > zw_count_up + run->total_count)
		stop = ZW_LENGTHS_BAD_REPEAT;
	run->br = br;
	run->at = (unsigned)(l.at - zw_count_up);
	run->previous = l.previous;
	return stop;
}

#endif
