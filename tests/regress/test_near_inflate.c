/* SPDX-License-Identifier: Zlib */
/* Faults that some inflate had and that got no CVE: README.md has the list.  Inputs are built from the descriptions. */
#include "lib/bits.h"
#include "lib/cmocka_all.h"
#include "lib/guard.h"
#include "lib/ref_inflate.h"
#include "lib/streams.h"

#include <stdlib.h>
#include <string.h>

/* ---- inflateBack on a window of exactly 2^n bytes ---------------------------------------------------------------- */

struct sink { struct test_bytes bytes; const uint8_t *window; size_t window_bytes; bool strayed; };

static unsigned give_nothing(void *desc, z_const unsigned char **buf)
{
	(void)desc;
	(void)buf;
	return 0;
}

static int take_all(void *desc, unsigned char *from, unsigned n)
{
	struct sink *s = desc;

	s->strayed |= from < s->window || from + n > s->window + s->window_bytes;
	bytes_append(&s->bytes, from, n);
	return 0;
}

static int back(const struct peer_zlib *p, const struct test_bytes *z, int window_log2, bool guard_behind, struct sink *sink, const char **msg_ret)
{
	size_t window_bytes = (size_t)1 << window_log2;
	struct guard_buffer window = guard_behind ? guard_before_end(window_bytes) : guard_after_start(window_bytes);
	struct guard_buffer in = guard_before_end(z->len_bytes);
	z_stream s = { 0 };
	int code;

	memcpy(in.data, z->data, z->len_bytes);
	*sink = (struct sink){ .window = window.data, .window_bytes = window_bytes };
	assert_int_equal(p->inflateBackInit_(&s, window_log2, window.data, ZLIB_VERSION, (int)sizeof s), Z_OK);
	s.next_in = in.data;
	s.avail_in = (uInt)z->len_bytes;
	code = p->inflateBack(&s, give_nothing, NULL, take_all, sink);
	*msg_ret = s.msg;
	assert_int_equal(p->inflateBackEnd(&s), Z_OK);
	guard_free(&window);
	guard_free(&in);
	return code;
}

/* A window of stored bytes and a few more, then a match: every length, the farthest distances and the nearest, and the end of
 * the window at every place of the match. */
static void test_back_reads_or_writes_beyond_its_window(void **state)
{
	struct bits_code litlen, dist;
	struct rng random = rng_seed(3);
	uint8_t filler[4096];

	(void)state;
	rng_fill(&random, filler, sizeof filler);
	bits_make_fixed_litlen(&litlen);
	bits_make_fixed_dist(&dist);
	FOR_EACH_SUBJECT(p)
		for (int window_log2 = 8; window_log2 <= 15; window_log2++)
			for (unsigned round = 0; round < 40; round++) {
				unsigned window_bytes = 1u << window_log2;
				struct bits b = { .hold = 0 };
				struct sink sink;
				struct test_bytes want = { 0 };
				const char *msg;

				for (unsigned left = window_bytes; left; left -= left < sizeof filler ? left : (unsigned)sizeof filler)
					bits_put_stored(&b, false, filler, (uint16_t)(left < sizeof filler ? left : sizeof filler));
				bits_put_stored(&b, false, filler, (uint16_t)(1 + round * 7 % 255));
				bits_put_block_start(&b, true, BLOCK_FIXED);
				for (unsigned length = MATCH_MIN_BYTES; length <= MATCH_MAX_BYTES; length++) {
					unsigned near = 1 + (length + round) % 70;

					bits_put_match(&b, &litlen, &dist, length,
						       length % 3 == 0 ? window_bytes : length % 3 == 1 ? window_bytes - length % 40 : near);
					bits_put_symbol(&b, &litlen, length & 255);
				}
				bits_put_symbol(&b, &litlen, SYMBOL_END_OF_BLOCK);
				bits_end(&b);
				bytes_reserve(&want, window_bytes + 100000);
				want.len_bytes = ref_inflate(b.bytes.data, b.bytes.len_bytes, NULL, 0, want.data, want.room_bytes).out_bytes;
				assert_int_equal(back(p, &b.bytes, window_log2, round & 1, &sink, &msg), Z_STREAM_END);
				assert_false(sink.strayed);
				assert_int_equal(sink.bytes.len_bytes, want.len_bytes);
				assert_memory_equal(sink.bytes.data, want.data, want.len_bytes);
				bytes_free(&sink.bytes);
				bytes_free(&want);
				bits_free(&b);
			}
}

