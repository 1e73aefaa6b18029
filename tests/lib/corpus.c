/* SPDX-License-Identifier: Zlib */
/* corpus.c - see corpus.h. */
#include "lib/corpus.h"

#include "lib/rng.h"

#include <stdarg.h>

#define COUNT(array) (sizeof (array) / sizeof (array)[0])

static const char *const words[] = {
	"server", "request", "the", "of", "module", "function", "and", "value", "returns", "in", "for", "with", "struct",
	"buffer", "stream", "is", "response", "header", "cache", "a", "worker", "body", "type", "error", "that", "level",
	"content", "length", "method", "connection", "page", "number", "user", "item", "default", "name", "this", "data",
	"update", "list", "configuration", "compression", "directive", "location", "upstream", "proxy", "client", "file",
};

static const char *word(struct rng *r)
{
	size_t a = rng_below(r, COUNT(words));
	size_t b = rng_below(r, COUNT(words));

	return words[a < b ? a : b];             /* some words are much more frequent than others */
}

__attribute__((format(printf, 2, 3)))
static void print(struct test_bytes *out, const char *format, ...)
{
	char line[512];
	va_list args;

	va_start(args, format);
	vsnprintf(line, sizeof line, format, args);
	va_end(args);
	bytes_append_text(out, line);
}

/* Draws in a stated order: the arguments of one call are evaluated in any. */
static void draw_words(struct rng *r, const char **w, size_t count)
{
	for (size_t i = 0; i < count; i++)
		w[i] = word(r);
}

static void draw_numbers(struct rng *r, const unsigned *limits, unsigned *n, size_t count)
{
	for (size_t i = 0; i < count; i++)
		n[i] = (unsigned)rng_below(r, limits[i]);
}

static void add_html(struct rng *r, struct test_bytes *out)
{
	static const char *const tags[] = { "p", "li", "span", "h2", "td", "code" };
	const char *tag = tags[rng_below(r, COUNT(tags))], *w[4];

	draw_words(r, w, 3);
	print(out, "<%s class=\"%s-%s\" id=\"%s.%u\">", tag, w[0], w[1], w[2], (unsigned)rng_below(r, 1000));
	for (int i = rng_between(r, 3, 18); i > 0; i--) {
		draw_words(r, w, 4);
		if (rng_one_in(r, 9))
			print(out, "<a href=\"/%s/%s.html#%s\">%s</a> ", w[0], w[1], w[2], w[3]);
		else
			print(out, "%s ", w[0]);
	}
	print(out, "</%s>\n", tag);
}

static void add_json(struct rng *r, struct test_bytes *out)
{
	static const unsigned limits[] = { 100000, 2, 97, 100, 12, 28, 24, 60 };
	const char *w[5];
	unsigned n[COUNT(limits)];

	draw_words(r, w, COUNT(w));
	draw_numbers(r, limits, n, COUNT(n));
	print(out, "{\"id\":%u,\"%s\":\"%s %s\",\"active\":%s,\"score\":%u.%02u,\"tags\":[\"%s\",\"%s\"],"
	      "\"ts\":\"2026-%02u-%02uT%02u:%02u:00Z\"},", n[0], w[0], w[1], w[2], n[1] ? "true" : "false", n[2], n[3], w[3],
	      w[4], n[4] + 1, n[5] + 1, n[6], n[7]);
}

static void add_js(struct rng *r, struct test_bytes *out)
{
	static const unsigned limits[] = { 26, 512, 26, 100 };
	const char *w[4];
	unsigned n[COUNT(limits)];

	draw_words(r, w, 2);
	draw_numbers(r, limits, n, COUNT(n));
	print(out, "function %s_%s(%s, %c) {\n\tif (!%s || %s.length > %u) return null;\n", w[1], w[0], w[0],
	      (int)('a' + n[0]), w[0], w[0], n[1]);
	for (int i = rng_between(r, 1, 6); i > 0; i--) {
		draw_words(r, w + 1, 3);
		draw_numbers(r, limits, n, COUNT(n));
		print(out, "\tvar %c = this.%s[%s.%s(\"%s\")] + %u;\n", (int)('a' + n[2]), w[1], w[0], w[2], w[3], n[3]);
	}
	print(out, "}\n\n");
}

static void add_css(struct rng *r, struct test_bytes *out)
{
	static const char *const properties[] = { "margin", "padding", "border-width", "top", "left", "font-size" };
	static const unsigned limits[] = { COUNT(properties), 40 };
	const char *w[2];
	unsigned n[COUNT(limits)];

	draw_words(r, w, COUNT(w));
	print(out, ".%s .%s:hover{", w[0], w[1]);
	for (int i = rng_between(r, 1, 7); i > 0; i--) {
		draw_numbers(r, limits, n, COUNT(n));
		print(out, "%s:%upx;", properties[n[0]], n[1]);
	}
	print(out, "color:#%06x}\n", (unsigned)rng_below(r, 1u << 24));
}

static void add_random(struct rng *r, struct test_bytes *out)
{
	uint8_t bytes[256];

	rng_fill(r, bytes, sizeof bytes);
	bytes_append(out, bytes, sizeof bytes);
}

