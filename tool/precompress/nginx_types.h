/* SPDX-License-Identifier: Zlib */
/* nginx_types.h - what NGINX, as it is configured, would compress. */
#ifndef ZW_TOOL_PRECOMPRESS_NGINX_TYPES_H
#define ZW_TOOL_PRECOMPRESS_NGINX_TYPES_H

#include <stdbool.h>
#include <stddef.h>

struct zw_nginx_mime { char *extension, *type; bool is_compressed; };

/* All servers and locations of a configuration taken together. */
struct zw_nginx_types {
	struct zw_nginx_mime *list;              /* by extension */
	size_t count, room;
	char *default_types[16];                 /* of what has no extension in the list; the first is the one that is told */
	size_t default_count;
	bool default_is_compressed;
	char *compressed[256];                   /* of gzip_types, small letters */
	size_t compressed_count;
	bool has_mime_types, has_gzip_types, has_gzip_static;
	bool is_too_large;
};

/* zw_nginx_types_read() - what the configuration says about types.
 *
 * path         nginx.conf, as NGINX is given it
 * error_ret    why not; to be freed
 *
 * Returns NULL if the configuration cannot be read. */
struct zw_nginx_types *zw_nginx_types_read(const char *path, char **error_ret);
void zw_nginx_types_free(struct zw_nginx_types *types);

/* zw_nginx_type_of() - the type that NGINX gives a file of that name, and whether it compresses that.
 *
 * Where servers differ, is_compressed_ret is true if one does; the type returned then is one that is compressed.  The
 * string lives as long as types.  Any thread. */
const char *zw_nginx_type_of(const struct zw_nginx_types *types, const char *name, bool *is_compressed_ret);

#endif
