/* SPDX-License-Identifier: Zlib */
/* own_bodies.c - the user's bodies: files of a directory, or what URLs answer.  The largest are measured one by one, all of them in
 * rotation; of a large directory a part that is spread over it. */
#include "bench/fetch.h"
#include "lab/lab.h"

#include <fts.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#define LINE_MAX_BYTES 2048
#define FILE_MAX_BYTES (16l * 1024 * 1024)   /* larger ones are not what gzip is for */
#define ROTATION_MAX_COUNT 200

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

/* A compressed copy that lies beside its file; the lab makes its own. */
static bool is_twin(const char *name)
{
	size_t length = strlen(name);

	return length > 3 && (strcmp(name + length - 3, ".gz") == 0 || strcmp(name + length - 3, ".br") == 0);
}

static int compare_names(const FTSENT **a, const FTSENT **b)
{
	return strcmp((*a)->fts_name, (*b)->fts_name);
}

/* Files under a directory, in the order of their names, and whether one could not be read. */
struct found { char **paths; size_t count; bool has_error; };

static struct found find_files(const char *root)
{
	char *roots[] = { (char *)(uintptr_t)root, NULL };
	FTS *tree = fts_open(roots, FTS_COMFOLLOW | FTS_PHYSICAL | FTS_NOCHDIR, compare_names);
	struct found found = { NULL, 0, tree == NULL };
	FTSENT *entry;

	while (tree && (entry = fts_read(tree))) {
		if (entry->fts_info == FTS_NS || entry->fts_info == FTS_DNR || entry->fts_info == FTS_ERR) {
			zw_tool_error("cannot read %s: %s", entry->fts_path, strerror(entry->fts_errno));
			found.has_error = true;
		}
		if (entry->fts_info != FTS_F || is_twin(entry->fts_name) || entry->fts_statp->st_size <= 0 ||
		    entry->fts_statp->st_size > FILE_MAX_BYTES)
			continue;
		found.paths = zw_tool_grow(found.paths, (found.count + 1) * sizeof *found.paths);
		found.paths[found.count++] = zw_tool_format("%s", entry->fts_path);
	}
	if (tree)
		fts_close(tree);
	return found;
}

static bool read_file(struct zw_payloads *payloads, const char *root, const char *path)
{
	const char *name = path + strlen(root);
	struct zw_blob body;

	if (!zw_file_read(path, &body))
		return false;
	zw_payloads_add_copy(payloads, name + strspn(name, "/"), &body);
	free(body.data);
	return true;
}

/* Up to ROTATION_MAX_COUNT files of a directory, evenly spread over their sorted names.  False after a message. */
bool zw_lab_take_root(struct zw_lab_plan *plan, const char *root)
{
	struct found found = find_files(root);
	size_t wanted = found.count < ROTATION_MAX_COUNT ? found.count : ROTATION_MAX_COUNT;
	bool done = !found.has_error;

	for (size_t i = 0; i < wanted && done; i++)
		done = read_file(&plan->payloads, root, found.paths[i * found.count / wanted]);
	if (done && wanted < found.count)
		fprintf(stderr, "zwire lab: %zu of the %zu files in %s take part, every %.1fth by name\n", wanted, found.count, root,
			(double)found.count / (double)wanted);
	if (done && !found.count) {
		zw_tool_error("nothing to measure in %s: no file with anything in it", root);
		done = false;
	}
	for (size_t i = 0; i < found.count; i++)
		free(found.paths[i]);
	free(found.paths);
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

static void move_to(struct zw_payloads *payloads, const struct zw_payload *payload)
{
	payloads->list = zw_tool_grow(payloads->list, (payloads->count + 1) * sizeof *payloads->list);
	payloads->list[payloads->count++] = *payload;
}

/* The largest ones stay to be measured one by one, in their order; the others are for the rotation alone.  False if there is none. */
bool zw_lab_keep_largest(struct zw_lab_plan *plan, size_t count_max)
{
	struct zw_payloads *payloads = &plan->payloads;
	bool *wanted = zw_tool_alloc(payloads->count + 1);
	size_t kept = 0, all = payloads->count;

	for (size_t i = 0; i < all; i++) {
		wanted[i] = count_larger(payloads, i) < count_max;
		payloads->list[i].is_incompressible = zw_lab_is_packed(payloads->list[i].name);
	}
	for (size_t i = 0; i < all; i++)
		if (!wanted[i])
			move_to(&plan->more, &payloads->list[i]);
		else
			payloads->list[kept++] = payloads->list[i];
	payloads->count = kept;
	free(wanted);
	if (kept < all)
		fprintf(stderr, "zwire lab: the %zu largest of %zu files are measured one by one, all of them in rotation\n", kept, all);
	return kept > 0;
}
