/* Placement class: where a strand sits relative to another. */
#ifndef CMTNOISE_PLACEMENT_H
#define CMTNOISE_PLACEMENT_H

#include "bind/topology.h"

enum placement { PLACEMENT_SAME_STRAND, PLACEMENT_SAME_CORE, PLACEMENT_SAME_PACKAGE, PLACEMENT_OTHER_PACKAGE };

enum placement placement_of(const struct strand *a, const struct strand *b);
const char *placement_name(enum placement p); /* "same strand", "same core", "same package", "other package" */

#endif
