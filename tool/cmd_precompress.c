/* SPDX-License-Identifier: Zlib */
/* cmd_precompress.c - zwire precompress: reads the options, and lets run.c do the rest. */
#include "commands.h"
#include "common/tool.h"
#include "precompress/precompress.h"

#include <getopt.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SHARD_MAX 1000000
#define MAX_STALE_MAX_S 3600
#define LEVEL_DEFAULT 12
#define GAIN_MAX_BYTES 1000000000

static const char help[] =
	"Usage: zwire precompress [OPTIONS] DIR...\n"
	"\n"
	"Writes FILE.gz beside every file that gets smaller, for NGINX's gzip_static. What is right already stays: a twin\n"
	"is judged by the bytes it holds, not by its time. A twin appears whole or not at all, and was decoded and compared\n"
	"before; the run may be killed, repeated, or run twice at once.\n"
	"\n"
	"  -l, --level N        1 to 12 (default: 12, the smallest)\n"
	"  --types LIST         extensions that get a twin, instead of the built-in list: html,js,css\n"
	"  --add-types LIST     extensions besides those of the list\n"
	"  --types-from FILE    what NGINX with this nginx.conf compresses (gzip_types, types, default_type; includes are\n"
	"                       followed, all servers taken together), instead of the list; tells of types that it does not\n"
	"  --all-types          whatever the name; compressed content is recognised and skipped all the same\n"
	"  --min-gain N[%]      a twin must save N bytes, or N % of the file (default: 1 byte)\n"
	"  --force              compress again what is right already, and keep the smaller of old and new\n"
	"  --prune              remove orphaned twins (FILE.gz of a listed type without FILE) and stale twins of other types\n"
	"  --verify             decode twins that look right by their check sum and length\n"
	"  --check              write nothing; exit 1 if a twin is stale, missing, orphaned, broken or unreadable\n"
	"  -n, --dry-run        write nothing, say what would be done\n"
	"  --shard K/N          only the K-th of N parts of the tree, by hash of the path; K is 1 to N\n"
	"  --one-file-system    do not enter folders that are mount points\n"
	"  --watch              after that stay, and keep twins right while files change; a stale twin is removed at once, a\n"
	"                       new one made when the file has been still for 50 ms. SIGINT or SIGTERM end it\n"
	"  --max-stale SECONDS  with --watch: how long a twin may be served after its file changed, 0 to 3600 (default: 1);\n"
	"                       a twin that cannot be compared with its file in time goes unread\n"
	"  --threads N          1 to 256 (default: the CPUs that this process may use)\n"
	"  --no-sync            do not wait for the disk; a crash of the machine may then leave empty twins\n"
	"  --json FILE          a manifest: path, sizes, CRC-32, action, reason of every file; - for standard output\n"
	"  -v, --verbose        a line for each file, with the reason\n"
	"  -q, --quiet          errors only\n"
	"  --help\n"
	"\n"
	"Exit: 0 done, 1 --check found something or a file failed, 2 wrong usage, 3 could not run or was interrupted.\n";

enum option_code { OPTION_TYPES = 256, OPTION_TYPES_FROM, OPTION_ADD_TYPES, OPTION_ALL_TYPES, OPTION_MIN_GAIN, OPTION_FORCE, OPTION_PRUNE, OPTION_VERIFY, OPTION_CHECK,
		   OPTION_SHARD, OPTION_ONE_FILE_SYSTEM, OPTION_THREADS, OPTION_NO_SYNC, OPTION_WATCH, OPTION_JSON, OPTION_MAX_STALE, OPTION_HELP };

static const struct option options_known[] = {
	{ "types",           required_argument, NULL, OPTION_TYPES },
	{ "add-types",       required_argument, NULL, OPTION_ADD_TYPES },
	{ "types-from",      required_argument, NULL, OPTION_TYPES_FROM },
	{ "all-types",       no_argument,       NULL, OPTION_ALL_TYPES },
	{ "min-gain",        required_argument, NULL, OPTION_MIN_GAIN },
	{ "force",           no_argument,       NULL, OPTION_FORCE },
	{ "prune",           no_argument,       NULL, OPTION_PRUNE },
	{ "verify",          no_argument,       NULL, OPTION_VERIFY },
	{ "check",           no_argument,       NULL, OPTION_CHECK },
	{ "shard",           required_argument, NULL, OPTION_SHARD },
	{ "one-file-system", no_argument,       NULL, OPTION_ONE_FILE_SYSTEM },
	{ "threads",         required_argument, NULL, OPTION_THREADS },
	{ "no-sync",         no_argument,       NULL, OPTION_NO_SYNC },
	{ "watch",           no_argument,       NULL, OPTION_WATCH },
	{ "max-stale",       required_argument, NULL, OPTION_MAX_STALE },
	{ "json",            required_argument, NULL, OPTION_JSON },
	{ "help",            no_argument,       NULL, OPTION_HELP },
	{ "level",           required_argument, NULL, 'l' },
	{ "dry-run",         no_argument,       NULL, 'n' },
	{ "verbose",         no_argument,       NULL, 'v' },
	{ "quiet",           no_argument,       NULL, 'q' },
	{ NULL, 0, NULL, 0 }
};

