/* SPDX-License-Identifier: Zlib */
/* payload_text.c - writes the built-in bodies: templates filled with words and numbers from a fixed random sequence.
 * Takes: an empty text with a start value.  Gives: the full text.  Any change here changes the CRCs in payloads.c. */
#include "bench/payload_text.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define RECORD_COUNT 4000

static const char *const words[] = {
	"the", "of", "and", "to", "in", "is", "that", "for", "with", "on", "as", "are", "this", "by", "from", "we", "your",
	"you", "can", "or", "be", "at", "has", "more", "when", "not", "their", "will", "all", "which", "one", "new", "time",
	"server", "response", "cache", "request", "people", "page", "price", "order", "market", "design", "light", "water",
	"winter", "garden", "letter", "number", "question", "answer", "delivery", "customer", "project", "history", "system",
	"program", "office", "service", "country", "mountain", "river", "harbour", "village", "bridge", "station", "journey",
	"evening", "morning", "summer", "kitchen", "recipe", "bread", "coffee", "butter", "pepper", "orange", "purple",
	"silver", "golden", "simple", "quiet", "narrow", "bright", "heavy", "gentle", "modern", "ancient", "local", "public",
	"private", "famous", "broken", "careful", "different", "important", "available", "possible", "certain", "several",
	"window", "camera", "picture", "colour", "surface", "pattern", "material", "leather", "cotton", "paper", "timber",
	"copper", "marble", "engine", "battery", "machine", "signal", "network", "account", "payment", "balance", "amount",
	"discount", "receipt", "address", "parcel", "package", "return", "exchange", "support", "contact", "review", "rating",
	"comment", "author", "reader", "editor", "chapter", "volume", "article", "library", "museum", "theatre", "concert",
	"festival", "holiday", "travel", "ticket", "flight", "hotel", "island", "forest", "desert", "valley", "weather",
	"storm", "thunder", "shadow", "mirror", "ladder", "basket", "bottle", "blanket", "cushion", "curtain", "carpet",
	"drawer", "shelf", "cabinet", "hammer", "screw", "needle", "thread", "button", "pocket", "jacket", "sweater",
	"trousers", "slipper", "umbrella", "measure", "balance", "quality", "quantity", "knowledge", "science", "physics",
	"chemistry", "biology", "language", "grammar", "sentence", "meaning", "memory", "thought", "feeling", "reason",
	"purpose", "method", "result", "effect", "cause", "change", "growth", "decline", "increase", "decrease", "average",
	"maximum", "minimum", "between", "through", "without", "against", "another", "because", "however", "although",
	"whether", "perhaps", "together", "always", "never", "often", "seldom", "quickly", "slowly", "already", "almost",
	"enough", "follow", "create", "provide", "include", "continue", "describe", "consider", "remember", "understand",
	"discover", "explain", "improve", "protect", "replace", "support", "deliver", "collect", "connect", "prepare",
};

#define WORD_COUNT (sizeof words / sizeof words[0])

