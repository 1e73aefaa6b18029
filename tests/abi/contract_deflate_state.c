/* SPDX-License-Identifier: Zlib */
/* contract_deflate_state.c - dictionaries, copies, resets and the functions that look into a deflate stream or change it.
 * With random data and cuts: tests/behaviour/test_deflate_calls.c. */
#include "abi/contract.h"

static const Bytef words[] = "the quick brown fox jumps over the lazy dog";
#define WORDS_BYTES (sizeof words - 1)

static void begin(const struct peer_zlib *p, z_stream *s, int level, int window_bits)
{
	*s = (z_stream){ 0 };
	EXPECT(p, contract_deflate_init(p, s, level, window_bits), Z_OK);
}

static void end(const struct peer_zlib *p, z_stream *s)
{
	(void)p->deflateEnd(s);
}

/* ---- dictionaries ---------------------------------------------------------------------------------------------- */

/* adler is the dictionary's when the function returns; the header carries it, most significant byte first, and FDICT. */
static void the_dictionary_is_named_in_the_header(void **state)
{
	(void)state;
	EACH_ZLIB(p) {
		struct test_bytes packed = { 0 };
		uLong name = p->adler32(1, words, WORDS_BYTES);
		z_stream s;

		begin(p, &s, 6, 15);
		EXPECT(p, p->deflateSetDictionary(&s, words, WORDS_BYTES), Z_OK);
		EXPECT(p, s.adler, name);
		EXPECT(p, streams_deflate(p, &s, words, 9, Z_FINISH, &packed), Z_STREAM_END);
		EXPECT(p, s.adler, p->adler32(1, words, 9));
		EXPECT(p, packed.data[1] & 0x20, 0x20);
		EXPECT(p, packed.data[2], name >> 24);
		EXPECT(p, packed.data[3], name >> 16 & 0xff);
		EXPECT(p, packed.data[4], name >> 8 & 0xff);
		EXPECT(p, packed.data[5], name & 0xff);
		end(p, &s);
		bytes_free(&packed);
	}
}

/* Of a long dictionary the end counts, but its name is that of the whole. */
static void the_end_of_a_long_dictionary_counts(void **state)
{
	struct test_bytes dictionary = { 0 };

	(void)state;
	corpus_make(CORPUS_RANDOM, 5, 40000, &dictionary);
	EACH_ZLIB(p)
		for (int bits = 9; bits <= 15; bits += 3) {
			struct test_bytes packed = { 0 };
			z_stream s;

			begin(p, &s, 9, bits);
			EXPECT(p, p->deflateSetDictionary(&s, dictionary.data, 40000), Z_OK);
			EXPECT(p, s.adler, p->adler32(1, dictionary.data, 40000));
			EXPECT(p, streams_deflate(p, &s, dictionary.data + 39900, 100, Z_FINISH, &packed), Z_STREAM_END);
			assert_between(packed.len_bytes, 12, 40);       /* found, not written out */
			end(p, &s);
			bytes_free(&packed);
		}
	bytes_free(&dictionary);
}

/* Raw: any number of times where nothing waits to be compressed.  zlib: before the first deflate().  gzip: never. */
static void when_a_dictionary_may_be_given(void **state)
{
	(void)state;
	EACH_ZLIB(p) {
		struct test_bytes packed = { 0 };
		z_stream s;

		begin(p, &s, 6, 31);
		EXPECT(p, p->deflateSetDictionary(&s, words, WORDS_BYTES), Z_STREAM_ERROR);
		end(p, &s);
		begin(p, &s, 6, 15);
		EXPECT(p, p->deflateSetDictionary(&s, NULL, 0), Z_STREAM_ERROR);
		EXPECT(p, p->deflateSetDictionary(&s, words, 0), Z_OK);
		EXPECT(p, p->deflateSetDictionary(&s, words, 5), Z_OK);
		EXPECT(p, p->deflateSetDictionary(&s, words + 5, 5), Z_OK);      /* again, before the header */
		EXPECT(p, streams_deflate(p, &s, NULL, 0, Z_SYNC_FLUSH, &packed), Z_OK);
		EXPECT(p, p->deflateSetDictionary(&s, words, 5), Z_STREAM_ERROR);
		end(p, &s);
		begin(p, &s, 6, -15);
		for (int i = 0; i < 3; i++) {
			EXPECT(p, p->deflateSetDictionary(&s, words, WORDS_BYTES), Z_OK);
			EXPECT(p, streams_deflate(p, &s, "x", 1, Z_NO_FLUSH, &packed), Z_OK);
			EXPECT(p, p->deflateSetDictionary(&s, words, WORDS_BYTES), Z_STREAM_ERROR);
			EXPECT(p, streams_deflate(p, &s, NULL, 0, Z_SYNC_FLUSH, &packed), Z_OK);
		}
		end(p, &s);
		bytes_free(&packed);
	}
}

