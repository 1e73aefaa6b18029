/* SPDX-License-Identifier: Zlib */
/* parse_driver.c - see parse_driver.h. */
#include "lib/parse_driver.h"

#include "cpu/features.h"
#include "lib/cmocka_all.h"
#include "lib/rng.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SEGMENT_BYTES 4096u
#define SECOND_MASK   511u
#define TINY_BYTES      40u
#define ALL_DIGITS      { 256, 0 }           /* the kind of content that changes what selects an entry; true or not */

/* One stream: its arena, its window of 2 W bytes, the tokens of the block, and all tokens so far. */
struct stream {
	const struct parse_setup *setup;
	struct zw_match_finder finder;
	struct zw_tokens tokens;
	uint8_t *block, *buffer;                 /* buffer: window_bytes * 2, with the promised slack on both sides */
	const uint8_t *ip, *end;                 /* parsed up to ip, filled up to end */
	size_t   window_bytes;
	uint64_t slid_bytes;                     /* stream position of buffer[0] */
	struct zw_histogram expected;
	uint32_t block_first;
	struct parse_result all;
	size_t   all_room;
};

static void fill_bytes(enum arena_fill fill, uint8_t *to, size_t n)
{
	struct rng r = rng_seed(77);

	if (fill == FILL_RANDOM)
		rng_fill(&r, to, n);
	else
		memset(to, fill == FILL_ONES ? 0xff : 0, n);
}

/* malloc'ed parts, so that a sanitizer sees every byte too far. */
static void open_stream(struct stream *s, const struct parse_setup *setup)
{
	size_t buffer_bytes;

	memset(s, 0, sizeof *s);
	s->setup = setup;
	s->window_bytes = (size_t)1 << setup->window_log2;
	buffer_bytes = PARSE_BACKREAD_BYTES + 2 * s->window_bytes + PARSE_OVERREAD_BYTES;
	s->block = malloc(buffer_bytes);
	fill_bytes(setup->fill, s->block, buffer_bytes);
	s->buffer = s->block + PARSE_BACKREAD_BYTES;
	s->finder.head_bytes = 256u << setup->mem_level;
	s->finder.head = malloc(s->finder.head_bytes);
	s->finder.prev = malloc(sizeof(uint16_t) << setup->window_log2);
	fill_bytes(setup->fill, (uint8_t *)s->finder.head, s->finder.head_bytes);
	fill_bytes(setup->fill, (uint8_t *)s->finder.prev, sizeof(uint16_t) << setup->window_log2);
	s->finder.window_log2 = (uint8_t)setup->window_log2;
	s->finder.wide = setup->wide;
	s->finder.params = setup->params;
	s->finder.content = setup->content;
	s->finder.window = s->buffer;
	s->ip = s->end = s->buffer;
	s->tokens.capacity = 64u << setup->mem_level < BLOCK_MAX_TOKENS ? 64u << setup->mem_level : BLOCK_MAX_TOKENS;
	s->tokens.buf = malloc(s->tokens.capacity * sizeof(uint32_t));
}

static void close_stream(struct stream *s)
{
	free(s->block);
	free(s->finder.head);
	free(s->finder.prev);
	free(s->tokens.buf);
}

/* Keeps the block's tokens, compares its histogram with a count of them, and starts the next block. */
static void end_block(struct stream *s)
{
	if (s->all.count + s->tokens.count > s->all_room) {
		s->all_room = 2 * (s->all.count + s->tokens.count);
		s->all.tokens = realloc(s->all.tokens, s->all_room * sizeof(uint32_t));
	}
	if (s->tokens.count)
		memcpy(s->all.tokens + s->all.count, s->tokens.buf, s->tokens.count * sizeof(uint32_t));
	memset(&s->expected, 0, sizeof s->expected);
	for (uint32_t i = 0; i < s->tokens.count; i++) {
		uint32_t token = s->tokens.buf[i], second = token >> TOKEN_LITLEN_BITS & SECOND_MASK;

		s->expected.litlen[token & TOKEN_INDEX_MASK]++;
		if (second >= TOKEN_SECOND_LITERAL)
			s->expected.litlen[second - TOKEN_SECOND_LITERAL]++;
		else if (second != TOKEN_SECOND_NONE)
			s->expected.dist[second]++;
	}
	assert_memory_equal(&s->expected, &s->tokens.freq, sizeof s->expected);
	s->all.count += s->tokens.count;
	s->tokens.count = 0;
	memset(&s->tokens.freq, 0, sizeof s->tokens.freq);
}

