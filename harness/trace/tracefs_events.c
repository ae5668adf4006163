/* Which events are traced. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <event-parse.h>
#include <tracefs.h>
#include "harness/trace/tracing.h"

/* A group is traced when the OS has all of its events. An NMI is told when it is over. */
static const struct {
	const char *group, *system, *event;
	enum event_class class;
	char mark;
} fixed[] = {
	{"irq", "irq", "irq_handler_entry", EVENT_IRQ, '+'},
	{"irq", "irq", "irq_handler_exit", EVENT_IRQ, '-'},
	{"softirq", "irq", "softirq_entry", EVENT_SOFTIRQ, '+'},
	{"softirq", "irq", "softirq_exit", EVENT_SOFTIRQ, '-'},
	{"sched_switch", "sched", "sched_switch", EVENT_THREAD, '='},
	{"nmi", "nmi", "nmi_handler", EVENT_NMI, '-'},
};

static const char vectors[] = "irq_vectors";

/* Only what is used is read: the library's own way takes in all systems and the OS's symbols, and a tenth of a second. */
struct tep_event *tracing_learn_event(struct tracing *t, const char *system, const char *event)
{
	int size = 0;
	char *format = tracefs_event_file_read(NULL, system, event, "format", &size);
	bool known = format && !tep_parse_event(t->tep, format, (unsigned long)size, system);
	free(format);
	return known ? tep_find_event_by_name(t->tep, system, event) : NULL;
}

int tracing_learn_format(struct tracing *t, struct why *why)
{
	int size = 0;
	char *head = tracefs_instance_file_read(NULL, "events/header_page", &size);
	t->tep = tep_alloc();
	bool known = head && t->tep && !tep_parse_header_page(t->tep, head, (unsigned long)size, sizeof(long));
	free(head);
	if (!known)
		return why_set(why, -EIO, "cannot read how this OS lays out its events: %s", strerror(errno));
	tep_set_long_size(t->tep, tep_get_header_page_size(t->tep));
	return 0;
}

static int add_kind(struct tracing *t, const struct tep_event *event, enum event_class class, char mark,
		    const char *name, uint32_t key)
{
	struct traced_kind *grown = realloc(t->kinds, (t->kind_count + 1) * sizeof *grown);
	if (!grown)
		return -ENOMEM;
	t->kinds = grown;
	struct traced_kind *kind = &grown[t->kind_count++];
	*kind = (struct traced_kind){.id = event->id, .class = class, .mark = mark, .key = key};
	snprintf(kind->name, sizeof kind->name, "%s", name);
	return 0;
}

static void add_group(struct tracing *t, const char *group)
{
	size_t length = strlen(t->groups);
	snprintf(t->groups + length, sizeof t->groups - length, "%s%s", length ? " " : "", group);
}

/* A vector's events are NAME_entry and NAME_exit; whatever else the system holds is about setting vectors up. */
static int enable_vector(struct tracing *t, const char *entry)
{
	char exit[96], name[64];
	size_t length = strlen(entry), suffix = strlen("_entry");
	if (length <= suffix || length - suffix >= sizeof name || strcmp(entry + length - suffix, "_entry"))
		return 0;
	snprintf(name, sizeof name, "%.*s", (int)(length - suffix), entry);
	snprintf(exit, sizeof exit, "%s_exit", name);
	struct tep_event *on = tracing_learn_event(t, vectors, entry), *off = tracing_learn_event(t, vectors, exit);
	if (!on || !off || tracefs_event_enable(t->instance, vectors, entry) ||
	    tracefs_event_enable(t->instance, vectors, exit))
		return 0;
	uint32_t key = (uint32_t)t->kind_count;
	int error = add_kind(t, on, EVENT_VECTOR, '+', name, key);
	return error ? error : add_kind(t, off, EVENT_VECTOR, '-', "", key);
}

static int enable_vectors(struct tracing *t)
{
	char **names = tracefs_system_events(tracefs_tracing_dir(), vectors);
	int error = 0;
	for (char **name = names; name && *name && !error; name++)
		error = enable_vector(t, *name);
	tracefs_list_free(names);
	if (t->kind_count)
		add_group(t, vectors);
	return error;
}

/* The fixed events from i on that belong to one group; how many they are. */
static size_t enable_group(struct tracing *t, size_t i, int *error)
{
	size_t count = 0, total = sizeof fixed / sizeof *fixed, known = t->kind_count;
	bool all = true;
	for (; i + count < total && !strcmp(fixed[i + count].group, fixed[i].group) && !*error; count++) {
		struct tep_event *event = tracing_learn_event(t, fixed[i + count].system, fixed[i + count].event);
		all = all && event && !tracefs_event_enable(t->instance, fixed[i].system, fixed[i + count].event);
		if (all)
			*error = add_kind(t, event, fixed[i].class, fixed[i + count].mark, "", 0);
	}
	if (all)
		add_group(t, fixed[i].group);
	else
		t->kind_count = known;
	return count;
}

int tracing_enable_events(struct tracing *t, struct why *why)
{
	int error = enable_vectors(t);
	for (size_t i = 0; i < sizeof fixed / sizeof *fixed && !error;)
		i += enable_group(t, i, &error);
	if (error)
		return why_set(why, error, "no memory for the list of events");
	if (!t->kind_count)
		return why_set(why, -ENOTSUP, "this OS has none of the events that explain peaks");
	return 0;
}
