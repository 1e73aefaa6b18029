/* SPDX-License-Identifier: Zlib */
/* block_write.c - encodes one block after the other into whatever room the caller has.
 * Takes: plans and tokens, or raw bytes.  Gives: the DEFLATE stream.  Then: the caller's next_out.
 * Never: allocates, looks at the window, keeps output back once there is room for it. */
#include "deflate/block_write.h"

#include "base/bytes.h"
#include "base/check.h"
#include "deflate/bit_writer.h"
#include "deflate/block_cost.h"
#include "deflate/block_tables.h"

#include <string.h>
#if ZW_ARCH_X86
#include <immintrin.h>
#endif

#define BLOCK_HEADER_BITS   3u               /* BFINAL and BTYPE */
#define STORED_HEADER_BYTES 6u               /* 3 bits behind up to 7, padding, LEN and NLEN */
#define BLOCK_HEADER_BYTES  ((7u + BLOCK_HEADER_BITS + HEADER_MAX_BITS) / 8 + BIT_WRITER_SLACK_BYTES)
#define STAGE_FRONT_BYTES   (WRITER_STAGE_BYTES - BLOCK_HEADER_BYTES) /* what may be staged before a block is begun */
#define PUT_MAX_BYTES      64u

#define TOKEN_MAX_BITS (LITLEN_LIMIT_BITS + LENGTH_EXTRA_MAX_BITS + DIST_CODE_MAX_BITS + DIST_EXTRA_MAX_BITS)
#define TOKEN_MAX_BYTES ((TOKEN_MAX_BITS + 7) / 8)
#define SECOND_SHIFT_BYTE (ZW_LITTLE_ENDIAN ? SECOND_SHIFT_SHIFT / 8 : 3 - SECOND_SHIFT_SHIFT / 8)
#define STAGED_TOKENS  64u                   /* encoded into the stage: at the block's end, and when out has no room for one */

static_assert(STAGE_FRONT_BYTES >= 256 + PUT_MAX_BYTES, "a wrapper's header fits before the first block's");
static_assert(STORED_HEADER_BYTES <= BLOCK_HEADER_BYTES, "either header fits behind the front");
static_assert(7 + TOKEN_MAX_BITS <= BIT_WRITER_MAX_BITS, "a token fits behind the rest of a spill");
static_assert(7 + 2 * TOKEN_MAX_BITS <= UINT8_MAX, "two tokens' counts do not reach the words above them");
static_assert(STAGED_TOKENS * TOKEN_MAX_BYTES + BIT_WRITER_SLACK_BYTES <= WRITER_STAGE_BYTES, "they fit the stage");
static_assert(STAGED_TOKENS >= 8 * BIT_WRITER_SLACK_BYTES,
	      "at one bit a token they still cover what the last spill into out touched beyond its whole bytes");

void zw_writer_reset(struct zw_block_writer *w, bool wide)
{
	w->wide = wide;
	w->hold = 0;
	w->hold_bits = 0;
	w->phase = WRITER_IDLE;
	w->last = false;
	w->aligned_used_bits = 0;
	w->block_bits = 0;
	w->staged_next = w->staged_end = 0;
	w->tokens = NULL;
	w->token_next = w->token_end = 0;
	w->end_code = w->end_code_bits = 0;
	w->raw = NULL;
	w->raw_bytes = 0;
	w->piece_bytes = 0;
}

bool zw_writer_idle(const struct zw_block_writer *w)
{
	return w->phase == WRITER_IDLE && w->staged_next == w->staged_end;
}

unsigned zw_writer_room_bytes(const struct zw_block_writer *w)
{
	unsigned staged = zw_writer_staged_bytes(w);

	return staged < STAGE_FRONT_BYTES ? STAGE_FRONT_BYTES - staged : 0;
}

/* The writer's bits as a local bit writer that goes on at the end of the stage. */
static struct zw_bit_writer open_stage(struct zw_block_writer *w)
{
	if (w->staged_next) {
		memmove(w->stage, w->stage + w->staged_next, zw_writer_staged_bytes(w));
		w->staged_end = (uint16_t)(w->staged_end - w->staged_next);
		w->staged_next = 0;
	}
	return (struct zw_bit_writer){ w->hold, w->hold_bits, w->stage + w->staged_end };
}

