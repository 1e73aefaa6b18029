/* SPDX-License-Identifier: Zlib */
/* test_precompress_decision.c - what is done with a file and its twin: every kind of each, by a table. */
#include "precompress/decide.h"
#include "precompress/types.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

enum { RIGHT = 1, BROKEN = 2, CLOSED = 4, UNLIKE = 8, OUR_LINK = 16, TARGET = 32, FORCE = 64, PRUNE = 128 };

#define FILE_ ZW_TWIN_FILE
#define LINK_ ZW_TWIN_LINK
#define NONE_ ZW_TWIN_ABSENT
#define ODD_  ZW_TWIN_OTHER
#define SHUT_ ZW_TWIN_DENIED

static const struct {
	const char *breaks_if;
	enum zw_twin_kind source, twin;
	enum zw_twin_type type;
	unsigned flags;
	uint64_t source_bytes;
	enum zw_twin_action action;
	enum zw_twin_reason reason;
	bool is_problem;
} cases[] = {
	{ "a file without a twin gets none", FILE_, NONE_, ZW_TYPE_WANTED, 0, 100, ZW_TWIN_MAKE, ZW_WHY_MISSING, true },
	{ "a right twin is made again", FILE_, FILE_, ZW_TYPE_WANTED, RIGHT, 100, ZW_TWIN_KEEP, ZW_WHY_RIGHT, false },
	{ "a stale twin stays", FILE_, FILE_, ZW_TYPE_WANTED, 0, 100, ZW_TWIN_MAKE, ZW_WHY_STALE, true },
	{ "a broken twin stays", FILE_, FILE_, ZW_TYPE_WANTED, BROKEN, 100, ZW_TWIN_MAKE, ZW_WHY_BROKEN, true },
	{ "a twin that cannot be read stays", FILE_, SHUT_, ZW_TYPE_WANTED, 0, 100, ZW_TWIN_MAKE, ZW_WHY_UNREADABLE, true },
	{ "a twin that the server cannot read stays", FILE_, FILE_, ZW_TYPE_WANTED, RIGHT | CLOSED, 100, ZW_TWIN_ADJUST, ZW_WHY_UNREADABLE, true },
	{ "another time is a problem", FILE_, FILE_, ZW_TYPE_WANTED, RIGHT | UNLIKE, 100, ZW_TWIN_ADJUST, ZW_WHY_ATTRIBUTES, false },
	{ "a stale twin is only adjusted", FILE_, FILE_, ZW_TYPE_WANTED, CLOSED | UNLIKE, 100, ZW_TWIN_MAKE, ZW_WHY_STALE, true },
	{ "--force does nothing", FILE_, FILE_, ZW_TYPE_WANTED, RIGHT | FORCE, 100, ZW_TWIN_MAKE, ZW_WHY_FORCED, false },
	{ "a link beside a file is written through", FILE_, LINK_, ZW_TYPE_WANTED, 0, 100, ZW_TWIN_MAKE, ZW_WHY_NOT_A_FILE, true },
	{ "a folder is replaced", FILE_, ODD_, ZW_TYPE_WANTED, 0, 100, ZW_TWIN_REPORT, ZW_WHY_NOT_A_FILE, true },
	{ "an empty file gets a twin", FILE_, NONE_, ZW_TYPE_WANTED, 0, 0, ZW_TWIN_SKIP, ZW_WHY_EMPTY, false },
	{ "the stale twin of a file that became empty stays", FILE_, FILE_, ZW_TYPE_WANTED, 0, 0, ZW_TWIN_REMOVE, ZW_WHY_STALE, true },
	{ "a right twin of an empty file goes", FILE_, FILE_, ZW_TYPE_WANTED, RIGHT, 0, ZW_TWIN_KEEP, ZW_WHY_RIGHT, false },
	{ "what is compressed is compressed", FILE_, NONE_, ZW_TYPE_COMPRESSED, 0, 100, ZW_TWIN_SKIP, ZW_WHY_COMPRESSED, false },
	{ "the stale twin of what is compressed now stays", FILE_, FILE_, ZW_TYPE_COMPRESSED, 0, 100, ZW_TWIN_REMOVE, ZW_WHY_STALE, true },
	{ "other types get twins", FILE_, NONE_, ZW_TYPE_UNLISTED, 0, 100, ZW_TWIN_SKIP, ZW_WHY_UNLISTED, false },
	{ "--force makes twins of other types", FILE_, NONE_, ZW_TYPE_UNLISTED, FORCE, 100, ZW_TWIN_SKIP, ZW_WHY_UNLISTED, false },
	{ "a right twin of another type goes", FILE_, FILE_, ZW_TYPE_UNLISTED, RIGHT | PRUNE, 100, ZW_TWIN_KEEP, ZW_WHY_RIGHT, false },
	{ "app.tar.gz of another app.tar goes unasked", FILE_, FILE_, ZW_TYPE_UNLISTED, 0, 100, ZW_TWIN_REPORT, ZW_WHY_STALE, true },
	{ "--prune leaves a stale twin of another type", FILE_, FILE_, ZW_TYPE_UNLISTED, PRUNE, 100, ZW_TWIN_REMOVE, ZW_WHY_STALE, true },
	{ "--prune removes a folder", FILE_, ODD_, ZW_TYPE_UNLISTED, PRUNE, 100, ZW_TWIN_REPORT, ZW_WHY_NOT_A_FILE, true },
	{ "a file that cannot be read passes", SHUT_, NONE_, ZW_TYPE_WANTED, 0, 100, ZW_TWIN_FAIL, ZW_WHY_SOURCE_DENIED, true },
	{ "a FIFO is opened", ODD_, NONE_, ZW_TYPE_WANTED, 0, 0, ZW_TWIN_SKIP, ZW_WHY_SPECIAL, false },

	{ "an orphan goes unasked", NONE_, FILE_, ZW_TYPE_WANTED, 0, 0, ZW_TWIN_REPORT, ZW_WHY_ORPHAN, true },
	{ "--prune leaves an orphan", NONE_, FILE_, ZW_TYPE_WANTED, PRUNE, 0, ZW_TWIN_REMOVE, ZW_WHY_ORPHAN, true },
	{ "--prune leaves an orphaned link", NONE_, LINK_, ZW_TYPE_WANTED, PRUNE, 0, ZW_TWIN_REMOVE, ZW_WHY_ORPHAN, true },
	{ "--prune removes release.tar.gz", NONE_, FILE_, ZW_TYPE_UNLISTED, PRUNE, 0, ZW_TWIN_SKIP, ZW_WHY_DOWNLOAD, false },
	{ "release.tar.gz is a problem", NONE_, FILE_, ZW_TYPE_UNLISTED, 0, 0, ZW_TWIN_SKIP, ZW_WHY_DOWNLOAD, false },
	{ "--prune removes a folder of an orphan's name", NONE_, ODD_, ZW_TYPE_WANTED, PRUNE, 0, ZW_TWIN_SKIP, ZW_WHY_DOWNLOAD, false },
	{ "both are gone and that is a problem", NONE_, NONE_, ZW_TYPE_WANTED, PRUNE, 0, ZW_TWIN_SKIP, ZW_WHY_VANISHED, false },

	{ "a link gets no link", LINK_, NONE_, ZW_TYPE_WANTED, TARGET, 100, ZW_TWIN_LINK_IT, ZW_WHY_LINK, true },
	{ "a link gets a link to nowhere", LINK_, NONE_, ZW_TYPE_WANTED, 0, 100, ZW_TWIN_SKIP, ZW_WHY_NO_TARGET_TWIN, false },
	{ "a right link is made again", LINK_, LINK_, ZW_TYPE_WANTED, TARGET | OUR_LINK, 100, ZW_TWIN_KEEP, ZW_WHY_LINK, false },
	{ "a link to elsewhere stays", LINK_, LINK_, ZW_TYPE_WANTED, TARGET, 100, ZW_TWIN_LINK_IT, ZW_WHY_LINK, true },
	{ "a link to a twin that is gone stays", LINK_, LINK_, ZW_TYPE_WANTED, OUR_LINK, 100, ZW_TWIN_REMOVE, ZW_WHY_NO_TARGET_TWIN, true },
	{ "somebody's own link is removed", LINK_, LINK_, ZW_TYPE_WANTED, 0, 100, ZW_TWIN_REPORT, ZW_WHY_NOT_A_FILE, true },
	{ "a right file beside a link is replaced", LINK_, FILE_, ZW_TYPE_WANTED, RIGHT | TARGET, 100, ZW_TWIN_KEEP, ZW_WHY_RIGHT, false },
	{ "a stale file beside a link stays", LINK_, FILE_, ZW_TYPE_WANTED, 0, 100, ZW_TWIN_REMOVE, ZW_WHY_STALE, true },
	{ "a stale file beside a link is no reason for a link", LINK_, FILE_, ZW_TYPE_WANTED, TARGET, 100, ZW_TWIN_LINK_IT, ZW_WHY_LINK, true },
	{ "a folder is replaced by a link", LINK_, ODD_, ZW_TYPE_WANTED, TARGET, 100, ZW_TWIN_REPORT, ZW_WHY_NOT_A_FILE, true },
};

