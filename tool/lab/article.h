/* SPDX-License-Identifier: Zlib */
/* article.h - three published measurements of gzip in NGINX: their set-ups, and their figures to stand beside ours. */
#ifndef ZW_TOOL_LAB_ARTICLE_H
#define ZW_TOOL_LAB_ARTICLE_H

#include "lab/lab.h"

#include <jansson.h>

#define LAB_ARTICLE_COUNT 3

const struct zw_lab_article *zw_lab_article_find(unsigned number);
bool zw_lab_article_bodies(struct zw_lab_plan *plan);
void zw_lab_article_arms(struct zw_lab_plan *plan);
bool zw_lab_article_leaves_alone(const struct zw_lab_article *article, const char *body);
const char *zw_lab_article_config(const struct zw_lab_article *article);
unsigned zw_lab_article_connections(const struct zw_lab_article *article);
json_t *zw_lab_article_describe(const struct zw_lab_plan *plan, const struct zw_lab_result *result);
void zw_lab_article_print(const json_t *described);

#endif
