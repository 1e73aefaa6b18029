/* SPDX-License-Identifier: Zlib */
/* cmd_bench.c - zwire bench: reads the options, measures, prints. */
#include "bench/bench.h"
#include "bench/fetch.h"
#include "commands.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TIME_DEFAULT_MS 50
#define TIME_MAX_MS     60000
#define ROUNDS_DEFAULT  5
#define PIECE_MAX_BYTES (1u << 24)

static const char help[] =
	"Usage: zwire bench [OPTIONS] [FILE|DIRECTORY]...\n"
	"\n"
	"Compares libz files the way NGINX uses them: one process for each library, in turns, every output\n"
	"decoded by another library. Without FILE it uses built-in web bodies of 300 bytes to 1 MB; a\n"
	"DIRECTORY stands for all files in it (bench/corpus/fetch brings two).\n"
	"\n"
	"  --lib NAME=PATH    a library to measure; may be given often, the first is what others are compared\n"
	"                     with (default: system=the system's libz, then zwire=the one beside this tool)\n"
	"  --native NAME[=PATH]  libdeflate or isal (igzip), called by its own functions, in harness 1 only;\n"
	"                     without PATH the one in build/peers, or else the system's; or zwire-native: levels\n"
	"                     10 to 12 of zwire_compress()\n"
	"  --peers            also those in build/peers, which bench/peers/build brings\n"
	"  --harness LIST     1: one call; 2: pieces of 32 KB and of 8 KB; 3: as NGINX (default: 3)\n"
	"  --format NAME      gzip, zlib or raw (no wrapper, no checksum) in harness 1 (default: gzip)\n"
	"  --only WHAT        deflate or inflate (default: both)\n"
	"  --levels LIST      0 to 12 (default: 1,2,6,9); libz files have 0 to 9, libdeflate 0 to 12, isal 0\n"
	"                     to 3, zwire-native 10 to 12. What a library does not have is left out, but\n"
	"                     the first one, which the others are compared with, runs at its nearest then\n"
	"  --url URL          also what this address answers, fetched once, before it is measured; may be given often\n"
	"  --chunk BYTES      pieces of input in harness 2 (then the only size) and 3 (default: as above)\n"
	"  --output-buffer BYTES  in harness 2 and 3 (default: the whole output, and 4096)\n"
	"  --window-bits N    9 to 15, for deflate (default: 15; in harness 3 as NGINX chooses)\n"
	"  --mem-level N      1 to 9, likewise (default: 8)\n"
	"  --single           one response by itself instead of MB/s: cold, which is the first of a new process\n"
	"                     with empty CPU caches, and warm; --rounds is the number of processes\n"
	"  --bodies HOW       mixed: each once, then the next, so that no branch predictor learns one of them;\n"
	"                     repeated: each again and again (default: mixed)\n"
	"  --time MS          at least so long for each body in each turn (default: 50)\n"
	"  --rounds N         turns for each library (default: 5)\n"
	"  --json FILE        writes everything measured to FILE; - for standard output instead of tables\n"
	"  --dump DIRECTORY   writes the bodies there and stops\n"
	"  --help\n"
	"\n"
	"Exit: 0 done, 1 a library failed or gave wrong bytes, 2 wrong usage, 3 could not run.\n";

enum option_code { OPTION_LIB = 256, OPTION_NATIVE, OPTION_PEERS, OPTION_HARNESS, OPTION_FORMAT, OPTION_ONLY, OPTION_LEVELS,
		   OPTION_BODIES, OPTION_URL, OPTION_CHUNK, OPTION_OUTPUT_BUFFER, OPTION_WINDOW_BITS, OPTION_MEM_LEVEL, OPTION_SINGLE,
		   OPTION_TIME, OPTION_ROUNDS, OPTION_JSON, OPTION_DUMP, OPTION_HELP };

static const struct option options[] = {
	{ "lib",     required_argument, NULL, OPTION_LIB },
	{ "native",  required_argument, NULL, OPTION_NATIVE },
	{ "peers",   no_argument,       NULL, OPTION_PEERS },
	{ "harness", required_argument, NULL, OPTION_HARNESS },
	{ "format",  required_argument, NULL, OPTION_FORMAT },
	{ "only",    required_argument, NULL, OPTION_ONLY },
	{ "levels",  required_argument, NULL, OPTION_LEVELS },
	{ "bodies",  required_argument, NULL, OPTION_BODIES },
	{ "url",     required_argument, NULL, OPTION_URL },
	{ "chunk",   required_argument, NULL, OPTION_CHUNK },
	{ "output-buffer", required_argument, NULL, OPTION_OUTPUT_BUFFER },
	{ "window-bits", required_argument, NULL, OPTION_WINDOW_BITS },
	{ "mem-level", required_argument, NULL, OPTION_MEM_LEVEL },
	{ "single",  no_argument,       NULL, OPTION_SINGLE },
	{ "time",    required_argument, NULL, OPTION_TIME },
	{ "rounds",  required_argument, NULL, OPTION_ROUNDS },
	{ "json",    required_argument, NULL, OPTION_JSON },
	{ "dump",    required_argument, NULL, OPTION_DUMP },
	{ "help",    no_argument,       NULL, OPTION_HELP },
	{ NULL, 0, NULL, 0 }
};

