/* SPDX-License-Identifier: Zlib */
/* own_bodies.c - the user's bodies: fetched from URLs as they are before compression, and cut down to what can be measured. */
#include "bench/fetch.h"
#include "lab/lab.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define LINE_MAX_BYTES 2048

/* What does not get smaller: by its name, as NGINX decides by the type that the name gives (server.c has the same list). */
static const char *const packed_suffixes[] = {
	".br", ".gif", ".gz", ".ico", ".jpeg", ".jpg", ".mp3", ".mp4", ".pdf", ".png", ".webm", ".webp", ".woff", ".woff2",
	".xz", ".zip", ".zst",
};

bool zw_lab_is_packed(const char *name)
{
	size_t length = strlen(name);

	for (size_t i = 0; i < sizeof packed_suffixes / sizeof packed_suffixes[0]; i++) {
		size_t suffix_length = strlen(packed_suffixes[i]);

		if (length > suffix_length && strcasecmp(name + length - suffix_length, packed_suffixes[i]) == 0)
			return true;
	}
	return false;
}

/* Fetches each URL of the list without asking for compression.  Lines that are empty or begin with # do not count.
 * False after a message. */
bool zw_lab_fetch(struct zw_payloads *payloads, const char *list_path)
{
	FILE *file = fopen(list_path, "re");
	size_t before = payloads->count;
	char line[LINE_MAX_BYTES];
	bool done = file != NULL;

	if (!file)
		zw_tool_error("cannot read %s (given as --url-list)", list_path);
	while (done && fgets(line, sizeof line, file)) {
		char *url = line + strspn(line, " \t");

		url[strcspn(url, " \t\r\n")] = 0;
		if (*url && *url != '#')
			done = zw_fetch_body(payloads, url);
	}
	if (file)
		fclose(file);
	if (done && payloads->count == before) {
		zw_tool_error("no URL in %s (given as --url-list)", list_path);
		done = false;
	}
	return done;
}

static size_t count_larger(const struct zw_payloads *payloads, size_t than)
{
	size_t count = 0;

	for (size_t i = 0; i < payloads->count; i++) {
		size_t a = payloads->list[i].body.size_bytes, b = payloads->list[than].body.size_bytes;

		count += a > b || (a == b && i < than);
	}
	return count;
}

/* A compressed copy that lies beside its file; the lab makes its own. */
static bool is_twin(const char *name)
{
	size_t length = strlen(name);

	return length > 3 && (strcmp(name + length - 3, ".gz") == 0 || strcmp(name + length - 3, ".br") == 0);
}

/* The largest ones, in their order, each with its kind.  False, after a message, if there is none. */
bool zw_lab_keep_largest(struct zw_payloads *payloads, size_t count_max)
{
	bool *wanted = zw_tool_alloc(payloads->count + 1);
	size_t kept = 0, all = payloads->count;

	for (size_t i = 0; i < all; i++)
		wanted[i] = count_larger(payloads, i) < count_max && !is_twin(payloads->list[i].name);
	for (size_t i = 0; i < all; i++) {
		struct zw_payload *payload = &payloads->list[i];

		if (!wanted[i]) {
			free(payload->name);
			free(payload->body.data);
			continue;
		}
		payload->is_incompressible = zw_lab_is_packed(payload->name);
		payloads->list[kept++] = *payload;
	}
	payloads->count = kept;
	free(wanted);
	if (kept < all)
		fprintf(stderr, "zwire lab: %zu of %zu files are measured, the largest ones\n", kept, all);
	return kept > 0;
}
