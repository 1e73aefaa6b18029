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

static void put_string(FILE *file, const char *text)
{
	fputs("<td>", file);
	zw_lab_html_text(file, text);
	fputs("</td>", file);
}

static void put_long(FILE *file, const char *text)
{
	fputs("<td class=long>", file);
	zw_lab_html_text(file, text);
	fputs("</td>", file);
}

static void put_number(FILE *file, double value, int digits)
{
	char text[32];

	if (digits == 0 && value >= 0 && value < 1e15)
		zw_tool_thousands((uint64_t)llround(value), text);
	else
		snprintf(text, sizeof text, "%.*f", digits, value);
	fprintf(file, "<td data-v=\"%.6g\">%s</td>", value, text);
}

/* A count as it is: bytes and KiB may have more than six digits. */
static void put_count(FILE *file, json_t *value)
{
	char text[32];

	fprintf(file, "<td data-v=\"%lld\">%s</td>", (long long)json_integer_value(value),
		zw_tool_thousands((uint64_t)json_integer_value(value), text));
}

static void begin_table(FILE *file, const char *id, const char *const *heads)
{
	fprintf(file, "<div class=wide><table id=%s><thead><tr>", id);
	for (; *heads; heads++)
		fprintf(file, "<th scope=col>%s</th>", *heads);
	fputs("</tr></thead><tbody>\n", file);
}

static void end_table(FILE *file)
{
	fputs("</tbody></table></div>\n", file);
}

static void write_results(FILE *file, const json_t *document)
{
	static const char *const heads[] = { "body", "arm", "library", "requests/s", "&plusmn;", "&times; first", "CPU &micro;s",
		"by ticks", "&times; first", "p50 ms", "p95 ms", "p99 ms", "bytes", "peak KiB", "server busy", "client busy", "limit", NULL };
	json_t *row;
	size_t i;

	fputs("<h2>All arms</h2>\n<p class=dim>CPU is the worker's for each response. Where the limit was not the server, compare the CPU, "
	      "not the requests.</p>\n", file);
	begin_table(file, "results", heads);
	json_array_foreach(json_object_get(document, "results"), i, row) {
		if (!json_is_true(json_object_get(row, "is_measured")))
			continue;
		fputs("<tr>", file);
		put_string(file, zw_lab_html_string(row, "body"));
		put_string(file, zw_lab_html_string(row, "arm"));
		put_string(file, zw_lab_html_string(row, "library"));
		put_number(file, zw_lab_html_median(row, "requests_per_s"), 1);
		put_number(file, json_number_value(json_object_get(json_object_get(row, "requests_per_s"), "mad")), 1);
		put_number(file, json_number_value(json_object_get(row, "requests_to_first")), 2);
		put_number(file, zw_lab_html_median(row, "cpu_us_per_response"), 1);
		put_number(file, zw_lab_html_median(row, "cpu_us_per_response_by_ticks"), 1);
		put_number(file, json_number_value(json_object_get(row, "cpu_to_first")), 2);
		put_number(file, zw_lab_html_median(row, "p50_ms"), 2);
		put_number(file, zw_lab_html_median(row, "p95_ms"), 2);
		put_number(file, zw_lab_html_median(row, "p99_ms"), 2);
		put_count(file, json_object_get(row, "wire_bytes"));
		put_number(file, zw_lab_html_median(row, "peak_rss_kb"), 0);
		put_number(file, zw_lab_html_median(row, "server_busy"), 2);
		put_number(file, zw_lab_html_median(row, "client_busy"), 2);
		put_string(file, zw_lab_html_string(row, "limit"));
		fputs("</tr>\n", file);
	}
	end_table(file);
}

