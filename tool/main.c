/* SPDX-License-Identifier: Zlib */
/* main.c - zwire COMMAND: finds the command in a table and runs it. */
#include "commands.h"
#include "common/tool.h"

#include <stdio.h>
#include <string.h>

static const struct { const char *name, *does; int (*run)(int argc, char **argv); } commands[] = {
	{ "bench", "compares libz files the way NGINX uses them", zw_cmd_bench },
	{ "lab",   "runs real NGINX masters on this machine, one for each libz, and measures them", zw_cmd_lab },
	{ "precompress", "writes and checks the .gz files that gzip_static serves", zw_cmd_precompress },
};

static void print_help(void)
{
	puts("Usage: zwire COMMAND [OPTIONS]\n\ngzip for web servers: measure it, and compress ahead.\n");
	for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
		printf("  %-12s %s\n", commands[i].name, commands[i].does);
	puts("\n  zwire COMMAND --help   the command's options\n  zwire --version\n\n"
	     "Exit: 0 done, 1 found something or a check failed, 2 wrong usage, 3 could not run.");
}

int main(int argc, char **argv)
{
	if (argc < 2)
		return zw_tool_wrong_usage("", "which command?");
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "help") == 0) {
		print_help();
		return ZW_EXIT_DONE;
	}
	if (strcmp(argv[1], "--version") == 0) {
		puts("zwire " ZWIRE_VERSION);
		return ZW_EXIT_DONE;
	}
	for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
		if (strcmp(argv[1], commands[i].name) == 0)
			return commands[i].run(argc - 1, argv + 1);
	return zw_tool_wrong_usage("", "there is no command '%s'", argv[1]);
}