static void close_stage(struct zw_block_writer *w, const struct zw_bit_writer *bw)
{
	ZW_ASSERT(bw->count <= 7 && bw->next <= w->stage + WRITER_STAGE_BYTES);
	w->hold = bw->hold;
	w->hold_bits = bw->count;
	w->staged_end = (uint16_t)(bw->next - w->stage);
}

void zw_writer_put_bits(struct zw_block_writer *w, uint32_t bits, unsigned count)
{
	struct zw_bit_writer bw = open_stage(w);

	ZW_ASSERT(w->phase == WRITER_IDLE && count <= 32);
	if (ZW_NEVER(zw_writer_room_bytes(w) < sizeof bits))
		return;
	zw_bits_append(&bw, bits, count);
	zw_bits_spill(&bw);
	close_stage(w, &bw);
}

/* Zero bits up to a byte boundary; remembers how many bits of that byte mean something. */
static void pad(struct zw_block_writer *w, struct zw_bit_writer *bw)
{
	unsigned bits = (0u - bw->count) & 7;

	w->aligned_used_bits = (uint8_t)(8 - bits);
	zw_bits_append(bw, 0, bits);
}

void zw_writer_align(struct zw_block_writer *w)
{
	struct zw_bit_writer bw = open_stage(w);

	ZW_ASSERT(w->phase == WRITER_IDLE);
	pad(w, &bw);
	zw_bits_spill(&bw);
	close_stage(w, &bw);
}

void zw_writer_put_bytes(struct zw_block_writer *w, const uint8_t *bytes, size_t n)
{
	struct zw_bit_writer bw = open_stage(w);

	ZW_ASSERT(w->phase == WRITER_IDLE && w->hold_bits == 0 && n <= PUT_MAX_BYTES);
	if (ZW_NEVER(zw_writer_room_bytes(w) < n))
		return;
	memcpy(bw.next, bytes, n);
	bw.next += n;
	close_stage(w, &bw);
}

/* Stages the header of the next piece of raw. */
static void begin_piece(struct zw_block_writer *w)
{
	struct zw_bit_writer bw = open_stage(w);
	bool is_last_piece = w->raw_bytes <= STORED_MAX_BYTES;
	uint32_t len = is_last_piece ? (uint32_t)w->raw_bytes : STORED_MAX_BYTES;

	zw_bits_append(&bw, (w->last && is_last_piece) | BLOCK_STORED << 1, BLOCK_HEADER_BITS);
	pad(w, &bw);
	zw_bits_append(&bw, len | (uint64_t)(len ^ 0xffff) << 16, 32);
	zw_bits_spill(&bw);
	close_stage(w, &bw);
	w->piece_bytes = len;
}

void zw_writer_begin_stored(struct zw_block_writer *w, const uint8_t *raw, size_t raw_bytes, bool last)
{
	ZW_ASSERT(w->phase == WRITER_IDLE && zw_writer_staged_bytes(w) <= STAGE_FRONT_BYTES);
	w->raw = raw;
	w->raw_bytes = raw_bytes;
	w->last = last;
	w->phase = WRITER_STORED;
	begin_piece(w);
}

void zw_writer_begin_planned(struct zw_block_writer *w, const struct zw_block_plan *plan, const uint32_t *tokens,
			     uint32_t count, bool last)
{
	struct zw_bit_writer bw = open_stage(w);

	ZW_ASSERT(w->phase == WRITER_IDLE && zw_writer_staged_bytes(w) <= STAGE_FRONT_BYTES);
	zw_bits_append(&bw, last | plan->type << 1, BLOCK_HEADER_BITS);
	w->block_bits = plan->cost_bits - BLOCK_HEADER_BITS;
	if (plan->type == BLOCK_DYNAMIC && plan->header_written) {
		zw_header_put_written(&plan->written, &bw);
		w->block_bits -= plan->written.bits;
	} else if (plan->type == BLOCK_DYNAMIC) {
		zw_code_header_write(&plan->header, &bw);
		w->block_bits -= plan->header.cost_bits;
	}
	zw_bits_spill(&bw);
	ZW_ASSERT((uint64_t)(bw.next - w->stage - w->staged_end) * 8 + bw.count ==
		  w->hold_bits + plan->cost_bits - w->block_bits);
	close_stage(w, &bw);
	zw_block_tables_make(w, plan);
	w->tokens = tokens;
	w->token_next = 0;
	w->token_end = count;
	w->last = last;
	w->phase = WRITER_TOKENS;
}

