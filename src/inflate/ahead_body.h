/* SPDX-License-Identifier: Zlib */
/* ahead_body.h - the hot loop of inflate for most blocks: eight look-ups ahead of what is written, with AVX2 and BMI2.
 * Takes: bits, the tables of ahead_entry.h.  Gives: bytes in the window.  Never: allocates, looks at the stream's state.
 *
 *   look ahead: batch 1 | take 1, look ahead: batch 2, write 1 | take 2, look ahead: batch 3, write 2 | ...
 *
 * A look-up needs the entry before it and nothing else: whether that was a literal, a length or a distance is no branch, because the
 * entry says from which table the next one comes.  What is written depends on branches that a predictor guesses wrong; but the
 * look-ups of the next batch stand before them and go on while the right way is fetched.
 * SPEED(M34): bodies that the predictor has not learnt take up to a third less time than with symbol_body.h. */
#ifndef ZW_INFLATE_AHEAD_BODY_H
#define ZW_INFLATE_AHEAD_BODY_H

#include "inflate/ahead_entry.h"
#include "inflate/symbol_body.h"

#if ZW_ARCH_X86
#include <immintrin.h>

#define AHEAD_TARGET  ZW_TARGET("avx2,bmi,bmi2,lzcnt")
#define AHEAD_LOOKUPS 8u
#define AHEAD_LINKED  AHEAD_SPECIAL          /* in a batch: a link of AHEAD_ROOT_BITS led to this entry */

#define AHEAD_MAX_BITS (AHEAD_LOOKUPS / 2 * (LITLEN_CODE_MAX_BITS + LENGTH_EXTRA_MAX_BITS + DIST_CODE_MAX_BITS + DIST_EXTRA_MAX_BITS))

static_assert(AHEAD_MAX_BITS <= 8 * AHEAD_MIN_BYTES, "of this much true input the first batch is true");
static_assert(AHEAD_MIN_BYTES + 3 * REFILL_READ_BYTES <= AHEAD_IN_BYTES, "and what the bits before it have taken, and a read behind it");
static_assert(2 * AHEAD_LOOKUPS + MATCH_MAX_BYTES + AHEAD_COPY_SLACK_BYTES <= AHEAD_OUT_BYTES, "what a batch writes beyond the stop");

struct ahead_batch {
	/* look-ups as they come */
	uint32_t entry[AHEAD_LOOKUPS];
	uint32_t bits[AHEAD_LOOKUPS];            /* what each was found by, INDEX_SHIFT bits higher */
	/* what they say, taken before the next ones come */
	uint32_t taken[AHEAD_LOOKUPS];           /* entry[] */
	uint32_t length[AHEAD_LOOKUPS];          /* of the match, where there is a distance */
	uint32_t distance[AHEAD_LOOKUPS];
	uint32_t place[AHEAD_LOOKUPS];           /* its number, less one if its length is a look-up too */
	uint64_t literals;                       /* bytes, where there are literals */
	uint32_t matches;                        /* one bit for each distance */
	bool     distance_first;                 /* of the length that the batch before ends with */
	bool     length_last;
	__m256i  values;                         /* of ahead_values(); of the batch before */
};

struct ahead_out {
	uint8_t       *next;
	uint8_t       *stop;                     /* no symbol begins here or behind */
	const uint8_t *history;
	bool           ended;                    /* at stop, or by: */
	unsigned       reason;                   /* enum zw_symbol_stop */
};

/* ---- looking ahead --------------------------------------------------------------------------------------------------
 * By name, because a compiler makes two instructions of them, or moves half of one out of the loop. */

/* By the low six bits of n, which may be a whole entry. */
ZW_INLINE uint64_t shift_right_by(uint64_t v, uint32_t n)
{
	uint64_t shifted;

	__asm__("shrx %q2, %1, %0" : "=r"(shifted) : "r"(v), "r"(n));
	return shifted;
}

ZW_INLINE uint64_t ahead_index(uint64_t hold)
{
	uint64_t index;

	__asm__("andn %2, %1, %0" : "=r"(index) : "r"(~(uint64_t)(AHEAD_INDEX_MASK << INDEX_SHIFT)), "r"(hold));
	return index;
}

ZW_INLINE uint32_t ahead_look_up(const struct zw_ahead_tables *tables, uint32_t before, uint64_t hold)
{
	const void *table = (const uint8_t *)tables->entry + (before & AHEAD_LENGTH);

	return zw_load_entry((const uint32_t *)table, ahead_index(hold));
}

