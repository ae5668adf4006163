/* Machines that tests describe. */
#ifndef CMTNOISE_TEST_MACHINE_H
#define CMTNOISE_TEST_MACHINE_H

#include "tests/unit/test.h"
#include <errno.h>
#include "bind/topology.h"

#define T1 "pack:1 core:8 pu:4"

/* Without hwloc no machine can be described: the test is skipped. */
static inline void load_machine(struct topology *t, const char *description)
{
	struct why why = {""};
	int error = topology_load(t, description, &why);
	if (error == -ENOTSUP && strstr(why.text, "built without hwloc"))
		skip();
	if (error)
		fail_msg("%s", why.text);
}

#endif
