/* SPDX-License-Identifier: Zlib */
/* lazy_match.h - what the parsers of levels 4..9 share: the match that is being made better, and what is done with it. */
#ifndef ZW_DEFLATE_LAZY_MATCH_H
#define ZW_DEFLATE_LAZY_MATCH_H

#include "deflate/lazy_effort.h"
#include "deflate/length_price.h"
#include "deflate/literal_price.h"
#include "deflate/match_length.h"
#include "deflate/match_tables.h"

#define LAZY_MAX_START     2                 /* a better match starts at most this far behind the first one */
#define LAZY_MAX_SHIFT    32                 /* and after all repetitions this far */
#define GAIN_PER_BYTE      5                 /* one byte more is worth five halvings of the distance */
#define LEFTOVER_MAX_BYTES 2u                /* of an absorbed match: these become literals */
#define LONG_RUN_BYTES    32u                /* behind a match this long its distance is tried first */
#define RUN_DENSE_BYTES   32                 /* one that goes on there and is longer is entered every run_step positions, */
#define SPARSE_STEP_BYTES  4                 /* another one above dense_bytes every so many, */
#define VERY_LONG_STEP_BYTES 8                /* so many where matches are very long, */
#define SPARSE_LAST_BYTES  8                 /* and near the end of either all */
#define LONG_MEAN_BYTES   28u                /* matches are long when they cover so much on average in a segment (M33) */
#define FEW_MATCHES       24u                /* so few that were searched for in a segment are no reason to price boundaries in the next (M42) */
#define SATED_DENSE_BYTES 24                 /* matches longer than this are long while walks do not pay and are left out: */
#define SATED_SEGMENTS     3u                /* for so many segments; then the next is walked as ever, to see */
#define SATED_DOUBT      255u                /* walks did not pay in the last segment: once more, and they are left out */
#define SATED_MATCH_BYTES 24u                /* walks do not pay when matches cover at least this on average */
#define SATED_WALKS       10u                /* and of so many walks less than one gains (M21, M33) */
#define SATED_LEAST_WALKS 16u

/* The furthest read: a match that starts LAZY_MAX_SHIFT late, and a compare at its end. */
static_assert(1 + LAZY_MAX_SHIFT + LAZY_MAX_START + MATCH_MAX_BYTES + COMPARE_STEP_BYTES <= PARSE_LOOKAHEAD_BYTES,
	      "with look-ahead a call never comes near end");
static_assert(COMPARE_STEP_BYTES <= PARSE_BACKREAD_BYTES, "backward compares read this much before window");

/* For tests that count work; nothing otherwise. */
#ifndef ZW_COUNT_CANDIDATE
#define ZW_COUNT_CANDIDATE() ((void)0)
#endif

struct lazy_match {
	const uint8_t *at;
	uint32_t position;                       /* of at */
	unsigned len;                            /* bytes; 0: none */
	uint32_t distance;
};

/* The first position that is not in the tables. */
struct lazy_entered {
	const uint8_t *next;
	uint32_t position;
};

ZW_INLINE unsigned smaller(size_t a, unsigned b) { return a < b ? (unsigned)a : b; }

/* How far the match of key with from reaches back: it ends within 16 bytes, or is looked for in steps of 16 until it is offset or
 * longer.  A byte at a time took a third of level 9's time where records are long (M33). */
ZW_INLINE unsigned match_backwards(const uint8_t *window, const uint8_t *key, const uint8_t *from, unsigned offset)
{
	unsigned back = zw_suffix16(key, from);

	for (unsigned more = back; more == COMPARE_STEP_BYTES && back < offset && (ptrdiff_t)back < from - window; back += more)
		more = zw_suffix16(key - back, from - back);
	if (ZW_UNLIKELY((ptrdiff_t)back > from - window))
		back = (unsigned)(from - window);
	return back;
}

/* Moves the start of *m back over pending literals. */
ZW_INLINE void extend_backwards(struct lazy_match *m, const uint8_t *literals, const uint8_t *window)
{
	const uint8_t *from = m->at - m->distance;

	while (m->at > literals && from > window && m->len < MATCH_MAX_BYTES && m->at[-1] == from[-1]) {
		m->at--;
		from--;
		m->len++;
	}
}

/* The match before *m, of before_len bytes, ends where *m starts: when *m reaches back over it, or all but
 * LEFTOVER_MAX_BYTES of it, the older token is taken back.  Returns the first pending literal. */
ZW_INLINE const uint8_t *absorb_previous(struct zw_token_cursor *out, struct lazy_match *m, unsigned before_len,
					 const uint8_t *window)
{
	const uint8_t *at = m->at, *from = at - m->distance;
	unsigned back = 0;

	if (zw_load_le32(at - 4) != zw_load_le32(from - 4) || m->len + before_len > MATCH_MAX_BYTES)
		return at;
	if (from - window <= (ptrdiff_t)before_len)
		return at;
	for (unsigned more = COMPARE_STEP_BYTES; back < before_len && more == COMPARE_STEP_BYTES; back += more)
		more = zw_suffix16(at - back, from - back);
	if (back + LEFTOVER_MAX_BYTES < before_len)
		return at;
	back = smaller(back, before_len);
	zw_take_back_match(out);
	m->at = at - back;
	m->len += back;
	return at - before_len;
}

