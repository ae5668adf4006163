/* Runs a command with its output thrown away and prints its wall time in seconds and its peak resident memory in bytes.
 * usage: bench_run COMMAND...
 * A program of its own since a peak is inherited through exec: measured from Python it would be Python's. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include "harness/os/os.h"

int main(int argc, char **argv)
{
	struct rusage usage;
	int status;
	if (argc < 2)
		return 2;
	uint64_t began_ns = os_now_ns();
	pid_t child = fork();
	if (!child) {
		dup2(open("/dev/null", O_WRONLY), STDOUT_FILENO);
		execv(argv[1], argv + 1);
		_exit(127);
	}
	if (child < 0 || wait4(child, &status, 0, &usage) < 0 || !WIFEXITED(status) || WEXITSTATUS(status))
		return 1;
	printf("%.6f %ld\n", (double)(os_now_ns() - began_ns) * 1e-9, usage.ru_maxrss * 1024);
	return 0;
}
