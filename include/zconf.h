/* SPDX-License-Identifier: Zlib */
/* zconf.h - the types and calling conventions that zlib.h uses; binary compatible with zlib 1.3.2 on Unix. */
#ifndef ZCONF_H
#define ZCONF_H

#include <limits.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/types.h>
#include <unistd.h>                          /* off_t, SEEK_*; programs count on zlib.h including it */

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

/* next_in and msg point to constants only for callers that ask for it, as older programs store them in plain pointers. */
#ifndef z_const
#if defined(ZLIB_CONST) || defined(ZWIRE_BUILD)
#define z_const const
#else
#define z_const
#endif
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
#define Z_U4 unsigned
#else
#define Z_U4 unsigned long
#endif
typedef Z_U4 z_crc_t;

#define Z_HAVE_UNISTD_H
#define Z_HAVE_STDARG_H

/* Files beyond 2 GB on 32-bit systems: Z_LARGE64 says that the ...64 functions are declared beside the plain ones,
 * Z_WANT64 that the plain names mean them. */
#if defined(_LFS64_LARGEFILE) && _LFS64_LARGEFILE - 0
#define Z_LFS64
#endif
#if defined(_LARGEFILE64_SOURCE) && defined(Z_LFS64)
#define Z_LARGE64
#endif
#if defined(_FILE_OFFSET_BITS) && _FILE_OFFSET_BITS - 0 == 64 && defined(Z_LFS64)
#define Z_WANT64
#endif

#ifndef z_off_t
#define z_off_t off_t
#endif
#if defined(Z_LARGE64)
#define z_off64_t off64_t
#else
#define z_off64_t z_off_t
#endif

#ifndef SEEK_SET
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#endif

#endif
