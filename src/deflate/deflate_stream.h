/* SPDX-License-Identifier: Zlib */
/* deflate_stream.h - a deflate stream from its first byte to its trailer.  The zlib names in src/abi/ translate to these;
 * each says there what zlib's contract says.  One stream is used by one thread at a time. */
#ifndef ZW_DEFLATE_DEFLATE_STREAM_H
#define ZW_DEFLATE_DEFLATE_STREAM_H

#include "base/result.h"
#include "base/span.h"
#include "deflate/deflate_state.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct zw_deflate_config {
	enum zw_format format;
	unsigned window_log2;                    /* 9..15 */
	unsigned mem_level;                      /* 1..9 */
	int      level;                          /* 0..9 */
	enum zw_strategy strategy;
};

/* Prepares d, whose parts come from zw_deflate_memory_cut(). */
void zw_deflate_init(struct zw_deflate *d, const struct zw_deflate_parts *parts, const struct zw_deflate_config *c);

/* Back to the start of a new stream.  keep_window: history and parameters stay, for deflateResetKeep(). */
void zw_deflate_reset(struct zw_deflate *d, bool keep_window);

/* Takes input, gives output.  ZW_OK, ZW_STREAM_DONE, ZW_NO_PROGRESS or ZW_BAD_CALL. */
enum zw_result zw_deflate_run(struct zw_deflate *d, struct zw_in *in, struct zw_out *out, enum zw_flush flush);

/* New level and strategy.  What was taken in so far is compressed with the old ones into out when the way of compressing
 * changes: ZW_NO_PROGRESS if out was too small for that, and then nothing has changed. */
enum zw_result zw_deflate_params(struct zw_deflate *d, struct zw_in *in, struct zw_out *out, int level, enum zw_strategy s);

/* Gives history that both sides know.  ZW_BAD_CALL when it is too late or the format has none. */
enum zw_result zw_deflate_set_dictionary(struct zw_deflate *d, const uint8_t *dictionary, size_t bytes);

/* The last bytes that matches may refer to, unparsed input included; returns how many.  to may be NULL. */
size_t zw_deflate_get_dictionary(const struct zw_deflate *d, uint8_t *to);

/* Puts count (0..16) bits in front of the next block; ZW_NO_PROGRESS when a block is being written. */
enum zw_result zw_deflate_prime(struct zw_deflate *d, unsigned count, uint32_t bits);

/* Makes to, a byte copy of from, use its own parts. */
void zw_deflate_relocate(struct zw_deflate *to, const struct zw_deflate *from, const struct zw_deflate_parts *parts);

/* True between the first byte of output and the end of the stream. */
bool zw_deflate_busy(const struct zw_deflate *d);

#endif