/* Parses [ip, stop) in segments that fit the token buffer. */
static void parse_up_to(struct stream *s, const uint8_t *stop, size_t known_bytes)
{
	zw_parse_fn parse;

	zw_match_prepare(&s->finder, known_bytes);
	parse = s->setup->parse ? s->setup->parse : zw_parser_get(&s->finder);
	while (s->ip < stop) {
		size_t room = s->tokens.capacity - s->tokens.count, n = (size_t)(stop - s->ip);
		const uint8_t *to;

		if (room < PARSE_SPARE_TOKENS + 16) {
			end_block(s);
			continue;
		}
		if (n > SEGMENT_BYTES)
			n = SEGMENT_BYTES;
		if (n / 2 > room - PARSE_SPARE_TOKENS)
			n = 2 * (room - PARSE_SPARE_TOKENS);
		to = s->ip + n;
		if (to < s->end && (size_t)(s->end - to) < PARSE_LOOKAHEAD_BYTES) {
			if (stop == s->end && (size_t)(s->end - s->ip) / 2 <= room - PARSE_SPARE_TOKENS)
				to = s->end;     /* too near the end for look-ahead: all of it at once */
			else if ((size_t)(s->end - s->ip) > PARSE_LOOKAHEAD_BYTES)
				to = s->end - PARSE_LOOKAHEAD_BYTES;
			else
				to = s->ip;
		}
		if (to == s->ip) {               /* a small buffer: flush segments show less than there is */
			to = s->ip + (n < 2 * (room - PARSE_SPARE_TOKENS) ? n : 2 * (room - PARSE_SPARE_TOKENS));
			s->ip = parse(&s->finder, &s->tokens, s->ip, to, to);
			assert_ptr_equal(s->ip, to);
			continue;
		}
		{
			uint32_t before = s->tokens.count;
			const uint8_t *from = s->ip;

			s->ip = parse(&s->finder, &s->tokens, s->ip, to, to == stop && stop == s->end ? to : s->end);
			assert_true(s->ip >= to && s->ip <= s->end && s->ip - to <= (ptrdiff_t)PARSE_LOOKAHEAD_BYTES);
			assert_true(s->tokens.count - before <= (size_t)(to - from) / 2 + PARSE_SPARE_TOKENS);
		}
	}
}

/* Moves the window so that W bytes stay before ip, as a stream does when its buffer is full. */
static void slide(struct stream *s)
{
	ptrdiff_t by = s->ip - s->buffer - (ptrdiff_t)s->window_bytes;

	if (by <= 0)
		return;
	memmove(s->buffer, s->buffer + by, (size_t)(s->end - s->buffer - by));
	s->ip -= by;
	s->end -= by;
	s->slid_bytes += (uint64_t)by;
	zw_match_slide(&s->finder, (uint32_t)by);
}

