/* SPDX-License-Identifier: Zlib */
/* zwire.h - what zwire's libz has beyond zlib's interface. */
#ifndef ZWIRE_H
#define ZWIRE_H

#include "zlib.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ZWIRE_VERSION "0.1.0"

/* zwire_version() - the version of the zwire library in use, like ZWIRE_VERSION.
 *
 * zlibVersion() has to be zlib's own, which programs parse; a program that wants to know whether its libz is zwire looks
 * for this symbol with dlsym().  Returns a constant that is never freed; any thread. */
ZEXTERN const char *ZEXPORT zwire_version(void);

#ifdef __cplusplus
}
#endif

#endif
