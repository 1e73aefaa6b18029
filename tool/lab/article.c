/* SPDX-License-Identifier: Zlib */
/* article.c - the set-ups of three articles: bodies, configuration, clients; what they published, and the same figure of ours.
 * Their machines, NGINX and pages are others, so ratios and sizes can be compared, and requests/s only as to their order. */
#include "lab/article.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum figure {
	FIGURE_RATE,                             /* requests/s */
	FIGURE_RATE_TO_FIRST,                    /* requests/s to those of the first library */
	FIGURE_RATE_TO_ARM,                      /* requests/s to those of the other arm on the same library */
	FIGURE_CPU_OF_ARM,                       /* CPU for each response of the other arm to that of this one */
	FIGURE_SIZE,                             /* bytes on the wire to the file's */
	FIGURE_SHRINK,                           /* the file's bytes to those on the wire */
	FIGURE_BYTES
};

struct published { const char *what; double value; enum figure figure; const char *body, *arm, *other_arm; };

struct arm { enum zw_lab_arm_kind kind; int level; enum zw_lab_client client; bool is_identity; };

#define BODY_MAX_COUNT 4
#define ARM_MAX_COUNT  5
#define ROLES_ALL (LAB_ROLE_MAIN | LAB_ROLE_NOISE | LAB_ROLE_SMALL | LAB_ROLE_INDEX)

struct zw_lab_article {
	unsigned number;
	const char *title, *config;              /* config: for the server block */
	const char *left_alone;                  /* the end of names whose type its gzip_types does not list; NULL for none */
	unsigned connections;
	const char *bodies[BODY_MAX_COUNT];
	struct arm arms[ARM_MAX_COUNT];
	size_t arm_count;
	const struct published *rows;
	size_t row_count;
};

static const struct published rows_1[] = {
	{ "requests/s of zlib-ng to zlib, HTML, level 6", 1.30, FIGURE_RATE_TO_FIRST, "page.html", "level 6, ab, 1.0", NULL },
	{ "requests/s of zlib-ng to zlib, JSON, level 6", 1.44, FIGURE_RATE_TO_FIRST, "data.json", "level 6, ab, 1.0", NULL },
	{ "requests/s of zlib-ng to zlib, random bytes, level 6 (flat)", 1.00, FIGURE_RATE_TO_FIRST, "random.bin", "level 6, ab, 1.0", NULL },
	{ "requests/s of zlib-ng to zlib, gunzip, x86-64", 1.79, FIGURE_RATE_TO_FIRST, "page.html", "gunzip, ab, 1.0", NULL },
	{ "requests/s of zlib-ng to zlib, gunzip, aarch64", 1.34, FIGURE_RATE_TO_FIRST, "page.html", "gunzip, ab, 1.0", NULL },
	{ "size of zlib, HTML, level 6", .2491, FIGURE_SIZE, "page.html", "level 6, ab, 1.0", NULL },
	{ "size of zlib, JSON, level 6 (the same file)", .0888, FIGURE_SIZE, "data.json", "level 6, ab, 1.0", NULL },
	{ "size of zlib-ng, JSON, level 6 (the same file)", .0886, FIGURE_SIZE, "data.json", "level 6, ab, 1.0", NULL },
	{ "size of zlib, HTML, level 1", .291, FIGURE_SIZE, "page.html", "level 1, ab, 1.0", NULL },
	{ "size of zlib-ng, HTML, level 1", .344, FIGURE_SIZE, "page.html", "level 1, ab, 1.0", NULL },
	{ "size of zlib, JSON, level 1 (the same file)", .105, FIGURE_SIZE, "data.json", "level 1, ab, 1.0", NULL },
	{ "size of zlib-ng, JSON, level 1 (the same file)", .137, FIGURE_SIZE, "data.json", "level 1, ab, 1.0", NULL },
	{ "size of zlib-ng, HTML, level 2", .279, FIGURE_SIZE, "page.html", "level 2, ab, 1.0", NULL },
	{ "size of zlib-ng, JSON, level 2 (the same file)", .093, FIGURE_SIZE, "data.json", "level 2, ab, 1.0", NULL },
};

