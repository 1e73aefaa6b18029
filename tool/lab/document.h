/* SPDX-License-Identifier: Zlib */
/* document.h - the result as one JSON document, and the page that is made from it and from nothing else. */
#ifndef ZW_TOOL_LAB_DOCUMENT_H
#define ZW_TOOL_LAB_DOCUMENT_H

#include "lab/lab.h"

#include <jansson.h>

json_t *zw_lab_document_make(const struct zw_lab_plan *plan, const struct zw_lab_result *result);
void zw_lab_judge(const struct zw_lab_plan *plan, const struct zw_lab_result *result, json_t *verdicts, json_t *network);
void zw_lab_sum_up(const struct zw_lab_plan *plan, const struct zw_lab_result *result, json_t *summary);

#endif
