/*
 * The machine as strands, cores and packages, and who may run on them.
 *
 * One flat table serves every user; hwloc (bind/topology_hwloc.c) or the OS alone (bind/topology_flat.c) fill it, chosen
 * at link time. Errors are negative errno values with a sentence in `why`.
 */
#ifndef CMTNOISE_TOPOLOGY_H
#define CMTNOISE_TOPOLOGY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "harness/why.h"

enum strand_state {
	STRAND_USABLE,
	STRAND_ISOLATED, /* usable; the scheduler keeps other work away */
	STRAND_MASKED,   /* usable, but outside the affinity mask the program was started with (Linux: taskset) */
	STRAND_EXCLUDED, /* not usable: a set that the program was put in leaves it out (Linux: cpuset; Solaris: processor set) */
	STRAND_OFFLINE   /* not usable */
};

#define STRAND_NOWHERE ((unsigned)-1) /* core and package of an offline strand: the OS no longer tells */

struct strand {
	unsigned id;      /* the OS's index (Linux: logical CPU; hwloc: PU P#) */
	unsigned core;    /* logical index, unique in the machine (hwloc L#) */
	unsigned package; /* logical index */
	enum strand_state state;
};

struct topology {
	struct strand *strands; /* ascending id */
	size_t count;
	size_t core_count, package_count;
	uint64_t l1i_bytes, l1d_bytes, l2_bytes, l3_bytes; /* smallest L1 and L2, largest L3; 0 where unknown */
	bool is_this_host; /* false for a topology from a file or a description: plans only */
	char source[80];   /* "hwloc 2.9.0", "linux sysfs" */
	char *xml;         /* hwloc XML, malloc'ed, NULL without hwloc */
};

/* The topology of this host (description NULL), of an hwloc XML file, or of an hwloc synthetic description such as
 * "pack:1 core:8 pu:4". An existing file wins over a description. -ENOTSUP without hwloc for the latter two. */
int topology_load(struct topology *t, const char *description, struct why *why);
void topology_free(struct topology *t);

/* Numbers cores and packages from 0 by the ids that the OS gives strand i, core ids counting within their package. */
void topology_number_cores(struct topology *t, const uint64_t *core_ids, const uint64_t *package_ids);

/* NULL if there is none. */
const struct strand *topology_strand(const struct topology *t, unsigned id);

const char *strand_state_name(enum strand_state state);   /* "usable", "isolated", "masked", "excluded", "offline" */
const char *strand_state_reason(enum strand_state state); /* a clause for messages: "is offline: echo 1 > ..." */
bool strand_can_run(enum strand_state state);

#endif
