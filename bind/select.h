/* Strand selectors. A selector is one or more comma-separated terms:
 *   all          every strand that may be used, except those the affinity mask leaves out
 *   first        the first usable strand of every core
 *   0  4-7       strand ids and ranges; these must exist and be usable
 *   core:2       the usable strands of a core, by logical index      package:0   of a package
 *   siblings:3   the usable strands of strand 3's core, itself included
 */
#ifndef CMTNOISE_SELECT_H
#define CMTNOISE_SELECT_H

#include "bind/topology.h"

struct strand_set {
	const struct strand **items; /* into the topology; no strand twice, in the order named */
	size_t count;
};

/* -EINVAL for a selector that cannot be read, -ENODEV for a strand, core or package that is not there or cannot be used
 * (the sentence says which ones can), -ENOMEM. */
int select_strands(struct strand_set *set, const struct topology *t, const char *selector, struct why *why);
void strand_set_free(struct strand_set *set);

#endif
