/* SPDX-License-Identifier: Zlib */
/* fuzz_oneshot.c - the fuzzer's own bytes, or many more made from them, at levels 10 to 12 through zwire_compress() and
 * zwire_compress_flow(), and back through the judge's inflate and the reference. */
#include "fuzz_input.h"
#include "lib/ref_inflate.h"
#include "zwire.h"

struct flow_ends { const uint8_t *in; size_t left_bytes, piece_bytes; uint8_t *out; size_t out_bytes, room_bytes; };

static size_t flow_read(void *opaque, void *to, size_t room)
{
	struct flow_ends *e = opaque;
	size_t n = e->left_bytes < e->piece_bytes ? e->left_bytes : e->piece_bytes;

	n = n < room ? n : room;
	if (n)
		memcpy(to, e->in, n);
	e->in += n;
	e->left_bytes -= n;
	return n;
}

static size_t flow_write(void *opaque, const void *from, size_t bytes)
{
	struct flow_ends *e = opaque;

	FUZZ_CHECK(bytes <= e->room_bytes - e->out_bytes);
	memcpy(e->out + e->out_bytes, from, bytes);
	e->out_bytes += bytes;
	return bytes;
}

/* A body of up to about 70000 bytes: each decision repeats an earlier stretch, changes bytes, or takes new ones. */
static void grow(struct fuzz_input *in, struct test_bytes *body)
{
	while (in->left_bytes >= 4 && body->len_bytes < 70000) {
		unsigned what = fuzz_byte(in), n = fuzz_byte(in) + (what & 7u) * 256;

		if (what < 128 && body->len_bytes) {
			size_t back = 1 + (((size_t)fuzz_byte(in) << 8 | fuzz_byte(in)) >> (what >> 4)) % body->len_bytes;

			for (unsigned i = 0; i < n; i++)
				bytes_append_byte(body, body->data[body->len_bytes - back]);
		} else if (what < 192) {
			bytes_append(body, fuzz_source(in, n), n);
		} else {
			n = n < in->left_bytes ? n : (unsigned)in->left_bytes;
			bytes_append(body, in->next, n);
			in->next += n;
			in->left_bytes -= n;
		}
	}
	bytes_append(body, in->next, in->left_bytes);
}

static void check_judge(int window_bits, const uint8_t *packed, size_t packed_bytes, const struct test_bytes *body)
{
	const struct peer_zlib *p = fuzz_judge();
	uint8_t *back = malloc(body->len_bytes + 1);
	z_stream s = { 0 };

	FUZZ_CHECK(back);
	FUZZ_CHECK(p->inflateInit2_(&s, window_bits, ZLIB_VERSION, (int)sizeof s) == Z_OK);
	s.next_in = packed;
	s.avail_in = (uInt)packed_bytes;
	s.next_out = back;
	s.avail_out = (uInt)body->len_bytes;
	FUZZ_CHECK(p->inflate(&s, Z_FINISH) == Z_STREAM_END);
	FUZZ_CHECK(s.total_out == body->len_bytes && s.avail_in == 0);
	FUZZ_CHECK(!body->len_bytes || memcmp(back, body->data, body->len_bytes) == 0);
	p->inflateEnd(&s);
	free(back);
}

static void check_reference(const uint8_t *packed, size_t packed_bytes, const struct test_bytes *body)
{
	uint8_t *back = malloc(body->len_bytes + 1);
	struct ref_output r;

	FUZZ_CHECK(back);
	r = ref_inflate(packed, packed_bytes, NULL, 0, back, body->len_bytes);
	FUZZ_CHECK(r.result == REF_DONE && r.out_bytes == body->len_bytes && (r.in_bits + 7) / 8 == packed_bytes);
	FUZZ_CHECK(!body->len_bytes || memcmp(back, body->data, body->len_bytes) == 0);
	free(back);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len_bytes)
{
	static const int window_bits[] = { [ZWIRE_GZIP] = 31, [ZWIRE_ZLIB] = 15, [ZWIRE_RAW] = -15 };
	struct fuzz_input in = { data, len_bytes };
	int level = fuzz_between(&in, 10, ZWIRE_LEVEL_MAX);
	enum zwire_format format = (enum zwire_format)fuzz_between(&in, 0, 2);
	unsigned how = fuzz_byte(&in);
	struct test_bytes body = { 0 };
	uint8_t *exact, *packed;
	size_t bound, n = 0, less = 0;

	if (how & 1)
		grow(&in, &body);
	else
		bytes_append(&body, in.next, in.left_bytes);
	bound = zwire_compress_bound(level, format, body.len_bytes);
	exact = malloc(body.len_bytes + !body.len_bytes); /* what the sanitizer guards ends with the input */
	packed = malloc(bound);
	FUZZ_CHECK(exact && packed);
	if (body.len_bytes)
		memcpy(exact, body.data, body.len_bytes);
	FUZZ_CHECK(zwire_compress(level, format, exact, body.len_bytes, packed, bound, &n, NULL) == ZWIRE_OK);
	FUZZ_CHECK(n <= bound);
	check_judge(window_bits[format], packed, n, &body);
	if (format == ZWIRE_RAW)
		check_reference(packed, n, &body);
	if (how % 16 == 7) {                     /* it takes all of its memory, which is slow under a sanitizer */
		uint8_t *again = malloc(n);
		struct flow_ends ends = { exact, body.len_bytes, 1 + (size_t)how * 40, again, 0, n };
		const struct zwire_flow flow = { flow_read, flow_write, &ends };

		FUZZ_CHECK(again);
		FUZZ_CHECK(zwire_compress_flow(level, format, &flow, NULL, NULL, NULL) == ZWIRE_OK);
		FUZZ_CHECK(ends.out_bytes == n && memcmp(again, packed, n) == 0);
		free(again);
	}
	if (how & 2) {
		uint8_t *small = malloc(n / 2 + 1);

		FUZZ_CHECK(small);
		FUZZ_CHECK(zwire_compress(level, format, exact, body.len_bytes, small, n / 2, &less, NULL) == ZWIRE_NO_ROOM && less == 0);
		free(small);
	}
	free(exact);
	free(packed);
	bytes_free(&body);
	return 0;
}
