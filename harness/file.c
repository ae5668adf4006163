#include "harness/file.h"
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int flush(void *context, const char *bytes, size_t count)
{
	const struct file *f = context;
	while (count) {
		ssize_t written = write(f->descriptor, bytes, count);
		if (written < 0 && errno == EINTR)
			continue;
		if (written < 0)
			return -errno;
		bytes += written;
		count -= (size_t)written;
	}
	return 0;
}

static const char *shown(const struct file *f)
{
	return f->path[0] ? f->path : "standard output";
}

int file_begin(struct file *f, const char *path, bool replace, struct why *why)
{
	f->descriptor = STDOUT_FILENO;
	f->path[0] = f->temporary[0] = 0;
	text_init(&f->text, f->buffer, sizeof f->buffer, flush, f);
	if (!strcmp(path, "-"))
		return 0;
	if (snprintf(f->path, sizeof f->path, "%s", path) >= (int)sizeof f->path - 16)
		return why_set(why, -ENAMETOOLONG, "%.60s...: the name is too long", path);
	if (!replace && !access(path, F_OK))
		return why_set(why, -EEXIST, "%s exists already: choose another name, or remove it first", path);
	snprintf(f->temporary, sizeof f->temporary, "%.*s.part", (int)sizeof f->temporary - 8, path);
	f->descriptor = open(f->temporary, O_WRONLY | O_CREAT | O_TRUNC, 0666);
	if (f->descriptor < 0) {
		f->temporary[0] = 0;
		return why_set(why, -errno, "cannot write %s: %s", path, strerror(errno));
	}
	fcntl(f->descriptor, F_SETFD, FD_CLOEXEC); /* Solaris 10 has no O_CLOEXEC */
	return 0;
}

void file_abandon(struct file *f)
{
	if (!f->temporary[0])
		return;
	close(f->descriptor);
	unlink(f->temporary);
	f->temporary[0] = 0;
}

/* A new name is durable once its folder is. */
static int sync_folder(const char *path)
{
	char folder[PATH_MAX];
	snprintf(folder, sizeof folder, "%s", path);
	int descriptor = open(dirname(folder), O_RDONLY);
	if (descriptor < 0)
		return -errno;
	int error = fsync(descriptor) ? -errno : 0;
	close(descriptor);
	return error == -EINVAL ? 0 : error; /* file systems without it */
}

int file_end(struct file *f, struct why *why)
{
	int error = text_finish(&f->text);
	if (!f->path[0])
		return error ? why_set(why, error, "cannot write to standard output: %s", strerror(-error)) : 0;
	if (!error && fsync(f->descriptor))
		error = -errno;
	if (close(f->descriptor) && !error)
		error = -errno;
	if (!error && rename(f->temporary, f->path))
		error = -errno;
	if (error) {
		unlink(f->temporary);
		return why_set(why, error, "cannot write %s: %s%s", shown(f), strerror(-error),
			       error == -ENOSPC ? "; free some space, or name another place with --output" : "");
	}
	return sync_folder(f->path);
}
