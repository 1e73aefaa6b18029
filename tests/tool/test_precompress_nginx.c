/* SPDX-License-Identifier: Zlib */
/* test_precompress_nginx.c - NGINX's configuration as NGINX reads it, which types follow from it, and the line that a
 * terminal shows. */
#include "precompress/nginx_conf.h"
#include "precompress/precompress.h"

#include "common/tool.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/zwire-nginx-XXXXXX";

static void write_text(const char *name, const char *text)
{
	char path[256];
	FILE *file;

	snprintf(path, sizeof path, "%s/%s", folder, name);
	file = fopen(path, "w");
	assert_non_null(file);
	assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
	assert_int_equal(fclose(file), 0);
}

/* Directives as "block/name word word", blocks with a '{' behind. */
static void note(void *opaque, const struct zw_nginx_directive *directive)
{
	char *to = opaque;

	to += strlen(to);
	to += sprintf(to, "%s/", directive->block);
	for (size_t i = 0; i < directive->word_count; i++)
		to += sprintf(to, "%s%s", i ? " " : "", directive->words[i]);
	sprintf(to, "%s\n", directive->is_block ? "{" : "");
}

static const struct { const char *breaks_if, *text, *want, *error; } conf_cases[] = {
	{ "a directive and a block", "user www;\nhttp { gzip on; }", "/user www\n/http{\nhttp/gzip on\n", NULL },
	{ "comments", "# a; b {\ngzip on; # off;\n", "/gzip on\n", NULL },
	{ "a # within a word begins a comment", "a b#c;", "/a b#c\n", NULL },
	{ "quotes", "a 'b c;{' \"d'\\\"e\";", "/a b c;{ d'\"e\n", NULL },
	{ "escapes", "a \\' b\\ c \\d;", "/a ' b\\ c \\d\n", NULL },
	{ "${variable} opens a block", "a x${y}z;", "/a x${y}z\n", NULL },
	{ "a } within a word ends it", "location ~ ^/\\d{ a }x; }", NULL, "missing" },
	{ "blocks within blocks", "a { b { c d; } e; } f;", "/a{\na/b{\nb/c d\na/e\n/f\n", NULL },
	{ "braces of Lua", "a_by_lua_block { if x == '}' then t = { 1 } end -- }\n } b;", "/b\n", NULL },
	{ "an include", "http { include one.conf; }", "/http{\nhttp/one 1\n", NULL },
	{ "a pattern, in order", "include parts/*.conf;", "/p 1\n/p 2\n", NULL },
	{ "a pattern that matches nothing is an error", "include nowhere/*.conf; a;", "/a\n", NULL },
	{ "a file that is not there is none", "a;\ninclude nowhere.conf;", NULL, "nowhere.conf" },
	{ "includes in a loop never end", "include loop.conf;", NULL, "include each other" },
	{ "no ; at the end", "gzip on", NULL, "a ; is missing" },
	{ "no } at the end", "http {\n gzip on;\n", NULL, "a } is missing" },
	{ "a } too many", "gzip on;\n}", NULL, ":2: unexpected }" },
	{ "a quote that is open", "a 'b;\n", NULL, "quote" },
	{ "a block that an include closes", "http { include close.conf;", NULL, "unexpected }" },
	{ "nothing at all", "", "", NULL },
};

static void test_directives(void **state)
{
	char path[256], got[8192], *error;

	(void)state;
	snprintf(path, sizeof path, "%s/nginx.conf", folder);
	for (size_t i = 0; i < sizeof conf_cases / sizeof conf_cases[0]; i++) {
		bool is_fine;

		write_text("nginx.conf", conf_cases[i].text);
		got[0] = 0;
		is_fine = zw_nginx_conf_read(path, note, got, &error);
		if (is_fine != (conf_cases[i].want != NULL) || (is_fine ? strcmp(got, conf_cases[i].want) : !error || !strstr(error, conf_cases[i].error)))
			fail_msg("%s: %s, '%s', '%s'", conf_cases[i].breaks_if, is_fine ? "read" : "refused", got, error ? error : "");
		free(error);
	}
}

static const char mime[] = "types { text/html html htm; text/css css; image/svg+xml svg svgz; image/png png; application/wasm wasm;\n"
	"application/javascript js; }\n";