static const struct published rows_2[] = {
	{ "requests/s, JSON, off", 1987, FIGURE_RATE, "items.json", "off, close", NULL },
	{ "requests/s, JSON, level 1", 1031, FIGURE_RATE, "items.json", "level 1, close", NULL },
	{ "requests/s, JSON, level 6", 563, FIGURE_RATE, "items.json", "level 6, close", NULL },
	{ "requests/s, JSON, level 1 to off", 1031. / 1987, FIGURE_RATE_TO_ARM, "items.json", "level 1, close", "off, close" },
	{ "requests/s, JSON, level 6 to off", 563. / 1987, FIGURE_RATE_TO_ARM, "items.json", "level 6, close", "off, close" },
	{ "times smaller, HTML, level 1", 107, FIGURE_SHRINK, "rows.html", "level 1, close", NULL },
	{ "times smaller, JSON, level 1", 38, FIGURE_SHRINK, "items.json", "level 1, close", NULL },
	{ "bytes, JSON, level 1", 11584, FIGURE_BYTES, "items.json", "level 1, close", NULL },
	{ "bytes, JSON, level 6 (larger than level 1)", 12222, FIGURE_BYTES, "items.json", "level 6, close", NULL },
	{ "bytes, noise as octet-stream: not in gzip_types", 524288, FIGURE_BYTES, "noise.bin", "level 6, close", NULL },
	{ "bytes, the index of three bytes: below gzip_min_length", 3, FIGURE_BYTES, "index.html", "level 6, close", NULL },
	{ "bytes, JSON, to who does not ask for gzip", 443791, FIGURE_BYTES, "items.json", "level 6, identity, close", NULL },
};

static const struct published rows_3[] = {
	{ "requests/s, level 6 (of a whole cluster)", 90000, FIGURE_RATE, "25k.html", "level 6", NULL },
	{ "requests/s, level 2 to level 6 (it did not help)", 1.0, FIGURE_RATE_TO_ARM, "25k.html", "level 2", "level 6" },
	{ "requests/s, gzip_static (of a whole cluster)", 270000, FIGURE_RATE, "25k.html", "gzip_static", NULL },
	{ "requests/s, gzip_static to level 6", 3.0, FIGURE_RATE_TO_ARM, "25k.html", "gzip_static", "level 6" },
	{ "CPU for each response, level 6 to gzip_static (90 % at 90,000, 7 % at 270,000)", 90. / 90000 / (7. / 270000), FIGURE_CPU_OF_ARM,
	  "25k.html", "gzip_static", "level 6" },
};

#define ROWS(list) .rows = list, .row_count = sizeof list / sizeof list[0]

static const struct zw_lab_article articles[LAB_ARTICLE_COUNT] = {
	{ .number = 1, .title = "zlib-ng vs zlib in NGINX: benchmark and methodology",
	  .config = "    gzip_types application/json application/octet-stream;\n    gzip_min_length 20;\n    gzip_http_version 1.0;\n",
	  .connections = 4, .bodies = { "page.html", "data.json", "random.bin" },
	  .arms = { { LAB_ARM_LEVEL, 6, LAB_CLIENT_AB, false }, { LAB_ARM_GUNZIP, 0, LAB_CLIENT_AB, false },
		    { LAB_ARM_LEVEL, 1, LAB_CLIENT_AB, false }, { LAB_ARM_LEVEL, 2, LAB_CLIENT_AB, false } },
	  .arm_count = 4, ROWS(rows_1) },
	{ .number = 2, .title = "NGINX gzip on vs off, localhost lab",
	  .config = "    gzip_types application/json text/css application/javascript;\n    gzip_min_length 20;\n", .left_alone = ".bin",
	  .connections = 20, .bodies = { "rows.html", "items.json", "noise.bin", "index.html" },
	  .arms = { { LAB_ARM_OFF, 0, LAB_CLIENT_WRK_CLOSE, false }, { LAB_ARM_LEVEL, 1, LAB_CLIENT_WRK_CLOSE, false },
		    { LAB_ARM_LEVEL, 6, LAB_CLIENT_WRK_CLOSE, false }, { LAB_ARM_LEVEL, 6, LAB_CLIENT_WRK_CLOSE, true } },
	  .arm_count = 4, ROWS(rows_2) },
	{ .number = 3, .title = "50x by tuning gzip",
	  .config = "    gzip_types text/plain text/css text/xml application/javascript;\n    gzip_buffers 16 8k;\n    gzip_proxied any;\n    gzip_vary on;\n",
	  .connections = 8, .bodies = { "25k.html" },
	  .arms = { { LAB_ARM_LEVEL, 6, LAB_CLIENT_WRK, false }, { LAB_ARM_LEVEL, 2, LAB_CLIENT_WRK, false },
		    { LAB_ARM_STATIC, 0, LAB_CLIENT_WRK, false }, { LAB_ARM_OFF, 0, LAB_CLIENT_WRK, false } },
	  .arm_count = 4, ROWS(rows_3) },
};

