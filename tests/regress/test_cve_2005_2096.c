/* SPDX-License-Identifier: Zlib */
/* CVE-2005-2096 and CVE-2005-1849: code sets that are incomplete, over-subscribed or need the largest table there is
 * overflowed the decoding tables. */
#include "lib/bits.h"
#include "lib/cmocka_all.h"
#include "lib/streams.h"

static void check_set(const struct peer_zlib *p, const uint8_t *litlen, unsigned litlen_count, const uint8_t *dist,
		      unsigned dist_count, const char *want_msg)
{
	struct bits b = { .hold = 0 };
	z_stream s = { 0 };
	uint8_t out[4000];
	int code;

	bits_put_dynamic_header(&b, true, litlen, litlen_count, dist, dist_count);
	for (unsigned i = 0; i < 200; i++)
		bits_put(&b, i * 37 + 11, 8);
	bits_end(&b);
	streams_begin_inflate(p, &s, -15);
	s.next_in = b.bytes.data;
	s.avail_in = (uInt)b.bytes.len_bytes;
	s.next_out = out;
	s.avail_out = sizeof out;
	code = p->inflate(&s, Z_SYNC_FLUSH);
	if (want_msg) {
		assert_int_equal(code, Z_DATA_ERROR);
		assert_string_equal(s.msg, want_msg);
	}
	assert_int_equal(p->inflateEnd(&s), Z_OK);
	bits_free(&b);
}

/* The lengths 1, 2, 3 ... up to longest, then the rest of the symbols with what fills the space. */
static void make_deep_set(uint8_t *lens, unsigned count, unsigned first_len, unsigned longest)
{
	unsigned space = 1u << 15;
	unsigned left = count;

	for (unsigned i = 0; i < count; i++) {
		unsigned len = first_len + i < longest ? first_len + i : longest;

		while (len < longest && space - (1u << (15 - len)) < (left - 1) * (1u << (15 - longest)))
			len++;
		if (space < 1u << (15 - len))
			len = 0;
		lens[count - 1 - i] = (uint8_t)len;
		space -= len ? 1u << (15 - len) : 0;
		left--;
	}
}

static void test_code_set_overflows_a_table(void **state)
{
	(void)state;
	FOR_EACH_SUBJECT(p) {
		uint8_t litlen[288], dist[32];

		for (unsigned first = 1; first <= 15; first++)
			for (unsigned longest = first; longest <= 15; longest++)
				for (unsigned count = 257; count <= 286; count++) {
					make_deep_set(litlen, count, first, longest);
					make_deep_set(dist, 30, first, longest);
					check_set(p, litlen, count, dist, 30, NULL);
				}
		memset(dist, 5, sizeof dist);
		memset(litlen, 15, sizeof litlen);       /* incomplete, every table entry wanted */
		check_set(p, litlen, 286, dist, 30, "invalid literal/lengths set");
		memset(litlen, 1, sizeof litlen);
		check_set(p, litlen, 286, dist, 30, "invalid literal/lengths set");
		memset(litlen, 0, sizeof litlen);
		litlen[0] = litlen[256] = 1;
		memset(dist, 15, sizeof dist);
		check_set(p, litlen, 286, dist, 30, "invalid distances set");
		memset(dist, 1, sizeof dist);
		check_set(p, litlen, 286, dist, 30, "invalid distances set");
		check_set(p, litlen, 288, dist, 32, "too many length or distance symbols");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_code_set_overflows_a_table) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