/* What was asked for besides the plan itself. */
struct wishes {
	const char *json_path, *dump_path;
	bool with_peers, with_help;
	bool harness[4];                         /* 1 to 3 */
	bool deflate, inflate;
};

static int read_levels(struct zw_bench_plan *plan, const char *list)
{
	bool wanted[BENCH_LEVEL_MAX + 1];

	if (!zw_tool_numbers(list, 0, BENCH_LEVEL_MAX, wanted))
		return zw_tool_wrong_usage("bench", "--levels wants numbers from 0 to %d with commas, not '%s'", BENCH_LEVEL_MAX, list);
	plan->level_count = 0;
	for (int level = 0; level <= BENCH_LEVEL_MAX; level++)
		if (wanted[level])
			plan->levels[plan->level_count++] = level;
	return ZW_EXIT_DONE;
}

static int read_harness(struct wishes *wishes, const char *list)
{
	if (!zw_tool_numbers(list, 1, 3, wishes->harness))
		return zw_tool_wrong_usage("bench", "--harness wants 1, 2, 3 with commas, not '%s'", list);
	return ZW_EXIT_DONE;
}

static int read_format(struct zw_bench_plan *plan, const char *name)
{
	static const char *const names[WIRE_FORMAT_COUNT] = { "gzip", "zlib", "raw" };

	for (int i = 0; i < WIRE_FORMAT_COUNT; i++) {
		if (strcmp(name, names[i]) == 0) {
			plan->format = (enum zw_wire_format)i;
			return ZW_EXIT_DONE;
		}
	}
	return zw_tool_wrong_usage("bench", "--format wants gzip, zlib or raw, not '%s'", name);
}

static int read_only(struct wishes *wishes, const char *what)
{
	wishes->deflate = strcmp(what, "deflate") == 0;
	wishes->inflate = strcmp(what, "inflate") == 0;
	if (!wishes->deflate && !wishes->inflate)
		return zw_tool_wrong_usage("bench", "--only wants deflate or inflate, not '%s'", what);
	return ZW_EXIT_DONE;
}

static int read_bodies(struct zw_bench_plan *plan, const char *how)
{
	plan->repeats_bodies = strcmp(how, "repeated") == 0;
	if (!plan->repeats_bodies && strcmp(how, "mixed") != 0)
		return zw_tool_wrong_usage("bench", "--bodies wants mixed or repeated, not '%s'", how);
	return ZW_EXIT_DONE;
}

static int read_number(const char *name, unsigned min, unsigned max, uint32_t *value_ret)
{
	unsigned value;

	if (!zw_tool_number(optarg, min, max, &value))
		return zw_tool_wrong_usage("bench", "--%s wants %u to %u, not '%s'", name, min, max, optarg);
	*value_ret = value;
	return ZW_EXIT_DONE;
}

static int read_small(const char *name, unsigned min, unsigned max, int32_t *value_ret)
{
	uint32_t value = 0;
	int code = read_number(name, min, max, &value);

	*value_ret = (int32_t)value;
	return code;
}

static int read_option(int code, struct zw_bench_plan *plan, struct wishes *wishes)
{
	switch (code) {
	case OPTION_LIB:     return zw_libraries_add(&plan->libraries, "bench", optarg);
	case OPTION_NATIVE:  return zw_libraries_add_native(&plan->libraries, "bench", optarg);
	case OPTION_FORMAT:  return read_format(plan, optarg);
	case OPTION_PEERS:   wishes->with_peers = true; return ZW_EXIT_DONE;
	case OPTION_HARNESS: return read_harness(wishes, optarg);
	case OPTION_ONLY:    return read_only(wishes, optarg);
	case OPTION_LEVELS:  return read_levels(plan, optarg);
	case OPTION_BODIES:  return read_bodies(plan, optarg);
	case OPTION_URL:     return zw_fetch_body(&plan->payloads, optarg) ? ZW_EXIT_DONE : ZW_EXIT_CANNOT;
	case OPTION_CHUNK:   return read_number("chunk", 1, PIECE_MAX_BYTES, &plan->shape.in_bytes);
	case OPTION_OUTPUT_BUFFER: return read_number("output-buffer", 1, PIECE_MAX_BYTES, &plan->shape.out_bytes);
	case OPTION_WINDOW_BITS:   return read_small("window-bits", 9, 15, &plan->shape.window_log2);
	case OPTION_MEM_LEVEL:     return read_small("mem-level", 1, 9, &plan->shape.mem_level);
	case OPTION_SINGLE:  plan->is_single = true; return ZW_EXIT_DONE;
	case OPTION_JSON:    wishes->json_path = optarg; return ZW_EXIT_DONE;
	case OPTION_DUMP:    wishes->dump_path = optarg; return ZW_EXIT_DONE;
	case OPTION_HELP:    wishes->with_help = true; return ZW_EXIT_DONE;
	case OPTION_TIME:
		if (zw_tool_number(optarg, 1, TIME_MAX_MS, &plan->time_ms))
			return ZW_EXIT_DONE;
		return zw_tool_wrong_usage("bench", "--time wants 1 to %d milliseconds, not '%s'", TIME_MAX_MS, optarg);
	case OPTION_ROUNDS:
		if (zw_tool_number(optarg, 1, BENCH_ROUND_MAX_COUNT, &plan->round_count))
			return ZW_EXIT_DONE;
		return zw_tool_wrong_usage("bench", "--rounds wants 1 to %d, not '%s'", BENCH_ROUND_MAX_COUNT, optarg);
	case ':':            return zw_tool_wrong_usage("bench", "%s needs a value", options[optopt - OPTION_LIB].name);
	default:             return zw_tool_wrong_usage("bench", "unknown option");
	}
}