static void each_result_of_get_dictionary_is_optional(void **state)
{
	(void)state;
	EACH_ZLIB(p) {
		Bytef back[64];
		uInt len = 99;
		z_stream s;

		begin(p, &s, 6, 15);
		EXPECT(p, p->deflateGetDictionary(&s, NULL, &len), Z_OK);
		EXPECT(p, len, 0);
		EXPECT(p, p->deflateSetDictionary(&s, words, WORDS_BYTES), Z_OK);
		EXPECT(p, p->deflateGetDictionary(&s, NULL, NULL), Z_OK);
		EXPECT(p, p->deflateGetDictionary(&s, NULL, &len), Z_OK);
		EXPECT(p, len, WORDS_BYTES);
		memset(back, 0x5c, sizeof back);
		EXPECT(p, p->deflateGetDictionary(&s, back, NULL), Z_OK);
		assert_memory_equal(back, words, WORDS_BYTES);
		EXPECT(p, back[WORDS_BYTES], 0x5c);
		end(p, &s);
	}
}

/* ---- copies and resets ----------------------------------------------------------------------------------------- */

static void a_copy_goes_its_own_way(void **state)
{
	(void)state;
	EACH_ZLIB(p) {
		struct test_bytes a = { 0 }, b = { 0 };
		z_stream s, t = { 0 };

		begin(p, &s, 6, 31);
		EXPECT(p, p->deflateCopy(NULL, &s), Z_STREAM_ERROR);
		EXPECT(p, streams_deflate(p, &s, words, WORDS_BYTES, Z_SYNC_FLUSH, &a), Z_OK);
		bytes_append(&b, a.data, a.len_bytes);
		EXPECT(p, p->deflateCopy(&t, &s), Z_OK);
		EXPECT(p, t.total_in, s.total_in);
		EXPECT(p, t.total_out, s.total_out);
		EXPECT(p, t.adler, s.adler);
		EXPECT(p, streams_deflate(p, &s, "one", 3, Z_FINISH, &a), Z_STREAM_END);
		end(p, &s);                      /* the copy needs nothing of the original */
		EXPECT(p, streams_deflate(p, &t, "two", 3, Z_FINISH, &b), Z_STREAM_END);
		end(p, &t);
		streams_check_decodes_everywhere(31, &a, "the quick brown fox jumps over the lazy dogone", WORDS_BYTES + 3);
		streams_check_decodes_everywhere(31, &b, "the quick brown fox jumps over the lazy dogtwo", WORDS_BYTES + 3);
		bytes_free(&a);
		bytes_free(&b);
	}
}

