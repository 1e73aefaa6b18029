/* SPDX-License-Identifier: Zlib */
/* process.c - children that cannot outlive the tool, pinned where the measurement wants them. */
#include "common/tool.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define POLL_MS 10

static volatile sig_atomic_t interrupted;

static void note_interrupt(int signal)
{
	(void)signal;
	interrupted = 1;
}

/* No SA_RESTART: a blocking wait ends, so that the command can clean up and leave. */
void zw_interrupt_catch(void)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction action;

	memset(&action, 0, sizeof action);
	action.sa_handler = note_interrupt;
	for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
		sigaction(signals[i], &action, NULL);
	action.sa_handler = SIG_IGN;             /* a dead child shows as a failed write */
	sigaction(SIGPIPE, &action, NULL);
}

bool zw_interrupted(void)
{
	return interrupted != 0;
}

int64_t zw_clock_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static void put_fd(int fd, int target)
{
	if (fd >= 0)
		dup2(fd, target);
}

/* To count CPUs that we may use, from this one on. */
static void pin_to(int cpu, unsigned count)
{
	cpu_set_t allowed, set;

	if (cpu < 0 || sched_getaffinity(0, sizeof allowed, &allowed) != 0)
		return;
	CPU_ZERO(&set);
	for (count = count ? count : 1; count && cpu < CPU_SETSIZE; cpu++) {
		if (!CPU_ISSET((size_t)cpu, &allowed))
			continue;
		CPU_SET((size_t)cpu, &set);
		count--;
	}
	sched_setaffinity(0, sizeof set, &set);
}

static void put_library_dir(const char *dir)
{
	const char *old = getenv("LD_LIBRARY_PATH");
	char *value;

	if (!dir)
		return;
	value = old && *old ? zw_tool_format("%s:%s", dir, old) : zw_tool_format("%s", dir);
	setenv("LD_LIBRARY_PATH", value, 1);
	unsetenv("LD_PRELOAD");                  /* a preloaded libz would win over every directory */
	free(value);
}

static _Noreturn void run_child(const struct zw_launch *launch, pid_t parent)
{
	int null_fd = open("/dev/null", O_RDWR | O_CLOEXEC);

	signal(SIGPIPE, SIG_DFL);
	prctl(PR_SET_PDEATHSIG, SIGTERM);        /* even if the tool is killed, nothing stays behind */
	if (getppid() != parent)
		_exit(ZW_EXIT_CANNOT);
	put_fd(launch->in_fd >= 0 ? launch->in_fd : null_fd, STDIN_FILENO);
	put_fd(launch->out_fd, STDOUT_FILENO);
	put_fd(launch->error_fd, STDERR_FILENO);
	pin_to(launch->cpu, launch->cpu_count);
	put_library_dir(launch->library_dir);
	execvp(launch->argv[0], (char *const *)(uintptr_t)launch->argv);
	fprintf(stderr, "zwire: cannot run %s: %s\n", launch->argv[0], strerror(errno));
	_exit(127);
}

/* Starts a child; -1 and a message if there can be none.  It gets SIGTERM should the tool die. */
pid_t zw_process_start(const struct zw_launch *launch)
{
	pid_t parent = getpid();
	pid_t pid;

	fflush(NULL);
	pid = fork();
	if (pid == 0)
		run_child(launch, parent);
	if (pid < 0)
		zw_tool_error("cannot start %s: %s", launch->argv[0], strerror(errno));
	return pid;
}

/* True if it has ended, or is none of ours, before patience_ms are over; its status is then as waitpid() gives it. */
bool zw_process_wait(pid_t pid, unsigned patience_ms, int *status_ret)
{
	struct timespec pause = { 0, POLL_MS * 1000000L };

	for (unsigned waited_ms = 0;; waited_ms += POLL_MS) {
		pid_t got = waitpid(pid, status_ret, WNOHANG);

		if (got == pid || (got < 0 && errno == ECHILD))
			return true;
		if (waited_ms >= patience_ms)
			return false;
		nanosleep(&pause, NULL);
	}
}

/* Sends the signal, waits, and kills what did not listen.  False if it had to be killed. */
bool zw_process_stop(pid_t pid, int signal, unsigned patience_ms)
{
	if (pid <= 0)
		return true;
	kill(pid, signal);
	if (zw_process_wait(pid, patience_ms, NULL))
		return true;
	kill(pid, SIGKILL);
	zw_process_wait(pid, patience_ms, NULL);
	return false;
}

/* The last server_count CPUs that we may use for the measured side, the others for the other.  Where there are not more than
 * server_count, both sides share what there is. */
struct zw_cpus zw_cpus_choose(unsigned server_count)
{
	struct zw_cpus cpus = { -1, -1, 0, 0 };
	unsigned count, at = 0;
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof set, &set) != 0)
		return cpus;
	count = (unsigned)CPU_COUNT(&set);
	if (count <= server_count)
		return cpus;
	cpus.server_count = server_count;
	cpus.client_count = count - server_count;
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		if (!CPU_ISSET((size_t)cpu, &set))
			continue;
		if (!at)
			cpus.client = cpu;
		if (at++ == cpus.client_count)
			cpus.server = cpu;
	}
	return cpus;
}
