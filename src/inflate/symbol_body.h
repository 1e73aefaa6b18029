/* SPDX-License-Identifier: Zlib */
/* symbol_body.h - the hot loop of inflate: whole symbols while input and output have room.
 * Takes: bits, tables.  Gives: bytes in the window.  Never: allocates, looks at the stream's state. */
#ifndef ZW_INFLATE_SYMBOL_BODY_H
#define ZW_INFLATE_SYMBOL_BODY_H

#include "inflate/symbol_run.h"

/* hold is INDEX_SHIFT bits higher than elsewhere and count as much larger; below them is what was dropped last.  count may carry
 * garbage above bit 5 inside the loop: entries are subtracted whole. */
struct loop_bits { uint64_t hold; uint32_t count; const uint8_t *next; };

ZW_INLINE void loop_fill(struct loop_bits *b, bool bmi2)
{
	b->hold |= zw_shift_left_by(bmi2, zw_load_le64(b->next), b->count);
	b->next += 7 ^ (b->count >> 3 & 7);      /* (63 - count) / 8 */
	b->count |= REFILL_MIN_BITS;
}

ZW_INLINE void loop_drop(struct loop_bits *b, uint32_t entry)
{
	b->hold >>= entry & 63;
	b->count -= entry;
}

ZW_INLINE uint32_t loop_litlen(const struct loop_bits *b, const uint32_t *litlen)
{
	return zw_load_entry(litlen, b->hold & LITLEN_INDEX_MASK << INDEX_SHIFT);
}

ZW_INLINE uint32_t loop_dist(const struct loop_bits *b, const uint32_t *dist)
{
	return zw_load_entry(dist, b->hold & DIST_INDEX_MASK << INDEX_SHIFT);
}

ZW_INLINE uint8_t *put_literals(uint8_t *out, uint32_t entry)
{
	zw_store_le16(out, zw_literals(entry));
	return out + zw_literal_count(entry);
}

/* ---- repeats -------------------------------------------------------------------------------------------------------- */

/* Bytes of the next symbol, whose entry this is, if it is a match of this distance and needs no second table; else 0.  Its bits stay. */
ZW_INLINE size_t loop_same_distance(const struct loop_bits *b, uint32_t entry, const uint32_t *dist, size_t distance, unsigned *bits_ret, bool bmi2)
{
	const unsigned bits = zw_entry_bits(entry);
	uint32_t dist_entry;
	uint64_t behind;

	*bits_ret = bits;
	if (zw_is_literal(entry))
		return 0;
	if (zw_is_whole_match(entry))
		return zw_whole_distance(bmi2, entry, b->hold) == distance ? zw_whole_length(entry) : 0;
	behind = b->hold >> bits;
	dist_entry = zw_load_entry(dist, behind & DIST_INDEX_MASK << INDEX_SHIFT);
	if ((entry & LITLEN_SPECIAL) || (dist_entry & DIST_SPECIAL))
		return 0;
	*bits_ret = bits + zw_entry_bits(dist_entry);
	if (zw_match_distance(dist_entry, zw_low_bits_by(bmi2, behind >> INDEX_SHIFT, dist_entry)) != distance)
		return 0;
	return zw_match_length(bmi2, entry, b->hold);
}

/* A match of the longest length, and what its bits are where those of the next symbol stand; bits 0: not known. */
struct loop_longest { uint64_t symbol, mask; size_t distance; unsigned bits; };

/* SPEED(M36): equal symbols are equal bits, five cycles each and not fifteen. */
ZW_INLINE bool loop_is_longest(const struct loop_bits *b, const struct loop_longest *l)
{
	return ((b->hold ^ l->symbol) & l->mask) == 0;
}

/* Behind bytes bytes of a repeat, with entry the one of the next symbol: takes the matches of the same distance, each as a round of its
 * own, and learns the bits of the longest.  Gives the bytes with theirs, which are written as one: see zw_copy_repeat(). */
