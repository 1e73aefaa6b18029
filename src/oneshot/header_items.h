/* SPDX-License-Identifier: Zlib */
/* header_items.h - the shortest description of two codes that could be found (RFC 1951 3.2.7). */
#ifndef ZW_ONESHOT_HEADER_ITEMS_H
#define ZW_ONESHOT_HEADER_ITEMS_H

#include "deflate/code_header.h"

/* Prepares the header for a litlen and a distance code, as zw_code_header_make() does, but with the run-length items chosen by
 * what they cost.  Never longer than that one's. */
void zw_header_shortest(struct zw_code_header *h, const struct zw_code *litlen, const struct zw_code *dist);

#endif
