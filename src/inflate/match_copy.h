/* SPDX-License-Identifier: Zlib */
/* match_copy.h - repeats length bytes from distance back, in steps that may write past its end.  By distance:
 *   LONG_STEP_BYTES and more   two steps without a question, a longer match then in long steps
 *   COPY_STEP_BYTES and more   two steps each time
 *   8 to 15, 1, 2 to 7         eight bytes twice; one byte many times; eight bytes each time the pattern is complete */
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

#endif
