/* SPDX-License-Identifier: Zlib */
/* match_finder.c - cuts head and prev into the tables of one parser, sized for what will be parsed, and enters history.
 * Takes: parameters, and how many bytes will come.  Gives: cleared tables.  Then: parse_*.c
 * Never: clears more than is used, clears prev[] for chains, or touches memory that a later parse would not. */
#include "deflate/match_finder.h"

#include "base/check.h"
#include "deflate/match_tables.h"

#include <string.h>

#if ZW_ARCH_X86
#include <immintrin.h>                       /* SSE2 is part of the base set */
#endif

#define TABLE_MIN_LOG2          9u           /* a table for tiny inputs; smaller only when memory is */
#define SINGLE_MAX_LOG2        13u           /* 16 KB: half of a first-level cache */
#define LARGE_MAX_LOG2         14u           /* level 2: 32 KB */
#define PAIRS_MAX_LOG2         14u           /* 64 KB */
#define LONG_MAX_LOG2          15u
#define CHAINS_MAX_LOG2        15u
#define DEPTH_MAX_SHIFT         5u           /* bounds the work where memLevel is least */
#define SMALL_HEAD_LOG2         2u           /* a head of a quarter of the usual entries still finds enough */
#define TINY_BYTES_1         3072u           /* up to here 4 bytes select an entry at level 1, ... */
#define TINY_BYTES_2         4096u           /* ... and at level 2 */
#define TINY_BYTES_3         2048u           /* up to here level 3 parses as level 4 does: three bodies were above zlib-ng's size (M37) */
#define SOME_DIGITS            16u           /* in a sample of 256 bytes, from which on 6 bytes select an entry at level 1 ... */
#define MORE_DIGITS            32u           /* ... and at level 2 (with SOME_DIGITS style sheets are larger than zlib's, M41) */
#define MANY_DIGITS            64u           /* and 5 at level 3 */
#define SPARSE_STEP            16u           /* of skipped bytes every 16th is entered: a repeat of 20 or more is still found */

/* log2 of the entries that n bytes need: lowest power of two >= n, at least TABLE_MIN_LOG2, at most max_log2. */
static uint8_t table_log2(size_t n, unsigned max_log2)
{
	unsigned log2 = TABLE_MIN_LOG2;

	while (log2 < max_log2 && ((size_t)1 << log2) < n)
		log2++;
	return (uint8_t)(log2 < max_log2 ? log2 : max_log2);
}

static unsigned at_most(unsigned a, unsigned b) { return a < b ? a : b; }

static enum zw_table_shape choose_shape(const struct zw_match_finder *m, size_t known_bytes)
{
	switch ((enum zw_parser_kind)m->params.parser) {
	case ZW_PARSE_FAST1:
		return SHAPE_SINGLE;
	case ZW_PARSE_FAST2:
		return SHAPE_LARGE;
	case ZW_PARSE_FAST3:
		return known_bytes <= TINY_BYTES_3 ? SHAPE_PAIRS_LAZY : SHAPE_PAIRS_LONG;
	case ZW_PARSE_PAIRS:
		return SHAPE_PAIRS_LAZY;
	case ZW_PARSE_LAZY:
		return SHAPE_CHAINS;
	case ZW_PARSE_NONE:
	case ZW_PARSE_STORED:
	case ZW_PARSE_RLE:
	case ZW_PARSE_HUFFMAN_ONLY:
		return SHAPE_NONE;
	}
	return SHAPE_NONE;                       /* not reached: every case is above */
}

/* How many bytes select an entry.  A short match far away costs as much as a few cheap literals, so where literals are cheap 6 bytes
 * make level 1 both faster and smaller (M37); short inputs have too few matches to leave any out. */
static unsigned choose_entry_bytes(const struct zw_match_finder *m, size_t known_bytes)
{
	const struct zw_content *c = &m->content;

	switch ((enum zw_table_shape)m->shape) {
	case SHAPE_SINGLE:
		return known_bytes <= TINY_BYTES_1 ? 4 : c->digits >= SOME_DIGITS ? 6 : 5;
	case SHAPE_LARGE:
		return known_bytes <= TINY_BYTES_2 ? 4 : c->digits >= MORE_DIGITS ? 6 : 5;
	case SHAPE_PAIRS_LONG:
		return c->digits >= MANY_DIGITS ? 5 : 4;
	case SHAPE_NONE: case SHAPE_PAIRS_LAZY: case SHAPE_CHAINS:
		break;
	}
	return CHAIN_HASH_BYTES;
}

