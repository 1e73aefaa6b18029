/* SPDX-License-Identifier: Zlib */
/* prices.h - what literals, lengths and distances cost, in 1/64 of a bit. */
#ifndef ZW_ONESHOT_PRICES_H
#define ZW_ONESHOT_PRICES_H

#include "deflate/code_lengths.h"
#include "oneshot/symbol_counts.h"

#include <stddef.h>
#include <stdint.h>

#define PRICE_BIT   64u                      /* one bit */
#define PRICE_LEAST (PRICE_BIT / 4)          /* of one symbol: what is common costs a bit in the end */
#define PRICE_MOST  (20 * PRICE_BIT)

struct zw_prices {
	uint32_t literal[256];
	uint32_t length[MATCH_MAX_BYTES + 1];    /* with its extra bits; [0..2] are unused */
	uint32_t dist[DIST_CODE_COUNT];          /* by symbol, with its extra bits */
};

/* log2(v) in units of 1 / PRICE_BIT; v is not 0. */
uint32_t zw_log2_price(uint32_t v);

/* Prices that a code for these counts would have if it could spend fractions of a bit. */
void zw_prices_from_counts(struct zw_prices *p, const struct zw_symbol_counts *c);

/* The lengths of two codes; a symbol that has none costs what it would if it were rare. */
void zw_prices_from_code(struct zw_prices *p, const struct zw_code *litlen, const struct zw_code *dist);

/* A first guess: literals by how often the bytes occur in bytes[0..count), lengths and distances as text has them. */
void zw_prices_first(struct zw_prices *p, const uint8_t *bytes, size_t count);

/* The fixed code (RFC 1951 3.2.6). */
void zw_prices_fixed(struct zw_prices *p);

#endif
