/* SPDX-License-Identifier: Zlib */
/* bench_adversarial.c - what hostile inputs cost: streams that make inflate work most per byte, bodies that make deflate search
 * most, calls that are as small as can be.  Each library given runs each case in turn, round after round, in one process.
 *   bench_adversarial inflate|deflate[LEVELS][:TEXT] NAME=LIBZ [NAME=LIBZ...]
 * LEVELS: digits, else 169.  TEXT: only cases with it in their name.
 * Prints a table: ns per byte of the first library, and how many times the others' time that is not (above 1: it is faster).
 * Alone on a CPU, or the numbers mean nothing. */
#include "adversarial_bodies.h"
#include "bench_library.h"

#include "lib/bits.h"
#include "lib/corpus.h"
#include "lib/rng.h"

#include "zlib.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define ROUNDS        7

struct library {
	const char *name;
	__typeof__(inflateInit2_) *inflate_init;
	__typeof__(inflate) *inflate;
	__typeof__(inflateReset) *inflate_reset;
	__typeof__(inflateEnd) *inflate_end;
	__typeof__(deflateInit2_) *deflate_init;
	__typeof__(deflate) *deflate;
	__typeof__(deflateEnd) *deflate_end;
};

static struct library libraries[LIBRARIES_MAX];
static int library_count;
static const char *only = "", *levels = "169";

static void load(char *argument)
{
	struct library *l = libraries + library_count;
	void *handle = load_library(argument, library_count++);

	l->name = argument;
	find(handle, "inflateInit2_", &l->inflate_init);
	find(handle, "inflate", &l->inflate);
	find(handle, "inflateReset", &l->inflate_reset);
	find(handle, "inflateEnd", &l->inflate_end);
	find(handle, "deflateInit2_", &l->deflate_init);
	find(handle, "deflate", &l->deflate);
	find(handle, "deflateEnd", &l->deflate_end);
}

static double now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* ---- inflate: the streams ---------------------------------------------------------------------------------------- */

struct stream {
	const char *name;
	int    window_bits;
	size_t given, room;                      /* of each call */
	struct bits b;
};

static struct bits_code fixed_litlen, fixed_dist;

/* A whole code: lengths 1, 2, 3 .. 14, 15, 15 for the sixteen symbols at first, so that those at the end take 15 bits. */
static void deep(uint8_t *lens, unsigned first)
{
	for (unsigned i = 0; i < 16; i++)
		lens[first + i] = (uint8_t)(i < 15 ? i + 1 : 15);
}

static void tiny_dynamic(struct bits *b)
{
	uint8_t litlen[257] = { 0 };
	struct bits_code code;

	litlen['a'] = litlen[256] = 1;
	bits_make_code(&code, litlen, 257);
	while (b->bytes.len_bytes < CASE_BYTES) {
		bits_put_block_start(b, false, BLOCK_DYNAMIC);       /* 257 lengths, 1, and 18 of the precode's */
		bits_put(b, 0, 5);
		bits_put(b, 0, 5);
		bits_put(b, 14, 4);
		for (unsigned i = 0; i < 18; i++)                    /* of the order 16, 17, 18, 0 .. 1: words for 18, 0 and 1 */
			bits_put(b, i == 2 ? 1 : i == 3 || i == 17 ? 2 : 0, 3);
		bits_put_word(b, 0, 1);                              /* 97 zeros */
		bits_put(b, 97 - 11, 7);
		bits_put_word(b, 3, 2);                              /* 'a' */
		bits_put_word(b, 0, 1);                              /* 138 and 20 zeros */
		bits_put(b, 127, 7);
		bits_put_word(b, 0, 1);
		bits_put(b, 20 - 11, 7);
		bits_put_word(b, 3, 2);                              /* end of block */
		bits_put_word(b, 2, 2);                              /* no distances */
		bits_put_symbol(b, &code, 'a');
		bits_put_symbol(b, &code, 256);
	}
}

static void large_dynamic(struct bits *b)
{
	uint8_t litlen[286], dist[30];
	struct bits_code code;

	for (unsigned i = 0; i < 286; i++)                       /* 226 of 8 bits and 60 of 9 */
		litlen[i] = i < 226 ? 8 : 9;
	for (unsigned i = 0; i < 30; i++)                        /* 2 of 4 and 28 of 5 */
		dist[i] = i < 2 ? 4 : 5;
	bits_make_code(&code, litlen, 286);
	while (b->bytes.len_bytes < CASE_BYTES) {
		bits_put_dynamic_header(b, false, litlen, 286, dist, 30);
		bits_put_symbol(b, &code, 'a');
		bits_put_symbol(b, &code, 256);
	}
}