/* As End and Init: counts, adler, msg; parameters that Init2 set stay, those of deflateParams() too. */
static void a_reset_is_a_new_stream(void **state)
{
	struct test_bytes body = { 0 };

	(void)state;
	corpus_make(CORPUS_HTML, 2, 30000, &body);
	EACH_ZLIB(p) {
		struct test_bytes first = { 0 }, second = { 0 }, third = { 0 };
		z_stream s;

		begin(p, &s, 9, 25);
		EXPECT(p, streams_deflate(p, &s, body.data, body.len_bytes, Z_FINISH, &first), Z_STREAM_END);
		EXPECT(p, p->deflateReset(&s), Z_OK);
		EXPECT(p, s.total_in, 0);
		EXPECT(p, s.total_out, 0);
		EXPECT(p, s.adler, 0);
		EXPECT(p, s.msg == NULL, 1);
		EXPECT(p, s.data_type, Z_UNKNOWN);
		EXPECT(p, streams_deflate(p, &s, body.data, body.len_bytes, Z_FINISH, &second), Z_STREAM_END);
		EXPECT(p, first.len_bytes, second.len_bytes);
		assert_memory_equal(first.data, second.data, first.len_bytes);
		EXPECT(p, p->deflateReset(&s), Z_OK);
		EXPECT(p, p->deflateParams(&s, 0, 0), Z_OK);
		EXPECT(p, p->deflateReset(&s), Z_OK);
		EXPECT(p, streams_deflate(p, &s, body.data, body.len_bytes, Z_FINISH, &third), Z_STREAM_END);
		assert_true(third.len_bytes > body.len_bytes);   /* still level 0 */
		end(p, &s);
		bytes_free(&first);
		bytes_free(&second);
		bytes_free(&third);
	}
	bytes_free(&body);
}

/* ---- parameters ------------------------------------------------------------------------------------------------ */

static void a_change_before_the_first_input_writes_nothing(void **state)
{
	(void)state;
	EACH_ZLIB(p) {
		z_stream s;
		struct test_bytes packed = { 0 };

		begin(p, &s, 1, 15);
		EXPECT(p, p->deflateParams(&s, 9, Z_HUFFMAN_ONLY), Z_OK);        /* no buffers have been named */
		EXPECT(p, s.total_out, 0);
		EXPECT(p, streams_deflate(p, &s, "abc", 3, Z_FINISH, &packed), Z_STREAM_END);
		EXPECT(p, packed.data[1] >> 6, 0);       /* a strategy that is fast says so in FLEVEL */
		streams_check_decodes_everywhere(15, &packed, "abc", 3);
		end(p, &s);
		bytes_free(&packed);
	}
}

/* Both kinds of no: out of range, nothing has happened; no room, it can be tried again and the parameters are the old ones. */
static void a_change_that_fails_can_be_repeated(void **state)
{
	struct test_bytes body = { 0 };

	(void)state;
	corpus_make(CORPUS_RANDOM, 2, 200000, &body);
	EACH_ZLIB(p) {
		struct test_bytes packed = { 0 };
		unsigned tries = 0;
		z_stream s;
		int code;

		begin(p, &s, 6, 15);
		EXPECT(p, streams_deflate(p, &s, body.data, 10, Z_NO_FLUSH, &packed), Z_OK);
		contract_input(&s, body.data + 10, body.len_bytes - 10);
		EXPECT(p, p->deflateParams(&s, 10, 0), Z_STREAM_ERROR);
		EXPECT(p, p->deflateParams(&s, 1, 5), Z_STREAM_ERROR);
		do {
			Bytef out[500];

			contract_output(&s, out, sizeof out);
			code = p->deflateParams(&s, 0, 0);
			bytes_append(&packed, out, sizeof out - s.avail_out);
			tries++;
		} while (code == Z_BUF_ERROR);
		EXPECT(p, code, Z_OK);
		assert_true(tries > 1);
		EXPECT(p, streams_deflate(p, &s, "end", 3, Z_FINISH, &packed), Z_STREAM_END);
		end(p, &s);
		bytes_append(&body, "end", 3);
		streams_check_decodes_everywhere(15, &packed, body.data, body.len_bytes);
		body.len_bytes -= 3;
		bytes_free(&packed);
	}
	bytes_free(&body);
}

/* A stream with three sets of parameters in it.  room: for each call of deflateParams(), and 0 for all it could need.
 * Each call must say Z_OK; a copy made right after it, and tuning, must not lose what waits. */
