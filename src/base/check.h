/* SPDX-License-Identifier: Zlib */
/* check.h - the four kinds of check: static_assert for relations between constants, ZW_ASSERT for what our own code
 * promised (debug builds and fuzzers only), an ordinary if for what input or caller promised, and ZW_NEVER where both
 * an alarm in debug builds and a safe branch in release builds are wanted. */
#ifndef ZW_BASE_CHECK_H
#define ZW_BASE_CHECK_H

#include "base/arch.h"

#include <assert.h>

#ifdef ZW_DEBUG
#define ZW_ASSERT(cond) do { if (!(cond)) __builtin_trap(); } while (0)
#define ZW_NEVER(cond)  ((cond) ? (__builtin_trap(), 1) : 0)
#else
#define ZW_ASSERT(cond) ((void)sizeof(!(cond)))
#define ZW_NEVER(cond)  ZW_UNLIKELY(cond)
#endif

#endif