/* A token's second index: shift and mask, or one instruction of BMI1. */
typedef uint64_t second_index_fn(uint32_t token);

ZW_INLINE uint64_t second_index_base(uint32_t token) { return token >> TOKEN_LITLEN_BITS & TOKEN_INDEX_MASK; }
#if ZW_ARCH_X86
ZW_TARGET("bmi") ZW_INLINE uint64_t second_index_wide(uint32_t token)
{
	return _bextr_u64(token, TOKEN_LITLEN_BITS, TOKEN_SECOND_BITS);
}
#endif

/* The code words and extra bits of one token, in the order of the stream.  *counts grows by their number, in its low byte. */
ZW_INLINE uint64_t look_up(const uint32_t *litlen_entry, const struct zw_second_entry *second_entry, uint32_t token, uint32_t *counts,
			   second_index_fn *second_index)
{
	uint32_t first = litlen_entry[token & TOKEN_INDEX_MASK];
	const struct zw_second_entry *second = second_entry + second_index(token);
	unsigned shift = ((const uint8_t *)&second->counts)[SECOND_SHIFT_BYTE];
	uint64_t tail = (token >> TOKEN_DISTANCE_SHIFT << (shift & 31)) + second->word;

	*counts += first;
	*counts += second->counts;
	return tail << (first & ENTRY_BITS_MASK) | first >> LITLEN_WORD_SHIFT;
}

/* encode_tokens_body() - the code words of the next count tokens, to memory at to.  Returns behind the last whole byte.
 * Entry: count > 0 and not more than are left; count * TOKEN_MAX_BYTES + BIT_WRITER_SLACK_BYTES are writable at to.
 * Why:   a distance needs neither its base nor its extra bits looked up, and entries are added with their words above the counts:
 *        shifts take the low 6 bits of a count, a comparison its low byte.  A token is five loads and ten shifts and adds, without a
 *        branch.  Two tokens share a spill unless both are long.  Shifts by a register are cheaper with BMI2 (M13, M37). */
ZW_INLINE uint8_t *encode_tokens_body(struct zw_block_writer *w, uint8_t *to, uint32_t count, second_index_fn *second_index)
{
	const uint32_t *token = w->tokens + w->token_next, *end = token + count, *pairs_end = token + (count & ~1u);
	const uint32_t *litlen_entry = w->litlen_entry;
	const struct zw_second_entry *second_entry = w->second_entry;
	struct zw_bit_writer bw = { w->hold, w->hold_bits, to };

	ZW_ASSERT(count && count <= w->token_end - w->token_next);
	for (; token < pairs_end; token += 2) {
		uint32_t first_end = bw.count, both_end;
		uint64_t first = look_up(litlen_entry, second_entry, token[0], &first_end, second_index), second;

		both_end = first_end;
		second = look_up(litlen_entry, second_entry, token[1], &both_end, second_index);
		ZW_FORGET(both_end);
		bw.hold |= first << bw.count;
		if (ZW_UNLIKELY((uint8_t)both_end > BIT_WRITER_MAX_BITS)) {
			bw.count = (uint8_t)first_end;
			zw_bits_spill(&bw);
			bw.hold |= second << bw.count;
			bw.count += (uint8_t)(both_end - first_end);
			zw_bits_spill(&bw);
			continue;
		}
		bw.hold |= second << (first_end & 63);
		zw_store_le64(bw.next, bw.hold);
		bw.next += both_end >> 3 & 7;
		bw.hold >>= both_end & 56;
		bw.count = both_end & 7;
	}
	if (token < end) {
		uint32_t only_end = bw.count;

		bw.hold |= look_up(litlen_entry, second_entry, token[0], &only_end, second_index) << bw.count;
		bw.count = (uint8_t)only_end;
		zw_bits_spill(&bw);
	}
	w->block_bits -= (uint64_t)(bw.next - to) * 8 + bw.count - w->hold_bits;
	w->hold = bw.hold;
	w->hold_bits = bw.count;
	w->token_next += count;
	return bw.next;
}

