/* SPDX-License-Identifier: Zlib */
/* native.c - which native libraries this build can call. */
#include "bench/native.h"

#include <stdio.h>
#include <string.h>

static const struct zw_native *const natives[] = {
	&zw_native_libdeflate,
	&zw_native_zwire,
#ifdef ZWIRE_WITH_ISAL
	&zw_native_isal,
#endif
};

const struct zw_native *zw_native_find(const char *api, char *text_ret, size_t text_bytes)
{
	for (size_t i = 0; i < sizeof natives / sizeof natives[0]; i++)
		if (strcmp(natives[i]->api, api) == 0)
			return natives[i];
	snprintf(text_ret, text_bytes, "this zwire was built without ISA-L's header; install libisal-dev and build again");
	return NULL;
}
