#include <stdlib.h>
#include "bind/topology.h"

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

static const struct {
	const char *name, *reason;
	bool can_run;
} states[] = {
	[STRAND_USABLE] = {"usable", "", true},
	[STRAND_ISOLATED] = {"isolated", "the scheduler keeps other work away", true},
	[STRAND_MASKED] = {"masked",
			   "outside the affinity mask that cmtnoise was started with (taskset): name it to use it",
			   true},
	[STRAND_EXCLUDED] = {"excluded",
			     "the cgroup's cpuset leaves it out: widen cpuset.cpus, or run outside that cgroup", false},
	[STRAND_OFFLINE] = {"offline", "bring it up with: echo 1 > /sys/devices/system/cpu/cpuN/online", false},
};

const char *strand_state_name(enum strand_state state)
{
	return states[state].name;
}

const char *strand_state_reason(enum strand_state state)
{
	return states[state].reason;
}

bool strand_can_run(enum strand_state state)
{
	return states[state].can_run;
}