static void change_twice(const struct peer_zlib *p, const struct test_bytes *body, int mem_level, size_t room, bool copies,
			 struct test_bytes *packed)
{
	static const struct { int level, strategy; } steps[] = { { 1, 0 }, { 0, 0 }, { 9, Z_HUFFMAN_ONLY } };
	size_t part = body->len_bytes / 4;
	z_stream s = { 0 }, copy;

	EXPECT(p, p->deflateInit2_(&s, 6, Z_DEFLATED, -15, mem_level, 0, ZLIB_VERSION, (int)sizeof s), Z_OK);
	for (size_t i = 0; i < 3; i++) {
		size_t n = room ? room : body->len_bytes + 1000;

		EXPECT(p, streams_deflate(p, &s, body->data + i * part, part, Z_NO_FLUSH, packed), Z_OK);
		bytes_reserve(packed, n);
		contract_input(&s, NULL, 0);
		contract_output(&s, packed->data + packed->len_bytes, n);
		EXPECT_AT(p, (long long)room, p->deflateParams(&s, steps[i].level, steps[i].strategy), Z_OK);
		packed->len_bytes += n - s.avail_out;
		EXPECT(p, p->deflateTune(&s, 8, 16, 100, 200), Z_OK);
		if (copies) {
			EXPECT(p, p->deflateCopy(&copy, &s), Z_OK);
			(void)p->deflateEnd(&s);
			EXPECT(p, p->deflateCopy(&s, &copy), Z_OK);
			(void)p->deflateEnd(&copy);
		}
	}
	EXPECT(p, streams_deflate(p, &s, body->data + 3 * part, body->len_bytes - 3 * part, Z_FINISH, packed), Z_STREAM_END);
	EXPECT(p, p->deflateEnd(&s), Z_OK);
}

/* Stock says Z_BUF_ERROR when little room is left and memLevel is small, and programs were written that do not expect it; ours
 * holds more input, so it takes the new parameters for later.  The bytes are those that enough room would have given. */
static void on_purpose_new_parameters_wait_for_room(void **state)
{
	static const size_t rooms[] = { 1, 2, 7, 50, 500, 4000, 20000 };
	const struct peer_zlib *p = peer_ours();

	(void)state;
	for (int kind = 0; kind < CORPUS_KIND_COUNT; kind++)
		for (int mem_level = 1; mem_level <= 9; mem_level += 4) {
			struct test_bytes body = { 0 }, want = { 0 };

			corpus_make((enum corpus_kind)kind, 3, 120000, &body);
			change_twice(p, &body, mem_level, 0, false, &want);
			streams_check_decodes_everywhere(-15, &want, body.data, body.len_bytes);
			for (size_t i = 0; i < sizeof rooms / sizeof rooms[0]; i++) {
				struct test_bytes got = { 0 };

				change_twice(p, &body, mem_level, rooms[i], i & 1, &got);
				EXPECT_AT(p, (long long)rooms[i], got.len_bytes, want.len_bytes);
				assert_memory_equal(got.data, want.data, want.len_bytes);
				bytes_free(&got);
			}
			bytes_free(&body);
			bytes_free(&want);
		}
}

/* What waits belongs to a stream that a reset ends; the new parameters are those of the next. */
static void on_purpose_parameters_that_wait_survive_a_reset(void **state)
{
	const struct peer_zlib *p = peer_ours();
	struct test_bytes body = { 0 }, want = { 0 }, got = { 0 };
	Bytef little[3];
	z_stream s;

	(void)state;
	corpus_make(CORPUS_HTML, 1, 100000, &body);
	contract_pack(p, 0, 15, body.data, body.len_bytes, &want);
	begin(p, &s, 6, 15);
	EXPECT(p, streams_deflate(p, &s, body.data, 60000, Z_NO_FLUSH, &got), Z_OK);
	contract_input(&s, NULL, 0);
	contract_output(&s, little, sizeof little);
	EXPECT(p, p->deflateParams(&s, 0, 0), Z_OK);
	EXPECT(p, p->deflateReset(&s), Z_OK);
	got.len_bytes = 0;
	EXPECT(p, streams_deflate(p, &s, body.data, body.len_bytes, Z_FINISH, &got), Z_STREAM_END);
	EXPECT(p, got.len_bytes, want.len_bytes);
	assert_memory_equal(got.data, want.data, want.len_bytes);
	end(p, &s);
	bytes_free(&body);
	bytes_free(&want);
	bytes_free(&got);
}