static int read_arguments(int argc, char **argv, struct zw_bench_plan *plan, struct wishes *wishes)
{
	int code, option;

	opterr = 0;
	optind = 1;
	while ((option = getopt_long(argc, argv, ":", options, NULL)) != -1) {
		if (option == '?')
			return zw_tool_wrong_usage("bench", "unknown option %s", argv[optind - 1]);
		code = read_option(option, plan, wishes);
		if (code != ZW_EXIT_DONE)
			return code;
		if (wishes->with_help)
			return ZW_EXIT_DONE;
	}
	for (; optind < argc; optind++)
		if (!zw_payloads_add_path(&plan->payloads, argv[optind]))
			return ZW_EXIT_CANNOT;
	plan->modes[ZW_MODE_DEFLATE_ONE] = wishes->harness[1] && wishes->deflate;
	plan->modes[ZW_MODE_INFLATE_ONE] = wishes->harness[1] && wishes->inflate;
	plan->modes[ZW_MODE_DEFLATE_32K] = wishes->harness[2] && wishes->deflate;
	plan->modes[ZW_MODE_DEFLATE_8K] = wishes->harness[2] && wishes->deflate && !plan->shape.in_bytes;
	plan->modes[ZW_MODE_DEFLATE_NGINX] = wishes->harness[3] && wishes->deflate;
	plan->modes[ZW_MODE_INFLATE_NGINX] = wishes->harness[3] && wishes->inflate;
	return ZW_EXIT_DONE;
}

static int measure_and_report(struct zw_bench_plan *plan, const struct wishes *wishes)
{
	struct zw_bench_result result;
	int code = zw_bench_measure(plan, &result);

	if (code != ZW_EXIT_CANNOT) {
		if (!wishes->json_path || strcmp(wishes->json_path, "-") != 0)
			zw_bench_print(plan, &result);
		if (wishes->json_path && !zw_bench_save(plan, &result, wishes->json_path))
			code = ZW_EXIT_CANNOT;
	}
	zw_bench_result_free(&result);
	return code;
}

static size_t count_natives(const struct zw_libraries *libs)
{
	size_t count = 0;

	for (size_t i = 0; i < libs->count; i++)
		count += libs->list[i].api != ZW_API_ZLIB;
	return count;
}

/* Where no libz was named, the default ones go in front of what was. */
static bool add_defaults(struct zw_libraries *libs)
{
	struct zw_libraries natives = *libs;
	bool done;

	if (count_natives(libs) < libs->count)
		return true;
	libs->count = 0;
	done = zw_libraries_add_defaults(libs);
	for (size_t i = 0; i < natives.count; i++)
		libs->list[libs->count++] = natives.list[i];
	return done;
}

static int prepare_and_run(struct zw_bench_plan *plan, const struct wishes *wishes)
{
	if (!plan->payloads.count && !zw_payloads_add_built_in(&plan->payloads))
		return ZW_EXIT_CANNOT;
	if (wishes->dump_path)
		return zw_payloads_write(&plan->payloads, wishes->dump_path) ? ZW_EXIT_DONE : ZW_EXIT_CANNOT;
	if (count_natives(&plan->libraries) && !wishes->harness[1])
		return zw_tool_wrong_usage("bench", "--native libraries take a whole body in one call: they need --harness 1");
	if (!add_defaults(&plan->libraries))
		return ZW_EXIT_CANNOT;
	if (wishes->with_peers)
		zw_libraries_add_peers(&plan->libraries);
	return measure_and_report(plan, wishes);
}

int zw_cmd_bench(int argc, char **argv)
{
	struct zw_bench_plan plan = { .levels = { 1, 2, 6, 9 }, .level_count = 4, .time_ms = TIME_DEFAULT_MS,
				      .round_count = ROUNDS_DEFAULT };
	struct wishes wishes = { .harness = { [3] = true }, .deflate = true, .inflate = true };
	int code = read_arguments(argc, argv, &plan, &wishes);

	if (code == ZW_EXIT_DONE && wishes.with_help) {
		fputs(help, stdout);
	} else if (code == ZW_EXIT_DONE) {
		zw_interrupt_catch();
		code = prepare_and_run(&plan, &wishes);
	}
	zw_payloads_free(&plan.payloads);
	zw_libraries_free(&plan.libraries);
	return code;
}
