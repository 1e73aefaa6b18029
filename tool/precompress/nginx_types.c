/* SPDX-License-Identifier: Zlib */
/* nginx_types.c - from NGINX's configuration to the names whose content it compresses.
 * Takes: directives.  Gives: zw_nginx_types.  Then: types.c
 * Never: asks which server or location a file belongs to: all are taken together. */
#include "precompress/nginx_types.h"
#include "precompress/nginx_conf.h"

#include "common/tool.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define COUNT_OF(array) (sizeof(array) / sizeof (array)[0])

static char *lower(const char *text)
{
	char *copy = zw_tool_format("%s", text);

	for (char *c = copy; *c; c++)
		if (*c >= 'A' && *c <= 'Z')
			*c = (char)(*c + 'a' - 'A');
	return copy;
}

static void add_mime(struct zw_nginx_types *types, const char *extension, const char *type)
{
	if (types->count == types->room) {
		types->room = types->room ? 2 * types->room : 256;
		types->list = zw_tool_grow(types->list, types->room * sizeof *types->list);
	}
	types->list[types->count++] = (struct zw_nginx_mime){ lower(extension), lower(type), false };
}

static void add_text(char **list, size_t *count, size_t room, const char *text, bool *is_full)
{
	if (*count == room)
		*is_full = true;
	else
		list[(*count)++] = lower(text);
}

static void take_directive(void *opaque, const struct zw_nginx_directive *directive)
{
	struct zw_nginx_types *types = opaque;
	const char *name = directive->words[0];

	if (strcmp(directive->block, "types") == 0) {
		for (size_t i = 1; i < directive->word_count; i++)
			add_mime(types, directive->words[i], name);
	} else if (strcmp(name, "types") == 0 && directive->is_block) {
		types->has_mime_types = true;
	} else if (strcmp(name, "default_type") == 0 && directive->word_count == 2) {
		add_text(types->default_types, &types->default_count, COUNT_OF(types->default_types), directive->words[1], &types->is_too_large);
	} else if (strcmp(name, "gzip_types") == 0) {
		types->has_gzip_types = true;
		for (size_t i = 1; i < directive->word_count; i++)
			add_text(types->compressed, &types->compressed_count, COUNT_OF(types->compressed), directive->words[i],
				 &types->is_too_large);
	} else if (strcmp(name, "gzip_static") == 0 && directive->word_count == 2 && strcmp(directive->words[1], "off") != 0) {
		types->has_gzip_static = true;
	}
}

static bool is_compressed(const struct zw_nginx_types *types, const char *type)
{
	if (strcmp(type, "text/html") == 0)      /* always: ngx_http_gzip_filter_module */
		return true;
	for (size_t i = 0; i < types->compressed_count; i++)
		if (strcmp(types->compressed[i], "*") == 0 || strcmp(types->compressed[i], type) == 0)
			return true;
	return false;
}

/* Of those with one extension, one that is compressed comes first. */
static int by_extension(const void *a, const void *b)
{
	const struct zw_nginx_mime *x = a, *y = b;
	int order = strcmp(x->extension, y->extension);

	return order ? order : (int)y->is_compressed - (int)x->is_compressed;
}

/* Repeated ones go; the first of each extension stays. */
static void keep_first(struct zw_nginx_types *types)
{
	size_t kept = 0;

	for (size_t i = 0; i < types->count; i++) {
		if (kept && strcmp(types->list[kept - 1].extension, types->list[i].extension) == 0) {
			free(types->list[i].extension);
			free(types->list[i].type);
		} else {
			types->list[kept++] = types->list[i];
		}
	}
	types->count = kept;
}

/* What NGINX has where the configuration says nothing, and the order in which extensions are searched. */
static void finish(struct zw_nginx_types *types)
{
	if (!types->has_mime_types) {
		add_mime(types, "html", "text/html");
		add_mime(types, "gif", "image/gif");
		add_mime(types, "jpg", "image/jpeg");
	}
	if (!types->default_count)
		types->default_types[types->default_count++] = lower("text/plain");
	for (size_t i = 0; i < types->count; i++)
		types->list[i].is_compressed = is_compressed(types, types->list[i].type);
	if (types->count)
		qsort(types->list, types->count, sizeof *types->list, by_extension);
	keep_first(types);
	for (size_t i = 0; i < types->default_count; i++)
		types->default_is_compressed |= is_compressed(types, types->default_types[i]);
}

struct zw_nginx_types *zw_nginx_types_read(const char *path, char **error_ret)
{
	struct zw_nginx_types *types = zw_tool_alloc(sizeof *types);
	bool is_fine = zw_nginx_conf_read(path, take_directive, types, error_ret);

	if (is_fine && types->is_too_large) {
		*error_ret = zw_tool_format("%s: more than %zu gzip_types or %zu default_types", path, COUNT_OF(types->compressed),
					    COUNT_OF(types->default_types));
		is_fine = false;
	}
	if (is_fine) {
		finish(types);
		return types;
	}
	zw_nginx_types_free(types);
	return NULL;
}

void zw_nginx_types_free(struct zw_nginx_types *types)
{
	if (!types)
		return;
	for (size_t i = 0; i < types->count; i++) {
		free(types->list[i].extension);
		free(types->list[i].type);
	}
	while (types->default_count)
		free(types->default_types[--types->default_count]);
	while (types->compressed_count)
		free(types->compressed[--types->compressed_count]);
	free(types->list);
	free(types);
}

static int compare_extension(const void *key, const void *element)
{
	return strcasecmp(key, ((const struct zw_nginx_mime *)element)->extension);
}

const char *zw_nginx_type_of(const struct zw_nginx_types *types, const char *name, bool *is_compressed_ret)
{
	const char *dot = strrchr(name, '.');
	const struct zw_nginx_mime *found = NULL;

	if (dot && dot != name && types->count)  /* NGINX sees no extension in ".htaccess" */
		found = bsearch(dot + 1, types->list, types->count, sizeof *types->list, compare_extension);
	*is_compressed_ret = found ? found->is_compressed : types->default_is_compressed;
	return found ? found->type : types->default_types[0];
}