const struct zw_lab_article *zw_lab_article_find(unsigned number)
{
	return &articles[number - 1];
}

const char *zw_lab_article_config(const struct zw_lab_article *article)
{
	return article->config;
}

unsigned zw_lab_article_connections(const struct zw_lab_article *article)
{
	return article->connections;
}

bool zw_lab_article_leaves_alone(const struct zw_lab_article *article, const char *body)
{
	size_t length = strlen(body), end_length = article->left_alone ? strlen(article->left_alone) : 0;

	return end_length && length > end_length && strcmp(body + length - end_length, article->left_alone) == 0;
}

/* Half of our random bytes: 524,288. */
static bool add_noise(struct zw_payloads *payloads)
{
	struct zw_payloads whole = { NULL, 0 };
	struct zw_blob half;

	if (!zw_payloads_add_named(&whole, "random.bin"))
		return false;
	half = (struct zw_blob){ whole.list[0].body.data, whole.list[0].body.size_bytes / 2 };
	zw_payloads_add_copy(payloads, "noise.bin", &half);
	payloads->list[payloads->count - 1].is_incompressible = true;
	zw_payloads_free(&whole);
	return true;
}

bool zw_lab_article_bodies(struct zw_lab_plan *plan)
{
	static const char tiny[] = "ok\n";
	struct zw_blob index = { (uint8_t *)(uintptr_t)tiny, sizeof tiny - 1 };
	bool done = true;

	for (size_t i = 0; i < BODY_MAX_COUNT && plan->article->bodies[i] && done; i++) {
		const char *name = plan->article->bodies[i];

		if (strcmp(name, "index.html") == 0)
			zw_payloads_add_copy(&plan->payloads, name, &index);
		else
			done = strcmp(name, "noise.bin") == 0 ? add_noise(&plan->payloads) : zw_payloads_add_named(&plan->payloads, name);
	}
	return done;
}

void zw_lab_article_arms(struct zw_lab_plan *plan)
{
	for (size_t i = 0; i < plan->article->arm_count; i++) {
		const struct arm *wanted = &plan->article->arms[i];
		struct zw_lab_arm *arm = zw_lab_arms_add(&plan->arms, wanted->kind, wanted->level);

		arm->roles = wanted->kind == LAB_ARM_GUNZIP ? LAB_ROLE_MAIN : ROLES_ALL;
		if (wanted->is_identity) {
			arm->asks_gzip = arm->gives_gzip = arm->needs_library = false;
			snprintf(arm->name, sizeof arm->name, "level %u, identity", (unsigned)wanted->level % 10);
		}
		if (wanted->client != LAB_CLIENT_WRK) {
			zw_lab_arms_add_client(&plan->arms, plan->arms.count - 1, wanted->client, arm->roles);
			*arm = plan->arms.list[--plan->arms.count];
		}
		arm->takes_http10 = wanted->client == LAB_CLIENT_AB;
	}
}

static const struct zw_lab_cell *find_cell(const struct zw_lab_plan *plan, const struct zw_lab_result *result, const char *body,
					   const char *arm, size_t library)
{
	for (size_t i = 0; arm && i < result->count; i++) {
		const struct zw_lab_cell *cell = &result->cells[i];

		if (cell->library == library && strcmp(plan->arms.list[cell->arm].name, arm) == 0 &&
		    strcmp(plan->payloads.list[cell->payload].name, body) == 0 && zw_lab_is_measured(cell))
			return cell;
	}
	return NULL;
}