/* Expands the tokens behind in[0..at) and compares with in[at..n). */
static void check_expands(const struct parse_setup *setup, const struct parse_result *r, const uint8_t *in, size_t at, size_t n)
{
	for (size_t i = 0; i < r->count; i++) {
		uint32_t token = r->tokens[i], index = token & TOKEN_INDEX_MASK;
		uint32_t second = token >> TOKEN_LITLEN_BITS & SECOND_MASK;

		if (index < 256) {
			assert_true(at < n && in[at] == index);
			at++;
			if (second != TOKEN_SECOND_NONE) {
				assert_true(second >= TOKEN_SECOND_LITERAL && at < n);
				assert_int_equal(in[at], second - TOKEN_SECOND_LITERAL);
				at++;
			}
		} else {
			unsigned len = index - TOKEN_LENGTH_BIAS;
			size_t distance = (token >> TOKEN_DISTANCE_SHIFT) + (second >= 28 ? 16384 : 0) + 1;

			assert_int_equal(zw_distance_symbol((unsigned)distance - 1), second);
			assert_true(distance <= at && distance <= (size_t)1 << setup->window_log2);
			assert_true(len >= MATCH_MIN_BYTES && len <= MATCH_MAX_BYTES && len <= n - at);
			for (unsigned k = 0; k < len; k++, at++)
				if (in[at] != in[at - distance])
					fail_msg("a match differs at byte %zu", at);
		}
	}
	assert_int_equal(at, n);
}

struct parse_result parse_run(const struct parse_setup *setup, const uint8_t *in, size_t n)
{
	struct stream s;
	size_t taken = setup->history_bytes, known = setup->size_known ? n - taken : SIZE_MAX, until_flush = setup->flush_bytes;

	open_stream(&s, setup);
	if (taken) {
		assert_true(taken <= s.window_bytes);
		memcpy(s.buffer, in, taken);
		s.ip = s.end = s.buffer + taken;
		zw_match_prepare(&s.finder, known);
		zw_match_insert_history(&s.finder, s.buffer, s.ip);
	}
	while (taken < n || s.ip < s.end) {
		const uint8_t *buffer_end = s.buffer + 2 * s.window_bytes;
		size_t part = n - taken;
		bool all;

		if (part > (size_t)(buffer_end - s.end))
			part = (size_t)(buffer_end - s.end);
		if (setup->flush_bytes && part > until_flush)
			part = until_flush;
		memcpy((uint8_t *)(uintptr_t)s.end, in + taken, part);
		s.end += part;
		taken += part;
		until_flush -= setup->flush_bytes ? part : 0;
		all = taken == n || (setup->flush_bytes && !until_flush);
		if (all)
			parse_up_to(&s, s.end, known);
		else if ((size_t)(s.end - s.ip) > PARSE_LOOKAHEAD_BYTES)
			parse_up_to(&s, s.end - PARSE_LOOKAHEAD_BYTES, known);
		if (setup->flush_bytes && !until_flush)
			until_flush = setup->flush_bytes;
		slide(&s);
	}
	end_block(&s);
	close_stream(&s);
	check_expands(setup, &s.all, in, setup->history_bytes, n);
	return s.all;
}

void parse_free(struct parse_result *r)
{
	free(r->tokens);
	r->tokens = NULL;
}

void parse_same(const struct parse_result *a, const struct parse_result *b, const char *what)
{
	if (a->count != b->count || (a->count && memcmp(a->tokens, b->tokens, a->count * sizeof(uint32_t)) != 0))
		fail_msg("tokens differ: %s", what);
}

static double entropy(const uint32_t *count, size_t n)
{
	double total = 0, bits = 0;

	for (size_t i = 0; i < n; i++)
		total += count[i];
	for (size_t i = 0; i < n; i++)
		if (count[i])
			bits -= count[i] * log2(count[i] / total);
	return bits;
}

double parse_entropy_bits(const struct parse_result *r)
{
	uint32_t litlen[TOKEN_INDEX_COUNT] = { 0 }, dist[DIST_CODE_COUNT] = { 0 };
	double extra = 0;

	for (size_t i = 0; i < r->count; i++) {
		uint32_t second = r->tokens[i] >> TOKEN_LITLEN_BITS & SECOND_MASK;

		litlen[r->tokens[i] & TOKEN_INDEX_MASK]++;
		if (second >= TOKEN_SECOND_LITERAL) {
			litlen[second - TOKEN_SECOND_LITERAL]++;
		} else if (second != TOKEN_SECOND_NONE) {
			dist[second]++;
			extra += second < 4 ? 0 : second / 2 - 1;
		}
	}
	return entropy(litlen, TOKEN_INDEX_COUNT) + entropy(dist, DIST_CODE_COUNT) + extra;
}

