/* The tick configurations there are: the files domains/tick/NAME.toml (docs/tick.md), as a table that the build makes of them. */
#ifndef CMTNOISE_TICK_FILES_H
#define CMTNOISE_TICK_FILES_H

#include <stddef.h>

/* As the file has it, "" for a key that it has not. {strands} stands for the strands to be quiet, {others} for the rest. */
struct tick_file {
	const char *name, *description;
	const char *config;     /* options of the OS kernel's build, NAME=VALUE without CONFIG_ */
	const char *parameters; /* of the boot */
	const char *settings;   /* at run time, PATH=VALUE */
	const char *expect;     /* what the running host then tells, KEY=VALUE, in the words of run.json's "tick" */
	const char *advice;     /* what it does for a strand that is to be quiet; "" where it does nothing */
};

extern const struct tick_file tick_files[];
extern const size_t tick_file_count;

#endif