/* Fill number i of a batch: b->next is AHEAD_FILL_BYTES * i behind, which look_ahead() adds at its end. */
#define AHEAD_FILL_BYTES 7
ZW_INLINE void ahead_fill(struct loop_bits *b, unsigned i)
{
	uint64_t bytes_left;

	b->hold |= zw_load_le64(b->next + AHEAD_FILL_BYTES * i) << (b->count & 63);
	__asm__("bextr %q2, %q1, %0" : "=r"(bytes_left) : "r"(b->count), "r"(3 << 8 | 3));
	b->next -= bytes_left;
	b->count |= REFILL_MIN_BITS;
}

/* A special entry.  True: it was a link, and *entry is the symbol that it leads to.  False: *entry is no symbol, and drops the bits of a
 * link that led to it; b is as it was. */
ZW_INLINE bool ahead_follow(const struct zw_ahead_tables *tables, uint32_t *entry, struct loop_bits *b, unsigned fills)
{
	struct loop_bits behind = *b;
	uint32_t found;

	if (!zw_ahead_is_link(*entry))
		return false;
	behind.next += AHEAD_FILL_BYTES * fills;
	loop_drop(&behind, *entry);
	loop_fill(&behind, true);
	found = tables->entry[zw_second_index(*entry, behind.hold >> INDEX_SHIFT)];
	if (found & AHEAD_SPECIAL) {
		*entry = found + AHEAD_ROOT_BITS;
		return false;
	}
	*entry = found | AHEAD_LINKED;
	behind.next -= AHEAD_FILL_BYTES * fills;
	*b = behind;
	return true;
}

/* AHEAD_LOOKUPS entries, or fewer before one that is no symbol, which is then *entry.  Returns how many. */
ZW_INLINE unsigned look_ahead(struct ahead_batch *a, struct loop_bits *b, uint32_t *entry, const struct zw_ahead_tables *tables)
{
	unsigned i;

#pragma GCC unroll 8
	for (i = 0; i < AHEAD_LOOKUPS; i++) {
		if (ZW_UNLIKELY(*entry & AHEAD_SPECIAL) && !ahead_follow(tables, entry, b, i / 2))
			break;
		a->entry[i] = *entry;
		a->bits[i] = (uint32_t)b->hold;
		b->hold = shift_right_by(b->hold, *entry);
		b->count -= *entry;
		*entry = ahead_look_up(tables, *entry, b->hold);
		if (i % 2)
			ahead_fill(b, i / 2);
	}
	b->next += AHEAD_FILL_BYTES * (i / 2);
	return i;
}

/* ---- what the look-ups say ----------------------------------------------------------------------------------------- */

AHEAD_TARGET ZW_INLINE __m256i load_lanes(const uint32_t *p)      { return _mm256_loadu_si256((const __m256i *)(const void *)p); }
AHEAD_TARGET ZW_INLINE void store_lanes(uint32_t *p, __m256i v)   { _mm256_storeu_si256((__m256i *)(void *)p, v); }
AHEAD_TARGET ZW_INLINE uint32_t sign_bits(__m256i v)              { return (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(v)); }

/* zw_ahead_value() of each. */
AHEAD_TARGET
ZW_INLINE __m256i ahead_values(__m256i entry, __m256i bits)
{
	const __m256i six = _mm256_set1_epi32(63), unused = _mm256_and_si256(_mm256_srli_epi32(entry, 6), six);
	const __m256i above = _mm256_and_si256(_mm256_srli_epi32(entry, 16), _mm256_set1_epi32(255));
	const __m256i to_top = _mm256_sub_epi32(_mm256_set1_epi32(32 - INDEX_SHIFT), _mm256_and_si256(entry, six));
	const __m256i extra = _mm256_srlv_epi32(_mm256_sllv_epi32(bits, to_top), unused);

	return _mm256_or_si256(_mm256_sllv_epi32(above, _mm256_sub_epi32(_mm256_set1_epi32(32), unused)), extra);
}

/* The lowest byte of each. */
AHEAD_TARGET
ZW_INLINE uint64_t low_bytes(__m256i v)
{
	const __m256i first = _mm256_set_epi32(-1, -1, -1, 0x0c080400, -1, -1, -1, 0x0c080400);
	const __m256i bytes = _mm256_shuffle_epi8(v, first);

	return (uint64_t)_mm_cvtsi128_si64(_mm_unpacklo_epi32(_mm256_castsi256_si128(bytes), _mm256_extracti128_si256(bytes, 1)));
}

