/* SPDX-License-Identifier: Zlib */
/* test_readme.c - src/inflate/README.md decodes two real responses bit by bit.  Here their hex dumps are read from it, decoded
 * by a reader that knows only RFC 1951 and 1952, and written down; that has to be what the README says, line by line. */
#include "base/rfc.h"
#include "lib/bits.h"
#include "lib/bytes_buffer.h"
#include "lib/cmocka_all.h"

#include "zlib.h"

#include <stdarg.h>
#include <string.h>

#define GROUP_MAX 5                          /* symbols on a line */

static char *readme;

struct reader {
	const uint8_t *in;
	size_t in_bytes, at;                     /* at: bits */
	struct test_bytes text;                  /* the lines */
	struct test_bytes plain;
	char   group_bits[400], group_names[400];
	unsigned group_count;
	uint8_t length[LITLEN_CODE_COUNT + DIST_CODE_COUNT + 8];
	struct bits_code litlen, dist, precode;
};

static void say(struct test_bytes *to, const char *format, ...)
{
	char line[1000];
	va_list list;

	va_start(list, format);
	vsnprintf(line, sizeof line, format, list);
	va_end(list);
	bytes_append_text(to, line);
}

/* One bit; *bits_ret receives it as text, too. */
static unsigned next_bit(struct reader *r, char **bits_ret)
{
	unsigned bit;

	if (r->at >= 8 * r->in_bytes)
		fail_msg("the stream ends at bit %zu", r->at);
	bit = r->in[r->at / 8] >> (r->at % 8) & 1;
	r->at++;
	*(*bits_ret)++ = (char)('0' + bit);
	**bits_ret = 0;
	return bit;
}

static unsigned number(struct reader *r, unsigned count, char **bits_ret)
{
	unsigned value = 0;

	for (unsigned i = 0; i < count; i++)
		value |= next_bit(r, bits_ret) << i;
	return value;
}

static unsigned symbol(struct reader *r, const struct bits_code *c, char **bits_ret)
{
	unsigned word = 0;

	for (unsigned len = 1; len <= LITLEN_CODE_MAX_BITS; len++) {
		word = word << 1 | next_bit(r, bits_ret);
		for (unsigned s = 0; s < c->symbol_count; s++)
			if (c->len_bits[s] == len && c->word[s] == word)
				return s;
	}
	fail_msg("no codeword ends at bit %zu", r->at);
	return 0;
}

static void end_group(struct reader *r)
{
	if (r->group_count)
		say(&r->text, "| %s | %s |\n", r->group_bits, r->group_names);
	r->group_count = 0;
	r->group_bits[0] = r->group_names[0] = 0;
}

/* Several symbols share a line. */
static void group(struct reader *r, const char *bits, const char *name)
{
	strcat(strcat(r->group_bits, r->group_count ? " " : ""), bits);
	strcat(strcat(r->group_names, r->group_count ? ", " : ""), name);
	if (++r->group_count == GROUP_MAX)
		end_group(r);
}

static const char *symbol_name(unsigned s)
{
	static char name[30];

	if (s < SYMBOL_END_OF_BLOCK)
		snprintf(name, sizeof name, s > ' ' && s < 127 && s != '|' ? "`%c`" : "%u", s);
	else
		snprintf(name, sizeof name, s == SYMBOL_END_OF_BLOCK ? "end of block" : "%u", s);
	return name;
}