static struct zw_twin_facts facts_of(size_t i)
{
	return (struct zw_twin_facts){ .source = cases[i].source, .twin = cases[i].twin, .type = cases[i].type,
		.source_bytes = cases[i].source_bytes, .is_right = cases[i].flags & RIGHT, .is_broken = cases[i].flags & BROKEN,
		.is_readable = !(cases[i].flags & CLOSED), .looks_alike = !(cases[i].flags & UNLIKE),
		.is_made_link = cases[i].flags & OUR_LINK, .target_is_right = cases[i].flags & TARGET };
}

static void each_kind_of_file_and_twin(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct zw_twin_facts facts = facts_of(i);
		struct zw_twin_wishes wishes = { .force = cases[i].flags & FORCE, .prune = cases[i].flags & PRUNE };
		struct zw_twin_verdict verdict = zw_twin_decide(&facts, &wishes);

		if (verdict.action != cases[i].action || verdict.reason != cases[i].reason || verdict.is_problem != cases[i].is_problem)
			fail_msg("%s: %s, %s, %d", cases[i].breaks_if, zw_twin_action_name(verdict.action),
				 zw_twin_reason_text(verdict.reason), verdict.is_problem);
	}
}

/* Over every combination, not only those of the table: what must never be. */
static void something_wrong_may_be_served(void **state)
{
	size_t count = 0;

	(void)state;
	for (unsigned bits = 0; bits < 1u << 17; bits++) {
		struct zw_twin_facts facts = { .source = (enum zw_twin_kind)(bits & 7), .twin = (enum zw_twin_kind)(bits >> 3 & 7),
			.type = (enum zw_twin_type)(bits >> 6 & 3), .source_bytes = bits >> 8 & 1 ? 100 : 0, .is_right = bits >> 9 & 1,
			.is_broken = bits >> 10 & 1, .is_readable = bits >> 11 & 1, .looks_alike = bits >> 12 & 1,
			.is_made_link = bits >> 13 & 1, .target_is_right = bits >> 14 & 1 };
		struct zw_twin_wishes wishes = { .force = bits >> 15 & 1, .prune = bits >> 16 & 1 };
		struct zw_twin_verdict verdict;

		if (facts.source > ZW_TWIN_DENIED || facts.twin > ZW_TWIN_DENIED || facts.type > ZW_TYPE_COMPRESSED ||
		    (facts.is_right && facts.is_broken))
			continue;
		verdict = zw_twin_decide(&facts, &wishes);
		count++;
		if (facts.source == ZW_TWIN_FILE && facts.twin == ZW_TWIN_FILE && !facts.is_right) {
			assert_true(verdict.is_problem);
			assert_true(verdict.action == ZW_TWIN_MAKE || verdict.action == ZW_TWIN_REMOVE ||
				    (verdict.action == ZW_TWIN_REPORT && facts.type == ZW_TYPE_UNLISTED && !wishes.prune));
		}
		if (facts.twin == ZW_TWIN_ABSENT)
			assert_true(verdict.action != ZW_TWIN_REMOVE && verdict.action != ZW_TWIN_KEEP && verdict.action != ZW_TWIN_ADJUST);
		if (facts.twin == ZW_TWIN_OTHER)
			assert_true(verdict.action == ZW_TWIN_REPORT || verdict.action == ZW_TWIN_SKIP || verdict.action == ZW_TWIN_FAIL);
		if (facts.source == ZW_TWIN_ABSENT && !wishes.prune)
			assert_true(verdict.action == ZW_TWIN_REPORT || verdict.action == ZW_TWIN_SKIP);
		if (facts.source == ZW_TWIN_LINK)
			assert_true(verdict.action != ZW_TWIN_MAKE && verdict.action != ZW_TWIN_ADJUST);
		assert_non_null(zw_twin_reason_text(verdict.reason));
	}
	assert_true(count > 10000);
}