bool parse_wide_runs(void)
{
	return !ZW_ARCH_X86 || (zw_cpu_features() & ZW_NEEDS_X86_AVX2) == ZW_NEEDS_X86_AVX2;
}

/* The same input with the other body, and with every other fill of the arena: the same tokens. */
static void check_variants(struct parse_setup setup, const uint8_t *in, size_t n)
{
	struct parse_result first = parse_run(&setup, in, n), other;

	setup.fill = FILL_ONES;
	other = parse_run(&setup, in, n);
	parse_same(&first, &other, "an arena of ones");
	parse_free(&other);
	setup.fill = FILL_RANDOM;
	if (parse_wide_runs())
		setup.wide = !setup.wide;
	other = parse_run(&setup, in, n);
	parse_same(&first, &other, "the other body, a random arena");
	parse_free(&other);
	parse_free(&first);
}

void parse_input(int kind, uint64_t seed, size_t len_bytes, struct test_bytes *in)
{
	struct rng r = rng_seed(seed);
	uint8_t line[300];

	in->len_bytes = 0;
	if (kind < PARSE_NEAR_COPIES) {
		corpus_make((enum corpus_kind)kind, seed, len_bytes, in);
		return;
	}
	for (size_t i = 0; i < sizeof line; i++)
		line[i] = (uint8_t)rng_between(&r, 'a', 'c');
	while (in->len_bytes < len_bytes) {
		uint8_t *at = line + rng_below(&r, sizeof line), before = *at;

		*at = (uint8_t)rng_between(&r, 'x', 'z');
		bytes_append(in, line, sizeof line);
		*at = before;
	}
	in->len_bytes = len_bytes;
}

static void check_tiny(struct parse_setup setup)
{
	struct test_bytes in = { 0 };

	for (int kind = 0; kind < PARSE_INPUT_COUNT; kind++)
		for (size_t n = 0; n <= TINY_BYTES; n++) {
			parse_input(kind, n + 1, n, &in);
			setup.size_known = n & 1;
			setup.flush_bytes = n > 20 ? n % 7 : 0;
			check_variants(setup, in.data, n);
		}
	bytes_free(&in);
}

void parse_check_kind(int level, enum zw_strategy strategy)
{
	static const struct { unsigned window_log2, mem_level; size_t n, flush_bytes, history_bytes; } cases[] = {
		{ 15, 8, 150000, 0, 0 },   { 15, 9, 70000, 5000, 0 },  { 15, 1, 70000, 0, 3000 }, { 14, 7, 40000, 0, 0 },
		{ 13, 6, 20000, 1, 0 },    { 12, 5, 30000, 37, 4000 }, { 12, 9, 9000, 0, 4096 },  { 11, 4, 9000, 0, 0 },
		{ 10, 3, 9000, 900, 0 },   { 9, 2, 9000, 0, 0 },       { 9, 1, 9000, 100, 500 },  { 9, 9, 4000, 3, 0 },
		{ 15, 8, 14000, 0, 0 },    { 15, 8, 60000, 0, 0 },
	};
	static const struct zw_content contents[] = { { 0, 0 }, ALL_DIGITS };
	struct parse_setup setup = { .params = zw_level_params(level, strategy) };
	struct test_bytes in = { 0 };

	for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
		setup.window_log2 = cases[c].window_log2;
		setup.mem_level = cases[c].mem_level;
		for (int kind = 0; kind < PARSE_INPUT_COUNT; kind++) {
			setup.flush_bytes = cases[c].flush_bytes;
			setup.history_bytes = cases[c].history_bytes;
			setup.size_known = (kind + (int)c) & 1;
			setup.content = contents[(kind + (int)c / 2) & 1];
			parse_input(kind, c + 1, cases[c].n, &in);
			check_variants(setup, in.data, in.len_bytes);
		}
		setup.history_bytes = 0;
		if (c % 5 == 0)
			check_tiny(setup);
	}
	bytes_free(&in);
}