/* Beyond the window, and before the first byte: neither may be followed.  zlib's own fast loop lets the former pass. */
static void test_back_follows_a_distance_beyond_its_window(void **state)
{
	const struct peer_zlib *p = peer_ours();
	struct bits_code litlen, dist;
	uint8_t filler[4096];

	(void)state;
	memset(filler, 'x', sizeof filler);
	bits_make_fixed_litlen(&litlen);
	bits_make_fixed_dist(&dist);
	for (int window_log2 = 8; window_log2 <= 15; window_log2++)
		for (unsigned before = 0; before < 4; before++)          /* 0: less output than the window */
			for (unsigned more = 1; more <= 32768; more *= 2) {
				unsigned window_bytes = 1u << window_log2, distance = (before ? window_bytes : 100) + more;
				unsigned left = before ? window_bytes + before * 300 : 100;
				size_t stored = left;
				struct bits b = { .hold = 0 };
				struct sink sink;
				const char *msg;

				if (distance > DISTANCE_MAX_BYTES)
					break;
				for (; left; left -= left < sizeof filler ? left : (unsigned)sizeof filler)
					bits_put_stored(&b, false, filler, (uint16_t)(left < sizeof filler ? left : sizeof filler));
				bits_put_block_start(&b, true, BLOCK_FIXED);
				bits_put_match(&b, &litlen, &dist, 258, distance);
				for (unsigned i = 0; i < 40; i++)
					bits_put_symbol(&b, &litlen, 'y');
				bits_put_symbol(&b, &litlen, SYMBOL_END_OF_BLOCK);
				bits_end(&b);
				assert_int_equal(back(p, &b.bytes, window_log2, more & 1, &sink, &msg), Z_DATA_ERROR);
				assert_string_equal(msg, "invalid distance too far back");
				assert_true(sink.bytes.len_bytes <= stored);
				bytes_free(&sink.bytes);
				bits_free(&b);
			}
}

/* ---- inflate ----------------------------------------------------------------------------------------------------- */

/* A copy that went on in the original's window broke as soon as the original was used or ended. */
static void test_copy_goes_on_in_the_window_of_the_original(void **state)
{
	const struct deflate_parameters d = { 6, 31, 8, 0 };
	struct test_bytes body = { 0 }, packed = { 0 };
	struct rng random = rng_seed(5);
	z_stream s = { 0 };

	(void)state;
	for (unsigned i = 0; i < 60000; i++)     /* far matches: history matters */
		bytes_append_byte(&body, i < 30000 || i % 97 == 0 ? (uint8_t)rng_next(&random) : body.data[i - 29990]);
	FOR_EACH_SUBJECT(p) {
		packed.len_bytes = 0;
		streams_begin_deflate(p, &s, &d);
		streams_deflate(p, &s, body.data, body.len_bytes, Z_FINISH, &packed);
		p->deflateEnd(&s);
		for (size_t cut = 1; cut < packed.len_bytes; cut += 1009) {
			static uint8_t out[60000], other[60000];
			z_stream from = { 0 }, to;

			streams_begin_inflate(p, &from, 31);
			from.next_in = packed.data;
			from.avail_in = (uInt)cut;
			from.next_out = out;
			from.avail_out = sizeof out;
			p->inflate(&from, Z_NO_FLUSH);
			assert_int_equal(p->inflateCopy(&to, &from), Z_OK);
			assert_int_equal(p->inflateReset(&from), Z_OK);      /* other bytes into the old window */
			from.next_in = packed.data;
			from.avail_in = (uInt)(cut < 5000 ? cut : 5000);
			from.next_out = other;
			from.avail_out = sizeof other;
			p->inflate(&from, Z_NO_FLUSH);
			assert_int_equal(p->inflateEnd(&from), Z_OK);
			to.avail_in = (uInt)(packed.len_bytes - cut) + to.avail_in;
			assert_int_equal(p->inflate(&to, Z_FINISH), Z_STREAM_END);
			assert_memory_equal(out, body.data, body.len_bytes);
			assert_int_equal(p->inflateEnd(&to), Z_OK);
		}
	}
	bytes_free(&body);
	bytes_free(&packed);
}

/* Thirteen bits are held when the search begins; the marker's first byte is the upper eight of them, not the lower.  zlib was
 * wrong about it until 1.3.1, so only ours is asked. */
static void test_sync_looks_at_the_wrong_bits_held(void **state)
{
	static const uint8_t stream[] = { 4, 0x00, 0x00, 0xff, 0xff, 1, 1, 0, 0xfe, 0xff, 'x' };
	const struct peer_zlib *p = peer_ours();
	z_stream s = { 0 };
	uint8_t out[8];

	(void)state;
	streams_begin_inflate(p, &s, -15);
	s.next_in = stream;
	s.avail_in = 2;                          /* type 2 and five of the fourteen bits of its counts, then eight */
	s.next_out = out;
	s.avail_out = sizeof out;
	assert_int_equal(p->inflate(&s, Z_NO_FLUSH), Z_OK);
	assert_int_equal(s.avail_in, 0);
	assert_int_equal(s.data_type & 63, 13);
	s.avail_in = sizeof stream - 2;
	assert_int_equal(p->inflateSync(&s), Z_OK);
	assert_ptr_equal(s.next_in, stream + 5);
	assert_int_equal(p->inflate(&s, Z_NO_FLUSH), Z_STREAM_END);
	assert_int_equal(out[0], 'x');
	p->inflateEnd(&s);
}

