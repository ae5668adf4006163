#include "bind/placement.h"

enum placement placement_of(const struct strand *a, const struct strand *b)
{
	if (a->id == b->id)
		return PLACEMENT_SAME_STRAND;
	/* Offline strands are nowhere: nothing is known to be shared. */
	if (a->package != b->package || a->package == STRAND_NOWHERE)
		return PLACEMENT_OTHER_PACKAGE;
	return a->core == b->core ? PLACEMENT_SAME_CORE : PLACEMENT_SAME_PACKAGE;
}

const char *placement_name(enum placement p)
{
	static const char *const names[] = {"same strand", "same core", "same package", "other package"};
	return names[p];
}
