/* SPDX-License-Identifier: Zlib */
/* identity.h - what names a library's file beyond doubt: its bytes' SHA-256, and the SONAME and build id that it bears. */
#ifndef ZW_TOOL_COMMON_IDENTITY_H
#define ZW_TOOL_COMMON_IDENTITY_H

#include "common/sha256.h"

#include <stdbool.h>

struct zw_identity {
	char sha256[SHA256_TEXT_BYTES];
	char soname[64], build_id[65];           /* empty where the file has none */
};

bool zw_identity_read(const char *path, struct zw_identity *identity_ret);

#endif
