/* SPDX-License-Identifier: Zlib */
/* test_errors.c - every way in which a stream can be wrong, written by hand: code, text and position are zlib's, in one piece and
 * byte by byte; and the streams next to them that are right. */
#include "lib/cmocka_all.h"

#include "inflate/twin.h"
#include "lib/bits.h"

enum wrapper { RAW = -15, ZLIB = 15, GZIP = 31, EITHER = 47, SMALL = 9 };

struct error_case {
	const char *breaks_if;
	int         window_bits;
	void      (*write)(struct bits *b);
	int         code;
	const char *message;                     /* NULL: none */
};

/* ---- parts ------------------------------------------------------------------------------------------------------- */

static uint8_t lens[LITLEN_CODE_COUNT + 2], dist_lens[DIST_CODE_COUNT];

/* Two literals, the end of the block and one length: a complete code of 2 bits each. */
static void four_symbols(void)
{
	memset(lens, 0, sizeof lens);
	memset(dist_lens, 0, sizeof dist_lens);
	lens['a'] = lens['b'] = lens[256] = lens[257] = 2;
}

static void put_coded(struct bits *b, unsigned symbol)
{
	struct bits_code c;

	bits_make_code(&c, lens, LITLEN_SYMBOL_COUNT);
	bits_put_symbol(b, &c, symbol);
}

static void put_header(struct bits *b, unsigned dist_count)
{
	bits_put_dynamic_header(b, true, lens, 258, dist_lens, dist_count);
}

static void put_fixed(struct bits *b, unsigned symbol)
{
	struct bits_code c;

	bits_make_fixed_litlen(&c);
	bits_put_symbol(b, &c, symbol);
}

static void begin_fixed(struct bits *b) { bits_put_block_start(b, true, BLOCK_FIXED); }

static void begin_dynamic(struct bits *b, unsigned hlit, unsigned hdist, unsigned hclen)
{
	bits_put_block_start(b, true, BLOCK_DYNAMIC);
	bits_put(b, hlit, 5);
	bits_put(b, hdist, 5);
	bits_put(b, hclen, 4);
}

/* All 19 precode lengths in the stream's order. */
static void put_precode(struct bits *b, const uint8_t *by_symbol)
{
	static const uint8_t order[PRECODE_SYMBOL_COUNT] = { 16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15 };

	for (unsigned i = 0; i < PRECODE_SYMBOL_COUNT; i++)
		bits_put(b, by_symbol[order[i]], 3);
}

/* ---- wrappers ---------------------------------------------------------------------------------------------------- */

static void bad_check_bits(struct bits *b) { bits_put_bytes(b, "\x78\x9d", 2); }
static void bad_method(struct bits *b)     { bits_put_bytes(b, "\x77\x85", 2); }
static void bad_window(struct bits *b)     { bits_put_bytes(b, "\x88\x1c", 2); }
static void big_window(struct bits *b)     { bits_put_zlib_header(b, 15, false); }
static void plain_text(struct bits *b)     { bits_put_bytes(b, "hello", 5); }
static void zlib_in_gzip(struct bits *b)   { bits_put_zlib_header(b, 15, false); }
static void gzip_method(struct bits *b)    { bits_put_bytes(b, "\x1f\x8b\x07\x00\0\0\0\0\0\3", 10); }
static void gzip_flags(struct bits *b)     { bits_put_gzip_header(b, 0x20); }
static void gzip_flags_top(struct bits *b) { bits_put_gzip_header(b, 0x80); }

static void gzip_header_crc(struct bits *b)
{
	bits_put_gzip_header(b, GZIP_FLAG_HEADER_CRC);
	bits_put_bytes(b, "\x12\x34", 2);
}

static void gzip_good_header_crc(struct bits *b)
{
	const uint8_t header[GZIP_HEADER_BYTES] = { GZIP_MAGIC_1, GZIP_MAGIC_2, 8, GZIP_FLAG_HEADER_CRC, 0, 0, 0, 0, 0, GZIP_OS_UNIX };

	bits_put_gzip_header(b, GZIP_FLAG_HEADER_CRC);
	bits_put(b, bits_crc32(0, header, sizeof header) & 0xffff, 16);
	bits_put_stored(b, true, "", 0);
	bits_put_le32(b, 0);
	bits_put_le32(b, 0);
}

