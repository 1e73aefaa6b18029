/* SPDX-License-Identifier: Zlib */
/* html_plot.c - the report's pictures as inline SVG, whose colours come from the page's style sheet.
 * Takes: rows of the document's results.  Gives: a frontier (bytes against CPU) and dots on a logarithmic axis. */
#include "lab/html.h"

#include "common/tool.h"

#include <math.h>
#include <string.h>

#define WIDTH        460                     /* so that text can be read where a phone shows all of it */
#define LEFT         125                     /* room for the names of arms */
#define RIGHT         20
#define ROW_HEIGHT    24
#define HEAD_HEIGHT   30
#define FOOT_HEIGHT   34
#define PLOT_HEIGHT  260
#define FRONTIER_LEFT 66
#define LIBRARY_COLOURS 6                    /* classes c0 to c5 of the style sheet */

struct axis { double low, high, from, to; bool is_log; };

static double place(const struct axis *axis, double value)
{
	double a = axis->is_log ? log(axis->low) : axis->low, b = axis->is_log ? log(axis->high) : axis->high;
	double v = axis->is_log ? log(value) : value;

	return axis->from + (axis->to - axis->from) * (b > a ? (v - a) / (b - a) : 0.5);
}

static void widen(struct axis *axis, double value)
{
	if (axis->high <= 0 || value < axis->low)
		axis->low = value;
	if (value > axis->high)
		axis->high = value;
}

/* 1, 2 and 5 times the powers of ten that the axis holds. */
static void draw_log_grid(FILE *file, const struct axis *axis, double top, double bottom)
{
	static const double steps[] = { 1, 2, 5 };
	bool has_decade = log10(axis->high / axis->low) > 1.7;

	for (int power = -3; power < 8; power++)
		for (size_t i = 0; i < (has_decade ? 1 : 3); i++) {
			double value = steps[i] * pow(10, power);

			if (value < axis->low || value > axis->high)
				continue;
			fprintf(file, "<line class=grid x1=%.1f x2=%.1f y1=%.1f y2=%.1f /><text class=tick text-anchor=middle x=%.1f y=%.1f>%g</text>",
				place(axis, value), place(axis, value), top, bottom, place(axis, value), bottom + 14, value);
		}
}

static void draw_legend(FILE *file, const json_t *libraries)
{
	size_t i;
	json_t *library;

	json_array_foreach(libraries, i, library) {
		fprintf(file, "<circle class=c%zu cx=%zu cy=10 r=5 /><text x=%zu y=14>", i % LIBRARY_COLOURS, 10 + i * 90, 20 + i * 90);
		zw_lab_html_text(file, zw_lab_html_string(library, "name"));
		fputs("</text>", file);
	}
}

static size_t library_number(const json_t *libraries, const char *name)
{
	size_t i;
	json_t *library;

	json_array_foreach(libraries, i, library)
		if (strcmp(zw_lab_html_string(library, "name"), name) == 0)
			break;
	return i;
}

static bool is_plotted(const json_t *row, const char *body)
{
	return !*zw_lab_html_string(row, "refused") && strcmp(zw_lab_html_string(row, "body"), body) == 0;
}

static double end_of(const json_t *row, const char *series, const char *end)
{
	return json_number_value(json_object_get(json_object_get(row, series), end));
}

/* One line for each arm, one dot for each library, through which its interval goes. */
void zw_lab_html_dots(FILE *file, const json_t *document, const char *list, const char *body, const char *series, const char *title)
{
	const json_t *results = json_object_get(document, list), *libraries = json_object_get(document, "libraries");
	struct axis axis = { 0, 0, LEFT, WIDTH - RIGHT, true };
	const char *arm = "";
	double y = HEAD_HEIGHT, bottom = HEAD_HEIGHT;
	size_t i, number;
	json_t *row;

	json_array_foreach(results, i, row) {
		if (!is_plotted(row, body) || zw_lab_html_median(row, series) <= 0)
			continue;
		widen(&axis, zw_lab_html_median(row, series));
		if (end_of(row, series, "low") > 0) {
			widen(&axis, end_of(row, series, "low"));
			widen(&axis, end_of(row, series, "high"));
		}
		bottom += strcmp(arm, zw_lab_html_string(row, "arm")) != 0 ? ROW_HEIGHT : 0;
		arm = zw_lab_html_string(row, "arm");
	}
	if (axis.high <= 0)
		return;
	axis.low /= 1.3;
	axis.high *= 1.3;
	fprintf(file, "<figure><figcaption>%s</figcaption><svg viewBox='0 0 %d %.0f' role=img>", title, WIDTH, bottom + FOOT_HEIGHT);
	draw_legend(file, libraries);
	draw_log_grid(file, &axis, HEAD_HEIGHT - 8, bottom);
	arm = "";
	y = HEAD_HEIGHT - ROW_HEIGHT / 2;
	json_array_foreach(results, i, row) {
		double value = zw_lab_html_median(row, series);

		if (!is_plotted(row, body) || value <= 0)
			continue;
		if (strcmp(arm, zw_lab_html_string(row, "arm")) != 0) {
			arm = zw_lab_html_string(row, "arm");
			y += ROW_HEIGHT;
			fprintf(file, "<line class=row x1=%d x2=%d y1=%.1f y2=%.1f /><text text-anchor=end x=%d y=%.1f>", LEFT, WIDTH - RIGHT, y,
				y, LEFT - 10, y + 4);
			zw_lab_html_text(file, arm);
			fputs("</text>", file);
		}
		number = library_number(libraries, zw_lab_html_string(row, "library")) % LIBRARY_COLOURS;
		if (end_of(row, series, "low") > 0)
			fprintf(file, "<line class=l%zu x1=%.1f x2=%.1f y1=%.1f y2=%.1f />", number, place(&axis, end_of(row, series, "low")),
				place(&axis, end_of(row, series, "high")), y, y);
		fprintf(file, "<circle class=c%zu cx=%.1f cy=%.1f r=4.5><title>%s %g</title></circle>",
			number, place(&axis, value), y,
			zw_lab_html_string(row, "library"), value);
	}
	fputs("</svg></figure>\n", file);
}

