#include "harness/options.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define FLAG(member) OPTION_FLAG, offsetof(struct settings, member)
#define TEXT(member) OPTION_TEXT, offsetof(struct settings, member)
#define COUNT(member) OPTION_COUNT, offsetof(struct settings, member)
#define TIME(member) OPTION_TIME, offsetof(struct settings, member)

const struct option options[] = {
	{'s', "strand", "STRAND", TEXT(strands), ON_RUN, "the strand to measure (default: the first that is usable)"},
	{'s', "strand", "STRAND", TEXT(strands), ON_INJECT,
	 "the strand to steal from (default: the first that is usable)"},
	{'s', "strands", "SELECTOR", TEXT(strands), ON_SWEEP | ON_TOPOLOGY | ON_DOCTOR,
	 "all, first (one per core), 0,4-7, core:2, package:0, siblings:3, or several with commas (default: all)"},
	{0, "quiet-strands", "SELECTOR", TEXT(quiet_strands), ON_DOCTOR,
	 "strands that are to be quiet: also say which tick configurations would help them, with the boot parameters"},
	{'k', "kernel", "NAME", TEXT(kernels), ON_RUN, "the kernel to run (default: add)"},
	{'k', "kernels", "NAMES", TEXT(kernels), ON_SWEEP, "names with commas, default, or all (default: default)"},
	{'r', "reps", "N", COUNT(repetitions), ON_RUN | ON_SWEEP, "repetitions in a record (default: 1000)"},
	{'q', "quantum", "TIME", TIME(quantum_ns), ON_RUN | ON_SWEEP,
	 "duration to which a repetition is calibrated, with ns, us, ms or s (default: 100us)"},
	{'n', "iterations", "N", COUNT(iterations), ON_RUN | ON_SWEEP,
	 "turns of the kernel's loop in a repetition, instead of calibrating: identical work on every system"},
	{'o', "output", "FILE", TEXT(output), ON_RUN, "where to write the record; - is standard output (default: -)"},
	{'p', "period", "TIME", TIME(period_ns), ON_INJECT,
	 "a slice is stolen at every period, with ns, us, ms or s (default: 4ms, 250 a second)"},
	{0, "slice", "TIME", TIME(slice_ns), ON_INJECT,
	 "time that a slice takes, less than half the period (default: 20us)"},
	{'d', "duration", "TIME", TIME(duration_ns), ON_INJECT, "time over which slices are stolen (default: 1s)"},
	{'o', "output", "FILE", TEXT(output), ON_INJECT,
	 "where to write the log of what was stolen; - is standard output (default: -)"},
	{'o', "output", "FOLDER", TEXT(output), ON_SWEEP, "the run folder to make (default: results/UTC-HOST-LABEL)"},
	{0, "repeat", "N", COUNT(repeat), ON_SWEEP,
	 "measure the whole plan N times, one round after the other, for comparisons (default: 1)"},
	{0, "together", NULL, FLAG(together), ON_SWEEP,
	 "measure all strands at once, each calibrated alone before (default: one at a time, the others idle)"},
	{0, "realtime", NULL, FLAG(realtime), ON_RUN | ON_SWEEP,
	 "measure under real-time scheduling, where permitted (see also doctor)"},
	{0, "accept-timer", NULL, FLAG(accept_timer), ON_RUN | ON_SWEEP | ON_INJECT,
	 "go on although the timer failed its test: the fault becomes a warning in every record"},
	{0, "label", "LABEL", TEXT(label), ON_RUN | ON_SWEEP | ON_INJECT,
	 "provenance: measured, virtualised, emulated or modelled (default: what the CPU tells)"},
	{0, "causes", "SOURCE", TEXT(causes), ON_SWEEP,
	 "what tells the causes of peaks: trace (the OS's events, or fail), counters (before and after each record alone), "
	 "auto (trace where possible, else counters; default)"},
	{'t', "topology", "FILE|TEXT", TEXT(topology), ON_SWEEP | ON_TOPOLOGY,
	 "plan for another machine: an hwloc XML file, or a description such as \"pack:1 core:8 pu:4\""},
	{0, "dry-run", NULL, FLAG(dry_run), ON_SWEEP, "print the plan and measure nothing"},
	{0, "json", NULL, FLAG(json), ON_SWEEP | ON_KERNELS | ON_TOPOLOGY | ON_DOCTOR,
	 "print tables as JSON (sweep: with --dry-run)"},
	{0, "quiet", NULL, FLAG(quiet), ON_RUN | ON_SWEEP | ON_INJECT, "no progress and no warnings on standard error"},
	{'h', "help", NULL, FLAG(help), ON_ALL, "print this help"},
};

