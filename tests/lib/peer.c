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
	p->path = dladdr(symbol, &info) && info.dli_fname ? info.dli_fname : file;
	return true;
}

struct peer_slot {
	struct peer_zlib zlib;
	enum { UNTRIED, LOADED, MISSING } state;
};

static const struct peer_zlib *load_once(struct peer_slot *slot, const char *name, const char *file)
{
	if (slot->state == UNTRIED) {
		slot->state = load_peer(&slot->zlib, file) ? LOADED : MISSING;
		slot->zlib.name = name;
		if (slot->state == LOADED)
			fprintf(stderr, "peer: %s is zlib %s from %s\n", name, slot->zlib.zlibVersion(), slot->zlib.path);
	}
	return slot->state == LOADED ? &slot->zlib : NULL;
}

const struct peer_zlib *peer_system(void)
{
	static struct peer_slot slot;
	const char *file = getenv("ZWIRE_TEST_PEER");

	return load_once(&slot, "system", file ? file : "libz.so.1");
}

const struct peer_zlib *peer_newer(void)
{
	static struct peer_slot slot;
	const char *file = getenv("ZWIRE_TEST_PEER_NEWER");
	const struct peer_zlib *p;

	if (!file || !*file)
		return NULL;
	p = load_once(&slot, "newer", file);
	if (!p) {                                /* it was asked for by name */
		fprintf(stderr, "ZWIRE_TEST_PEER_NEWER: %s\n", why);
		exit(1);
	}
	return p;
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
