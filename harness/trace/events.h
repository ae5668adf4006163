/* The OS events of one strand, as they were traced: collected in any order, then settled (sorted and paired) and written as
 * the rows of an event file (results/FORMAT.md). Knows nothing of where they came from. */
#ifndef CMTNOISE_TRACE_EVENTS_H
#define CMTNOISE_TRACE_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "harness/text.h"

enum event_class { EVENT_VECTOR, EVENT_IRQ, EVENT_SOFTIRQ, EVENT_NMI, EVENT_THREAD };

enum { EVENT_NAME_SIZE = 48 };

struct event {
	int64_t at_counts;
	uint32_t sequence; /* as added: keeps events with the same stamp in their order */
	uint32_t key;  /* what pairs an exit with its entry within the class: a vector's name, an irq's number ... */
	uint32_t name; /* index into names */
	char mark;     /* '+' entry, '-' exit, '=' switch */
	bool kept;
	enum event_class class;
};

struct events {
	struct event *items;
	size_t count, size;
	char (*names)[EVENT_NAME_SIZE];
	size_t name_count, name_size;
};

/* The name's index: the same for the same name. Control characters and bytes that are no UTF-8 become '?', and a long name is
 * cut. -ENOMEM. */
int64_t events_name(struct events *e, const char *name);

/* An exit needs no name (0): it takes its entry's. -ENOMEM. */
int events_add(struct events *e, const struct event *event);

/* Sorts by time, and drops entries without exit and exits without entry: those that were under way when tracing began or
 * ended. -ENOMEM. */
int events_settle(struct events *e);

/* One row an event: at_counts, mark, class, name. Errors stick in the text. */
void events_write(const struct events *e, struct text *t);

void events_free(struct events *e);

#endif
