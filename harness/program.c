#include "harness/program.h"
#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "harness/os/os.h"

static bool in_folder(char *path, size_t size, const char *folder, size_t length, const char *below, const char *word)
{
	int needed = snprintf(path, size, "%.*s%s/cmtnoise-%s", (int)length, folder, below, word);
	return needed < (int)size && !access(path, X_OK);
}

static bool along_path(char *path, size_t size, const char *word)
{
	const char *folders = getenv("PATH");
	while (folders && *folders) {
		size_t length = strcspn(folders, ":");
		if (length && in_folder(path, size, folders, length, "", word))
			return true;
		folders += length + (folders[length] == ':');
	}
	return false;
}

int program_find(char *path, size_t size, const char *word)
{
	char self[PATH_MAX];
	const char *chosen = getenv("CMTNOISE_EXEC_PATH");

	if (strlen(word) > 32 || strspn(word, "abcdefghijklmnopqrstuvwxyz-") != strlen(word))
		return -ENOENT;
	if (chosen && in_folder(path, size, chosen, strlen(chosen), "", word))
		return 0;
	if (!os_program(self, sizeof self)) {
		const char *folder = dirname(self);
		if (in_folder(path, size, folder, strlen(folder), "", word) ||
		    in_folder(path, size, folder, strlen(folder), "/../libexec/cmtnoise", word))
			return 0;
	}
	return along_path(path, size, word) ? 0 : -ENOENT;
}
