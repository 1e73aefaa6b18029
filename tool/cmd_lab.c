/* SPDX-License-Identifier: Zlib */
/* cmd_lab.c - zwire lab: reads the options, runs the experiment, prints. */
#include "commands.h"
#include "common/host.h"
#include "lab/article.h"
#include "lab/document.h"
#include "lab/html.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CONNECTIONS_DEFAULT 8
#define CONNECTIONS_MAX   128                /* well below worker_connections */
#define SECONDS_MAX       600
#define WITHIN_MAX      36000
#define BODIES_MAX_COUNT   4                 /* of the user's own, so that each is measured more than once */
#define BODIES_MAX_TEXT   "4"
#define RESULT_FILE "results.json"
#define REPORT_FILE "report.html"

static const char help[] =
	"Usage: zwire lab [OPTIONS]\n"
	"\n"
	"Starts real NGINX masters on loopback, one for each libz, in a temporary directory; proves that each way\n"
	"of serving does what it should; then measures them in turns with wrk: gzip off, levels, gunzip,\n"
	"gzip_static, for HTML, JSON and random bytes. Stops everything and leaves nothing behind.\n"
	"\n"
	"  --quick            all within a minute\n"
	"  --lib NAME=PATH    a library to measure; may be given often, the first is what others are compared\n"
	"                     with (default: system=the system's libz, then zwire=the one beside this tool)\n"
	"  --peers            also those in build/peers, which bench/peers/build brings\n"
	"  --levels LIST      gzip_comp_level, 1 to 9 (default: 1,2,6,9; --quick: 1,6)\n"
	"  --nginx PATH       default: the one in PATH\n"
	"  --include FILE     a piece of configuration for the server block\n"
	"  --module FILE      zwire's NGINX module, if it is not beside the tool\n"
	"  --workers N        of NGINX for each libz (default: 1)\n"
	"  --article N        1, 2 or 3: a published measurement's set-up, with its figures beside ours\n"
	"  --root DIR         serve the files in DIR instead of the built-in bodies: the " BODIES_MAX_TEXT " largest one by one,\n"
	"                     and up to 200 in rotation\n"
	"  --url-list FILE    serve what the URLs in FILE, one a line, answer; fetched once, before the measuring\n"
	"  --within SECONDS   as many turns as end in that time, 1 to 5 (default: 330; --quick: 60; --article: 120)\n"
	"  --rounds N         turns for each library, however long they take\n"
	"  --seconds S        length of a turn (default: 1)\n"
	"  --connections N    of the client (default: 8 for each worker; those of an article)\n"
	"  --json FILE        where everything measured is written (default: " RESULT_FILE ");\n"
	"                     " REPORT_FILE ", the same as a page, is written beside it\n"
	"  --help\n"
	"\n"
	"Exit: 0 done, 1 wrong bytes, errors under load or alerts in error.log, 2 wrong usage, 3 could not run.\n";

enum option_code { OPTION_QUICK = 256, OPTION_LIB, OPTION_PEERS, OPTION_LEVELS, OPTION_NGINX, OPTION_INCLUDE, OPTION_MODULE, OPTION_WORKERS, OPTION_ARTICLE, OPTION_ROOT, OPTION_URL_LIST, OPTION_WITHIN, OPTION_ROUNDS, OPTION_SECONDS, OPTION_CONNECTIONS,
		   OPTION_JSON, OPTION_HELP };

static const struct option options[] = {
	{ "quick",       no_argument,       NULL, OPTION_QUICK },
	{ "lib",         required_argument, NULL, OPTION_LIB },
	{ "peers",       no_argument,       NULL, OPTION_PEERS },
	{ "levels",      required_argument, NULL, OPTION_LEVELS },
	{ "nginx",       required_argument, NULL, OPTION_NGINX },
	{ "include",     required_argument, NULL, OPTION_INCLUDE },
	{ "module",      required_argument, NULL, OPTION_MODULE },
	{ "workers",     required_argument, NULL, OPTION_WORKERS },
	{ "article",     required_argument, NULL, OPTION_ARTICLE },
	{ "root",        required_argument, NULL, OPTION_ROOT },
	{ "url-list",    required_argument, NULL, OPTION_URL_LIST },
	{ "within",      required_argument, NULL, OPTION_WITHIN },
	{ "rounds",      required_argument, NULL, OPTION_ROUNDS },
	{ "seconds",     required_argument, NULL, OPTION_SECONDS },
	{ "connections", required_argument, NULL, OPTION_CONNECTIONS },
	{ "json",        required_argument, NULL, OPTION_JSON },
	{ "help",        no_argument,       NULL, OPTION_HELP },
	{ NULL, 0, NULL, 0 }
};

/* What the lab serves. */
static const char *const quick_bodies[] = { "page.html", "data.json", "random.bin", NULL };
static const char *const full_bodies[] = { "page.html", "data.json", "25k.html", "random.bin", NULL };

struct wishes { const char *json_path, *nginx_path, *root, *url_list; bool with_peers, with_help; };

