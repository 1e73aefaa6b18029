/* SPDX-License-Identifier: Zlib */
/* contract_inflate_state.c - inflate's dictionaries, copies, resets, primed bits, marks, resynchronisation; inflateBack().
 * Random streams beside the system's zlib: tests/inflate/. */
#include "abi/contract.h"

#define BODY_BYTES 100000

static struct test_bytes body, raw;

static int make_body(void **state)
{
	(void)state;
	corpus_make(CORPUS_JSON, 13, BODY_BYTES, &body);
	contract_pack(peer_ours(), 6, -15, body.data, BODY_BYTES, &raw);
	return 0;
}

static int free_body(void **state)
{
	(void)state;
	bytes_free(&body);
	bytes_free(&raw);
	return 0;
}

static void begin(const struct peer_zlib *p, z_stream *s, int window_bits)
{
	*s = (z_stream){ 0 };
	EXPECT(p, contract_inflate_init(p, s, window_bits), Z_OK);
}

/* ---- dictionaries ---------------------------------------------------------------------------------------------- */

/* A stream with a dictionary stops behind its header: Z_NEED_DICT, with the name in adler, until the right one is given. */
static void a_dictionary_is_asked_for(void **state)
{
	static const Bytef words[] = "abcdefghijklmnopqrstuvwxyz";
	Bytef out[100];

	(void)state;
	EACH_ZLIB(p) {
		struct test_bytes packed = { 0 };
		z_stream s = { 0 };

		EXPECT(p, contract_deflate_init(p, &s, 6, 15), Z_OK);
		EXPECT(p, p->deflateSetDictionary(&s, words, 26), Z_OK);
		EXPECT(p, streams_deflate(p, &s, words, 26, Z_FINISH, &packed), Z_STREAM_END);
		EXPECT(p, p->deflateEnd(&s), Z_OK);
		begin(p, &s, 15);
		EXPECT(p, p->inflateSetDictionary(&s, words, 26), Z_STREAM_ERROR);       /* not asked for yet */
		contract_input(&s, packed.data, packed.len_bytes);
		contract_output(&s, out, sizeof out);
		EXPECT(p, p->inflate(&s, Z_FINISH), Z_NEED_DICT);
		EXPECT(p, s.avail_in, packed.len_bytes - 6);
		EXPECT(p, s.total_in, 0);                                /* the header is taken, but not counted */
		EXPECT(p, s.adler, p->adler32(1, words, 26));
		EXPECT(p, p->inflate(&s, Z_FINISH), Z_NEED_DICT);
		EXPECT(p, p->inflateSetDictionary(&s, words, 25), Z_DATA_ERROR);
		EXPECT(p, p->inflateSetDictionary(&s, words, 26), Z_OK);
		EXPECT(p, p->inflateSetDictionary(&s, words, 26), Z_OK);          /* again does no harm */
		EXPECT(p, p->inflate(&s, Z_FINISH), Z_STREAM_END);
		assert_memory_equal(out, words, 26);
		EXPECT(p, p->inflateEnd(&s), Z_OK);
		bytes_free(&packed);
	}
}

/* Raw: at any time, several times; each is appended to the history, of which the last 32 KB count. */
static void raw_dictionaries_add_up(void **state)
{
	static Bytef back[40000];

	(void)state;
	EACH_ZLIB(p) {
		uInt len = 0;
		z_stream s;

		begin(p, &s, -15);
		EXPECT(p, p->inflateGetDictionary(&s, NULL, &len), Z_OK);
		EXPECT(p, len, 0);
		for (size_t at = 0; at < 60000; at += 7000) {
			size_t total = at + 7000 < 32768 ? at + 7000 : 32768;

			EXPECT(p, p->inflateSetDictionary(&s, body.data + at, 7000), Z_OK);
			EXPECT(p, p->inflateGetDictionary(&s, NULL, NULL), Z_OK);
			EXPECT(p, p->inflateGetDictionary(&s, back, &len), Z_OK);
			EXPECT_AT(p, (long long)at, len, total);
			assert_memory_equal(back, body.data + at + 7000 - total, total);
		}
		EXPECT(p, p->inflateSetDictionary(&s, body.data, 40000), Z_OK);
		EXPECT(p, p->inflateGetDictionary(&s, back, &len), Z_OK);
		EXPECT(p, len, 32768);
		assert_memory_equal(back, body.data + 40000 - 32768, 32768);
		EXPECT(p, p->inflateEnd(&s), Z_OK);
	}
}

/* ---- copies and resets ----------------------------------------------------------------------------------------- */