static void deep_dynamic(struct bits *b)
{
	uint8_t litlen[286] = { 0 }, dist[30] = { 0 };
	struct bits_code code;

	deep(litlen, 241);                                       /* 241 .. 256: the last literal and the end take 15 bits */
	deep(dist, 14);
	bits_make_code(&code, litlen, 286);
	while (b->bytes.len_bytes < CASE_BYTES) {
		bits_put_dynamic_header(b, false, litlen, 286, dist, 30);
		bits_put_symbol(b, &code, 255);
		bits_put_symbol(b, &code, 256);
	}
}

static void empty_fixed(struct bits *b)
{
	while (b->bytes.len_bytes < CASE_BYTES) {
		bits_put_block_start(b, false, BLOCK_FIXED);
		bits_put_symbol(b, &fixed_litlen, 256);
	}
}

static void stored_of(struct bits *b, uint16_t bytes)
{
	while (b->bytes.len_bytes < CASE_BYTES)
		bits_put_stored(b, false, "xyz", bytes);
}

static void deep_literals(struct bits *b)
{
	uint8_t litlen[286] = { 0 }, dist[30] = { 0 };
	struct bits_code code;

	deep(litlen, 241);
	deep(dist, 14);
	bits_make_code(&code, litlen, 286);
	bits_put_dynamic_header(b, false, litlen, 286, dist, 30);
	while (b->bytes.len_bytes < CASE_BYTES)
		bits_put_symbol(b, &code, 255);
	bits_put_symbol(b, &code, 256);
}

static void deep_matches(struct bits *b)
{
	uint8_t litlen[286] = { 0 }, dist[30] = { 0 };
	struct bits_code code, dist_code;
	uint8_t filler[32768] = { 1, 2, 3 };

	deep(litlen, 256);                                       /* lengths up to symbol 271: 15 bits for 270 and 271 */
	deep(dist, 14);                                          /* 28 and 29: 15 bits and 13 more */
	bits_make_code(&code, litlen, 286);
	bits_make_code(&dist_code, dist, 30);
	bits_put_stored(b, false, filler, 32768);
	bits_put_dynamic_header(b, false, litlen, 286, dist, 30);
	while (b->bytes.len_bytes < CASE_BYTES)
		bits_put_match(b, &code, &dist_code, 23 + (unsigned)(b->bytes.len_bytes % 8),
			       32768 - (unsigned)(b->bytes.len_bytes % 16000));
	bits_put_symbol(b, &code, 256);
}

static void all_same(struct bits *b)
{
	uint8_t litlen[286] = { 0 }, dist[1] = { 1 };
	struct bits_code code, dist_code;

	litlen['z'] = litlen[256] = 2;
	litlen[285] = 1;
	bits_make_code(&code, litlen, 286);
	bits_make_code(&dist_code, dist, 1);
	bits_put_dynamic_header(b, false, litlen, 286, dist, 1);
	bits_put_symbol(b, &code, 'z');
	while (b->bytes.len_bytes < CASE_BYTES / 20)             /* 1032 bytes from each */
		bits_put_match(b, &code, &dist_code, 258, 1);
	bits_put_symbol(b, &code, 256);
}

/* step 0: always far; else it walks over all distances. */
static void fixed_matches(struct bits *b, unsigned length, unsigned far, unsigned step)
{
	uint8_t filler[32768];
	struct rng random = rng_seed(1);

	rng_fill(&random, filler, sizeof filler);
	bits_put_stored(b, false, filler, 32768);
	bits_put_block_start(b, false, BLOCK_FIXED);
	for (unsigned distance = far; b->bytes.len_bytes < CASE_BYTES; distance = (distance + step) % 32768)
		bits_put_match(b, &fixed_litlen, &fixed_dist, length, step ? 1 + distance : far);
	bits_put_symbol(b, &fixed_litlen, 256);
}

static void end_raw(struct bits *b)
{
	bits_put_block_start(b, true, BLOCK_FIXED);
	bits_put_symbol(b, &fixed_litlen, 256);
	bits_end(b);
}

/* Text as the first library's level 6 packs it. */
static void text(struct bits *b, int window_bits)
{
	struct test_bytes body = { 0 };
	z_stream s = { 0 };

	corpus_make(CORPUS_HTML, 1, CASE_BYTES, &body);
	bytes_reserve(&b->bytes, 2 * CASE_BYTES);
	if (libraries[0].deflate_init(&s, 6, Z_DEFLATED, window_bits, 8, 0, ZLIB_VERSION, (int)sizeof s) != Z_OK)
		stop("deflateInit2", libraries[0].name);
	s.next_in = body.data;
	s.avail_in = (uInt)body.len_bytes;
	s.next_out = b->bytes.data;
	s.avail_out = (uInt)b->bytes.room_bytes;
	if (libraries[0].deflate(&s, Z_FINISH) != Z_STREAM_END)
		stop("deflate", libraries[0].name);
	b->bytes.len_bytes = s.total_out;
	libraries[0].deflate_end(&s);
	bytes_free(&body);
}

