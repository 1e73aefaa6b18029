/* SPDX-License-Identifier: Zlib */
/* symbol_body.h - the hot loop of inflate: whole symbols while input and output have room.
 * Takes: bits, tables.  Gives: bytes in the window.  Never: allocates, looks at the stream's state. */
#ifndef ZW_INFLATE_SYMBOL_BODY_H
#define ZW_INFLATE_SYMBOL_BODY_H

#include "inflate/symbol_run.h"

/* count may carry garbage above bit 5 inside the loop: entries are subtracted whole. */
struct loop_bits { uint64_t hold; uint32_t count; const uint8_t *next; };

ZW_INLINE void loop_fill(struct loop_bits *b)
{
	b->hold |= zw_load_le64(b->next) << (b->count & 63);
	b->next += 7 ^ (b->count >> 3 & 7);      /* (63 - count) / 8 */
	b->count |= REFILL_MIN_BITS;
}

ZW_INLINE void loop_drop(struct loop_bits *b, uint32_t entry)
{
	b->hold >>= entry & 63;
	b->count -= entry;
}

/* decode_symbols() - see enum zw_symbol_stop for how it ends.
 * Entry: br.count < 8; at least SYMBOL_RUN_MIN_BYTES of input at br.next and in_stop SYMBOL_ROUND_IN_BYTES before their end; or
 *        at least REFILL_READ_BYTES + 1 true bytes, in_stop at their end, and SYMBOL_ROUND_IN_BYTES + 8 readable bytes behind it;
 *        out < out_stop and SYMBOL_ROUND_OUT_BYTES writable from out_stop.
 * Exit:  br.count < 8: whole unused bytes are given back.  A symbol that ends the loop has been taken from the bits.
 * Slack: next runs 7 to 8 bytes ahead of the bits used.  A round takes at most 58 bits, so where next < in_stop all of a round's
 *        bits are true input; its three fills move next by at most 7 each and read 8.
 * Why:   the next litlen and the distance are looked up before the branch that needs one of them, so a wrong guess finds its
 *        load done; one fill covers a literal, a length, its distance and the next index (asserted in decode_entry.h). */
ZW_INLINE unsigned decode_symbols_body(struct zw_symbol_run *run, bool bmi2)
{
	const struct zw_decode_tables *const tables = run->tables;
	const uint8_t *const in_stop = run->in_stop;
	const uint8_t *const history = run->history;
	uint8_t *const out_stop = run->out_stop;
	const uint64_t mask = tables->litlen_mask;
	struct loop_bits b = { run->br.hold, run->br.count, run->br.next };
	uint8_t *out = run->out;
	unsigned stop = ZW_SYMBOLS_BOUND;
	uint32_t entry;

	ZW_ASSERT(run->br.count < 8 && out < out_stop);
	loop_fill(&b);
	entry = tables->litlen[b.hold & mask];
	do {
		uint64_t saved = b.hold;
		uint32_t following, dist_entry, length, distance;

		loop_drop(&b, entry);
		following = tables->litlen[b.hold & mask];
		dist_entry = tables->dist[b.hold & ((1u << DIST_ROOT_BITS) - 1)];
		if (zw_is_literal(entry)) {
			*out++ = zw_literal(entry);
			entry = following;
			saved = b.hold;
			loop_drop(&b, entry);
			following = tables->litlen[b.hold & mask];
			dist_entry = tables->dist[b.hold & ((1u << DIST_ROOT_BITS) - 1)];
			if (zw_is_literal(entry)) {
				*out++ = zw_literal(entry);
				entry = following;
				loop_fill(&b);
				continue;
			}
		}
		if (ZW_UNLIKELY(entry & LITLEN_SPECIAL)) {
			if (entry & (LITLEN_END_OF_BLOCK | LITLEN_INVALID)) {
				stop = entry & LITLEN_INVALID ? ZW_SYMBOLS_BAD_LITLEN : ZW_SYMBOLS_END_OF_BLOCK;
				break;
			}
			entry = tables->litlen[zw_second_index(entry, b.hold)];
			saved = b.hold;
			loop_drop(&b, entry);
			loop_fill(&b);
			if (zw_is_literal(entry)) {
				*out++ = zw_literal(entry);
				entry = tables->litlen[b.hold & mask];
				continue;
			}
			if (entry & LITLEN_SPECIAL) {
				stop = entry & LITLEN_INVALID ? ZW_SYMBOLS_BAD_LITLEN : ZW_SYMBOLS_END_OF_BLOCK;
				break;
			}
			dist_entry = tables->dist[b.hold & ((1u << DIST_ROOT_BITS) - 1)];
		}
		length = zw_match_length(entry, zw_low_bits_by(bmi2, saved, entry));
		if (ZW_UNLIKELY(dist_entry & DIST_SPECIAL)) {
			loop_drop(&b, dist_entry);
			if (dist_entry & DIST_INVALID) {
				stop = ZW_SYMBOLS_BAD_DISTANCE;
				break;
			}
			loop_fill(&b);
			dist_entry = tables->dist[zw_second_index(dist_entry, b.hold)];
			if (dist_entry & DIST_SPECIAL) {
				loop_drop(&b, dist_entry);
				stop = ZW_SYMBOLS_BAD_DISTANCE;
				break;
			}
		}
		saved = b.hold;
		loop_drop(&b, dist_entry);
		distance = zw_match_distance(dist_entry, zw_low_bits_by(bmi2, saved, dist_entry));
		if (ZW_UNLIKELY(distance > (size_t)(out - history))) {
			stop = ZW_SYMBOLS_TOO_FAR;
			break;
		}
		entry = tables->litlen[b.hold & mask];
		loop_fill(&b);
		ZW_ASSERT(distance <= DISTANCE_MAX_BYTES);
		zw_copy_match(out, distance, length);
		out += length;
	} while (b.next < in_stop && out < out_stop);

	b.count &= 63;
	run->br.next = b.next - (b.count >> 3);
	run->br.count = b.count & 7;
	run->br.hold = zw_low_bits(b.hold, b.count & 7);
	run->out = out;
	ZW_ASSERT(out <= out_stop + 1 + MATCH_MAX_BYTES && run->br.next >= run->br.start);
	return stop;
}

#endif