struct wishes { bool with_help, has_types, has_max_stale; const char *nginx_conf; };

static int read_number(const char *name, unsigned min, unsigned max, unsigned *value_ret)
{
	if (zw_tool_number(optarg, min, max, value_ret))
		return ZW_EXIT_DONE;
	return zw_tool_wrong_usage("precompress", "--%s wants %u to %u, not '%s'", name, min, max, optarg);
}

static int read_gain(struct zw_twin_wishes *wishes)
{
	char *text = zw_tool_format("%s", optarg);
	size_t length = strlen(text);
	bool is_percent = length && text[length - 1] == '%', is_fine;
	unsigned value = 0;

	if (is_percent)
		text[length - 1] = 0;
	is_fine = zw_tool_number(text, 0, is_percent ? 100 : GAIN_MAX_BYTES, &value);
	free(text);
	if (!is_fine)
		return zw_tool_wrong_usage("precompress", "--min-gain wants bytes or 0%% to 100%%, not '%s'", optarg);
	if (is_percent)
		wishes->min_gain_percent = value;
	else
		wishes->min_gain_bytes = value;
	return ZW_EXIT_DONE;
}

static int read_shard(struct zw_twin_options *options)
{
	char *text = zw_tool_format("%s", optarg), *slash = strchr(text, '/');
	bool is_fine = slash != NULL;

	if (slash) {
		*slash = 0;
		is_fine = zw_tool_number(slash + 1, 1, SHARD_MAX, &options->shard_count) &&
			zw_tool_number(text, 1, options->shard_count, &options->shard);
	}
	free(text);
	return is_fine ? ZW_EXIT_DONE : zw_tool_wrong_usage("precompress", "--shard wants K/N with K from 1 to N, not '%s'", optarg);
}

/* Seconds, with or without a fraction. */
static int read_max_stale(struct zw_twin_options *options)
{
	char *end;
	double seconds = strtod(optarg, &end);

	if (!(optarg[0] >= '0' && optarg[0] <= '9') || optarg[strspn(optarg, "0123456789.")] || *end || !(seconds <= MAX_STALE_MAX_S))
		return zw_tool_wrong_usage("precompress", "--max-stale wants 0 to %d seconds, not '%s'", MAX_STALE_MAX_S, optarg);
	options->max_stale_ns = (int64_t)(seconds * 1e9);
	return ZW_EXIT_DONE;
}

static int read_types(struct zw_twin_options *options)
{
	if (zw_types_add(&options->types, optarg))
		return ZW_EXIT_DONE;
	return zw_tool_wrong_usage("precompress", "--types and --add-types want extensions with commas, not '%s'", optarg);
}

static int read_level(struct zw_twin_options *options)
{
	unsigned level;
	int code = read_number("level", 1, ZWIRE_LEVEL_MAX, &level);

	if (code == ZW_EXIT_DONE)
		options->level = (int)level;
	return code;
}