static const struct {
	const char *breaks_if;
	enum zw_twin_kind twin;
	enum zw_twin_reason before;
	unsigned flags, percent;
	uint64_t gain_bytes, source_bytes, old_bytes, new_bytes;
	enum zw_twin_action action;
	enum zw_twin_reason reason;
} weights[] = {
	{ "one byte less is no gain", NONE_, ZW_WHY_MISSING, 0, 0, 0, 100, 0, 99, ZW_TWIN_MAKE, ZW_WHY_MISSING },
	{ "as large is a gain", NONE_, ZW_WHY_MISSING, 0, 0, 0, 100, 0, 100, ZW_TWIN_SKIP, ZW_WHY_NO_GAIN },
	{ "larger is a gain", NONE_, ZW_WHY_MISSING, 0, 0, 0, 100, 0, 118, ZW_TWIN_SKIP, ZW_WHY_NO_GAIN },
	{ "--min-gain 10 forbids 10", NONE_, ZW_WHY_MISSING, 0, 0, 10, 100, 0, 90, ZW_TWIN_MAKE, ZW_WHY_MISSING },
	{ "--min-gain 10 allows 9", NONE_, ZW_WHY_MISSING, 0, 0, 10, 100, 0, 91, ZW_TWIN_SKIP, ZW_WHY_NO_GAIN },
	{ "--min-gain 20% forbids 20 %", NONE_, ZW_WHY_MISSING, 0, 20, 0, 1000, 0, 800, ZW_TWIN_MAKE, ZW_WHY_MISSING },
	{ "--min-gain 20% allows less", NONE_, ZW_WHY_MISSING, 0, 20, 0, 1000, 0, 801, ZW_TWIN_SKIP, ZW_WHY_NO_GAIN },
	{ "a stale twin stays when the file no longer shrinks", FILE_, ZW_WHY_STALE, 0, 0, 0, 100, 0, 100, ZW_TWIN_REMOVE, ZW_WHY_STALE },
	{ "--force makes it larger", FILE_, ZW_WHY_FORCED, RIGHT, 0, 0, 100, 50, 51, ZW_TWIN_KEEP, ZW_WHY_SMALLER_KEPT },
	{ "--force replaces what is as small", FILE_, ZW_WHY_FORCED, RIGHT, 0, 0, 100, 50, 50, ZW_TWIN_KEEP, ZW_WHY_SMALLER_KEPT },
	{ "--force keeps what is larger", FILE_, ZW_WHY_FORCED, RIGHT, 0, 0, 100, 50, 49, ZW_TWIN_MAKE, ZW_WHY_FORCED },
	{ "--force forgets time and mode", FILE_, ZW_WHY_FORCED, RIGHT | UNLIKE, 0, 0, 100, 50, 60, ZW_TWIN_ADJUST, ZW_WHY_ATTRIBUTES },
	{ "--force forgets who may read", FILE_, ZW_WHY_FORCED, RIGHT | CLOSED, 0, 0, 100, 50, 60, ZW_TWIN_ADJUST, ZW_WHY_UNREADABLE },
	{ "--force keeps a twin below --min-gain", FILE_, ZW_WHY_FORCED, RIGHT, 0, 60, 100, 50, 50, ZW_TWIN_REMOVE, ZW_WHY_NO_GAIN },
};

