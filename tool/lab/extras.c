/* SPDX-License-Identifier: Zlib */
/* extras.c - what some arms need beside NGINX and a libz: a certificate for TLS, and our NGINX module, if it loads. */
#include "lab/lab.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define PATIENCE_MS 20000

/* Runs a program to its end with its output in a file; its exit code, or -1. */
static int run_quietly(const char *const *argv, const char *output_path)
{
	FILE *output = fopen(output_path, "we");
	struct zw_launch launch = { .argv = argv, .in_fd = -1, .out_fd = output ? fileno(output) : -1,
				    .error_fd = output ? fileno(output) : -1, .cpu = -1 };
	pid_t pid = zw_process_start(&launch);
	int status = 0;
	bool has_ended = pid > 0 && zw_process_wait(pid, PATIENCE_MS, &status);

	if (output)
		fclose(output);
	if (!has_ended)
		zw_process_stop(pid, SIGTERM, PATIENCE_MS);
	return has_ended && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* A key and a certificate for localhost that nobody else trusts, for a day, in the lab's directory.  False after a message. */
bool zw_lab_certificate_make(const char *lab_directory, char **certificate_ret, char **key_ret)
{
	char *program = zw_lab_find_program("openssl");
	char *output = zw_tool_format("%s/openssl.out", lab_directory);
	char *certificate = zw_tool_format("%s/certificate.pem", lab_directory);
	char *key = zw_tool_format("%s/key.pem", lab_directory);
	const char *const argv[] = { program, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "1",
				     "-subj", "/CN=localhost", "-keyout", key, "-out", certificate, NULL };
	bool done = program && run_quietly(argv, output) == 0 && access(certificate, R_OK) == 0;

	*certificate_ret = done ? certificate : NULL;
	*key_ret = done ? key : NULL;
	if (!done) {
		zw_tool_error("openssl made no certificate, so nothing is measured over TLS");
		free(certificate);
		free(key);
	}
	free(program);
	free(output);
	return done;
}

static void keep_first_line(const char *path, char text_ret[static LAB_REASON_BYTES])
{
	FILE *file = fopen(path, "re");
	char line[LAB_REASON_BYTES - 32] = "";

	if (file && fgets(line, sizeof line, file))
		line[strcspn(line, "\n")] = 0;
	if (file)
		fclose(file);
	snprintf(text_ret, LAB_REASON_BYTES, "it does not load: %s", line);
}

/* Does this NGINX load the module?  If not, reason_ret says why. */
bool zw_lab_module_try(const struct zw_lab_nginx *nginx, const char *module_path, const char *lab_directory,
		       char reason_ret[static LAB_REASON_BYTES])
{
	char *config = zw_tool_format("%s/module.conf", lab_directory);
	char *log = zw_tool_format("%s/module.log", lab_directory);
	char *output = zw_tool_format("%s/module.out", lab_directory);
	char *text = zw_tool_format("load_module %s;\npid %s/module.pid;\nerror_log %s;\nevents { }\n", module_path, lab_directory, log);
	const char *const argv[] = { nginx->path, "-t", "-q", "-c", config, NULL };
	bool done = zw_file_write(config, text, strlen(text)) && run_quietly(argv, output) == 0;

	if (!done)
		keep_first_line(output, reason_ret);
	free(config);
	free(log);
	free(output);
	free(text);
	return done;
}
