/* SPDX-License-Identifier: Zlib */
/* arch.h - the only file, with src/cpu/, that names a compiler, an instruction set or a byte order. */
#ifndef ZW_BASE_ARCH_H
#define ZW_BASE_ARCH_H

#if !defined(__GNUC__)
#error "zwire needs gcc 12 or clang 14 (GNU C attributes and builtins)"
#endif

#if defined(__x86_64__)
#define ZW_ARCH_X86 1                        /* SSE2 is part of the base set */
#else
#define ZW_ARCH_X86 0
#endif

#if defined(__aarch64__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define ZW_ARCH_ARM64 1                      /* NEON is part of the base set */
#else
#define ZW_ARCH_ARM64 0
#endif

#if defined(__SIZEOF_INT128__)
#define ZW_HAS_INT128 1
#else
#define ZW_HAS_INT128 0
#endif

#define ZW_LITTLE_ENDIAN (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)

#define ZW_INLINE    static inline __attribute__((always_inline, unused))
#define ZW_NOINLINE  __attribute__((noinline))
#define ZW_COLD      __attribute__((cold, noinline))
#define ZW_TARGET(isa) __attribute__((target(isa)))
#define ZW_EXPORT    __attribute__((visibility("default")))
#define ZW_RESTRICT  __restrict__
#define ZW_HIDDEN    __attribute__((visibility("hidden"))) /* on an extern table: reached without the GOT */
#define ZW_PRAGMA(text) _Pragma(#text)
#define ZW_UNROLL(n) ZW_PRAGMA(GCC unroll n)    /* before a loop of n rounds whose counter should become constants */
#define ZW_FALLTHROUGH __attribute__((fallthrough))
#define ZW_ALIGNED(bytes) __attribute__((aligned(bytes)))

/* MemorySanitizer does not see what instructions by name write. */
#if defined(__has_feature)
#if __has_feature(memory_sanitizer)
#include <sanitizer/msan_interface.h>
#define ZW_WRITTEN(p, bytes) __msan_unpoison((p), (bytes))
#endif
#endif
#if !defined(ZW_WRITTEN)
#define ZW_WRITTEN(p, bytes) ((void)0)
#endif

/* Extensions of aarch64: the two compilers spell targets and builtins differently. */
#if defined(__clang__)
#define ZW_TARGET_ARM_CRC     ZW_TARGET("crc")
#define ZW_TARGET_ARM_PMULL   ZW_TARGET("crc,aes")
#define ZW_TARGET_ARM_DOTPROD ZW_TARGET("dotprod")
#define ZW_ARM_CRC32X(crc, v) __builtin_arm_crc32d((crc), (v))
#define ZW_ARM_CRC32B(crc, v) __builtin_arm_crc32b((crc), (v))
#else
#define ZW_TARGET_ARM_CRC     ZW_TARGET("+crc")
#define ZW_TARGET_ARM_PMULL   ZW_TARGET("+crc+crypto")
#define ZW_TARGET_ARM_DOTPROD ZW_TARGET("arch=armv8.2-a+dotprod")
#define ZW_ARM_CRC32X(crc, v) __builtin_aarch64_crc32x((crc), (v))
#define ZW_ARM_CRC32B(crc, v) __builtin_aarch64_crc32b((crc), (v))
#endif

/* The compiler takes what it knows of a variable for lost: it computes an address from it again instead of keeping it in a
 * register, of which a hot loop has too few. */
#define ZW_FORGET(x) __asm__("" : "+r"(x))

#define ZW_LIKELY(x)   __builtin_expect(!!(x), 1)
#define ZW_UNLIKELY(x) __builtin_expect(!!(x), 0)

#endif
