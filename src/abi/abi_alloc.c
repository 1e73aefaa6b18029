/* SPDX-License-Identifier: Zlib */
/* abi_alloc.c - malloc and free as alloc_func and free_func. */
#include "abi/abi_alloc.h"

#include <stdlib.h>

voidpf zw_default_alloc(voidpf opaque, uInt items, uInt size)
{
	size_t bytes;

	(void)opaque;
	if (__builtin_mul_overflow((size_t)items, (size_t)size, &bytes))
		return NULL;
	return malloc(bytes);
}

void zw_default_free(voidpf opaque, voidpf address)
{
	(void)opaque;
	free(address);
}

void zw_use_default_allocator(z_streamp strm)
{
	if (!strm->zalloc) {
		strm->zalloc = zw_default_alloc;
		strm->opaque = NULL;
	}
	if (!strm->zfree)
		strm->zfree = zw_default_free;
}
