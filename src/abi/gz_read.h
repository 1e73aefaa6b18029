/* SPDX-License-Identifier: Zlib */
/* gz_read.h - what gz_read.c offers to gz_seek.c. */
#ifndef ZW_ABI_GZ_READ_H
#define ZW_ABI_GZ_READ_H

#include "abi/gz_state.h"

/* Finds out what the next bytes of the file are; source stays unknown at the end of the file and when it stalls.
 * shown must be empty.  False: a final error has been set. */
bool zw_gz_look(struct gz_state *g);

/* Makes bytes visible in shown if it is empty; it stays empty at the end and in a stall.  False: a final error. */
bool zw_gz_fetch(struct gz_state *g);

/* Carries out a pending gzseek(); false on an error or a stall. */
bool zw_gz_skip(struct gz_state *g);

#endif
