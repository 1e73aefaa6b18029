/* SPDX-License-Identifier: Zlib */
/* janitor.c - a process of its own that removes the lab's directory should the lab be killed before it can. */
#include "lab/lab.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define NGINX_END_S 3                        /* the servers got SIGTERM when the lab died; they need their files until then */

/* Waits for the lab's end, which closes the other end of the pipe.  One byte says that there is nothing to do. */
static _Noreturn void watch(int fd, const char *directory)
{
	struct timespec pause = { NGINX_END_S, 0 };
	int null_fd = open("/dev/null", O_RDWR | O_CLOEXEC);
	char byte;

	setsid();                                /* Ctrl-C is for the lab, which then ends by itself */
	signal(SIGTERM, SIG_IGN);
	for (int i = STDIN_FILENO; i <= STDERR_FILENO && null_fd >= 0; i++)
		dup2(null_fd, i);                /* nobody waits for us at the end of a pipe */
	if (read(fd, &byte, 1) != 1) {
		nanosleep(&pause, NULL);
		zw_tree_remove(directory);
	}
	_exit(0);
}

/* False if there can be none; the lab then works all the same. */
bool zw_lab_janitor_start(struct zw_lab_janitor *janitor, const char *directory)
{
	int pair[2];

	janitor->pid = 0;
	janitor->fd = -1;
	if (pipe2(pair, O_CLOEXEC) != 0)
		return false;
	janitor->pid = fork();
	if (janitor->pid == 0) {
		close(pair[1]);
		watch(pair[0], directory);
	}
	close(pair[0]);
	janitor->fd = pair[1];
	return janitor->pid > 0;
}

/* To be called when the directory is gone. */
void zw_lab_janitor_stop(struct zw_lab_janitor *janitor)
{
	if (janitor->pid <= 0)
		return;
	if (write(janitor->fd, "", 1) != 1)
		kill(janitor->pid, SIGKILL);
	close(janitor->fd);
	zw_process_stop(janitor->pid, 0, 1000);
	janitor->pid = 0;
}