static int read_count(const char *name, unsigned max, unsigned *value_ret)
{
	if (zw_tool_number(optarg, 1, max, value_ret))
		return ZW_EXIT_DONE;
	return zw_tool_wrong_usage("lab", "--%s wants 1 to %u, not '%s'", name, max, optarg);
}

/* NGINX reads it from another directory, so the path must be absolute. */
static int read_path(const char *option, char **path)
{
	free(*path);
	*path = realpath(optarg, NULL);
	if (*path && access(*path, R_OK) == 0)
		return ZW_EXIT_DONE;
	zw_tool_error("cannot read %s (given as --%s)", optarg, option);
	return ZW_EXIT_CANNOT;
}

static int read_article(struct zw_lab_plan *plan)
{
	unsigned number;
	int code = read_count("article", LAB_ARTICLE_COUNT, &number);

	if (code == ZW_EXIT_DONE)
		plan->article = zw_lab_article_find(number);
	return code;
}

static int read_option(int code, struct zw_lab_plan *plan, struct wishes *wishes)
{
	switch (code) {
	case OPTION_QUICK:       plan->is_quick = true; return ZW_EXIT_DONE;
	case OPTION_LIB:         return zw_libraries_add(&plan->libraries, "lab", optarg);
	case OPTION_PEERS:       wishes->with_peers = true; return ZW_EXIT_DONE;
	case OPTION_LEVELS:
		if (zw_tool_numbers(optarg, 1, 9, plan->levels))
			return ZW_EXIT_DONE;
		return zw_tool_wrong_usage("lab", "--levels wants numbers from 1 to 9 with commas, not '%s'", optarg);
	case OPTION_NGINX:       wishes->nginx_path = optarg; return ZW_EXIT_DONE;
	case OPTION_INCLUDE:     return read_path("include", &plan->include_path);
	case OPTION_MODULE:      return read_path("module", &plan->module_path);
	case OPTION_WORKERS:     return read_count("workers", LAB_WORKER_MAX_COUNT, &plan->worker_count);
	case OPTION_ARTICLE:     return read_article(plan);
	case OPTION_ROOT:        wishes->root = optarg; return ZW_EXIT_DONE;
	case OPTION_URL_LIST:    wishes->url_list = optarg; return ZW_EXIT_DONE;
	case OPTION_WITHIN:      return read_count("within", WITHIN_MAX, &plan->within_seconds);
	case OPTION_ROUNDS:      return read_count("rounds", LAB_ROUND_MAX_COUNT, &plan->round_count);
	case OPTION_SECONDS:     return read_count("seconds", SECONDS_MAX, &plan->seconds);
	case OPTION_CONNECTIONS: return read_count("connections", CONNECTIONS_MAX, &plan->connections);
	case OPTION_JSON:        wishes->json_path = optarg; return ZW_EXIT_DONE;
	case OPTION_HELP:        wishes->with_help = true; return ZW_EXIT_DONE;
	case ':':                return zw_tool_wrong_usage("lab", "--%s needs a value", options[optopt - OPTION_QUICK].name);
	default:                 return zw_tool_wrong_usage("lab", "unknown option");
	}
}

static int read_arguments(int argc, char **argv, struct zw_lab_plan *plan, struct wishes *wishes)
{
	int code, option;

	opterr = 0;
	optind = 1;
	while ((option = getopt_long(argc, argv, ":", options, NULL)) != -1) {
		if (option == '?')
			return zw_tool_wrong_usage("lab", "unknown option %s", argv[optind - 1]);
		code = read_option(option, plan, wishes);
		if (code != ZW_EXIT_DONE)
			return code;
		if (wishes->with_help)
			return ZW_EXIT_DONE;
	}
	if (optind < argc)
		return zw_tool_wrong_usage("lab", "'%s' is not an option", argv[optind]);
	if (plan->article && (wishes->root || wishes->url_list))
		return zw_tool_wrong_usage("lab", "--article has bodies of its own: leave --root and --url-list away");
	return ZW_EXIT_DONE;
}

/* The built-in ones, and in a full run an index of three bytes, which is below gzip_min_length. */
static bool add_bodies(struct zw_payloads *payloads, bool is_quick)
{
	static const char tiny[] = "ok\n";
	struct zw_blob index = { (uint8_t *)(uintptr_t)tiny, sizeof tiny - 1 };

	for (const char *const *name = is_quick ? quick_bodies : full_bodies; *name; name++)
		if (!zw_payloads_add_named(payloads, *name))
			return false;
	if (!is_quick)
		zw_payloads_add_copy(payloads, "index.html", &index);
	return true;
}

/* Those about the last library that is not a peer; all of them are on the page. */
static void print_verdicts(const struct zw_lab_plan *plan, const json_t *document)
{
	size_t library = plan->libraries.count - 1, i;
	json_t *verdict;
	char *mark;

	while (library && plan->libraries.list[library].is_peer)
		library--;
	mark = zw_tool_format(", %s: ", plan->libraries.list[library].name);
	puts("");
	json_array_foreach(json_object_get(document, "verdicts"), i, verdict)
		if (strstr(json_string_value(verdict), mark))
			puts(json_string_value(verdict));
	free(mark);
	json_array_foreach(json_object_get(document, "summary"), i, verdict)
		puts(json_string_value(verdict));
}

