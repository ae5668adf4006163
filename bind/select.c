#include "bind/select.h"
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "bind/strand_list.h"

struct selection {
	struct strand_set *set;
	const struct topology *topology;
	const char *selector;
	unsigned char *taken; /* by place in the topology */
	struct why *why;
};

static const char grammar[] = "all, first, 0,4-7, core:2, package:0, siblings:3";

static void take(struct selection *s, const struct strand *strand)
{
	size_t place = (size_t)(strand - s->topology->strands);
	if (!s->taken[place])
		s->set->items[s->set->count++] = strand;
	s->taken[place] = 1;
}

/* What `all` gives: a strand outside the affinity mask is used only when it is named. */
static bool offered(const struct strand *strand)
{
	return strand->state == STRAND_USABLE || strand->state == STRAND_ISOLATED;
}

static void list_strands(const struct topology *t, char *text, size_t size)
{
	unsigned *ids = calloc(t->count + 1, sizeof *ids);
	size_t count = 0;
	for (size_t i = 0; ids && i < t->count; i++)
		if (strand_can_run(t->strands[i].state))
			ids[count++] = t->strands[i].id;
	snprintf(text, size, ids ? "none" : "?");
	if (count)
		strand_list_format(text, size, ids, count);
	free(ids);
}

static int take_id(unsigned id, void *context)
{
	struct selection *s = context;
	const struct strand *strand = topology_strand(s->topology, id);
	char usable[160];
	if (strand && strand_can_run(strand->state)) {
		take(s, strand);
		return 0;
	}
	list_strands(s->topology, usable, sizeof usable);
	if (strand)
		return why_set(s->why, -ENODEV, "strand %u is %s (%s); strands that can be used: %s", id,
			       strand_state_name(strand->state), strand_state_reason(strand->state), usable);
	return why_set(s->why, -ENODEV, "there is no strand %u here; strands are %s", id, usable);
}

static int take_all(struct selection *s, bool first_of_core)
{
	const struct topology *t = s->topology;
	size_t found = 0;
	unsigned char *cores = calloc(t->core_count + 1, 1);
	if (!cores)
		return why_set(s->why, -ENOMEM, "no memory");
	for (size_t i = 0; i < t->count; i++) {
		const struct strand *strand = &t->strands[i];
		if (!offered(strand) || (first_of_core && cores[strand->core]))
			continue;
		cores[strand->core] = 1;
		take(s, strand);
		found++;
	}
	free(cores);
	if (found)
		return 0;
	return why_set(s->why, -ENODEV, "no strand can be used here; see cmtnoise topology");
}

static int no_group(const struct selection *s, const char *kind, unsigned number, size_t count)
{
	if (count == 1)
		return why_set(s->why, -ENODEV, "there is no %s %u here, only %s 0", kind, number, kind);
	return why_set(s->why, -ENODEV, "there is no %s %u here; %ss are 0-%zu", kind, number, kind, count - 1);
}

/* The usable strands whose core or package has this number. */
static int take_group(struct selection *s, bool by_core, unsigned number)
{
	const struct topology *t = s->topology;
	const struct strand *unusable = NULL;
	size_t found = 0;
	for (size_t i = 0; i < t->count; i++) {
		const struct strand *strand = &t->strands[i];
		if ((by_core ? strand->core : strand->package) != number)
			continue;
		if (!strand_can_run(strand->state)) {
			unusable = strand;
			continue;
		}
		take(s, strand);
		found++;
	}
	if (found)
		return 0;
	if (unusable)
		return take_id(unusable->id, s); /* says why not */
	return by_core ? no_group(s, "core", number, t->core_count) : no_group(s, "package", number, t->package_count);
}

static int take_siblings(struct selection *s, unsigned id)
{
	const struct strand *strand = topology_strand(s->topology, id);
	if (!strand || strand->core == STRAND_NOWHERE)
		return take_id(id, s);
	return take_group(s, true, strand->core);
}

static int only_number(unsigned id, void *number)
{
	*(unsigned *)number = id;
	return 1;
}

static bool number_after(const char *term, const char *prefix, unsigned *number)
{
	size_t length = strlen(prefix);
	return !strncmp(term, prefix, length) && term[length + strspn(term + length, "0123456789")] == 0 &&
	       strand_list_parse(term + length, only_number, number) == 1;
}

/* What is wrong with a term that cannot be read. */
static const char *problem_of(const char *term)
{
	char *end;
	if (!*term)
		return "has an empty term";
	if (!isdigit((unsigned char)*term))
		return "names no strands";
	unsigned long long first = strtoull(term, &end, 10), last = first;
	if (*end == '-' && isdigit((unsigned char)end[1]))
		last = strtoull(end + 1, &end, 10);
	if (*end)
		return "names no strands";
	return last < first ? "is a descending range" : "is too large for a strand";
}

static int take_term(struct selection *s, const char *term)
{
	unsigned number;
	if (!strcmp(term, "all") || !strcmp(term, "first"))
		return take_all(s, term[0] == 'f');
	if (number_after(term, "core:", &number))
		return take_group(s, true, number);
	if (number_after(term, "package:", &number))
		return take_group(s, false, number);
	if (number_after(term, "siblings:", &number))
		return take_siblings(s, number);
	int error = *term ? strand_list_parse(term, take_id, s) : -EINVAL;
	if (error != -EINVAL)
		return error;
	return why_set(s->why, -EINVAL, "'%.60s' %s; a selector is made of: %s", *term ? term : s->selector,
		       problem_of(term), grammar);
}

int select_strands(struct strand_set *set, const struct topology *t, const char *selector, struct why *why)
{
	struct selection s = {set, t, selector, calloc(t->count + 1, 1), why};
	char *copy = strdup(selector), *next;
	int error = 0;

	*set = (struct strand_set){.items = calloc(t->count + 1, sizeof *set->items)};
	if (!s.taken || !copy || !set->items)
		error = why_set(why, -ENOMEM, "no memory");
	for (char *term = copy; term && !error; term = next) {
		next = strchr(term, ',');
		if (next)
			*next++ = 0;
		error = take_term(&s, term);
	}
	free(copy);
	free(s.taken);
	if (error)
		strand_set_free(set);
	return error;
}

void strand_set_free(struct strand_set *set)
{
	free(set->items);
	*set = (struct strand_set){0};
}