static int read_option(int code, struct zw_twin_options *options, struct wishes *wishes)
{
	switch (code) {
	case OPTION_TYPES:           wishes->has_types = true; return read_types(options);
	case OPTION_ADD_TYPES:       return read_types(options);
	case OPTION_TYPES_FROM:      wishes->nginx_conf = optarg; return ZW_EXIT_DONE;
	case OPTION_ALL_TYPES:       options->types.all = true; return ZW_EXIT_DONE;
	case OPTION_MIN_GAIN:        return read_gain(&options->wishes);
	case OPTION_FORCE:           options->wishes.force = true; return ZW_EXIT_DONE;
	case OPTION_PRUNE:           options->wishes.prune = true; return ZW_EXIT_DONE;
	case OPTION_VERIFY:          options->decode_all = true; return ZW_EXIT_DONE;
	case OPTION_CHECK:           options->check = true; return ZW_EXIT_DONE;
	case OPTION_SHARD:           return read_shard(options);
	case OPTION_ONE_FILE_SYSTEM: options->one_file_system = true; return ZW_EXIT_DONE;
	case OPTION_THREADS:         return read_number("threads", 1, TWIN_THREAD_MAX, &options->threads);
	case OPTION_NO_SYNC:         options->no_sync = true; return ZW_EXIT_DONE;
	case OPTION_WATCH:           options->watch = true; return ZW_EXIT_DONE;
	case OPTION_MAX_STALE:       wishes->has_max_stale = true; return read_max_stale(options);
	case OPTION_JSON:            options->json_path = optarg; return ZW_EXIT_DONE;
	case OPTION_HELP:            wishes->with_help = true; return ZW_EXIT_DONE;
	case 'l':                    return read_level(options);
	case 'n':                    options->dry_run = true; return ZW_EXIT_DONE;
	case 'v':                    options->verbose = true; return ZW_EXIT_DONE;
	case 'q':                    options->quiet = true; return ZW_EXIT_DONE;
	default:                     return zw_tool_wrong_usage("precompress", "unknown option");
	}
}

static int read_arguments(int argc, char **argv, struct zw_twin_options *options, struct wishes *wishes)
{
	int code, option;

	opterr = 0;
	optind = 1;
	while ((option = getopt_long(argc, argv, ":l:nvq", options_known, NULL)) != -1) {
		if (option == '?')
			return zw_tool_wrong_usage("precompress", "unknown option %s", argv[optind - 1]);
		if (option == ':')
			return zw_tool_wrong_usage("precompress", "%s needs a value", argv[optind - 1]);
		code = read_option(option, options, wishes);
		if (code != ZW_EXIT_DONE || wishes->with_help)
			return code;
	}
	options->verbose |= options->dry_run && !options->quiet;
	if (options->watch && (options->check || options->dry_run || options->json_path || options->wishes.force))
		return zw_tool_wrong_usage("precompress", "--watch does not go with --check, --dry-run, --json or --force");
	if (wishes->has_types && wishes->nginx_conf)
		return zw_tool_wrong_usage("precompress", "--types-from and --types are two lists; --add-types adds to either");
	if (wishes->has_max_stale && !options->watch)
		return zw_tool_wrong_usage("precompress", "--max-stale is for --watch");
	if (optind == argc)
		return zw_tool_wrong_usage("precompress", "which folder?");
	if (argc - optind > TWIN_ROOT_MAX)
		return zw_tool_wrong_usage("precompress", "at most %d folders", TWIN_ROOT_MAX);
	return ZW_EXIT_DONE;
}

/* What would surprise is said at once. */
static int read_nginx(struct zw_twin_options *options, const char *path)
{
	char *error = NULL;

	options->types.nginx = zw_nginx_types_read(path, &error);
	if (!options->types.nginx) {
		zw_tool_error("--types-from: %s", error);
		free(error);
		return ZW_EXIT_CANNOT;
	}
	if (!options->types.nginx->has_gzip_types)
		zw_tool_error("%s has no gzip_types: NGINX compresses text/html alone", path);
	if (!options->types.nginx->has_gzip_static)
		zw_tool_error("%s has no gzip_static on: NGINX will not send the twins", path);
	return ZW_EXIT_DONE;
}

static unsigned count_cpus(void)
{
	cpu_set_t set;
	int count = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;

	return count < 1 ? 1 : count > TWIN_THREAD_MAX ? TWIN_THREAD_MAX : (unsigned)count;
}

int zw_cmd_precompress(int argc, char **argv)
{
	struct zw_twin_options options = { .level = LEVEL_DEFAULT, .threads = count_cpus(), .shard = 1, .shard_count = 1,
		.max_stale_ns = 1000000000 };
	struct wishes wishes = { 0 };
	int code = read_arguments(argc, argv, &options, &wishes);

	if (code == ZW_EXIT_DONE && wishes.with_help) {
		fputs(help, stdout);
	} else if (code == ZW_EXIT_DONE) {
		if (wishes.nginx_conf)
			code = read_nginx(&options, wishes.nginx_conf);
		else if (!wishes.has_types)
			zw_types_default(&options.types);
		zw_interrupt_catch();
		if (code == ZW_EXIT_DONE)
			code = zw_twin_run(&options, argv + optind, (size_t)(argc - optind));
	}
	zw_types_free(&options.types);
	return code;
}