static void members(struct bits *b, unsigned text_bytes)
{
	while (b->bytes.len_bytes < CASE_BYTES) {
		bits_put_gzip_header(b, text_bytes ? GZIP_FLAG_EXTRA | GZIP_FLAG_NAME | GZIP_FLAG_COMMENT : 0);
		if (text_bytes) {
			bits_put(b, 65535, 16);
			for (unsigned i = 0; i < 65535; i++)
				bits_put(b, i & 255, 8);
			for (unsigned i = 0; i < 2 * text_bytes; i++)
				bits_put(b, i % text_bytes == text_bytes - 1 ? 0 : 'n', 8);
		}
		bits_put_block_start(b, true, BLOCK_FIXED);
		bits_put_symbol(b, &fixed_litlen, 256);
		bits_put_le32(b, 0);
		bits_put_le32(b, 0);
	}
	bits_end(b);
}

#define PIECE 32768

static struct stream streams[] = {
	{ "text, as a measure", -15, PIECE, PIECE, { .hold = 0 } },
	{ "dynamic blocks of one byte", -15, PIECE, PIECE, { .hold = 0 } },
	{ "dynamic blocks of one byte, all symbols", -15, PIECE, PIECE, { .hold = 0 } },
	{ "dynamic blocks of one byte, 15-bit codes", -15, PIECE, PIECE, { .hold = 0 } },
	{ "empty fixed blocks", -15, PIECE, PIECE, { .hold = 0 } },
	{ "empty stored blocks", -15, PIECE, PIECE, { .hold = 0 } },
	{ "stored blocks of one byte", -15, PIECE, PIECE, { .hold = 0 } },
	{ "literals of 15 bits", -15, PIECE, PIECE, { .hold = 0 } },
	{ "matches of 15 + 15 bits and extra", -15, PIECE, PIECE, { .hold = 0 } },
	{ "all the same, 1032 : 1", -15, PIECE, PIECE, { .hold = 0 } },
	{ "length 3, distance 1", -15, PIECE, PIECE, { .hold = 0 } },
	{ "length 3, distance 32768", -15, PIECE, PIECE, { .hold = 0 } },
	{ "length 3, every distance", -15, PIECE, PIECE, { .hold = 0 } },
	{ "length 258, every distance", -15, PIECE, PIECE, { .hold = 0 } },
	{ "gzip members of nothing", 31, PIECE, PIECE, { .hold = 0 } },
	{ "gzip headers of 96 KB", 31, PIECE, PIECE, { .hold = 0 } },
	{ "text, 1 byte in a call", 31, 1, PIECE, { .hold = 0 } },
	{ "text, 1 byte out a call", 31, PIECE, 1, { .hold = 0 } },
	{ "text, 1 byte in and out", 31, 1, 1, { .hold = 0 } },
	{ "dynamic blocks of one byte, 1 byte in", -15, 1, PIECE, { .hold = 0 } },
	{ "the same, all symbols, 1 byte in", -15, 1, PIECE, { .hold = 0 } },
	{ "text, 16 bytes in, 16 out", 31, 16, 16, { .hold = 0 } },
};

#define STREAM_COUNT (sizeof streams / sizeof streams[0])

static void make_streams(void)
{
	struct bits *all[STREAM_COUNT];

	bits_make_fixed_litlen(&fixed_litlen);
	bits_make_fixed_dist(&fixed_dist);
	for (size_t i = 0; i < STREAM_COUNT; i++)
		all[i] = &streams[i].b;
	text(all[0], -15);
	tiny_dynamic(all[1]);
	large_dynamic(all[2]);
	deep_dynamic(all[3]);
	empty_fixed(all[4]);
	stored_of(all[5], 0);
	stored_of(all[6], 1);
	deep_literals(all[7]);
	deep_matches(all[8]);
	all_same(all[9]);
	fixed_matches(all[10], 3, 1, 0);
	fixed_matches(all[11], 3, 32768, 0);
	fixed_matches(all[12], 3, 0, 4099);
	fixed_matches(all[13], 258, 0, 4099);
	for (unsigned i = 1; i <= 13; i++)
		end_raw(all[i]);
	members(all[14], 0);
	members(all[15], 16000);
	for (unsigned i = 16; i <= 18; i++)
		text(all[i], 31);
	tiny_dynamic(all[19]);
	end_raw(all[19]);
	large_dynamic(all[20]);
	end_raw(all[20]);
	text(all[21], 31);
}