static void write_sizes(FILE *file, const json_t *document)
{
	static const char *const heads[] = { "body", "arm", "library", "bytes", "Content-Encoding", "Vary", NULL };
	json_t *row;
	size_t i;

	fputs("<h2>What is on the wire</h2>\n", file);
	begin_table(file, "sizes", heads);
	json_array_foreach(json_object_get(document, "results"), i, row) {
		if (!json_is_true(json_object_get(row, "is_measured")))
			continue;
		fputs("<tr>", file);
		put_string(file, zw_lab_html_string(row, "body"));
		put_string(file, zw_lab_html_string(row, "arm"));
		put_string(file, zw_lab_html_string(row, "library"));
		put_count(file, json_object_get(row, "wire_bytes"));
		put_string(file, zw_lab_html_string(row, "content_encoding"));
		put_string(file, zw_lab_html_string(row, "vary"));
		fputs("</tr>\n", file);
	}
	end_table(file);
}

static void write_network(FILE *file, const json_t *document)
{
	static const char *const heads[] = { "body", "library", "arm", "CPU &micro;s", "bytes", "ms at 20 Mbit/s", "at 100", "at 1000",
		"pays below, Mbit/s", "against", NULL };
	json_t *row;
	size_t i;

	fputs("<h2>What a network makes of it</h2>\n<p class=dim>The CPU of a response, then its bytes at the speed that one client has. "
	      "Below the break-even speed an arm is sooner there than the one before it; empty: it costs no more CPU.</p>\n", file);
	begin_table(file, "network", heads);
	json_array_foreach(json_object_get(document, "network"), i, row) {
		fputs("<tr>", file);
		put_string(file, zw_lab_html_string(row, "body"));
		put_string(file, zw_lab_html_string(row, "library"));
		put_string(file, zw_lab_html_string(row, "arm"));
		put_number(file, json_number_value(json_object_get(row, "cpu_us")), 1);
		put_count(file, json_object_get(row, "wire_bytes"));
		put_number(file, json_number_value(json_object_get(row, "ms_at_20")), 2);
		put_number(file, json_number_value(json_object_get(row, "ms_at_100")), 2);
		put_number(file, json_number_value(json_object_get(row, "ms_at_1000")), 2);
		if (json_is_number(json_object_get(row, "break_even_mbit")))
			put_number(file, json_number_value(json_object_get(row, "break_even_mbit")), 0);
		else
			put_string(file, "");
		put_string(file, zw_lab_html_string(row, "before"));
		fputs("</tr>\n", file);
	}
	end_table(file);
}

static void write_memory(FILE *file, const json_t *document)
{
	static const char *const heads[] = { "arm", "library", "body", "clients", "peak KiB", "KiB each client", NULL };
	const json_t *memory = json_object_get(document, "memory");
	json_t *row;
	size_t i;

	if (!json_array_size(memory))
		return;
	fputs("<h2>Memory with slow clients</h2>\n<p class=dim>They ask for the body and do not read it.</p>\n", file);
	begin_table(file, "memory", heads);
	json_array_foreach(memory, i, row) {
		fputs("<tr>", file);
		put_string(file, zw_lab_html_string(row, "arm"));
		put_string(file, zw_lab_html_string(row, "library"));
		put_string(file, zw_lab_html_string(row, "body"));
		put_count(file, json_object_get(row, "clients"));
		put_count(file, json_object_get(row, "peak_kb"));
		put_number(file, json_number_value(json_object_get(row, "kb_per_client")), 1);
		fputs("</tr>\n", file);
	}
	end_table(file);
}