ZW_INLINE size_t loop_repeat(struct loop_bits *b, uint32_t *entry, const struct zw_symbol_run *run, const uint8_t *out, size_t bytes,
			     struct loop_longest *l, bool bmi2)
{
	size_t length = MATCH_MAX_BYTES;

	while (length == MATCH_MAX_BYTES && b->next < run->in_stop && out + bytes < run->out_stop) {
		unsigned bits;

		length = loop_same_distance(b, *entry, run->tables->dist, l->distance, &bits, bmi2);
		if (!length)
			break;
		if (length == MATCH_MAX_BYTES) {
			l->symbol = b->hold;
			l->mask = ((UINT64_C(1) << bits) - 1) << INDEX_SHIFT;
			l->bits = bits;
		}
		loop_drop(b, bits);
		loop_fill(b, bmi2);
		bytes += length;
		while (length == MATCH_MAX_BYTES && loop_is_longest(b, l) && b->next < run->in_stop && out + bytes < run->out_stop) {
			loop_drop(b, l->bits);
			loop_fill(b, bmi2);
			bytes += MATCH_MAX_BYTES;
		}
		*entry = loop_litlen(b, run->tables->litlen);
	}
	return bytes;
}

/* ---- the loop -------------------------------------------------------------------------------------------------------- */

/* decode_symbols() - see enum zw_symbol_stop for how it ends.
 * Entry: br.count < 8; at least SYMBOL_RUN_MIN_BYTES of input at br.next and in_stop SYMBOL_ROUND_IN_BYTES before their end; or
 *        at least REFILL_READ_BYTES + 1 true bytes, in_stop at their end, and SYMBOL_ROUND_IN_BYTES + 8 readable bytes behind it;
 *        out < out_stop and SYMBOL_ROUND_OUT_BYTES writable from out_stop.
 * Exit:  br.count < 8: whole unused bytes are given back.  A symbol that ends the loop has been taken from the bits.
 * Slack: a fill leaves REFILL_MIN_BITS - INDEX_SHIFT bits or more.  Where next < in_stop the byte at next is true input, too, and a
 *        round's SYMBOL_ROUND_MAX_BITS with it; its fills move next by no more than these bits and read REFILL_READ_BYTES.
 * Why:   SPEED(M12): the time is that of one look-up after the other, each a shift, a mask and a load: six cycles.  So an index is an
 *        offset in bytes, the next look-up begins before its entry is needed, fills stand where they do not delay one, and most
 *        matches and many pairs of literals are one entry.  What a round needs but rarely is read from *run: registers are scarce. */