/* Prints the verdict; the page lies beside the JSON file, and there is none where that goes to standard output. */
static bool save(const struct zw_lab_plan *plan, const struct zw_lab_result *result, const char *json_path)
{
	json_t *document = zw_lab_document_make(plan, result);
	const char *slash = strrchr(json_path, '/');
	char *page = zw_tool_format("%.*s" REPORT_FILE, slash ? (int)(slash - json_path + 1) : 0, json_path);
	bool done = true, to_stdout = strcmp(json_path, "-") == 0;

	if (!to_stdout) {
		print_verdicts(plan, document);
		zw_lab_article_print(json_object_get(document, "article"));
		done = document && zw_lab_html_save(document, page);
	}
	done = zw_json_save(document, json_path) && done;
	if (done && !to_stdout)
		printf("everything measured: %s; as a page: %s\n", json_path, page);
	free(page);
	return done;
}

/* The user's, if there are any, else ours. */
static bool choose_bodies(struct zw_lab_plan *plan, const struct wishes *wishes)
{
	if (plan->article)
		return zw_lab_article_bodies(plan);
	if (!wishes->root && !wishes->url_list) {
		if (!add_bodies(&plan->payloads, plan->is_quick))
			return false;
		if (!plan->is_quick)
			zw_lab_mix_add(plan);
		return true;
	}
	plan->is_own_content = true;
	if ((wishes->root && !zw_lab_take_root(plan, wishes->root)) ||
	    (wishes->url_list && !zw_lab_fetch(&plan->payloads, wishes->url_list)) || !zw_lab_keep_largest(plan, BODIES_MAX_COUNT))
		return false;
	zw_lab_mix_add(plan);
	return true;
}

static int report(const struct zw_lab_plan *plan, const struct zw_lab_result *result, const char *json_path, int code)
{
	if (strcmp(json_path, "-") != 0)
		zw_lab_print(plan, result);
	if (!save(plan, result, json_path))
		code = ZW_EXIT_CANNOT;
	for (size_t i = 0; i < plan->libraries.count && code == ZW_EXIT_DONE; i++)
		if (result->alerts[i] && !plan->libraries.list[i].is_peer)
			code = ZW_EXIT_FOUND;
	return code;
}

/* What was not asked for by --levels. */
static void choose_levels(struct zw_lab_plan *plan)
{
	for (int level = 1; level <= LAB_LEVEL_MAX; level++)
		if (plan->levels[level])
			return;
	plan->levels[1] = plan->levels[6] = true;
	plan->levels[2] = plan->levels[9] = !plan->is_quick;
}

/* Where a build leaves our module; NULL if it is not there. */
static char *find_module(void)
{
	char *directory = zw_tool_directory();
	char *path = zw_tool_format("%s/ngx_http_zwire_module.so", directory);

	free(directory);
	if (access(path, R_OK) == 0)
		return path;
	free(path);
	return NULL;
}

static int prepare_and_run(struct zw_lab_plan *plan, const struct wishes *wishes)
{
	struct zw_lab_result result;
	int code;

	if (!zw_lab_nginx_find(&plan->nginx, wishes->nginx_path) || !choose_bodies(plan, wishes))
		return ZW_EXIT_CANNOT;
	if (!plan->libraries.count && !zw_libraries_add_defaults(&plan->libraries))
		return ZW_EXIT_CANNOT;
	if (wishes->with_peers)
		zw_libraries_add_peers(&plan->libraries);
	choose_levels(plan);
	if (!plan->module_path)
		plan->module_path = find_module();
	zw_lab_arms_make(plan);
	if (!plan->connections)
		plan->connections = plan->article ? zw_lab_article_connections(plan->article) : CONNECTIONS_DEFAULT * plan->worker_count;
	code = zw_lab_run(plan, &result);
	if (code != ZW_EXIT_CANNOT)
		code = report(plan, &result, wishes->json_path, code);
	else if (zw_interrupted())
		zw_tool_error("interrupted; every NGINX that was started is stopped");
	zw_lab_result_free(&result);
	return code;
}

int zw_cmd_lab(int argc, char **argv)
{
	struct zw_lab_plan plan = { .mix = LAB_NO_MIX, .worker_count = 1 };
	struct wishes wishes = { .json_path = RESULT_FILE };
	int code = read_arguments(argc, argv, &plan, &wishes);

	if (code == ZW_EXIT_DONE && wishes.with_help) {
		fputs(help, stdout);
	} else if (code == ZW_EXIT_DONE) {
		zw_interrupt_catch();
		code = prepare_and_run(&plan, &wishes);
	}
	zw_payloads_free(&plan.payloads);
	zw_libraries_free(&plan.libraries);
	zw_payloads_free(&plan.more);
	zw_lab_nginx_free(&plan.nginx);
	free(plan.include_path);
	free(plan.module_path);
	for (size_t i = 0; i < plan.absent_count; i++)
		free(plan.absent[i]);
	return code;
}
