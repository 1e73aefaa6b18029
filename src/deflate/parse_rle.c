/* SPDX-License-Identifier: Zlib */
/* parse_rle.c - ZW_RLE: matches at distance 1 only, without tables. */
#include "deflate/match_length.h"
#include "deflate/match_tables.h"

#define RLE_MIN_BYTES MATCH_MIN_BYTES

const uint8_t *zw_parse_rle(struct zw_match_finder *m, struct zw_tokens *t, const uint8_t *ip, const uint8_t *stop,
			    const uint8_t *end)
{
	struct zw_token_cursor out = zw_tokens_open(t);
	const uint8_t *literals = ip;            /* [literals, ip) are pending */

	if (ip == m->window && ip < stop)
		ip++;                            /* the first byte has none before it */
	while (ip < stop) {
		unsigned room = end - ip < (ptrdiff_t)MATCH_MAX_BYTES ? (unsigned)(end - ip) : MATCH_MAX_BYTES;
		unsigned len = zw_match_length(ip, ip - 1, room);

		if (len < RLE_MIN_BYTES) {
			ip += len + 1;           /* the byte that ended the run cannot continue one at distance 1 */
			if (ip > end)
				ip = end;
			continue;
		}
		zw_put_literals(&out, literals, ip);
		zw_put_match(&out, len, 0);
		ip += len;
		literals = ip;
	}
	zw_put_literals(&out, literals, ip);
	zw_tokens_close(t, &out);
	return ip;
}