static void read_dynamic_header(struct reader *r)
{
	static const uint8_t order[PRECODE_SYMBOL_COUNT] = { 16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15 };
	unsigned litlen_count, dist_count, precode_count, at = 0;
	uint8_t precode[PRECODE_SYMBOL_COUNT] = { 0 };
	char bits[60], name[60], *p;

	litlen_count = 257 + number(r, 5, (p = bits, &p));
	say(&r->text, "| %s | HLIT %u: %u literal and length symbols |\n", bits, litlen_count - 257, litlen_count);
	dist_count = 1 + number(r, 5, (p = bits, &p));
	say(&r->text, "| %s | HDIST %u: %u distance symbols |\n", bits, dist_count - 1, dist_count);
	precode_count = 4 + number(r, 4, (p = bits, &p));
	say(&r->text, "| %s | HCLEN %u: %u lengths of the precode |\n", bits, precode_count - 4, precode_count);
	for (unsigned i = 0; i < precode_count; i++) {
		precode[order[i]] = (uint8_t)number(r, 3, (p = bits, &p));
		snprintf(name, sizeof name, "%u: %u", order[i], precode[order[i]]);
		group(r, bits, name);
	}
	end_group(r);
	bits_make_code(&r->precode, precode, PRECODE_SYMBOL_COUNT);
	while (at < litlen_count + dist_count) {
		unsigned s = symbol(r, &r->precode, (p = bits, &p)), n;

		if (s < 16) {
			if (at < litlen_count)
				snprintf(name, sizeof name, "%s: %u", symbol_name(at), s);
			else
				snprintf(name, sizeof name, "distance %u: %u", at - litlen_count, s);
			r->length[at++] = (uint8_t)s;
		} else {
			*p++ = '+';
			n = s == 16 ? 3 + number(r, 2, &p) : s == 17 ? 3 + number(r, 3, &p) : 11 + number(r, 7, &p);
			snprintf(name, sizeof name, s == 16 ? "%u times the last" : "%u times 0", n);
			for (; n; n--, at++)
				r->length[at] = s == 16 ? r->length[at - 1] : 0;
		}
		group(r, bits, name);
	}
	end_group(r);
	assert_int_equal(at, litlen_count + dist_count);
	bits_make_code(&r->litlen, r->length, litlen_count);
	bits_make_code(&r->dist, r->length + litlen_count, dist_count);
}

static void read_match(struct reader *r, unsigned s, char *p, char *bits)
{
	unsigned at = s - SYMBOL_LENGTH_FIRST, length_bits = at < 8 || s == 285 ? 0 : at / 4 - 1, d, distance_bits;
	unsigned length = s == 285 ? MATCH_MAX_BYTES : 3 + (at < 8 ? at : (4 + at % 4) << length_bits), distance;
	char name[60];

	if (length_bits)
		*p++ = '+';
	length += number(r, length_bits, &p);
	*p++ = '+';
	d = symbol(r, &r->dist, &p);
	distance_bits = d < 4 ? 0 : d / 2 - 1;
	distance = 1 + (d < 4 ? d : (2 + d % 2) << distance_bits);
	if (distance_bits)
		*p++ = '+';
	distance += number(r, distance_bits, &p);
	*p = 0;
	assert_true(distance <= r->plain.len_bytes);
	snprintf(name, sizeof name, "%u bytes from %u back", length, distance);
	group(r, bits, name);
	for (; length; length--)
		bytes_append_byte(&r->plain, r->plain.data[r->plain.len_bytes - distance]);
}

static void read_block(struct reader *r)
{
	static const char *const types[] = { "stored", "fixed codes", "dynamic codes", "none" };
	char bits[100], *p;
	unsigned last, type, s;

	last = number(r, 1, (p = bits, &p));
	say(&r->text, "| %s | BFINAL: %s |\n", bits, last ? "the last block" : "not the last block");
	type = number(r, 2, (p = bits, &p));
	say(&r->text, "| %s | BTYPE %u: %s |\n", bits, type, types[type]);
	assert_true(last && (type == BLOCK_FIXED || type == BLOCK_DYNAMIC));
	if (type == BLOCK_DYNAMIC) {
		read_dynamic_header(r);
	} else {
		bits_make_fixed_litlen(&r->litlen);
		bits_make_fixed_dist(&r->dist);
	}
	while ((s = symbol(r, &r->litlen, (p = bits, &p))) != SYMBOL_END_OF_BLOCK) {
		if (s > SYMBOL_END_OF_BLOCK) {
			read_match(r, s, p, bits);
			continue;
		}
		bytes_append_byte(&r->plain, (uint8_t)s);
		group(r, bits, symbol_name(s));
	}
	group(r, bits, symbol_name(s));
	end_group(r);
	if (r->at % 8) {
		number(r, (unsigned)(8 - r->at % 8), (p = bits, &p));
		say(&r->text, "| %s | up to a whole byte |\n", bits);
	}
}

