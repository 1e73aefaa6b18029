/* SPDX-License-Identifier: Zlib */
/* parse_long.h - levels 1 and 2: a long match, and what follows it at the same distance; where there are digits, any match of 16 bytes.
 *
 * Where bytes repeat for long, the place behind the last match is a better guess than the newest entry.  So it is tried first;
 * and where one byte differs, behind that byte, unless the tables have something as long, or nearly, without it.
 * The loop of parse_single.h stops at a long match and has no call inside: a call would cost it registers (M32). */
#ifndef ZW_DEFLATE_PARSE_LONG_H
#define ZW_DEFLATE_PARSE_LONG_H

#include "deflate/parse_fast.h"

#define COMPARE_ON_BYTES  32u                /* of a match of COMPARE_STEP_BYTES so many more are compared, and so many again */
#define LONG_MATCH_BYTES  80u                /* a match this long is a long one ... */
#define LONG_AGAIN_BYTES  32u                /* ... and one of this length at its distance is taken, too; ... */
#define FOLLOW_ENTRY_BYTES 6u                /* where so many select an entry, there are digits: */
#define FOLLOW_LEAST_BYTES 17u               /* a shorter match at the same distance is no better than what the tables have */
#define LITERAL_WORTH_BYTES 1u               /* ... behind a literal, unless the tables have one without it that is this much shorter */

static_assert(LONG_AGAIN_BYTES + 1 <= FAST_SLACK_BYTES, "before pause so many bytes are before end");
static_assert(LONG_MATCH_BYTES == COMPARE_STEP_BYTES + 2 * COMPARE_ON_BYTES, "what zw_compare_on() compares");
static_assert(LONG_MATCH_BYTES - FAST_SLACK_BYTES <= PARSE_OVERREAD_BYTES, "a loop may compare so many");
static_assert(1 + 2 * COMPARE_ON_BYTES - FAST_SLACK_BYTES <= PARSE_OVERREAD_BYTES && 1 + COMPARE_ON_BYTES <= FAST_SLACK_BYTES,
	      "zw_follow() compares so many behind an offset before pause, and no byte behind end decides");
static_assert(LONG_AGAIN_BYTES / 2 + HASH_MAX_BYTES <= LONG_AGAIN_BYTES, "what is entered inside a match is in it");

/* What a loop works on, and why it stopped. */
struct zw_fast_loop {
	const uint8_t *window, *end;
	uint16_t *table;
	size_t    pause, distance_mask;
	struct zw_token_cursor out;
	size_t    at;                            /* where it goes on */
	size_t    from;                          /* what at has long_bytes in common with */
	unsigned  long_bytes;                    /* 0: at is not before pause */
	unsigned  before_len;                    /* of the match that ends at at; 0: none does, or it is not absorbed */
	unsigned  log2;
};

/* How many bytes a and b have in common, of which they share COMPARE_STEP_BYTES; LONG_MATCH_BYTES at most.
 * Not by AVX2: the loop's stack would be aligned for it, which takes a register (M37). */
ZW_INLINE unsigned zw_compare_on(const uint8_t *a, const uint8_t *b)
{
	const unsigned middle = COMPARE_STEP_BYTES + COMPARE_ON_BYTES;
	unsigned n = zw_prefix32(a + COMPARE_STEP_BYTES, b + COMPARE_STEP_BYTES);

	return n < COMPARE_ON_BYTES ? COMPARE_STEP_BYTES + n : middle + zw_prefix32(a + middle, b + middle);
}

ZW_INLINE size_t zw_fast_entry(const struct zw_fast_loop *f, size_t i, const unsigned by_bytes)
{
	return f->table[zw_hash_fast(zw_load_le64(f->window + i), f->log2, by_bytes)];
}

ZW_INLINE void zw_fast_enter(const struct zw_fast_loop *f, size_t i, const unsigned by_bytes)
{
	f->table[zw_hash_fast(zw_load_le64(f->window + i), f->log2, by_bytes)] = (uint16_t)i;
}

/* The first positions of a match that was not searched for. */
ZW_INLINE void enter_first(const struct zw_fast_loop *f, size_t i, const unsigned by_bytes)
{
	zw_fast_enter(f, i, by_bytes);
	zw_fast_enter(f, i + 1, by_bytes);
}

