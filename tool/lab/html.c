/* SPDX-License-Identifier: Zlib */
/* html.c - report.html: one file that needs no network, made from the document that results.json holds.
 * Every figure stands in data-v as it stands in the JSON, and as text in as many digits as can be read. */
#include "lab/html.h"

#include "common/tool.h"

#include <errno.h>
#include <math.h>
#include <string.h>

void zw_lab_html_text(FILE *file, const char *text)
{
	for (; *text; text++) {
		switch (*text) {
		case '<':  fputs("&lt;", file);   break;
		case '>':  fputs("&gt;", file);   break;
		case '&':  fputs("&amp;", file);  break;
		case '"':  fputs("&quot;", file); break;
		case '\'': fputs("&#39;", file);  break;
		default:   fputc(*text, file);
		}
	}
}

/* "" where there is none. */
const char *zw_lab_html_string(const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));

	return text ? text : "";
}

double zw_lab_html_median(const json_t *row, const char *series)
{
	return json_number_value(json_object_get(json_object_get(row, series), "median"));
}

/* True for a level that was measured with keep-alive; library: NULL for any. */
bool zw_lab_html_is_level(const json_t *row, const char *body, const char *library)
{
	return json_is_true(json_object_get(row, "is_measured")) && json_integer_value(json_object_get(row, "level")) > 0 &&
	       *zw_lab_html_string(row, "content_encoding") && !strchr(zw_lab_html_string(row, "arm"), ',') &&
	       strcmp(zw_lab_html_string(row, "body"), body) == 0 &&
	       (!library || strcmp(zw_lab_html_string(row, "library"), library) == 0);
}

/* ---- tables: a column is a key of the rows' objects and how its value stands on the page ---- */

enum kind { TEXT, LONG_TEXT, EITHER_TEXT, COUNT, NUMBER, MEMBER };

struct column { const char *head; enum kind kind; const char *key, *member; int digits; };   /* member: of the object under key, or
												   * the key to take where the first is empty */

enum rows { ROWS_ALL, ROWS_MEASURED, ROWS_REFUSED };

struct table { const char *id, *title, *words; const struct column *columns; size_t column_count; enum rows rows; };

static void put_text(FILE *file, const char *text, bool is_long)
{
	fputs(is_long ? "<td class=long>" : "<td>", file);
	zw_lab_html_text(file, text);
	fputs("</td>", file);
}

static void put_number(FILE *file, const json_t *value, int digits)
{
	double number = json_number_value(value);
	char text[32];

	if (!json_is_number(value)) {
		put_text(file, "", false);
		return;
	}
	if (digits == 0 && number >= 0 && number < 1e15)
		zw_tool_thousands((uint64_t)llround(number), text);
	else
		snprintf(text, sizeof text, "%.*f", digits, number);
	if (json_is_integer(value))              /* as it is: it may have more than six digits */
		fprintf(file, "<td data-v=\"%lld\">%s</td>", (long long)json_integer_value(value), text);
	else
		fprintf(file, "<td data-v=\"%.6g\">%s</td>", number, text);
}

static void put_cell(FILE *file, const json_t *row, const struct column *column)
{
	const json_t *value = json_object_get(row, column->key);

	switch (column->kind) {
	case TEXT:
	case LONG_TEXT:
		put_text(file, zw_lab_html_string(row, column->key), column->kind == LONG_TEXT);
		return;
	case EITHER_TEXT:
		put_text(file, zw_lab_html_string(row, *zw_lab_html_string(row, column->key) ? column->key : column->member), true);
		return;
	case COUNT:
	case NUMBER:
		put_number(file, value, column->digits);
		return;
	case MEMBER:
		put_number(file, json_object_get(value, column->member), column->digits);
		return;
	}
}

static void begin_table(FILE *file, const char *id)
{
	fprintf(file, "<div class=wide><table id=%s><thead><tr>", id);
}

static void end_table(FILE *file)
{
	fputs("</tbody></table></div>\n", file);
}

