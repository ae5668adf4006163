#include "bind/select.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "bind/strand_list.h"

struct selection {
	struct strand_set *set;
	const struct topology *topology;
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
	unsigned *ids = calloc(t->count, sizeof *ids);
	size_t count = 0;
	snprintf(text, size, "?");
	for (size_t i = 0; ids && i < t->count; i++)
		if (strand_can_run(t->strands[i].state))
			ids[count++] = t->strands[i].id;
	if (ids)
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
	return why_set(s->why, -ENODEV, "there is no strand %u; strands are %s", id, usable);
}

static int take_all(struct selection *s, bool first_of_core)
{
	const struct topology *t = s->topology;
	size_t before = s->set->count;
	unsigned char *cores = calloc(t->core_count + 1, 1);
	if (!cores)
		return why_set(s->why, -ENOMEM, "no memory");
	for (size_t i = 0; i < t->count; i++) {
		const struct strand *strand = &t->strands[i];
		if (!offered(strand) || (first_of_core && cores[strand->core]))
			continue;
		cores[strand->core] = 1;
		take(s, strand);
	}
	free(cores);
	if (s->set->count > before || before)
		return 0;
	return why_set(s->why, -ENODEV, "no strand can be used here; see cmtnoise topology");
}

/* The usable strands whose core or package has this number. */
static int take_group(struct selection *s, bool by_core, unsigned number, const char *term)
{
	size_t found = 0;
	for (size_t i = 0; i < s->topology->count; i++) {
		const struct strand *strand = &s->topology->strands[i];
		if ((by_core ? strand->core : strand->package) != number || strand->core == STRAND_NOWHERE)
			continue;
		found++;
		if (strand_can_run(strand->state))
			take(s, strand);
	}
	size_t count = by_core ? s->topology->core_count : s->topology->package_count;
	if (!found)
		return why_set(s->why, -ENODEV, "'%s': there are %zu %s here, numbered from 0", term, count,
			       by_core ? "cores" : "packages");
	if (!s->set->count)
		return why_set(s->why, -ENODEV, "'%s': none of its strands can be used; see cmtnoise topology", term);
	return 0;
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

static int take_term(struct selection *s, const char *term)
{
	unsigned number;
	if (!strcmp(term, "all") || !strcmp(term, "first"))
		return take_all(s, term[0] == 'f');
	if (number_after(term, "core:", &number))
		return take_group(s, true, number, term);
	if (number_after(term, "package:", &number))
		return take_group(s, false, number, term);
	if (number_after(term, "siblings:", &number)) {
		const struct strand *strand = topology_strand(s->topology, number);
		return strand && strand->core != STRAND_NOWHERE ? take_group(s, true, strand->core, term)
								: take_id(number, s);
	}
	int error = *term ? strand_list_parse(term, take_id, s) : -EINVAL;
	if (error != -EINVAL)
		return error;
	return why_set(s->why, -EINVAL, "'%.60s' names no strands; a selector is made of: %s", term, grammar);
}

int select_strands(struct strand_set *set, const struct topology *t, const char *selector, struct why *why)
{
	struct selection s = {set, t, calloc(t->count + 1, 1), why};
	char *copy = strdup(selector), *rest = copy;
	int error = 0;

	*set = (struct strand_set){.items = calloc(t->count + 1, sizeof *set->items)};
	if (!s.taken || !copy || !set->items)
		error = why_set(why, -ENOMEM, "no memory");
	while (!error && rest)
		error = take_term(&s, strsep(&rest, ","));
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
