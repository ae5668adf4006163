/* Topology without hwloc: what the OS alone says of strands, cores and packages. */
#include <errno.h>
#include <string.h>
#include "bind/topology.h"
#include "harness/os/os.h"

int topology_load(struct topology *t, const char *description, struct why *why)
{
	*t = (struct topology){0};
	if (description)
		return why_set(
			why, -ENOTSUP,
			"this cmtnoise was built without hwloc, which --topology needs: install libhwloc-dev and build again");
	int error = os_topology(t);
	if (!error)
		error = os_strand_states(t);
	t->is_this_host = true;
	if (!error)
		return 0;
	topology_free(t);
	return why_set(why, error, "the OS does not say which strands there are: %s", strerror(-error));
}
