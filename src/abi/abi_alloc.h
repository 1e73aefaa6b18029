/* SPDX-License-Identifier: Zlib */
/* abi_alloc.h - the allocator of a z_stream whose owner gave none. */
#ifndef ZW_ABI_ABI_ALLOC_H
#define ZW_ABI_ABI_ALLOC_H

#include "zlib.h"

/* malloc() and free() in zlib's clothes.  opaque is ignored. */
voidpf zw_default_alloc(voidpf opaque, uInt items, uInt size);
void   zw_default_free(voidpf opaque, voidpf address);

/* Fills in what strm leaves NULL, as every *Init function does. */
void zw_use_default_allocator(z_streamp strm);

#endif
