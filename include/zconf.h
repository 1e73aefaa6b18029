/* SPDX-License-Identifier: Zlib */
/* zconf.h - the types and calling conventions that zlib.h uses; binary compatible with zlib 1.3.2 on Unix. */
#ifndef ZCONF_H
#define ZCONF_H

#include <limits.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/types.h>

#ifndef MAX_MEM_LEVEL
#define MAX_MEM_LEVEL 9
#endif
#ifndef MAX_WBITS
#define MAX_WBITS 15                         /* 32 KB window */
#endif

#ifndef OF
#define OF(args) args
#endif
#ifndef ZEXTERN
#if defined(ZWIRE_BUILD)
#define ZEXTERN extern __attribute__((visibility("default")))
#else
#define ZEXTERN extern
#endif
#endif
#ifndef ZEXPORT
#define ZEXPORT
#endif
#ifndef ZEXPORTVA
#define ZEXPORTVA
#endif
#ifndef FAR
#define FAR
#endif
#ifndef z_const
#define z_const const
#endif

typedef size_t         z_size_t;
typedef unsigned char  Byte;
typedef unsigned int   uInt;                 /* 16 bits or more */
typedef unsigned long  uLong;                /* 32 bits or more */
typedef Byte  FAR Bytef;
typedef char  FAR charf;
typedef int   FAR intf;
typedef uInt  FAR uIntf;
typedef uLong FAR uLongf;
typedef void const *voidpc;
typedef void FAR   *voidpf;
typedef void       *voidp;

#if UINT_MAX == 0xffffffffu
typedef unsigned int z_crc_t;
#else
typedef unsigned long z_crc_t;
#endif

#define Z_HAVE_UNISTD_H 1
#define Z_HAVE_STDARG_H 1

#define z_off_t off_t
#if defined(_LARGEFILE64_SOURCE) && defined(__GLIBC__)
#define z_off64_t off64_t
#else
#define z_off64_t long long
#endif
#if defined(_LP64) || defined(__LP64__)
#undef z_off64_t
#define z_off64_t off_t
#endif

#ifndef SEEK_SET
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#endif

#endif