static bool is_wanted(const json_t *row, enum rows rows)
{
	return rows == ROWS_ALL || json_is_true(json_object_get(row, "is_measured")) == (rows == ROWS_MEASURED);
}

/* Nothing where there is no row. */
static void write_table(FILE *file, const json_t *list, const struct table *table)
{
	bool has_head = false;
	json_t *row;
	size_t i;

	json_array_foreach(list, i, row) {
		if (!is_wanted(row, table->rows))
			continue;
		if (!has_head) {
			fprintf(file, "<h2>%s</h2>\n<p class=dim>%s</p>\n", table->title, table->words);
			begin_table(file, table->id);
			for (size_t c = 0; c < table->column_count; c++)
				fprintf(file, "<th scope=col>%s</th>", table->columns[c].head);
			fputs("</tr></thead><tbody>\n", file);
			has_head = true;
		}
		fputs("<tr>", file);
		for (size_t c = 0; c < table->column_count; c++)
			put_cell(file, row, &table->columns[c]);
		fputs("</tr>\n", file);
	}
	if (has_head)
		end_table(file);
}

#define WHAT { "body", TEXT, "body", NULL, 0 }, { "arm", TEXT, "arm", NULL, 0 }, { "library", TEXT, "library", NULL, 0 }
#define COLUMNS(list) .columns = list, .column_count = sizeof list / sizeof list[0]

static const struct column result_columns[] = {
	WHAT,
	{ "requests/s", MEMBER, "requests_per_s", "median", 1 }, { "from", MEMBER, "requests_per_s", "low", 1 },
	{ "to", MEMBER, "requests_per_s", "high", 1 },
	{ "&times; first", NUMBER, "requests_to_first", NULL, 2 }, { "from", NUMBER, "requests_to_first_low", NULL, 2 },
	{ "to", NUMBER, "requests_to_first_high", NULL, 2 },
	{ "CPU &micro;s", MEMBER, "cpu_us_per_response", "median", 1 }, { "from", MEMBER, "cpu_us_per_response", "low", 1 },
	{ "to", MEMBER, "cpu_us_per_response", "high", 1 }, { "by ticks", MEMBER, "cpu_us_per_response_by_ticks", "median", 1 },
	{ "&times; first", NUMBER, "cpu_to_first", NULL, 2 }, { "from", NUMBER, "cpu_to_first_low", NULL, 2 },
	{ "to", NUMBER, "cpu_to_first_high", NULL, 2 },
	{ "p50 ms", MEMBER, "p50_ms", "median", 2 }, { "p95 ms", MEMBER, "p95_ms", "median", 2 }, { "p99 ms", MEMBER, "p99_ms", "median", 2 },
	{ "bytes", COUNT, "wire_bytes", NULL, 0 }, { "peak KiB", MEMBER, "peak_rss_kb", "median", 0 },
	{ "server busy", MEMBER, "server_busy", "median", 2 }, { "client busy", MEMBER, "client_busy", "median", 2 },
	{ "limit", TEXT, "limit", NULL, 0 },
};

static const struct column size_columns[] = {
	WHAT, { "type", TEXT, "content_type", NULL, 0 }, { "bytes", COUNT, "wire_bytes", NULL, 0 },
	{ "Content-Encoding", TEXT, "content_encoding", NULL, 0 }, { "Vary", TEXT, "vary", NULL, 0 },
};

static const struct column rate_columns[] = {
	WHAT, { "rate/s", NUMBER, "rate_per_s", NULL, 0 }, { "served/s", MEMBER, "achieved_per_s", "median", 0 },
	{ "p50 ms", MEMBER, "p50_ms", "median", 2 }, { "p95 ms", MEMBER, "p95_ms", "median", 2 }, { "p99 ms", MEMBER, "p99_ms", "median", 2 },
	{ "CPU &micro;s", MEMBER, "cpu_us_per_response", "median", 1 }, { "late", MEMBER, "late_share", "median", 3 },
	{ "refused because", TEXT, "refused", NULL, 0 },
};