/* A tiny stream made for a small window was refused with windowBits 47, one made for a larger window than the caller's was not. */
static void test_window_of_the_header_is_judged_wrongly(void **state)
{
	(void)state;
	FOR_EACH_SUBJECT(p)
		for (unsigned made_for = 8; made_for <= 15; made_for++)
			for (int window_bits = 8; window_bits <= 47; window_bits++) {
				struct bits b = { .hold = 0 };
				z_stream s = { 0 };
				uint8_t out[8];
				int code;

				if (window_bits >= 16 && window_bits < 40)
					continue;
				bits_put_zlib_header(&b, made_for, false);
				bits_put_stored(&b, true, "tiny", 4);
				bits_put_be32(&b, bits_adler32(1, (const uint8_t *)"tiny", 4));
				bits_end(&b);
				streams_begin_inflate(p, &s, window_bits);
				s.next_in = b.bytes.data;
				s.avail_in = (uInt)b.bytes.len_bytes;
				s.next_out = out;
				s.avail_out = sizeof out;
				code = p->inflate(&s, Z_FINISH);
				assert_int_equal(code, made_for <= (unsigned)window_bits % 16 ? Z_STREAM_END : Z_DATA_ERROR);
				if (code == Z_DATA_ERROR)
					assert_string_equal(s.msg, "invalid window size");
				p->inflateEnd(&s);
				bits_free(&b);
			}
}

/* All in one call, with exactly the room it takes: the way that needs no window must still compare the sum. */
static void test_one_call_forgets_the_checksum(void **state)
{
	struct test_bytes body = { 0 };
	static const int windows[] = { 15, 31 };

	(void)state;
	for (unsigned i = 0; i < 70000; i++)
		bytes_append_byte(&body, (uint8_t)(i * i >> 7));
	FOR_EACH_SUBJECT(p)
		for (size_t bytes = 1; bytes <= body.len_bytes; bytes = bytes * 3 + 1)
			for (int wrong = 0; wrong < 6; wrong++) {
				const struct deflate_parameters d = { 6, windows[wrong % 2], 8, 0 };
				struct test_bytes packed = { 0 };
				struct guard_buffer out = guard_before_end(bytes);
				z_stream s = { 0 };

				streams_begin_deflate(p, &s, &d);
				streams_deflate(p, &s, body.data, bytes, Z_FINISH, &packed);
				p->deflateEnd(&s);
				if (wrong >= 2)          /* the length of a gzip member is behind its CRC */
					packed.data[packed.len_bytes - (wrong >= 4 && wrong % 2 ? 5 : 1)] ^= 0x40;
				s = (z_stream){ 0 };
				streams_begin_inflate(p, &s, d.window_bits);
				s.next_in = packed.data;
				s.avail_in = (uInt)packed.len_bytes;
				s.next_out = out.data;
				s.avail_out = (uInt)bytes;
				assert_int_equal(p->inflate(&s, Z_FINISH), wrong >= 2 ? Z_DATA_ERROR : Z_STREAM_END);
				assert_memory_equal(out.data, body.data, bytes);
				p->inflateEnd(&s);
				guard_free(&out);
				bytes_free(&packed);
			}
	bytes_free(&body);
}

