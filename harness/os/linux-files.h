/* Reading the host's own files. Tests set another root, a folder with files as some host has them. */
#ifndef CMTNOISE_LINUX_FILES_H
#define CMTNOISE_LINUX_FILES_H

#include <stddef.h>
#include <stdio.h>

void linux_set_root(const char *folder); /* "" is the host itself; the string is not copied */

/* path under the root, in a static buffer that the next call overwrites. */
const char *linux_path(const char *path);

/* A small file whole, NUL-terminated, without line ends and blanks at its end; cut to size. Bytes read, or -errno. */
int linux_read(const char *path, char *buffer, size_t size);

/* The value of the first line of /proc/cpuinfo with this key. Its length, or -ENOENT; 0 and "" for an empty one. */
int linux_cpuinfo(const char *key, char *value, size_t size);

FILE *linux_open(const char *path); /* NULL with errno set */

#endif