static const struct column network_columns[] = {
	{ "body", TEXT, "body", NULL, 0 }, { "library", TEXT, "library", NULL, 0 }, { "arm", TEXT, "arm", NULL, 0 },
	{ "CPU &micro;s", NUMBER, "cpu_us", NULL, 1 }, { "bytes", COUNT, "wire_bytes", NULL, 0 }, { "ms at 20 Mbit/s", NUMBER, "ms_at_20", NULL, 2 },
	{ "at 100", NUMBER, "ms_at_100", NULL, 2 }, { "at 1000", NUMBER, "ms_at_1000", NULL, 2 },
	{ "pays below, Mbit/s", NUMBER, "break_even_mbit", NULL, 0 }, { "against", TEXT, "before", NULL, 0 },
};

static const struct column memory_columns[] = {
	{ "arm", TEXT, "arm", NULL, 0 }, { "library", TEXT, "library", NULL, 0 }, { "body", TEXT, "body", NULL, 0 },
	{ "clients", COUNT, "clients", NULL, 0 }, { "peak KiB", COUNT, "peak_kb", NULL, 0 }, { "KiB each client", NUMBER, "kb_per_client", NULL, 1 },
};

static const struct column library_columns[] = {
	{ "library", TEXT, "name", NULL, 0 }, { "version", TEXT, "version", NULL, 0 }, { "proof", EITHER_TEXT, "broken", "mapped", 0 },
	{ "alerts in error.log", COUNT, "alerts", NULL, 0 }, { "SONAME", TEXT, "soname", NULL, 0 }, { "SHA-256", LONG_TEXT, "sha256", NULL, 0 },
	{ "build id", LONG_TEXT, "build_id", NULL, 0 },
};

static const struct column refused_columns[] = { WHAT, { "refused because", LONG_TEXT, "refused", NULL, 0 } };

static const struct table result_table = { .id = "results", .title = "All arms", .words = "CPU is the workers' for each response; from and to "
	"are the ends of the interval. Where the limit was not the server, compare the CPU, not the requests.", COLUMNS(result_columns), .rows = ROWS_MEASURED };
static const struct table size_table = { .id = "sizes", .title = "What is on the wire", .words = "The proof of each arm, as one request "
	"showed it; of files in rotation the mean, and what the last of them had.", COLUMNS(size_columns), .rows = ROWS_MEASURED };
static const struct table rate_table = { .id = "rates", .title = "Latency at a fixed rate", .words = "Each library of an arm is asked at half "
	"of what the slowest of them served, at times as of independent clients. Late: the part of the requests that no connection was "
	"free for when they were due.", COLUMNS(rate_columns), .rows = ROWS_ALL };
static const struct table network_table = { .id = "network", .title = "What a network makes of it", .words = "The CPU of a response, then its "
	"bytes at the speed that one client has. Below the break-even speed an arm is sooner there than the one before it; empty: it costs no more CPU.",
	COLUMNS(network_columns), .rows = ROWS_ALL };
static const struct table memory_table = { .id = "memory", .title = "Memory with slow clients", .words = "They ask for the body and do not read it.",
	COLUMNS(memory_columns), .rows = ROWS_ALL };
static const struct table library_table = { .id = "libraries", .title = "Proofs", .words = "What the NGINX workers had mapped, and what names that file.",
	COLUMNS(library_columns), .rows = ROWS_ALL };
static const struct table refused_table = { .id = "refused", .title = "Refused", .words = "The arm <i>ab, 1.1</i> is refused in every run but an "
	"article's: it shows a set-up that compresses nothing.", COLUMNS(refused_columns), .rows = ROWS_REFUSED };

