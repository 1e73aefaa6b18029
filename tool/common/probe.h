/* SPDX-License-Identifier: Zlib */
/* probe.h - one request over HTTP, with every byte of the answer kept as it came. */
#ifndef ZW_TOOL_COMMON_PROBE_H
#define ZW_TOOL_COMMON_PROBE_H

#include "common/tool.h"

enum zw_http { ZW_HTTP_10, ZW_HTTP_11, ZW_HTTP_2 };

struct zw_probe {
	const char *url;
	enum zw_http http;                       /* ZW_HTTP_2 needs https */
	bool asks_gzip;                          /* sends Accept-Encoding: gzip, else none */
	bool is_own;                             /* a server of ours on loopback: no proxy, no redirects, any certificate */
};

struct zw_answer {
	long status;
	enum zw_http http;                       /* what the server answered with */
	char content_encoding[32], vary[64], content_type[64];
	struct zw_blob body;                     /* as it came: not decoded */
	size_t header_bytes;
};

bool zw_probe_ask(const struct zw_probe *probe, struct zw_answer *answer_ret);

#endif