static void gzip_wrong_crc(struct bits *b)
{
	bits_put_gzip_header(b, 0);
	bits_put_stored(b, true, "a", 1);
	bits_put_le32(b, 0x12345678);
	bits_put_le32(b, 1);
}

static void gzip_wrong_length(struct bits *b)
{
	bits_put_gzip_header(b, 0);
	bits_put_stored(b, true, "a", 1);
	bits_put_le32(b, bits_crc32(0, (const uint8_t *)"a", 1));
	bits_put_le32(b, 2);
}

static void zlib_wrong_adler(struct bits *b)
{
	bits_put_zlib_header(b, 15, false);
	bits_put_stored(b, true, "a", 1);
	bits_put_be32(b, 0x00620063);
}

static void zlib_good(struct bits *b)
{
	bits_put_zlib_header(b, 15, false);
	bits_put_stored(b, true, "a", 1);
	bits_put_be32(b, 0x00620062);
}

/* ---- blocks ------------------------------------------------------------------------------------------------------ */

static void block_type(struct bits *b) { bits_put_block_start(b, true, 3); }

static void stored_lengths(struct bits *b)
{
	bits_put_block_start(b, true, BLOCK_STORED);
	bits_align(b);
	bits_put(b, 5, 16);
	bits_put(b, 5, 16);
}

static void many_litlens(struct bits *b)   { begin_dynamic(b, 30, 0, 15); }
static void many_distances(struct bits *b) { begin_dynamic(b, 0, 30, 15); }

static void precode_over(struct bits *b)
{
	uint8_t l[PRECODE_SYMBOL_COUNT] = { 1, 1, 1 };

	begin_dynamic(b, 0, 0, 15);
	put_precode(b, l);
}

static void precode_incomplete(struct bits *b)
{
	uint8_t l[PRECODE_SYMBOL_COUNT] = { 2, 2, 2 };

	begin_dynamic(b, 0, 0, 15);
	put_precode(b, l);
}

static void precode_single(struct bits *b)
{
	uint8_t l[PRECODE_SYMBOL_COUNT] = { [18] = 1 };

	begin_dynamic(b, 0, 0, 15);
	put_precode(b, l);
}

static void precode_empty(struct bits *b)    /* decodes as zeros, one bit each */
{
	uint8_t l[PRECODE_SYMBOL_COUNT] = { 0 };

	begin_dynamic(b, 0, 0, 15);
	put_precode(b, l);
	for (unsigned i = 0; i < 258; i++)
		bits_put(b, i & 1, 1);
}

static void repeat_of_nothing(struct bits *b)
{
	uint8_t l[PRECODE_SYMBOL_COUNT] = { [0] = 1, [16] = 1 };

	begin_dynamic(b, 0, 0, 15);
	put_precode(b, l);
	bits_put(b, 1, 1);                       /* symbol 16 first */
	bits_put(b, 0, 2);
}

static void repeat_past_the_end(struct bits *b)
{
	uint8_t l[PRECODE_SYMBOL_COUNT] = { [1] = 1, [18] = 1 };

	begin_dynamic(b, 0, 0, 15);              /* 257 + 1 lengths */
	put_precode(b, l);
	for (unsigned i = 0; i < 2; i++) {       /* 138 zeros twice */
		bits_put(b, 1, 1);
		bits_put(b, 127, 7);
	}
}

static void repeat_to_the_very_end(struct bits *b) /* 257 litlen lengths and a distance length by one run: allowed */
{
	uint8_t l[PRECODE_SYMBOL_COUNT] = { [1] = 2, [18] = 2, [0] = 2, [16] = 2 };
	struct bits_code c;

	begin_dynamic(b, 0, 1, 15);              /* 257 + 2 */
	put_precode(b, l);
	bits_make_code(&c, l, PRECODE_SYMBOL_COUNT);
	bits_put_symbol(b, &c, 18);
	bits_put(b, 138 - 11, 7);
	bits_put_symbol(b, &c, 18);
	bits_put(b, 117 - 11, 7);                /* 0..254 */
	bits_put_symbol(b, &c, 1);               /* 255 */
	bits_put_symbol(b, &c, 16);              /* 256 and both distances */
	bits_put(b, 0, 2);
	bits_put(b, 0, 1);                       /* 255 */
	bits_put(b, 1, 1);                       /* 256: end of block */
}

