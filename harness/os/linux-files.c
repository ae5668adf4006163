#define _GNU_SOURCE
#include "harness/os/linux-files.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

static const char *root = "";

void linux_set_root(const char *folder)
{
	root = folder;
}

const char *linux_path(const char *path)
{
	static char joined[PATH_MAX];
	snprintf(joined, sizeof joined, "%s%s", root, path);
	return joined;
}

int linux_read(const char *path, char *buffer, size_t size)
{
	size_t length = 0;
	ssize_t got = 0;
	buffer[0] = 0;
	int descriptor = open(linux_path(path), O_RDONLY | O_CLOEXEC);
	if (descriptor < 0)
		return -errno;
	while (length < size - 1 && (got = read(descriptor, buffer + length, size - 1 - length)) > 0)
		length += (size_t)got;
	int error = got < 0 ? -errno : 0;
	close(descriptor);
	while (length && (buffer[length - 1] == '\n' || buffer[length - 1] == ' '))
		length--;
	buffer[length] = 0;
	return error ? error : (int)length;
}

FILE *linux_open(const char *path)
{
	return fopen(linux_path(path), "re");
}

int linux_cpuinfo(const char *key, char *value, size_t size)
{
	char line[256];
	size_t length = strlen(key);
	int result = -ENOENT;
	FILE *file = linux_open("/proc/cpuinfo");
	value[0] = 0;
	while (file && result < 0 && fgets(line, sizeof line, file)) {
		if (strncmp(line, key, length))
			continue;
		char *text = line + length + strspn(line + length, " \t");
		if (*text != ':')
			continue;
		text += strspn(text, ": \t");
		text[strcspn(text, "\n")] = 0;
		result = snprintf(value, size, "%s", text);
	}
	if (file)
		fclose(file);
	return result;
}
