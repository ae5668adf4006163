#include "bind/topology.h"
#include <stdlib.h>
#include "harness/os/os.h"

void topology_free(struct topology *t)
{
	free(t->strands);
	free(t->xml);
	t->strands = NULL;
	t->xml = NULL;
	t->count = 0;
}

const struct strand *topology_strand(const struct topology *t, unsigned id)
{
	size_t low = 0, high = t->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (t->strands[middle].id == id)
			return &t->strands[middle];
		if (t->strands[middle].id < id)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

/* A core is told by its package and its id there, a package by its id. */
void topology_number_cores(struct topology *t, const uint64_t *core_ids, const uint64_t *package_ids)
{
	t->core_count = t->package_count = 0;
	for (size_t i = 0; i < t->count; i++) {
		size_t same_core = i, same_package = i;
		for (size_t k = 0; k < i; k++) {
			if (package_ids[k] != package_ids[i])
				continue;
			same_package = k;
			if (core_ids[k] == core_ids[i])
				same_core = k;
		}
		t->strands[i].package =
			same_package == i ? (unsigned)t->package_count++ : t->strands[same_package].package;
		t->strands[i].core = same_core == i ? (unsigned)t->core_count++ : t->strands[same_core].core;
	}
}

static const struct {
	const char *name;
	bool can_run;
} states[] = {
	[STRAND_USABLE] = {"usable", true},    [STRAND_ISOLATED] = {"isolated", true},
	[STRAND_MASKED] = {"masked", true},    [STRAND_EXCLUDED] = {"excluded", false},
	[STRAND_OFFLINE] = {"offline", false},
};

const char *strand_state_name(enum strand_state state)
{
	return states[state].name;
}

const char *strand_state_reason(enum strand_state state)
{
	switch (state) {
	case STRAND_USABLE:
		return "";
	case STRAND_ISOLATED:
		return "the scheduler keeps other work away";
	case STRAND_MASKED:
		return os_words.masked;
	case STRAND_EXCLUDED:
		return os_words.excluded;
	case STRAND_OFFLINE:
		return os_words.offline;
	}
	return "";
}

bool strand_can_run(enum strand_state state)
{
	return states[state].can_run;
}
