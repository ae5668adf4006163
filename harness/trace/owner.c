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

/* proc(5): "PID (NAME) STATE ..."; Z and X are dead, and a dead one stays listed until its parent has asked for it. */
bool owner_runs(int pid)
{
	char path[64], line[256];
	snprintf(path, sizeof path, "/proc/%d/stat", pid);
	if (linux_read(path, line, sizeof line) <= 0)
		return false;
	const char *name = strchr(line, '('), *end = strrchr(line, ')');
	size_t length = sizeof program - 1;
	if (!name || !end || (size_t)(end - name - 1) != length || strncmp(name + 1, program, length))
		return false;
	return end[1] == ' ' && !strchr("ZXx", end[2]);
}
