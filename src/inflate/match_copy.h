/* SPDX-License-Identifier: Zlib */
/* match_copy.h - repeats length bytes from distance back, in steps that may write past its end.  By distance:
 *   LONG_STEP_BYTES and more   two steps without a question, a longer match then in long steps
 *   COPY_STEP_BYTES and more   two steps each time
 *   8 to 15, 1, 2 to 7         eight bytes twice; one byte many times; eight bytes each time the pattern is complete
 * A repeat, which many matches make together, goes by itself. */
#ifndef ZW_INFLATE_MATCH_COPY_H
#define ZW_INFLATE_MATCH_COPY_H

#include "base/bytes.h"
#include "base/check.h"
#include "base/rfc.h"

#define COPY_STEP_BYTES  16
#define LONG_STEP_BYTES  32                  /* one move in a kernel with vectors of that width, two in others */
#define COPY_SLACK_BYTES (2 * COPY_STEP_BYTES) /* zw_copy_match() may write this far past the end of the match */

static_assert(COPY_SLACK_BYTES >= 2 * COPY_STEP_BYTES - 1, "a match of one byte writes two steps");
static_assert(LONG_STEP_BYTES == 2 * COPY_STEP_BYTES, "either loop goes on behind the first two steps");

/* Loaded and stored whole: out of memcpy() gcc 12 makes more. */
typedef uint8_t zw_long_step __attribute__((vector_size(LONG_STEP_BYTES), aligned(1), may_alias));

ZW_INLINE void zw_copy_step(uint8_t *to, const uint8_t *from)
{
	uint8_t step[COPY_STEP_BYTES];

	memcpy(step, from, sizeof step);
	memcpy(to, step, sizeof step);
}

/* Entry: out - distance is inside the history; out + length + COPY_SLACK_BYTES is inside the buffer.
 * What is written past the match is garbage that the next match or literal replaces. */
ZW_INLINE void zw_copy_match(uint8_t *out, size_t distance, size_t length)
{
	const uint8_t *from = out - distance;
	uint8_t *const end  = out + length;

	ZW_ASSERT(distance >= 1 && length >= 1 && length <= MATCH_MAX_BYTES);
	if (ZW_LIKELY(distance >= COPY_STEP_BYTES)) {
		zw_copy_step(out, from);
		zw_copy_step(out + COPY_STEP_BYTES, from + COPY_STEP_BYTES);
		if (ZW_UNLIKELY(length > 2 * COPY_STEP_BYTES)) { /* most matches are shorter */
			if (ZW_LIKELY(distance >= LONG_STEP_BYTES)) {
				do {
					out += LONG_STEP_BYTES;
					from += LONG_STEP_BYTES;
					*(zw_long_step *)out = *(const zw_long_step *)from;
				} while (out + LONG_STEP_BYTES < end);
			} else {
				do {
					out += 2 * COPY_STEP_BYTES;
					from += 2 * COPY_STEP_BYTES;
					zw_copy_step(out, from);
					zw_copy_step(out + COPY_STEP_BYTES, from + COPY_STEP_BYTES);
				} while (out + 2 * COPY_STEP_BYTES < end);
			}
		}
	} else if (distance == 1) {
		do {
			memset(out, *from, COPY_STEP_BYTES);
			out += COPY_STEP_BYTES;
		} while (out < end);
	} else if (distance >= 8) {
		do {
			zw_store_le64(out, zw_load_le64(from));
			zw_store_le64(out + 8, zw_load_le64(from + 8));
			out += 16;
			from += 16;
		} while (out < end);
	} else {                                 /* 2..7: each step repeats the pattern once more */
		do {
			zw_store_le64(out, zw_load_le64(from));
			out += distance;
			from += distance;
		} while (out < end);
	}
}

ZW_INLINE void zw_copy_long_step(uint8_t *to, const uint8_t *from)
{
	*(zw_long_step *)to = *(const zw_long_step *)from;
}

#define REPEAT_STEPS_MAX 8u                  /* registers to keep a pattern in */

/* The distance bytes before out, steps long steps of which the last may overlap the one before it: once, and again until at most as
 * many are missing before end.  Gives the new out. */
ZW_INLINE uint8_t *zw_repeat_in_steps(uint8_t *out, const uint8_t *end, size_t distance, unsigned steps)
{
	/* One by one: clang 14 keeps an array in memory, whatever is unrolled (M45). */
	const zw_long_step *from = (const zw_long_step *)(out - distance);
	const size_t last_at = distance - LONG_STEP_BYTES;
	const zw_long_step last = *(const zw_long_step *)(out - LONG_STEP_BYTES);
	const zw_long_step step0 = steps > 1 ? from[0] : last, step1 = steps > 2 ? from[1] : last;
	const zw_long_step step2 = steps > 3 ? from[2] : last, step3 = steps > 4 ? from[3] : last;
	const zw_long_step step4 = steps > 5 ? from[4] : last, step5 = steps > 6 ? from[5] : last;
	const zw_long_step step6 = steps > 7 ? from[6] : last;

	static_assert(REPEAT_STEPS_MAX == 8, "steps above and below");
	do {
		zw_long_step *to = (zw_long_step *)out;

		if (steps > 1)
			to[0] = step0;
		if (steps > 2)
			to[1] = step1;
		if (steps > 3)
			to[2] = step2;
		if (steps > 4)
			to[3] = step3;
		if (steps > 5)
			to[4] = step4;
		if (steps > 6)
			to[5] = step5;
		if (steps > 7)
			to[6] = step6;
		*(zw_long_step *)(out + last_at) = last;
		out += distance;
	} while (out + distance < end);
	return out;
}

/* As zw_copy_match(), for a match of any length and at least LONG_STEP_BYTES from back: nothing is read that it writes.
 * SPEED(M36): a move out of two stores that are not yet in the cache waits for both, some 30 cycles. */
ZW_INLINE void zw_copy_repeat(uint8_t *out, size_t distance, size_t length)
{
	const uint8_t *from = out - distance;
	uint8_t *const end = out + length;

	ZW_ASSERT(distance >= LONG_STEP_BYTES && length >= 1);
	if (distance < length)
		switch ((distance + LONG_STEP_BYTES - 1) / LONG_STEP_BYTES) {
		case 1:
		case 2: out = zw_repeat_in_steps(out, end, distance, 2); break;
		case 3: out = zw_repeat_in_steps(out, end, distance, 3); break;
		case 4: out = zw_repeat_in_steps(out, end, distance, 4); break;
		case 5: out = zw_repeat_in_steps(out, end, distance, 5); break;
		case 6: out = zw_repeat_in_steps(out, end, distance, 6); break;
		case 7: out = zw_repeat_in_steps(out, end, distance, 7); break;
		case REPEAT_STEPS_MAX: out = zw_repeat_in_steps(out, end, distance, REPEAT_STEPS_MAX); break;
		default:
			do {
				for (size_t at = 0; at + LONG_STEP_BYTES < distance; at += LONG_STEP_BYTES)
					zw_copy_long_step(out + at, from + at);
				zw_copy_long_step(out + distance - LONG_STEP_BYTES, from + distance - LONG_STEP_BYTES);
				out += distance;
			} while (out + distance < end);
		}
	do {
		zw_copy_long_step(out, from);
		out += LONG_STEP_BYTES;
		from += LONG_STEP_BYTES;
	} while (out < end);
}

#endif