/* Returns ns; out_bytes_ret receives all output. */
static double inflate_once(const struct library *l, const struct stream *t, uint64_t *out_bytes_ret)
{
	static uint8_t out[PIECE];
	const struct test_bytes *z = &t->b.bytes;
	double begin = now_ns(), end;
	size_t used = 0;
	uint64_t made = 0;
	z_stream s = { 0 };

	if (l->inflate_init(&s, t->window_bits, ZLIB_VERSION, (int)sizeof s) != Z_OK)
		stop("inflateInit2", l->name);
	for (;;) {
		uInt given = (uInt)(z->len_bytes - used < t->given ? z->len_bytes - used : t->given);
		int code;

		s.next_in = z->data + used;
		s.avail_in = given;
		s.next_out = out;
		s.avail_out = (uInt)t->room;
		code = l->inflate(&s, Z_NO_FLUSH);
		used += given - s.avail_in;
		made += t->room - s.avail_out;
		if (code == Z_STREAM_END && used == z->len_bytes)
			break;
		if (code == Z_STREAM_END)
			l->inflate_reset(&s);
		else if (code != Z_OK)
			stop(t->name, s.msg ? s.msg : l->name);
	}
	l->inflate_end(&s);
	end = now_ns();
	*out_bytes_ret = made;
	return end - begin;
}

/* ---- deflate: the bodies ----------------------------------------------------------------------------------------- */

struct body { const char *name; size_t piece, room; struct test_bytes bytes; };

static struct body bodies[] = {
	{ "HTML, as a measure", 0, 0, { 0 } }, { "all the same", 0, 0, { 0 } }, { "abab", 0, 0, { 0 } },
	{ "period 258", 0, 0, { 0 } }, { "period 32768", 0, 0, { 0 } }, { "de Bruijn, 4 letters", 0, 0, { 0 } },
	{ "blocks of 64, one byte differs", 0, 0, { 0 } }, { "blocks of 16, one byte differs", 0, 0, { 0 } },
	{ "the same triple every 5 bytes", 0, 0, { 0 } }, { "noise with repeats of 4", 0, 0, { 0 } }, { "noise", 0, 0, { 0 } },
	{ "Fibonacci counts", 0, 0, { 0 } }, { "HTML, 1 byte in a call", 1, 0, { 0 } }, { "HTML, 1 byte out a call", 0, 1, { 0 } },
	{ "genome", 0, 0, { 0 } }, { "lines, one byte differs", 0, 0, { 0 } }, { "white space of every length", 0, 0, { 0 } },
};

#define BODY_COUNT (sizeof bodies / sizeof bodies[0])

static void make_bodies(void)
{
	corpus_make(CORPUS_HTML, 1, CASE_BYTES, &bodies[0].bytes);
	corpus_make(CORPUS_SAME, 1, CASE_BYTES, &bodies[1].bytes);
	periodic(&bodies[2].bytes, 2);
	periodic(&bodies[3].bytes, 258);
	periodic(&bodies[4].bytes, 32768);
	corpus_make(CORPUS_DE_BRUIJN, 1, CASE_BYTES, &bodies[5].bytes);
	near_matches(&bodies[6].bytes, 64);
	near_matches(&bodies[7].bytes, 16);
	same_triples(&bodies[8].bytes);
	sparse_repeats(&bodies[9].bytes);
	corpus_make(CORPUS_RANDOM, 1, CASE_BYTES, &bodies[10].bytes);
	corpus_make(CORPUS_SKEWED, 1, CASE_BYTES, &bodies[11].bytes);
	corpus_make(CORPUS_HTML, 1, CASE_BYTES, &bodies[12].bytes);
	corpus_make(CORPUS_HTML, 1, CASE_BYTES, &bodies[13].bytes);
	genome(&bodies[14].bytes);
	near_copies(&bodies[15].bytes);
	indented(&bodies[16].bytes);
}

