/* SPDX-License-Identifier: Zlib */
/* parse_fast1.c - level 1: the loop of parse_single.h as it is.
 * Takes: input, and a table of the newest position by 4 to 6 bytes.  Gives: tokens.  Then: the block coder. */
#include "deflate/parse_single.h"

static ZW_NOINLINE void loop1_hash4(struct zw_fast_loop *l) { zw_single_loop(l, 4, 0); }
static ZW_NOINLINE void loop1_hash5(struct zw_fast_loop *l) { zw_single_loop(l, 5, 0); }
static ZW_NOINLINE void loop1_hash6(struct zw_fast_loop *l) { zw_single_loop(l, 6, 0); }
#if ZW_ARCH_X86
ZW_TARGET("avx2,bmi,bmi2,lzcnt")
static ZW_NOINLINE void loop1_hash4_wide(struct zw_fast_loop *l) { zw_single_loop(l, 4, 0); }
ZW_TARGET("avx2,bmi,bmi2,lzcnt")
static ZW_NOINLINE void loop1_hash5_wide(struct zw_fast_loop *l) { zw_single_loop(l, 5, 0); }
ZW_TARGET("avx2,bmi,bmi2,lzcnt")
static ZW_NOINLINE void loop1_hash6_wide(struct zw_fast_loop *l) { zw_single_loop(l, 6, 0); }
#endif

const uint8_t *zw_parse_fast1_hash4(struct zw_match_finder *m, struct zw_tokens *t, const uint8_t *ip,
				    const uint8_t *stop, const uint8_t *end)
{
	return zw_single_parse(m, t, ip, stop, end, loop1_hash4, 4, false, zw_prefix64);
}

const uint8_t *zw_parse_fast1_hash5(struct zw_match_finder *m, struct zw_tokens *t, const uint8_t *ip,
				    const uint8_t *stop, const uint8_t *end)
{
	return zw_single_parse(m, t, ip, stop, end, loop1_hash5, 5, false, zw_prefix64);
}

const uint8_t *zw_parse_fast1_hash6(struct zw_match_finder *m, struct zw_tokens *t, const uint8_t *ip,
				    const uint8_t *stop, const uint8_t *end)
{
	return zw_single_parse(m, t, ip, stop, end, loop1_hash6, 6, false, zw_prefix64);
}

#if ZW_ARCH_X86
ZW_TARGET("avx2,bmi,bmi2,lzcnt")
const uint8_t *zw_parse_fast1_hash4_wide(struct zw_match_finder *m, struct zw_tokens *t, const uint8_t *ip,
				         const uint8_t *stop, const uint8_t *end)
{
	return zw_single_parse(m, t, ip, stop, end, loop1_hash4_wide, 4, false, zw_prefix64_wide);
}

ZW_TARGET("avx2,bmi,bmi2,lzcnt")
const uint8_t *zw_parse_fast1_hash5_wide(struct zw_match_finder *m, struct zw_tokens *t, const uint8_t *ip,
				         const uint8_t *stop, const uint8_t *end)
{
	return zw_single_parse(m, t, ip, stop, end, loop1_hash5_wide, 5, false, zw_prefix64_wide);
}

ZW_TARGET("avx2,bmi,bmi2,lzcnt")
const uint8_t *zw_parse_fast1_hash6_wide(struct zw_match_finder *m, struct zw_tokens *t, const uint8_t *ip,
				         const uint8_t *stop, const uint8_t *end)
{
	return zw_single_parse(m, t, ip, stop, end, loop1_hash6_wide, 6, false, zw_prefix64_wide);
}
#endif
