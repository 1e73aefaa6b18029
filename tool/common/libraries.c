/* SPDX-License-Identifier: Zlib */
/* libraries.c - finds the libraries to compare: the system's libz, zwire's, the peers', and what --lib and --native name. */
#include "common/libraries.h"
#include "common/tool.h"

#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NAME_CHARACTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_"
#define NAME_MAX_CHARACTERS 24

const struct zw_library_api_facts zw_library_apis[LIBRARY_API_COUNT] = {
	[ZW_API_ZLIB]       = { "zlib",         "libz.so.1",        0,  9, true },
	[ZW_API_LIBDEFLATE] = { "libdeflate",   "libdeflate.so.0",  0, 12, true },
	[ZW_API_ISAL]       = { "isal",         "libisal.so.2",     0,  3, true },
	[ZW_API_ZWIRE]      = { "zwire-native", "libz.so.1",       10, 12, false },
};

/* Where our own library may lie, seen from the tool: the build tree, then what cmake --install makes. */
static const char *const zwire_places[] = {
	"libz.so.1",
	"../" ZWIRE_LIBDIR "/zwire/libz.so.1",
	"../" ZWIRE_LIBDIR "/libz.so.1",
};

/* The directory of the running executable; to be freed. */
char *zw_tool_directory(void)
{
	char path[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
	char *slash;

	if (length <= 0)
		return zw_tool_format(".");
	path[length] = 0;
	slash = strrchr(path, '/');
	if (slash)
		*slash = 0;
	return zw_tool_format("%s", path);
}

static bool is_taken(const struct zw_libraries *libs, const char *name)
{
	for (size_t i = 0; i < libs->count; i++)
		if (strcmp(libs->list[i].name, name) == 0)
			return true;
	return false;
}

/* True if path is a file; its real path is then kept under the name. */
static bool keep_library(struct zw_libraries *libs, const char *name, const char *path)
{
	struct zw_library *lib = &libs->list[libs->count];
	char *real = realpath(path, NULL);
	struct stat st;

	if (!real || stat(real, &st) != 0 || !S_ISREG(st.st_mode) || libs->count == LIBRARY_MAX_COUNT ||
	    !zw_identity_read(real, &lib->identity)) {
		free(real);
		return false;
	}
	lib->name = zw_tool_format("%s", name);
	lib->path = real;
	lib->size_bytes = (uint64_t)st.st_size;
	lib->api = ZW_API_ZLIB;
	lib->is_peer = false;
	libs->count++;
	return true;
}

/* Takes NAME=PATH from --lib.  Returns ZW_EXIT_DONE, ZW_EXIT_USAGE or ZW_EXIT_CANNOT, after a message. */
int zw_libraries_add(struct zw_libraries *libs, const char *command, const char *name_and_path)
{
	const char *equals = strchr(name_and_path, '=');
	char name[NAME_MAX_CHARACTERS + 1];
	size_t length = equals ? (size_t)(equals - name_and_path) : 0;

	if (!length || length > NAME_MAX_CHARACTERS || !equals[1] || strspn(name_and_path, NAME_CHARACTERS) != length)
		return zw_tool_wrong_usage(command, "--lib wants NAME=PATH (NAME: up to %d letters, digits, . - _), not '%s'",
					   NAME_MAX_CHARACTERS, name_and_path);
	memcpy(name, name_and_path, length);
	name[length] = 0;
	if (is_taken(libs, name))
		return zw_tool_wrong_usage(command, "two libraries are called '%s'", name);
	if (libs->count == LIBRARY_MAX_COUNT)
		return zw_tool_wrong_usage(command, "more than %d libraries", LIBRARY_MAX_COUNT);
	if (!keep_library(libs, name, equals + 1)) {
		zw_tool_error("no library at %s (given as --lib %s)", equals + 1, name_and_path);
		return ZW_EXIT_CANNOT;
	}
	return ZW_EXIT_DONE;
}

/* True if the file is an ELF file for the machine that this program was built for. */
static bool is_for_this_machine(const char *path)
{
	unsigned char ours[20], theirs[20];
	FILE *self = fopen("/proc/self/exe", "re");
	FILE *other = fopen(path, "re");
	bool same = self && other && fread(ours, 1, sizeof ours, self) == sizeof ours &&
		    fread(theirs, 1, sizeof theirs, other) == sizeof theirs &&
		    memcmp(ours, theirs, 6) == 0 &&            /* magic, word size, byte order */
		    memcmp(ours + 18, theirs + 18, 2) == 0;    /* e_machine */

	if (self)
		fclose(self);
	if (other)
		fclose(other);
	return same;
}

/* The file that the dynamic linker's cache names, other than ours; to be freed. */
static char *find_in_system(const char *file, const char *our_path)
{
	size_t length = strlen(file);
	FILE *cache = popen("PATH=$PATH:/usr/sbin:/sbin ldconfig -p 2>/dev/null", "re");
	char line[1024];
	char *found = NULL;

	while (cache && fgets(line, sizeof line, cache)) {
		char *arrow = strstr(line, " => ");
		char *name = line + strspn(line, " \t");
		char *real;

		if (found || !arrow || strncmp(name, file, length) != 0 || name[length] != ' ')
			continue;
		arrow[strcspn(arrow, "\n")] = 0;
		real = realpath(arrow + 4, NULL);
		if (real && is_for_this_machine(real) && !(our_path && strcmp(real, our_path) == 0))
			found = real;
		else
			free(real);
	}
	if (cache)
		pclose(cache);
	return found;
}

static char *find_zwire_libz(void)
{
	char *dir = zw_tool_directory();
	char *found = NULL;

	for (size_t i = 0; i < sizeof zwire_places / sizeof zwire_places[0] && !found; i++) {
		char *path = zw_tool_format("%s/%s", dir, zwire_places[i]);

		found = realpath(path, NULL);
		free(path);
	}
	free(dir);
	return found;
}

/* The system's libz as the first, ours as the second.  False, after a message, if the system has none. */
bool zw_libraries_add_defaults(struct zw_libraries *libs)
{
	char *zwire = find_zwire_libz();
	char *system_libz = find_in_system(zw_library_apis[ZW_API_ZLIB].file, zwire);
	bool done = system_libz && keep_library(libs, "system", system_libz);

	if (!done)
		zw_tool_error("ldconfig knows no libz.so.1; install zlib1g, or name libraries with --lib NAME=PATH");
	else if (!zwire || !keep_library(libs, "zwire", zwire))
		zw_tool_error("zwire's own libz.so.1 is not beside the tool; going on without it");
	free(zwire);
	free(system_libz);
	return done;
}

/* What bench/peers/build left of a native library, else the system's; to be freed. */
static char *find_native(const struct zw_library_api_facts *facts)
{
	char *dir = zw_tool_directory();
	char *path = zw_tool_format("%s/../peers/%s/%s", dir, facts->name, facts->file);
	char *found = realpath(path, NULL);

	free(path);
	free(dir);
	return found ? found : find_in_system(facts->file, NULL);
}

/* Takes NAME or NAME=PATH from --native.  Returns as zw_libraries_add() does. */
int zw_libraries_add_native(struct zw_libraries *libs, const char *command, const char *name_and_path)
{
	size_t length = strcspn(name_and_path, "=");
	const char *path = name_and_path[length] ? name_and_path + length + 1 : NULL;
	const struct zw_library_api_facts *facts;
	int api = ZW_API_ZLIB + 1;
	char *found;
	bool done;

	while (api < LIBRARY_API_COUNT && (strlen(zw_library_apis[api].name) != length ||
					   strncmp(zw_library_apis[api].name, name_and_path, length) != 0))
		api++;
	if (api == LIBRARY_API_COUNT || (path && !*path))
		return zw_tool_wrong_usage(command, "--native wants libdeflate, isal or zwire-native, or one of them with =PATH, not '%s'", name_and_path);
	facts = &zw_library_apis[api];
	if (is_taken(libs, facts->name))
		return zw_tool_wrong_usage(command, "two libraries are called '%s'", facts->name);
	if (libs->count == LIBRARY_MAX_COUNT)
		return zw_tool_wrong_usage(command, "more than %d libraries", LIBRARY_MAX_COUNT);
	found = path ? zw_tool_format("%s", path) : api == ZW_API_ZWIRE ? find_zwire_libz() : find_native(facts);
	done = found && keep_library(libs, facts->name, found);
	if (done)
		libs->list[libs->count - 1].api = (enum zw_library_api)api;
	else
		zw_tool_error("no %s at %s; bench/peers/build brings the peers', or name the file: --native %s=PATH", facts->file,
			      path ? path : api == ZW_API_ZWIRE ? "the tool's side" : "build/peers or where the dynamic linker looks",
			      facts->name);
	free(found);
	return done ? ZW_EXIT_DONE : ZW_EXIT_CANNOT;
}

/* Adds what bench/peers/build left in build/peers, if anything. */
void zw_libraries_add_peers(struct zw_libraries *libs)
{
	char *dir = zw_tool_directory();
	char *pattern = zw_tool_format("%s/../peers/*/libz.so.1", dir);
	glob_t found;

	if (glob(pattern, 0, NULL, &found) == 0) {
		for (size_t i = 0; i < found.gl_pathc; i++) {
			char *path = found.gl_pathv[i];
			char *slash = strrchr(path, '/');
			char *name;

			*slash = 0;
			name = zw_tool_format("%s", strrchr(path, '/') + 1);
			*slash = '/';
			if (!is_taken(libs, name) && keep_library(libs, name, path))
				libs->list[libs->count - 1].is_peer = true;
			free(name);
		}
		globfree(&found);
	} else {
		zw_tool_error("--peers: no library in %s; run bench/peers/build first", pattern);
	}
	free(pattern);
	free(dir);
}

void zw_libraries_free(struct zw_libraries *libs)
{
	for (size_t i = 0; i < libs->count; i++) {
		free(libs->list[i].name);
		free(libs->list[i].path);
	}
	libs->count = 0;
}
