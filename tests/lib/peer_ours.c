/* SPDX-License-Identifier: Zlib */
/* peer_ours.c - our own functions in the same struct as the system's. */
#include "lib/peer.h"

#define OURS(function) .function = function,

static const struct peer_zlib ours = {
	.name = "zwire",
	.path = "static",
	PEER_VERSION_FUNCTIONS(OURS)
	PEER_CHECKSUM_FUNCTIONS(OURS)
	PEER_DEFLATE_FUNCTIONS(OURS)
	PEER_INFLATE_FUNCTIONS(OURS)
	PEER_NEW_FUNCTIONS(OURS)
	PEER_GZ_FUNCTIONS(OURS)
};

const struct peer_zlib *peer_ours(void)
{
	return &ours;
}

size_t peer_subjects(const struct peer_zlib *subjects[PEER_SUBJECTS_MAX])
{
	const struct peer_zlib *system_zlib = peer_system();
	size_t count = 0;

	if (system_zlib)
		subjects[count++] = system_zlib;
	if (peer_newer())
		subjects[count++] = peer_newer();
	subjects[count++] = peer_ours();
	return count;
}