/* Our figure for a row, 0 where there is none. */
static double figure_of(const struct zw_lab_plan *plan, const struct zw_lab_result *result, const struct published *row, size_t library)
{
	const struct zw_lab_cell *cell = find_cell(plan, result, row->body, row->arm, library);
	const struct zw_lab_cell *other = find_cell(plan, result, row->body, row->other_arm, library);
	double plain;

	if (!cell || (row->other_arm && !other))
		return 0;
	plain = (double)plan->payloads.list[cell->payload].body.size_bytes;
	switch (row->figure) {
	case FIGURE_RATE:          return zw_lab_median(cell, LAB_REQUESTS_PER_S);
	case FIGURE_RATE_TO_FIRST: return library ? zw_lab_ratio_to_first(result, cell, LAB_REQUESTS_PER_S) : 0;
	case FIGURE_RATE_TO_ARM:   return zw_lab_median(cell, LAB_REQUESTS_PER_S) / zw_lab_median(other, LAB_REQUESTS_PER_S);
	case FIGURE_CPU_OF_ARM:    return zw_lab_median(other, LAB_CPU_US) / zw_lab_median(cell, LAB_CPU_US);
	case FIGURE_SIZE:          return (double)cell->body_bytes / plain;
	case FIGURE_SHRINK:        return plain / (double)cell->body_bytes;
	case FIGURE_BYTES:         return (double)cell->body_bytes;
	}
	return 0;
}

static int digits_of(enum figure figure)
{
	return figure == FIGURE_RATE || figure == FIGURE_BYTES ? 0 : figure == FIGURE_SIZE ? 4 : 2;
}

/* NULL where no article was asked for. */
json_t *zw_lab_article_describe(const struct zw_lab_plan *plan, const struct zw_lab_result *result)
{
	const struct zw_lab_article *article = plan->article;
	json_t *rows;

	if (!article)
		return NULL;
	rows = json_array();
	for (size_t i = 0; i < article->row_count; i++) {
		json_t *ours = json_array();

		for (size_t library = 0; library < plan->libraries.count; library++) {
			double value = figure_of(plan, result, &article->rows[i], library);

			json_array_append_new(ours, value > 0 ? json_real(value) : json_null());
		}
		json_array_append_new(rows, json_pack("{s:s, s:f, s:i, s:s, s:s, s:o}", "what", article->rows[i].what, "published",
			article->rows[i].value, "digits", digits_of(article->rows[i].figure), "body", article->rows[i].body, "arm",
			article->rows[i].arm, "ours", ours));
	}
	json_t *names = json_array();

	for (size_t library = 0; library < plan->libraries.count; library++)
		json_array_append_new(names, json_string(plan->libraries.list[library].name));
	return json_pack("{s:i, s:s, s:o, s:o}", "number", (int)article->number, "title", article->title, "libraries", names, "rows", rows);
}

/* Published beside ours, a column for each library. */
void zw_lab_article_print(const json_t *described)
{
	json_t *row, *value;
	size_t i, k;

	if (!described)
		return;
	printf("\narticle %d, \"%s\"\n%-80s %12s", (int)json_integer_value(json_object_get(described, "number")),
	       json_string_value(json_object_get(described, "title")), "", "published");
	json_array_foreach(json_object_get(described, "libraries"), k, value)
		printf(" %12.12s", json_string_value(value));
	putchar('\n');
	json_array_foreach(json_object_get(described, "rows"), i, row) {
		int digits = (int)json_integer_value(json_object_get(row, "digits"));

		printf("%-80s %12.*f", json_string_value(json_object_get(row, "what")), digits, json_number_value(json_object_get(row, "published")));
		json_array_foreach(json_object_get(row, "ours"), k, value)
			if (json_is_null(value))
				printf(" %12s", "-");
			else
				printf(" %12.*f", digits, json_number_value(value));
		putchar('\n');
	}
	puts("Their machines, NGINX and pages are others: compare ratios and sizes, and requests/s only as to their order.");
}