/* Published figures beside ours, a column for each library. */
static void write_article(FILE *file, const json_t *article)
{
	json_t *row, *value;
	size_t i, k;

	if (!article)
		return;
	fprintf(file, "<h2>Article %d: ", (int)json_integer_value(json_object_get(article, "number")));
	zw_lab_html_text(file, zw_lab_html_string(article, "title"));
	fputs("</h2>\n<p class=dim>Its machine, NGINX and pages are others: compare ratios and sizes, and requests/s only as to their order.</p>\n", file);
	begin_table(file, "article");
	fputs("<th scope=col>figure</th><th scope=col>published</th>", file);
	json_array_foreach(json_object_get(article, "libraries"), k, value) {
		fputs("<th scope=col>", file);
		zw_lab_html_text(file, json_string_value(value));
		fputs("</th>", file);
	}
	fputs("</tr></thead><tbody>\n", file);
	json_array_foreach(json_object_get(article, "rows"), i, row) {
		int digits = (int)json_integer_value(json_object_get(row, "digits"));

		fputs("<tr>", file);
		put_text(file, zw_lab_html_string(row, "what"), true);
		put_number(file, json_object_get(row, "published"), digits);
		json_array_foreach(json_object_get(row, "ours"), k, value)
			put_number(file, value, digits);
		fputs("</tr>\n", file);
	}
	end_table(file);
}

static bool is_text(const json_t *row, const char *key, const char *text)
{
	return strcmp(zw_lab_html_string(row, key), text) == 0;
}

static bool has_arm(const json_t *results, const char *arm)
{
	json_t *row;
	size_t i;

	json_array_foreach(results, i, row)
		if (is_text(row, "arm", arm) && json_is_true(json_object_get(row, "is_measured")))
			return true;
	return false;
}

/* NULL where it was not measured. */
static const json_t *find_bytes(const json_t *results, const char *body, const char *arm, const char *library)
{
	json_t *row;
	size_t i;

	json_array_foreach(results, i, row)
		if (is_text(row, "body", body) && is_text(row, "arm", arm) && is_text(row, "library", library) &&
		    json_is_true(json_object_get(row, "is_measured")))
			return json_object_get(row, "wire_bytes");
	return NULL;
}

/* Bytes of each type at each level: a row for each body and library, a column for each way of serving it to a client that is kept alive. */
static void write_levels(FILE *file, const json_t *document)
{
	static const char *const arms[] = { "off", "level 1", "level 2", "level 3", "level 4", "level 5", "level 6", "level 7", "level 8", "level 9",
					    "gzip_static", "module" };
	const json_t *results = json_object_get(document, "results");
	json_t *body, *library;
	size_t i, k;

	fputs("<h2>Bytes by type and level</h2>\n<p class=dim>What a response's body has on the wire.</p>\n", file);
	begin_table(file, "levels");
	fputs("<th scope=col>body</th><th scope=col>library</th>", file);
	for (size_t a = 0; a < sizeof arms / sizeof arms[0]; a++)
		if (has_arm(results, arms[a]))
			fprintf(file, "<th scope=col>%s</th>", arms[a]);
	fputs("</tr></thead><tbody>\n", file);
	json_array_foreach(json_object_get(document, "bodies"), i, body)
		json_array_foreach(json_object_get(document, "libraries"), k, library) {
			fputs("<tr>", file);
			put_text(file, zw_lab_html_string(body, "name"), false);
			put_text(file, zw_lab_html_string(library, "name"), false);
			for (size_t a = 0; a < sizeof arms / sizeof arms[0]; a++)
				if (has_arm(results, arms[a]))
					put_number(file, find_bytes(results, zw_lab_html_string(body, "name"), arms[a], zw_lab_html_string(library, "name")), 0);
			fputs("</tr>\n", file);
		}
	end_table(file);
}

/* ---- the page ---- */

