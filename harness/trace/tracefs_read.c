/* What was traced on a strand, from the OS's raw records to events. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <event-parse.h>
#include <trace-seq.h>
#include <tracefs.h>
#include "harness/os/linux-affinity.h"
#include "harness/trace/tracing.h"

struct reader {
	const struct tracing *t;
	const struct reading *reading;
	struct events *events;
	int64_t softirq_names[32]; /* indices, -1: not asked for yet */
	int error;
};

static const struct traced_kind *kind_of(const struct tracing *t, int id)
{
	for (size_t i = 0; i < t->kind_count; i++)
		if (t->kinds[i].id == id)
			return &t->kinds[i];
	return NULL;
}

static unsigned long long field(struct tep_event *event, struct tep_record *record, const char *name)
{
	unsigned long long value = 0;
	tep_get_field_val(NULL, event, name, record, &value, 0);
	return value;
}

/* A text field need not end in a NUL. */
static int64_t text_of(const struct reader *r, struct tep_event *event, struct tep_record *record, const char *name)
{
	char text[EVENT_NAME_SIZE];
	int length = 0;
	const char *raw = tep_get_field_raw(NULL, event, name, record, &length, 0);
	snprintf(text, sizeof text, "%.*s", raw ? length : 0, raw ? raw : "");
	return events_name(r->events, text);
}

/* The OS prints a softirq as "vec=1 [action=TIMER]": its names are not fixed. */
static int64_t softirq_name(const struct reader *r, struct tep_record *record, unsigned vec)
{
	char text[EVENT_NAME_SIZE];
	struct trace_seq seq;
	trace_seq_init(&seq);
	tep_print_event(r->t->tep, &seq, record, "%s", TEP_PRINT_INFO);
	trace_seq_terminate(&seq);
	const char *name = seq.buffer ? strstr(seq.buffer, "action=") : NULL;
	name = name ? name + strlen("action=") : "";
	size_t length = strcspn(name, "]");
	snprintf(text, sizeof text, "%.*s", (int)(length < sizeof text ? length : sizeof text - 1), name);
	if (!text[0])
		snprintf(text, sizeof text, "%u", vec);
	trace_seq_destroy(&seq);
	return events_name(r->events, text);
}

static int64_t known_softirq_name(struct reader *r, struct tep_record *record, unsigned vec)
{
	if (vec >= sizeof r->softirq_names / sizeof *r->softirq_names)
		return softirq_name(r, record, vec);
	if (r->softirq_names[vec] < 0)
		r->softirq_names[vec] = softirq_name(r, record, vec);
	return r->softirq_names[vec];
}

static int64_t at_counts(const struct reader *r, uint64_t stamp)
{
	if (r->t->same_counter)
		return (int64_t)(stamp - r->reading->first_stamp_counts);
	return clock_to_counts(&r->t->before, &r->t->after, stamp, r->reading->first_stamp_counts);
}

static int add(struct reader *r, struct event *e, int64_t name)
{
	if (name < 0)
		return (int)name;
	e->name = (uint32_t)name;
	return events_add(r->events, e);
}

/* The event tells how long the handler took, at its end. */
static int add_nmi(struct reader *r, struct event *e, long long delta_ns)
{
	struct event entry = *e;
	entry.mark = '+';
	entry.key = e->key = (uint32_t)r->events->count;
	entry.at_counts -= (int64_t)((double)delta_ns * 1e-9 * (double)r->reading->timer_hz + 0.5);
	int error = add(r, &entry, events_name(r->events, "nmi"));
	return error ? error : add(r, e, 0);
}

static int add_event(struct reader *r, const struct traced_kind *kind, struct tep_event *event,
		     struct tep_record *record)
{
	struct event e = {.at_counts = at_counts(r, record->ts), .class = kind->class, .mark = kind->mark};
	bool entry = kind->mark == '+';
	switch (kind->class) {
	case EVENT_VECTOR:
		e.key = kind->key;
		return add(r, &e, entry ? events_name(r->events, kind->name) : 0);
	case EVENT_IRQ:
		e.key = (uint32_t)field(event, record, "irq");
		return add(r, &e, entry ? text_of(r, event, record, "name") : 0);
	case EVENT_SOFTIRQ:
		e.key = (uint32_t)field(event, record, "vec");
		return add(r, &e, entry ? known_softirq_name(r, record, e.key) : 0);
	case EVENT_NMI:
		return add_nmi(r, &e, (long long)field(event, record, "delta_ns"));
	case EVENT_THREAD:
		if ((int)field(event, record, "next_pid") == r->reading->thread)
			return add(r, &e, events_name(r->events, "measured"));
		return add(r, &e, text_of(r, event, record, "next_comm"));
	}
	return 0;
}

static int see(struct tep_event *event, struct tep_record *record, int strand, void *context)
{
	struct reader *r = context;
	const struct traced_kind *kind = kind_of(r->t, event->id);
	(void)strand;
	if (kind && !r->error)
		r->error = add_event(r, kind, event, record);
	return 0;
}

int tracing_read(struct tracing *t, const struct reading *reading, struct events *events, struct why *why)
{
	struct reader r = {.t = t, .reading = reading, .events = events};
	size_t size;
	cpu_set_t *set = linux_single_strand(reading->strand, &size);
	memset(r.softirq_names, -1, sizeof r.softirq_names);
	if (!set)
		return why_set(why, -ENOMEM, "no memory to read events");
	int failed = tracefs_iterate_raw_events(t->tep, t->instance, set, (int)size, see, &r);
	CPU_FREE(set);
	if (failed)
		return why_set(why, -EIO, "the events of strand %u cannot be read", reading->strand);
	if (!r.error)
		r.error = events_settle(events);
	return r.error ? why_set(why, r.error, "no memory for the events of strand %u", reading->strand) : 0;
}