/* What a position's hash reads: a position this close to the end of the input cannot be entered. */
static unsigned hash_bytes(enum zw_table_shape shape)
{
	if (shape == SHAPE_PAIRS_LAZY || shape == SHAPE_CHAINS)
		return CHAIN_HASH_BYTES;
	return HASH_MAX_BYTES;
}

/* Where head is smaller than half of prev, the tables of levels 1..3 go there. */
static void prepare_fast(struct zw_match_finder *m, size_t known_bytes)
{
	unsigned u16_log2 = zw_highest_bit32(m->head_bytes) - 1, long_max_log2 = m->window_log2, single_max_log2 = SINGLE_MAX_LOG2;

	m->in_prev = u16_log2 + 1 < m->window_log2;
	if (m->in_prev) {
		bool halves = m->shape == SHAPE_PAIRS_LONG;

		long_max_log2--;
		u16_log2 = halves ? long_max_log2 : m->window_log2;
	}
	switch ((enum zw_table_shape)m->shape) {
	case SHAPE_SINGLE:
	case SHAPE_LARGE:
		if (m->params.parser == ZW_PARSE_FAST2)
			single_max_log2 = LARGE_MAX_LOG2;
		m->head_log2 = table_log2(known_bytes, at_most(single_max_log2, u16_log2));
		memset(zw_fast_table(m), 0, sizeof(uint16_t) << m->head_log2);
		return;
	case SHAPE_PAIRS_LONG:
		m->second_log2 = table_log2(known_bytes, at_most(LONG_MAX_LOG2, long_max_log2));
		memset(zw_long_table(m), 0, sizeof(uint16_t) << m->second_log2);
		break;
	case SHAPE_PAIRS_LAZY:
	case SHAPE_NONE:
	case SHAPE_CHAINS:
		break;
	}
	m->head_log2 = table_log2(known_bytes, at_most(PAIRS_MAX_LOG2, u16_log2 - 1));
	memset(zw_fast_table(m), 0, sizeof(uint32_t) << m->head_log2);
}

static void prepare_chains(struct zw_match_finder *m, size_t known_bytes)
{
	unsigned u16_log2 = zw_highest_bit32(m->head_bytes) - 1, usual_log2;

	m->head_log2 = table_log2(known_bytes, at_most(CHAINS_MAX_LOG2, u16_log2));
	memset(m->head, 0, sizeof(uint16_t) << m->head_log2);
	m->prev[0] = 0;                          /* the slot that an empty head leads to */
	usual_log2 = table_log2(known_bytes, at_most(CHAINS_MAX_LOG2, m->window_log2));
	if (usual_log2 > m->head_log2 + SMALL_HEAD_LOG2)
		m->depth_shift = (uint8_t)at_most(usual_log2 - m->head_log2 - SMALL_HEAD_LOG2, DEPTH_MAX_SHIFT);
}

void zw_match_prepare(struct zw_match_finder *m, size_t known_bytes)
{
	if (m->prepared == m->params.parser)
		return;
	m->prepared = m->params.parser;
	m->shape = (uint8_t)choose_shape(m, known_bytes);
	m->entry_bytes = (uint8_t)choose_entry_bytes(m, known_bytes);
	m->unhashed_bytes = 0;
	m->literal_price = 0;
	m->sated_segments = 0;
	m->run_distance = 0;
	m->effort_segment = 0;
	m->walk_effort = WALKS_USUAL;
	m->match_mean_bytes = 0;
	m->long_tokens = false;
	m->few_matches = false;
	m->very_long_segments = 0;
	m->in_prev = 0;
	m->depth_shift = 0;
	m->head_log2 = 0;
	m->second_log2 = 0;
	if (m->shape == SHAPE_CHAINS)
		prepare_chains(m, known_bytes);
	else if (m->shape != SHAPE_NONE)
		prepare_fast(m, known_bytes);
}

