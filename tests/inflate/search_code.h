/* SPDX-License-Identifier: Zlib */
/* search_code.h - decoding a canonical code in the most obvious way, for tests of tables. */
#ifndef TESTS_INFLATE_SEARCH_CODE_H
#define TESTS_INFLATE_SEARCH_CODE_H

#include "lib/bits.h"

/* The symbol that index bits begin with, by trying every code; *bits_ret its length, 0 if there is none. */
ZW_INLINE unsigned symbol_by_search(const uint8_t *lens, unsigned count, unsigned index, unsigned index_bits, unsigned *bits_ret)
{
	struct bits_code c;

	bits_make_code(&c, lens, count);
	for (unsigned symbol = 0; symbol < count; symbol++) {
		unsigned n = c.len_bits[symbol], reversed = 0;

		if (!n || n > index_bits)
			continue;
		for (unsigned i = 0; i < n; i++)
			reversed |= (unsigned)(c.word[symbol] >> i & 1) << (n - 1 - i);
		if ((index & ((1u << n) - 1)) == reversed) {
			*bits_ret = n;
			return symbol;
		}
	}
	*bits_ret = 0;
	return 0;
}

#endif