ZW_INLINE unsigned decode_symbols_body(struct zw_symbol_run *run, bool repeats, bool bmi2)
{
	const uint32_t *const litlen = run->tables->litlen;
	const uint32_t *const dist = run->tables->dist;
	struct loop_bits b = { run->br.hold << INDEX_SHIFT, run->br.count + INDEX_SHIFT, run->br.next };
	uint8_t *out = run->out;
	struct loop_longest longest = { 0 };     /* the last one whose bits are known */
	unsigned stop = ZW_SYMBOLS_BOUND;
	uint32_t entry;

	ZW_ASSERT(run->br.count < 8 && out < run->out_stop);
	loop_fill(&b, bmi2);
	entry = loop_litlen(&b, litlen);
	do {
		uint64_t saved = b.hold;
		uint32_t following, dist_entry;
		size_t length, distance;

		if (repeats && longest.bits && loop_is_longest(&b, &longest)) {
			loop_drop(&b, longest.bits);
			loop_fill(&b, bmi2);
			length = MATCH_MAX_BYTES;
			while (loop_is_longest(&b, &longest) && b.next < run->in_stop && out + length < run->out_stop) {
				loop_drop(&b, longest.bits);
				loop_fill(&b, bmi2);
				length += MATCH_MAX_BYTES;
			}
			entry = loop_litlen(&b, litlen);
			length = loop_repeat(&b, &entry, run, out, length, &longest, bmi2);
			zw_copy_repeat(out, longest.distance, length);
			out += length;
			continue;
		}
		loop_drop(&b, entry);
		following = loop_litlen(&b, litlen);
		if (zw_is_literal(entry)) {
			out = put_literals(out, entry);
			entry = following;
			loop_fill(&b, bmi2);
			saved = b.hold;
			loop_drop(&b, entry);
			following = loop_litlen(&b, litlen);
			if (zw_is_literal(entry)) {
				out = put_literals(out, entry);
				entry = following;
				loop_fill(&b, bmi2);
				continue;
			}
		}
		if (ZW_LIKELY(!(entry & LITLEN_SPLIT))) {
			length = zw_whole_length(entry);
			distance = zw_whole_distance(bmi2, entry, saved);
			entry = following;
		} else {
			if (ZW_UNLIKELY(entry & LITLEN_SPECIAL)) {
				if (entry & (LITLEN_END_OF_BLOCK | LITLEN_INVALID)) {
					stop = entry & LITLEN_INVALID ? ZW_SYMBOLS_BAD_LITLEN : ZW_SYMBOLS_END_OF_BLOCK;
					break;
				}
				entry = litlen[zw_second_index(entry, b.hold >> INDEX_SHIFT)];
				saved = b.hold;
				loop_drop(&b, entry);
				loop_fill(&b, bmi2);
				if (zw_is_literal(entry)) {
					out = put_literals(out, entry);
					entry = loop_litlen(&b, litlen);
					continue;
				}
				if (entry & LITLEN_SPECIAL) {
					stop = entry & LITLEN_INVALID ? ZW_SYMBOLS_BAD_LITLEN : ZW_SYMBOLS_END_OF_BLOCK;
					break;
				}
			}
			dist_entry = loop_dist(&b, dist);
			length = zw_match_length(bmi2, entry, saved);
			if (ZW_UNLIKELY(dist_entry & DIST_SPECIAL)) {
				loop_drop(&b, dist_entry);
				if (dist_entry & DIST_INVALID) {
					stop = ZW_SYMBOLS_BAD_DISTANCE;
					break;
				}
				loop_fill(&b, bmi2);
				dist_entry = dist[zw_second_index(dist_entry, b.hold >> INDEX_SHIFT)];
				if (dist_entry & DIST_SPECIAL) {
					loop_drop(&b, dist_entry);
					stop = ZW_SYMBOLS_BAD_DISTANCE;
					break;
				}
			}
			saved = b.hold >> INDEX_SHIFT;
			loop_drop(&b, dist_entry);
			distance = zw_match_distance(dist_entry, zw_low_bits_by(bmi2, saved, dist_entry));
			entry = loop_litlen(&b, litlen);
		}
		if (ZW_UNLIKELY((uintptr_t)out - distance < (uintptr_t)run->history)) {
			stop = ZW_SYMBOLS_TOO_FAR;
			break;
		}
		loop_fill(&b, bmi2);
		ZW_ASSERT(distance <= DISTANCE_MAX_BYTES);
		if (repeats && length == MATCH_MAX_BYTES && distance >= LONG_STEP_BYTES) {
			longest.distance = distance;
			longest.bits = 0;
			length = loop_repeat(&b, &entry, run, out, MATCH_MAX_BYTES, &longest, bmi2);
			zw_copy_repeat(out, distance, length);
		} else {
			zw_copy_match(out, distance, length);
		}
		out += length;
	} while (b.next < run->in_stop && out < run->out_stop);

	ZW_ASSERT((b.count & 63) >= INDEX_SHIFT);
	b.count = (b.count & 63) - INDEX_SHIFT;
	run->br.next = b.next - (b.count >> 3);
	run->br.count = b.count & 7;
	run->br.hold = zw_low_bits(b.hold >> INDEX_SHIFT, b.count & 7);
	run->out = out;
	ZW_ASSERT(out <= run->out_stop + 1 + MATCH_MAX_BYTES && run->br.next >= run->br.start);
	return stop;
}

#endif