static void what_came_out_decides(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof weights / sizeof weights[0]; i++) {
		struct zw_twin_facts facts = { .source = ZW_TWIN_FILE, .twin = weights[i].twin, .source_bytes = weights[i].source_bytes,
			.is_right = weights[i].flags & RIGHT, .is_readable = !(weights[i].flags & CLOSED), .looks_alike = !(weights[i].flags & UNLIKE) };
		struct zw_twin_wishes wishes = { .min_gain_bytes = weights[i].gain_bytes, .min_gain_percent = weights[i].percent };
		struct zw_twin_verdict before = { ZW_TWIN_MAKE, weights[i].before, weights[i].before != ZW_WHY_FORCED };
		struct zw_twin_verdict verdict = zw_twin_weigh(&facts, &wishes, before, weights[i].old_bytes, weights[i].new_bytes);

		if (verdict.action != weights[i].action || verdict.reason != weights[i].reason)
			fail_msg("%s: %s, %s", weights[i].breaks_if, zw_twin_action_name(verdict.action), zw_twin_reason_text(verdict.reason));
	}
}

static void a_type_is_taken_for_another(void **state)
{
	static const struct { const char *name; bool is_wanted; } names[] = {
		{ "index.html", true }, { "INDEX.HTM", true }, { "a.min.js", true }, { "app.js.map", true }, { "x.wasm", true }, { "favicon.ico", true },
		{ "logo.svg", true }, { "site.webmanifest", true }, { "photo.png", false }, { "font.woff2", false }, { "js", false }, { ".js", false },
		{ "a.js.br", false }, { "a.jsx ", false }, { "a.", false }, { "", false }, { "README", false },
	};
	struct zw_types types = { .count = 0 };

	(void)state;
	zw_types_default(&types);
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (zw_types_has(&types, names[i].name) != names[i].is_wanted)
			fail_msg("%s", names[i].name);
	assert_true(zw_types_add(&types, ".FOO,bar"));
	assert_true(zw_types_has(&types, "x.foo") && zw_types_has(&types, "x.BAR"));
	assert_false(zw_types_add(&types, "a,,b"));
	zw_types_free(&types);
}

