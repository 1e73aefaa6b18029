/* SPDX-License-Identifier: Zlib */
/* gz_read.h - what gz_read.c offers to gz_seek.c. */
#ifndef ZW_ABI_GZ_READ_H
#define ZW_ABI_GZ_READ_H

#include "abi/gz_state.h"

/* Carries out a pending gzseek(); false on an error or a stall. */
bool zw_gz_skip(struct gz_state *g);

#endif