static void no_end_of_block(struct bits *b)
{
	four_symbols();
	lens[256] = 0;
	lens['c'] = 2;
	put_header(b, 1);
}

static void litlen_over(struct bits *b)
{
	four_symbols();
	lens['c'] = 2;
	put_header(b, 1);
}

static void litlen_incomplete(struct bits *b)
{
	four_symbols();
	lens['b'] = 0;
	put_header(b, 1);
}

static void litlen_single_of_two_bits(struct bits *b)
{
	four_symbols();
	lens['a'] = lens['b'] = lens[257] = 0;
	put_header(b, 1);
}

static void litlen_only_end(struct bits *b)  /* one 1-bit code is allowed */
{
	four_symbols();
	lens['a'] = lens['b'] = lens[257] = 0;
	lens[256] = 1;
	put_header(b, 1);
	bits_put(b, 0, 1);
}

static void litlen_hole(struct bits *b)      /* ... and its other half is nothing */
{
	four_symbols();
	lens['a'] = lens['b'] = lens[257] = 0;
	lens[256] = 1;
	put_header(b, 1);
	bits_put(b, 1, 1);
}

static void distance_over(struct bits *b)
{
	four_symbols();
	memset(dist_lens, 1, 3);
	put_header(b, 3);
}

static void distance_incomplete(struct bits *b)
{
	four_symbols();
	dist_lens[0] = dist_lens[1] = 2;
	put_header(b, 2);
}

static void distance_single_of_two_bits(struct bits *b)
{
	four_symbols();
	dist_lens[0] = 2;
	put_header(b, 1);
}

static void distance_single(struct bits *b)  /* one 1-bit code is allowed */
{
	four_symbols();
	dist_lens[0] = 1;
	put_header(b, 1);
	put_coded(b, 'a');
	put_coded(b, 257);
	bits_put(b, 0, 1);
	put_coded(b, 256);
}

static void distance_hole(struct bits *b)
{
	four_symbols();
	dist_lens[0] = 1;
	put_header(b, 1);
	put_coded(b, 'a');
	put_coded(b, 257);
	bits_put(b, 1, 1);
}

static void distance_none_unused(struct bits *b)
{
	four_symbols();
	put_header(b, 1);
	put_coded(b, 'a');
	put_coded(b, 256);
}

static void distance_none_used(struct bits *b)
{
	four_symbols();
	put_header(b, 1);
	put_coded(b, 'a');
	put_coded(b, 257);
	bits_put(b, 0, 1);
}

static void fixed_286(struct bits *b) { begin_fixed(b); put_fixed(b, 'x'); put_fixed(b, 286); }
static void fixed_287(struct bits *b) { begin_fixed(b); put_fixed(b, 287); }

static void fixed_distance(struct bits *b, unsigned symbol, unsigned extra_bits)
{
	begin_fixed(b);
	put_fixed(b, 'x');
	put_fixed(b, 257);
	bits_put_word(b, symbol, 5);
	bits_put(b, 0, extra_bits);
	put_fixed(b, 256);
}

static void fixed_30(struct bits *b)     { fixed_distance(b, 30, 13); }
static void fixed_31(struct bits *b)     { fixed_distance(b, 31, 13); }
static void too_far_by_1(struct bits *b) { fixed_distance(b, 1, 0); }
static void just_in_reach(struct bits *b){ fixed_distance(b, 0, 0); }
static void too_far_at_once(struct bits *b)
{
	begin_fixed(b);
	put_fixed(b, 257);
	bits_put_word(b, 0, 5);
}

static void too_far_in_zlib(struct bits *b)  /* in a wrapper the check reads the same */
{
	bits_put_zlib_header(b, 15, false);
	too_far_by_1(b);
}

