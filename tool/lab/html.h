/* SPDX-License-Identifier: Zlib */
/* html.h - the pieces of report.html, all made from the document that results.json holds. */
#ifndef ZW_TOOL_LAB_HTML_H
#define ZW_TOOL_LAB_HTML_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/* html.c */
bool zw_lab_html_save(const json_t *document, const char *path);
void zw_lab_html_text(FILE *file, const char *text);
const char *zw_lab_html_string(const json_t *object, const char *key);
double zw_lab_html_median(const json_t *row, const char *series);
bool zw_lab_html_is_level(const json_t *row, const char *body, const char *library);

/* html_plot.c */
void zw_lab_html_dots(FILE *file, const json_t *document, const char *list, const char *body, const char *series, const char *title);
void zw_lab_html_frontier(FILE *file, const json_t *document, const char *body);

/* html_style.c */
extern const char zw_lab_html_head[], zw_lab_html_script[], zw_lab_html_method[];

#endif