/* Level -1 is 6 here too; the same parameters again are no change and write nothing. */
static void the_same_parameters_are_no_change(void **state)
{
	(void)state;
	EACH_ZLIB(p) {
		struct test_bytes packed = { 0 };
		uLong before;
		z_stream s;

		begin(p, &s, Z_DEFAULT_COMPRESSION, -15);
		EXPECT(p, streams_deflate(p, &s, words, WORDS_BYTES, Z_NO_FLUSH, &packed), Z_OK);
		before = s.total_out;
		EXPECT(p, p->deflateParams(&s, 6, 0), Z_OK);
		EXPECT(p, p->deflateParams(&s, -1, 0), Z_OK);
		EXPECT(p, s.total_out, before);
		end(p, &s);
		bytes_free(&packed);
	}
}

static void any_tuning_gives_a_valid_stream(void **state)
{
	static const int numbers[] = { INT_MIN, -1, 0, 1, 3, 258, 65536, INT_MAX };
	struct test_bytes body = { 0 };

	(void)state;
	corpus_make(CORPUS_JS, 2, 20000, &body);
	for (int level = 0; level <= 9; level++)
		for (unsigned i = 0; i < 64; i++) {
			/* stock takes what it is given and reads beyond its buffers with some; ours is asked alone */
			const struct peer_zlib *p = peer_ours();
			struct test_bytes packed = { 0 };
			z_stream s;

			begin(p, &s, level, 15);
			EXPECT(p, p->deflateTune(&s, numbers[i % 8], numbers[i / 8], numbers[(i + i / 8) % 8], numbers[(i * 3) % 8]), Z_OK);
			EXPECT(p, streams_deflate(p, &s, body.data, body.len_bytes, Z_FINISH, &packed), Z_STREAM_END);
			end(p, &s);
			streams_check_decodes_everywhere(15, &packed, body.data, body.len_bytes);
			bytes_free(&packed);
		}
	bytes_free(&body);
}

/* ---- bits ------------------------------------------------------------------------------------------------------ */

static void primed_bits_come_first(void **state)
{
	Bytef out[50];

	(void)state;
	EACH_ZLIB(p) {
		z_stream s;
		unsigned pending = 9;
		int bits = 99;

		begin(p, &s, 6, -15);
		EXPECT(p, p->deflatePrime(&s, 3, 5), Z_OK);
		EXPECT(p, p->deflatePrime(&s, 2, 0xfffe), Z_OK);                 /* only the low bits count */
		EXPECT(p, p->deflatePending(&s, &pending, &bits), Z_OK);
		EXPECT(p, pending * 8 + (unsigned)bits, 5);
		EXPECT(p, p->deflatePending(&s, NULL, NULL), Z_OK);
		EXPECT(p, p->deflatePrime(&s, 17, 0), Z_BUF_ERROR);
		EXPECT(p, p->deflatePrime(&s, -1, 0), Z_BUF_ERROR);
		EXPECT(p, p->deflatePrime(&s, 0, 0), Z_OK);
		contract_input(&s, NULL, 0);
		contract_output(&s, out, sizeof out);
		EXPECT(p, p->deflate(&s, Z_FINISH), Z_STREAM_END);
		EXPECT(p, out[0] & 31, 5 | 2 << 3);
		EXPECT(p, out[0] >> 5 & 7, 3);   /* the last block, fixed codes */
		end(p, &s);
	}
}

