/* SPDX-License-Identifier: Zlib */
/* peer.c - loads the system's libz.so.1 beside our own static functions.
 * Takes: a file name.  Gives: a struct of functions.  Then: every test that compares the two. */
#include "lib/peer.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char why[256] = "";

/* Looks one function up; false and a reason when it is not there.  memcpy: an object pointer cannot be cast to a
 * function pointer in ISO C. */
static bool find_function(void *library, const char *name, void *function_ret, size_t function_bytes)
{
	void *symbol = dlsym(library, name);

	memcpy(function_ret, &symbol, function_bytes);
	if (!symbol && !why[0])
		snprintf(why, sizeof why, "it has no function %s", name);
	return symbol != NULL;
}

#define FIND_OLD(function) ok &= find_function(library, #function, &p->function, sizeof p->function);
#define FIND_NEW(function) find_function(library, #function, &p->function, sizeof p->function);

static bool find_functions(void *library, struct peer_zlib *p)
{
	bool ok = true;

	PEER_VERSION_FUNCTIONS(FIND_OLD)
	PEER_CHECKSUM_FUNCTIONS(FIND_OLD)
	PEER_DEFLATE_FUNCTIONS(FIND_OLD)
	PEER_INFLATE_FUNCTIONS(FIND_OLD)
	PEER_GZ_FUNCTIONS(FIND_OLD)
	PEER_NEW_FUNCTIONS(FIND_NEW)
	return ok;
}

static bool load_peer(struct peer_zlib *p, const char *file)
{
	void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
	Dl_info info;
	void *symbol;

	if (!library) {
		snprintf(why, sizeof why, "%s", dlerror());
		return false;
	}
	if (!find_functions(library, p))
		return false;
	why[0] = '\0';
	symbol = dlsym(library, "zlibVersion");
	p->name = "system";
	p->path = dladdr(symbol, &info) && info.dli_fname ? info.dli_fname : file;
	return true;
}

const struct peer_zlib *peer_system(void)
{
	static struct peer_zlib peer;
	static enum { UNTRIED, LOADED, MISSING } state = UNTRIED;
	const char *file = getenv("ZWIRE_TEST_PEER");

	if (state == UNTRIED) {
		state = load_peer(&peer, file ? file : "libz.so.1") ? LOADED : MISSING;
		if (state == LOADED)
			fprintf(stderr, "peer: zlib %s from %s\n", peer.zlibVersion(), peer.path);
	}
	return state == LOADED ? &peer : NULL;
}

const char *peer_why(void)
{
	return why;
}

const struct peer_zlib *peer_system_or_skip(void)
{
	const struct peer_zlib *p = peer_system();

	if (!p) {
		fprintf(stderr, "skipped: no zlib to compare with: %s\n", peer_why());
		exit(PEER_SKIP_CODE);
	}
	return p;
}
