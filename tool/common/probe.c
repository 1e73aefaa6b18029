/* SPDX-License-Identifier: Zlib */
/* probe.c - asks for one body and keeps everything about the answer, undecoded. */
#include "common/probe.h"

#include <curl/curl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define PROBE_TIMEOUT_S 20L
#define REDIRECTS_MAX    5L

static size_t take_body(char *data, size_t size, size_t count, void *opaque)
{
	struct zw_blob *body = opaque;
	size_t bytes = size * count;

	body->data = zw_tool_grow(body->data, body->size_bytes + bytes);
	memcpy(body->data + body->size_bytes, data, bytes);
	body->size_bytes += bytes;
	return bytes;
}

static void keep_value(const char *line, size_t length, const char *name, char *value_ret, size_t value_bytes)
{
	size_t name_length = strlen(name);

	if (length <= name_length || strncasecmp(line, name, name_length) != 0 || line[name_length] != ':')
		return;
	line += name_length + 1;
	length -= name_length + 1;
	while (length && (*line == ' ' || *line == '\t')) {
		line++;
		length--;
	}
	while (length && (line[length - 1] == '\r' || line[length - 1] == '\n'))
		length--;
	if (length >= value_bytes)
		length = value_bytes - 1;
	memcpy(value_ret, line, length);
	value_ret[length] = 0;
}

static size_t take_header(char *line, size_t size, size_t count, void *opaque)
{
	struct zw_answer *answer = opaque;
	size_t length = size * count;

	if (length > 5 && strncasecmp(line, "HTTP/", 5) == 0) {       /* the first line, of the last answer where there are redirects */
		answer->header_bytes = 0;
		*answer->content_encoding = *answer->content_type = *answer->vary = 0;
	}
	answer->header_bytes += length;
	keep_value(line, length, "Content-Encoding", answer->content_encoding, sizeof answer->content_encoding);
	keep_value(line, length, "Content-Type", answer->content_type, sizeof answer->content_type);
	keep_value(line, length, "Vary", answer->vary, sizeof answer->vary);
	return length;
}

static const long curl_versions[] = {
	[ZW_HTTP_10] = CURL_HTTP_VERSION_1_0, [ZW_HTTP_11] = CURL_HTTP_VERSION_1_1, [ZW_HTTP_2] = CURL_HTTP_VERSION_2TLS,
};

static void set_own(CURL *curl)
{
	curl_easy_setopt(curl, CURLOPT_PROXY, "");
	curl_easy_setopt(curl, CURLOPT_SSL_VERIFYPEER, 0L);
	curl_easy_setopt(curl, CURLOPT_SSL_VERIFYHOST, 0L);
}

static void set_foreign(CURL *curl)
{
	curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 1L);
	curl_easy_setopt(curl, CURLOPT_MAXREDIRS, REDIRECTS_MAX);
}

static enum zw_http version_of(CURL *curl)
{
	long version = 0;

	curl_easy_getinfo(curl, CURLINFO_HTTP_VERSION, &version);
	return version == CURL_HTTP_VERSION_1_0 ? ZW_HTTP_10 : version == CURL_HTTP_VERSION_2_0 ? ZW_HTTP_2 : ZW_HTTP_11;
}

/* One GET over a connection of its own.  answer_ret->body.data is to be freed.  False after a message. */
bool zw_probe_ask(const struct zw_probe *probe, struct zw_answer *answer_ret)
{
	CURL *curl = curl_easy_init();
	struct curl_slist *headers = probe->asks_gzip ? curl_slist_append(NULL, "Accept-Encoding: gzip") : NULL;
	CURLcode code = CURLE_OUT_OF_MEMORY;

	memset(answer_ret, 0, sizeof *answer_ret);
	if (curl && (headers || !probe->asks_gzip)) {
		curl_easy_setopt(curl, CURLOPT_URL, probe->url);
		curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);     /* not CURLOPT_ACCEPT_ENCODING: that decodes */
		curl_easy_setopt(curl, CURLOPT_HTTP_VERSION, curl_versions[probe->http]);
		curl_easy_setopt(curl, CURLOPT_TIMEOUT, PROBE_TIMEOUT_S);
		curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
		curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, take_body);
		curl_easy_setopt(curl, CURLOPT_WRITEDATA, &answer_ret->body);
		curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, take_header);
		curl_easy_setopt(curl, CURLOPT_HEADERDATA, answer_ret);
		if (probe->is_own)
			set_own(curl);
		else
			set_foreign(curl);
		code = curl_easy_perform(curl);
		curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &answer_ret->status);
		answer_ret->http = version_of(curl);
	}
	if (code != CURLE_OK) {
		if (!zw_interrupted())
			zw_tool_error("no answer from %s: %s", probe->url, curl_easy_strerror(code));
		free(answer_ret->body.data);
		answer_ret->body.data = NULL;
	}
	curl_slist_free_all(headers);
	curl_easy_cleanup(curl);
	return code == CURLE_OK;
}