static void write_head(FILE *file, const json_t *document)
{
	const json_t *host = json_object_get(document, "host");
	int workers = (int)json_integer_value(json_object_get(document, "workers"));
	int server = (int)json_integer_value(json_object_get(document, "server_cpu"));

	fputs(zw_lab_html_head, file);
	fputs("<h1>zwire lab</h1>\n<p class=dim id=machine>", file);
	zw_lab_html_text(file, zw_lab_html_string(document, "nginx"));
	fputs(" on ", file);
	zw_lab_html_text(file, zw_lab_html_string(host, "cpu"));
	fprintf(file, ", %d CPUs, Linux ", (int)json_integer_value(json_object_get(host, "cpu_count")));
	zw_lab_html_text(file, zw_lab_html_string(host, "kernel"));
	fprintf(file, ", %s; %d turns of %d s, %d NGINX worker%s, %d connections; ", zw_lab_html_string(host, "date"),
		(int)json_integer_value(json_object_get(document, "rounds")),
		(int)json_integer_value(json_object_get(document, "round_seconds")), workers, workers > 1 ? "s" : "",
		(int)json_integer_value(json_object_get(document, "connections")));
	if (server >= 0)
		fprintf(file, workers > 1 ? "NGINX from CPU %d on, the client from CPU %d on" : "NGINX on CPU %d, the client on CPU %d",
			server, (int)json_integer_value(json_object_get(document, "client_cpu")));
	else
		fputs("NGINX and the client share the CPUs", file);
	fputs(".</p>\n", file);
}

static void write_list(FILE *file, const json_t *list, const char *id, const char *title)
{
	json_t *text;
	size_t i;

	if (!json_array_size(list))
		return;
	fprintf(file, "<h2>%s</h2>\n<ul id=%s>\n", title, id);
	json_array_foreach(list, i, text) {
		fputs("<li>", file);
		zw_lab_html_text(file, json_string_value(text));
		fputs("</li>\n", file);
	}
	fputs("</ul>\n", file);
}

static void write_plots(FILE *file, const json_t *document)
{
	json_t *body;
	size_t i;

	json_array_foreach(json_object_get(document, "bodies"), i, body) {
		const char *name = zw_lab_html_string(body, "name");
		char bytes[32];

		fputs("<h2>", file);
		zw_lab_html_text(file, name);
		fprintf(file, ", %s bytes</h2>\n<div class=plots>\n",
			zw_tool_thousands((uint64_t)json_integer_value(json_object_get(body, "bytes")), bytes));
		zw_lab_html_frontier(file, document, name);
		zw_lab_html_dots(file, document, "results", name, "requests_per_s", "Requests for each second (right is better)");
		zw_lab_html_dots(file, document, "results", name, "cpu_us_per_response", "CPU for each response in microseconds (left is better)");
		zw_lab_html_dots(file, document, "results", name, "p99_ms", "99th percentile of latency in ms, at saturation (left is better)");
		zw_lab_html_dots(file, document, "fixed_rate", name, "p99_ms", "99th percentile of latency in ms, at a fixed rate (left is better)");
		fputs("</div>\n", file);
	}
}

/* False after a message. */
bool zw_lab_html_save(const json_t *document, const char *path)
{
	const json_t *results = json_object_get(document, "results");
	FILE *file = fopen(path, "we");
	bool done;

	if (!file) {
		zw_tool_error("cannot write %s: %s", path, strerror(errno));
		return false;
	}
	write_head(file, document);
	write_list(file, json_object_get(document, "summary"), "summary", "In short");
	write_article(file, json_object_get(document, "article"));
	write_plots(file, document);
	write_list(file, json_object_get(document, "verdicts"), "verdicts", "In words");
	write_table(file, results, &result_table);
	write_table(file, json_object_get(document, "fixed_rate"), &rate_table);
	write_levels(file, document);
	write_table(file, results, &size_table);
	write_table(file, json_object_get(document, "network"), &network_table);
	write_table(file, json_object_get(document, "memory"), &memory_table);
	write_table(file, json_object_get(document, "libraries"), &library_table);
	write_table(file, results, &refused_table);
	write_list(file, json_object_get(document, "absent"), "absent", "Not measured here");
	fputs(zw_lab_html_method, file);
	fputs(zw_lab_html_script, file);
	done = !ferror(file);
	done = fclose(file) == 0 && done;
	if (!done)
		zw_tool_error("cannot write %s: %s", path, strerror(errno));
	return done;
}