/* Takes by_bytes off each entry, at least 0.  count is a multiple of 8. */
#if ZW_ARCH_X86
static void move_entries_base(uint16_t *entries, size_t count, uint32_t by_bytes)
{
	__m128i by = _mm_set1_epi16((short)(uint16_t)by_bytes);

	for (size_t i = 0; i < count; i += 8) {
		__m128i *at = (__m128i *)(void *)(entries + i);

		_mm_storeu_si128(at, _mm_subs_epu16(_mm_loadu_si128(at), by));
	}
}

ZW_TARGET("avx2")
static void move_entries_wide(uint16_t *entries, size_t count, uint32_t by_bytes)
{
	__m256i by = _mm256_set1_epi16((short)(uint16_t)by_bytes);

	for (size_t i = 0; i < count; i += 32) {
		__m256i *at = (__m256i *)(void *)(entries + i);
		__m256i first = _mm256_loadu_si256(at), second = _mm256_loadu_si256(at + 1);

		_mm256_storeu_si256(at, _mm256_subs_epu16(first, by));
		_mm256_storeu_si256(at + 1, _mm256_subs_epu16(second, by));
	}
}

static void move_entries(uint16_t *entries, size_t count, uint32_t by_bytes, bool wide)
{
	ZW_ASSERT(count % 32 == 0 && by_bytes <= UINT16_MAX);
	if (wide)
		move_entries_wide(entries, count, by_bytes);
	else
		move_entries_base(entries, count, by_bytes);
}
#else
static void move_entries(uint16_t *entries, size_t count, uint32_t by_bytes, bool wide)
{
	(void)wide;
	for (size_t i = 0; i < count; i++)
		entries[i] = (uint16_t)(entries[i] > by_bytes ? entries[i] - by_bytes : 0);
}
#endif

static void enter_pairs(struct zw_match_finder *m, const uint8_t *from, const uint8_t *to, unsigned step, bool long_too)
{
	uint32_t *pairs = (uint32_t *)(void *)zw_fast_table(m), entry = zw_match_entry(m, from);
	uint16_t *longs = zw_long_table(m);

	for (const uint8_t *p = from; to - p > 0; p += step, entry += step) {
		uint64_t v = zw_load_le64(p);

		zw_pairs_enter(pairs, m->head_log2, v, entry, m->entry_bytes);
		if (long_too)
			longs[zw_hash8(v, m->second_log2)] = (uint16_t)entry;
	}
}

static void enter_single(struct zw_match_finder *m, const uint8_t *from, const uint8_t *to, unsigned step)
{
	uint16_t *table = zw_fast_table(m);

	for (size_t offset = (size_t)(from - m->window); offset < (size_t)(to - m->window); offset += step) {
		uint64_t v = zw_load_le64(m->window + offset);

		table[zw_hash_fast(v, m->head_log2, m->entry_bytes)] = (uint16_t)offset;
	}
}

static void enter_chains(struct zw_match_finder *m, const uint8_t *from, const uint8_t *to, unsigned step)
{
	struct zw_chains c = zw_chains_of(m);
	uint32_t position = zw_match_position(m, from);

	for (const uint8_t *p = from; to - p > 0; p += step, position += step)
		zw_chains_enter(&c, zw_load_le32(p), position);
}

/* Enters every step-th of [from, to), by the tables' shape. */
static void enter(struct zw_match_finder *m, const uint8_t *from, const uint8_t *to, unsigned step)
{
	switch ((enum zw_table_shape)m->shape) {
	case SHAPE_NONE:
		break;
	case SHAPE_SINGLE:
	case SHAPE_LARGE:
		enter_single(m, from, to, step);
		break;
	case SHAPE_PAIRS_LAZY:
		enter_pairs(m, from, to, step, false);
		break;
	case SHAPE_PAIRS_LONG:
		enter_pairs(m, from, to, step, true);
		break;
	case SHAPE_CHAINS:
		enter_chains(m, from, to, step);
		break;
	}
}

