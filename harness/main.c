/* The front door: finds the command, or runs cmtnoise-WORD as git does. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "harness/command.h"
#include "harness/program.h"
#include "harness/signals.h"
#include "harness/version.h"

static int run_command(const struct command *command, int argc, char **argv)
{
	struct settings settings;
	struct why why;

	if (options_parse(&settings, command->bit, argc, argv, &why)) {
		fprintf(stderr, "cmtnoise %s: %s\nSee 'cmtnoise %s --help'.\n", command->name, why.text, command->name);
		return 2;
	}
	if (settings.help) {
		usage_command(command);
		return 0;
	}
	signals_catch();
	int code = command->run(&settings);
	if (fflush(stdout) && !code)
		code = command_failed(-errno, "cannot write to standard output");
	return code;
}

static int version(void)
{
	printf("cmtnoise %s%s%s\nbuilt with %s, %s\n", CMTNOISE_VERSION, build_commit[0] ? ", commit " : "",
	       build_commit, build_compiler, build_cflags);
	return 0;
}

int main(int argc, char **argv)
{
	char path[PATH_MAX];
	program_arguments = argv;
	const char *word = argc > 1 ? argv[1] : "--help";

	if (!strcmp(word, "--help") || !strcmp(word, "-h") || !strcmp(word, "help")) {
		usage_overview();
		return argc > 1 ? 0 : 2;
	}
	if (!strcmp(word, "--version"))
		return version();
	if (!strcmp(word, "--manual")) {
		usage_manual();
		return 0;
	}
	for (size_t i = 0; i < command_count; i++)
		if (!strcmp(word, commands[i].name))
			return run_command(&commands[i], argc - 2, argv + 2);
	if (!program_find(path, sizeof path, word))
		execv(path, argv + 1);
	fprintf(stderr, "cmtnoise: there is no command '%.40s'. Commands:", word);
	for (size_t i = 0; i < command_count; i++)
		fprintf(stderr, " %s", commands[i].name);
	for (size_t i = 0; i < program_count; i++)
		fprintf(stderr, " %s", programs[i].name);
	fprintf(stderr, "\n");
	return 2;
}
