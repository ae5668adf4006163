/* Topology without hwloc: what the OS alone says of strands, cores and packages. */
#include <errno.h>
#include <string.h>
#include "bind/topology.h"
#include "harness/os/os.h"

int topology_load(struct topology *t, const char *description, struct why *why)
{
	*t = (struct topology){.is_this_host = true};
	if (description)
		return why_set(
			why, -ENOTSUP,
			"--topology needs hwloc, and this cmtnoise was built without: install libhwloc-dev and build again");
	int error = os_topology(t);
	if (!error)
		error = os_strand_states(t);
	if (!error)
		return 0;
	topology_free(t);
	return why_set(why, error, "the OS does not say which strands there are: %s", strerror(-error));
}
