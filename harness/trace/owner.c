#include "harness/trace/owner.h"
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "harness/os/linux-files.h"

static const char prefix[] = "cmtnoise-";
static const char program[] = "cmtnoise-trace";

void owner_instance_name(char *name, size_t size, int pid)
{
	snprintf(name, size, "%s%d", prefix, pid);
}

int owner_of(const char *name)
{
	char *end;
	const char *digits = name + sizeof prefix - 1;
	if (strncmp(name, prefix, sizeof prefix - 1) || *digits < '1' || *digits > '9')
		return 0;
	errno = 0;
	long pid = strtol(digits, &end, 10);
	return errno || *end || pid > INT_MAX ? 0 : (int)pid;
}

bool owner_runs(int pid)
{
	char path[64], comm[64];
	snprintf(path, sizeof path, "/proc/%d/comm", pid);
	return linux_read(path, comm, sizeof comm) > 0 && !strcmp(comm, program);
}