static const struct { const char *breaks_if, *conf, *name, *type; bool is_compressed; } type_cases[] = {
	{ "html is not always compressed", "http { include mime.types; }", "a.html", "text/html", true },
	{ "js is compressed unasked", "http { include mime.types; }", "a.js", "application/javascript", false },
	{ "gzip_types is not followed", "http { include mime.types; gzip_types text/css application/javascript; }", "a.js",
	  "application/javascript", true },
	{ "a capital letter hides an extension", "http { include mime.types; gzip_types TEXT/css; }", "A.CSS", "text/css", true },
	{ "* is a type", "http { include mime.types; gzip_types *; }", "a.png", "image/png", true },
	{ "svg counts without its type", "http { include mime.types; gzip_types text/css; }", "a.svg", "image/svg+xml", false },
	{ "a server's gzip_types is not seen", "http { include mime.types; server { gzip_types image/svg+xml; } }", "a.svg", "image/svg+xml", true },
	{ "a location's types are not seen", "http { include mime.types; gzip_types text/x; server { location / { types { text/x svg; } } } }",
	  "a.svg", "text/x", true },
	{ "no types: html is unknown", "http { gzip_types text/css; }", "a.html", "text/html", true },
	{ "no types: css is known", "http { gzip_types text/css; }", "a.css", "text/plain", false },
	{ "default_type is not followed", "http { include mime.types; default_type application/octet-stream; }", "README",
	  "application/octet-stream", false },
	{ "default_type is never compressed", "http { include mime.types; default_type text/x; gzip_types text/x; }", "a.unknown", "text/x", true },
	{ ".css is an extension of nothing", "http { include mime.types; gzip_types text/css; }", ".css", "text/plain", false },
	{ "only the last dot counts", "http { include mime.types; gzip_types text/css; }", "a.css.png", "image/png", false },
};

static void test_types(void **state)
{
	char path[256], *error;

	(void)state;
	write_text("mime.types", mime);
	snprintf(path, sizeof path, "%s/nginx.conf", folder);
	for (size_t i = 0; i < sizeof type_cases / sizeof type_cases[0]; i++) {
		struct zw_nginx_types *types;
		const char *type;
		bool is_compressed;

		write_text("nginx.conf", type_cases[i].conf);
		types = zw_nginx_types_read(path, &error);
		assert_non_null(types);
		type = zw_nginx_type_of(types, type_cases[i].name, &is_compressed);
		if (strcmp(type, type_cases[i].type) != 0 || is_compressed != type_cases[i].is_compressed)
			fail_msg("%s: %s, %d", type_cases[i].breaks_if, type, is_compressed);
		zw_nginx_types_free(types);
	}
}

/* What would gain and is not compressed is told; what is compressed inside anyway is not. */
static void test_uncovered(void **state)
{
	struct zw_types types = { .nginx = NULL };
	const char *extension;
	char path[256], *error;

	(void)state;
	write_text("nginx.conf", "http { include mime.types; gzip_types text/css; gzip_static always; }");
	snprintf(path, sizeof path, "%s/nginx.conf", folder);
	assert_null(zw_types_uncovered(&types, "a.svg", &extension));
	types.nginx = zw_nginx_types_read(path, &error);
	assert_non_null(types.nginx);
	assert_true(types.nginx->has_gzip_static && types.nginx->has_gzip_types);
	assert_true(zw_types_has(&types, "a.css"));
	assert_false(zw_types_has(&types, "a.svg"));
	assert_null(zw_types_uncovered(&types, "a.css", &extension));
	assert_string_equal(zw_types_uncovered(&types, "a.SVG", &extension), "image/svg+xml");
	assert_memory_equal(extension, "svg,", 4);
	assert_string_equal(zw_types_uncovered(&types, "a.png", &extension), "image/png");
	assert_null(extension);
	assert_true(zw_types_add(&types, "svg"));
	assert_true(zw_types_has(&types, "a.svg"));
	zw_types_free(&types);
}

static void test_progress_text(void **state)
{
	struct zw_twin_counts counts = { .done_files = 1234, .source_bytes = 8000000, .twin_bytes = 2000000, .read_bytes = 9000000 };
	char text[256];

	(void)state;
	zw_twin_progress_text(text, sizeof text, &counts, 0, 3, 0);
	assert_string_equal(text, "1,234 files, 8,000,000 -> 2,000,000 bytes (75.0 % saved), 3.0 MB/s");
	zw_twin_progress_text(text, sizeof text, &counts, 10000, 3, 75.4);
	assert_string_equal(text, "1,234 of 10,000 files, 8,000,000 -> 2,000,000 bytes (75.0 % saved), 3.0 MB/s, 1:15 left");
	zw_twin_progress_text(text, sizeof text, &counts, 10000, 3, 7265);
	assert_string_equal(text, "1,234 of 10,000 files, 8,000,000 -> 2,000,000 bytes (75.0 % saved), 3.0 MB/s, 2:01:05 left");
	counts = (struct zw_twin_counts){ 0 };
	zw_twin_progress_text(text, sizeof text, &counts, 0, 0, 0);
	assert_string_equal(text, "0 files, 0 -> 0 bytes (0.0 % saved), 0.0 MB/s");
}

static int make_folder(void **state)
{
	char path[256];

	(void)state;
	if (!mkdtemp(folder))
		return -1;
	snprintf(path, sizeof path, "%s/parts", folder);
	if (mkdir(path, 0700) != 0)
		return -1;
	write_text("one.conf", "one 1;");
	write_text("parts/b.conf", "p 2;");
	write_text("parts/a.conf", "p 1;");
	write_text("loop.conf", "include loop.conf;");
	write_text("close.conf", "}");
	return 0;
}

static int remove_folder(void **state)
{
	(void)state;
	zw_tree_remove(folder);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_directives), cmocka_unit_test(test_types), cmocka_unit_test(test_uncovered),
		cmocka_unit_test(test_progress_text),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
