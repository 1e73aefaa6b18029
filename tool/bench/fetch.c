/* SPDX-License-Identifier: Zlib */
/* fetch.c - a body as a site serves it, fetched once: as it is before compression, and how large it comes to those who ask for gzip. */
#include "bench/fetch.h"

#include "common/probe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Types whose names have to end in something that the server's types know. */
static const struct { const char *type, *suffix; } suffixes[] = {
	{ "text/html", ".html" }, { "application/json", ".json" }, { "text/css", ".css" }, { "text/javascript", ".js" },
	{ "application/javascript", ".js" }, { "image/svg+xml", ".svg" }, { "text/plain", ".txt" }, { "text/xml", ".xml" },
	{ "application/xml", ".xml" },
};

static const char *suffix_of_type(const char *type)
{
	for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++)
		if (strncasecmp(type, suffixes[i].type, strlen(suffixes[i].type)) == 0)
			return suffixes[i].suffix;
	return ".bin";
}

/* The last part of a URL's path, with a number in front so that none is there twice, and an end that tells its type. */
static char *name_of_url(const char *url, const char *type, size_t number)
{
	const char *host = strstr(url, "://");
	const char *path = host ? host + 3 : url;
	const char *end = path + strcspn(path, "?#");
	const char *last = NULL;

	for (const char *at = path; at < end; at++)
		if (*at == '/')
			last = at + 1;
	if (!last || last == end)
		return zw_tool_format("%03zu-index%s", number, suffix_of_type(type));
	return zw_tool_format("%03zu-%.*s%s", number, (int)(end - last), last,
			      memchr(last, '.', (size_t)(end - last)) ? "" : suffix_of_type(type));
}

/* What the site itself makes of it, for whom it matters; nothing where it does not answer a second time. */
static void tell_what_is_served(const char *url, size_t plain_bytes)
{
	struct zw_probe probe = { .url = url, .http = ZW_HTTP_11, .asks_gzip = true };
	struct zw_answer answer;
	char plain[32], wire[32];

	if (!zw_probe_ask(&probe, &answer))
		return;
	zw_tool_thousands(plain_bytes, plain);
	zw_tool_thousands(answer.body.size_bytes, wire);
	if (*answer.content_encoding)
		fprintf(stderr, "zwire: %s: %s bytes; to those who ask for gzip it sends %s bytes, Content-Encoding %s, Vary '%s'\n", url, plain,
			wire, answer.content_encoding, answer.vary);
	else
		fprintf(stderr, "zwire: %s: %s bytes; it sends them uncompressed to those who ask for gzip, too\n", url, plain);
	free(answer.body.data);
}

/* Adds what a URL answers without compression, under a name that tells its type.  False after a message. */
bool zw_fetch_body(struct zw_payloads *payloads, const char *url)
{
	struct zw_probe probe = { .url = url, .http = ZW_HTTP_11 };
	struct zw_answer answer;
	char *name;

	if (!zw_probe_ask(&probe, &answer))
		return false;
	if (answer.status != 200 || *answer.content_encoding || !answer.body.size_bytes) {
		zw_tool_error("%s: status %ld, Content-Encoding '%s', %zu bytes; wanted is a body with status 200, not encoded", url,
			      answer.status, answer.content_encoding, answer.body.size_bytes);
		free(answer.body.data);
		return false;
	}
	name = name_of_url(url, answer.content_type, payloads->count + 1);
	zw_payloads_add_copy(payloads, name, &answer.body);
	tell_what_is_served(url, answer.body.size_bytes);
	free(name);
	free(answer.body.data);
	return true;
}
