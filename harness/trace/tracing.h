/* A private trace instance of this OS (tracefs, Documentation/trace/ftrace.rst): made, switched on for a record, read, removed.
 * The main program speaks the protocol; everything that needs libtracefs stands behind this header. */
#ifndef CMTNOISE_TRACE_TRACING_H
#define CMTNOISE_TRACE_TRACING_H

#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "harness/text.h"
#include "harness/trace/clock.h"
#include "harness/trace/events.h"
#include "harness/why.h"

struct tracefs_instance;
struct tep_event;
struct tep_handle;

/* A kind of event that is traced, and what becomes of it. */
struct traced_kind {
	int id; /* the OS's number of it */
	enum event_class class;
	char mark;
	uint32_t key; /* of a vector's entry and exit */
	char name[EVENT_NAME_SIZE];
};

struct strand_buffer {
	unsigned strand;
	size_t size_kb;
	uint64_t lost; /* events dropped so far, in all records */
	bool in_use;   /* by the record under way */
};

struct tracing {
	struct tracefs_instance *instance;
	struct tep_handle *tep;
	int on; /* tracing_on, held open: an instance whose files are open cannot be removed by anybody else */
	const char *clock; /* as the OS names it */
	bool same_counter; /* the clock gives the timer's own counts */
	char groups[96];   /* of events that are traced, separated by blanks */
	struct traced_kind *kinds;
	size_t kind_count;
	struct strand_buffer *buffers;
	size_t buffer_count;
	struct clock_pair before, after; /* of the record; unused when same_counter */
	cpu_set_t *allowed;              /* strands this process may run on */
	size_t allowed_size;
};

/* tracefs_place.c: 0 when this user may trace here, else why not and what to do. mount: makes the file system's mount where it
 * is missing; else only tells whether that could be done. */
int tracing_possible(bool mount, struct why *why);

/* Removes the instances that killed processes of this program left behind. */
void tracing_remove_stale(void);

/* tracefs_tracing.c: on failure nothing is left to close. */
int tracing_open(struct tracing *t, struct why *why);
void tracing_close(struct tracing *t);

/* Traces the strands of the list from here on. expected_ns (0: not known) is how long; the buffers are made for it. */
int tracing_start(struct tracing *t, const char *strands, uint64_t expected_ns, struct why *why);
int tracing_stop(struct tracing *t, struct why *why);

/* tracefs_clock.c: chooses the clock. It is checked against the timer, so it must be called before anything is traced. */
int tracing_choose_clock(struct tracing *t, struct why *why);

/* tracefs_buffer.c: the strand's buffer, -ENOMEM; one of at least size_kb for every strand that is in use, with those that are
 * not cut back where they are large; how many events its strand's buffer dropped since the last call. */
int tracing_buffer(struct tracing *t, unsigned strand, struct strand_buffer **buffer);
int tracing_size_buffers(struct tracing *t, size_t size_kb, struct why *why);
int tracing_lost(struct tracing *t, unsigned strand, uint64_t *lost, struct why *why);

/* tracefs_events.c: how the OS lays events out; one event's layout (NULL where the OS has no such event); chooses the events and
 * switches them on. */
int tracing_learn_format(struct tracing *t, struct why *why);
struct tep_event *tracing_learn_event(struct tracing *t, const char *system, const char *event);
int tracing_enable_events(struct tracing *t, struct why *why);

/* tracefs_read.c: what was traced on a strand, settled. */
struct reading {
	unsigned strand;
	int thread; /* the measuring thread as the OS numbers it */
	uint64_t first_stamp_counts, timer_hz;
};
int tracing_read(struct tracing *t, const struct reading *reading, struct events *events, struct why *why);

#endif