/* A copy in the middle, after whose making the original ends, gives the same rest. */
static void a_copy_goes_its_own_way(void **state)
{
	static Bytef out[BODY_BYTES];

	(void)state;
	EACH_ZLIB(p)
		for (size_t cut = 1; cut < raw.len_bytes; cut = cut * 2 + 1) {
			z_stream s, t = { 0 };
			size_t before;

			begin(p, &s, -15);
			EXPECT(p, p->inflateCopy(NULL, &s), Z_STREAM_ERROR);
			contract_input(&s, raw.data, cut);
			contract_output(&s, out, BODY_BYTES);
			EXPECT(p, p->inflate(&s, Z_NO_FLUSH), Z_OK);
			before = s.total_out;
			EXPECT(p, p->inflateCopy(&t, &s), Z_OK);
			EXPECT(p, p->inflateEnd(&s), Z_OK);
			EXPECT(p, t.total_out, before);
			contract_input(&t, raw.data + cut, raw.len_bytes - cut);
			EXPECT_AT(p, (long long)cut, p->inflate(&t, Z_NO_FLUSH), Z_STREAM_END);
			assert_memory_equal(out, body.data, BODY_BYTES);
			EXPECT(p, p->inflateEnd(&t), Z_OK);
		}
}

/* inflateReset2() takes any windowBits that Init2 takes, and leaves the stream as it was at one that it refuses. */
static void a_reset_may_change_the_format(void **state)
{
	static const int bits[] = { 15, 31, -15, 47, 0, 9, 25 };
	static Bytef out[BODY_BYTES];

	(void)state;
	EACH_ZLIB(p) {
		z_stream s;

		begin(p, &s, 15);
		for (size_t k = 0; k < 7; k++) {
			int format = bits[k] == 47 ? 31 : bits[k] == 0 ? 15 : bits[k];
			struct test_bytes packed = { 0 };

			contract_pack(p, 6, format, body.data, BODY_BYTES, &packed);
			EXPECT(p, p->inflateReset2(&s, bits[k]), Z_OK);
			EXPECT(p, s.total_in, 0);
			EXPECT(p, s.total_out, 0);
			EXPECT(p, s.msg == NULL, 1);
			contract_input(&s, packed.data, packed.len_bytes);
			contract_output(&s, out, 100);
			EXPECT(p, p->inflate(&s, Z_NO_FLUSH), Z_OK);     /* has a window now */
			EXPECT(p, p->inflateReset2(&s, 7), Z_STREAM_ERROR);
			EXPECT(p, p->inflateReset2(&s, 50), Z_STREAM_ERROR);
			contract_output(&s, out + 100, BODY_BYTES - 100);
			EXPECT_AT(p, bits[k], p->inflate(&s, Z_FINISH), Z_STREAM_END);
			assert_memory_equal(out, body.data, BODY_BYTES);
			bytes_free(&packed);
		}
		EXPECT(p, p->inflateEnd(&s), Z_OK);
	}
}

/* ---- bits, marks, resynchronisation ---------------------------------------------------------------------------- */

static void primed_bits_come_before_the_input(void **state)
{
	Bytef out[10];

	(void)state;
	EACH_ZLIB(p) {
		z_stream s;

		begin(p, &s, -15);
		EXPECT(p, p->inflatePrime(&s, 17, 0), Z_STREAM_ERROR);
		EXPECT(p, p->inflatePrime(&s, 0, 0), Z_OK);
		EXPECT(p, p->inflatePrime(&s, 5, 0x7f), Z_OK);                   /* thrown away again */
		EXPECT(p, p->inflatePrime(&s, -1, 0), Z_OK);
		EXPECT(p, p->inflatePrime(&s, 3, 0xfb), Z_OK);                   /* 3: the low bits of it */
		EXPECT(p, p->inflatePrime(&s, 7, 0), Z_OK);
		contract_input(&s, NULL, 0);
		contract_output(&s, out, sizeof out);
		EXPECT(p, p->inflate(&s, Z_NO_FLUSH), Z_STREAM_END);             /* an empty fixed block without any input */
		EXPECT(p, s.total_out, 0);
		EXPECT(p, p->inflateEnd(&s), Z_OK);
	}
}

/* Outside a block -65536; in a stored block the bytes that are left below it. */
static void a_mark_outside_of_codes(void **state)
{
	static const Bytef stored[] = "\x01\x0a\x00\xf5\xff" "0123456789";
	Bytef out[20];

	(void)state;
	EACH_ZLIB(p) {
		z_stream s;

		begin(p, &s, -15);
		EXPECT(p, p->inflateMark(&s), -65536);
		contract_input(&s, stored, 5 + 4);
		contract_output(&s, out, sizeof out);
		EXPECT(p, p->inflate(&s, Z_NO_FLUSH), Z_OK);
		EXPECT(p, p->inflateMark(&s), -65536 + 6);
		contract_input(&s, stored + 9, 6);
		EXPECT(p, p->inflate(&s, Z_NO_FLUSH), Z_STREAM_END);
		EXPECT(p, p->inflateMark(&s), -65536);
		EXPECT(p, p->inflateEnd(&s), Z_OK);
	}
}

