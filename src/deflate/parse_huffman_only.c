/* SPDX-License-Identifier: Zlib */
/* parse_huffman_only.c - ZW_HUFFMAN_ONLY: no matches, two literals a token. */
#include "deflate/match_tables.h"

const uint8_t *zw_parse_huffman_only(struct zw_match_finder *m, struct zw_tokens *t, const uint8_t *ip, const uint8_t *stop,
				     const uint8_t *end)
{
	struct zw_token_cursor out = zw_tokens_open(t);

	(void)m;
	(void)end;
	zw_put_literals(&out, ip, stop);
	zw_tokens_close(t, &out);
	return stop;
}