/* Takes count look-ups. */
AHEAD_TARGET
ZW_INLINE void take_batch(struct ahead_batch *a, unsigned count)
{
	const __m256i entry = load_lanes(a->entry), values = ahead_values(entry, load_lanes(a->bits));
	const __m256i before = _mm256_alignr_epi8(values, _mm256_permute2x128_si256(a->values, values, 0x21), 12); /* of each */
	const __m256i whole = _mm256_slli_epi32(entry, 17); /* AHEAD_WHOLE in the sign */
	const __m256i length = _mm256_castps_si256(_mm256_blendv_ps(_mm256_castsi256_ps(before),
						   _mm256_castsi256_ps(_mm256_srli_epi32(entry, 24)), _mm256_castsi256_ps(whole)));

	a->matches = sign_bits(_mm256_slli_epi32(entry, 18)) & ((1u << count) - 1); /* AHEAD_DISTANCE */
	a->literals = low_bytes(values);
	a->distance_first = a->length_last;
	if (count) {
		a->values = values;
		a->length_last = (a->entry[count - 1] & AHEAD_LENGTH) != 0;
	}
	store_lanes(a->taken, entry);
	store_lanes(a->length, _mm256_add_epi32(length, _mm256_set1_epi32(MATCH_MIN_BYTES)));
	store_lanes(a->distance, _mm256_add_epi32(values, _mm256_set1_epi32(1)));
	store_lanes(a->place, _mm256_sub_epi32(_mm256_setr_epi32(-1, 0, 1, 2, 3, 4, 5, 6), _mm256_srai_epi32(whole, 31)));
}

/* ---- writing it ----------------------------------------------------------------------------------------------------- */

/* As zw_copy_match(), but two branches fewer that depend on the body: a distance below COPY_STEP_BYTES matters only if the match is
 * longer than it, and a long match of up to AHEAD_COPY_BYTES is written whole. */
AHEAD_TARGET
ZW_INLINE void ahead_copy(uint8_t *out, size_t distance, size_t length)
{
	const uint8_t *from = out - distance;
	uint8_t *const end  = out + length;

	if (ZW_UNLIKELY(distance < (length < COPY_STEP_BYTES ? length : COPY_STEP_BYTES))) {
		zw_copy_match(out, distance, length);
		return;
	}
	zw_copy_step(out, from);
	zw_copy_step(out + COPY_STEP_BYTES, from + COPY_STEP_BYTES);
	if (ZW_LIKELY(length <= 2 * COPY_STEP_BYTES))
		return;
	if (ZW_UNLIKELY(distance < LONG_STEP_BYTES)) {
		zw_copy_match(out, distance, length);
		return;
	}
	for (size_t i = LONG_STEP_BYTES; i < AHEAD_COPY_BYTES; i += LONG_STEP_BYTES)
		*(zw_long_step *)(out + i) = *(const zw_long_step *)(from + i);
	if (ZW_LIKELY(length <= AHEAD_COPY_BYTES))
		return;
	out += AHEAD_COPY_BYTES;
	from += AHEAD_COPY_BYTES;
	do {
		*(zw_long_step *)out = *(const zw_long_step *)from;
		out += LONG_STEP_BYTES;
		from += LONG_STEP_BYTES;
	} while (out < end);
}

ZW_INLINE uint64_t lowest_set_bit(uint64_t v)
{
	uint64_t n;

	__asm__("tzcnt %1, %0" : "=r"(n) : "r"(v));
	return n;
}

/* Writes count look-ups, or fewer: up to the symbol that reaches o->stop, or whose distance is too large.  Returns how many; that a last
 * length waits for its distance is not counted (-1 then, if it is of the batch before). */
AHEAD_TARGET
ZW_INLINE int write_batch(struct ahead_out *o, const struct ahead_batch *a, unsigned count)
{
	const uint64_t literals = a->literals;
	uint8_t *const stop = o->stop;
	uint8_t *origin = o->next + a->distance_first; /* the byte of look-up at, a literal, goes to origin + at */
	uint64_t matches = a->matches, at = 0;
	int written;

	while (matches) {
		uint64_t i = lowest_set_bit(matches);
		size_t length = a->length[i], distance = a->distance[i];
		uint8_t *out = origin + (int32_t)a->place[i];

		zw_store_le64(origin + at, shift_right_by(literals, (uint32_t)(8 * at)));
		if (ZW_UNLIKELY(out >= stop))
			goto full;
		matches &= matches - 1;
		at = i + 1;
		if (ZW_UNLIKELY(distance > (size_t)(out - o->history))) {
			o->reason = ZW_SYMBOLS_TOO_FAR;
			o->ended = true;
			o->next = out;
			return (int)at;
		}
		ahead_copy(out, distance, length);
		origin = out + length - at;
	}
	zw_store_le64(origin + at, shift_right_by(literals, (uint32_t)(8 * at)));
	written = (int)count - a->length_last;
	if (ZW_LIKELY(origin + written < stop)) {
		o->next = origin + written;
		return written;
	}
full:
	o->ended = true;
	written = (int)(stop - origin > (ptrdiff_t)at ? stop - origin : (ptrdiff_t)at);
	o->next = origin + written;
	return written;
}