/* Sums of 32 bits: ISIZE is taken modulo 2^32, total_out is not, and no distance is "too far" 4 GB into a stream. */
static void test_totals_wrap_at_4_gb(void **state)
{
	const struct peer_zlib *p = peer_ours();
	const uint64_t matches = ((UINT64_C(1) << 32) + 70000) / MATCH_MAX_BYTES / 8 * 8, want_bytes = 1 + matches * MATCH_MAX_BYTES;
	static uint8_t out[1 << 20];
	struct bits_code litlen, dist;
	struct bits head = { .hold = 0 }, eight = { .hold = 0 }, tail = { .hold = 0 };
	z_stream s = { 0 };
	uint32_t crc;
	uint64_t fed = 0;

	(void)state;
	if (streams_rounds(100) < 100)
		skip();                          /* a minute under a sanitizer */
	bits_make_fixed_litlen(&litlen);
	bits_make_fixed_dist(&dist);
	bits_put_gzip_header(&head, 0);
	bits_put_stored(&head, false, "z", 1);
	bits_put_block_start(&head, true, BLOCK_FIXED);
	while (head.hold_count) {                /* to a byte, so that eight matches are whole bytes from there on */
		bits_put_match(&head, &litlen, &dist, MATCH_MAX_BYTES, 1);
		fed++;
	}
	for (unsigned i = 0; i < 8; i++)
		bits_put_match(&eight, &litlen, &dist, MATCH_MAX_BYTES, 1);
	for (; fed % 8; fed++)
		bits_put_match(&tail, &litlen, &dist, MATCH_MAX_BYTES, 1);
	bits_put_symbol(&tail, &litlen, SYMBOL_END_OF_BLOCK);
	crc = (uint32_t)p->crc32(0, (const uint8_t *)"z", 1);
	memset(out, 'z', sizeof out);
	for (uint64_t left = matches * MATCH_MAX_BYTES; left;) {
		uInt n = left < sizeof out ? (uInt)left : (uInt)sizeof out;

		crc = (uint32_t)p->crc32(crc, out, n);
		left -= n;
	}
	bits_put_le32(&tail, crc);
	bits_put_le32(&tail, (uint32_t)want_bytes);
	bits_end(&tail);
	streams_begin_inflate(p, &s, 31);
	s.next_in = head.bytes.data;
	s.avail_in = (uInt)head.bytes.len_bytes;
	for (int code = Z_OK; code != Z_STREAM_END;) {
		if (!s.avail_in && fed + 8 <= matches) {
			s.next_in = eight.bytes.data;
			s.avail_in = (uInt)eight.bytes.len_bytes;
			fed += 8;
		} else if (!s.avail_in) {
			s.next_in = tail.bytes.data;
			s.avail_in = (uInt)tail.bytes.len_bytes;
		}
		s.next_out = out;
		s.avail_out = sizeof out;
		code = p->inflate(&s, Z_NO_FLUSH);
		if (code != Z_OK && code != Z_STREAM_END)
			fail_msg("code %d (%s) at %lu", code, s.msg ? s.msg : "", s.total_out);
	}
	assert_true(s.total_out == (uLong)want_bytes);
	p->inflateEnd(&s);
	bits_free(&head);
	bits_free(&eight);
	bits_free(&tail);
}

/* A header of more than 32 KB of window is an error; what it asked for must not be the window of what inflateSync() finds.
 * zlib keeps such a size and allocates up to 8 MB, so only ours is asked. */
static void test_window_of_a_bad_header_is_kept(void **state)
{
	enum { GIVEN_BYTES = 200000, KEPT_BYTES = 32768 };
	static const uint8_t sync[] = { 0, 0, 0xff, 0xff };
	const struct peer_zlib *p = peer_ours();
	uint8_t *given = malloc(GIVEN_BYTES), *kept = malloc(GIVEN_BYTES);

	(void)state;
	assert_non_null(given);
	assert_non_null(kept);
	for (size_t i = 0; i < GIVEN_BYTES; i++)
		given[i] = (uint8_t)(i * 31 >> 3);
	for (unsigned info = 8; info <= 15; info++) {
		uint8_t header[2] = { (uint8_t)(info << 4 | Z_DEFLATED), 0 }, out[1];
		uInt kept_bytes = 0;
		z_stream s = { 0 };

		header[1] = (uint8_t)((31 - header[0] * 256 % 31) % 31);
		streams_begin_inflate(p, &s, 0);
		s.next_in = header;
		s.avail_in = sizeof header;
		s.next_out = out;
		s.avail_out = sizeof out;
		assert_int_equal(p->inflate(&s, Z_NO_FLUSH), Z_DATA_ERROR);
		assert_string_equal(s.msg, "invalid window size");
		assert_int_equal(p->inflateReset(&s), Z_OK);
		s.next_in = (z_const Bytef *)sync;
		s.avail_in = sizeof sync;
		assert_int_equal(p->inflateSync(&s), Z_OK);
		assert_int_equal(p->inflateSetDictionary(&s, given, GIVEN_BYTES), Z_OK);
		assert_int_equal(p->inflateGetDictionary(&s, kept, &kept_bytes), Z_OK);
		assert_int_equal(kept_bytes, KEPT_BYTES);
		assert_memory_equal(kept, given + GIVEN_BYTES - KEPT_BYTES, KEPT_BYTES);
		p->inflateEnd(&s);
	}
	free(given);
	free(kept);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_back_reads_or_writes_beyond_its_window),
		cmocka_unit_test(test_back_follows_a_distance_beyond_its_window),
		cmocka_unit_test(test_copy_goes_on_in_the_window_of_the_original),
		cmocka_unit_test(test_sync_looks_at_the_wrong_bits_held),
		cmocka_unit_test(test_window_of_the_header_is_judged_wrongly),
		cmocka_unit_test(test_window_of_a_bad_header_is_kept),
		cmocka_unit_test(test_one_call_forgets_the_checksum),
		cmocka_unit_test(test_totals_wrap_at_4_gb),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