static void write_proofs(FILE *file, const json_t *document)
{
	static const char *const library_heads[] = { "library", "version", "proof", "alerts in error.log", NULL };
	static const char *const refused_heads[] = { "body", "arm", "library", "refused because", NULL };
	json_t *row;
	size_t i;

	fputs("<h2>Proofs</h2>\n", file);
	begin_table(file, "libraries", library_heads);
	json_array_foreach(json_object_get(document, "libraries"), i, row) {
		fputs("<tr>", file);
		put_string(file, zw_lab_html_string(row, "name"));
		put_string(file, zw_lab_html_string(row, "version"));
		put_long(file, *zw_lab_html_string(row, "broken") ? zw_lab_html_string(row, "broken") : zw_lab_html_string(row, "mapped"));
		put_count(file, json_object_get(row, "alerts"));
		fputs("</tr>\n", file);
	}
	end_table(file);
	fputs("<h3>Refused</h3>\n<p class=dim>The arm <i>ab, 1.1</i> is refused in every run: it shows a set-up that compresses nothing.</p>\n",
	      file);
	begin_table(file, "refused", refused_heads);
	json_array_foreach(json_object_get(document, "results"), i, row) {
		if (json_is_true(json_object_get(row, "is_measured")))
			continue;
		fputs("<tr>", file);
		put_string(file, zw_lab_html_string(row, "body"));
		put_string(file, zw_lab_html_string(row, "arm"));
		put_string(file, zw_lab_html_string(row, "library"));
		put_long(file, zw_lab_html_string(row, "refused"));
		fputs("</tr>\n", file);
	}
	end_table(file);
}

static void write_head(FILE *file, const json_t *document)
{
	const json_t *host = json_object_get(document, "host");
	int server = (int)json_integer_value(json_object_get(document, "server_cpu"));

	fputs(zw_lab_html_head, file);
	fputs("<h1>zwire lab</h1>\n<p class=dim id=machine>", file);
	zw_lab_html_text(file, zw_lab_html_string(document, "nginx"));
	fputs(" on ", file);
	zw_lab_html_text(file, zw_lab_html_string(host, "cpu"));
	fprintf(file, ", %d CPUs, Linux ", (int)json_integer_value(json_object_get(host, "cpu_count")));
	zw_lab_html_text(file, zw_lab_html_string(host, "kernel"));
	fprintf(file, ", %s; %d turns of %d s, %d connections; ", zw_lab_html_string(host, "date"),
		(int)json_integer_value(json_object_get(document, "rounds")),
		(int)json_integer_value(json_object_get(document, "round_seconds")),
		(int)json_integer_value(json_object_get(document, "connections")));
	if (server >= 0)
		fprintf(file, "NGINX on CPU %d, the client on CPU %d", server, (int)json_integer_value(json_object_get(document, "client_cpu")));
	else
		fputs("NGINX and the client share one CPU", file);
	fputs(".</p>\n", file);
}

static void write_verdicts(FILE *file, const json_t *document)
{
	json_t *verdict;
	size_t i;

	fputs("<h2>In words</h2>\n<ul id=verdicts>\n", file);
	json_array_foreach(json_object_get(document, "verdicts"), i, verdict) {
		fputs("<li>", file);
		zw_lab_html_text(file, json_string_value(verdict));
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
		zw_lab_html_dots(file, document, name, "requests_per_s", "Requests for each second (right is better)");
		zw_lab_html_dots(file, document, name, "cpu_us_per_response", "CPU for each response in microseconds (left is better)");
		zw_lab_html_dots(file, document, name, "p99_ms", "99th percentile of latency in ms, at saturation (left is better)");
		fputs("</div>\n", file);
	}
}

/* False after a message. */
bool zw_lab_html_save(const json_t *document, const char *path)
{
	FILE *file = fopen(path, "we");
	bool done;

	if (!file) {
		zw_tool_error("cannot write %s: %s", path, strerror(errno));
		return false;
	}
	write_head(file, document);
	write_plots(file, document);
	write_verdicts(file, document);
	write_results(file, document);
	write_sizes(file, document);
	write_network(file, document);
	write_memory(file, document);
	write_proofs(file, document);
	fputs(zw_lab_html_method, file);
	fputs(zw_lab_html_script, file);
	done = !ferror(file);
	done = fclose(file) == 0 && done;
	if (!done)
		zw_tool_error("cannot write %s: %s", path, strerror(errno));
	return done;
}
