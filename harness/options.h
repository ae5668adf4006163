/* The option table: parsing, --help and the manual page all come from it. */
#ifndef CMTNOISE_OPTIONS_H
#define CMTNOISE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "harness/why.h"

enum { ON_RUN = 1, ON_SWEEP = 2, ON_KERNELS = 4, ON_TOPOLOGY = 8, ON_DOCTOR = 16, ON_INJECT = 32, ON_ALL = 63 };

struct settings {
	const char *strands;       /* selector */
	const char *quiet_strands; /* selector; NULL: none */
	const char *kernels;       /* names, "default" or "all" */
	const char *output;        /* NULL: the command's own choice */
	const char *topology;
	const char *label;
	const char *causes; /* NULL: auto */
	uint64_t repetitions;
	uint64_t quantum_ns;
	uint64_t repeat;
	uint64_t iterations; /* 0: calibrate */
	uint64_t period_ns, slice_ns, duration_ns;
	bool realtime, together, accept_timer, dry_run, json, quiet, help;
};

enum option_kind {
	OPTION_FLAG,
	OPTION_TEXT,
	OPTION_COUNT, /* a whole number from 1 */
	OPTION_TIME   /* above 0, with ns, us, ms or s behind it; kept in ns */
};

struct option {
	char letter; /* 0: none */
	const char *name, *argument;
	enum option_kind kind;
	size_t offset; /* into struct settings */
	unsigned commands;
	const char *help;
};

extern const struct option options[];
extern const size_t option_count;

/* Parses a command's arguments into settings, which start at the defaults. -EINVAL with a sentence. */
int options_parse(struct settings *settings, unsigned command, int argc, char **argv, struct why *why);

#endif
