/* SPDX-License-Identifier: Zlib */
/* proof.c - does an arm do what its name says? Status, encoding, size and bytes are looked at; if not, why not.
 * Takes: one answer.  Gives: yes, or the reason in words.  A gzip body is decoded by another library than its maker. */
#include "lab/lab.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define SMALL_MAX_BYTES 32768                /* of a built-in body that stands for many small files */
#define WORD_MAX_CHARACTERS 63
#define SHRINKS_FROM_BYTES 256               /* a user's file below it may come out no smaller */

/* Where the value of a directive begins in the text of a configuration, NULL if it is not set; comments are not read. */
static const char *find_directive(const char *text, const char *name)
{
	const char *value = NULL;
	size_t length = strlen(name);

	for (const char *line = text; line && *line; line = strchr(line, '\n')) {
		line += strspn(line, " \t\n;{");
		if (strncmp(line, name, length) == 0 && (line[length] == ' ' || line[length] == '\t'))
			value = line + length;
	}
	return value;
}

static bool has_word(const char *words, const char *word)
{
	char one[WORD_MAX_CHARACTERS + 1];
	int used;

	while (sscanf(words, " %63[^ \t\r\n;]%n", one, &used) == 1) {
		if (strcasecmp(one, word) == 0 || strcmp(one, "*") == 0)
			return true;
		words += used;
	}
	return false;
}

/* Why a body that should have come compressed did not, from the answer and from what the user's fragment sets. */
static void explain_missing_gzip(const struct zw_lab_arm *arm, const struct zw_answer *answer, const struct zw_payload *payload,
				 const char *fragment, char reason_ret[static LAB_REASON_BYTES])
{
	const char *types = find_directive(fragment, "gzip_types");
	const char *min_length = find_directive(fragment, "gzip_min_length");
	char type[sizeof answer->content_type];

	snprintf(type, sizeof type, "%s", answer->content_type);
	type[strcspn(type, "; ")] = 0;
	if (arm->client == LAB_CLIENT_AB && !arm->takes_http10)
		snprintf(reason_ret, LAB_REASON_BYTES, "not compressed: the client speaks HTTP/1.0 (as ab does) and gzip_http_version "
			 "is 1.1, its default; set gzip_http_version 1.0, or ask with HTTP/1.1");
	else if (min_length && strtoul(min_length, NULL, 10) > payload->body.size_bytes)
		snprintf(reason_ret, LAB_REASON_BYTES, "not compressed: its %zu bytes are below gzip_min_length, which is %lu",
			 payload->body.size_bytes, strtoul(min_length, NULL, 10));
	else if (types && strcmp(type, "text/html") != 0 && !has_word(types, type))
		snprintf(reason_ret, LAB_REASON_BYTES, "not compressed: its type, %s, is not listed in gzip_types", type);
	else
		snprintf(reason_ret, LAB_REASON_BYTES, "not compressed, for a reason that status, type (%s), size and protocol do not "
			 "show: look for gzip off, gzip_disable or gzip_proxied in the configuration", type);
}

/* What is wrong with an answer whose status, encoding or size is not as the arm wants it. */
static void explain(const struct zw_lab_plan *plan, const struct zw_lab_arm *arm, const struct zw_answer *answer,
		    const struct zw_payload *payload, char reason_ret[static LAB_REASON_BYTES])
{
	bool wants_gzip = zw_lab_arm_expects_gzip(plan, arm, payload);
	const char *include_path = plan->include_path;
	struct zw_blob fragment = { NULL, 0 };
	char *text = NULL;

	if (include_path && zw_file_read(include_path, &fragment))
		text = zw_tool_format("%.*s", (int)fragment.size_bytes, (const char *)fragment.data);
	free(fragment.data);
	if (answer->status == 403)
		snprintf(reason_ret, LAB_REASON_BYTES, "status 403: NGINX refuses this file (deny, or permissions); the page that says so "
			 "would have been measured instead");
	else if (answer->status != 200)
		snprintf(reason_ret, LAB_REASON_BYTES, "status %ld instead of 200: an error page or a redirect would have been measured",
			 answer->status);
	else if (wants_gzip && !*answer->content_encoding)
		explain_missing_gzip(arm, answer, payload, text ? text : "", reason_ret);
	else if (wants_gzip)
		snprintf(reason_ret, LAB_REASON_BYTES, "Content-Encoding is '%s', not gzip", answer->content_encoding);
	else
		snprintf(reason_ret, LAB_REASON_BYTES, "Content-Encoding is '%s' where the body was to come as it is",
			 answer->content_encoding);
	free(text);
}

static bool refuse(struct zw_lab_cell *cell, const char *reason)
{
	snprintf(cell->refused, sizeof cell->refused, "%s", reason);
	return false;
}

/* The other libraries' workers are asked first, then the library's own, as one of the others may be the one that is wrong. */
static bool somebody_decodes(const struct zw_lab_plan *plan, struct zw_worker *workers, size_t library, const struct zw_payload *payload,
			     const struct zw_answer *answer)
{
	for (size_t i = 0; i <= plan->libraries.count && !zw_interrupted(); i++) {
		struct zw_worker *judge = &workers[i < plan->libraries.count ? i : library];

		if (i != library && judge->pid > 0 && zw_worker_set_body(judge, 0, &payload->body) &&
		    zw_worker_decodes(judge, ZW_FORMAT_GZIP, &answer->body, plan->libraries.list[library].name))
			return true;
	}
	return false;
}