static void compressed_content_is_not_seen(void **state)
{
	static const struct { const char *is, *bytes; size_t count; } starts[] = {
		{ "gzip", "\x1f\x8b\x08\0\0\0\0\0\0\3", 10 }, { "png", "\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16 }, { "zip", "PK\3\4\x14\0\0\0\0\0", 10 },
		{ "webp", "RIFF\0\0\0\0WEBPVP8 ", 16 }, { NULL, "RIFF\0\0\0\0WAVEfmt ", 16 }, { "woff2", "wOF2\0\1\0\0\0\0", 10 },
		{ "bzip2", "BZh91AY&SY\0\0", 12 }, { NULL, "BZhang wrote", 12 }, { NULL, "ID3 is a tag", 12 }, { "mp3", "ID3\4\0\0\0\0\0\0", 10 },
		{ NULL, "my ftyp text", 12 }, { "mp4 or avif", "\0\0\0\x20" "ftypisom", 12 }, { NULL, "<html>", 6 }, { NULL, "", 0 },
		{ NULL, "\x1f", 1 }, { NULL, "\0\0\0\x0c", 4 }, { "jpeg xl", "\0\0\0\x0cJXL \r\n", 10 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++) {
		uint8_t start[TYPE_MAGIC_BYTES] = { 0 };
		const char *found;

		memcpy(start, starts[i].bytes, starts[i].count);
		found = zw_type_compressed_as(start, starts[i].count);
		if (!starts[i].is != !found || (found && strcmp(found, starts[i].is) != 0))
			fail_msg("%zu: wanted %s, found %s", i, starts[i].is ? starts[i].is : "none", found ? found : "none");
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_kind_of_file_and_twin),
		cmocka_unit_test(something_wrong_may_be_served),
		cmocka_unit_test(what_came_out_decides),
		cmocka_unit_test(a_type_is_taken_for_another),
		cmocka_unit_test(compressed_content_is_not_seen),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
