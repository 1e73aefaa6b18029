/* SPDX-License-Identifier: Zlib */
/* parse_fast2.c - level 2: the same on a larger table, and a match may take the one before it in (M32).
 * Takes: input, and a table of the newest position by 4 to 6 bytes.  Gives: tokens.  Then: the block coder. */
#include "deflate/parse_single.h"

static ZW_NOINLINE void loop2_hash4(struct zw_fast_loop *l) { zw_single_loop(l, 4, ABSORB_ALL); }
static ZW_NOINLINE void loop2_hash5(struct zw_fast_loop *l) { zw_single_loop(l, 5, ABSORB_ALL); }
static ZW_NOINLINE void loop2_long_hash5(struct zw_fast_loop *l) { zw_single_loop(l, 5, ABSORB_SHORT); }
static ZW_NOINLINE void loop2_hash6(struct zw_fast_loop *l) { zw_single_loop(l, 6, ABSORB_ALL); }
static ZW_NOINLINE void loop2_long_hash6(struct zw_fast_loop *l) { zw_single_loop(l, 6, ABSORB_SHORT); }
#if ZW_ARCH_X86
ZW_TARGET("avx2,bmi,bmi2,lzcnt")
static ZW_NOINLINE void loop2_hash4_wide(struct zw_fast_loop *l) { zw_single_loop(l, 4, ABSORB_ALL); }
ZW_TARGET("avx2,bmi,bmi2,lzcnt")
static ZW_NOINLINE void loop2_hash5_wide(struct zw_fast_loop *l) { zw_single_loop(l, 5, ABSORB_ALL); }
ZW_TARGET("avx2,bmi,bmi2,lzcnt")
static ZW_NOINLINE void loop2_long_hash5_wide(struct zw_fast_loop *l) { zw_single_loop(l, 5, ABSORB_SHORT); }
ZW_TARGET("avx2,bmi,bmi2,lzcnt")
static ZW_NOINLINE void loop2_hash6_wide(struct zw_fast_loop *l) { zw_single_loop(l, 6, ABSORB_ALL); }
ZW_TARGET("avx2,bmi,bmi2,lzcnt")
static ZW_NOINLINE void loop2_long_hash6_wide(struct zw_fast_loop *l) { zw_single_loop(l, 6, ABSORB_SHORT); }
#endif

const uint8_t *zw_parse_fast2_hash4(struct zw_match_finder *m, struct zw_tokens *t, const uint8_t *ip,
				    const uint8_t *stop, const uint8_t *end)
{
	return zw_single_parse(m, t, ip, stop, end, loop2_hash4, 4, true, zw_prefix64);
}

const uint8_t *zw_parse_fast2_hash5(struct zw_match_finder *m, struct zw_tokens *t, const uint8_t *ip,
				    const uint8_t *stop, const uint8_t *end)
{
	return zw_single_parse(m, t, ip, stop, end, m->long_tokens ? loop2_long_hash5 : loop2_hash5, 5, true, zw_prefix64);
}

const uint8_t *zw_parse_fast2_hash6(struct zw_match_finder *m, struct zw_tokens *t, const uint8_t *ip,
				    const uint8_t *stop, const uint8_t *end)
{
	return zw_single_parse(m, t, ip, stop, end, m->long_tokens ? loop2_long_hash6 : loop2_hash6, 6, true, zw_prefix64);
}

#if ZW_ARCH_X86
ZW_TARGET("avx2,bmi,bmi2,lzcnt")
const uint8_t *zw_parse_fast2_hash4_wide(struct zw_match_finder *m, struct zw_tokens *t, const uint8_t *ip,
				         const uint8_t *stop, const uint8_t *end)
{
	return zw_single_parse(m, t, ip, stop, end, loop2_hash4_wide, 4, true, zw_prefix64_wide);
}

ZW_TARGET("avx2,bmi,bmi2,lzcnt")
const uint8_t *zw_parse_fast2_hash5_wide(struct zw_match_finder *m, struct zw_tokens *t, const uint8_t *ip,
				         const uint8_t *stop, const uint8_t *end)
{
	return zw_single_parse(m, t, ip, stop, end, m->long_tokens ? loop2_long_hash5_wide : loop2_hash5_wide, 5, true, zw_prefix64_wide);
}

ZW_TARGET("avx2,bmi,bmi2,lzcnt")
const uint8_t *zw_parse_fast2_hash6_wide(struct zw_match_finder *m, struct zw_tokens *t, const uint8_t *ip,
				         const uint8_t *stop, const uint8_t *end)
{
	return zw_single_parse(m, t, ip, stop, end, m->long_tokens ? loop2_long_hash6_wide : loop2_hash6_wide, 6, true, zw_prefix64_wide);
}
#endif