const size_t option_count = sizeof options / sizeof *options;

static const struct option *find(unsigned command, const char *name, size_t length)
{
	for (size_t i = 0; i < option_count; i++)
		if (options[i].commands & command && strlen(options[i].name) == length &&
		    !strncmp(options[i].name, name, length))
			return &options[i];
	return NULL;
}

static const struct option *find_letter(unsigned command, char letter)
{
	for (size_t i = 0; i < option_count; i++)
		if (options[i].commands & command && options[i].letter == letter)
			return &options[i];
	return NULL;
}

/* A number and what follows it; false for anything that is no plain decimal number or does not fit. */
static bool number(const char *text, uint64_t *value, const char **rest)
{
	char *end;
	if (*text < '0' || *text > '9')
		return false;
	errno = 0;
	*value = strtoull(text, &end, 10);
	*rest = end;
	return !errno;
}

static int parse_count(const struct option *o, const char *text, uint64_t *value, struct why *why)
{
	const char *rest;
	if (number(text, value, &rest) && !*rest && *value)
		return 0;
	return why_set(why, -EINVAL, "--%s wants a whole number from 1, such as 1000; got '%.40s'", o->name, text);
}

static int parse_time(const struct option *o, const char *text, uint64_t *ns, struct why *why)
{
	static const struct {
		const char *name;
		uint64_t ns;
	} units[] = {{"ns", 1}, {"us", 1000}, {"ms", 1000000}, {"s", 1000000000}};
	const char *rest;
	uint64_t value;

	for (size_t i = 0; number(text, &value, &rest) && value && i < sizeof units / sizeof *units; i++)
		if (!strcmp(rest, units[i].name) && value <= UINT64_MAX / units[i].ns) {
			*ns = value * units[i].ns;
			return 0;
		}
	return why_set(why, -EINVAL,
		       "--%s wants a time above 0 with its unit, such as 100us (ns, us, ms, s); got '%.40s'", o->name,
		       text);
}

static int store(struct settings *settings, const struct option *o, const char *value, struct why *why)
{
	void *place = (char *)settings + o->offset;
	switch (o->kind) {
	case OPTION_FLAG:
		*(bool *)place = true;
		return 0;
	case OPTION_TEXT:
		*(const char **)place = value;
		return 0;
	case OPTION_COUNT:
		return parse_count(o, value, place, why);
	case OPTION_TIME:
		return parse_time(o, value, place, why);
	}
	return -EINVAL;
}

/* One argument, and the next where the option's value stands there. */
static int parse_one(struct settings *settings, unsigned command, char ***argument, struct why *why)
{
	const char *text = **argument, *value = NULL;
	const struct option *o;

	if (text[0] != '-' || !text[1])
		return why_set(why, -EINVAL, "unexpected argument '%.80s'", text);
	if (text[1] == '-') {
		size_t length = strcspn(text + 2, "=");
		o = find(command, text + 2, length);
		value = text[2 + length] ? text + 2 + length + 1 : NULL;
	} else {
		o = find_letter(command, text[1]);
		value = text[2] ? text + 2 : NULL;
	}
	if (!o)
		return why_set(why, -EINVAL, "unknown option '%.80s'", text);
	if (o->kind == OPTION_FLAG && value)
		return why_set(why, -EINVAL, "--%s takes no value", o->name);
	if (o->kind != OPTION_FLAG && !value)
		value = *++*argument;
	if (o->kind != OPTION_FLAG && (!value || !*value))
		return why_set(why, -EINVAL, "--%s wants a value: %s", o->name, o->argument);
	return store(settings, o, value, why);
}

int options_parse(struct settings *settings, unsigned command, int argc, char **argv, struct why *why)
{
	*settings = (struct settings){.repetitions = 1000,
				      .quantum_ns = 100000,
				      .repeat = 1,
				      .period_ns = 4000000,
				      .slice_ns = 20000,
				      .duration_ns = 1000000000};
	for (char **argument = argv; argument < argv + argc && *argument; argument++) {
		int error = parse_one(settings, command, &argument, why);
		if (error)
			return error;
	}
	return 0;
}