/* In the middle of a match for which there was no room: how much of it has come out, in the low half. docs/abi.md, inflate 2. */
static void a_mark_in_a_match(void **state)
{
	Bytef same[300], out[300];

	(void)state;
	memset(same, 'a', sizeof same);
	EACH_ZLIB(p) {
		struct test_bytes packed = { 0 };
		z_stream s;
		long mark;

		contract_pack(p, 6, -15, same, sizeof same, &packed);
		begin(p, &s, -15);
		contract_input(&s, packed.data, packed.len_bytes);
		contract_output(&s, out, 100);
		EXPECT(p, p->inflate(&s, Z_NO_FLUSH), Z_OK);
		mark = p->inflateMark(&s);
		assert_true(mark >= 0);
		assert_between(mark & 0xffff, 1, 258);
		EXPECT(p, p->inflateEnd(&s), Z_OK);
		bytes_free(&packed);
	}
}

/* After damage: to the next full flush point, over any number of calls; what is behind it decodes. */
static void the_next_flush_point_is_found(void **state)
{
	static Bytef out[BODY_BYTES];

	(void)state;
	EACH_ZLIB(p) {
		struct test_bytes packed = { 0 };
		size_t first;
		z_stream s = { 0 };
		int code;

		EXPECT(p, contract_deflate_init(p, &s, 6, -15), Z_OK);
		EXPECT(p, streams_deflate(p, &s, body.data, 30000, Z_FULL_FLUSH, &packed), Z_OK);
		first = packed.len_bytes;
		EXPECT(p, streams_deflate(p, &s, body.data + 30000, BODY_BYTES - 30000, Z_FINISH, &packed), Z_STREAM_END);
		EXPECT(p, p->deflateEnd(&s), Z_OK);
		packed.data[0] |= 6;
		begin(p, &s, -15);
		EXPECT(p, p->inflateSync(&s), Z_BUF_ERROR);              /* nothing to search */
		contract_input(&s, packed.data, 50);
		contract_output(&s, out, BODY_BYTES);
		EXPECT(p, p->inflate(&s, Z_NO_FLUSH), Z_DATA_ERROR);
		EXPECT(p, p->inflateSync(&s), Z_DATA_ERROR);
		EXPECT(p, s.avail_in, 0);
		contract_input(&s, packed.data + 50, packed.len_bytes - 50);
		EXPECT(p, p->inflateSync(&s), Z_OK);
		EXPECT(p, s.total_in, first);
		EXPECT(p, s.avail_in, packed.len_bytes - first);
		code = p->inflate(&s, Z_FINISH);
		EXPECT(p, code, Z_STREAM_END);
		assert_memory_equal(out, body.data + 30000, BODY_BYTES - 30000);
		EXPECT(p, p->inflateEnd(&s), Z_OK);
		bytes_free(&packed);
	}
}

/* Only behind the lengths of a stored block, with no bits held: what a Z_SYNC_FLUSH leaves. */
static void a_sync_point_is_recognised(void **state)
{
	Bytef out[100];

	(void)state;
	EACH_ZLIB(p) {
		struct test_bytes packed = { 0 };
		z_stream s = { 0 };

		EXPECT(p, contract_deflate_init(p, &s, 6, -15), Z_OK);
		EXPECT(p, streams_deflate(p, &s, "hello hello hello", 17, Z_SYNC_FLUSH, &packed), Z_OK);
		(void)p->deflateEnd(&s);
		begin(p, &s, -15);
		EXPECT(p, p->inflateSyncPoint(&s), 0);
		contract_output(&s, out, sizeof out);
		for (size_t at = 0; at + 4 < packed.len_bytes; at++) {
			contract_input(&s, packed.data + at, 1);
			EXPECT(p, p->inflate(&s, Z_NO_FLUSH), Z_OK);
		}
		EXPECT(p, p->inflateSyncPoint(&s), 1);   /* as rsync asks it: before the four bytes */
		EXPECT(p, p->inflateEnd(&s), Z_OK);
		bytes_free(&packed);
	}
}

/* ---- inflateBack() --------------------------------------------------------------------------------------------- */

struct back { const Bytef *next; size_t left, piece, got, stop_at; Bytef *out; unsigned largest; };