/* A 64-bit mixer over a counter (the constants are those of the published splitmix64). */
static uint64_t next_random(struct zw_text *text)
{
	uint64_t mixed = text->random += UINT64_C(0x9e3779b97f4a7c15);

	mixed = (mixed ^ mixed >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	mixed = (mixed ^ mixed >> 27) * UINT64_C(0x94d049bb133111eb);
	return mixed ^ mixed >> 31;
}

static unsigned pick(struct zw_text *text, unsigned count)
{
	return (unsigned)((next_random(text) >> 32) * count >> 32);
}

/* Words early in the list come more often, as in real text. */
static const char *pick_word(struct zw_text *text)
{
	uint64_t part = next_random(text) >> 32;

	return words[((part * part >> 32) * WORD_COUNT) >> 32];
}

/* A word that could be a name: not one of the little ones at the start of the list. */
static const char *pick_noun(struct zw_text *text)
{
	return words[32 + pick(text, WORD_COUNT - 32)];
}

static bool is_full(const struct zw_text *text)
{
	return text->size_bytes == text->max_bytes;
}

static void put_bytes(struct zw_text *text, const char *data, size_t size_bytes)
{
	size_t room = text->max_bytes - text->size_bytes;

	if (size_bytes > room)
		size_bytes = room;
	memcpy(text->data + text->size_bytes, data, size_bytes);
	text->size_bytes += size_bytes;
}

static void put_string(struct zw_text *text, const char *string)
{
	put_bytes(text, string, strlen(string));
}

__attribute__((format(printf, 2, 3)))
static void put(struct zw_text *text, const char *format, ...)
{
	char line[512];
	va_list args;
	int length;

	va_start(args, format);
	length = vsnprintf(line, sizeof line, format, args);
	va_end(args);
	if (length > 0)
		put_bytes(text, line, (size_t)length < sizeof line ? (size_t)length : sizeof line - 1);
}

static void put_capital(struct zw_text *text, const char *word)
{
	put(text, "%c%s", word[0] - 'a' + 'A', word + 1);
}

static void put_sentence(struct zw_text *text)
{
	unsigned count = 6 + pick(text, 14);

	put_capital(text, pick_word(text));
	for (unsigned i = 1; i < count; i++) {
		put_string(text, pick(text, 9) ? " " : ", ");
		if (pick(text, 40) == 0)
			put(text, "%u ", pick(text, 2000));
		put_string(text, pick_word(text));
	}
	put_string(text, pick(text, 8) ? ". " : "? ");
}

static void put_title(struct zw_text *text)
{
	unsigned count = 2 + pick(text, 4);

	put_capital(text, pick_noun(text));
	for (unsigned i = 1; i < count; i++) {
		put_string(text, " ");
		put_string(text, pick_word(text));
	}
}

#define IDENTIFIER_MAX_BYTES 40

/* One or two words: customer, bridgeTicket. */
static const char *make_identifier(struct zw_text *text, char name[static IDENTIFIER_MAX_BYTES])
{
	const char *first = pick_noun(text);
	const char *second = pick_noun(text);

	if (pick(text, 3) == 0)
		return first;
	snprintf(name, IDENTIFIER_MAX_BYTES, "%s%c%s", first, second[0] - 'a' + 'A', second + 1);
	return name;
}

/* What stands for a template's ~letter. */
static void put_variable(struct zw_text *text, char letter, const char *a, const char *b)
{
	char name[IDENTIFIER_MAX_BYTES];

	switch (letter) {
	case 'a': put_string(text, a); break;
	case 'b': put_string(text, b); break;
	case 'w': put_string(text, pick_word(text)); break;
	case 'n': put_string(text, pick_noun(text)); break;
	case 'N': put_capital(text, pick_noun(text)); break;
	case 'i': put_string(text, make_identifier(text, name)); break;
	case 's': put_sentence(text); break;
	case 't': put_title(text); break;
	case 'h': put(text, "%08x", pick(text, 0xffffffff)); break;
	case 'L': put(text, "%c", (int)('A' + pick(text, 26))); break;
	case 'm': put(text, "%02u", 1 + pick(text, 12)); break;
	case 'd': put(text, "%02u", 1 + pick(text, 28)); break;
	case 'H': put(text, "%02u", pick(text, 24)); break;
	case 'M': put(text, "%02u", pick(text, 60)); break;
	case 'c': put(text, "%02u", pick(text, 100)); break;
	case 'p': put(text, "%u", pick(text, 10)); break;
	case 'k': put(text, "%u", pick(text, 256)); break;
	case 'u': put(text, "%u", pick(text, 900)); break;
	case 'U': put(text, "%u", 10000 + pick(text, 90000)); break;
	case 'B': put_string(text, pick(text, 3) ? "true" : "false"); break;
	}
}

/* Copies the template and fills its ~letters, strictly from left to right: arguments of one C call may be evaluated
 * in any order, so random numbers must never be drawn there. */
static void put_template(struct zw_text *text, const char *template, const char *a, const char *b)
{
	while (*template) {
		size_t plain_bytes = strcspn(template, "~");

		put_bytes(text, template, plain_bytes);
		template += plain_bytes;
		if (*template) {
			put_variable(text, template[1], a, b);
			template += 2;
		}
	}
}

/* ---- page.html ---- */
static void put_head(struct zw_text *text)
{
	put_template(text, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
		"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>~t</title>\n"
		"<link rel=\"stylesheet\" href=\"/assets/css/main.~h.css\">\n"
		"<link rel=\"preload\" as=\"font\" href=\"/assets/fonts/text-regular.woff2\" crossorigin>\n", "", "");
	for (unsigned i = 0; i < 4; i++)
		put_template(text, "<script defer src=\"/assets/js/~n.~h.js\"></script>\n", "", "");
	put_template(text, "</head>\n<body class=\"home page-template layout-wide\">\n<header class=\"site-header\">\n"
		"<nav class=\"nav nav-main\" aria-label=\"Main\">\n<ul class=\"nav-list\">\n", "", "");
	for (unsigned i = 0; i < 14; i++)
		put_template(text, "<li class=\"nav-item\"><a class=\"nav-link\" href=\"/~a/\">~N</a></li>\n",
			     pick_noun(text), "");
	put_template(text, "</ul>\n</nav>\n</header>\n<main id=\"content\" class=\"container\">\n", "", "");
}

static void put_article(struct zw_text *text)
{
	const char *section = pick_noun(text);
	char id[16];

	snprintf(id, sizeof id, "%u", 1000 + pick(text, 90000));
	put_template(text, "<article class=\"post post-~b type-post status-publish\" id=\"post-~b\">\n"
		"<header class=\"post-header\">\n<h2 class=\"post-title\"><a href=\"/~a/~b-~n-~n\" rel=\"bookmark\">~t</a></h2>\n"
		"<p class=\"post-meta\"><time datetime=\"2026-~m-~dT~H:~M:00Z\">~k days ago</time> by "
		"<a class=\"author\" href=\"/author/~n\">~t</a> in <a href=\"/~a/\" rel=\"category tag\">~a</a></p>\n</header>\n",
		section, id);
	if (pick(text, 3) == 0)
		put_template(text, "<figure class=\"post-image\"><img src=\"/media/2026/~n-~n-640x360.jpg\" width=\"640\" "
			"height=\"360\" alt=\"~w ~n\" loading=\"lazy\"></figure>\n", "", "");
	for (unsigned i = 1 + pick(text, 3); i; i--) {
		put_string(text, "<p>");
		for (unsigned sentence = 3 + pick(text, 6); sentence; sentence--)
			put_sentence(text);
		put_string(text, "</p>\n");
	}
	put_template(text, "<footer class=\"post-footer\"><a class=\"more-link\" href=\"/~a/~b#more\">Read more</a> "
		"<span class=\"comments\">~k comments</span></footer>\n</article>\n", section, id);
}

static void put_cards(struct zw_text *text)
{
	put_template(text, "<section class=\"cards grid grid-4\">\n<h3>~t</h3>\n", "", "");
	for (unsigned i = 0; i < 4; i++)
		put_template(text, "<div class=\"card card-product\" data-sku=\"~L~L-~U\" data-price=\"~u.~c\">\n"
			"<a href=\"/shop/~n-~n\" class=\"card-link\"><img src=\"/media/p/~h.webp\" alt=\"\" width=\"280\" "
			"height=\"280\"></a>\n<div class=\"card-body\"><h4 class=\"card-title\">~t</h4><p class=\"card-text\">~s</p>"
			"<span class=\"stars\" title=\"4.~p of 5\"></span> <button type=\"button\" class=\"btn btn-primary\">"
			"Add to basket</button></div>\n</div>\n", "", "");
	put_string(text, "</section>\n");
}

void zw_text_write_page(struct zw_text *text)
{
	put_head(text);
	while (!is_full(text)) {
		put_article(text);
		if (pick(text, 4) == 0)
			put_cards(text);
	}
}

/* ---- app.js ---- */
static const char *const statements[] = {
	"    const ~a = this.~b.get('~n');\n",
	"    if (!~a || ~a.length > ~k) {\n      return null;\n    }\n",
	"    this.~a = options.~a || ~k;\n",
	"    for (let i = 0; i < ~a.length; i++) {\n      ~b.push(~a[i].~n);\n    }\n",
	"    element.addEventListener('~n', (event) => this.~b(event, ~k));\n",
	"    // ~w ~w ~a ~w\n",
	"    return fetch(`/api/~a/${~b}?limit=~k`).then((response) => response.json());\n",
	"    ~a.classList.toggle('is-~n', ~b !== undefined);\n",
	"    throw new Error(\"~a: no ~b for \" + ~n);\n",
};

static void put_statements(struct zw_text *text, unsigned count)
{
	char names[2][IDENTIFIER_MAX_BYTES];

	for (; count; count--) {
		const char *a = make_identifier(text, names[0]);
		const char *b = make_identifier(text, names[1]);

		put_template(text, statements[pick(text, sizeof statements / sizeof statements[0])], a, b);
	}
}

void zw_text_write_script(struct zw_text *text)
{
	put_string(text, "/*! app.js */\n'use strict';\n\n");
	while (!is_full(text)) {
		put_template(text, "export class ~N~N extends Component {\n  constructor(element, options = {}) {\n"
			"    super(element);\n", "", "");
		put_statements(text, 1 + pick(text, 4));
		put_string(text, "  }\n");
		for (unsigned method = 2 + pick(text, 6); method; method--) {
			put_template(text, "\n  ~i(~n, ~n) {\n", "", "");
			put_statements(text, 2 + pick(text, 7));
			put_string(text, "  }\n");
		}
		put_string(text, "}\n\n");
	}
}

/* ---- api-2k.json: an answer of an ordinary API ---- */
void zw_text_write_answer(struct zw_text *text)
{
	char id[16];

	put_string(text, "{\"data\":[");
	for (unsigned i = 0; !is_full(text); i++) {
		snprintf(id, sizeof id, "%u", 48210 + i);
		put_template(text, "{\"id\":~a,\"type\":\"~b\",\"attributes\":{\"title\":\"~t\",\"price\":~u.~c,\"currency\":\"EUR\","
			"\"in_stock\":~B,\"created_at\":\"2026-~m-~dT~H:~M:~MZ\",\"tags\":[\"~n\",\"~n\"]}},",
			id, i % 3 ? "article" : "product");
	}
}

/* ---- data.json: the records of the published zlib-ng measurement ---- */
void zw_text_write_records(struct zw_text *text)
{
	put(text, "[");
	for (unsigned i = 0; i < RECORD_COUNT; i++)
		put(text, "{\"id\":%u,\"user\":\"user_%u\",\"email\":\"user%u@example.com\",\"active\":%s,\"score\":%u.%02u,"
			  "\"tags\":[\"alpha\",\"beta\",\"gamma\"],\"ts\":\"2026-09-01T12:%02u:%02u Z\"},",
		    i, i, i, i % 2 ? "true" : "false", i % 97, i % 100, i % 60, i % 60);
	put(text, "{}]");
}

void zw_text_write_noise(struct zw_text *text)
{
	while (!is_full(text)) {
		uint64_t value = next_random(text);
		char bytes[8];

		for (unsigned i = 0; i < 8; i++)
			bytes[i] = (char)(value >> 8 * i);
		put_bytes(text, bytes, sizeof bytes);
	}
}

/* ---- the two highly repetitive ones ---- */
void zw_text_write_rows(struct zw_text *text)
{
	put(text, "<!DOCTYPE html>\n<html><head><title>Rows</title></head><body><table>\n");
	for (unsigned i = 0; !is_full(text); i++)
		put(text, "<tr><td>%u</td><td>Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor "
			  "incididunt ut labore et dolore magna aliqua.</td><td>static text of a row</td></tr>\n", i / 8);
}

void zw_text_write_items(struct zw_text *text)
{
	put(text, "[\n");
	for (unsigned i = 0; !is_full(text); i++)
		put(text, "  {\"id\": %u, \"name\": \"item\", \"description\": \"A plain description that every item has in "
			  "common\", \"value\": %u, \"enabled\": true, \"tags\": [\"alpha\", \"beta\"]},\n", i, i % 10);
}