/* The newest token is a match of before_len bytes that ends at m->at.  Where m reaches back over a part of it, moves the
 * boundary to where both lengths cost least; returns the new one.  .3 % of size for 5 % of time (M33). */
ZW_INLINE const uint8_t *move_boundary(struct zw_token_cursor *out, struct lazy_match *m, unsigned before_len, const uint8_t *window,
				       const struct zw_length_prices *prices)
{
	const uint8_t *from = m->at - m->distance;
	unsigned back, most = smaller(before_len - MATCH_MIN_BYTES, smaller(MATCH_MAX_BYTES - m->len, BOUNDARY_STEPS - 1)), by;

	if (m->at[-1] != from[-1] || from - window < (ptrdiff_t)COMPARE_STEP_BYTES)
		return m->at;
	back = smaller(zw_suffix16(m->at, from), most);
	by = zw_better_boundary(prices, before_len, m->len, back);
	zw_shorten_match(out, by);
	m->at -= by;
	m->len += by;
	return m->at;
}

/* Both: what is not absorbed may become shorter.  prices: NULL when it may not. */
ZW_INLINE const uint8_t *join_previous(struct zw_token_cursor *out, struct lazy_match *m, unsigned before_len, const uint8_t *window,
				       const struct zw_length_prices *prices)
{
	const uint32_t *newest = out->next;
	const uint8_t *literals = absorb_previous(out, m, before_len, window);

	if (!prices || out->next != newest)
		return literals;
	return move_boundary(out, m, before_len, window, prices);
}

/* The length of the match of ip at distance, that of the last match, which was long; 0 when it is below least_bytes.  One is
 * taken without a search: so very repetitive bodies go on, and records of one size behind what differs. */
ZW_INLINE unsigned continue_match(const uint8_t *ip, uint32_t distance, unsigned least_bytes, const uint8_t *end)
{
	unsigned len;

	if (zw_load_le32(ip) != zw_load_le32(ip - distance))
		return 0;
	len = zw_match_extend_far(ip, ip - distance, 0, smaller((size_t)(end - ip), MATCH_MAX_BYTES));
	return len < least_bytes ? 0 : len;
}

/* *first is long enough to be taken as it is.  Takes instead, one byte later, the distance of the last match when that goes
 * farther: one thing in a record is new, and an older record has it, but not what follows. */
ZW_INLINE void prefer_last_distance(struct lazy_match *first, uint32_t last_distance, const uint8_t *end)
{
	const uint8_t *at = first->at + 1;
	unsigned len;

	if (first->distance == last_distance || at >= end)
		return;
	len = zw_match_length(at, at - last_distance, smaller((size_t)(end - at), MATCH_MAX_BYTES));
	if (len > first->len)
		*first = (struct lazy_match){ at, first->position + 1, len, last_distance };
}

/* Whether walks are left out in the segment that begins. */
ZW_INLINE bool is_sated(const struct zw_match_finder *m) { return m->sated_segments && m->sated_segments != SATED_DOUBT; }

/* sated_segments behind a segment: for how many more walks are left out, as they gained nearly nothing in two segments one
 * after the other where matches are long already. */
ZW_INLINE uint8_t sated_segments(uint8_t before, const struct lazy_yield *yield, ptrdiff_t bytes)
{
	if (before && before != SATED_DOUBT)
		return before == 1 ? SATED_DOUBT : (uint8_t)(before - 1);
	if (yield->walks < SATED_LEAST_WALKS || yield->gains * SATED_WALKS >= yield->walks ||
	    bytes < (ptrdiff_t)(yield->matches * SATED_MATCH_BYTES))
		return 0;
	return before ? SATED_SEGMENTS : SATED_DOUBT;
}

/* The end of a call that began at start: [literals, ip) are the last literals, and what the next segment has to know. */
ZW_INLINE void end_segment(struct zw_match_finder *m, struct zw_tokens *t, struct zw_token_cursor *out, const uint8_t *start,
			   const uint8_t *literals, const uint8_t *ip, uint32_t run_distance, const struct lazy_yield *yield,
			   const struct zw_literal_sample *sample)
{
	uint32_t tokens;

	zw_put_literals(out, literals, ip);
	tokens = (uint32_t)(out->next - t->buf) - t->count;
	zw_tokens_close(t, out);
	m->run_distance = (uint16_t)run_distance;
	m->few_matches = yield->matches < FEW_MATCHES;
	m->match_mean_bytes = (uint16_t)(yield->matches ? smaller((size_t)(ip - start) / yield->matches, UINT16_MAX) : UINT16_MAX);
	zw_choose_effort(m, yield);
	m->sated_segments = sated_segments(m->sated_segments, yield, ip - start);
	if (2 * tokens >= LITERAL_SAMPLE_LEAST)          /* a token is two literals at most: otherwise the price stays as it is */
		m->literal_price = zw_literal_sample_price(sample, &t->freq, m->literal_price);
}

#endif
