/* SPDX-License-Identifier: Zlib */
/* web_data.c - see web_data.h. */
#include "lib/web_data.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define LINE_BYTES 512

static const char *const words[] = {
	"the", "server", "answers", "with", "a", "page", "that", "was", "compressed", "before", "it", "left", "and", "every",
	"browser", "unpacks", "cache", "header", "response", "of", "to", "in", "stream", "gzip", "content", "length", "module",
	"worker", "request", "connection", "filter", "buffer", "chain", "level", "window", "memory",
};
#define WORD_COUNT (sizeof words / sizeof words[0])

struct writer { uint8_t *to; size_t used, room; uint32_t state; };

uint32_t web_data_random(uint32_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 17;
	*state ^= *state << 5;
	return *state;
}

static void put(struct writer *w, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(struct writer *w, const char *format, ...)
{
	char line[LINE_BYTES];
	va_list args;
	int len;
	size_t n;

	va_start(args, format);
	len = vsnprintf(line, sizeof line, format, args);
	va_end(args);
	n = len < 0 ? 0 : (size_t)len;
	if (n > w->room - w->used)
		n = w->room - w->used;
	memcpy(w->to + w->used, line, n);
	w->used += n;
}

/* Small numbers are more frequent, as words are. */
static unsigned skewed(struct writer *w, unsigned count)
{
	unsigned a = web_data_random(&w->state) % count, b = web_data_random(&w->state) % count;

	return a < b ? a : b;
}

static const char *word(struct writer *w) { return words[skewed(w, WORD_COUNT)]; }

static void html(struct writer *w)
{
	put(w, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>%s %s</title></head><body>\n", word(w), word(w));
	while (w->used < w->room) {
		unsigned id = web_data_random(&w->state) % 10000;

		put(w, "<div class=\"item %s\" id=\"item-%u\"><h2><a href=\"/%s/%s/%u.html\">%s %s</a></h2>\n<p>",
		    skewed(w, 2) ? "odd" : "even", id, word(w), word(w), id, word(w), word(w));
		for (unsigned i = 4 + skewed(w, 30); i; i--)
			put(w, "%s%s", word(w), skewed(w, 9) == 8 ? ". " : " ");
		put(w, "</p></div>\n");
	}
}

static void json(struct writer *w)
{
	put(w, "[");
	while (w->used < w->room)
		put(w, "{\"id\":%u,\"name\":\"%s-%s\",\"active\":%s,\"price\":%u.%02u,\"tags\":[\"%s\",\"%s\"]},\n",
		    web_data_random(&w->state) % 100000, word(w), word(w), skewed(w, 2) ? "false" : "true", skewed(w, 900),
		    web_data_random(&w->state) % 100, word(w), word(w));
}

#define DE_BRUIJN_SYMBOLS 40
#define DE_BRUIJN_ORDER    3

/* Every string of 3 out of 40 symbols once before any comes again: no 4-byte match for 64000 bytes.
 * Lyndon words in order, those whose length divides the order, joined. */
static void de_bruijn(struct writer *w)
{
	unsigned word_symbols[DE_BRUIJN_ORDER] = { 0 }, len = 1;

	while (w->used < w->room) {
		unsigned period = len;

		if (DE_BRUIJN_ORDER % len == 0)
			for (unsigned i = 0; i < len && w->used < w->room; i++)
				w->to[w->used++] = (uint8_t)(word_symbols[i] + '0');
		for (; len < DE_BRUIJN_ORDER; len++)
			word_symbols[len] = word_symbols[len - period];
		while (len && word_symbols[len - 1] == DE_BRUIJN_SYMBOLS - 1)
			len--;
		if (len)
			word_symbols[len - 1]++;
		else
			word_symbols[0] = 0, len = 1;
	}
}

/* One line again and again, each time with one byte changed: long chains of almost equal candidates. */
static void near_copies(struct writer *w)
{
	uint8_t line[300];

	for (size_t i = 0; i < sizeof line; i++)
		line[i] = (uint8_t)('a' + web_data_random(&w->state) % 3);
	while (w->used < w->room) {
		size_t n = sizeof line < w->room - w->used ? sizeof line : w->room - w->used;

		memcpy(w->to + w->used, line, n);
		w->to[w->used + web_data_random(&w->state) % n] ^= 0x10;
		w->used += n;
	}
}

static void mixed(struct writer *w)
{
	while (w->used < w->room) {
		size_t n = 200 + web_data_random(&w->state) % 6000;
		enum web_data_kind kind = (enum web_data_kind)(web_data_random(&w->state) % WEB_MIXED);

		if (n > w->room - w->used)
			n = w->room - w->used;
		web_data_fill(kind, web_data_random(&w->state) % 3 + 1, w->to + w->used, n);
		w->used += n;
	}
}

void web_data_fill(enum web_data_kind kind, uint32_t seed, uint8_t *to, size_t n)
{
	struct writer w = { to, 0, n, seed * 2654435761u | 1 };

	switch (kind) {
	case WEB_HTML:
		html(&w);
		break;
	case WEB_JSON:
		json(&w);
		break;
	case WEB_RANDOM:
		for (size_t i = 0; i < n; i++)
			to[i] = (uint8_t)(web_data_random(&w.state) >> 11);
		break;
	case WEB_SAME:
		memset(to, 'a', n);
		break;
	case WEB_PERIOD_2:
		for (size_t i = 0; i < n; i++)
			to[i] = i & 1 ? 'b' : 'a';
		break;
	case WEB_PERIOD_PRIME:
		for (size_t i = 0; i < n; i++)
			to[i] = (uint8_t)(i % 251);
		break;
	case WEB_DE_BRUIJN:
		de_bruijn(&w);
		break;
	case WEB_NEAR_COPIES:
		near_copies(&w);
		break;
	case WEB_MIXED:
		mixed(&w);
		break;
	case WEB_KINDS:
		break;
	}
}

const char *web_data_name(enum web_data_kind kind)
{
	static const char *const names[WEB_KINDS] = {
		"html", "json", "random", "same", "period 2", "period 251", "de Bruijn", "near copies", "mixed",
	};

	return names[kind];
}