static bool check_body(const struct zw_lab_plan *plan, struct zw_worker *workers, struct zw_lab_cell *cell,
		       const struct zw_payload *payload, const struct zw_answer *answer)
{
	if (!*answer->content_encoding)
		return (answer->body.size_bytes == payload->body.size_bytes &&
			memcmp(answer->body.data, payload->body.data, payload->body.size_bytes) == 0) ||
		       refuse(cell, "WRONG BYTES: the body is not the file");
	if (!payload->is_incompressible && payload->body.size_bytes > SHRINKS_FROM_BYTES && answer->body.size_bytes >= payload->body.size_bytes)
		return refuse(cell, "the body did not get smaller");
	return somebody_decodes(plan, workers, cell->library, payload, answer) ||
	       refuse(cell, "WRONG BYTES: the body does not decode to the file");
}

/* Status, encoding, protocol, Vary; then the body. */
static bool check_answer(const struct zw_lab_plan *plan, struct zw_worker *workers, struct zw_lab_cell *cell,
			 const struct zw_payload *payload, const struct zw_answer *answer)
{
	const struct zw_lab_arm *arm = &plan->arms.list[cell->arm];

	if (answer->status != 200 ||
	    strcmp(answer->content_encoding, zw_lab_arm_expects_gzip(plan, arm, payload) ? "gzip" : "") != 0) {
		explain(plan, arm, answer, payload, cell->refused);
		return false;
	}
	if (arm->client == LAB_CLIENT_H2 && answer->http != ZW_HTTP_2)
		return refuse(cell, "the answer did not come over HTTP/2");
	if (arm->kind == LAB_ARM_LEVEL && !arm->asks_gzip && !strcasestr(answer->vary, "Accept-Encoding") && !plan->article)
		return refuse(cell, "Vary does not name Accept-Encoding (gzip_vary is off), so a cache may give the compressed body to clients "
			      "that did not ask for it");
	return check_body(plan, workers, cell, payload, answer);
}

/* One file through the cell's arm; what the cell keeps of the answer is this file's. */
static bool prove_file(const struct zw_lab_plan *plan, struct zw_worker *workers, const struct zw_lab_server *server,
		       struct zw_lab_cell *cell, const struct zw_payload *payload)
{
	const struct zw_lab_arm *arm = &plan->arms.list[cell->arm];
	char *url = zw_lab_server_url(server, arm, payload->name);
	struct zw_probe probe = { .url = url, .asks_gzip = arm->asks_gzip, .is_own = true, .http = arm->client == LAB_CLIENT_AB ? ZW_HTTP_10 :
				  arm->client == LAB_CLIENT_H2 ? ZW_HTTP_2 : ZW_HTTP_11 };
	struct zw_answer answer;
	bool proved;

	if (!zw_probe_ask(&probe, &answer)) {
		refuse(cell, "no answer: the worker crashed, or closed the connection before the end");
		free(url);
		return false;
	}
	cell->body_bytes = answer.body.size_bytes;
	memcpy(cell->content_encoding, answer.content_encoding, sizeof cell->content_encoding);
	memcpy(cell->content_type, answer.content_type, sizeof cell->content_type);
	memcpy(cell->vary, answer.vary, sizeof cell->vary);
	proved = check_answer(plan, workers, cell, payload, &answer);
	free(answer.body.data);
	free(url);
	return proved;
}

/* Every file of the mix; the cell then has the mean of their bytes. */
static bool prove_mix(const struct zw_lab_plan *plan, struct zw_worker *workers, const struct zw_lab_server *server,
		      struct zw_lab_cell *cell)
{
	size_t count = zw_lab_mix_count(plan), sum_bytes = 0;

	for (size_t i = 0; i < count && !zw_interrupted(); i++) {
		const struct zw_payload *payload = zw_lab_mix_member(plan, i);

		if (!prove_file(plan, workers, server, cell, payload)) {
			char *reason = zw_tool_format("%.80s: %.*s", payload->name, LAB_REASON_BYTES - 90, cell->refused);

			refuse(cell, reason);
			free(reason);
			return false;
		}
		sum_bytes += cell->body_bytes;
	}
	cell->body_bytes = sum_bytes / count;
	return true;
}

/* True if the cell's arm does what it should; else cell->refused says why not. */
bool zw_lab_prove(const struct zw_lab_plan *plan, struct zw_worker *workers, const struct zw_lab_server *server,
		  struct zw_lab_cell *cell)
{
	if (cell->payload == plan->mix)
		return prove_mix(plan, workers, server, cell);
	return prove_file(plan, workers, server, cell, &plan->payloads.list[cell->payload]);
}

/* Of a user's files the smallest that can be compressed: other clients are tried with this one. */
static size_t find_small(const struct zw_lab_plan *plan)
{
	size_t small = plan->payloads.count;

	for (size_t i = 0; i < plan->payloads.count; i++)
		if (i != plan->mix && !plan->payloads.list[i].is_incompressible && plan->payloads.list[i].body.size_bytes >= LAB_MIN_LENGTH_BYTES &&
		    (small == plan->payloads.count || plan->payloads.list[i].body.size_bytes < plan->payloads.list[small].body.size_bytes))
			small = i;
	return small;
}

/* Small built-in bodies stand for many small files; of a user's files one does. */
enum zw_lab_role zw_lab_role_of(const struct zw_lab_plan *plan, size_t payload_number)
{
	const struct zw_payload *payload = &plan->payloads.list[payload_number];

	if (payload_number == plan->mix)
		return LAB_ROLE_MIX;
	if (payload->body.size_bytes < LAB_MIN_LENGTH_BYTES)
		return LAB_ROLE_INDEX;
	if (payload->is_incompressible)
		return LAB_ROLE_NOISE;
	if (plan->is_own_content)
		return !plan->is_quick && payload_number == find_small(plan) ? LAB_ROLE_SMALL : LAB_ROLE_MAIN;
	return payload->body.size_bytes <= SMALL_MAX_BYTES && !plan->article ? LAB_ROLE_SMALL : LAB_ROLE_MAIN;
}