/* A piece of text with the symbols' frequencies 1, 1, 2, 3, 5, 8 ...: their Huffman code is as deep as it can be. */
static void add_skewed(struct rng *r, struct test_bytes *out)
{
	uint64_t v = rng_next(r) | UINT64_C(1) << 40;
	unsigned zeros = 0;

	while (!(v >> zeros & 1) || rng_below(r, 1000) < 236)        /* continues with a chance of 0.618 */
		if (++zeros == 40)
			break;
	bytes_append_byte(out, (uint8_t)(zeros * 5));
}

static void make_same(struct rng *r, size_t len_bytes, struct test_bytes *out)
{
	uint8_t byte = (uint8_t)rng_next(r);

	for (size_t i = 0; i < len_bytes; i++)
		bytes_append_byte(out, byte);
}

static void make_periodic(struct rng *r, size_t len_bytes, struct test_bytes *out)
{
	uint8_t piece[600];
	size_t period = rng_size(r, sizeof piece);

	rng_fill(r, piece, period);
	for (size_t i = 0; i < len_bytes; i++)
		bytes_append_byte(out, piece[i % period]);
}

/* The Lyndon words of 4 letters whose length divides WORD, in order, joined: a de Bruijn sequence. */
static void make_de_bruijn(struct rng *r, size_t len_bytes, struct test_bytes *out)
{
	enum { LETTERS = 4, WORD = 8 };
	size_t end = out->len_bytes + len_bytes;
	uint8_t first_letter = (uint8_t)('a' + rng_below(r, 20));

	while (out->len_bytes < end) {
		uint8_t w[WORD + 1] = { 0 };
		unsigned len = 1;

		while (len > 0 && out->len_bytes < end) {
			for (unsigned i = 0; WORD % len == 0 && i < len && out->len_bytes < end; i++)
				bytes_append_byte(out, (uint8_t)(first_letter + w[i]));
			for (unsigned i = len; i < WORD; i++)
				w[i] = w[i - len];
			len = WORD;
			while (len > 0 && w[len - 1] == LETTERS - 1)
				len--;
			if (len > 0)
				w[len - 1]++;
		}
	}
}

/* Random bytes of which pieces come back after 32768 and a few bytes more or less. */
static void make_far(struct rng *r, size_t len_bytes, struct test_bytes *out)
{
	size_t start = out->len_bytes;
	size_t end = start + len_bytes;

	while (out->len_bytes < end) {
		size_t distance = (size_t)rng_between(r, 32768 - 300, 32768 + 3);
		size_t n = (size_t)rng_between(r, 3, 300);

		if (out->len_bytes - start < distance || rng_one_in(r, 8)) {
			add_random(r, out);
			continue;
		}
		bytes_reserve(out, n);
		for (; n; n--)
			bytes_append_byte(out, out->data[out->len_bytes - distance]);
	}
}

static void make_mixed(struct rng *r, size_t len_bytes, struct test_bytes *out)
{
	size_t end = out->len_bytes + len_bytes;

	while (out->len_bytes < end) {
		enum corpus_kind kind = (enum corpus_kind)rng_below(r, CORPUS_MIXED);
		uint64_t seed = rng_next(r);

		corpus_make(kind, seed, rng_size(r, 40000), out);
	}
}

static const struct {
	const char *name;
	void (*add)(struct rng *r, struct test_bytes *out);                             /* some bytes */
	void (*make)(struct rng *r, size_t len_bytes, struct test_bytes *out);          /* or all of them */
} kinds[CORPUS_KIND_COUNT] = {
	[CORPUS_HTML]      = { "html",      add_html,   NULL },
	[CORPUS_JSON]      = { "json",      add_json,   NULL },
	[CORPUS_JS]        = { "js",        add_js,     NULL },
	[CORPUS_CSS]       = { "css",       add_css,    NULL },
	[CORPUS_RANDOM]    = { "random",    add_random, NULL },
	[CORPUS_SAME]      = { "same",      NULL, make_same },
	[CORPUS_PERIODIC]  = { "periodic",  NULL, make_periodic },
	[CORPUS_DE_BRUIJN] = { "de-bruijn", NULL, make_de_bruijn },
	[CORPUS_SKEWED]    = { "skewed",    add_skewed, NULL },
	[CORPUS_FAR]       = { "far",       NULL, make_far },
	[CORPUS_MIXED]     = { "mixed",     NULL, make_mixed },
};

const char *corpus_name(enum corpus_kind kind)
{
	return kinds[kind].name;
}

void corpus_make(enum corpus_kind kind, uint64_t seed, size_t len_bytes, struct test_bytes *out)
{
	struct rng random = rng_seed(seed ^ (uint64_t)kind << 56);
	size_t end = out->len_bytes + len_bytes;

	bytes_reserve(out, len_bytes);
	if (kinds[kind].make)
		kinds[kind].make(&random, len_bytes, out);
	while (out->len_bytes < end)
		kinds[kind].add(&random, out);
	out->len_bytes = end;
}

void corpus_data_json(struct test_bytes *out)
{
	bytes_reserve(out, CORPUS_DATA_JSON_BYTES);
	bytes_append_text(out, "[");
	for (unsigned i = 0; i < 4000; i++)
		print(out, "{\"id\":%u,\"user\":\"user_%u\",\"email\":\"user%u@example.com\",\"active\":%s,\"score\":%u.%02u,"
		      "\"tags\":[\"alpha\",\"beta\",\"gamma\"],\"ts\":\"2026-09-01T12:%02u:%02u Z\"},",
		      i, i, i, i % 2 ? "true" : "false", i % 97, i % 100, i % 60, i % 60);
	bytes_append_text(out, "{}]");
}