static unsigned back_in(void *desc, z_const unsigned char **next)
{
	struct back *b = desc;
	size_t n = b->left < b->piece ? b->left : b->piece;

	*next = b->next;
	b->next += n;
	b->left -= n;
	return (unsigned)n;
}

static int back_out(void *desc, unsigned char *from, unsigned len)
{
	struct back *b = desc;

	if (b->got + len > b->stop_at)
		return 1;
	memcpy(b->out + b->got, from, len);
	b->got += len;
	b->largest = len > b->largest ? len : b->largest;
	return 0;
}

static void back_reads_and_writes_through_the_caller(void **state)
{
	static Bytef window[32768], out[BODY_BYTES];
	static const Bytef tail[] = "behind";

	(void)state;
	EACH_ZLIB(p)
		for (size_t piece = 1; piece <= 100000; piece *= 10) {
			struct test_bytes packed = { 0 };
			struct back b = { .piece = piece, .out = out, .stop_at = sizeof out };
			z_stream s = { 0 };

			bytes_append(&packed, raw.data, raw.len_bytes);
			bytes_append(&packed, tail, 6);
			b.next = packed.data;
			b.left = packed.len_bytes;
			EXPECT(p, p->inflateBackInit_(&s, 15, window, ZLIB_VERSION, (int)sizeof s), Z_OK);
			s.next_in = NULL;
			EXPECT(p, p->inflateBack(&s, back_in, &b, back_out, &b), Z_STREAM_END);
			EXPECT(p, b.got, BODY_BYTES);
			assert_memory_equal(out, body.data, BODY_BYTES);
			assert_true(b.largest <= 32768);
			EXPECT_AT(p, (long long)piece, s.avail_in + b.left, 6);  /* what was not used is handed back */
			assert_memory_equal(s.avail_in ? s.next_in : b.next, "behind", s.avail_in ? s.avail_in : 6);
			b = (struct back){ .next = packed.data + 10, .left = packed.len_bytes - 10, .piece = piece, .out = out, .stop_at = sizeof out };
			contract_input(&s, packed.data, 10);             /* the first bytes in the stream itself */
			EXPECT(p, p->inflateBack(&s, back_in, &b, back_out, &b), Z_STREAM_END);
			EXPECT(p, b.got, BODY_BYTES);
			EXPECT(p, p->inflateBackEnd(&s), Z_OK);
			bytes_free(&packed);
		}
}

/* Z_BUF_ERROR from either side: next_in is NULL when there was no input, and not when the output was refused. */
static void back_says_who_failed(void **state)
{
	static Bytef window[32768], out[BODY_BYTES];

	(void)state;
	EACH_ZLIB(p) {
		struct back b = { .next = raw.data, .left = raw.len_bytes / 2, .piece = 1000, .out = out, .stop_at = sizeof out };
		z_stream s = { 0 };

		EXPECT(p, p->inflateBackInit_(&s, 15, window, ZLIB_VERSION, (int)sizeof s), Z_OK);
		EXPECT(p, p->inflateBack(&s, back_in, &b, back_out, &b), Z_BUF_ERROR);
		EXPECT(p, s.next_in == NULL, 1);
		b = (struct back){ .next = raw.data, .left = raw.len_bytes, .piece = 1000, .out = out, .stop_at = 40000 };
		s.next_in = NULL;
		EXPECT(p, p->inflateBack(&s, back_in, &b, back_out, &b), Z_BUF_ERROR);
		EXPECT(p, s.next_in != NULL, 1);
		b = (struct back){ .next = (const Bytef *)"\x07zzz", .left = 4, .piece = 4, .out = out, .stop_at = sizeof out };
		s.next_in = NULL;
		EXPECT(p, p->inflateBack(&s, back_in, &b, back_out, &b), Z_DATA_ERROR);
		EXPECT(p, strcmp(s.msg, "invalid block type"), 0);
		EXPECT(p, p->inflateBackEnd(&s), Z_OK);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_dictionary_is_asked_for),
		cmocka_unit_test(raw_dictionaries_add_up),
		cmocka_unit_test(a_copy_goes_its_own_way),
		cmocka_unit_test(a_reset_may_change_the_format),
		cmocka_unit_test(primed_bits_come_before_the_input),
		cmocka_unit_test(a_mark_outside_of_codes),
		cmocka_unit_test(a_mark_in_a_match),
		cmocka_unit_test(the_next_flush_point_is_found),
		cmocka_unit_test(a_sync_point_is_recognised),
		cmocka_unit_test(back_reads_and_writes_through_the_caller),
		cmocka_unit_test(back_says_who_failed),
	};

	return cmocka_run_group_tests(tests, make_body, free_body);
}
