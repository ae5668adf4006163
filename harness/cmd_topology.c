#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include "bind/placement.h"
#include "bind/select.h"
#include "harness/command.h"
#include "harness/print_json.h"
#include "harness/run_json.h"

struct shown {
	const struct topology *topology;
	const struct strand_set *strands;
};

static void members(struct json *j, const void *context)
{
	const struct shown *shown = context;
	const struct topology *t = shown->topology;
	json_string(j, "source", t->source);
	json_bool(j, "this_host", t->is_this_host);
	json_u64(j, "packages", t->package_count);
	json_u64(j, "cores", t->core_count);
	json_u64(j, "l1i_bytes", t->l1i_bytes);
	json_u64(j, "l1d_bytes", t->l1d_bytes);
	json_u64(j, "l2_bytes", t->l2_bytes);
	json_u64(j, "l3_bytes", t->l3_bytes);
	json_list(j, "strands");
	for (size_t i = 0; i < shown->strands->count; i++)
		run_json_strand(j, shown->strands->items[i]);
	json_end_list(j);
}

static void print_strand(const struct strand *strand, const struct strand *first)
{
	const char *reason = strand_state_reason(strand->state);
	if (strand->core == STRAND_NOWHERE)
		printf("%6u  %4s  %7s  %-15s  ", strand->id, "-", "-", "-");
	else
		printf("%6u  %4u  %7u  %-15s  ", strand->id, strand->core, strand->package,
		       placement_name(placement_of(strand, first)));
	printf("%s%s%s\n", strand_state_name(strand->state), *reason ? ": " : "", reason);
}

static void print_table(const struct topology *t, const struct strand_set *set)
{
	char head[40];
	printf("%zu strands, %zu cores, %zu packages (%s)\n", t->count, t->core_count, t->package_count, t->source);
	printf("caches: L1I %llu KB, L1D %llu KB, L2 %llu KB, L3 %llu KB (0: unknown)\n\n",
	       (unsigned long long)t->l1i_bytes >> 10, (unsigned long long)t->l1d_bytes >> 10,
	       (unsigned long long)t->l2_bytes >> 10, (unsigned long long)t->l3_bytes >> 10);
	snprintf(head, sizeof head, "from strand %u", set->items[0]->id);
	printf("%6s  %4s  %7s  %-15s  %s\n", "strand", "core", "package", head, "state");
	for (size_t i = 0; i < set->count; i++)
		print_strand(set->items[i], set->items[0]);
}

/* Every strand there is, usable or not. */
static int select_everything(struct strand_set *set, const struct topology *t)
{
	set->items = calloc(t->count, sizeof *set->items);
	if (!set->items)
		return -ENOMEM;
	for (set->count = 0; set->count < t->count; set->count++)
		set->items[set->count] = &t->strands[set->count];
	return 0;
}

int command_topology(const struct settings *settings)
{
	struct topology t;
	struct strand_set set = {0};
	struct why why = {"no memory"};
	int code = 0;

	int error = topology_load(&t, settings->topology, &why);
	if (error)
		return command_failed(error, why.text);
	error = settings->strands ? select_strands(&set, &t, settings->strands, &why) : select_everything(&set, &t);
	if (error)
		code = command_failed(error, why.text);
	else if (settings->json)
		code = print_json(members, &(struct shown){&t, &set});
	else
		print_table(&t, &set);
	strand_set_free(&set);
	topology_free(&t);
	return code;
}
