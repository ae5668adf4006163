/* Linux: the running program itself. */
#define _GNU_SOURCE
#include <errno.h>
#include <unistd.h>
#include "harness/os/os.h"

int os_program(char *path, size_t size)
{
	ssize_t length = readlink("/proc/self/exe", path, size - 1);
	path[length > 0 ? length : 0] = 0;
	return length < 0 ? -errno : 0;
}