/* The end of those of [from, to) whose bytes end before readable_end. */
static const uint8_t *enterable_end(const struct zw_match_finder *m, const uint8_t *from, const uint8_t *to,
				    const uint8_t *readable_end)
{
	size_t need = hash_bytes((enum zw_table_shape)m->shape);

	if (m->shape == SHAPE_NONE)
		return to;
	if ((size_t)(readable_end - from) < need)
		return from;
	return readable_end - need + 1 < to ? readable_end - need + 1 : to;
}

/* Enters those of [from, to) whose bytes end before readable_end, and remembers how many were left out. */
static void enter_range(struct zw_match_finder *m, const uint8_t *from, const uint8_t *to, const uint8_t *readable_end)
{
	const uint8_t *stop = enterable_end(m, from, to, readable_end);

	enter(m, from, stop, 1);
	ZW_ASSERT(to - stop < (ptrdiff_t)hash_bytes((enum zw_table_shape)m->shape));
	m->unhashed_bytes = (uint8_t)(to - stop);
}

void zw_match_insert_history(struct zw_match_finder *m, const uint8_t *from, const uint8_t *to)
{
	ZW_ASSERT(m->prepared == m->params.parser && from >= m->window && from <= to);
	if (to - from > (ptrdiff_t)1 << m->window_log2)
		from = to - ((ptrdiff_t)1 << m->window_log2);
	enter_range(m, from, to, to);
}

void zw_match_insert_sparse(struct zw_match_finder *m, const uint8_t *from, const uint8_t *to)
{
	ZW_ASSERT(m->prepared == m->params.parser && from >= m->window && from <= to);
	enter(m, from, enterable_end(m, from, to, to), SPARSE_STEP);
	m->unhashed_bytes = 0;
}

void zw_match_resume(struct zw_match_finder *m, const uint8_t *ip, const uint8_t *end)
{
	ZW_ASSERT(ip - m->window >= m->unhashed_bytes);
	enter_range(m, ip - m->unhashed_bytes, ip, end);
}

void zw_match_suspend(struct zw_match_finder *m, const uint8_t *start, const uint8_t *end)
{
	size_t left_out = (size_t)(end - start) + m->unhashed_bytes;
	size_t most = hash_bytes((enum zw_table_shape)m->shape) - 1;

	m->unhashed_bytes = (uint8_t)(left_out < most ? left_out : most);
}

void zw_match_slide(struct zw_match_finder *m, uint32_t by_bytes)
{
	m->window_position += by_bytes;
	if (zw_entries_are_offsets(m))
		move_entries(zw_fast_table(m), (size_t)1 << m->head_log2, by_bytes, m->wide);
}

/* By zw_match_finder.wide. */
#if ZW_ARCH_X86
#define BOTH(name) { name, name##_wide }
#else
#define BOTH(name) { name, name }
#endif
#define FAST_LEAST_ENTRY_BYTES 4u
static const zw_parse_fn fast1[][2] = { BOTH(zw_parse_fast1_hash4), BOTH(zw_parse_fast1_hash5), BOTH(zw_parse_fast1_hash6) };
static const zw_parse_fn fast2[][2] = { BOTH(zw_parse_fast2_hash4), BOTH(zw_parse_fast2_hash5), BOTH(zw_parse_fast2_hash6) };
static const zw_parse_fn fast3[][2] = { BOTH(zw_parse_fast3_hash4), BOTH(zw_parse_fast3_hash5) };
static const zw_parse_fn pairs[2] = BOTH(zw_parse_pairs), lazy[2] = BOTH(zw_parse_lazy);

zw_parse_fn zw_parser_get(const struct zw_match_finder *m)
{
	unsigned by = m->entry_bytes - FAST_LEAST_ENTRY_BYTES, wide = m->wide != 0;

	ZW_ASSERT(m->prepared == m->params.parser);
	switch ((enum zw_table_shape)m->shape) {
	case SHAPE_SINGLE:
		return fast1[by][wide];
	case SHAPE_LARGE:
		return fast2[by][wide];
	case SHAPE_PAIRS_LONG:
		return fast3[by][wide];
	case SHAPE_PAIRS_LAZY:
		return pairs[wide];
	case SHAPE_CHAINS:
		return lazy[wide];
	case SHAPE_NONE:
		break;
	}
	return m->params.parser == ZW_PARSE_RLE ? zw_parse_rle : zw_parse_huffman_only;
}
