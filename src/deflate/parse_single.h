/* SPDX-License-Identifier: Zlib */
/* parse_single.h - the loop of levels 1 and 2: one candidate per position, two positions per iteration. */
#ifndef ZW_DEFLATE_PARSE_SINGLE_H
#define ZW_DEFLATE_PARSE_SINGLE_H

#include "deflate/parse_long.h"

/* From l->at up to l->pause or a long match.  by_bytes: 4, 5 or 6 select an entry.  absorb_below: a shorter match may
 * be taken in by the next one, zw_absorb().
 * Where 6 do there are digits, and zw_follow() goes on behind a match of COMPARE_STEP_BYTES or more.
 * Why:   a match at offset + 1 is taken when it is strictly longer, compared over 16 bytes.  Two branches, one per position:
 *        selects lengthen the chain from load to next offset, one joint branch predicts worse (M13). */
ZW_INLINE void zw_single_loop(struct zw_fast_loop *l, const unsigned by_bytes, const unsigned absorb_below)
{
	struct zw_token_cursor out = l->out;
	uint16_t *const table = l->table;
	const uint8_t *const window = l->window;
	const unsigned log2 = l->log2;
	const size_t mask = l->distance_mask, pause = l->pause, end = (size_t)(l->end - window);
	size_t i = l->at, before_end = i;        /* where the last match ended, ... */
	unsigned before_len = l->before_len;     /* ... and its length */

	l->long_bytes = 0;
	while (i < pause) {
		uint64_t v = zw_load_le64(window + i), w = zw_load_le64(window + i + 1), x, y;
		size_t h0 = zw_hash_fast(v, log2, by_bytes), h1 = zw_hash_fast(w, log2, by_bytes), entry0 = table[h0], entry1, entry;
		unsigned len, len1, grown;

		table[h0] = (uint16_t)i;
		entry1 = table[h1];
		table[h1] = (uint16_t)(i + 1);
		ZW_ASSERT(entry0 < i && entry1 <= i);
		x = zw_load_le64(window + entry0) ^ v;
		y = zw_load_le64(window + entry1) ^ w;
		ZW_FORGET(entry0);
		ZW_FORGET(entry1);
		ZW_FORGET(i);
		if (!(uint32_t)x) {
			len = zw_prefix16_from(x, window + i, window + entry0);
			len1 = zw_prefix16_from(y, window + i + 1, window + entry1);
			entry = entry0;
			if (len1 > len)
				goto second;
			if (ZW_UNLIKELY(i - 1 - entry > mask))
				goto neither;
		} else if (!(uint32_t)y) {
			len1 = zw_prefix16_from(y, window + i + 1, window + entry1);
second:
			if (ZW_UNLIKELY(i - entry1 > mask))
				goto neither;
			zw_put_literal(&out, (uint8_t)v);
			i++;
			entry = entry1;
			len = len1;
		} else {
neither:
			zw_put_pair(&out, (uint8_t)v, (uint8_t)w);
			i += 2;
			continue;
		}
		if (ZW_UNLIKELY(len == COMPARE_STEP_BYTES)) {
			len = zw_compare_on(window + i, window + entry);
			if (ZW_UNLIKELY(len == LONG_MATCH_BYTES)) {
				l->from = entry;
				l->long_bytes = len;
				if (absorb_below)
					l->before_len = i == before_end && before_len < absorb_below ? before_len : 0;
				break;
			}
			if (ZW_UNLIKELY(len > end - i))
				len = (unsigned)(end - i);
		}
		table[zw_hash_fast(zw_load_le64(window + i + 2), log2, by_bytes)] = (uint16_t)(i + 2);
		grown = 0;
		if (absorb_below && i == before_end && before_len && before_len < absorb_below)
			grown = zw_absorb(&out, window + i, (unsigned)(i - entry), before_len, len, window);
		zw_put_match(&out, len + grown, (unsigned)(i - 1 - entry));
		i += len;
		before_len = len + grown;
		before_end = i;
		if (ZW_UNLIKELY(i >= pause))
			break;
		table[zw_hash_fast(zw_load_le64(window + i - 1), log2, by_bytes)] = (uint16_t)(i - 1);
		if (by_bytes == FOLLOW_ENTRY_BYTES && ZW_UNLIKELY(len >= COMPARE_STEP_BYTES)) {
			i = zw_follow(l, &out, i, i - len - entry, by_bytes);
			if (ZW_UNLIKELY(i >= pause))
				break;
		}
	}
	l->at = i;
	l->out = out;
}

/* Entry: as zw_parse_fn, a table by by_bytes bytes. */
ZW_INLINE const uint8_t *zw_single_parse(struct zw_match_finder *m, struct zw_tokens *t, const uint8_t *ip, const uint8_t *stop,
					 const uint8_t *end, void (*loop)(struct zw_fast_loop *l),
					 const unsigned by_bytes, const bool absorb, zw_prefix64_fn *prefix64)
{
	struct zw_fast_loop l = { .window = m->window, .end = end, .table = zw_fast_table(m), .log2 = m->head_log2,
				  .distance_mask = zw_match_distance_mask(m), .out = zw_tokens_open(t), .before_len = 0 };
	struct zw_fast_range range;

	l.at = (size_t)(zw_fast_begin(m, &l.out, &range, ip, stop, end) - l.window);
	l.pause = (size_t)(range.pause - l.window);
	for (loop(&l); l.long_bytes; loop(&l))
		zw_take_long(&l, by_bytes, absorb, prefix64);
	zw_fast_note_lengths(m, t, &l.out, (size_t)(l.window + l.at - range.start));
	return zw_fast_end(m, t, &l.out, &range, l.window + l.at);
}

#endif