/* ---- both ------------------------------------------------------------------------------------------------------------ */

/* b stands behind the last of count look-ups that were taken: goes back to where the first written ones of them end. */
ZW_INLINE void end_ahead(struct zw_symbol_run *run, const struct ahead_batch *a, const struct loop_bits *b, int written, unsigned count)
{
	unsigned bits = (b->count & 63) - INDEX_SHIFT;

	for (unsigned i = (unsigned)written; i < count; i++)
		bits += zw_entry_bits(a->taken[i]) + (a->taken[i] & AHEAD_LINKED ? AHEAD_ROOT_BITS : 0);
	if (b->next - (bits >> 3) == run->br.next) {
		run->br.hold >>= run->br.count - (bits & 7); /* not even a byte was taken */
	} else {
		run->br.next = b->next - (bits >> 3);
		run->br.hold = bits & 7 ? (uint64_t)run->br.next[-1] >> (8 - (bits & 7)) : 0;
	}
	run->br.count = bits & 7;
}

/* decode_ahead() - see enum zw_symbol_stop for how it ends; ZW_SYMBOLS_BOUND also where little input is left.
 * Entry: br.count < 8; out < out_stop, AHEAD_OUT_BYTES writable from out_stop; in_stop: where true input ends, AHEAD_MIN_BYTES or more
 *        behind br.next; br.end: where what can be read ends, AHEAD_IN_BYTES or more behind br.next.
 * Exit:  br.count < 8; a symbol that ends the loop has been taken; nothing behind in_stop has. */
AHEAD_TARGET
ZW_INLINE unsigned decode_ahead_body(struct zw_symbol_run *run)
{
	const struct zw_ahead_tables *const tables = run->ahead_tables;
	const uint8_t *const last_begin = run->br.end - AHEAD_IN_BYTES;
	struct ahead_out o = { run->out, run->out_stop, run->history, false, ZW_SYMBOLS_BOUND };
	struct loop_bits b = { run->br.hold << INDEX_SHIFT, run->br.count + INDEX_SHIFT, run->br.next }, behind;
	struct ahead_batch a;
	unsigned count;
	uint32_t entry;
	int written;

	ZW_ASSERT(run->br.count < 8 && run->out < run->out_stop && run->br.next <= last_begin && run->in_stop - run->br.next >= AHEAD_MIN_BYTES);
	a.length_last = false;
	a.values = _mm256_setzero_si256();
	store_lanes(a.entry, a.values);          /* a first batch of fewer look-ups has something in every lane, too */
	store_lanes(a.bits, a.values);
	loop_fill(&b, true);
	entry = ahead_look_up(tables, 0, b.hold);
	count = look_ahead(&a, &b, &entry, tables);
	take_batch(&a, count);
	while (ZW_LIKELY(count == AHEAD_LOOKUPS && b.next <= last_begin)) {
		behind = b;
		count = look_ahead(&a, &b, &entry, tables);
		written = write_batch(&o, &a, AHEAD_LOOKUPS);
		if (ZW_UNLIKELY(o.ended || b.next > run->in_stop)) {
			end_ahead(run, &a, &behind, written, AHEAD_LOOKUPS);
			run->out = o.next;
			return o.reason;
		}
		take_batch(&a, count);
	}
	written = write_batch(&o, &a, count);
	if (!o.ended && count < AHEAD_LOOKUPS) { /* at an entry that is no symbol */
		if (a.length_last)
			o.reason = ZW_SYMBOLS_BAD_DISTANCE;
		else
			o.reason = entry & AHEAD_INVALID ? ZW_SYMBOLS_BAD_LITLEN : ZW_SYMBOLS_END_OF_BLOCK;
		loop_drop(&b, entry);
		written = (int)count;
	}
	end_ahead(run, &a, &b, written, count);
	run->out = o.next;
	return o.reason;
}
#endif

#endif
