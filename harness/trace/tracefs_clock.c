/* The clock that events are stamped with: the timer's own counter where the OS offers it, else its monotonic clock. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <event-parse.h>
#include <tracefs.h>
#include "asm/isa.h"
#include "harness/trace/tracing.h"

enum { MARKERS = 3 };

/* Clocks of this OS that are some counter's raw counts. Whether it is the timer's is tried out, not believed. */
static const char *const counter_clocks[] = {"x86-tsc"};
static const char monotonic[] = "mono";

struct trial {
	uint64_t before[MARKERS], after[MARKERS];
	unsigned seen, right;
};

static int see_marker(struct tep_event *event, struct tep_record *record, int strand, void *context)
{
	struct trial *trial = context;
	(void)strand;
	if (strcmp(event->name, "print") || trial->seen == MARKERS)
		return 0;
	trial->right += record->ts >= trial->before[trial->seen] && record->ts <= trial->after[trial->seen];
	trial->seen++;
	return 0;
}

/* Markers are written between two readings of the timer: their stamps must lie between these. */
static bool is_the_timer(struct tracing *t)
{
	struct trial trial = {.seen = 0};
	int marker = tracefs_instance_file_open(t->instance, "trace_marker", O_WRONLY | O_CLOEXEC);
	if (marker < 0)
		return false;
	bool written = tracing_learn_event(t, "ftrace", "print") && !tracefs_trace_on_fd(t->on);
	for (int i = 0; i < MARKERS && written; i++) {
		trial.before[i] = timer_read();
		written = write(marker, "cmtnoise", 8) == 8;
		trial.after[i] = timer_read();
	}
	tracefs_trace_off_fd(t->on);
	close(marker);
	return written && !tracefs_iterate_raw_events(t->tep, t->instance, NULL, 0, see_marker, &trial) &&
	       trial.right == MARKERS;
}

static bool set_clock(struct tracing *t, const char *clock)
{
	return tracefs_instance_file_write(t->instance, "trace_clock", clock) >= 0;
}

int tracing_choose_clock(struct tracing *t, struct why *why)
{
	const char *wanted = getenv("CMTNOISE_TRACE_CLOCK");
	for (size_t i = 0; i < sizeof counter_clocks / sizeof *counter_clocks; i++) {
		if (wanted && strcmp(wanted, counter_clocks[i]))
			continue;
		t->clock = counter_clocks[i];
		t->same_counter = set_clock(t, t->clock) && is_the_timer(t);
		if (t->same_counter)
			return 0;
	}
	t->clock = monotonic;
	if (wanted && strcmp(wanted, monotonic))
		return why_set(why, -EINVAL,
			       "CMTNOISE_TRACE_CLOCK: the clock %.20s is none that gives the timer's counts; "
			       "unset it, or set it to %s",
			       wanted, monotonic);
	return set_clock(t, monotonic)
		       ? 0
		       : why_set(why, -ENOTSUP, "this OS cannot stamp events with its clock '%s'", monotonic);
}
