/* SPDX-License-Identifier: Zlib */
/* payloads.c - the list of bodies: makes the built-in ones and checks them, reads the user's files and directories. */
#include "bench/payloads.h"

#include <errno.h>
#include <fts.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define OWN_FILES_MAX_COUNT 1000
#define START_VALUE UINT64_C(0x7a77697265)   /* "zwire" */
#define NOISE_NAME "random.bin"

const struct zw_payload_recipe zw_payload_recipes[] = {
	{ "page.html",      zw_text_write_page,      70123, 0x00d375a9 },
	{ "data.json",      zw_text_write_records,  602254, 0x13a30b5b },
	{ "app.js",         zw_text_write_script,    90211, 0xe979a8d0 },
	{ "api-2k.json",    zw_text_write_answer,     2560, 0xd26a4d55 },
	{ NOISE_NAME,       zw_text_write_noise,   1048576, 0xb4c150c1 },
	{ "300b.json",      zw_text_write_answer,      300, 0x6bbdd366 },
	{ "1k.html",        zw_text_write_page,       1024, 0xa84081f2 },
	{ "25k.html",       zw_text_write_page,      25600, 0x941f4d50 },
	{ "rows.html",      zw_text_write_rows,     159279, 0x3bc4c033 },
	{ "items.json",     zw_text_write_items,    443791, 0x04dcb17c },
};
const size_t zw_payload_recipe_count = sizeof zw_payload_recipes / sizeof zw_payload_recipes[0];

/* False, after a message, if the text is not the one that was measured before. */
bool zw_payload_make(const struct zw_payload_recipe *recipe, struct zw_payload *payload_ret)
{
	struct zw_text text = { zw_tool_alloc(recipe->size_bytes), 0, recipe->size_bytes, START_VALUE };
	uint32_t crc;

	recipe->write(&text);
	crc = zw_blob_crc32(text.data, text.size_bytes);
	if (text.size_bytes != recipe->size_bytes || crc != recipe->crc32) {
		zw_tool_error("the built-in %s came out as %zu bytes with CRC-32 %08x, not %zu with %08x: this build is broken",
			      recipe->name, text.size_bytes, crc, recipe->size_bytes, recipe->crc32);
		free(text.data);
		return false;
	}
	payload_ret->name = zw_tool_format("%s", recipe->name);
	payload_ret->body.data = (uint8_t *)text.data;
	payload_ret->body.size_bytes = text.size_bytes;
	payload_ret->is_incompressible = strcmp(recipe->name, NOISE_NAME) == 0;
	return true;
}

static struct zw_payload *add_place(struct zw_payloads *payloads)
{
	payloads->list = zw_tool_grow(payloads->list, (payloads->count + 1) * sizeof *payloads->list);
	return memset(&payloads->list[payloads->count], 0, sizeof *payloads->list);
}

bool zw_payloads_add_built_in(struct zw_payloads *payloads)
{
	for (size_t i = 0; i < zw_payload_recipe_count; i++) {
		if (!zw_payload_make(&zw_payload_recipes[i], add_place(payloads)))
			return false;
		payloads->count++;
	}
	return true;
}

/* One built-in body by its name, which must exist. */
bool zw_payloads_add_named(struct zw_payloads *payloads, const char *name)
{
	size_t i = 0;

	while (strcmp(zw_payload_recipes[i].name, name) != 0)
		i++;
	if (!zw_payload_make(&zw_payload_recipes[i], add_place(payloads)))
		return false;
	payloads->count++;
	return true;
}

/* A body that lies in memory. */
void zw_payloads_add_copy(struct zw_payloads *payloads, const char *name, const struct zw_blob *body)
{
	struct zw_payload *payload = add_place(payloads);

	payload->name = zw_tool_format("%s", name);
	payload->body.data = zw_tool_alloc(body->size_bytes);
	payload->body.size_bytes = body->size_bytes;
	memcpy(payload->body.data, body->data, body->size_bytes);
	payloads->count++;
}

static bool add_file(struct zw_payloads *payloads, const char *path, const char *name)
{
	struct zw_payload *payload;

	if (payloads->count >= OWN_FILES_MAX_COUNT) {
		zw_tool_error("more than %d files; name fewer", OWN_FILES_MAX_COUNT);
		return false;
	}
	payload = add_place(payloads);
	if (!zw_file_read(path, &payload->body))
		return false;
	if (!payload->body.size_bytes) {
		free(payload->body.data);        /* nothing to measure; NGINX's gzip_min_length skips it too */
		return true;
	}
	payload->name = zw_tool_format("%s", name);
	payloads->count++;
	return true;
}

static int compare_names(const FTSENT **a, const FTSENT **b)
{
	return strcmp((*a)->fts_name, (*b)->fts_name);
}

/* A file, or every regular file under a directory, in the order of their names.  False after a message. */
bool zw_payloads_add_path(struct zw_payloads *payloads, const char *path)
{
	char *roots[] = { (char *)(uintptr_t)path, NULL };
	FTS *tree = fts_open(roots, FTS_COMFOLLOW | FTS_PHYSICAL | FTS_NOCHDIR, compare_names);
	size_t before = payloads->count;
	bool done = tree != NULL;
	FTSENT *entry;

	while (done && (entry = fts_read(tree))) {
		const char *name = entry->fts_level ? entry->fts_path + strlen(path) : entry->fts_name;

		if (entry->fts_info == FTS_F) {
			done = add_file(payloads, entry->fts_path, name + strspn(name, "/"));
		} else if (entry->fts_info == FTS_NS || entry->fts_info == FTS_DNR || entry->fts_info == FTS_ERR) {
			zw_tool_error("cannot read %s: %s", entry->fts_path, strerror(entry->fts_errno));
			done = false;
		}
	}
	if (tree)
		fts_close(tree);
	if (done && payloads->count == before) {
		zw_tool_error("nothing to measure in %s: no file with anything in it", path);
		done = false;
	}
	return done;
}

/* Writes every body as a file into an existing or new directory. */
bool zw_payloads_write(const struct zw_payloads *payloads, const char *directory)
{
	bool done = true;

	if (mkdir(directory, 0755) != 0 && errno != EEXIST) {
		zw_tool_error("cannot make %s: %s", directory, strerror(errno));
		return false;
	}
	for (size_t i = 0; i < payloads->count && done; i++) {
		const struct zw_payload *payload = &payloads->list[i];
		char *path = zw_tool_format("%s/%s", directory, payload->name);

		done = zw_file_write(path, payload->body.data, payload->body.size_bytes);
		free(path);
	}
	return done;
}

void zw_payloads_free(struct zw_payloads *payloads)
{
	for (size_t i = 0; i < payloads->count; i++) {
		free(payloads->list[i].name);
		free(payloads->list[i].body.data);
	}
	free(payloads->list);
	payloads->list = NULL;
	payloads->count = 0;
}
