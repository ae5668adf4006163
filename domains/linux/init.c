/*
 * The first program of a Linux guest: mounts what a sweep needs, lets the OS settle, runs the sweep, sends the run folder out
 * over a second port and powers off. The initramfs (domains/cmtnoise_domain/initramfs.py) holds it, the static cmtnoise,
 * /arguments, the sweep's arguments, one a line, /settings, a file and what is written to it, one a line, and /sums, a file of
 * these and its CRC-32, one a line. Settings are settings.c's part, the port is channel.c's.
 *
 * What it sends (results/FORMAT.md, "The channel of a Linux guest") is lines and files, each with its length and sum, since a
 * port carries no more than bytes. Nothing is sent while the sweep runs: that would be noise.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "domains/bare/crc32.h"
#include "domains/linux/channel.h"
#include "domains/linux/settings.h"

enum { ARGUMENTS_MOST = 64, SETTLE_S = 2 };

static const char run_folder[] = "/run/run";

/* Powers off; the OS flushes the port before. Does not return, as there is nowhere to return to. */
static _Noreturn void end(const char *sentence)
{
	channel_line(sentence[0] ? "@end: failed %s" : "@end: ok%s", sentence);
	channel_drain();
	reboot(RB_POWER_OFF);
	for (;;)
		pause();
}

static void mount_all(void)
{
	static const struct {
		const char *at, *type;
	} mounts[] = {{"/proc", "proc"}, {"/sys", "sysfs"}, {"/dev", "devtmpfs"}, {"/run", "tmpfs"}};
	for (size_t i = 0; i < sizeof mounts / sizeof *mounts; i++) {
		mkdir(mounts[i].at, 0755);
		if (mount(mounts[i].type, mounts[i].at, mounts[i].type, 0, NULL) && errno != EBUSY)
			fprintf(stderr, "init: %s: %s\n", mounts[i].at, strerror(errno));
	}
}

static char *read_whole(const char *path, size_t *size)
{
	struct stat status;
	char *bytes = NULL;
	FILE *file = fopen(path, "r");
	if (!file)
		return NULL;
	if (!fstat(fileno(file), &status) && (bytes = malloc((size_t)status.st_size + 1)))
		*size = fread(bytes, 1, (size_t)status.st_size, file);
	fclose(file);
	if (bytes)
		bytes[*size] = 0;
	return bytes;
}

/* The first file of the initramfs that is not as it was packed: /sums has a file and its sum a line. NULL where all are. */
static const char *damaged_file(void)
{
	static char name[64];
	size_t size = 0;
	unsigned long wanted;
	char *sums = read_whole("/sums", &size);
	for (char *line = sums ? strtok(sums, "\n") : NULL; line; line = strtok(NULL, "\n")) {
		if (sscanf(line, "%63s %lx", name, &wanted) != 2)
			return "/sums";
		char *bytes = read_whole(name, &size);
		bool whole = bytes && crc32_update(0, bytes, size) == wanted;
		free(bytes);
		if (!whole)
			return name;
	}
	const char *found = sums ? NULL : "/sums";
	free(sums);
	return found;
}

static void send_file(const char *folder, const char *name)
{
	char path[512];
	size_t size = 0;
	snprintf(path, sizeof path, "%s/%s%s", run_folder, folder, name);
	char *bytes = read_whole(path, &size);
	if (!bytes)
		return;
	channel_line("@file: %s%s %zu %08x", folder, name, size, crc32_update(0, bytes, size));
	channel_send(bytes, size);
	free(bytes);
}

static void send_run(void)
{
	struct dirent **entries;
	send_file("", "run.json");
	int count = scandir("/run/run/records", &entries, NULL, alphasort);
	for (int i = 0; i < count; i++)
		if (entries[i]->d_name[0] != '.')
			send_file("records/", entries[i]->d_name);
}

/* The sweep's exit status, -1 if it did not end by itself. */
static int sweep(void)
{
	char *arguments[ARGUMENTS_MOST + 4] = {(char *)"cmtnoise", (char *)"sweep", (char *)"--output",
					       (char *)run_folder};
	size_t size = 0, count = 4;
	int status;
	char *text = read_whole("/arguments", &size);
	for (char *line = text ? strtok(text, "\n") : NULL; line && count < ARGUMENTS_MOST + 3;
	     line = strtok(NULL, "\n"))
		arguments[count++] = line;
	pid_t child = fork();
	if (!child) {
		execv("/cmtnoise", arguments);
		_exit(127);
	}
	if (child < 0 || waitpid(child, &status, 0) != child)
		return -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void apply_settings(void)
{
	size_t size = 0;
	char *text = read_whole("/settings", &size);
	if (text)
		settings_apply(text);
	free(text);
}

static void set_host_name(void)
{
	size_t size = 0;
	char *name = read_whole("/hostname", &size);
	if (name)
		sethostname(name, size);
	free(name);
}

int main(void)
{
	char sentence[128] = "";
	mount_all();
	channel_open();
	channel_line("@cmtnoise-guest: 1");
	const char *damaged = damaged_file();
	if (damaged) {
		snprintf(sentence, sizeof sentence, "the initramfs came damaged: %s is not as it was packed", damaged);
		end(sentence);
	}
	set_host_name();
	apply_settings();
	sleep(SETTLE_S); /* the first seconds after boot have work of their own */
	int code = sweep();
	send_run();
	if (code)
		snprintf(sentence, sizeof sentence, "the sweep's exit status is %d", code);
	end(sentence);
}