static const struct error_case error_cases[] = {
	{ "check bits are not looked at",           ZLIB,   bad_check_bits,        Z_DATA_ERROR, "incorrect header check" },
	{ "text is taken for a header",             EITHER, plain_text,            Z_DATA_ERROR, "incorrect header check" },
	{ "zlib passes for gzip",                   GZIP,   zlib_in_gzip,          Z_DATA_ERROR, "incorrect header check" },
	{ "another method is accepted",             ZLIB,   bad_method,            Z_DATA_ERROR, "unknown compression method" },
	{ "a window over 32 KB is accepted",        ZLIB,   bad_window,            Z_DATA_ERROR, "invalid window size" },
	{ "... or by auto-detection",               EITHER, bad_window,            Z_DATA_ERROR, "invalid window size" },
	{ "a window over the caller's is accepted", SMALL,  big_window,            Z_DATA_ERROR, "invalid window size" },
	{ "another gzip method is accepted",        GZIP,   gzip_method,           Z_DATA_ERROR, "unknown compression method" },
	{ "reserved gzip flags are ignored",        GZIP,   gzip_flags,            Z_DATA_ERROR, "unknown header flags set" },
	{ "the top gzip flag is ignored",           GZIP,   gzip_flags_top,        Z_DATA_ERROR, "unknown header flags set" },
	{ "the header CRC is not compared",         GZIP,   gzip_header_crc,       Z_DATA_ERROR, "header crc mismatch" },
	{ "a right header CRC is refused",          GZIP,   gzip_good_header_crc,  Z_STREAM_END, NULL },
	{ "the CRC is not compared",                GZIP,   gzip_wrong_crc,        Z_DATA_ERROR, "incorrect data check" },
	{ "the length is not compared",             GZIP,   gzip_wrong_length,     Z_DATA_ERROR, "incorrect length check" },
	{ "the Adler is not compared",              ZLIB,   zlib_wrong_adler,      Z_DATA_ERROR, "incorrect data check" },
	{ "a right Adler is refused",               ZLIB,   zlib_good,             Z_STREAM_END, NULL },
	{ "block type 3 is accepted",               RAW,    block_type,            Z_DATA_ERROR, "invalid block type" },
	{ "NLEN is not compared",                   RAW,    stored_lengths,        Z_DATA_ERROR, "invalid stored block lengths" },
	{ "287 litlen lengths are accepted",        RAW,    many_litlens,          Z_DATA_ERROR, "too many length or distance symbols" },
	{ "31 distance lengths are accepted",       RAW,    many_distances,        Z_DATA_ERROR, "too many length or distance symbols" },
	{ "an over-subscribed precode is built",    RAW,    precode_over,          Z_DATA_ERROR, "invalid code lengths set" },
	{ "an incomplete precode is built",         RAW,    precode_incomplete,    Z_DATA_ERROR, "invalid code lengths set" },
	{ "a one-code precode is built",            RAW,    precode_single,        Z_DATA_ERROR, "invalid code lengths set" },
	{ "an empty precode is refused too early",  RAW,    precode_empty,         Z_DATA_ERROR, "invalid code -- missing end-of-block" },
	{ "a repeat repeats nothing",               RAW,    repeat_of_nothing,     Z_DATA_ERROR, "invalid bit length repeat" },
	{ "a repeat passes the end",                RAW,    repeat_past_the_end,   Z_DATA_ERROR, "invalid bit length repeat" },
	{ "a repeat may not cross into distances",  RAW,    repeat_to_the_very_end, Z_STREAM_END, NULL },
	{ "a block without an end is accepted",     RAW,    no_end_of_block,       Z_DATA_ERROR, "invalid code -- missing end-of-block" },
	{ "an over-subscribed litlen code",         RAW,    litlen_over,           Z_DATA_ERROR, "invalid literal/lengths set" },
	{ "an incomplete litlen code",              RAW,    litlen_incomplete,     Z_DATA_ERROR, "invalid literal/lengths set" },
	{ "a single litlen code of 2 bits",         RAW,    litlen_single_of_two_bits, Z_DATA_ERROR, "invalid literal/lengths set" },
	{ "a single 1-bit litlen code is refused",  RAW,    litlen_only_end,       Z_STREAM_END, NULL },
	{ "its other half is an alias",             RAW,    litlen_hole,           Z_DATA_ERROR, "invalid literal/length code" },
	{ "an over-subscribed distance code",       RAW,    distance_over,         Z_DATA_ERROR, "invalid distances set" },
	{ "an incomplete distance code",            RAW,    distance_incomplete,   Z_DATA_ERROR, "invalid distances set" },
	{ "a single distance code of 2 bits",       RAW,    distance_single_of_two_bits, Z_DATA_ERROR, "invalid distances set" },
	{ "a single 1-bit distance code is refused", RAW,   distance_single,       Z_STREAM_END, NULL },
	{ "its other half is an alias",             RAW,    distance_hole,         Z_DATA_ERROR, "invalid distance code" },
	{ "no distance code at all is refused",     RAW,    distance_none_unused,  Z_STREAM_END, NULL },
	{ "... or used",                            RAW,    distance_none_used,    Z_DATA_ERROR, "invalid distance code" },
	{ "fixed symbol 286 is a length",           RAW,    fixed_286,             Z_DATA_ERROR, "invalid literal/length code" },
	{ "fixed symbol 287 is a length",           RAW,    fixed_287,             Z_DATA_ERROR, "invalid literal/length code" },
	{ "fixed distance 30 is one",               RAW,    fixed_30,              Z_DATA_ERROR, "invalid distance code" },
	{ "fixed distance 31 is one",               RAW,    fixed_31,              Z_DATA_ERROR, "invalid distance code" },
	{ "a distance before the first byte",       RAW,    too_far_by_1,          Z_DATA_ERROR, "invalid distance too far back" },
	{ "a distance with nothing before it",      RAW,    too_far_at_once,       Z_DATA_ERROR, "invalid distance too far back" },
	{ "the same in a wrapper",                  ZLIB,   too_far_in_zlib,       Z_DATA_ERROR, "invalid distance too far back" },
	{ "the farthest right distance is refused", RAW,    just_in_reach,         Z_STREAM_END, NULL },
};