static uint8_t *encode_tokens_base(struct zw_block_writer *w, uint8_t *to, uint32_t count)
{
	return encode_tokens_body(w, to, count, second_index_base);
}

#if ZW_ARCH_X86
ZW_TARGET("avx2,bmi,bmi2,lzcnt")
static uint8_t *encode_tokens_wide(struct zw_block_writer *w, uint8_t *to, uint32_t count)
{
	return encode_tokens_body(w, to, count, second_index_wide);
}

static uint8_t *encode_tokens(struct zw_block_writer *w, uint8_t *to, uint32_t count)
{
	return w->wide ? encode_tokens_wide(w, to, count) : encode_tokens_base(w, to, count);
}
#else
static uint8_t *encode_tokens(struct zw_block_writer *w, uint8_t *to, uint32_t count)
{
	return encode_tokens_base(w, to, count);
}
#endif

/* Encodes as many of the remaining tokens as surely fit out, or a few into the stage, or the end of the block.
 * The last tokens always take the way through the stage, so that no byte of out is touched but those that are given. */
static void write_tokens(struct zw_block_writer *w, struct zw_out *out)
{
	uint32_t left = w->token_end - w->token_next;
	uint32_t direct = left > STAGED_TOKENS ? left - STAGED_TOKENS : 0;
	size_t fitting = out->left_bytes < BIT_WRITER_SLACK_BYTES ? 0 :
			 (out->left_bytes - BIT_WRITER_SLACK_BYTES) / TOKEN_MAX_BYTES;

	if (direct && fitting) {
		uint8_t *next = encode_tokens(w, out->next, fitting < direct ? (uint32_t)fitting : direct);

		out->left_bytes -= (size_t)(next - out->next);
		out->next = next;
		return;
	}
	if (left) {
		uint8_t *next = encode_tokens(w, w->stage, left < STAGED_TOKENS ? left : STAGED_TOKENS);

		w->staged_next = 0;
		w->staged_end = (uint16_t)(next - w->stage);
		return;
	}
	struct zw_bit_writer bw = open_stage(w);

	zw_bits_append(&bw, w->end_code, w->end_code_bits);
	w->block_bits -= w->end_code_bits;
	ZW_ASSERT(w->block_bits == 0);           /* the plan's cost was exact */
	if (w->last)
		pad(w, &bw);
	zw_bits_spill(&bw);
	close_stage(w, &bw);
	w->phase = WRITER_IDLE;
}

/* Copies as much of raw as fits; false when out is full before the end of the piece. */
static bool copy_stored(struct zw_block_writer *w, struct zw_out *out)
{
	size_t n = zw_out_put(out, w->raw, w->piece_bytes);

	if (n) {
		w->raw += n;
		w->raw_bytes -= n;
		w->piece_bytes -= (uint32_t)n;
	}
	if (w->piece_bytes)
		return false;
	if (w->raw_bytes)
		begin_piece(w);
	else
		w->phase = WRITER_IDLE;
	return true;
}

bool zw_writer_emit(struct zw_block_writer *w, struct zw_out *out)
{
	for (;;) {
		w->staged_next = (uint16_t)(w->staged_next + zw_out_put(out, w->stage + w->staged_next, zw_writer_staged_bytes(w)));
		if (w->staged_next < w->staged_end)
			return false;
		switch (w->phase) {
		case WRITER_IDLE:
			return true;
		case WRITER_TOKENS:
			write_tokens(w, out);
			break;
		case WRITER_STORED:
			if (!copy_stored(w, out))
				return false;
			break;
		}
	}
}