/* 1.3.2: of the last byte of a stream, how many bits are the stream's; 8 after a byte boundary was made or a trailer came. */
static void the_bits_used_of_the_last_byte(void **state)
{
	Bytef out[50];

	(void)state;
	EACH_ZLIB(p)
		for (int bits = 0; bits <= 15 && p->deflateUsed; bits++) {
			z_stream s;
			int used = 99;

			begin(p, &s, 6, -15);
			EXPECT(p, p->deflatePrime(&s, bits, 0), Z_OK);
			contract_input(&s, NULL, 0);
			contract_output(&s, out, sizeof out);
			EXPECT(p, p->deflate(&s, Z_FINISH), Z_STREAM_END);
			EXPECT(p, p->deflateUsed(&s, &used), Z_OK);
			EXPECT_AT(p, bits, used, (bits + 10 - 1) % 8 + 1);       /* an empty fixed block has ten */
			EXPECT(p, p->deflateUsed(&s, NULL), Z_OK);
			end(p, &s);
		}
}

/* ---- bounds ---------------------------------------------------------------------------------------------------- */

/* NULL and a stream that is none get the largest answer; a header's fields are in the bound. */
static void a_bound_without_a_stream(void **state)
{
	(void)state;
	EACH_ZLIB(p) {
		gz_header h = { .extra = (Bytef *)"abcd", .extra_len = 4, .name = (Bytef *)"name", .comment = (Bytef *)"c", .hcrc = 1 };
		z_stream s = { 0 };
		uLong plain;

		for (uLong len = 0; len < 100000; len = len * 2 + 1) {
			EXPECT(p, p->deflateBound(NULL, len), p->deflateBound(&s, len));
			assert_true(p->deflateBound(NULL, len) >= len + len / 16384 * 5 + (is_ours(p) ? 23 : 11));
		}
		begin(p, &s, 6, 31);
		plain = p->deflateBound(&s, 1000);
		EXPECT(p, p->deflateSetHeader(&s, &h), Z_OK);
		EXPECT(p, p->deflateBound(&s, 1000), plain + 2 + 4 + 5 + 2 + 2);
		end(p, &s);
	}
}

static void a_bound_that_does_not_fit(void **state)
{
	static const uLong lens[] = { ULONG_MAX, ULONG_MAX - 1, ULONG_MAX - 100, ULONG_MAX - ULONG_MAX / 8192 };

	(void)state;
	EACH_ZLIB(p)
		for (size_t i = 0; i < 4 && has_1_3_2(p); i++) {
			z_stream s;

			EXPECT_AT(p, (long long)i, p->deflateBound(NULL, lens[i]), ULONG_MAX);
			EXPECT_AT(p, (long long)i, p->deflateBound_z(NULL, lens[i]), (z_size_t)-1);
			begin(p, &s, 6, 15);
			EXPECT_AT(p, (long long)i, p->deflateBound(&s, lens[i]) >= lens[i], 1);
			EXPECT_AT(p, (long long)i, p->deflateBound_z(&s, lens[i]) >= lens[i], 1);
			end(p, &s);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_dictionary_is_named_in_the_header),
		cmocka_unit_test(the_end_of_a_long_dictionary_counts),
		cmocka_unit_test(when_a_dictionary_may_be_given),
		cmocka_unit_test(each_result_of_get_dictionary_is_optional),
		cmocka_unit_test(a_copy_goes_its_own_way),
		cmocka_unit_test(a_reset_is_a_new_stream),
		cmocka_unit_test(a_change_before_the_first_input_writes_nothing),
		cmocka_unit_test(a_change_that_fails_can_be_repeated),
		cmocka_unit_test(on_purpose_new_parameters_wait_for_room),
		cmocka_unit_test(on_purpose_parameters_that_wait_survive_a_reset),
		cmocka_unit_test(the_same_parameters_are_no_change),
		cmocka_unit_test(any_tuning_gives_a_valid_stream),
		cmocka_unit_test(primed_bits_come_first),
		cmocka_unit_test(the_bits_used_of_the_last_byte),
		cmocka_unit_test(a_bound_without_a_stream),
		cmocka_unit_test(a_bound_that_does_not_fit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
