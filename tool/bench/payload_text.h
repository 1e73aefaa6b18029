/* SPDX-License-Identifier: Zlib */
/* payload_text.h - text that looks like a web page, a script or an API's answer, the same on every machine. */
#ifndef ZW_TOOL_BENCH_PAYLOAD_TEXT_H
#define ZW_TOOL_BENCH_PAYLOAD_TEXT_H

#include <stddef.h>
#include <stdint.h>

/* A text that grows until it is full, and the random numbers it is made from. */
struct zw_text {
	char    *data;
	size_t   size_bytes, max_bytes;
	uint64_t random;
};

/* Each of these writes until text is full. */
void zw_text_write_page(struct zw_text *text);
void zw_text_write_script(struct zw_text *text);
void zw_text_write_answer(struct zw_text *text);
void zw_text_write_records(struct zw_text *text);
void zw_text_write_noise(struct zw_text *text);
void zw_text_write_rows(struct zw_text *text);
void zw_text_write_items(struct zw_text *text);

#endif
