#include "harness/trace/events.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char *const class_names[] = {
	[EVENT_VECTOR] = "vector", [EVENT_IRQ] = "irq",       [EVENT_SOFTIRQ] = "softirq",
	[EVENT_NMI] = "nmi",       [EVENT_THREAD] = "thread",
};

static bool grow(void **items, size_t *size, size_t item_size)
{
	size_t wanted = *size ? 2 * *size : 64;
	void *grown = realloc(*items, wanted * item_size);
	if (!grown)
		return false;
	*items = grown;
	*size = wanted;
	return true;
}

/* Both kinds of control characters: ASCII's, and U+0080 to U+009F. */
static bool is_control(const unsigned char *s)
{
	return *s < 0x20 || *s == 0x7f || (s[0] == 0xc2 && s[1] < 0xa0);
}

static void clean(char to[EVENT_NAME_SIZE], const char *name)
{
	const unsigned char *s = (const unsigned char *)name;
	size_t used = 0;
	while (*s) {
		size_t length = text_utf8_length(s);
		if (used + (length ? length : 1) >= EVENT_NAME_SIZE)
			break;
		if (!length || is_control(s))
			to[used++] = '?';
		else
			memcpy(to + used, s, length), used += length;
		s += length ? length : 1;
	}
	to[used] = 0;
}

int64_t events_name(struct events *e, const char *name)
{
	char cleaned[EVENT_NAME_SIZE];
	clean(cleaned, name);
	for (size_t i = 0; i < e->name_count; i++)
		if (!strcmp(e->names[i], cleaned))
			return (int64_t)i;
	if (e->name_count == e->name_size && !grow((void **)&e->names, &e->name_size, sizeof *e->names))
		return -ENOMEM;
	memcpy(e->names[e->name_count], cleaned, sizeof cleaned);
	return (int64_t)e->name_count++;
}

int events_add(struct events *e, const struct event *event)
{
	if (e->count == e->size && !grow((void **)&e->items, &e->size, sizeof *e->items))
		return -ENOMEM;
	e->items[e->count] = *event;
	e->items[e->count].sequence = (uint32_t)e->count;
	e->count++;
	return 0;
}

static int by_time(const void *left, const void *right)
{
	const struct event *a = left, *b = right;
	if (a->at_counts != b->at_counts)
		return a->at_counts < b->at_counts ? -1 : 1;
	return a->sequence < b->sequence ? -1 : a->sequence > b->sequence;
}

/* Entries that wait for their exit, innermost last. Events are numbered in 32 bits to keep this and the list small. */
struct open_entries {
	uint32_t *items;
	size_t count, size;
};

/* Takes the innermost entry of the same class and key out. Others above it stay: where the OS preempts softirqs, they need not
 * nest. */
static struct event *take_entry(struct events *e, struct open_entries *open, const struct event *exit)
{
	for (size_t i = open->count; i--;) {
		struct event *entry = &e->items[open->items[i]];
		if (entry->class != exit->class || entry->key != exit->key)
			continue;
		memmove(&open->items[i], &open->items[i + 1], (--open->count - i) * sizeof *open->items);
		return entry;
	}
	return NULL;
}

static int pair(struct events *e)
{
	struct open_entries open = {0};
	int error = 0;
	for (size_t i = 0; i < e->count && !error; i++) {
		struct event *event = &e->items[i], *entry;
		event->kept = event->mark == '=';
		if (event->mark == '+') {
			if (open.count == open.size && !grow((void **)&open.items, &open.size, sizeof *open.items))
				error = -ENOMEM;
			else
				open.items[open.count++] = (uint32_t)i;
		} else if (event->mark == '-' && (entry = take_entry(e, &open, event))) {
			entry->kept = event->kept = true;
			event->name = entry->name;
		}
	}
	free(open.items);
	return error;
}

int events_settle(struct events *e)
{
	size_t kept = 0;
	if (e->count)
		qsort(e->items, e->count, sizeof *e->items, by_time);
	int error = pair(e);
	for (size_t i = 0; i < e->count; i++)
		if (e->items[i].kept)
			e->items[kept++] = e->items[i];
	e->count = kept;
	return error;
}

void events_write(const struct events *e, struct text *t)
{
	for (size_t i = 0; i < e->count; i++) {
		const struct event *event = &e->items[i];
		text_i64(t, event->at_counts);
		text_bytes(t, (const char[]){'\t', event->mark, '\t'}, 3);
		text_string(t, class_names[event->class]);
		text_string(t, "\t");
		text_string(t, e->names[event->name]);
		text_string(t, "\n");
	}
}

void events_free(struct events *e)
{
	free(e->items);
	free(e->names);
	*e = (struct events){0};
}