static double deflate_once(const struct library *l, const struct body *t, int level, uint64_t *out_bytes_ret)
{
	static uint8_t out[PIECE];
	double begin = now_ns(), end;
	size_t used = 0, piece = t->piece ? t->piece : PIECE, room = t->room ? t->room : PIECE;
	z_stream s = { 0 };
	int code;

	if (l->deflate_init(&s, level, Z_DEFLATED, 31, 8, 0, ZLIB_VERSION, (int)sizeof s) != Z_OK)
		stop("deflateInit2", l->name);
	do {
		uInt given = (uInt)(t->bytes.len_bytes - used < piece ? t->bytes.len_bytes - used : piece);

		s.next_in = t->bytes.data + used;
		s.avail_in = given;
		s.next_out = out;
		s.avail_out = (uInt)room;
		code = l->deflate(&s, used + given == t->bytes.len_bytes ? Z_FINISH : Z_NO_FLUSH);
		used += given - s.avail_in;
		if (code != Z_OK && code != Z_STREAM_END)
			stop(t->name, l->name);
	} while (code != Z_STREAM_END);
	*out_bytes_ret = s.total_out;
	l->deflate_end(&s);
	end = now_ns();
	return end - begin;
}

/* ---- the tables -------------------------------------------------------------------------------------------------- */

static double median(double *ns)
{
	qsort(ns, ROUNDS, sizeof *ns, by_value);
	return ns[ROUNDS / 2];
}

static void inflate_table(void)
{
	make_streams();
	printf("| case | ns per byte in | ns per byte out |");
	for (int l = 1; l < library_count; l++)
		printf(" %s's time |", libraries[l].name);
	printf("\n|---|--:|--:|");
	for (int l = 1; l < library_count; l++)
		printf("--:|");
	printf("\n");
	for (size_t i = 0; i < STREAM_COUNT; i++) {
		double ns[LIBRARIES_MAX][ROUNDS];
		uint64_t out_bytes = 0, first_bytes = 0;
		double first;

		if (!strstr(streams[i].name, only))
			continue;
		for (int round = -1; round < ROUNDS; round++)
			for (int l = 0; l < library_count; l++) {
				double t = inflate_once(libraries + l, streams + i, &out_bytes);

				if (l == 0)
					first_bytes = out_bytes;
				else if (out_bytes != first_bytes)
					stop(streams[i].name, "other output");
				if (round >= 0)
					ns[l][round] = t;
			}
		first = median(ns[0]);
		printf("| %s | %.2f | %.2f |", streams[i].name, first / (double)streams[i].b.bytes.len_bytes,
		       out_bytes ? first / (double)out_bytes : 0.0);
		for (int l = 1; l < library_count; l++)
			printf(" %.2f |", median(ns[l]) / first);
		printf("\n");
		fflush(stdout);
	}
}

static void deflate_table(void)
{
	make_bodies();
	printf("| body | level | ns per byte | bytes |");
	for (int l = 1; l < library_count; l++)
		printf(" %s's time | %s's bytes |", libraries[l].name, libraries[l].name);
	printf("\n|---|--:|--:|--:|");
	for (int l = 1; l < library_count; l++)
		printf("--:|--:|");
	printf("\n");
	for (size_t i = 0; i < BODY_COUNT; i++)
		for (const char *level = levels; *level >= '0' && *level <= '9'; level++) {
			double ns[LIBRARIES_MAX][ROUNDS];
			uint64_t out_bytes[LIBRARIES_MAX];
			double first;

			if (!strstr(bodies[i].name, only))
				continue;
			for (int round = -1; round < ROUNDS; round++)
				for (int l = 0; l < library_count; l++) {
					double t = deflate_once(libraries + l, bodies + i, *level - '0', out_bytes + l);

					if (round >= 0)
						ns[l][round] = t;
				}
			first = median(ns[0]);
			printf("| %s | %c | %.2f | %lu |", bodies[i].name, *level, first / (double)bodies[i].bytes.len_bytes,
			       (unsigned long)out_bytes[0]);
			for (int l = 1; l < library_count; l++)
				printf(" %.2f | %+.1f %% |", median(ns[l]) / first, 100.0 * (double)out_bytes[l] / (double)out_bytes[0] - 100.0);
			printf("\n");
			fflush(stdout);
		}
}

int main(int argc, char **argv)
{
	if (argc < 3 || (strncmp(argv[1], "inflate", 7) != 0 && strncmp(argv[1], "deflate", 7) != 0)) {
		fprintf(stderr, "usage: bench_adversarial inflate|deflate[LEVELS][:TEXT] NAME=LIBZ [NAME=LIBZ...]\n");
		return 2;
	}
	if (strchr(argv[1], ':'))
		only = strchr(argv[1], ':') + 1;
	if (argv[1][7] >= '0' && argv[1][7] <= '9')
		levels = argv[1] + 7;
	for (int i = 2; i < argc; i++)
		load(argv[i]);
	if (argv[1][0] == 'i')
		inflate_table();
	else
		deflate_table();
	return 0;
}