static void draw_frontier_points(FILE *file, const json_t *document, const char *body, const char *library, size_t number,
				 const struct axis *x, const struct axis *y)
{
	json_t *row;
	size_t i, count = 0;

	fprintf(file, "<polyline class=l%zu points='", number % LIBRARY_COLOURS);
	json_array_foreach(json_object_get(document, "results"), i, row)
		if (zw_lab_html_is_level(row, body, library))
			fprintf(file, "%.1f,%.1f ", place(x, zw_lab_html_median(row, "cpu_us_per_response")),
				place(y, json_number_value(json_object_get(row, "wire_bytes"))));
	fputs("'/>", file);
	json_array_foreach(json_object_get(document, "results"), i, row) {
		double px, py;

		if (!zw_lab_html_is_level(row, body, library))
			continue;
		px = place(x, zw_lab_html_median(row, "cpu_us_per_response"));
		py = place(y, json_number_value(json_object_get(row, "wire_bytes")));
		fprintf(file, "<circle class=c%zu cx=%.1f cy=%.1f r=5 /><text x=%.1f y=%.1f>%d</text>", number % LIBRARY_COLOURS, px, py,
			px + 8, py + (count++ % 2 ? 14 : -6), (int)json_integer_value(json_object_get(row, "level")));
	}
}

/* The next larger of 1, 2 and 5 times a power of ten. */
static double nice_step(double step)
{
	double power = pow(10, floor(log10(fmax(step, 1)))), part = fmax(step, 1) / power;

	return power * (part <= 1 ? 1 : part <= 2 ? 2 : part <= 5 ? 5 : 10);
}

/* Bytes on the wire against CPU, a line for each library through its levels; nearer to the lower left corner is better. */
void zw_lab_html_frontier(FILE *file, const json_t *document, const char *body)
{
	const json_t *libraries = json_object_get(document, "libraries");
	struct axis x = { 0, 0, FRONTIER_LEFT, WIDTH - RIGHT, true }, y = { 0, 0, PLOT_HEIGHT, HEAD_HEIGHT, false };
	json_t *row, *library;
	size_t i, count = 0;
	double step_bytes;

	json_array_foreach(json_object_get(document, "results"), i, row)
		if (zw_lab_html_is_level(row, body, NULL)) {
			widen(&x, zw_lab_html_median(row, "cpu_us_per_response"));
			widen(&y, json_number_value(json_object_get(row, "wire_bytes")));
			count++;
		}
	if (count < 2)
		return;
	x.low /= 1.15;
	x.high *= 1.15;
	step_bytes = nice_step((y.high - y.low) / 4);
	y.high = ceil(y.high / step_bytes + 0.1) * step_bytes;
	y.low = fmax(0, floor(y.low / step_bytes - 0.1) * step_bytes);
	fprintf(file, "<figure><figcaption>Bytes on the wire against CPU for each response, by level (down and left is better)"
		"</figcaption><svg viewBox='0 0 %d %d' role=img>", WIDTH, PLOT_HEIGHT + 50);
	draw_legend(file, libraries);
	draw_log_grid(file, &x, HEAD_HEIGHT, PLOT_HEIGHT);
	for (double value = y.low; value <= y.high * 1.0001; value += step_bytes) {
		char text[32];

		fprintf(file, "<line class=grid x1=%d x2=%d y1=%.1f y2=%.1f /><text class=tick text-anchor=end x=%d y=%.1f>%s</text>",
			FRONTIER_LEFT, WIDTH - RIGHT, place(&y, value), place(&y, value), FRONTIER_LEFT - 6, place(&y, value) + 4,
			zw_tool_thousands((uint64_t)value, text));
	}
	fprintf(file, "<text class=tick text-anchor=middle x=%d y=%d>CPU in microseconds</text>", WIDTH / 2, PLOT_HEIGHT + 36);
	json_array_foreach(libraries, i, library)
		draw_frontier_points(file, document, body, zw_lab_html_string(library, "name"), i, &x, &y);
	fputs("</svg></figure>\n", file);
}
