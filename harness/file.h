/* Files that are written whole or not at all: under a temporary name beside the final one, flushed, then renamed. */
#ifndef CMTNOISE_FILE_H
#define CMTNOISE_FILE_H

#include <limits.h>
#include <stdbool.h>
#include "harness/text.h"
#include "harness/why.h"

struct file {
	int descriptor;
	char path[PATH_MAX], temporary[PATH_MAX]; /* "" for standard output */
	char buffer[32768];
	struct text text; /* write through this */
};

/* path "-" is standard output. replace: an existing file is the caller's own and may be replaced; else it is refused. */
int file_begin(struct file *f, const char *path, bool replace, struct why *why);

/* Flushes, makes the file durable and gives it its name; on any error removes the temporary file. */
int file_end(struct file *f, struct why *why);

/* Removes the temporary file; does nothing when file_begin() failed. */
void file_abandon(struct file *f);

#endif
