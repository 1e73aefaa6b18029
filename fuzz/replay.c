/* SPDX-License-Identifier: Zlib */
/* replay.c - main() for a fuzz target without a fuzzer: every file of the directories named runs once.
 * For any compiler, so the kept corpora are a test in each build. */
#include "fuzz_input.h"

#include <dirent.h>
#include <sys/stat.h>

#define FILE_MAX_BYTES (1 << 20)

static void run_file(const char *path)
{
	static uint8_t room[FILE_MAX_BYTES];
	FILE *f = fopen(path, "rb");
	uint8_t *exact;
	size_t n;

	if (!f) {
		perror(path);
		exit(1);
	}
	n = fread(room, 1, sizeof room, f);
	fclose(f);
	exact = malloc(n + !n);
	FUZZ_CHECK(exact);
	memcpy(exact, room, n);
	if (getenv("ZWIRE_FUZZ_TRACE"))
		fprintf(stderr, "%s\n", path);
	LLVMFuzzerTestOneInput(exact, n);
	free(exact);
}

static unsigned run_directory(const char *path)
{
	DIR *d = opendir(path);
	struct dirent *entry;
	unsigned count = 0;

	if (!d) {
		perror(path);
		exit(1);
	}
	while ((entry = readdir(d)) != NULL) {
		char file[4096];
		struct stat st;

		snprintf(file, sizeof file, "%s/%s", path, entry->d_name);
		if (entry->d_name[0] == '.' || stat(file, &st) != 0 || !S_ISREG(st.st_mode))
			continue;
		run_file(file);
		count++;
	}
	closedir(d);
	return count;
}

int main(int argc, char **argv)
{
	unsigned count = 0;

	if (argc < 2) {
		fprintf(stderr, "usage: %s DIRECTORY...\n", argv[0]);
		return 2;
	}
	for (int i = 1; i < argc; i++)
		count += run_directory(argv[i]);
	printf("%u inputs\n", count);
	return count ? 0 : 1;
}