/* Takes further matches at distance, each of FOLLOW_LEAST_BYTES or more behind one more literal.  Returns the offset where that ends.
 * Why:   records that differ in a few digits match the same record again and again, and where no table is asked the next
 *        offset is known a look-up and a hash earlier.  Only two positions of each are entered: the others are those of a
 *        record that is followed anyway (M41). */
ZW_INLINE size_t zw_follow(const struct zw_fast_loop *f, struct zw_token_cursor *out, size_t i, size_t distance,
			   const unsigned by_bytes)
{
	do {
		const uint8_t *at = f->window + i + 1, *from = at - distance;
		unsigned len = zw_prefix32(at, from);

		if (len < FOLLOW_LEAST_BYTES)
			break;
		if (len == COMPARE_ON_BYTES)
			len += zw_prefix32(at + COMPARE_ON_BYTES, from + COMPARE_ON_BYTES);
		if (ZW_UNLIKELY(len > (size_t)(f->end - at)))
			len = (unsigned)(f->end - at);
		zw_put_literal(out, f->window[i]);
		zw_put_match(out, len, (unsigned)(distance - 1));
		zw_fast_enter(f, i + 1, by_bytes);
		zw_fast_enter(f, i + 3, by_bytes);
		i += 1 + len;
	} while (ZW_LIKELY(i < f->pause));
	return i;
}

/* How long the match of offset i with offset from is, of which known_bytes are known. */
ZW_INLINE unsigned match_at(const struct zw_fast_loop *f, size_t i, size_t from, unsigned known_bytes, zw_prefix64_fn *prefix64)
{
	return zw_match_extend_by(f->window + i, f->window + from, known_bytes, zw_match_room(f->window + i, f->end), prefix64);
}

/* Whether offset i has a match of at least len bytes with its entry. */
ZW_INLINE bool entry_reaches(const struct zw_fast_loop *f, size_t i, size_t entry, unsigned len, zw_prefix64_fn *prefix64)
{
	return i - 1 - entry <= f->distance_mask && match_at(f, i, entry, 0, prefix64) >= len;
}

/* Takes the long match that a loop has stopped at, and those that follow at its distance.  absorb: the first one may take in the one
 * before it. */
ZW_INLINE void zw_take_long(struct zw_fast_loop *l, const unsigned by_bytes, const bool absorb, zw_prefix64_fn *prefix64)
{
	const struct zw_fast_loop f = *l;
	const size_t distance = f.at - f.from;
	struct zw_token_cursor out = f.out;
	size_t i = f.at;
	unsigned len = match_at(&f, i, f.from, f.long_bytes, prefix64), grown = 0, guess = len;

	if (absorb && f.before_len)
		grown = zw_absorb(&out, f.window + i, (uint32_t)distance, f.before_len, len, f.window);

	for (;;) {
		uint64_t here, behind;

		zw_put_match(&out, len + grown, (unsigned)(distance - 1));
		zw_fast_enter(&f, i + len / 2, by_bytes); /* found where a lock on a distance is lost (M37, M46) */
		i += len;
		l->before_len = len + grown;
		grown = 0;
		if (i + 1 >= f.pause)
			break;
		zw_fast_enter(&f, i - 1, by_bytes);
		here = zw_load_le64(f.window + i) ^ zw_load_le64(f.window + i - distance);
		behind = zw_load_le64(f.window + i + 1) ^ zw_load_le64(f.window + i + 1 - distance);
		if (here && behind)
			break;
		if (!here) {
			len = zw_foreseen(match_at(&f, i, i - distance, sizeof here, prefix64), guess);
			if (len < LONG_AGAIN_BYTES)
				break;
		} else {
			len = zw_foreseen(match_at(&f, i + 1, i + 1 - distance, sizeof behind, prefix64), guess);
			if (len < LONG_AGAIN_BYTES || entry_reaches(&f, i, zw_fast_entry(&f, i, by_bytes), len - LITERAL_WORTH_BYTES, prefix64))
				break;
			zw_put_literal(&out, f.window[i]);
			zw_fast_enter(&f, i++, by_bytes);
			enter_first(&f, i, by_bytes);
		}
		guess = len;
	}
	l->at = i;
	l->out = out;
}

#endif
