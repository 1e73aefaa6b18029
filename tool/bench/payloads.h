/* SPDX-License-Identifier: Zlib */
/* payloads.h - the bodies that are compressed: built in and the same everywhere, or the user's own files. */
#ifndef ZW_TOOL_BENCH_PAYLOADS_H
#define ZW_TOOL_BENCH_PAYLOADS_H

#include "bench/payload_text.h"
#include "common/tool.h"

struct zw_payload {
	char *name;
	struct zw_blob body;
	bool  is_incompressible;                 /* random: left out of means */
};

struct zw_payloads {
	struct zw_payload *list;
	size_t count;
};

/* One built-in body, as it must come out. */
struct zw_payload_recipe {
	const char *name;
	void (*write)(struct zw_text *text);
	size_t   size_bytes;                     /* the text is cut here */
	uint32_t crc32;
};

extern const struct zw_payload_recipe zw_payload_recipes[];
extern const size_t zw_payload_recipe_count;

bool zw_payload_make(const struct zw_payload_recipe *recipe, struct zw_payload *payload_ret);
bool zw_payloads_add_built_in(struct zw_payloads *payloads);
void zw_payloads_add_copy(struct zw_payloads *payloads, const char *name, const struct zw_blob *body);
bool zw_payloads_add_named(struct zw_payloads *payloads, const char *name);
bool zw_payloads_add_path(struct zw_payloads *payloads, const char *path);
bool zw_payloads_write(const struct zw_payloads *payloads, const char *directory);
void zw_payloads_free(struct zw_payloads *payloads);

#endif
