/* The commands. Each returns the program's exit code: 0 fine, 1 failed, 2 wrong usage, 128 + signal when broken off. */
#ifndef CMTNOISE_COMMAND_H
#define CMTNOISE_COMMAND_H

#include <stddef.h>
#include "harness/options.h"

struct command {
	const char *name;
	unsigned bit; /* in struct option's commands */
	int (*run)(const struct settings *settings);
	const char *summary;     /* for the list of commands */
	const char *description; /* paragraphs */
	const char *examples;    /* one a line; lines that begin with # say what the next one does */
};

extern const struct command commands[];
extern const size_t command_count;

/* Commands that are programs of their own, cmtnoise-NAME. */
struct program {
	const char *name;
	const char *summary;
};

extern const struct program programs[];
extern const size_t program_count;

int command_kernels(const struct settings *settings);
int command_topology(const struct settings *settings);
int command_doctor(const struct settings *settings);
int command_run(const struct settings *settings);
int command_inject(const struct settings *settings);
int command_sweep(const struct settings *settings);

/* Says on standard error what went wrong and returns the exit code: 2 for wrong usage (-EINVAL; -ENODEV, a strand that is
 * not there or cannot be used), 1 for the rest. */
int command_failed(int error, const char *sentence);

/* The command line as given, for run.json. */
extern char **program_arguments;

void usage_overview(void);
void usage_command(const struct command *command);
void usage_manual(void); /* roff, man(7) */

#endif