/* padding: bytes behind the stream, so that the fast loop sees the fault; step: bytes of input a call. */
static void run_case(struct twin *t, const struct error_case *c, size_t padding, size_t step, size_t room)
{
	struct bits b = { 0 };
	struct test_bytes *z;

	c->write(&b);
	z = bits_end(&b);
	for (size_t i = 0; i < padding; i++)
		bytes_append_byte(z, 0);
	twin_open(t, c->window_bits);
	for (unsigned calls = 0; calls < 1000 && !t->fault && (t->code == Z_OK || t->code == Z_BUF_ERROR); calls++) {
		size_t left = z->len_bytes - t->used_bytes;

		twin_inflate(t, z->data + t->used_bytes, left < step ? left : step, room, Z_NO_FLUSH);
	}
	if (t->fault || t->code != c->code || (c->message && (!t->ours.msg || strcmp(t->ours.msg, c->message) != 0)))
		fail_msg("%s (padding %zu, step %zu, room %zu): code %d, msg %s; %s", c->breaks_if, padding, step, room, t->code,
			 t->ours.msg ? t->ours.msg : "none", t->text);
	if (!c->message)
		assert_null(t->ours.msg);
	twin_close(t);
	bits_free(&b);
}

static void test_every_error_is_found_named_and_placed(void **state)
{
	struct twin t;

	(void)state;
	twin_begin(&t);
	for (size_t i = 0; i < sizeof error_cases / sizeof error_cases[0]; i++) {
		run_case(&t, &error_cases[i], 0, 1000, 1000);
		run_case(&t, &error_cases[i], 100, 1000, 1000);
		run_case(&t, &error_cases[i], 0, 1, 1000);
		run_case(&t, &error_cases[i], 100, 1, 1);
		run_case(&t, &error_cases[i], 9, 3, 5);
	}
	twin_end(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_every_error_is_found_named_and_placed) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