/* Header, block, trailer. */
static void read_response(struct reader *r)
{
	const uint8_t *z = r->in, *end = z + r->in_bytes - GZIP_TRAILER_BYTES;
	unsigned crc, length;

	say(&r->text, "| bits | what they say |\n|---|---|\n");
	assert_true(z[0] == GZIP_MAGIC_1 && z[1] == GZIP_MAGIC_2 && z[2] == 8 && z[3] == 0);
	say(&r->text, "| %02x %02x %02x | gzip, method 8: DEFLATE |\n| %02x | FLG: no optional fields |\n", z[0], z[1], z[2], z[3]);
	say(&r->text, "| %02x %02x %02x %02x | MTIME: none |\n| %02x | XFL: the fastest algorithm |\n| %02x | OS: Unix |\n", z[4], z[5], z[6], z[7],
	    z[8], z[9]);
	assert_true(z[4] + z[5] + z[6] + z[7] == 0 && z[8] == 4 && z[9] == GZIP_OS_UNIX);
	r->at = 8 * GZIP_HEADER_BYTES;
	read_block(r);
	assert_int_equal(r->at / 8, end - z);
	crc = end[0] | (unsigned)end[1] << 8 | (unsigned)end[2] << 16 | (unsigned)end[3] << 24;
	length = end[4] | (unsigned)end[5] << 8 | (unsigned)end[6] << 16 | (unsigned)end[7] << 24;
	assert_int_equal(crc, bits_crc32(0, r->plain.data, r->plain.len_bytes));
	assert_int_equal(length, r->plain.len_bytes);
	say(&r->text, "| %02x %02x %02x %02x | CRC-32: %08x |\n| %02x %02x %02x %02x | ISIZE: %u bytes |\n", end[0], end[1], end[2], end[3], crc,
	    end[4], end[5], end[6], end[7], length);
	bytes_append_byte(&r->text, 0);
}

/* The bytes of the which-th ```hex block; *behind_ret is the text behind it. */
static void find_dump(unsigned which, struct test_bytes *z, const char **behind_ret)
{
	const char *p = readme, *end;

	for (unsigned i = 0; i <= which; i++) {
		p = strstr(p, "```hex\n");
		assert_non_null(p);
		p += 7;
	}
	end = strstr(p, "```");
	assert_non_null(end);
	while (p < end) {
		unsigned byte;
		int used = 0;

		if (sscanf(p, " %2x%n", &byte, &used) != 1 || p + used > end)
			break;
		bytes_append_byte(z, (uint8_t)byte);
		p += used;
	}
	*behind_ret = end;
}

static void check_dump(unsigned which)
{
	struct test_bytes z = { 0 };
	struct reader r = { .at = 0 };
	uint8_t out[1000];
	const char *behind, *table;
	z_stream s = { 0 };
	char quoted[1000];

	find_dump(which, &z, &behind);
	r.in = z.data;
	r.in_bytes = z.len_bytes;
	read_response(&r);
	table = strstr(behind, "| bits |");
	assert_non_null(table);
	if (strncmp(table, (const char *)r.text.data, r.text.len_bytes - 1) != 0) {
		printf("the table behind dump %u should be:\n%s\n", which, (const char *)r.text.data);
		fail_msg("table %u differs", which);
	}
	assert_int_equal(inflateInit2(&s, 31), Z_OK);
	s.next_in = z.data;
	s.avail_in = (uInt)z.len_bytes;
	s.next_out = out;
	s.avail_out = sizeof out;
	assert_int_equal(inflate(&s, Z_FINISH), Z_STREAM_END);
	assert_int_equal(s.total_out, r.plain.len_bytes);
	assert_memory_equal(out, r.plain.data, r.plain.len_bytes);
	inflateEnd(&s);
	snprintf(quoted, sizeof quoted, "`%.*s`", (int)r.plain.len_bytes, (const char *)r.plain.data);
	assert_non_null(strstr(readme, quoted));         /* the README says what comes out */
	bytes_free(&z);
	bytes_free(&r.text);
	bytes_free(&r.plain);
}

static void test_fixed_response_is_decoded_otherwise(void **state)
{
	(void)state;
	check_dump(0);
}

static void test_dynamic_response_is_decoded_otherwise(void **state)
{
	(void)state;
	check_dump(1);
}

static int setup(void **state)
{
	static struct test_bytes text;
	char path[4096], *end;
	FILE *f;
	int c;

	(void)state;
	snprintf(path, sizeof path, "%s", __FILE__);
	end = strstr(path, "tests/inflate/");
	if (!end)
		return -1;
	strcpy(end, "src/inflate/README.md");
	f = fopen(path, "rb");
	if (!f)
		return -1;
	while ((c = getc(f)) != EOF)
		bytes_append_byte(&text, (uint8_t)c);
	fclose(f);
	bytes_append_byte(&text, 0);
	readme = (char *)text.data;
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fixed_response_is_decoded_otherwise),
		cmocka_unit_test(test_dynamic_response_is_decoded_otherwise),
	};

	return cmocka_run_group_tests(tests, setup, NULL);
}
