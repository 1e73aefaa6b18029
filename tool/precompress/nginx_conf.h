/* SPDX-License-Identifier: Zlib */
/* nginx_conf.h - reads NGINX's configuration: its directives one after the other, includes followed. */
#ifndef ZW_TOOL_PRECOMPRESS_NGINX_CONF_H
#define ZW_TOOL_PRECOMPRESS_NGINX_CONF_H

#include <stdbool.h>
#include <stddef.h>

#define NGINX_WORD_MAX 1024                      /* of one directive */
#define NGINX_DEPTH_MAX 64                       /* of blocks, and of includes */

/* A directive, or the beginning of a block.  words[0] is its name. */
struct zw_nginx_directive {
	char **words;
	size_t word_count;
	bool is_block;
	const char *block;                       /* the name of the innermost block that it stands in, "" for none */
};

typedef void (*zw_nginx_take)(void *opaque, const struct zw_nginx_directive *directive);

/* zw_nginx_conf_read() - calls take for each directive of the file and of what it includes, in their order.
 *
 * path         nginx.conf; includes are relative to its folder, as in NGINX
 * error_ret    what is wrong, with file and line; to be freed
 *
 * Returns false if a file cannot be read or is no configuration; take may have been called before. */
bool zw_nginx_conf_read(const char *path, zw_nginx_take take, void *opaque, char **error_ret);

#endif
