/* cmtnoise-trace as a child of this process: traces what the OS does on strands (harness/trace/main.c tells the protocol). */
#ifndef CMTNOISE_TRACER_H
#define CMTNOISE_TRACER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include "harness/text.h"
#include "harness/why.h"

struct tracer {
	pid_t pid; /* 0: not running */
	int to, from;
	char clock[32];   /* that events are stamped with, as the OS names it */
	char groups[128]; /* of events that are traced, separated by blanks */
	char input[4096];
	size_t input_used, input_taken;
};

/* Which events to hand over: those of a strand, in counts from a stamp. */
struct tracer_request {
	unsigned strand;
	uint64_t thread; /* the measuring thread, as os_thread_id() gave it */
	uint64_t first_stamp_counts, timer_hz;
};

/* Every call that fails says why in a sentence; the tracer is then of no further use, and tracer_end() is to follow.
 * tracer_begin(): starts the program and waits until it is ready; on failure nothing is left to end. */
int tracer_begin(struct tracer *t, struct why *why);
int tracer_start(struct tracer *t, const char *strands, uint64_t expected_ns, struct why *why);
int tracer_stop(struct tracer *t, struct why *why);

/* Asks for the events, and tells how many were lost and by how much the stamps may be off; then the rows go to the text, whose
 * errors stick there. */
int tracer_ask_events(struct tracer *t, const struct tracer_request *request, uint64_t *lost, uint64_t *error_counts,
		      struct why *why);
int tracer_copy_events(struct tracer *t, struct text *rows, struct why *why);

/* Waits until it has removed what it made; also when it failed or was killed. May be called while another thread waits for an
 * answer, whose call then fails. */
void tracer_end(struct tracer *t);

/* Whether events could be traced here, without trying it: 0, or why not. */
int tracer_possible(struct why *why);

#endif
