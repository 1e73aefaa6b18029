/* SPDX-License-Identifier: Zlib */
/* commands.h - the commands of the tool; each takes its own arguments and returns an enum zw_exit. */
#ifndef ZW_TOOL_COMMANDS_H
#define ZW_TOOL_COMMANDS_H

int zw_cmd_bench(int argc, char **argv);
int zw_cmd_lab(int argc, char **argv);
int zw_cmd_precompress(int argc, char **argv);

#endif
